//! Proves or refutes a win in a number of moves. Every move is searched and nothing is taken from
//! the table, so that a "no" is certain.

use super::repetition::PastKeys;
use super::worker::{Shared, Worker};
use crate::games::{Game, GameExt, Outcome, Reason};
use std::collections::HashMap;

/// The greatest number of remembered positions without a win.
const REMEMBERED: usize = 1 << 20;

impl<G: Game> Worker<G> {
    /// Tests whether the side to move can force a win within `plies` with one of the root moves.
    /// `None` if the search ends before that, or `nodes` nodes are not enough.
    pub(super) fn can_force_mate(
        &mut self,
        position: &G,
        plies: u32,
        nodes: u64,
        shared: &Shared<'_>,
    ) -> Option<bool> {
        let moves: Vec<_> = self.root_moves.iter().map(|root| root.mv).collect();
        let last_node = self.nodes.saturating_add(nodes);
        let mut proof = Proof { worker: self, shared, last_node, failed: HashMap::new() };
        for mv in moves {
            let mut next = position.clone();
            next.play(mv);
            if proof.is_lost(&next, plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

struct Proof<'p, G> {
    worker: &'p mut Worker<G>,
    shared: &'p Shared<'p>,
    /// The node count that ends the attempt.
    last_node: u64,
    /// By position and move clock, the plies within which there is no win.
    failed: HashMap<(u64, u32), u32>,
}

impl<G: Game> Proof<'_, G> {
    /// Tests whether the side to move, whose game is not over, wins within `plies`, an odd number.
    fn is_won(&mut self, position: &G, plies: u32) -> Option<bool> {
        let place = (position.key(), position.placement().clock());
        if self.failed.get(&place).is_some_and(|&failed| plies <= failed) {
            return Some(false);
        }
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play(mv);
            if self.is_lost(&next, plies - 1)? {
                return Some(true);
            }
        }
        if plies > 1 && self.failed.len() < REMEMBERED {
            self.failed.insert(place, plies);
        }
        Some(false)
    }

    /// Tests whether the side to move has lost, or loses within `plies`, an even number.
    fn is_lost(&mut self, position: &G, plies: u32) -> Option<bool> {
        self.worker.count_node(self.shared);
        if self.worker.should_stop(self.shared) || self.worker.nodes > self.last_node {
            return None;
        }
        if let Some(Outcome { winner, .. }) = end(position, &self.worker.past) {
            return Some(winner == Some(!position.to_move()));
        }
        if plies == 0 {
            return Some(false);
        }
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play(mv);
            let is_lost = match end(&next, &self.worker.past) {
                Some(Outcome { winner, .. }) => winner == Some(next.to_move()),
                None => self.is_won(&next, plies - 1)?,
            };
            if !is_lost {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Returns the end of the game. Only a third occurrence counts as a repetition: a shortest win
/// repeats no position anyway.
fn end<G: Game>(position: &G, past: &PastKeys) -> Option<Outcome> {
    let drawn =
        || past.is_third_occurrence(position.key()).then(|| Outcome::draw(Reason::Repetition));
    position.outcome().or_else(drawn)
}
