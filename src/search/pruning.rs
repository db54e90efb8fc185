//! Pruning and reductions: nodes cut before their moves are generated, moves cut before they are
//! played.

use super::history::PieceTo;
use super::node::{Candidate, Node, NodeInfo, Prune, QuietNode, StaticEval};
use super::params::{self, LmrContext};
use super::picker::{Checks, MovePicker};
use super::see;
use super::table::{Bound, TtEntry};
use super::value::{MATE_IN_MAX_PLY, is_decisive};
use super::worker::{Shared, Worker};
use crate::games::{Game, GameExt, Move};

impl<G: Game> Worker<G> {
    /// Returns the value of a quiet node off the principal variation, if its moves need not be
    /// searched.
    pub(super) fn prune_before_moves(
        &mut self,
        position: &G,
        node: &Node,
        info: &NodeInfo,
        eval: StaticEval,
        shared: &Shared<'_>,
    ) -> Option<i32> {
        let estimate = eval.estimate;
        // Razoring (J. Birmingham and P. Kent, 1977): only captures can help this far below alpha.
        if node.depth <= params::RAZORING_DEPTH
            && node.alpha.abs() < params::WINNING
            && estimate + self.params.razoring_margin(node.depth) <= node.alpha
        {
            let quiet = QuietNode::new(node.ply, node.alpha, node.alpha + 1);
            let value = self.quiescence(position, quiet, shared);
            if value <= node.alpha || self.aborted {
                return Some(value);
            }
        }
        // Reverse futility, also called static null move: this far above beta, some quiet move will
        // stay there.
        let margin =
            (self.params).reverse_futility_margin(node.depth, info.improving, eval.correction);
        if node.depth <= params::REVERSE_FUTILITY_DEPTH
            && !info.tt_pv
            && !is_decisive(node.beta)
            && !is_decisive(estimate)
            && estimate - margin >= node.beta
        {
            return Some((estimate + node.beta) / 2);
        }
        let value = self.null_move(position, node, eval, shared);
        if value.is_some() || self.aborted {
            return value;
        }
        self.probcut(position, node, info, eval.eval, shared)
    }

    /// Tries a null move (C. Donninger, "Null Move and Deep Search", 1993): if even passing fails
    /// high, some move will. Used only where the game has no zugzwang to fear. A deep cut-off is
    /// verified (O. David-Tabibi and N. Netanyahu, "Verified Null-Move Pruning", 2002) by a search
    /// without null moves for some plies, as in Stockfish.
    fn null_move(
        &mut self,
        position: &G,
        node: &Node,
        eval: StaticEval,
        shared: &Shared<'_>,
    ) -> Option<i32> {
        let after_null = node.ply > 0 && self.frames[node.ply].since_null == 0;
        if node.depth < params::NULL_MOVE_DEPTH
            || eval.estimate < node.beta
            || eval.eval < node.beta - self.params.null_move_slack(node.depth)
            || after_null
            || node.ply < self.null_from_ply
            || is_decisive(node.beta)
            || !position.null_move_is_sound()
        {
            return None;
        }
        let reduction = self.params.null_move_reduction(node.depth, eval.estimate - node.beta);
        let next = self.pass(position, node.ply, shared);
        let depth = node.depth - reduction;
        let value = -self.search(&next, node.null_window_child(node.beta, depth), shared);
        self.take_back();
        if self.aborted || value < node.beta {
            return None;
        }
        // A win found after passing is not proven.
        let value = value.min(MATE_IN_MAX_PLY - 1);
        if node.depth < params::NULL_MOVE_VERIFICATION_DEPTH || self.null_from_ply > 0 {
            return Some(value);
        }
        self.null_from_ply = node.ply + params::plies_without_null_move(depth);
        let scout = Node { depth, alpha: node.beta - 1, cut_node: false, ..*node };
        let verified = self.search(position, scout, shared);
        self.null_from_ply = 0;
        (!self.aborted && verified >= node.beta).then_some(value)
    }

    /// Tries ProbCut (M. Buro, 1995, as engines do it): a capture that beats beta by a margin in a
    /// shallow search will beat beta in a deep one.
    fn probcut(
        &mut self,
        position: &G,
        node: &Node,
        info: &NodeInfo,
        eval: i32,
        shared: &Shared<'_>,
    ) -> Option<i32> {
        let beta = node.beta + self.params.probcut_margin(info.improving);
        let depth = node.depth - params::PROBCUT_REDUCTION;
        if node.depth < params::PROBCUT_DEPTH
            || is_decisive(node.beta)
            || is_decisive(beta)
            || info.entry.is_some_and(|entry| entry.depth > depth && entry.value < beta)
        {
            return None;
        }
        let ply = node.ply;
        let threshold = beta - eval;
        let mut picker = MovePicker::tactical(info.tt_move(), threshold, self.borrow_list());
        let checks = Checks::default();
        let mut found = None;
        while let Some(mv) = picker.next(position, &self.hints(ply, &checks)) {
            shared.table.prefetch(position.likely_key_after(mv));
            let next = self.play(position, mv, ply, shared);
            let quiet = QuietNode::new(ply + 1, -beta, 1 - beta);
            let mut value = -self.quiescence(&next, quiet, shared);
            if value >= beta && depth > 0 && !self.aborted {
                value = -self.search(&next, node.null_window_child(beta, depth), shared);
            }
            self.take_back();
            if self.aborted {
                break;
            }
            if value >= beta {
                found = Some((mv, value));
                break;
            }
        }
        self.return_list(picker.into_list());
        let (mv, value) = found?;
        let found =
            TtEntry { mv: Some(mv), value, depth: depth + 1, bound: Bound::Lower, pv: info.tt_pv };
        shared.table.store(position.key(), ply, found);
        Some(value)
    }

    /// Decides what to prune before a move with this depth left. Late-move pruning (Stockfish's
    /// move-count pruning) and futility (E. Heinz, "Extended Futility Pruning", 1998) skip the
    /// quiet moves that follow too; history and exchanges rule out single moves, as in Stockfish.
    #[inline]
    pub(super) fn prune(
        &self,
        position: &G,
        node: &Node,
        info: &NodeInfo,
        candidate: &Candidate,
    ) -> Prune {
        let Some(StaticEval { eval, .. }) = info.eval else {
            return Prune::None;
        };
        let &Candidate {
            moved: PieceTo { mv, .. },
            number,
            tactical,
            gives_check,
            losing,
            history,
            ..
        } = candidate;
        let reduced =
            node.depth - 1 - self.reductions.of(node.depth, number) / params::REDUCTION_UNIT;
        let depth = (reduced + history / self.params.history_per_ply).max(0);
        let hopeless = if gives_check {
            false
        } else if tactical {
            depth <= params::CAPTURE_FUTILITY_DEPTH
                && self.hoped_from(position, mv, depth, eval) <= node.alpha
        } else if !node.is_pv() && self.is_late(node, info, eval, number, depth) {
            return Prune::Quiets;
        } else {
            depth <= params::HISTORY_PRUNING_DEPTH
                && history < self.params.history_pruning_margin(node.depth)
        };
        let at_risk = !tactical || losing;
        let margin = self.params.see_margin(node.depth, depth, tactical || gives_check);
        if hopeless
            || at_risk && node.depth <= params::SEE_DEPTH && !see::see_ge(position, mv, margin)
        {
            Prune::Move
        } else {
            Prune::None
        }
    }

    /// Returns the extension of a check, which finds mates: one ply if the check loses nothing, unless
    /// the evaluation shows that no side is far ahead. A node in check has no evaluation.
    #[inline]
    pub(super) fn check_extension(
        &self,
        position: &G,
        node: &Node,
        info: &NodeInfo,
        candidate: &Candidate,
    ) -> i32 {
        let extends = candidate.gives_check
            && info.far_ahead() != Some(false)
            && params::may_extend(node.ply, self.root_depth)
            && see::see_ge(position, candidate.moved.mv, 0);
        i32::from(extends)
    }

    /// Returns the reduction of a late move's first search (T. Romstad, "An Introduction to Late
    /// Move Reductions", 2006). It may be negative and extend the search, but not where a side is far
    /// ahead: a ply more for quiet moves delays the mates.
    #[inline]
    pub(super) fn late_move_reduction(
        &self,
        node: &Node,
        info: &NodeInfo,
        candidate: &Candidate,
        tt_move_is_tactical: bool,
    ) -> i32 {
        if node.depth < params::LATE_MOVE_REDUCTION_DEPTH
            || candidate.number < params::LATE_MOVE_REDUCTION_MOVE
        {
            return 0;
        }
        let reduction = self.reductions.of(node.depth, candidate.number)
            + self.params.lmr_adjustment(&LmrContext {
                improving: info.improving,
                cut_node: node.cut_node,
                pv: node.is_pv(),
                tt_pv: info.tt_pv,
                tt_move_is_tactical,
                many_cutoffs: self.frames[node.ply + 1].cutoffs > params::MANY_CUTOFFS,
                gives_check: candidate.gives_check,
                wants_shorter_win: node.beta >= MATE_IN_MAX_PLY,
                correction: info.correction(),
                history: candidate.history,
            });
        let plies = (self.params).reduction_plies(reduction, candidate.tactical);
        if info.far_ahead() == Some(true) { plies.max(0) } else { plies }
    }

    /// Returns the greatest value that a capture or promotion may reach with little depth left.
    fn hoped_from(&self, position: &G, mv: Move, depth: i32, eval: i32) -> i32 {
        eval + self.params.capture_futility_margin(depth) + see::material_won(position, mv)
    }

    /// Returns true if the remaining quiet moves are not worth searching: late-move pruning by
    /// their number, futility by the evaluation and the `depth` left to a reduced move.
    #[inline]
    fn is_late(&self, node: &Node, info: &NodeInfo, eval: i32, number: i32, depth: i32) -> bool {
        node.depth <= params::LATE_MOVE_DEPTH
            && number > self.params.late_move_count(node.depth, info.improving)
            || depth <= params::FUTILITY_DEPTH
                && eval + self.params.futility_margin(depth) <= node.alpha
    }
}
