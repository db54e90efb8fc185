//! Checks a proof by the rules alone. This file knows nothing of the search: it plays the winner's
//! moves, tries every move of the loser, and sees that each line ends with a win.

use super::file::fields;
use crate::cli::Failure;
use crate::cli::interrupt::Interrupt;
use crate::games::{Game, GameExt, Move, Side};
use std::collections::{HashMap, HashSet};

/// Checks that a side wins a position with these moves. `moves` has the winner's move for the
/// [`fields`] of each position. Returns the number of positions.
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
) -> Result<usize, Failure> {
    let mut seen = HashSet::new();
    let mut open = vec![position.clone()];
    while let Some(position) = open.pop() {
        if interrupt.is_set() {
            let left = "the proof was not checked to its end";
            return Err(Failure::Interrupted(left.into()));
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
            Some(_) => return Err(Failure::refused(format!("{fields} is lost"))),
            None if position.to_move() != winner => {
                position.legal_moves().into_iter().for_each(go_on);
            }
            None => match moves.get(&fields) {
                Some(&mv) if position.is_legal(mv) => go_on(mv),
                Some(_) => {
                    let gap = format!("the move in {fields} is not legal");
                    return Err(Failure::refused(gap));
                }
                None => {
                    return Err(Failure::refused(format!("the proof has no move for {fields}")));
                }
            },
        }
    }
    Ok(seen.len())
}
