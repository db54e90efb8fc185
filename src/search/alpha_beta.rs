//! The principal-variation search (T. Marsland and M. Campbell, "Parallel Search of Strongly
//! Ordered Game Trees", 1982) at one node: probe, prune before moves, loop, store. Pruning lives
//! in `pruning.rs`.

use super::history::PieceTo;
use super::node::{Candidate, MovePlan, Node, NodeInfo, Prune, QuietNode, StaticEval};
use super::params;
use super::picker::{Checks, MovePicker};
use super::table::{Bound, TtEntry};
use super::value::{DRAW, INFINITE, MATE_IN_MAX_PLY, is_decisive, mate_in, mated_in};
use super::worker::{Shared, Tried, Worker};
use crate::eval::LIMIT;
use crate::games::{Game, GameExt, Move};

#[derive(PartialEq, Eq)]
enum Extension {
    /// Plies to add; negative for a shallower search.
    Plies(i32),
    /// Not needed: the node has at least this value even without the move.
    Cut(i32),
}

impl<G: Game> Worker<G> {
    /// Returns the value of a position searched to `node.depth` plies: exact inside the window, a
    /// bound outside.
    pub(super) fn search(&mut self, position: &G, mut node: Node, shared: &Shared<'_>) -> i32 {
        if node.depth <= 0 {
            if let Some(leaf) = &mut self.leaf {
                leaf.offer(position);
            }
            let node = QuietNode::new(node.ply, node.alpha, node.beta);
            return self.quiescence(position, node, shared);
        }
        let ply = node.ply;
        if let Some(value) = self.value_without_search(position, ply, shared) {
            return value;
        }
        // Mate-distance pruning: no line from here beats a shorter win already found.
        node.alpha = node.alpha.max(mated_in(ply));
        node.beta = node.beta.min(mate_in(ply + 1));
        if node.alpha >= node.beta {
            return node.alpha;
        }

        let key = position.key();
        // The table's memory arrives meanwhile, so this costs little even where the table cuts off
        // the node.
        let raw = (!position.in_check()).then(|| self.evaluate(position, ply));
        let entry = Self::probe(position, ply, shared);
        if let Some(value) = cutoff(position, entry, &node) {
            self.learn_from_table(position, entry, &node);
            return value;
        }
        let info = self.assess(position, &node, entry, raw);
        self.frames[ply + 1].killers = [None; 2];
        self.frames[ply + 2].cutoffs = 0;

        if !node.is_pv()
            && shared.may_prune()
            && node.excluded.is_none()
            && let Some(eval) = info.eval
            && let Some(value) = self.prune_before_moves(position, &node, &info, eval, shared)
        {
            return value;
        }
        if self.aborted {
            return 0;
        }
        // Internal iterative reduction (E. Schröder, 2020): without a move from the table the
        // node is not worth its depth yet.
        if info.tt_move().is_none() && node.depth >= params::INTERNAL_REDUCTION_DEPTH {
            node.depth -= 1;
        }
        let alpha_before = node.alpha;
        let (mut best, mut best_move) = self.search_moves(position, &mut node, &info, shared);
        if self.aborted {
            return 0;
        }
        if node.excluded.is_none() {
            if let Some(entry) = entry.filter(TtEntry::is_proof) {
                // A proof in the table outweighs the result of this search. A draw by repetition
                // alone, which the table cannot know, is not overruled.
                if entry.value > best && entry.value > DRAW && self.leads_on(position, entry.mv) {
                    (best, best_move) = (entry.value, entry.mv);
                    // The line belongs to the value that the search found.
                    self.frames[ply].pv.clear();
                    self.frames[ply].pv.extend(best_move);
                } else if entry.value < best && entry.value < DRAW && best != DRAW {
                    best = entry.value;
                    self.frames[ply].pv.clear();
                }
            }
            let found = TtEntry {
                mv: best_move,
                value: best,
                depth: node.depth,
                bound: Bound::of(best, alpha_before, node.beta),
                pv: info.tt_pv,
            };
            self.correct(position, ply, &info, &found);
            if found.bound == Bound::Upper {
                self.reward_refutation(position, &node);
            }
            shared.table.store(key, ply, found);
        }
        best
    }

    /// Gathers the facts of a node before its moves are searched.
    fn assess(
        &mut self,
        position: &G,
        node: &Node,
        entry: Option<TtEntry>,
        raw: Option<i32>,
    ) -> NodeInfo {
        let ply = node.ply;
        let eval = raw.map(|raw| self.static_eval(position, raw, entry, ply));
        self.frames[ply].eval = eval.map(|known| known.eval);
        let tt_pv = if node.excluded.is_some() {
            self.frames[ply].tt_pv
        } else {
            node.is_pv() || entry.is_some_and(|entry| entry.pv)
        };
        self.frames[ply].tt_pv = tt_pv;
        if node.excluded.is_none() {
            self.learn_from_evaluation(position, ply);
        }
        let before = |plies| self.frames[ply.checked_sub(plies)?].eval;
        let last = before(2).or_else(|| before(4));
        NodeInfo {
            entry,
            eval,
            improving: eval.is_some_and(|known| last.is_none_or(|last| known.eval > last)),
            tt_pv,
        }
    }

    /// Searches the moves of a node and raises `node.alpha`. Returns the best value, and its move
    /// if it beat the first alpha.
    fn search_moves(
        &mut self,
        position: &G,
        node: &mut Node,
        info: &NodeInfo,
        shared: &Shared<'_>,
    ) -> (i32, Option<Move>) {
        let ply = node.ply;
        let tt_move = info.tt_move();
        let tt_move_is_tactical = tt_move.is_some_and(|mv| position.is_tactical(mv));
        let checks = Checks::default();
        let mut picker = MovePicker::all(tt_move, self.frames[ply].killers, self.borrow_list());
        let mut tried = std::mem::take(&mut self.frames[ply].tried);
        tried.clear();
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.hints(ply, &checks)) {
            if Some(mv) == node.excluded {
                continue;
            }
            number += 1;
            shared.table.prefetch(position.likely_key_after(mv));
            let Some(candidate) = self.candidate(position, ply, mv, number, &picker, &checks)
            else {
                continue;
            };
            if best > -MATE_IN_MAX_PLY && shared.may_prune() {
                match self.prune(position, node, info, &candidate) {
                    Prune::None => {}
                    Prune::Move => continue,
                    Prune::Quiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }
            let extension = match self.extension(position, node, info, &candidate, shared) {
                _ if self.aborted => break,
                Extension::Plies(plies) => plies,
                Extension::Cut(value) => {
                    (best, best_move) = (value, None);
                    // The stored value comes from a search of this depth.
                    node.depth = params::singular_depth(node.depth) + 1;
                    break;
                }
            };
            let reduction = self.late_move_reduction(node, info, &candidate, tt_move_is_tactical);
            let next = self.play(position, mv, ply, shared);
            self.frames[ply].number = number;
            self.frames[ply].quiet = !candidate.tactical;
            let plan = MovePlan { number, depth: node.depth - 1 + extension, reduction, best };
            let value = self.search_child(&next, node, plan, shared);
            self.take_back();
            if self.aborted {
                break;
            }
            if value > best {
                best = value;
                if value > node.alpha {
                    best_move = Some(mv);
                    if self.fails_high(position, node, mv, value, &tried) {
                        break;
                    }
                }
            }
            if !candidate.tactical || candidate.captured.is_some() {
                let (moved, captured) = (candidate.moved, candidate.captured);
                tried.push(Tried { moved, captured });
            }
        }
        self.frames[ply].tried = tried;
        self.return_list(picker.into_list());
        if number == 0 {
            best = match node.excluded {
                Some(_) => node.alpha,
                None => Self::value_without_moves(position, ply),
            };
        }
        (best, best_move)
    }

    /// Gathers the facts of a move before it is searched.
    #[inline]
    fn candidate(
        &self,
        position: &G,
        ply: usize,
        mv: Move,
        number: i32,
        picker: &MovePicker,
        checks: &Checks,
    ) -> Option<Candidate> {
        let piece = position.placement().at(mv.from())?;
        let moved = PieceTo { piece, mv };
        let tactical = position.is_tactical(mv);
        let captured = position.victim(mv).map(|(_, kind)| kind.index());
        // The first move is neither pruned nor reduced.
        let gives_check = number > 1 && checks.has(position, mv);
        let history = match picker.quiet_score() {
            Some(score) if !gives_check => score,
            _ => self.history(position, moved, tactical, captured, ply),
        };
        Some(Candidate {
            moved,
            number,
            tactical,
            captured,
            gives_check,
            losing: picker.is_at_losing_captures(),
            history,
        })
    }

    #[inline]
    fn extension(
        &mut self,
        position: &G,
        node: &Node,
        info: &NodeInfo,
        candidate: &Candidate,
        shared: &Shared<'_>,
    ) -> Extension {
        if let Some(entry) = info.entry
            && entry.mv == Some(candidate.moved.mv)
        {
            let extension = self.singularity(position, node, info, entry, shared);
            if extension != Extension::Plies(0) {
                return extension;
            }
        }
        Extension::Plies(self.check_extension(position, node, info, candidate))
    }

    /// Records a move better than alpha. Returns true if it reaches beta. If it only raises alpha,
    /// the moves after it are searched less deep, as in Stockfish.
    #[inline]
    fn fails_high(
        &mut self,
        position: &G,
        node: &mut Node,
        mv: Move,
        value: i32,
        tried: &[Tried],
    ) -> bool {
        if node.is_pv() {
            self.update_pv(node.ply, mv);
        }
        if value >= node.beta {
            self.frames[node.ply].cutoffs += 1;
            self.punish_refuted_early_move(node);
            self.remember_cutoff(position, node, mv, tried);
            return true;
        }
        node.alpha = value;
        if params::ALPHA_RAISED_DEPTHS.contains(&node.depth) && !is_decisive(value) {
            node.depth -= self.params.alpha_raised;
        }
        false
    }

    /// Tests whether the table's move is so much better than all others that it deserves a deeper
    /// search (T. Anantharaman, M. Campbell, F. Hsu, "Singular Extensions", 1988), or whether
    /// others are good enough too (multi-cut, Y. Björnsson and T. Marsland, 2001). Double and
    /// negative extensions are Stockfish's.
    fn singularity(
        &mut self,
        position: &G,
        node: &Node,
        info: &NodeInfo,
        entry: TtEntry,
        shared: &Shared<'_>,
    ) -> Extension {
        let expected = entry.value;
        if node.excluded.is_some()
            || node.depth < params::SINGULAR_DEPTH
            || entry.depth < node.depth - params::SINGULAR_SHALLOWER
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || is_decisive(expected)
            || !params::may_extend(node.ply, self.root_depth)
        {
            return Extension::Plies(0);
        }
        let beta = expected - self.params.singular_margin(node.depth);
        let scout = Node {
            ply: node.ply,
            depth: params::singular_depth(node.depth),
            alpha: beta - 1,
            beta,
            cut_node: node.cut_node,
            excluded: entry.mv,
        };
        let killers = self.frames[node.ply].killers;
        let value = self.search(position, scout, shared);
        self.frames[node.ply].killers = killers;
        if self.aborted {
            Extension::Plies(0)
        } else if value < beta {
            let margin = self.params.double_extension_margin(info.correction());
            let twice = !node.is_pv() && value < beta - margin;
            Extension::Plies(1 + i32::from(twice))
        } else if beta >= node.beta && !node.is_pv() {
            Extension::Cut(beta)
        } else {
            let reaches_beta = expected >= node.beta;
            let plies = (self.params).not_singular_extension(reaches_beta, node.cut_node);
            Extension::Plies(plies)
        }
    }

    /// Searches one move. The first has the full window. The others begin with a null window at a
    /// reduced depth, or one ply deeper. While they beat alpha they are searched again: at the full
    /// depth, then with the full window.
    pub(super) fn search_child(
        &mut self,
        next: &G,
        node: &Node,
        plan: MovePlan,
        shared: &Shared<'_>,
    ) -> i32 {
        let MovePlan { number, mut depth, reduction, best } = plan;
        if number == 1 {
            let mut child = node.child(depth);
            child.cut_node = !node.is_pv() && !node.cut_node;
            return -self.search(next, child, shared);
        }
        let mut value = 0;
        let mut needs_scout = true;
        if reduction != 0 && depth > 1 {
            let may_extend = params::may_extend(node.ply, self.root_depth);
            let deepest = depth + i32::from(may_extend);
            let reduced = (depth - reduction).clamp(1, deepest);
            value = -self.search(next, node.scout(reduced, true), shared);
            // A value much better than expected earns a deeper search, as in Stockfish.
            depth += i32::from(may_extend && value > best + self.params.deeper_margin(depth));
            needs_scout = value > node.alpha && reduced < depth;
        }
        if needs_scout && !self.aborted {
            value = -self.search(next, node.scout(depth, !node.cut_node), shared);
        }
        if node.is_pv() && value > node.alpha && !self.aborted {
            value = -self.search(next, node.child(depth), shared);
        }
        value
    }

    /// Returns the history score of a move: by its squares and the moves before if it is quiet, by
    /// the captured kind if it is a capture.
    #[inline]
    pub(super) fn history(
        &self,
        position: &G,
        moved: PieceTo,
        tactical: bool,
        captured: Option<usize>,
        ply: usize,
    ) -> i32 {
        match (tactical, captured) {
            (false, _) => self.histories.quiet(position.to_move(), moved, self.before(ply)),
            (true, Some(captured)) => self.histories.capture(moved, captured),
            (true, None) => 0,
        }
    }

    /// Returns the evaluation, corrected by its past errors in similar positions, and the best
    /// estimate of the value: the table's, if it bounds the true value on the right side.
    #[inline]
    pub(super) fn static_eval(
        &self,
        position: &G,
        raw: i32,
        entry: Option<TtEntry>,
        ply: usize,
    ) -> StaticEval {
        let correction = self.corrections.of(position.placement(), self.before(ply));
        let eval = (raw + correction).clamp(-LIMIT, LIMIT);
        let bound = entry.and_then(|entry| entry.tt_cutoff(eval, eval));
        StaticEval { eval, estimate: bound.unwrap_or(eval), correction: correction.abs() }
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

/// Returns the value of the table's entry if it cuts off a node.
#[inline]
fn cutoff<G: Game>(position: &G, entry: Option<TtEntry>, node: &Node) -> Option<i32> {
    let entry = entry?;
    let value = entry.tt_cutoff(node.alpha, node.beta)?;
    // The table does not know the clock: a near draw must be searched.
    let clock_is_far =
        || position.plies_left().is_none_or(|plies| plies > params::CLOCK_PLIES_SEARCHED);
    // A proof holds at every depth; inside an open window the line is wanted too.
    let is_proven = || {
        entry.is_proof()
            && (value > DRAW && value >= node.beta || value < DRAW && value <= node.alpha)
    };
    let is_deep = || !node.is_pv() && entry.depth >= node.depth && clock_is_far();
    (node.excluded.is_none() && (is_deep() || is_proven())).then_some(value)
}
