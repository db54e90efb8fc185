//! The board as a picture in SVG. The pieces are shapes and need no fonts. It has no background, and
//! shows on light pages and dark ones.

use crate::board::{Geometry, Square};
use crate::games::{Figure, GameExt, Kind, Move, Side};
use std::fmt::Write;

/// The side length of a square, in units.
const CELL: usize = 45;
/// The margin of the board: for coordinates at the left and below, for the mark of the side to move
/// at the right.
const MARGIN: usize = 22;
/// The margin above the board.
const TOP: usize = 6;
/// The width and height of an entry of the key, and the scale of its piece.
const KEY_WIDTH: usize = 135;
const KEY_SCALE: f64 = 0.7;
const KEY_HEIGHT: usize = 36;

/// Colours of squares, light and dark, and of the squares of the last move.
const SQUARES: [&str; 2] = ["#eedfc0", "#b98f62"];
const LAST_MOVE: [&str; 2] = ["#f2d94e", "#d8b52e"];
/// Colours of arrows, for the side to move and for the other.
const ARROWS: [&str; 2] = ["#2a7fb8", "#b8442a"];
/// Colour of text, legible on white and on black.
const TEXT: &str = "#808080";

/// The options of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// True if Black is below.
    pub is_flipped: bool,
    /// The width in pixels; `None` for the natural one.
    pub width: Option<usize>,
    /// True if a key of the pieces stands below the board.
    pub has_key: bool,
}

/// The parts of pictures of a game, all of one size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The size of a picture in units.
    pub size: (usize, usize),
    /// The side length of a square.
    pub cell: usize,
    /// The upper left corner of the board.
    pub corner: (usize, usize),
    /// The empty board, seen by White and by Black.
    pub boards: [String; 2],
    /// The marks of White and Black to move, seen by White and by Black.
    pub turns: [[String; 2]; 2],
    /// The pieces by their letters in a FEN.
    pub men: Vec<(char, String)>,
    /// The names of the kinds by their letters.
    pub names: Vec<(char, &'static str)>,
}

/// Draws the parts of pictures of a game.
pub fn parts<G: GameExt>(second_wing: Option<usize>) -> Parts {
    let views = [false, true].map(|is_flipped| PictureFrame::new(G::GEOMETRY, is_flipped));
    let men = kinds::<G>().flat_map(|kind| {
        let letter = G::KINDS[kind.index()].letter;
        [
            (letter, man::<G>(kind, Side::White)),
            (letter.to_ascii_lowercase(), man::<G>(kind, Side::Black)),
        ]
    });
    Parts {
        size: views[0].size(),
        cell: CELL,
        corner: (MARGIN, TOP),
        boards: views.map(|frame| board::<G>(frame, None, second_wing)),
        turns: views.map(|frame| Side::BOTH.map(|side| frame.turn_mark(side))),
        men: men.collect(),
        names: (G::KINDS.iter())
            .map(|kind| (kind.letter, kind.name))
            .collect(),
    }
}

/// Draws a position with the last move marked, and arrows.
pub fn draw<G: GameExt>(
    position: &G,
    last: Option<Move>,
    second_wing: Option<usize>,
    arrows: &[(Square, Square)],
    view: View,
) -> String {
    let frame = PictureFrame::new(G::GEOMETRY, view.is_flipped);
    let (width, mut height) = frame.size();
    let columns = (width / KEY_WIDTH).max(1);
    let key_top = height;
    if view.has_key {
        height += G::KINDS.len().div_ceil(columns) * KEY_HEIGHT;
    }
    let shown = view.width.unwrap_or(width);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{shown}\" height=\"{}\">\n<title>{}, {} to move: {}</title>\n",
        shown * height / width,
        G::NAME,
        position.to_move().name(),
        position.fen(),
    );
    svg.push_str(&board::<G>(frame, last, second_wing));
    add(&mut svg, &frame.turn_mark(position.to_move()));
    for square in G::GEOMETRY.squares() {
        if let Some(piece) = position.placement().at(square) {
            let (x, y) = frame.corner(square);
            let man = man::<G>(piece.kind(), piece.side());
            add(
                &mut svg,
                &format!("<g transform=\"translate({x} {y})\">{man}</g>"),
            );
        }
    }
    for (number, &(from, to)) in arrows.iter().enumerate() {
        add(&mut svg, &frame.arrow(from, to, ARROWS[number % 2]));
    }
    if view.has_key {
        for kind in kinds::<G>() {
            let (column, row) = (kind.index() % columns, kind.index() / columns);
            let (x, y) = (MARGIN + column * KEY_WIDTH, key_top + row * KEY_HEIGHT);
            let info = G::KINDS[kind.index()];
            let man = man::<G>(kind, Side::White);
            add(
                &mut svg,
                &format!(
                    "<g transform=\"translate({x} {y}) scale({KEY_SCALE})\">{man}</g>{}",
                    label(
                        x + 36,
                        y + 22,
                        "start",
                        &format!("{} {}", info.letter, info.name)
                    ),
                ),
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

fn kinds<G: GameExt>() -> impl Iterator<Item = Kind> {
    (0..G::KINDS.len()).map(|index| Kind::new(index as u8))
}

fn add(svg: &mut String, element: &str) {
    svg.push_str(element);
    svg.push('\n');
}

fn label(x: usize, y: usize, anchor: &str, text: &str) -> String {
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"13\" \
         text-anchor=\"{anchor}\" fill=\"{TEXT}\">{text}</text>"
    )
}

/// Draws the board without pieces, with the last move marked.
fn board<G: GameExt>(
    frame: PictureFrame,
    last: Option<Move>,
    second_wing: Option<usize>,
) -> String {
    let geometry = G::GEOMETRY;
    let mut svg = String::new();
    for square in geometry.squares() {
        let (x, y) = frame.corner(square);
        let marked = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
        let shade = usize::from((geometry.file(square) + geometry.rank(square)) % 2 == 0);
        let colour = if marked { LAST_MOVE } else { SQUARES }[shade];
        add(
            &mut svg,
            &format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" \
                 stroke=\"#6b4f33\" stroke-width=\"0.6\"/>"
            ),
        );
    }
    if let Some(file) = second_wing {
        let file = if frame.is_flipped {
            geometry.files() - file
        } else {
            file
        };
        let x = MARGIN + file * CELL;
        let bottom = TOP + geometry.ranks() * CELL;
        add(
            &mut svg,
            &format!(
                "<line x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#6b2020\" \
                 stroke-width=\"3\"/>"
            ),
        );
    }
    frame.coordinates(&mut svg);
    svg
}

/// The coordinates of a picture.
#[derive(Clone, Copy)]
struct PictureFrame {
    geometry: &'static Geometry,
    is_flipped: bool,
}

impl PictureFrame {
    const fn new(geometry: &'static Geometry, is_flipped: bool) -> Self {
        Self {
            geometry,
            is_flipped,
        }
    }

    fn size(self) -> (usize, usize) {
        let (files, ranks) = (self.geometry.files(), self.geometry.ranks());
        (2 * MARGIN + files * CELL, TOP + ranks * CELL + MARGIN)
    }

    /// Returns the column from the left and the row from above of a file and a rank.
    fn place(self, file: usize, rank: usize) -> (usize, usize) {
        let (files, ranks) = (self.geometry.files(), self.geometry.ranks());
        if !self.is_flipped {
            (file, ranks - 1 - rank)
        } else {
            (files - 1 - file, rank)
        }
    }

    /// Returns the upper left corner of a square.
    fn corner(self, square: Square) -> (usize, usize) {
        let (file, rank) = (self.geometry.file(square), self.geometry.rank(square));
        let (column, row) = self.place(file as usize, rank as usize);
        (MARGIN + column * CELL, TOP + row * CELL)
    }

    /// Draws the letters below and the numbers at the left.
    fn coordinates(self, svg: &mut String) {
        for file in 0..self.geometry.files() {
            let (column, _) = self.place(file, 0);
            let letter = (b'a' + file as u8) as char;
            let x = MARGIN + column * CELL + CELL / 2;
            let y = TOP + self.geometry.ranks() * CELL + 16;
            add(svg, &label(x, y, "middle", &letter.to_string()));
        }
        for rank in 0..self.geometry.ranks() {
            let (_, row) = self.place(0, rank);
            let y = TOP + row * CELL + CELL / 2 + 5;
            add(
                svg,
                &label(MARGIN / 2, y, "middle", &(rank + 1).to_string()),
            );
        }
    }

    /// Draws the mark of the side to move, at its end of the board.
    fn turn_mark(self, side: Side) -> String {
        let is_below = (side == Side::White) != self.is_flipped;
        let row = if is_below {
            self.geometry.ranks() - 1
        } else {
            0
        };
        let x = MARGIN + self.geometry.files() * CELL + MARGIN / 2;
        let y = TOP + row * CELL + CELL / 2;
        let (fill, line) = colours(side);
        format!(
            "<circle class=\"turn\" cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"{fill}\" \
             stroke=\"{line}\" stroke-width=\"1.3\"/>"
        )
    }

    /// Draws an arrow from one square to the middle of another.
    fn arrow(self, from: Square, to: Square, colour: &str) -> String {
        let middle = |square| {
            let (x, y) = self.corner(square);
            ((x + CELL / 2) as f64, (y + CELL / 2) as f64)
        };
        let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
        let length = (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        // The arrow does not cover the piece, and its line ends where the tip begins.
        let (ax, ay) = (x1 + 12.0 * dx, y1 + 12.0 * dy);
        let (bx, by) = (x2 - 13.0 * dx, y2 - 13.0 * dy);
        let mut text = format!(
            "<g fill=\"{colour}\" stroke=\"{colour}\" opacity=\"0.75\"><line x1=\"{ax:.1}\" \
             y1=\"{ay:.1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke-width=\"5\"/>"
        );
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "<path stroke=\"none\" d=\"M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/></g>",
            bx - 8.0 * dy,
            by + 8.0 * dx,
            bx + 8.0 * dy,
            by - 8.0 * dx,
        );
        text
    }
}

/// Returns the colours of a side's pieces: fill and lines.
const fn colours(side: Side) -> (&'static str, &'static str) {
    match side {
        Side::White => ("#ffffff", "#1c1c1c"),
        Side::Black => ("#2b2b2b", "#f4f4f4"),
    }
}

/// Draws a piece in a square of [`CELL`] by [`CELL`].
fn man<G: GameExt>(kind: Kind, side: Side) -> String {
    let (fill, line) = colours(side);
    format!(
        "<g fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.3\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\">{}</g>",
        outline(G::KINDS[kind.index()].figure)
    )
}

/// Returns the elements of a piece in a square of [`CELL`] by [`CELL`].
fn outline(figure: Figure) -> String {
    const KNIGHT: &str = "<path d=\"M13 39H34C34 27 33 15 24 10L22 5.5L18 10C13.5 13.5 11 20 \
        8.5 25.5L12 30L17.5 26.5C20 26.5 22 24.5 23 22.5C23 29 14 32 13 39Z\"/>\
        <circle cx=\"17.5\" cy=\"16.5\" r=\"1.2\"/>";
    // A small sign in the upper right corner shows the second half of a compound knight.
    let knight_and = |sign: &str| {
        format!(
            "<g transform=\"translate(-4 4) scale(0.92)\">{KNIGHT}</g>\
             <g transform=\"translate(23 1) scale(0.48)\">{sign}</g>"
        )
    };
    let bishop = "<path d=\"M22.5 9C30 15 32 22 27 29H18C13 22 15 15 22.5 9Z\"/>\
        <path d=\"M12 39H33V35.5C29 35 27.5 32 27 29H18C17.5 32 16 35 12 35.5Z\"/>\
        <circle cx=\"22.5\" cy=\"7\" r=\"2.4\"/><path d=\"M22.5 15V23M18.5 19H26.5\"/>";
    let rook = "<path d=\"M11 39H34V35H30V18H33.5V8H29V12H25V8H20V12H16V8H11.5V18H15V35H11Z\"/>\
        <path d=\"M15 18H30M15 35H30\"/>";
    match figure {
        Figure::Knight => KNIGHT.into(),
        Figure::Bishop => bishop.into(),
        Figure::Rook => rook.into(),
        Figure::Archbishop => knight_and(bishop),
        Figure::Chancellor => knight_and(rook),
        Figure::Pawn => "<path d=\"M12 39H33V35C29 32 26.5 28 26 21.5H19C18.5 28 16 32 12 35Z\"/>\
            <circle cx=\"22.5\" cy=\"15.5\" r=\"6.5\"/>"
            .into(),
        Figure::Queen => "<path d=\"M11 39H34V35.5L38 15L30.5 26L29 11L22.5 25L16 11L14.5 26L7 15\
            L11 35.5Z\"/><path d=\"M11 35.5H34\"/><circle cx=\"7\" cy=\"13\" r=\"2.3\"/>\
            <circle cx=\"16\" cy=\"9\" r=\"2.3\"/><circle cx=\"29\" cy=\"9\" r=\"2.3\"/>\
            <circle cx=\"38\" cy=\"13\" r=\"2.3\"/>"
            .into(),
        Figure::King => "<path d=\"M21 5H24V8.5H27.5V11.5H24V18H21V11.5H17.5V8.5H21Z\"/>\
            <path d=\"M12 39H33V34.5C39 28 38 19 30.5 19C26.5 19 24 21.5 22.5 25C21 21.5 18.5 19 \
            14.5 19C7 19 6 28 12 34.5Z\"/><path d=\"M12 34.5H33\"/>"
            .into(),
        // A head on a long neck, and two humps.
        Figure::Camel => "<path d=\"M9 39V30L6 17L3.5 15.5L5 11.5L10.5 11L13 25C14.5 19 17 17 \
            19 17C21.5 17 22.5 24 25 24C27.5 24 28 17 31 17C34 17 37 23 37.5 29V39H32.5V31H14V39Z\"/>"
            .into(),
        // Its path: two squares along the diagonal, one straight on.
        Figure::Nahbi => "<path d=\"M22.5 5L39 22.5L22.5 40L6 22.5Z\"/>\
            <path fill=\"none\" stroke-width=\"3\" d=\"M15 29L26 18V12\"/>\
            <circle cx=\"15\" cy=\"29\" r=\"2.6\"/>"
            .into(),
    }
}
