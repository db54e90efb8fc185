//! A client's move: the legal move, or its fault.

use super::messages::{IllegalCause, MoveFault, PositionError};
use crate::games::{Game, GameExt, Move};
use crate::text::{move_text, read_move, read_san, read_squares};

/// Reads a legal move, number `number` of a list.
pub(super) fn read_legal_move<G: Game>(
    position: &G,
    text: &str,
    number: usize,
) -> Result<Move, PositionError> {
    read_move(position, text).ok_or_else(|| PositionError::Move {
        text: text.to_string(),
        number,
        fault: fault(position, text),
    })
}

/// Finds the fault of a text that is no legal move in coordinates.
fn fault<G: Game>(position: &G, text: &str) -> MoveFault {
    let meant = read_move(position, &text.to_ascii_lowercase());
    if let Some(meant) = meant.or_else(|| read_san(position, text).ok()) {
        return MoveFault::Misspelt { meant: move_text::<G>(meant) };
    }
    let illegal = |cause| MoveFault::Illegal { fen: position.fen(), cause };
    if ["O-O", "O-O-O"].contains(&text.replace('0', "O").as_str()) {
        return illegal(IllegalCause::Castling);
    }
    let squares = read_squares::<G>(text).filter(|(.., rest)| rest.chars().count() <= 1);
    let moves = position.legal_moves();
    let Some((from, to, _)) = squares else {
        let example = moves.first().map(|&mv| move_text::<G>(mv));
        return MoveFault::Unreadable { example };
    };
    let texts = |wanted: &dyn Fn(&Move) -> bool| {
        let moves = moves.iter().copied().filter(wanted);
        let mut texts: Vec<_> = moves.map(move_text::<G>).collect();
        texts.sort_unstable();
        texts
    };
    let choices = texts(&|mv| mv.promotion().is_some() && (mv.from(), mv.to()) == (from, to));
    if !choices.is_empty() {
        return MoveFault::NeedsLetter { choices };
    }
    let square = G::GEOMETRY.name(from).to_string();
    illegal(match position.placement().at(from) {
        None => IllegalCause::NoPiece(square),
        Some(piece) if piece.side() != position.to_move() => {
            IllegalCause::PieceOf(piece.side(), square)
        }
        Some(_) => match texts(&|mv| mv.from() == from) {
            moves if moves.is_empty() => IllegalCause::Immobile(square, texts(&|_| true)),
            moves => IllegalCause::Elsewhere(square, moves),
        },
    })
}
