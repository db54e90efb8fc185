//! Updates of histories and corrections at a node.

use super::history::PieceTo;
use super::node::{Node, NodeInfo, StaticEval};
use super::params;
use super::table::{Bound, TtEntry};
use super::value::is_decisive;
use super::worker::{Tried, Worker};
use crate::games::{Game, GameExt, Move};

impl<G: Game> Worker<G> {
    /// Learns the error of the evaluation where the search knows better and no capture explains it.
    pub(super) fn correct(&mut self, position: &G, ply: usize, info: &NodeInfo, found: &TtEntry) {
        let Some(StaticEval { eval, .. }) = info.eval else {
            return;
        };
        let known = match found.bound {
            Bound::Exact => true,
            Bound::Lower => found.value > eval,
            Bound::Upper => found.value < eval,
        };
        let is_tactical = |mv| position.is_tactical(mv);
        if !known || is_decisive(found.value) || found.mv.is_some_and(is_tactical) {
            return;
        }
        let before = self.before(ply);
        let difference = found.value - eval;
        self.corrections.update(position.placement(), before, found.depth, difference);
    }

    /// Rewards a quiet move of the table that cuts off a node, like one found here.
    pub(super) fn learn_from_table(&mut self, position: &G, entry: Option<TtEntry>, node: &Node) {
        let Some(entry) = entry else { return };
        if let Some(mv) = entry.mv
            && entry.value >= node.beta
            && position.placement().side(position.to_move()).has(mv.from())
            && !position.is_tactical(mv)
            && let Some(piece) = position.placement().at(mv.from())
        {
            let bonus = self.params.history_bonus(node.depth);
            self.histories.update_quiet(
                position.to_move(),
                PieceTo { piece, mv },
                self.before(node.ply),
                bonus,
            );
        }
    }

    /// Learns from the evaluation that a quiet move gained, as in Stockfish.
    pub(super) fn learn_from_evaluation(&mut self, position: &G, ply: usize) {
        let Some(above) = ply.checked_sub(1).map(|above| &self.frames[above]) else {
            return;
        };
        if let Some(moved) = above.moved
            && above.quiet
            && let Some(eval_above) = above.eval
            && let Some(eval) = self.frames[ply].eval
        {
            let gained = -(eval_above + eval);
            let bonus = self.params.evaluation_bonus(gained);
            self.histories.update_butterfly(!position.to_move(), moved.mv, bonus);
        }
    }

    /// Rewards the quiet move before a node that failed low, as in Stockfish.
    pub(super) fn reward_refutation(&mut self, position: &G, node: &Node) {
        let Some(above) = node.ply.checked_sub(1) else {
            return;
        };
        if let Some(moved) = self.frames[above].moved
            && self.frames[above].quiet
        {
            let bonus = self.params.refutation_bonus(node.depth);
            let before = self.before(above);
            self.histories.update_quiet(!position.to_move(), moved, before, bonus);
        }
    }

    /// Punishes the quiet move before a node that failed high, if it was one of the first of its
    /// node, as in Stockfish.
    pub(super) fn punish_refuted_early_move(&mut self, node: &Node) {
        let Some(above) = node.ply.checked_sub(1) else {
            return;
        };
        let frame = &self.frames[above];
        if let Some(moved) = frame.moved
            && frame.quiet
            && frame.number <= params::EARLY_MOVE
        {
            let malus = self.params.refuted_early_malus(node.depth);
            let before = self.before(above);
            self.histories.update_continuation(moved, before, -malus);
        }
    }

    /// Learns from the move that refuted a node.
    pub(super) fn remember_cutoff(&mut self, position: &G, node: &Node, mv: Move, tried: &[Tried]) {
        let Some(piece) = position.placement().at(mv.from()) else {
            return;
        };
        let best = PieceTo { piece, mv };
        let ply = node.ply;
        if !position.is_tactical(mv) {
            let killers = &mut self.frames[ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            let before = self.before(ply);
            let (side, bonus) = (position.to_move(), self.params.history_bonus(node.depth));
            self.histories.update_quiet(side, best, before, bonus);
            let quiets = tried.iter().filter(|tried| tried.captured.is_none());
            let maluses = self.params.quiet_maluses(node.depth);
            for (tried, malus) in quiets.zip(maluses) {
                self.histories.update_quiet(side, tried.moved, before, -malus);
            }
        } else if let Some((_, kind)) = position.victim(mv) {
            self.histories.update_capture(
                best,
                kind.index(),
                self.params.history_bonus(node.depth),
            );
        }
        for tried in tried {
            if let Some(kind) = tried.captured {
                self.histories.update_capture(
                    tried.moved,
                    kind,
                    -self.params.history_bonus(node.depth),
                );
            }
        }
    }
}
