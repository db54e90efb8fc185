//! The value of a position that needs no search: the game is over or drawn, the ending is solved,
//! or the line is too long.

use super::value::{self, DRAW, MAX_PLY};
use super::worker::{Shared, Worker};
use crate::endings;
use crate::games::{Game, GameExt, Side};
use std::sync::atomic::Ordering::Relaxed;

impl<G: Game> Worker<G> {
    /// Enters a node. Returns its value if it needs no search, because the search ends, the game is
    /// over, the ending is solved or the line is too long.
    #[inline]
    pub(super) fn value_without_search(
        &mut self,
        position: &G,
        ply: usize,
        shared: &Shared<'_>,
    ) -> Option<i32> {
        if self.should_stop(shared) {
            return Some(0);
        }
        self.seldepth = self.seldepth.max(ply);
        self.frames[ply].pv.clear();
        if let Some(value) = self.value_if_over(position, ply) {
            return Some(value);
        }
        if let Some(value) = Self::probe_endings(position, ply, shared) {
            return Some(value);
        }
        (ply >= MAX_PLY).then(|| self.evaluate(position, ply))
    }

    /// Returns the value of a position where the game is over, or would be drawn if claimed. A
    /// position without moves is not detected here.
    #[inline]
    pub(super) fn value_if_over(&self, position: &G, ply: usize) -> Option<i32> {
        if let Some(outcome) = position.board_outcome() {
            return Some(Self::value_of(position, outcome.winner, ply));
        }
        // Positions before a null move do not count as repetitions.
        let plies = self.frames[ply].since_null as usize;
        if self.past.is_repetition(position.key(), ply, plies) {
            return Some(DRAW);
        }
        position.draw_reason()?;
        // A win or loss on the board comes before the draw.
        if position.in_check() && position.count_moves() == 0 {
            return Some(Self::value_without_moves(position, ply));
        }
        Some(DRAW)
    }

    /// Returns the value of a position whose side to move has no legal move.
    pub(super) fn value_without_moves(position: &G, ply: usize) -> i32 {
        Self::value_of(position, position.no_move_outcome().winner, ply)
    }

    pub(super) fn value_of(position: &G, winner: Option<Side>, ply: usize) -> i32 {
        match winner {
            None => DRAW,
            Some(side) if side == position.to_move() => value::mate_in(ply),
            Some(_) => value::mated_in(ply),
        }
    }

    /// Returns the value of a solved ending, unless the clock may forbid the win or loss or its end
    /// is too far away for a value.
    #[inline]
    pub(super) fn probe_endings(position: &G, ply: usize, shared: &Shared<'_>) -> Option<i32> {
        let endings = shared.endings?;
        if position.placement().occupied().count() > endings.most_pieces() {
            return None;
        }
        let known = endings.value(position)?;
        let value = match known {
            endings::Value::Drawn => DRAW,
            endings::Value::Won(plies) => value::mate_in(ply + usize::from(plies)),
            endings::Value::Lost(plies) => value::mated_in(ply + usize::from(plies)),
        };
        if let Some(plies) = known.plies()
            && (ply + usize::from(plies) >= MAX_PLY
                || position.plies_left().is_some_and(|left| u32::from(plies) > left))
        {
            return None;
        }
        shared.tbhits.fetch_add(1, Relaxed);
        Some(value)
    }
}
