//! The search: iterative deepening over a principal-variation search with quiescence, one for all
//! games.
//!
//! It knows no game and prints nothing. A caller hands [`Searcher::search`] a position, the keys of
//! the positions before it and [`Limits`]. The search reports [`SearchEvent`]s while it runs and returns
//! an [`Answer`].

mod alpha_beta;
mod clock;
mod control;
mod correction;
mod history;
mod history_update;
mod mate;
mod node;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod repetition;
mod root;
mod searcher;
mod see;
mod skill;
mod strength;
mod table;
mod terminal;
pub mod value;
mod vote;
mod worker;

pub use clock::{Budget, GameClock, time_of_nodes};
pub use control::Control;
pub use params::Params;
pub use searcher::Searcher;
pub use see::wins_material;
pub use skill::{FULL_SKILL, Skill};
pub use strength::{FULL_ELO, ScoreModel};
pub use table::{Bound, Table};
pub use value::Score;

use crate::endings::Endings;
use std::sync::Arc;
use std::time::Duration;

/// The stack of a search thread. Deep lines of copied positions need room.
pub const STACK_BYTES: usize = 32 << 20;

/// The limits of a search, and the number of lines.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The greatest depth in plies.
    pub depth: Option<u32>,
    /// The greatest number of nodes, all threads together.
    pub nodes: Option<u64>,
    /// Begin no new iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// Stop once a win in this many moves is found or refuted.
    pub mate: Option<u32>,
    /// The time to use.
    pub time: Option<Budget>,
    /// The number of best moves to find.
    pub multi_pv: usize,
    /// The playing strength; full if `None`.
    pub skill: Option<Skill>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            time: None,
            multi_pv: 1,
            skill: None,
        }
    }
}

impl Limits {
    /// Returns true if the threads vote on the answer. Some limits ask for a definite search, which
    /// is the leading thread's.
    fn allow_vote(&self) -> bool {
        self.depth.is_none() && self.mate.is_none() && self.skill.is_none() && self.multi_pv <= 1
    }
}

/// One of the best lines of play with its score. The moves are `Move`s, or text.
#[derive(Clone, Debug)]
pub struct Line<M> {
    /// The depth in plies.
    pub depth: u32,
    /// The greatest distance from the root.
    pub seldepth: u32,
    /// The rank among the best lines, from 1.
    pub multi_pv: usize,
    /// Its score.
    pub score: Score,
    /// The kind of score: exact or a bound.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Thousandths of the table in use.
    pub hashfull: usize,
    /// The number of positions settled by a solved ending.
    pub tbhits: u64,
    /// The moves.
    pub pv: Vec<M>,
}

impl<M> Line<M> {
    /// Converts the moves to another form.
    pub fn map<N>(self, form: impl FnMut(M) -> N) -> Line<N> {
        Line {
            depth: self.depth,
            seldepth: self.seldepth,
            multi_pv: self.multi_pv,
            score: self.score,
            bound: self.bound,
            nodes: self.nodes,
            time: self.time,
            hashfull: self.hashfull,
            tbhits: self.tbhits,
            pv: self.pv.into_iter().map(form).collect(),
        }
    }
}

/// The resources of a search.
#[derive(Clone)]
pub struct Resources {
    /// The transposition table.
    pub table: Arc<Table>,
    /// Stop and ponder signals from outside.
    pub control: Arc<Control>,
    /// The number of threads.
    pub threads: usize,
    /// Nodes that stand for a millisecond of the time limit; `None` if time itself counts.
    pub nodes_per_milli: Option<u64>,
    /// The solved endings to consult.
    pub endings: Option<Arc<Endings>>,
}

impl Resources {
    /// Creates resources for a search on the calling thread alone, which nothing can stop.
    pub fn alone(table: &Arc<Table>) -> Self {
        Self {
            table: Arc::clone(table),
            control: Arc::new(Control::new(false)),
            threads: 1,
            nodes_per_milli: None,
            endings: None,
        }
    }
}

/// Reports of a running search. The moves are `Move`s, or text.
#[derive(Clone, Debug)]
pub enum SearchEvent<M> {
    /// A line got a new score.
    Line(Line<M>),
    /// The root move under way, reported after three seconds.
    CurrentMove {
        /// The depth in plies.
        depth: u32,
        /// The move.
        mv: M,
        /// The number of the move, from 1.
        number: usize,
    },
    /// A win within the requested moves cannot be forced.
    NoMate {
        /// The moves.
        moves: u32,
    },
    /// The game is over and there is nothing to search.
    Over {
        /// The result: won, lost or drawn.
        score: Score,
    },
}

impl<M> SearchEvent<M> {
    /// Converts the moves to another form.
    pub fn map<N>(self, mut form: impl FnMut(M) -> N) -> SearchEvent<N> {
        match self {
            Self::Line(line) => SearchEvent::Line(line.map(form)),
            Self::CurrentMove { depth, mv, number } => SearchEvent::CurrentMove {
                depth,
                mv: form(mv),
                number,
            },
            Self::NoMate { moves } => SearchEvent::NoMate { moves },
            Self::Over { score } => SearchEvent::Over { score },
        }
    }
}

/// The result of a search. The moves are `Move`s, or text.
#[derive(Clone, Debug, Default)]
pub struct Answer<M> {
    /// The best move; `None` if there is no legal one.
    pub best: Option<M>,
    /// The expected reply.
    pub ponder: Option<M>,
    /// The value of the best move for the side to move.
    pub value: i32,
    /// Nodes of all threads.
    pub nodes: u64,
}

impl<M> Answer<M> {
    /// Converts the moves to another form.
    pub fn map<N>(self, form: impl Fn(M) -> N) -> Answer<N> {
        Answer {
            best: self.best.map(&form),
            ponder: self.ponder.map(form),
            value: self.value,
            nodes: self.nodes,
        }
    }
}
