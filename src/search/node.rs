//! The principal-variation search at one node: probe, prune before moves, loop, store.

use super::exchange;
use super::history::PieceTo;
use super::params;
use super::picker::Picker;
use super::table::{Bound, Entry};
use super::value::{INFINITE, MATE_BOUND, MAX_PLY, NONE, is_decisive, lost_in, won_in};
use super::worker::{Shared, Tried, Worker};
use crate::games::{Game, Move};

/// The window and the place of a node.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub ply: usize,
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    /// Whether this node is expected to fail high.
    pub cut: bool,
}

impl Node {
    /// Whether the window is open: the node may lie on the principal variation.
    #[inline(always)]
    pub fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The node below, with the full window.
    #[inline(always)]
    fn child(&self, depth: i32) -> Self {
        Self {
            ply: self.ply + 1,
            depth,
            alpha: -self.beta,
            beta: -self.alpha,
            cut: false,
        }
    }

    /// The node below, asked only whether it is better than alpha.
    #[inline(always)]
    fn scout(&self, depth: i32, cut: bool) -> Self {
        Self {
            ply: self.ply + 1,
            depth,
            alpha: -self.alpha - 1,
            beta: -self.alpha,
            cut,
        }
    }
}

impl<G: Game> Worker<G> {
    /// The value of a position to `node.depth` plies, exact inside the window, a bound
    /// outside.
    pub(super) fn search(&mut self, position: &G, mut node: Node, shared: &Shared<'_>) -> i32 {
        if node.depth <= 0 {
            return self.quiescence(position, node.ply, 0, node.alpha, node.beta, shared);
        }
        if self.should_stop(shared) {
            return 0;
        }
        let ply = node.ply;
        self.seldepth = self.seldepth.max(ply);
        self.frames[ply].pv.clear();
        if let Some(value) = self.value_if_over(position, ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate(position, ply);
        }
        // Mate-distance pruning: no line from here beats a shorter win already found.
        node.alpha = node.alpha.max(lost_in(ply));
        node.beta = node.beta.min(won_in(ply + 1));
        if node.alpha >= node.beta {
            return node.alpha;
        }

        let key = position.key();
        let entry = shared.table.probe(key);
        if let Some(value) = cutoff(entry, &node) {
            return value;
        }
        let table_move = entry.and_then(|entry| entry.mv);
        let in_check = position.in_check();
        let eval = self.static_eval(position, entry, in_check, ply);
        let improving = !in_check && ply >= 2 && {
            let before = self.frames[ply - 2].eval;
            before == NONE || eval > before
        };
        if ply + 1 < self.frames.len() {
            self.frames[ply + 1].killers = [None; 2];
        }

        if !node.is_pv()
            && !in_check
            && let Some(value) = self.prune_before_moves(position, &node, eval, improving, shared)
        {
            return value;
        }
        // Internal iterative reduction: without a move from the table the node is not
        // worth its depth yet.
        if table_move.is_none() && node.depth >= params::INTERNAL_REDUCTION_DEPTH {
            node.depth -= 1;
        }
        let alpha_before = node.alpha;
        let (best, best_move) = self.search_moves(
            position, &mut node, table_move, in_check, eval, improving, shared,
        );
        if self.aborted {
            return 0;
        }
        let bound = Bound::of(best, alpha_before, node.beta);
        shared
            .table
            .store(key, ply, best_move, best, eval, node.depth, bound);
        best
    }

    /// The static evaluation of a node, none in check.
    fn static_eval(
        &mut self,
        position: &G,
        entry: Option<Entry>,
        in_check: bool,
        ply: usize,
    ) -> i32 {
        let eval = match entry {
            _ if in_check => NONE,
            Some(entry) if entry.eval() != NONE => entry.eval(),
            _ => self.evaluate(position, ply),
        };
        self.frames[ply].eval = eval;
        eval
    }

    /// What makes it needless to look at the moves of a quiet node off the principal
    /// variation.
    fn prune_before_moves(
        &mut self,
        position: &G,
        node: &Node,
        eval: i32,
        improving: bool,
        shared: &Shared<'_>,
    ) -> Option<i32> {
        // Reverse futility: so far above beta that a quiet move will keep it there.
        if node.depth <= params::REVERSE_FUTILITY_DEPTH
            && !is_decisive(node.beta)
            && eval - params::reverse_futility_margin(node.depth, improving) >= node.beta
        {
            return Some(eval);
        }
        self.null_move(position, node, eval, shared)
    }

    /// Null move (C. Donninger, "Null Move and Deep Search", 1993): if even passing fails
    /// high, some move will. Only where the game has no zugzwang to fear.
    fn null_move(
        &mut self,
        position: &G,
        node: &Node,
        eval: i32,
        shared: &Shared<'_>,
    ) -> Option<i32> {
        let after_null = node.ply > 0 && self.frames[node.ply].since_null == 0;
        if node.depth < params::NULL_MOVE_DEPTH
            || eval < node.beta
            || after_null
            || is_decisive(node.beta)
            || !position.null_move_is_sound()
        {
            return None;
        }
        let reduction = params::null_move_reduction(node.depth, eval - node.beta);
        let next = self.pass(position, node.ply, shared);
        let scout = Node {
            ply: node.ply + 1,
            depth: node.depth - reduction,
            alpha: -node.beta,
            beta: 1 - node.beta,
            cut: !node.cut,
        };
        let value = -self.search(&next, scout, shared);
        self.take_back();
        // A win found after passing is not proven.
        (!self.aborted && value >= node.beta).then(|| value.min(MATE_BOUND - 1))
    }

    /// Searches the moves of a node. Raises `node.alpha`; returns the best value and the
    /// move behind it, if one was better than the first alpha.
    #[allow(clippy::too_many_arguments)]
    fn search_moves(
        &mut self,
        position: &G,
        node: &mut Node,
        table_move: Option<Move>,
        in_check: bool,
        eval: i32,
        improving: bool,
        shared: &Shared<'_>,
    ) -> (i32, Option<Move>) {
        let ply = node.ply;
        let mut picker = Picker::all(table_move, self.frames[ply].killers, self.borrow_list());
        let mut tried = std::mem::take(&mut self.frames[ply].tried);
        tried.clear();
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut number = 0;
        loop {
            let may_prune = best > -MATE_BOUND && !in_check;
            if may_prune && is_late(node, number + 1, eval, improving) {
                picker.skip_quiets();
            }
            let Some(mv) = picker.next(position, &self.hints(ply)) else {
                break;
            };
            number += 1;
            shared.table.prefetch(position.likely_key_after(mv));
            let tactical = position.is_tactical(mv);
            if may_prune
                && node.depth <= params::EXCHANGE_DEPTH
                && (!tactical || picker.is_at_losing_captures())
                && !exchange::is_at_least(
                    position,
                    mv,
                    params::exchange_margin(node.depth, tactical),
                )
            {
                continue;
            }
            let moved = position
                .placement()
                .at(mv.from())
                .map(|piece| PieceTo { piece, mv });
            let captured = position.victim(mv).map(|(_, kind)| kind.index());
            let reduction = self.reduction(position, node, mv, number, tactical, improving);

            let next = self.play(position, mv, ply, shared);
            let depth = node.depth - 1 + self.extension(&next, ply);
            let value = self.search_child(&next, node, depth, reduction, number, shared);
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
                        self.remember_cutoff(position, node, mv, &tried);
                        break;
                    }
                    node.alpha = value;
                }
            }
            if let Some(moved) = moved
                && (!tactical || captured.is_some())
            {
                tried.push(Tried { moved, captured });
            }
        }
        self.frames[ply].tried = tried;
        self.return_list(picker.into_list());
        if number == 0 {
            best = Self::value_without_moves(position, ply);
        }
        (best, best_move)
    }

    /// Principal-variation search of one move: the first with the full window, the others
    /// with a null window and reduced, again without what turned out too narrow.
    pub(super) fn search_child(
        &mut self,
        next: &G,
        node: &Node,
        depth: i32,
        reduction: i32,
        number: i32,
        shared: &Shared<'_>,
    ) -> i32 {
        if number == 1 {
            let mut child = node.child(depth);
            child.cut = !node.is_pv() && !node.cut;
            return -self.search(next, child, shared);
        }
        let mut value = 0;
        let mut needs_scout = true;
        if reduction > 0 && depth > 1 {
            let reduced = (depth - reduction).clamp(1, depth);
            value = -self.search(next, node.scout(reduced, true), shared);
            needs_scout = value > node.alpha && reduced < depth;
        }
        if needs_scout && !self.aborted {
            value = -self.search(next, node.scout(depth, !node.cut), shared);
        }
        if node.is_pv() && value > node.alpha && !self.aborted {
            value = -self.search(next, node.child(depth), shared);
        }
        value
    }

    /// By how many plies a move is extended: one if it gives check, unless the line is
    /// already twice as long as planned.
    #[inline]
    pub(super) fn extension(&self, next: &G, ply: usize) -> i32 {
        i32::from((ply as i32) < 2 * self.root_depth && next.in_check())
    }

    /// By how many plies a move is reduced.
    #[inline]
    pub(super) fn reduction(
        &self,
        position: &G,
        node: &Node,
        mv: Move,
        number: i32,
        tactical: bool,
        improving: bool,
    ) -> i32 {
        if node.depth < params::LATE_MOVE_REDUCTION_DEPTH
            || number < params::LATE_MOVE_REDUCTION_MOVE
        {
            return 0;
        }
        let mut reduction = self.reductions.of(node.depth, number) / 1024;
        if tactical {
            return reduction / 2;
        }
        reduction += i32::from(node.cut) + i32::from(!improving) - i32::from(node.is_pv());
        if let Some(piece) = position.placement().at(mv.from()) {
            let history = self.histories.quiet(
                position.to_move(),
                PieceTo { piece, mv },
                self.before(node.ply),
            );
            reduction -= history / params::HISTORY_PER_PLY;
        }
        reduction
    }

    /// Learns from the move that refuted a node.
    fn remember_cutoff(&mut self, position: &G, node: &Node, mv: Move, tried: &[Tried]) {
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
            let (side, bonus) = (position.to_move(), params::history_bonus(node.depth));
            self.histories.update_quiet(side, best, before, bonus);
            for tried in tried.iter().filter(|tried| tried.captured.is_none()) {
                self.histories
                    .update_quiet(side, tried.moved, before, -bonus);
            }
        } else if let Some((_, kind)) = position.victim(mv) {
            self.histories
                .update_capture(best, kind.index(), params::history_bonus(node.depth));
        }
        for tried in tried {
            if let Some(kind) = tried.captured {
                self.histories.update_capture(
                    tried.moved,
                    kind,
                    -params::history_bonus(node.depth),
                );
            }
        }
    }

    /// Puts a move before the best line of the child.
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let pv = &mut above[ply].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&below[0].pv);
    }
}

/// The value of the table's entry where it settles a node off the principal variation.
#[inline]
fn cutoff(entry: Option<Entry>, node: &Node) -> Option<i32> {
    let entry = entry.filter(|entry| !node.is_pv() && entry.depth >= node.depth)?;
    entry.settles(node.ply, node.alpha, node.beta)
}

/// Whether quiet moves of a node are no longer worth looking at: late-move pruning by
/// their number, futility by the evaluation.
#[inline]
fn is_late(node: &Node, number: i32, eval: i32, improving: bool) -> bool {
    !node.is_pv()
        && (node.depth <= params::LATE_MOVE_DEPTH
            && number > params::late_move_count(node.depth, improving)
            || node.depth <= params::FUTILITY_DEPTH
                && eval + params::futility_margin(node.depth) <= node.alpha)
}
