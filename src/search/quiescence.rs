//! The quiescence search: captures, promotions and gains until nothing hangs.

use super::params::QUIESCENCE_CHECK_PLIES;
use super::picker::{Checks, MovePicker};
use super::see;
use super::table::{Bound, TtWrite};
use super::value::{INFINITE, MAX_PLY, NONE, is_decisive};
use super::worker::{Shared, Worker};
use crate::games::Game;

impl<G: Game> Worker<G> {
    /// The value of a position when only tactical moves are played on, or all moves in
    /// check near its beginning. `quiet_ply` counts the plies since the main search ended.
    pub(super) fn quiescence(
        &mut self,
        position: &G,
        ply: usize,
        quiet_ply: i32,
        mut alpha: i32,
        beta: i32,
        shared: &Shared<'_>,
    ) -> i32 {
        if self.should_stop(shared) {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply);
        self.frames[ply].pv.clear();
        if let Some(value) = self.value_if_over(position, ply) {
            return value;
        }
        if let Some(value) = self.probe_endings(position, ply, shared) {
            return value;
        }
        let in_check = quiet_ply < QUIESCENCE_CHECK_PLIES && position.in_check();
        if ply >= MAX_PLY {
            return self.evaluate(position, ply);
        }

        let key = position.key();
        // Evaluated first: see `search`.
        let raw = if in_check {
            NONE
        } else {
            self.evaluate(position, ply)
        };
        let entry = self.probe(position, ply, shared);
        if beta - alpha == 1
            && let Some(value) = entry.and_then(|entry| entry.tt_cutoff(alpha, beta))
        {
            return value;
        }

        let alpha_before = alpha;
        let mut eval = NONE;
        let mut best = -INFINITE;
        if !in_check {
            eval = self.corrected(position, raw, ply);
            best = entry
                .and_then(|entry| entry.tt_cutoff(eval, eval))
                .unwrap_or(eval);
            if best >= beta {
                if entry.is_none() {
                    let found = TtWrite {
                        mv: None,
                        value: best,
                        depth: 0,
                        bound: Bound::Lower,
                        pv: false,
                    };
                    shared.table.store(key, ply, found);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        let tt_move = entry.and_then(|entry| entry.mv);
        let list = self.borrow_list();
        let mut picker = if in_check {
            MovePicker::all(tt_move, [None; 2], list)
        } else {
            MovePicker::tactical(tt_move, i32::from(G::EVEN_EXCHANGES_ARE_QUIET), list)
        };
        let checks = Checks::default();
        let mut best_move = None;
        let mut tried = 0;
        while let Some(mv) = picker.next(position, &self.hints(ply, &checks)) {
            tried += 1;
            shared.table.prefetch(position.likely_key_after(mv));
            if !in_check && !is_decisive(best) {
                // The best captures come first, and the deeper the fewer of them are
                // looked at, or crowded positions would never end.
                if tried > self.params.quiescence_moves(quiet_ply) {
                    break;
                }
                // Even with what it takes and more, the move does not reach alpha.
                let hoped = eval + self.params.delta_margin() + see::material_won(position, mv);
                if hoped <= alpha {
                    best = best.max(hoped);
                    continue;
                }
            } else if in_check && tried > 1 && !is_decisive(best) {
                // One move out of check was found that does not lose; quiet ones of the
                // rest are not looked at.
                if !position.is_tactical(mv) {
                    continue;
                }
            }
            let next = self.play(position, mv, ply, shared);
            let value = -self.quiescence(&next, ply + 1, quiet_ply + 1, -beta, -alpha, shared);
            self.take_back();
            if self.aborted {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if beta - alpha > 1 {
                        self.update_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        self.return_list(picker.into_list());
        if self.aborted {
            return 0;
        }
        if in_check && tried == 0 {
            return Self::value_without_moves(position, ply);
        }
        let bound = Bound::of(best, alpha_before, beta);
        let found = TtWrite {
            mv: best_move,
            value: best,
            depth: 0,
            bound,
            pv: entry.is_some_and(|entry| entry.pv),
        };
        shared.table.store(key, ply, found);
        best
    }
}
