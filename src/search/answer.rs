//! The reports of a running search, and its answer.

use super::table::Bound;
use std::time::Duration;

/// One of the best lines of play with its value. The moves are `Move`s, or text.
#[derive(Clone, Debug, Default)]
pub struct Line<M> {
    /// The depth in plies.
    pub depth: u32,
    /// The greatest distance from the root.
    pub seldepth: u32,
    /// The rank among the best lines, from 1.
    pub multi_pv: usize,
    /// Its value for the side to move.
    pub value: i32,
    /// The kind of value: exact or a bound.
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
            value: self.value,
            bound: self.bound,
            nodes: self.nodes,
            time: self.time,
            hashfull: self.hashfull,
            tbhits: self.tbhits,
            pv: self.pv.into_iter().map(form).collect(),
        }
    }
}

/// Reports of a running search. The moves are `Move`s, or text.
#[derive(Clone, Debug)]
pub enum SearchEvent<M> {
    /// A line got a new value.
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
        value: i32,
    },
}

impl<M> SearchEvent<M> {
    /// Converts the moves to another form.
    pub fn map<N>(self, mut form: impl FnMut(M) -> N) -> SearchEvent<N> {
        match self {
            Self::Line(line) => SearchEvent::Line(line.map(form)),
            Self::CurrentMove { depth, mv, number } => {
                SearchEvent::CurrentMove { depth, mv: form(mv), number }
            }
            Self::NoMate { moves } => SearchEvent::NoMate { moves },
            Self::Over { value } => SearchEvent::Over { value },
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
