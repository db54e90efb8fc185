//! The board as text.

use super::catalogue::Entry;
use crate::games::letter;
use std::fmt::Write;

/// Draws a position with coordinates: `.` for an empty square, a blank for a cell that is
/// no square, a bar between the wings where the board has two.
pub fn draw<G: Entry>(position: &G) -> String {
    let geometry = G::GEOMETRY;
    let bar = |file| match G::SHEET.second_wing == Some(file) {
        true => " |",
        false => "",
    };
    let mut text = String::new();
    for rank in (0..geometry.ranks()).rev() {
        let mut row = format!("{:>2} ", rank + 1);
        for file in 0..geometry.files() {
            let symbol = match geometry.at(file as i8, rank as i8) {
                None => ' ',
                Some(square) => position
                    .placement()
                    .at(square)
                    .map_or('.', |piece| letter(piece, G::KINDS)),
            };
            // Writing to a string cannot fail.
            let _ = write!(row, "{} {symbol}", bar(file));
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text.push_str("   ");
    for file in 0..geometry.files() {
        let _ = write!(text, "{} {}", bar(file), (b'a' + file as u8) as char);
    }
    text
}
