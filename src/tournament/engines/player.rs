//! An engine of a match, independent of its protocol.

use crate::engine::OptionError;
use crate::games::Side;
use crate::search::Score;
use crate::tournament::openings::GameLine;
use crate::tournament::options::TimeControl;
use std::fmt;
use std::time::{Duration, Instant};

/// Time limit of a move without a clock.
pub const MOVE_LIMIT: Duration = Duration::from_secs(600);

/// Fault of an engine that loses the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Its move came too late.
    Time,
    /// Its move is illegal, or no move at all.
    IllegalMove(String),
    /// It died or could not be started.
    Crash(String),
    /// It did not answer.
    Hang,
    /// It claimed a wrong result.
    Claim(String),
}

impl Fault {
    /// Returns the tag `Termination` of a PGN.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Time => "time forfeit",
            Self::IllegalMove(_) => "illegal move",
            Self::Crash(_) => "disconnected",
            Self::Hang => "stalled",
            Self::Claim(_) => "wrong claim",
        }
    }
}

/// Completes a sentence that begins with the name of the engine.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => write!(f, "lost on time"),
            Self::IllegalMove(mv) => write!(f, "played `{mv}`, which is illegal,"),
            Self::Crash(why) => write!(f, "died ({why})"),
            Self::Hang => write!(f, "did not answer"),
            Self::Claim(what) => write!(f, "claimed `{what}`, which is wrong,"),
        }
    }
}

/// Reason why there is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// The engine loses the game.
    Fault(Fault),
    /// The match was interrupted.
    Interrupted,
}

impl From<Fault> for NoMove {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Reason why an engine cannot take part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoStart {
    /// The rest of a sentence that begins with its name.
    Refused(String),
    /// The match was interrupted.
    Interrupted,
}

impl NoStart {
    /// Converts a timeout into a refusal that names the missing word.
    pub fn without(word: &str) -> impl Fn(NoMove) -> Self {
        move |why| match why {
            NoMove::Fault(Fault::Hang) => Self::Refused(format!("does not answer `{word}`")),
            why => why.into(),
        }
    }
}

impl From<NoMove> for NoStart {
    fn from(why: NoMove) -> Self {
        match why {
            NoMove::Interrupted => Self::Interrupted,
            NoMove::Fault(fault) => fault.into(),
        }
    }
}

impl From<OptionError> for NoStart {
    fn from(error: OptionError) -> Self {
        Self::Refused(error.to_string())
    }
}

impl From<Fault> for NoStart {
    fn from(fault: Fault) -> Self {
        Self::Refused(match fault {
            Fault::Crash(why) => format!("ended before it was ready: {why}"),
            _ => "does not read its input".into(),
        })
    }
}

/// Reply of an engine whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineReply {
    Move(Choice),
    Resignation,
    /// A claim that the game is over, with the winner.
    Claim(Option<Side>),
}

/// A move with what the engine reported about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// The move as the engine wrote it.
    pub mv: String,
    pub thinking: Thinking,
    /// Time used.
    pub time: Duration,
    /// The expected reply, to ponder on.
    pub expected: Option<String>,
}

/// Report of an engine on its best line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thinking {
    /// The last exact score: bounds are none.
    pub score: Option<Score>,
    /// Depth, greatest depth and moves of that score.
    pub depth: u32,
    pub seldepth: Option<u32>,
    pub pv: String,
    /// The last numbers, also those of a bound.
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub hashfull: Option<u64>,
    pub tbhits: Option<u64>,
    /// Time used by its own clock.
    pub time: Option<Duration>,
}

impl Thinking {
    /// Updates the report with a new one, whose score may be a bound.
    pub fn update(&mut self, new: Self, is_bound: bool) {
        let old = std::mem::take(self);
        *self = Self {
            nodes: new.nodes.or(old.nodes),
            nps: new.nps.or(old.nps),
            hashfull: new.hashfull.or(old.hashfull),
            tbhits: new.tbhits.or(old.tbhits),
            time: new.time.or(old.time),
            ..match new.score {
                Some(_) if !is_bound => new,
                _ => old,
            }
        };
    }
}

/// The clocks when a side begins to think, White first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// Time left.
    pub time: [Option<Duration>; 2],
    /// Time added after each move.
    pub increment: [Duration; 2],
    /// Index of the side to move.
    pub to_move: usize,
    /// Its moves to the next time control; 0 if there is none.
    pub moves_to_go: u32,
}

/// An engine, ready to play.
pub trait Player {
    /// Prepares for a new game from a position, the start if `fen` is `None`.
    fn new_game(&mut self, fen: Option<&str>, opponent: &str) -> Result<(), NoMove>;

    /// Asks for a move.
    fn choose(&mut self, game: &GameLine, clocks: &Clocks) -> Result<EngineReply, NoMove>;

    /// Lets it ponder on the position that it expects.
    fn ponder(&mut self, _game: &GameLine, _clocks: &Clocks) -> Result<(), NoMove> {
        Ok(())
    }

    /// Reports the end of the game: `1-0 {White mates}`.
    fn game_over(&mut self, _result: &str) -> Result<(), NoMove> {
        Ok(())
    }

    /// Returns true if it can play another game without a restart.
    fn is_reusable(&self) -> bool {
        true
    }
}

/// Returns the time by which an engine that begins to think must have moved.
pub fn deadline_of(start: Instant, control: &TimeControl, clocks: &Clocks) -> Instant {
    let allowed = control.per_move.or(clocks.time[clocks.to_move]);
    start + allowed.map_or(MOVE_LIMIT, |time| time + control.margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_did_not_come_is_named() {
        let why = NoStart::without("uciok")(Fault::Hang.into());
        assert_eq!(why, NoStart::Refused("does not answer `uciok`".into()));
        assert_eq!(NoStart::without("uciok")(NoMove::Interrupted), NoStart::Interrupted);
    }
}
