//! The board as a picture: an SVG file without fonts for pieces, all of them shapes.

use super::catalogue::Entry;
use crate::board::{Geometry, Square};
use crate::games::{Figure, GameExt, Move, Side};
use std::fmt::Write;

/// The side of a square.
const CELL: usize = 45;
/// The room for coordinates at the left and below.
const MARGIN: usize = 22;

const LIGHT: &str = "#eedfc0";
const DARK: &str = "#b98f62";
const LAST: &str = "#f2d94e";
const ARROW: &str = "#2a7fb8";

/// Draws a position with the move that led to it marked, and arrows.
pub fn draw<G: Entry>(position: &G, last: Option<Move>, arrows: &[(Square, Square)]) -> String {
    let geometry = G::GEOMETRY;
    let (width, height) = (geometry.files() * CELL, geometry.ranks() * CELL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{0}\" \
         height=\"{1}\">\n<title>{} {}</title>\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#ffffff\"/>\n",
        width + MARGIN + CELL / 4,
        height + MARGIN + CELL / 4,
        G::NAME,
        position.fen(),
    );
    for square in geometry.squares() {
        let (x, y) = corner(geometry, square);
        let marked = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
        let light = (geometry.file(square) + geometry.rank(square)) % 2 == 1;
        let colour = match (marked, light) {
            (true, _) => LAST,
            (false, true) => LIGHT,
            (false, false) => DARK,
        };
        add(
            &mut svg,
            &format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" \
                 stroke=\"#6b4f33\" stroke-width=\"0.6\"/>"
            ),
        );
    }
    if let Some(file) = G::SHEET.second_wing {
        let x = MARGIN + file * CELL;
        let (top, bottom) = (CELL / 4, CELL / 4 + height);
        add(
            &mut svg,
            &format!(
                "<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#6b2020\" \
                 stroke-width=\"3\"/>"
            ),
        );
    }
    coordinates(&mut svg, geometry);
    for square in geometry.squares() {
        if let Some(piece) = position.placement().at(square) {
            let (x, y) = corner(geometry, square);
            let figure = G::KINDS[piece.kind().index()].figure;
            let (fill, line) = match piece.side() {
                Side::White => ("#ffffff", "#1c1c1c"),
                Side::Black => ("#2b2b2b", "#f4f4f4"),
            };
            add(
                &mut svg,
                &format!(
                    "<g transform=\"translate({x} {y})\" fill=\"{fill}\" stroke=\"{line}\" \
                     stroke-width=\"1.3\" stroke-linejoin=\"round\" stroke-linecap=\"round\">{}</g>",
                    outline(figure)
                ),
            );
        }
    }
    for &(from, to) in arrows {
        add(&mut svg, &arrow(geometry, from, to));
    }
    svg.push_str("</svg>");
    svg
}

fn add(svg: &mut String, element: &str) {
    svg.push_str(element);
    svg.push('\n');
}

/// The upper left corner of a square.
fn corner(geometry: &Geometry, square: Square) -> (usize, usize) {
    let (file, rank) = (geometry.file(square), geometry.rank(square));
    (
        MARGIN + file as usize * CELL,
        CELL / 4 + (geometry.ranks() - 1 - rank as usize) * CELL,
    )
}

/// Letters below and numbers at the left.
fn coordinates(svg: &mut String, geometry: &Geometry) {
    let mut label = |x: usize, y: usize, text: String| {
        add(
            svg,
            &format!(
                "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"13\" \
                 text-anchor=\"middle\" fill=\"#333333\">{text}</text>"
            ),
        );
    };
    for file in 0..geometry.files() {
        let y = CELL / 4 + geometry.ranks() * CELL + 16;
        let letter = (b'a' + file as u8) as char;
        label(MARGIN + file * CELL + CELL / 2, y, letter.to_string());
    }
    for rank in 0..geometry.ranks() {
        let y = CELL / 4 + (geometry.ranks() - 1 - rank) * CELL + CELL / 2 + 5;
        label(MARGIN / 2, y, (rank + 1).to_string());
    }
}

/// An arrow from the middle of one square to that of another.
fn arrow(geometry: &Geometry, from: Square, to: Square) -> String {
    let middle = |square| {
        let (x, y) = corner(geometry, square);
        ((x + CELL / 2) as f64, (y + CELL / 2) as f64)
    };
    let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
    let length = (x2 - x1).hypot(y2 - y1);
    let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
    // The tip ends in the middle of the square, the line where the tip begins.
    let (bx, by) = (x2 - 13.0 * dx, y2 - 13.0 * dy);
    let mut text = format!(
        "<g fill=\"{ARROW}\" stroke=\"{ARROW}\" opacity=\"0.75\"><line x1=\"{x1:.1}\" \
         y1=\"{y1:.1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke-width=\"5\"/>"
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

/// The elements of a piece in a square of [`CELL`] by [`CELL`].
fn outline(figure: Figure) -> String {
    const KNIGHT: &str = "<path d=\"M13 39H34C34 27 33 15 24 10L22 5.5L18 10C13.5 13.5 11 20 \
        8.5 25.5L12 30L17.5 26.5C20 26.5 22 24.5 23 22.5C23 29 14 32 13 39Z\"/>\
        <circle cx=\"17.5\" cy=\"16.5\" r=\"1.2\"/>";
    // A small sign in the upper right corner says what a knight is besides.
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
