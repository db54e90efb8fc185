//! Iterative deepening at the root.

use super::answer::{Answer, Line, SearchEvent};
use super::clock::TimeManager;
use super::node::{MovePlan, Node};
use super::params;
use super::table::Bound;
use super::value::{
    DRAW, INFINITE, MATE_IN_MAX_PLY, MAX_PLY, is_decisive, moves_to_mate, plies_to_end,
};
use super::vote::Ballot;
use super::worker::{RootMove, Shared, Worker};
use crate::endings::Value;
use crate::games::{Game, GameExt, Move};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The delay before the root move under way is reported.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// The position to search and the duties of its thread.
struct Root<'r, 's, G> {
    position: &'r G,
    shared: &'r Shared<'s>,
    /// True if a draw may be claimed: then every score is a draw.
    drawn: bool,
    /// The receiver of results; `None` in helpers.
    observer: Option<&'r mut dyn FnMut(SearchEvent<Move>)>,
}

impl<G> Root<'_, '_, G> {
    fn report(&mut self, event: SearchEvent<Move>) {
        if let Some(observer) = &mut self.observer {
            observer(event);
        }
    }
}

impl<G: Game> Worker<G> {
    /// Searches as the leading thread, which reports, until an answer is wanted.
    pub(super) fn lead(
        &mut self,
        position: &G,
        past_keys: &[u64],
        shared: &Shared<'_>,
        observer: &mut dyn FnMut(SearchEvent<Move>),
    ) {
        self.begin(position, past_keys, shared, 0);
        self.deepen(&mut Root {
            position,
            shared,
            drawn: self.is_drawn(position),
            observer: Some(observer),
        });
        shared.control.wait_until_answer_is_wanted();
    }

    /// Returns true if a draw may be claimed. Clients differ in when they claim one; a search of a
    /// drawn position gives a move and a drawn score.
    fn is_drawn(&self, position: &G) -> bool {
        position.draw_reason().is_some() || self.past.is_third_occurrence(position.key())
    }

    /// Returns this thread's vote; `None` without a legal move.
    pub(super) fn ballot(&self) -> Option<Ballot> {
        let best = self.root_moves.first()?;
        Some(Ballot { mv: best.mv, value: best.value, depth: self.completed_depth })
    }

    /// Returns the answer from this thread's results. A helper reports its line first.
    pub(super) fn answer(
        &self,
        position: &G,
        shared: &Shared<'_>,
        observer: &mut dyn FnMut(SearchEvent<Move>),
    ) -> Answer<Move> {
        let drawn = self.is_drawn(position);
        if self.index != 0 {
            let mut root = Root { position, shared, drawn, observer: Some(observer) };
            self.report(&mut root, 0, Bound::Exact);
        }
        let chosen = |best: &&RootMove| self.chosen.is_none_or(|mv| best.mv == mv);
        let Some(best) = self.root_moves.iter().find(chosen) else {
            return Answer { best: None, ponder: None, value: DRAW, nodes: shared.nodes() };
        };
        Answer {
            best: Some(best.mv),
            ponder: best.pv.get(1).copied().or_else(|| {
                let mut next = position.clone();
                next.play(best.mv);
                if next.outcome().is_none() { reply_from_table(&next, shared) } else { None }
            }),
            value: if drawn { DRAW } else { best.value },
            nodes: shared.nodes(),
        }
    }

    /// Searches as a helper, whose results are in the table and in its vote (Lazy SMP; D. Homan,
    /// 2013).
    pub(super) fn help(
        &mut self,
        position: &G,
        past_keys: &[u64],
        shared: &Shared<'_>,
        index: usize,
    ) {
        self.begin(position, past_keys, shared, index);
        self.deepen(&mut Root { position, shared, drawn: false, observer: None });
    }

    /// Runs iterative deepening (D. Slate and L. Atkin, "Chess 4.5", 1977).
    fn deepen(&mut self, root: &mut Root<'_, '_, G>) {
        let limits = root.shared.limits;
        let deepest = limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1) as i32;
        let moves = self.root_moves.len();
        if moves == 0 {
            return;
        }
        let reported = limits.multi_pv.clamp(1, moves);
        let skill = limits.skill;
        let deepest = skill.map_or(deepest, |skill| deepest.min(skill.depth() as i32));
        let lines = skill.map_or(reported, |skill| reported.max(skill.lines(moves)));
        let mut time = TimeManager::default();
        // The lines of the last whole iteration.
        let mut last: Vec<RootMove> = Vec::new();
        let mut mate_exists = false;
        // Helpers begin at different depths so that they do not all search the same tree.
        for depth in 1 + (self.index % 2) as i32..=deepest {
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.value;
            }
            for line in 0..lines {
                self.seldepth = 0;
                self.aspirate(root, line);
                if self.aborted {
                    if line == 0 {
                        self.mend_first_line(root.position, last.first());
                    }
                    self.report_what_was_reached(root, line.min(reported), &last);
                    return;
                }
                self.root_moves[..=line].sort_by_key(|root_move| -root_move.value);
            }
            for line in 0..reported {
                self.report(root, line, Bound::Exact);
            }
            self.chosen = skill.and_then(|skill| {
                let moves: Vec<_> =
                    self.root_moves.iter().map(|root| (root.value, root.mv)).collect();
                skill.choose(&moves, lines)
            });
            last = self.root_moves[..reported].to_vec();
            let best = &self.root_moves[0];
            self.completed_depth = depth;
            let share = best.nodes as f64 / self.nodes.max(1) as f64;
            time.note(best.mv, best.value, share);
            if self.index != 0 {
                continue;
            }
            if self.is_time_for_answer(depth, time.factor, root.shared) {
                return;
            }
            if let Some(moves) = limits.mate
                && !mate_exists
            {
                match self.can_force_win(root, moves, depth) {
                    Some(true) => mate_exists = true,
                    Some(false) => return root.report(SearchEvent::NoMate { moves }),
                    None if self.aborted => return,
                    None => {}
                }
            }
        }
    }

    /// Puts a better move first if an interrupted search had not tried every move. The first iteration
    /// may have missed a win with the next move, or know only losing moves: then the unsearched move with
    /// the best static evaluation counts. Later, a new loss is replaced by the result of the iteration
    /// before.
    fn mend_first_line(&mut self, position: &G, last: Option<&RootMove>) {
        let value = self.root_moves[0].value;
        let is_loss = value <= -MATE_IN_MAX_PLY;
        let better = match last {
            Some(last) if is_loss && value > -INFINITE && value < last.value => Some(last.clone()),
            Some(_) => None,
            None => (self.best_unsearched(position))
                .filter(|other| is_loss || other.value > value.max(MATE_IN_MAX_PLY)),
        };
        if let Some(better) = better {
            self.put(0, &better);
        }
    }

    /// Gives a root move a rank. The others keep their order.
    fn put(&mut self, rank: usize, root_move: &RootMove) {
        let place = (self.root_moves.iter()).position(|other| other.mv == root_move.mv);
        if let Some(place) = place.filter(|&place| place >= rank) {
            self.root_moves[rank..=place].rotate_right(1);
            self.root_moves[rank].clone_from(root_move);
        }
    }

    /// Returns the root move with the best static evaluation of those without a finished search.
    fn best_unsearched(&mut self, position: &G) -> Option<RootMove> {
        let moves: Vec<_> = (self.root_moves.iter().enumerate())
            .filter(|(_, root_move)| root_move.nodes == 0)
            .map(|(index, root_move)| (index, root_move.mv))
            .collect();
        let valued =
            moves.into_iter().map(|(index, mv)| (index, self.evaluate_after(position, mv)));
        let (index, value) =
            valued.max_by_key(|&(index, value)| (value, std::cmp::Reverse(index)))?;
        Some(RootMove { value, ..self.root_moves[index].clone() })
    }

    /// Sends the last report of an interrupted search: the best move may have changed, or there may
    /// have been no report at all. Of several lines all are sent, each move once: the finished ones and
    /// then, of the others, those of the iteration before.
    fn report_what_was_reached(
        &mut self,
        root: &mut Root<'_, '_, G>,
        finished: usize,
        last: &[RootMove],
    ) {
        let mut bound = Bound::Exact;
        if self.root_moves[0].value == -INFINITE {
            self.root_moves[0].value = self.root_moves[0].previous;
            match last {
                [] | [_] => return,
                [best, ..] if best.mv == self.root_moves[0].mv => {
                    self.root_moves[0].clone_from(best)
                }
                _ => bound = Bound::Lower,
            }
        }
        let mut lines = finished.max(1);
        for root_move in last {
            let is_listed = (self.root_moves[..lines].iter()).any(|line| line.mv == root_move.mv);
            if lines < last.len() && !is_listed {
                self.put(lines, root_move);
                lines += 1;
            }
        }
        self.report(root, 0, bound);
        for line in 1..lines {
            self.report(root, line, Bound::Exact);
        }
    }

    /// Searches one line with an aspiration window (G. Baudet, 1978) around its last value, widened
    /// until the value is inside.
    fn aspirate(&mut self, root: &mut Root<'_, '_, G>, line: usize) {
        let depth = self.root_depth;
        let last = self.root_moves[line].previous;
        let mut delta = self.params.aspiration;
        let (mut alpha, mut beta) = if depth >= params::ASPIRATION_DEPTH && last.abs() < INFINITE {
            ((last - delta).max(-INFINITE), (last + delta).min(INFINITE))
        } else {
            (-INFINITE, INFINITE)
        };
        loop {
            let best = self.root_moves[line].mv;
            let node = Node { ply: 0, depth, alpha, beta, cut_node: false, excluded: None };
            let value = self.search_root(root, node, line);
            // Stable: moves that only failed low keep their order.
            self.root_moves[line..].sort_by_key(|root_move| -root_move.value);
            if self.aborted {
                return;
            }
            let bound = if value <= alpha {
                self.root_moves[line].value = value;
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                Bound::Upper
            } else if value >= beta {
                beta = (value + delta).min(INFINITE);
                // The value to report if the search is interrupted now.
                self.root_moves[line].previous = value;
                Bound::Lower
            } else {
                Bound::Exact
            };
            if bound == Bound::Exact {
                return;
            }
            let long = root.shared.start.elapsed() >= CURRENT_MOVE_AFTER;
            // A new best move is reported at once: the search may be interrupted before its value
            // is known, and answer with it. One of several lines would stand in two ranks.
            let changed = self.root_moves[line].mv != best;
            if line == 0 && root.shared.limits.multi_pv == 1 && (changed || long) {
                self.report(root, line, bound);
            }
            delta = self.params.wider_aspiration_delta(delta);
            if delta > params::ASPIRATION_LIMIT {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Searches the root like [`Self::search`], with the moves in the order of their values and
    /// nothing pruned.
    fn search_root(&mut self, root: &mut Root<'_, '_, G>, mut node: Node, line: usize) -> i32 {
        let (position, shared) = (root.position, root.shared);
        self.frames[0].eval = (!position.in_check()).then(|| self.evaluate(position, 0));
        self.frames[1].killers = [None; 2];
        self.frames[2].cutoffs = 0;
        let mut best = -INFINITE;
        for root_move in &mut self.root_moves[line..] {
            root_move.value = root_move.proven;
            root_move.depth = node.depth;
            best = best.max(root_move.value);
        }
        for index in line..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            let number = (index - line) as i32 + 1;
            if let Some(observer) = &mut root.observer
                && shared.start.elapsed() >= CURRENT_MOVE_AFTER
            {
                observer(SearchEvent::CurrentMove {
                    depth: node.depth as u32,
                    mv,
                    number: index + 1,
                });
            }
            let tactical = position.is_tactical(mv);
            let reduction = if tactical || number < params::ROOT_REDUCTION_MOVE {
                0
            } else {
                let plies = self.reductions.of(node.depth, number) / params::REDUCTION_UNIT;
                (plies - params::ROOT_REDUCTION_LESS).max(0)
            };
            let nodes_before = self.nodes;
            let next = self.play(position, mv, 0, shared);
            self.frames[0].number = number;
            self.frames[0].quiet = !tactical;
            let plan = MovePlan { number, depth: node.depth - 1, reduction, best };
            // A leaf does not ask if its side can move.
            let value = match next.outcome().and_then(|outcome| outcome.winner) {
                Some(winner) => {
                    self.frames[1].pv.clear();
                    -Self::value_of(&next, Some(winner), 1)
                }
                None => self.search_child(&next, &node, plan, shared),
            };
            self.take_back();
            if self.aborted {
                return best;
            }
            self.root_moves[index].nodes += self.nodes - nodes_before;
            if value > node.alpha && value >= self.root_moves[index].proven {
                self.update_pv(0, mv);
                let root_move = &mut self.root_moves[index];
                root_move.value = value;
                if value >= MATE_IN_MAX_PLY {
                    root_move.proven = value;
                }
                root_move.seldepth = self.seldepth;
                root_move.pv.clone_from(&self.frames[0].pv);
            }
            best = best.max(value);
            if value >= node.beta {
                break;
            }
            node.alpha = node.alpha.max(value);
        }
        best
    }

    /// Returns true if the answer will not change, or another iteration is not worth its time.
    /// `factor` multiplies the planned time.
    fn is_time_for_answer(&self, depth: i32, factor: f64, shared: &Shared<'_>) -> bool {
        let value = self.root_moves[0].value;
        if let Some(moves) = shared.limits.mate
            && let Some(found) = moves_to_mate(value)
            && found > 0
            && found as u32 <= moves
        {
            return true;
        }
        if shared.limits.soft_nodes.is_some_and(|soft| shared.nodes() >= soft) {
            return true;
        }
        let Some(budget) = shared.limits.time else {
            return false;
        };
        let Some(elapsed) = shared.elapsed() else {
            return false;
        };
        if !budget.flexible {
            return elapsed >= budget.hard;
        }
        // The win or loss is settled, with some plies searched for a better one.
        let settled = self.solved
            || is_decisive(value) && depth > plies_to_end(value) as i32 + params::PLIES_BEYOND_MATE;
        let planned = budget.soft.mul_f64(factor).min(budget.hard);
        elapsed >= planned || self.root_moves.len() == 1 || settled
    }

    /// Tests whether a win in `moves` moves can be forced, if an iteration of `depth` plies is deep
    /// enough to ask. A reducing search that finds no win does not refute one; the proof may take
    /// no longer than the search has.
    fn can_force_win(&mut self, root: &Root<'_, '_, G>, moves: u32, depth: i32) -> Option<bool> {
        let plies = moves.saturating_mul(2).saturating_sub(1);
        if (depth as u32) < plies {
            return None;
        }
        self.can_force_mate(root.position, plies, self.nodes, root.shared)
    }

    /// Reports one line.
    fn report(&self, root: &mut Root<'_, '_, G>, line: usize, bound: Bound) {
        let (position, shared) = (root.position, root.shared);
        let Some(observer) = &mut root.observer else {
            return;
        };
        let root_move = &self.root_moves[line];
        let value = if root.drawn { DRAW } else { root_move.value };
        let mut pv = root_move.pv.clone();
        if is_decisive(value) && self.solved {
            Self::follow_endings(position, &mut pv, shared);
        }
        if is_decisive(value) && bound == Bound::Upper {
            // The moves belong to an earlier value, which this one refutes.
            pv.truncate(1);
        }
        if value == DRAW && pv.len() == 1 {
            pv.extend(self.reply_unless_drawn(position, root_move.mv, shared));
        }
        observer(SearchEvent::Line(Line {
            depth: root_move.depth as u32,
            seldepth: root_move.seldepth.max(1) as u32,
            multi_pv: line + 1,
            value,
            bound,
            nodes: shared.nodes(),
            time: shared.start.elapsed(),
            hashfull: shared.table.fullness(),
            tbhits: shared.tbhits.load(Relaxed),
            pv,
        }));
    }

    /// Continues a line through its solved ending to the end of the game.
    fn follow_endings(position: &G, pv: &mut Vec<Move>, shared: &Shared<'_>) {
        let mut position = position.clone();
        pv.iter().for_each(|&mv| position.play(mv));
        while let Some(value) = shared.solved(&position)
            && value.plies().is_some_and(|plies| plies > 0)
            && pv.len() < MAX_PLY
        {
            let us = position.to_move();
            let winner = if matches!(value, Value::Won(_)) { us } else { !us };
            let keeps_to_it = |&mv: &Move| {
                let mut next = position.clone();
                next.play(mv);
                match next.outcome() {
                    Some(outcome) => value.plies() == Some(1) && outcome.winner == Some(winner),
                    None => shared.solved(&next).map(Value::before) == Some(value),
                }
            };
            let Some(mv) = position.legal_moves().into_iter().find(keeps_to_it) else {
                return;
            };
            pv.push(mv);
            position.play(mv);
        }
    }

    /// Returns a reply to a root move that does not end the game. Some clients take a drawn score
    /// with a line of a single move for a draw on the board.
    fn reply_unless_drawn(&self, position: &G, mv: Move, shared: &Shared<'_>) -> Option<Move> {
        let mut next = position.clone();
        next.play(mv);
        if next.outcome().is_some() || self.past.is_third_occurrence(next.key()) {
            return None;
        }
        reply_from_table(&next, shared).or_else(|| next.legal_moves().first().copied())
    }
}

/// Returns the table's move in a position, if it is legal there.
fn reply_from_table<G: Game>(position: &G, shared: &Shared<'_>) -> Option<Move> {
    shared.table.probe(position.key(), 0)?.mv.filter(|&reply| position.is_legal(reply))
}

#[cfg(test)]
mod tests {
    use crate::games::{Game, GameExt};
    use crate::positions::{random_positions, test_all_games};
    use crate::search::value::MATE;
    use crate::search::{Limits, Resources, SearchEvent, Searcher, Table};
    use std::sync::Arc;

    /// However few nodes a search has, its answer has a value.
    fn an_answer_has_a_value<G: Game>() {
        let mut searcher = Searcher::<G>::default();
        let table = Arc::new(Table::new(1, 1));
        for (number, position) in random_positions::<G>(300).enumerate() {
            let limits = Limits { nodes: Some(1 + 7 * number as u64), ..Limits::default() };
            let resources = Resources::alone(&table);
            let answer = searcher.search(&position, &[], &[], &limits, &resources, &mut |_| {});
            assert!(answer.value.abs() <= MATE, "{}", position.fen());
        }
    }

    /// More nodes than see a win with the next move do not lose it, nor do fewer than one iteration has.
    fn a_win_with_the_next_move_is_played<G: Game>() {
        let wins = |position: &G| {
            position.legal_moves().iter().any(|&mv| {
                let mut next = position.clone();
                next.play(mv);
                let winner = next.outcome().and_then(|outcome| outcome.winner);
                winner == Some(position.to_move())
            })
        };
        let mut searcher = Searcher::<G>::default();
        let mut count = 0;
        for position in random_positions::<G>(20_000).filter(wins).take(40) {
            for nodes in (0..14).map(|power| 1 << power) {
                let table = Arc::new(Table::new(1, 1));
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let resources = Resources::alone(&table);
                let answer = searcher.search(&position, &[], &[], &limits, &resources, &mut |_| {});
                assert_eq!(answer.value, MATE - 1, "{}: {nodes} nodes", position.fen());
            }
            count += 1;
        }
        assert!(count > 5, "{count}");
    }

    /// With several threads too, the answer is the first move of the last line reported.
    fn an_answer_was_reported<G: Game>() {
        let mut searcher = Searcher::<G>::default();
        let table = Arc::new(Table::new(1, 1));
        let resources = Resources { threads: 4, ..Resources::alone(&table) };
        let limits = Limits { nodes: Some(2000), ..Limits::default() };
        for position in random_positions::<G>(100) {
            let mut last = None;
            let mut observe = |event| {
                if let SearchEvent::Line(line) = event {
                    last = line.pv.first().copied();
                }
            };
            let answer = searcher.search(&position, &[], &[], &limits, &resources, &mut observe);
            assert_eq!(last, answer.best, "{}", position.fen());
        }
    }

    test_all_games! {
        an_answer_has_a_value
        a_win_with_the_next_move_is_played
        an_answer_was_reported
    }
}
