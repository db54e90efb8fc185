//! The options of an engine: their names, ranges and values.

use crate::search::{FULL_ELO, FULL_SKILL};
use std::path::PathBuf;
use std::time::Duration;

/// The values that an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// A whole number in a range.
    Spin {
        /// The value it has when nothing sets it.
        default: usize,
        /// The smallest value.
        min: usize,
        /// The greatest value.
        max: usize,
    },
    /// Yes or no.
    Check {
        /// The value it has when nothing sets it.
        default: bool,
    },
    /// One of several words.
    Combo {
        /// The value it has when nothing sets it.
        default: &'static str,
        /// The words.
        choices: Vec<&'static str>,
    },
    /// Any text.
    Text {
        /// The value it has when nothing sets it.
        default: &'static str,
    },
    /// Something to be done.
    Button,
}

/// An option as the protocols announce it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Its name; upper and lower case are the same.
    pub name: &'static str,
    /// The values that it takes.
    pub kind: OptionKind,
}

/// The values of all options but the variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the transposition table in MB.
    pub hash: usize,
    /// Threads of a search.
    pub threads: usize,
    /// Number of lines to find.
    pub multi_pv: usize,
    /// Milliseconds set aside for the delay between clock and engine.
    pub overhead_millis: usize,
    /// Nodes per millisecond (`nodestime`); 0: real time.
    pub nodes_per_milli: usize,
    /// True if the client ponders. Without effect: `go ponder` comes when it does.
    pub ponder: bool,
    /// True if the client analyses. Without effect: play and analysis are the same here.
    pub analyse_mode: bool,
    /// Level of play, up to [`FULL_SKILL`].
    pub skill_level: usize,
    /// True if `elo` limits the strength, and not `skill_level`.
    pub limit_strength: bool,
    /// Strength on the scale of [`FULL_ELO`].
    pub elo: usize,
    /// True if lines show the chances to win, draw and lose.
    pub show_wdl: bool,
    /// The folder with solved endings, if there is one.
    pub endgame_path: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            multi_pv: 1,
            overhead_millis: 20,
            nodes_per_milli: 0,
            ponder: false,
            analyse_mode: false,
            skill_level: FULL_SKILL as usize,
            limit_strength: false,
            elo: FULL_ELO as usize,
            show_wdl: false,
            endgame_path: None,
        }
    }
}

impl Options {
    /// Returns the time set aside for the delay between clock and engine.
    pub fn move_overhead(&self) -> Duration {
        Duration::from_millis(self.overhead_millis as u64)
    }

    /// Returns the nodes that stand for a millisecond; `None` if time itself counts.
    pub fn nodes_per_milli(&self) -> Option<u64> {
        (self.nodes_per_milli > 0).then_some(self.nodes_per_milli as u64)
    }
}

/// The most threads.
pub const MAX_THREADS: usize = 256;
/// The most lines.
pub const MAX_MULTI_PV: usize = 500;
