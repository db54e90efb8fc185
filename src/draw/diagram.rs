//! The board as text.

use crate::board::Square;
use crate::games::{Figure, GameExt, Move, Piece, Side, letter};
use std::fmt::Write;

/// The style of a board as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// True if Black is below.
    pub flipped: bool,
    /// The symbols on coloured squares; without, the board is letters and dots.
    pub colours: Option<Symbols>,
}

/// The symbols of the pieces on coloured squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbols {
    /// Their letters.
    Letters,
    /// The symbols of Unicode, letters for the kinds that it lacks.
    Unicode,
}

// Of the 256 colours of terminals. Both sides' pieces stand out on all squares.
const LIGHT: u8 = 137;
const DARK: u8 = 95;
const LAST_MOVE: u8 = 65;
const WHITE_PIECES: u8 = 231;
const BLACK_PIECES: u8 = 16;

/// Draws a position with coordinates: `.` for an empty square, a blank for a cell that is
/// no square, a bar between the two wings of a board that has them. In colours the last move is
/// marked.
pub fn draw<G: GameExt>(
    position: &G,
    last: Option<Move>,
    second_wing: Option<usize>,
    look: Look,
) -> String {
    let geometry = G::GEOMETRY;
    let order = |count: usize, backwards: bool| {
        (0..count).map(move |at| if backwards { count - 1 - at } else { at })
    };
    let bar = |file| {
        let first_of_second = if look.flipped { file + 1 } else { file };
        if second_wing == Some(first_of_second) { " |" } else { "" }
    };
    let mut text = String::new();
    for rank in order(geometry.ranks(), !look.flipped) {
        let mut row = format!("{:>2} ", rank + 1);
        for file in order(geometry.files(), look.flipped) {
            let square = geometry.at(file as i8, rank as i8);
            row.push_str(bar(file));
            row.push_str(&match look.colours {
                None => format!(" {}", plain::<G>(position, square)),
                Some(symbols) => coloured(position, square, last, symbols),
            });
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text.push_str("   ");
    for file in order(geometry.files(), look.flipped) {
        let space = if look.colours.is_some() { " " } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(text, "{} {}{space}", bar(file), (b'a' + file as u8) as char);
    }
    text.truncate(text.trim_end().len());
    text
}

fn plain<G: GameExt>(position: &G, square: Option<Square>) -> char {
    match square {
        None => ' ',
        Some(square) => {
            position.placement().at(square).map_or('.', |piece| letter(piece, G::KINDS))
        }
    }
}

/// Draws a cell of three columns.
fn coloured<G: GameExt>(
    position: &G,
    square: Option<Square>,
    last: Option<Move>,
    symbols: Symbols,
) -> String {
    let Some(square) = square else {
        return "   ".into();
    };
    let is_marked = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
    let is_light = (G::GEOMETRY.file(square) + G::GEOMETRY.rank(square)) % 2 == 1;
    let ground = match (is_marked, is_light) {
        (true, _) => LAST_MOVE,
        (false, true) => LIGHT,
        (false, false) => DARK,
    };
    let Some(piece) = position.placement().at(square) else {
        return format!("\x1b[48;5;{ground}m   \x1b[0m");
    };
    let colour = match piece.side() {
        Side::White => WHITE_PIECES,
        Side::Black => BLACK_PIECES,
    };
    let symbol = symbol::<G>(piece, symbols);
    format!("\x1b[48;5;{ground};38;5;{colour};1m {symbol} \x1b[0m")
}

/// Returns the symbol of a piece. The filled symbols serve both sides.
fn symbol<G: GameExt>(piece: Piece, symbols: Symbols) -> char {
    let letter = letter(piece, G::KINDS);
    if symbols == Symbols::Letters {
        return letter;
    }
    match G::KINDS[piece.kind().index()].figure {
        Figure::King => '♚',
        Figure::Queen => '♛',
        Figure::Rook => '♜',
        Figure::Bishop => '♝',
        Figure::Knight => '♞',
        Figure::Pawn => '♟',
        // There are none, or hardly any font has them.
        Figure::Archbishop | Figure::Chancellor | Figure::Camel | Figure::Nahbi => {
            letter.to_ascii_uppercase()
        }
    }
}
