//! The options of an engine: their names, ranges and values.

use crate::search::FULL_SKILL;
use crate::system::text::plain;
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, io};

/// The values that an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// A whole number in a range.
    Spin {
        /// The smallest value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// Yes or no.
    Check,
    /// One of several words.
    Combo(Vec<String>),
    /// Any text.
    Text,
    /// Something to be done.
    Button,
}

/// The allowed values in words.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spin { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Check | Self::Button => f.write_str("`true` or `false`"),
            Self::Combo(words) => write!(f, "one of {}", words.join(", ")),
            Self::Text => f.write_str("a text"),
        }
    }
}

/// An option as an engine announces it, this one or another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Its name; upper and lower case are the same.
    pub name: String,
    /// The values that it takes.
    pub kind: OptionKind,
    /// The value it has when nothing sets it; empty if unknown.
    pub default: String,
}

impl OptionSpec {
    /// Compares the name, ignoring case.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns true for a value of its kind.
    pub fn allows(&self, value: &str) -> bool {
        match &self.kind {
            OptionKind::Spin { min, max } => {
                plain(value).is_some_and(|number| (min..=max).contains(&&number))
            }
            OptionKind::Check => read_check(value).is_some(),
            OptionKind::Combo(words) => words.iter().any(|word| word.eq_ignore_ascii_case(value)),
            OptionKind::Text => true,
            OptionKind::Button => value.is_empty() || read_check(value).is_some(),
        }
    }

    /// Refuses a value.
    pub fn refuse(&self, value: &str) -> OptionError {
        let (name, value, kind) = (self.name.clone(), value.to_string(), self.kind.clone());
        match value.as_str() {
            "" => OptionError::Missing { name },
            _ => OptionError::NotAllowed { name, value, kind },
        }
    }
}

/// Reads `true` or `false` in any case.
pub fn read_check(value: &str) -> Option<bool> {
    value.to_ascii_lowercase().parse().ok()
}

/// The fault of an option that is to be set.
#[derive(Debug)]
pub enum OptionError {
    /// No option has this name.
    Unknown {
        /// The name.
        name: String,
        /// The options of the engine, if they should be named.
        known: Option<Vec<String>>,
    },
    /// The option needs a value.
    Missing {
        /// Its name.
        name: String,
    },
    /// The option has no such value.
    NotAllowed {
        /// Its name.
        name: String,
        /// The value.
        value: String,
        /// The values that would be allowed.
        kind: OptionKind,
    },
    /// The memory for the value cannot be allocated.
    Memory {
        /// Name of the option.
        name: &'static str,
        /// The memory.
        megabytes: usize,
    },
    /// The file or folder that the value names cannot be used.
    File {
        /// Name of the option.
        name: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, known } => {
                write!(f, "there is no option `{name}`")?;
                match known.as_deref() {
                    None => Ok(()),
                    Some([]) => f.write_str("; it announces none"),
                    Some(known) => write!(f, "; its options are {}", known.join(", ")),
                }
            }
            Self::Missing { name } => write!(f, "option {name}: its value is missing"),
            Self::NotAllowed { name, value, kind } => {
                write!(f, "option {name}: `{value}` is not {kind}")
            }
            Self::Memory { name, megabytes } => {
                write!(f, "option {name}: {megabytes} MB of memory cannot be allocated")
            }
            Self::File { name, path, error } => {
                write!(f, "option {name}: {}: {error}", path.display())
            }
        }
    }
}

impl Error for OptionError {}

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
    /// Strength in Elo, from [`LOWEST_ELO`](crate::search::LOWEST_ELO).
    pub elo: usize,
    /// True if lines show the chances to win, draw and lose.
    pub show_wdl: bool,
    /// The folder with solved endings, if there is one.
    pub endgame_path: Option<PathBuf>,
}

/// The highest Elo of `UCI_Elo`: full strength in every game.
pub const MAX_ELO: usize = 4200;

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
            elo: MAX_ELO,
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
