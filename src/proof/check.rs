//! Checks a proof by the rules alone. This file knows nothing of the search: it plays the winner's
//! moves, tries every move of the loser, and sees that each line ends with a win.

use super::file::fields;
use crate::cli::interrupt::Interrupt;
use crate::games::{Game, GameExt, Move, Side};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// A gap in a proof, with the position by [`fields`].
pub(super) enum Gap {
    Interrupted,
    /// It is over, and the side has not won.
    Lost(String),
    IllegalMove(String),
    NoMove(String),
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted"),
            Self::Lost(fields) => write!(f, "{fields} is lost"),
            Self::IllegalMove(fields) => write!(f, "the move in {fields} is not legal"),
            Self::NoMove(fields) => write!(f, "there is no move for {fields}"),
        }
    }
}

/// Checks that a side wins a position with these moves, by [`fields`].
/// Returns the number of positions.
///
/// The game has no way back to an earlier position, so no line can go on for ever.
///
/// # Errors
///
/// A position that the winner has no move for, or does not win; an interrupt.
pub(super) fn check<G: Game>(
    position: &G,
    winner: Side,
    moves: &HashMap<String, Move>,
    interrupt: &Interrupt,
) -> Result<usize, Gap> {
    let mut seen = HashSet::new();
    let mut open = vec![position.clone()];
    while let Some(position) = open.pop() {
        if interrupt.is_set() {
            return Err(Gap::Interrupted);
        }
        let fields = fields(&position);
        if !seen.insert(fields.clone()) {
            continue;
        }
        let mut go_on = |mv: Move| {
            let mut next = position.clone();
            next.play(mv);
            open.push(next);
        };
        match position.outcome() {
            Some(outcome) if outcome.winner == Some(winner) => {}
            Some(_) => return Err(Gap::Lost(fields)),
            None if position.to_move() != winner => {
                position.legal_moves().into_iter().for_each(go_on);
            }
            None => match moves.get(&fields) {
                Some(&mv) if position.is_legal(mv) => go_on(mv),
                Some(_) => return Err(Gap::IllegalMove(fields)),
                None => return Err(Gap::NoMove(fields)),
            },
        }
    }
    Ok(seen.len())
}
