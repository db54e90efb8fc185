//! A client's move: the legal move that it is, or what is wrong with it.

use super::messages::{MoveFault, PositionError};
use crate::games::{Game, GameExt, Move};
use crate::text::{move_text, read_move, read_san};

/// The legal move that a text means, the `number`th of a list.
pub fn read_legal_move<G: Game>(
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

/// What is wrong with a text that is no legal move in coordinates.
fn fault<G: Game>(position: &G, text: &str) -> MoveFault {
    let meant = read_move(position, &text.to_ascii_lowercase());
    if let Some(meant) = meant.or_else(|| read_san(position, text).ok()) {
        return MoveFault::Misspelt {
            meant: move_text::<G>(meant),
        };
    }
    let squares = G::GEOMETRY.read_square(text).and_then(|(from, rest)| {
        let (to, rest) = G::GEOMETRY.read_square(rest)?;
        (rest.chars().count() <= 1).then_some((from, to))
    });
    let moves = position.legal_moves();
    let Some((from, to)) = squares else {
        let example = moves.first().map(|&mv| move_text::<G>(mv));
        return MoveFault::Unreadable { example };
    };
    let mut choices: Vec<_> = moves
        .into_iter()
        .filter(|mv| mv.promotion().is_some() && (mv.from(), mv.to()) == (from, to))
        .map(move_text::<G>)
        .collect();
    choices.sort_unstable();
    match choices.is_empty() {
        true => MoveFault::Illegal {
            fen: position.fen(),
        },
        false => MoveFault::NeedsLetter { choices },
    }
}
