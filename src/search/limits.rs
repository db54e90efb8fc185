//! The limits and resources that a caller hands to a search.

use super::clock::Budget;
use super::control::Control;
use super::skill::Skill;
use super::table::Table;
use crate::endings::Endings;
use std::sync::Arc;

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
    pub(super) fn allow_vote(&self) -> bool {
        self.depth.is_none() && self.mate.is_none() && self.skill.is_none() && self.multi_pv <= 1
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
    /// Nodes per millisecond of the time limit (`nodestime`); `None`: real time.
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
