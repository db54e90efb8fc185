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

/// The pieces of a game for pictures that are drawn elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The side length of a square.
    pub cell: usize,
    /// The pieces by their letters in a FEN.
    pub men: Vec<(char, String)>,
    /// The names of the kinds by their letters.
    pub names: Vec<(char, &'static str)>,
}

/// Draws the pieces of a game.
pub fn parts<G: GameExt>() -> Parts {
    let men = kinds::<G>().flat_map(|kind| {
        let letter = G::KINDS[kind.index()].letter;
        [
            (letter, man::<G>(kind, Side::White)),
            (letter.to_ascii_lowercase(), man::<G>(kind, Side::Black)),
        ]
    });
    Parts {
        cell: CELL,
        men: men.collect(),
        names: (G::KINDS.iter()).map(|kind| (kind.letter, kind.name)).collect(),
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
    let frame = PictureFrame { geometry: G::GEOMETRY, is_flipped: view.is_flipped };
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
    frame.board(&mut svg, last, second_wing);
    add(&mut svg, &frame.turn_mark(position.to_move()));
    for square in G::GEOMETRY.squares() {
        if let Some(piece) = position.placement().at(square) {
            let (x, y) = frame.corner(square);
            let man = man::<G>(piece.kind(), piece.side());
            let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">{man}</g>");
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
            let text = format!("{} {}", info.letter, info.name);
            let label = label(x + 36, y + 22, "start", &text);
            let _ = writeln!(
                svg,
                "<g transform=\"translate({x} {y}) scale({KEY_SCALE})\">{man}</g>{label}"
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
    // Writing to a string cannot fail.
    let _ = writeln!(svg, "{element}");
}

fn label(x: usize, y: usize, anchor: &str, text: &str) -> String {
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"13\" \
         text-anchor=\"{anchor}\" fill=\"{TEXT}\">{text}</text>"
    )
}

/// The coordinates of a picture.
#[derive(Clone, Copy)]
struct PictureFrame {
    geometry: &'static Geometry,
    is_flipped: bool,
}

impl PictureFrame {
    /// Draws the board without pieces, with the last move marked.
    fn board(self, svg: &mut String, last: Option<Move>, second_wing: Option<usize>) {
        let geometry = self.geometry;
        for square in geometry.squares() {
            let (x, y) = self.corner(square);
            let marked = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
            let sum = geometry.file(square) + geometry.rank(square);
            let shade = usize::from(sum.is_multiple_of(2));
            let colour = if marked { LAST_MOVE } else { SQUARES }[shade];
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" \
                 stroke=\"#6b4f33\" stroke-width=\"0.6\"/>"
            );
        }
        if let Some(file) = second_wing {
            let file = if self.is_flipped { geometry.files() - file } else { file };
            let x = MARGIN + file * CELL;
            let bottom = TOP + geometry.ranks() * CELL;
            let _ = writeln!(
                svg,
                "<line x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#6b2020\" \
                 stroke-width=\"3\"/>"
            );
        }
        self.coordinates(svg);
    }

    fn size(self) -> (usize, usize) {
        let (files, ranks) = (self.geometry.files(), self.geometry.ranks());
        (2 * MARGIN + files * CELL, TOP + ranks * CELL + MARGIN)
    }

    /// Returns the column from the left and the row from above of a file and a rank.
    fn place(self, file: usize, rank: usize) -> (usize, usize) {
        let (files, ranks) = (self.geometry.files(), self.geometry.ranks());
        if !self.is_flipped { (file, ranks - 1 - rank) } else { (files - 1 - file, rank) }
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
            add(svg, &label(MARGIN / 2, y, "middle", &(rank + 1).to_string()));
        }
    }

    /// Draws the mark of the side to move, at its end of the board.
    fn turn_mark(self, side: Side) -> String {
        let is_below = (side == Side::White) != self.is_flipped;
        let row = if is_below { self.geometry.ranks() - 1 } else { 0 };
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
///
/// The lines of Black merge with light squares and set it off from dark squares and dark pages.
const fn colours(side: Side) -> (&'static str, &'static str) {
    match side {
        Side::White => ("#ffffff", "#1c1c1c"),
        Side::Black => ("#2b2b2b", SQUARES[0]),
    }
}

/// Draws a piece in a square of [`CELL`] by [`CELL`].
fn man<G: GameExt>(kind: Kind, side: Side) -> String {
    let (fill, line) = colours(side);
    // The fill of Black covers the inner half of its outline and leaves a thin line.
    let order = ["", " paint-order=\"stroke\""][side as usize];
    let [shape, lines] = paths(G::KINDS[kind.index()].figure);
    format!(
        "<g fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.5\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\"{order}><path d=\"{shape}\"/><path fill=\"none\" d=\"{lines}\"/></g>"
    )
}

/// Returns the paths of a piece in a square of [`CELL`] by [`CELL`]: its shape, and the lines on it.
const fn paths(figure: Figure) -> [&'static str; 2] {
    match figure {
        Figure::Pawn => [
            "M12 39.5v-2Q12 35 14 35c3-3 5.2-7 5.5-13.7a6.5 6.5 0 1 1 6 0C25.8 28 28 32 31 35\
             q2 0 2 2.5v2z",
            "M20 21.3h5M14.5 35h16",
        ],
        Figure::Knight => [
            "M10.5 39.5v-2q0-2.5 3-2.5c.5-5 9-6.5 9.5-12.5c-1 2.5-3 4-5.5 4l-5 3.5\
             q-3.5-.5-4-4.5c2-6 4.5-12 9-15l1-5.5l5 4.5C31.5 13 34 24 33 35q1.5 0 1.5 2.5v2z",
            "M16.5 17.2h1M12 25.3l.3-.3m2 10h18",
        ],
        Figure::Bishop => [
            "M10.5 39.5v-2Q10.5 35 13 35h4q2-3 1-6c-5-7-3-14 4.4-19.3a2.7 2.7 0 1 1 .2 0\
             C30 15 32 22 27 29q-1 3 1 6h4q2.5 0 2.5 2.5v2z",
            "M18.5 29h8m-4-14.5V23m-4-4.5h8M17.5 35h10",
        ],
        Figure::Rook => [
            "M10.5 39.5v-2Q10.5 35 13 35h2V18l-3.5-3V7h5v4H20V7h5v4h3.5V7h5v8L30 18V35h2\
             q2.5 0 2.5 2.5v2z",
            "M15.5 18h14M15 35H30",
        ],
        Figure::Queen => [
            "M10.5 39.5v-2q0-2.5 2-2.5L6.9 15.5a2.5 2.5 0 1 1 .2 0L14.5 26l1.4-14.5\
             a2.5 2.5 0 1 1 .2 0l6.4 13l6.4-13a2.5 2.5 0 1 1 .2 0L30.5 26l7.4-10.5\
             a2.5 2.5 0 1 1 .2 0L32.5 35q2 0 2 2.5v2z",
            "M13 35H32",
        ],
        Figure::King => [
            "M20.7 4.5h3.6V8H28v3.5H24.3v7H20.7v-7H17V8h3.7zm-10.2 35v-2Q10.5 35 13 35\
             c-7-7-6-16 1.5-16c4 0 6.5 2.5 8 6c1.5-3.5 4-6 8-6C38 19 39 28 32 35q2.5 0 2.5 2.5\
             v2z",
            "M14 35H31",
        ],
        // A knight in a mitre, and one under battlements.
        Figure::Archbishop => [
            "M10.5 39.5v-2q0-2.5 3-2.5c.5-4 8-4.5 8.8-9.5c-1.5 2.5-3.8 3.2-6 3.5L12 32.2\
             q-3.7-.9-4.2-4.7c1.7-4.2 3.7-7.5 7.7-10C10.5 12 15 8 22.4 6.2a2.4 2.4 0 1 1 .2 0\
             C30 8 34.5 12 30.5 17.5C33.5 22.5 34 29 33 35q1.5 0 1.5 2.5v2z",
            "M16 17.5H30M22.5 9v6.2M19.2 12h6.6M16 21.6h1M11.2 28l.3-.3M14.3 35h18",
        ],
        Figure::Chancellor => [
            "M10.5 39.5v-2q0-2.5 3-2.5c.5-4 8-4.5 8.8-9.5c-1.5 2.5-3.8 3.2-6 3.5L12 32.2\
             q-3.7-.9-4.2-4.7c1.7-4.2 3.7-7.5 7.7-10l-2.5-3v-9h4.5V9H21V5.5h5V9h3.5V5.5H34v9\
             l-3.5 3C33.5 22.5 34 29 33 35q1.5 0 1.5 2.5v2z",
            "M16 17.5H30M16 21.6h1M11.2 28l.3-.3M14.3 35h18",
        ],
        Figure::Camel => [
            "M6.5 39.5v-2Q6.5 35 9 35H36.5Q39 35 39 37.5v2zm3-4.5V27C7 23 8.7 17 7.8 13.5\
             l-4-.5q-1.5-2.5 0-4.5L9 6.5q3.5 .5 3.7 4C12.3 16 12 21 14 21.5c1.7-.5 1.5-8 5.5-8\
             c3.5 0 3.8 7 6 7c2.2 0 2.5-7 6-7c4.5 0 5 8 5 13.5v8h-4V28.5c-5.5 2-13 2-19 0V35z",
            "M8 10h.5M10 35h3m20 0h3",
        ],
        // A hooded seer, with a crook that bends as its path does.
        Figure::Nahbi => [
            "M33 35V16c0-3 2.5-3 2.5-5.5c0-1.5-2.5-1.5-3 .5L30 10c1-5.5 8.5-5 8.5 .5\
             C38.5 14 36 14 36 16V35zM6.5 39.5v-2q0-2.5 2-2.5c0-6 1-9 3-11.5\
             C10.5 13 14 7.5 21 4c6 4 8.5 10 7 19.5C30 26 30.5 29 30.5 35h6Q39 35 39 37.5v2z",
            "M12 24c3 3.3 12.5 3.3 15.5 0M15 19c0-10 9-10 9 0c0 4-9 4-9 0zM9 35H30",
        ],
    }
}
