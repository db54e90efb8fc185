//! The quiescence search: captures, promotions and gains until nothing hangs (C. Shannon,
//! "Programming a Computer for Playing Chess", 1950: only quiescent positions are evaluated).

use super::node::{QuietNode, StaticEval};
use super::params::QUIESCENCE_CHECK_PLIES;
use super::picker::{Checks, MovePicker};
use super::see;
use super::table::{Bound, TtEntry};
use super::value::{INFINITE, is_decisive};
use super::worker::{Shared, Worker};
use crate::games::{Game, GameExt, Move};

/// The result of searching the moves of a node.
struct Searched {
    best: i32,
    best_move: Option<Move>,
    /// The number of moves tried.
    tried: i32,
}

impl<G: Game> Worker<G> {
    /// Returns the value of a position after tactical moves alone; in check near the beginning of
    /// quiescence, after all moves.
    pub(super) fn quiescence(
        &mut self,
        position: &G,
        mut node: QuietNode,
        shared: &Shared<'_>,
    ) -> i32 {
        let ply = node.ply;
        if let Some(value) = self.value_without_search(position, ply, shared) {
            return value;
        }
        let in_check = node.quiet_ply < QUIESCENCE_CHECK_PLIES && position.in_check();
        // On the principal variation a line may not stand pat in a game that is over.
        if node.is_pv() && !in_check && position.count_moves() == 0 {
            return Self::value_without_moves(position, ply);
        }
        // Evaluated before the table is probed: see `search`.
        let raw = (!in_check).then(|| self.evaluate(position, ply));
        let entry = Self::probe(position, ply, shared);
        if !node.is_pv()
            && let Some(value) = entry.and_then(|entry| entry.tt_cutoff(node.alpha, node.beta))
        {
            return value;
        }
        let mut found = TtEntry {
            mv: None,
            value: -INFINITE,
            depth: 0,
            bound: Bound::Lower,
            pv: entry.is_some_and(|entry| entry.pv),
        };
        let alpha_before = node.alpha;
        // The side to move may stand pat: take nothing.
        let eval = raw.map(|raw| self.static_eval(position, raw, entry, ply));
        if let Some(StaticEval { estimate, .. }) = eval {
            if estimate >= node.beta {
                if entry.is_none() {
                    found.value = estimate;
                    shared.table.store(position.key(), ply, found);
                }
                return estimate;
            }
            node.alpha = node.alpha.max(estimate);
        }
        let tt_move = entry.and_then(|entry| entry.mv);
        let searched = self.search_tactical(position, node, tt_move, eval, shared);
        if self.aborted {
            return 0;
        }
        if in_check && searched.tried == 0 {
            return Self::value_without_moves(position, ply);
        }
        found.mv = searched.best_move;
        found.value = searched.best;
        found.bound = Bound::of(searched.best, alpha_before, node.beta);
        shared.table.store(position.key(), ply, found);
        searched.best
    }

    /// Searches the tactical moves of a node, or all of them in check, where there is no
    /// evaluation.
    #[inline]
    fn search_tactical(
        &mut self,
        position: &G,
        mut node: QuietNode,
        tt_move: Option<Move>,
        eval: Option<StaticEval>,
        shared: &Shared<'_>,
    ) -> Searched {
        let ply = node.ply;
        let list = self.borrow_list();
        let mut picker = match eval {
            None => MovePicker::all(tt_move, [None; 2], list),
            Some(_) => MovePicker::tactical(tt_move, i32::from(G::EVEN_EXCHANGES_ARE_QUIET), list),
        };
        let checks = Checks::default();
        let mut best = eval.map_or(-INFINITE, |eval| eval.estimate);
        let mut best_move = None;
        let mut tried = 0;
        while let Some(mv) = picker.next(position, &self.hints(ply, &checks)) {
            tried += 1;
            shared.table.prefetch(position.likely_key_after(mv));
            if !is_decisive(best) {
                if let Some(StaticEval { eval, .. }) = eval {
                    // The best captures come first. Deeper nodes try fewer of them, or crowded
                    // positions would never end.
                    if tried > self.params.quiescence_moves(node.quiet_ply) {
                        break;
                    }
                    if let Some(hoped) = self.futile_value(position, mv, eval, node.alpha) {
                        best = best.max(hoped);
                        continue;
                    }
                } else if tried > 1 && !position.is_tactical(mv) {
                    // One move out of check does not lose: the remaining quiet ones are skipped.
                    continue;
                }
            }
            let next = self.play(position, mv, ply, shared);
            let value = -self.quiescence(&next, node.child(), shared);
            self.take_back();
            if self.aborted {
                break;
            }
            if value > best {
                best = value;
                if value > node.alpha {
                    best_move = Some(mv);
                    if node.is_pv() {
                        self.update_pv(ply, mv);
                    }
                    if value >= node.beta {
                        break;
                    }
                    node.alpha = value;
                }
            }
        }
        self.return_list(picker.into_list());
        Searched { best, best_move, tried }
    }

    /// Returns the evaluation plus the material won by a move and a margin, if that does not exceed
    /// alpha (delta pruning).
    #[inline]
    fn futile_value(&self, position: &G, mv: Move, eval: i32, alpha: i32) -> Option<i32> {
        let hoped = eval + self.params.delta + see::material_won(position, mv);
        (hoped <= alpha).then_some(hoped)
    }
}
