//! An engine that plays a match, whatever it speaks.

use crate::games::Side;
use crate::search::Score;
use crate::tournament::openings::Line;
use crate::tournament::options::TimeControl;
use std::fmt;
use std::time::{Duration, Instant};

/// How long an engine without a clock may take for a move.
pub const MOVE_LIMIT: Duration = Duration::from_secs(600);

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
    /// It claimed what is not so.
    Claim(String),
}

impl Fault {
    /// As the tag `Termination` of a PGN has it.
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

/// What an engine did, in a sentence that begins with its name.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => write!(f, "lost on time"),
            Self::IllegalMove(mv) => write!(f, "played `{mv}`, which is illegal,"),
            Self::Crash(why) => write!(f, "died ({why})"),
            Self::Hang => write!(f, "did not answer"),
            Self::Claim(what) => write!(f, "claimed `{what}`, which is not so,"),
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

/// Why an engine cannot take part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoStart {
    /// What is wrong, as the rest of a sentence that begins with its name.
    Refused(String),
    /// The match was interrupted.
    Interrupted,
}

impl NoStart {
    /// Names the word that an engine was to say, if it did not.
    pub fn without(word: &str) -> impl Fn(NoMove) -> Self {
        move |why| match why {
            NoMove::Fault(Fault::Hang) => Self::Refused(format!("does not say `{word}`")),
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

impl From<Fault> for NoStart {
    fn from(fault: Fault) -> Self {
        Self::Refused(match fault {
            Fault::Crash(why) => format!("cannot be started: {why}"),
            _ => "does not read what it is told".into(),
        })
    }
}

/// What an engine answers when it is its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It moves.
    Move(Choice),
    /// It gives up.
    Resignation,
    /// It says that the game is over, and who has won.
    Claim(Option<Side>),
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
    /// The answer that it expects, if it is to think about it.
    pub expected: Option<String>,
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

/// A game that begins.
#[derive(Clone, Copy)]
pub struct NewGame<'g> {
    /// The FEN it begins with; `None` for the start position.
    pub fen: Option<&'g str>,
    /// The name of the other engine.
    pub opponent: &'g str,
}

/// An engine, ready to play.
pub trait Player {
    /// Prepares for a new game.
    ///
    /// # Errors
    ///
    /// It died or hangs, or the match was interrupted.
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), NoMove>;

    /// Asks for a move.
    ///
    /// # Errors
    ///
    /// Why there is none. After a [`Fault`] that is not an illegal move or a late one, the
    /// engine is of no more use.
    fn choose(&mut self, line: Line<'_>, clocks: &Clocks) -> Result<Answer, NoMove>;

    /// Lets it think while the other one does, at the end of a line that it expects.
    ///
    /// # Errors
    ///
    /// It died.
    fn ponder(&mut self, _line: Line<'_>, _clocks: &Clocks) -> Result<(), NoMove> {
        Ok(())
    }

    /// Tells it that the game is over, and how: `1-0 {White mates}`.
    ///
    /// # Errors
    ///
    /// It died or hangs, or the match was interrupted.
    fn game_over(&mut self, _result: &str) -> Result<(), NoMove> {
        Ok(())
    }

    /// Whether it can play another game.
    fn is_reusable(&self) -> bool {
        true
    }
}

/// Until when an engine that begins to think must have answered.
pub fn deadline_of(
    start: Instant,
    control: &TimeControl,
    clocks: &Clocks,
    to_move: usize,
) -> Instant {
    let allowed = control.per_move.or(clocks.time[to_move]);
    start + allowed.map_or(MOVE_LIMIT, |time| time + control.margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_did_not_come_is_named() {
        let why = NoStart::without("uciok")(Fault::Hang.into());
        assert_eq!(why, NoStart::Refused("does not say `uciok`".into()));
        let why = NoStart::without("uciok")(Fault::Crash("exit status: 3".into()).into());
        assert_eq!(
            why,
            NoStart::Refused("cannot be started: exit status: 3".into())
        );
        assert_eq!(
            NoStart::without("uciok")(NoMove::Interrupted),
            NoStart::Interrupted
        );
    }
}
