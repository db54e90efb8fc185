//! One thread of the search: what it owns and what all threads share.

use super::clock::time_of_nodes;
use super::control::Control;
use super::correction::Corrections;
use super::history::{Histories, PieceTo};
use super::leaf::LeafSample;
use super::limits::{Limits, Resources};
use super::params::{Params, toward_draw};
use super::picker::{Checks, Hints, MoveList};
use super::repetition::PastKeys;
use super::table::{Table, TtEntry};
use super::value::{self, DRAW, MAX_PLY, is_decisive};
use crate::endings::{self, Endings};
use crate::eval::{Evaluator, Network};
use crate::games::{Game, GameExt, Move};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Nodes of a thread between two readings of the clock.
const CLOCK_INTERVAL: u64 = 512;

/// Nodes of a helper between two counts of the nodes of all threads.
const NODES_INTERVAL: u64 = 64;

/// A node counter on a cache line of its own.
#[repr(align(128))]
#[derive(Default)]
struct Counter(AtomicU64);

/// The shared state of one search.
pub(super) struct Shared<'s> {
    pub table: &'s Table,
    pub limits: &'s Limits,
    /// The only moves to consider at the root; all if empty.
    only: &'s [Move],
    network: Option<&'s Arc<Network>>,
    pub start: Instant,
    nodes_per_milli: Option<u64>,
    pub control: &'s Control,
    finished: AtomicBool,
    counters: Vec<Counter>,
    pub endings: Option<&'s Endings>,
    /// The number of positions settled by a solved ending.
    pub tbhits: AtomicU64,
}

impl<'s> Shared<'s> {
    pub(super) fn new(
        resources: &'s Resources,
        limits: &'s Limits,
        only: &'s [Move],
        network: Option<&'s Arc<Network>>,
    ) -> Self {
        Self {
            table: &resources.table,
            limits,
            only,
            network,
            start: Instant::now(),
            nodes_per_milli: resources.nodes_per_milli,
            control: &resources.control,
            finished: AtomicBool::new(false),
            counters: (0..resources.threads.max(1)).map(|_| Counter::default()).collect(),
            endings: resources.endings.as_deref(),
            tbhits: AtomicU64::new(0),
        }
    }

    /// Returns true if moves and nodes may be pruned by evaluation: not in the search for a win in
    /// a number of moves, which may begin with a sacrifice.
    #[inline]
    pub(super) fn may_prune(&self) -> bool {
        self.limits.mate.is_none()
    }

    /// Ends all threads.
    pub(super) fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Returns the value of a position from the solved endings.
    pub(super) fn solved<G: Game>(&self, position: &G) -> Option<endings::Value> {
        self.endings?.value(position)
    }

    /// Returns the nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// Returns the time that counts against the budget; `None` while the clock does not run.
    pub(super) fn elapsed(&self) -> Option<Duration> {
        let since = self.control.running_since()?;
        Some(match self.nodes_per_milli {
            None => since.elapsed(),
            Some(nodes) => time_of_nodes(self.nodes(), nodes),
        })
    }
}

/// Facts of a node for its children and its grandparent.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// The static evaluation; `None` in check.
    pub eval: Option<i32>,
    /// The move that is being searched; `None` for a null move.
    pub moved: Option<PieceTo>,
    /// The number of that move in its node, from 1.
    pub number: i32,
    /// True if that move is quiet.
    pub quiet: bool,
    /// Quiet moves that cut off at this ply (S. Akl and M. Newborn, "The Principal Continuation and
    /// the Killer Heuristic", 1977).
    pub killers: [Option<Move>; 2],
    /// True if the position lies or lay on a principal variation.
    pub tt_pv: bool,
    /// The number of positions at this ply that failed high since the one two plies above was
    /// entered (Stockfish's `cutoffCnt`).
    pub cutoffs: u32,
    /// Plies since the last null move.
    pub since_null: u32,
    pub pv: Vec<Move>,
    /// The moves tried so far, which are punished when another causes a cut-off.
    pub tried: Vec<Tried>,
}

/// A quiet move or a capture that did not cause a cut-off.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub moved: PieceTo,
    /// The index of the kind captured.
    pub captured: Option<usize>,
}

/// Late-move reductions by depth and move number.
pub(super) struct LmrTable([[i32; 64]; 64]);

impl LmrTable {
    fn new(params: &Params) -> Self {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate() {
            for (number, entry) in row.iter_mut().enumerate() {
                *entry = params.late_move_reduction(depth, number);
            }
        }
        Self(table)
    }

    /// Returns a reduction in 1024ths of a ply.
    #[inline]
    pub(super) fn of(&self, depth: i32, number: i32) -> i32 {
        self.0[depth.clamp(0, 63) as usize][number.clamp(0, 63) as usize]
    }
}

/// A root move and its results.
#[derive(Clone)]
pub(super) struct RootMove {
    pub mv: Move,
    /// From the current iteration; minus infinity if it only failed low.
    pub value: i32,
    /// The value of the shortest win found, which stays proven; minus infinity if there is none.
    pub proven: i32,
    /// From the iteration before.
    pub previous: i32,
    /// The depth of the iteration of `value`, in plies.
    pub depth: i32,
    pub seldepth: usize,
    /// Nodes below the move since the search began; 0 until its first search is finished.
    pub nodes: u64,
    pub pv: Vec<Move>,
}

/// One thread of the search.
pub(super) struct Worker<G> {
    pub histories: Histories,
    pub corrections: Arc<Corrections>,
    pub frames: Vec<Frame>,
    pub past: PastKeys,
    pub root_moves: Vec<RootMove>,
    /// The move to play below full strength, not always the best.
    pub chosen: Option<Move>,
    /// The depth of the current iteration.
    pub root_depth: i32,
    /// The depth of the last whole iteration; 0 before it.
    pub completed_depth: i32,
    pub seldepth: usize,
    pub params: Params,
    pub reductions: LmrTable,
    /// The ply from which passing is allowed again while a null move is verified.
    pub null_from_ply: usize,
    /// Nodes of this thread.
    pub nodes: u64,
    /// 0 for the thread that leads.
    pub index: usize,
    /// True if a solved ending decides the root.
    pub solved: bool,
    /// True once the search is interrupted: values returned are then meaningless.
    pub aborted: bool,
    /// A leaf is drawn where somebody wants one.
    pub leaf: Option<LeafSample<G>>,
    evaluator: Evaluator,
    lists: Vec<MoveList>,
    game: std::marker::PhantomData<G>,
}

impl<G: Game> Worker<G> {
    pub(super) fn new(params: Params, corrections: &Arc<Corrections>) -> Self {
        Self {
            histories: Histories::new(),
            corrections: Arc::clone(corrections),
            null_from_ply: 0,
            frames: vec![Frame::default(); MAX_PLY + 4],
            past: PastKeys::new(),
            root_moves: Vec::new(),
            chosen: None,
            root_depth: 0,
            completed_depth: 0,
            seldepth: 0,
            reductions: LmrTable::new(&params),
            params,
            nodes: 0,
            index: 0,
            solved: false,
            aborted: false,
            leaf: None,
            evaluator: Evaluator::new::<G>(None, MAX_PLY + 4),
            lists: Vec::new(),
            game: std::marker::PhantomData,
        }
    }

    /// Prepares for a search.
    pub(super) fn begin(
        &mut self,
        position: &G,
        past_keys: &[u64],
        shared: &Shared<'_>,
        index: usize,
    ) {
        self.index = index;
        self.nodes = 0;
        self.null_from_ply = 0;
        self.aborted = false;
        self.chosen = None;
        self.completed_depth = 0;
        if !self.evaluator.uses(shared.network) {
            self.evaluator = Evaluator::new::<G>(shared.network.cloned(), MAX_PLY + 4);
        }
        self.evaluator.invalidate(0);
        self.past.set(past_keys);
        for frame in &mut self.frames {
            frame.killers = [None; 2];
            frame.moved = None;
            frame.quiet = false;
            frame.tt_pv = false;
            frame.cutoffs = 0;
            frame.since_null = u32::MAX / 2;
        }
        self.root_moves = position
            .legal_moves()
            .into_iter()
            .filter(|mv| shared.only.is_empty() || shared.only.contains(mv))
            .map(|mv| RootMove {
                mv,
                value: -value::INFINITE,
                proven: -value::INFINITE,
                previous: -value::INFINITE,
                depth: 0,
                seldepth: 0,
                nodes: 0,
                pv: vec![mv],
            })
            .collect();
        self.solved = (Self::probe_endings(position, 0, shared)).is_some_and(is_decisive);
        // A win that an earlier search has proven.
        if let Some(entry) = Self::probe(position, 0, shared)
            && entry.is_proof()
            && entry.value > DRAW
            && self.leads_on(position, entry.mv)
            && let Some(root) = (self.root_moves.iter_mut()).find(|root| Some(root.mv) == entry.mv)
        {
            root.proven = entry.value;
        }
    }

    /// Returns true once a client stops the search, another thread has ended it, or a limit is
    /// reached. Checked at every node.
    #[inline]
    pub(super) fn should_stop(&mut self, shared: &Shared<'_>) -> bool {
        if self.aborted {
            return true;
        }
        self.aborted = shared.control.is_stopped() || shared.finished.load(Relaxed);
        // Every thread enforces the limits: with more threads than cores the leading one may wait
        // for its turn while they are reached.
        if let Some(limit) = shared.limits.nodes {
            let reached = if shared.counters.len() == 1 {
                self.nodes >= limit
            } else {
                let looks = self.index == 0 || self.nodes.is_multiple_of(NODES_INTERVAL);
                looks && shared.nodes() >= limit
            };
            if reached {
                self.aborted = true;
                shared.finish();
            }
        }
        if self.nodes.is_multiple_of(CLOCK_INTERVAL)
            && let Some(budget) = shared.limits.time
            && shared.elapsed().is_some_and(|elapsed| elapsed >= budget.hard)
        {
            self.aborted = true;
            shared.finish();
        }
        self.aborted
    }

    /// Plays a move and returns the position after it. Every call is paired with
    /// [`Self::take_back`]. The main search sets [`Frame::number`] and [`Frame::quiet`] afterwards.
    #[inline]
    pub(super) fn play(&mut self, position: &G, mv: Move, ply: usize, shared: &Shared<'_>) -> G {
        let moved = position.placement().at(mv.from()).map(|piece| PieceTo { piece, mv });
        self.frames[ply].moved = moved;
        self.frames[ply].quiet = false;
        self.frames[ply + 1].since_null = self.frames[ply].since_null.saturating_add(1);
        let mut next = position.clone();
        next.play(mv);
        self.enter(position, ply, shared);
        next
    }

    /// Plays a null move. Paired with [`Self::take_back`] too.
    pub(super) fn pass(&mut self, position: &G, ply: usize, shared: &Shared<'_>) -> G {
        self.frames[ply].moved = None;
        self.frames[ply].quiet = false;
        self.frames[ply + 1].since_null = 0;
        let mut next = position.clone();
        next.pass();
        shared.table.prefetch(next.key());
        self.enter(position, ply, shared);
        next
    }

    #[inline]
    fn enter(&mut self, position: &G, ply: usize, shared: &Shared<'_>) {
        self.evaluator.invalidate(ply + 1);
        self.past.push(position.key());
        self.count_node(shared);
    }

    #[inline]
    pub(super) fn count_node(&mut self, shared: &Shared<'_>) {
        self.nodes += 1;
        if let Some(counter) = shared.counters.get(self.index) {
            counter.0.store(self.nodes, Relaxed);
        }
    }

    /// Returns the static evaluation of the position at `ply`.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &G, ply: usize) -> i32 {
        let eval = self.evaluator.evaluate(position, ply);
        match (position.plies_left(), G::CLOCK_LIMIT) {
            (Some(plies), Some(limit)) => toward_draw(eval, plies, limit),
            _ => eval,
        }
    }

    /// Returns the static evaluation of the position after a root move, for the side that plays it.
    pub(super) fn evaluate_after(&mut self, position: &G, mv: Move) -> i32 {
        let mut next = position.clone();
        next.play(mv);
        match next.outcome() {
            Some(outcome) => -Self::value_of(&next, outcome.winner, 1),
            None => {
                self.evaluator.invalidate(1);
                -self.evaluate(&next, 1)
            }
        }
    }

    /// Returns the table's entry for the position at `ply`, without a value if the clock forbids
    /// its win or loss.
    #[inline]
    pub(super) fn probe(position: &G, ply: usize, shared: &Shared<'_>) -> Option<TtEntry> {
        let entry = shared.table.probe(position.key(), ply)?;
        let comes_too_late = value::is_decisive(entry.value)
            && position
                .plies_left()
                .is_some_and(|plies| value::plies_to_end(entry.value) > ply + plies as usize);
        Some(if comes_too_late { entry.without_value() } else { entry })
    }

    /// Leaves the position reached by [`Self::play`] or [`Self::pass`].
    #[inline]
    pub(super) fn take_back(&mut self) {
        self.past.pop();
    }

    /// Returns the data by which the move picker orders moves.
    #[inline]
    pub(super) fn hints<'h>(&'h self, ply: usize, checks: &'h Checks) -> Hints<'h> {
        Hints {
            histories: &self.histories,
            before: self.before(ply),
            checks,
            check_margin: -self.params.check_margin,
        }
    }

    /// Returns the moves one, two and four plies before.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> [Option<PieceTo>; 3] {
        [1, 2, 4].map(|plies| {
            let ply = ply.checked_sub(plies)?;
            self.frames[ply].moved
        })
    }

    /// Lends a list to a picker, to be given back by [`Self::return_list`].
    #[inline]
    pub(super) fn borrow_list(&mut self) -> MoveList {
        self.lists.pop().unwrap_or_default()
    }

    #[inline]
    pub(super) fn return_list(&mut self, list: MoveList) {
        self.lists.push(list);
    }

    /// Returns true if a move is legal and does not repeat an earlier position.
    pub(super) fn leads_on(&self, position: &G, mv: Option<Move>) -> bool {
        mv.is_some_and(|mv| {
            let mut next = position.clone();
            position.is_legal(mv) && {
                next.play(mv);
                self.past.count(next.key()) == 0
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Gothic;
    use crate::search::{Budget, Searcher};

    /// More threads than most machines have cores.
    const THREADS: usize = 128;

    #[test]
    fn many_threads_keep_to_the_limits() {
        let table = Arc::new(Table::new(1, 1));
        let mut searcher = Searcher::<Gothic>::default();
        searcher.prepare(THREADS);
        let mut search = |limits: Limits| {
            let resources = Resources { threads: THREADS, ..Resources::alone(&table) };
            searcher.search(&Gothic::start(), &[], &[], &limits, &resources, &mut |_| {})
        };
        let answer = search(Limits { nodes: Some(20_000), ..Limits::default() });
        assert!(answer.nodes < 100_000, "{} nodes", answer.nodes);
        // Nodes that no machine searches in this time.
        let most = 1_000_000_000;
        let answer = search(Limits {
            nodes: Some(most),
            time: Some(Budget::exact(Duration::from_millis(200), Duration::ZERO)),
            ..Limits::default()
        });
        assert!(answer.nodes < most, "{} nodes", answer.nodes);
    }
}
