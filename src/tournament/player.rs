//! An engine that plays a match, whatever it speaks.

use super::in_process::InProcess;
use super::options::{EngineSpec, Options, SELF};
use super::process::Process;
use super::uci::Uci;
use super::voice::Voice;
use crate::engine::interrupt::Interrupt;
use crate::search::Score;
use std::fmt;
use std::time::Duration;

/// What an engine did wrong, so that it loses its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It answered too late.
    Time,
    /// Its move is illegal, or no move at all.
    IllegalMove(String),
    /// It ended or could not be started.
    Crash(String),
    /// It did not answer.
    Hang,
}

impl Fault {
    /// All kinds of faults, without what differs between two of a kind.
    const ALL: [Self; 4] = [
        Self::Time,
        Self::IllegalMove(String::new()),
        Self::Crash(String::new()),
        Self::Hang,
    ];

    /// As the tag `Termination` of a PGN has it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Time => "time forfeit",
            Self::IllegalMove(_) => "illegal move",
            Self::Crash(_) => "disconnected",
            Self::Hang => "stalled",
        }
    }

    /// The fault that a `Termination` tag names.
    pub fn named(termination: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|fault| fault.name() == termination)
    }
}

/// What an engine did, in a sentence that begins with its name.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => write!(f, "lost on time"),
            Self::IllegalMove(mv) => write!(f, "played `{mv}`, which is illegal,"),
            Self::Crash(why) => write!(f, "died ({why})"),
            Self::Hang => write!(f, "did not answer"),
        }
    }
}

/// Why there is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// The engine has lost.
    Fault(Fault),
    /// The match was interrupted.
    Interrupted,
}

impl From<Fault> for NoMove {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A move and what the engine said of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// The move as the engine wrote it.
    pub mv: String,
    /// The last score that it gave.
    pub score: Option<Score>,
    /// The depth of that score.
    pub depth: u32,
    /// How long it took.
    pub time: Duration,
}

/// The clocks when a side begins to think, White's first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// Time left.
    pub time: [Option<Duration>; 2],
    /// Time added after each move.
    pub increment: [Duration; 2],
    /// Moves to the next time control of the side to move; 0 if there is none.
    pub moves_to_go: u32,
}

/// The game up to a position.
#[derive(Clone, Copy)]
pub struct Line<'l> {
    /// The FEN it begins with; `None` for the start position.
    pub fen: Option<&'l str>,
    /// All moves from there.
    pub moves: &'l [String],
    /// 0 if White is to move, 1 if Black is.
    pub to_move: usize,
}

/// An engine, ready to play.
pub trait Player {
    /// Prepares for a new game.
    ///
    /// # Errors
    ///
    /// It died or hangs, or the match was interrupted.
    fn new_game(&mut self) -> Result<(), NoMove>;

    /// Asks for a move.
    ///
    /// # Errors
    ///
    /// Why there is none. After a [`Fault`] that is not an illegal move or a late one, the
    /// engine is of no more use.
    fn choose(&mut self, line: Line<'_>, clocks: &Clocks) -> Result<Choice, NoMove>;
}

/// Starts one of the engines in the variant of a match.
///
/// # Errors
///
/// It does not start, does not speak its protocol or does not know the variant; or the match
/// was interrupted.
pub fn start(
    spec: &EngineSpec,
    options: &Options,
    interrupt: &Interrupt,
    voice: Voice,
) -> Result<Box<dyn Player>, NoMove> {
    Ok(if spec.command == SELF {
        Box::new(InProcess::start(spec, options, interrupt)?)
    } else {
        let process = Process::start(spec, interrupt, voice)?;
        Box::new(Uci::start(process, spec, options.variant)?)
    })
}
