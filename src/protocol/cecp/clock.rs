//! The clock, by the commands of XBoard.

use crate::engine::Time;
use crate::search::GameClock;
use crate::system::Cause;
use crate::system::text::{MAX_MILLIS, ValueError, clamped, decimal, number};
use std::time::Duration;

/// The time of a side if the client never sends any.
const DEFAULT_TIME: Duration = Duration::from_secs(300);

/// The time control, and the time left.
#[derive(Default)]
pub(super) struct Clock {
    /// Moves to a time control; 0 for one of the whole game.
    moves: u32,
    base: Option<Duration>,
    increment: Duration,
    /// Time for each move, instead of a clock.
    per_move: Option<Duration>,
    /// Time left to the engine, as last sent.
    left: Option<Duration>,
}

impl Clock {
    /// Reads the arguments of `level`: moves, minutes with or without seconds, increment.
    pub(super) fn of_level(words: &str) -> Result<Self, Cause> {
        let words: Vec<_> = words.split_ascii_whitespace().collect();
        let [moves, base, increment] = words[..] else {
            return Err("level: three numbers are needed".into());
        };
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let minutes = decimal("level", minutes, 0.0, 1e6)?;
        let seconds = decimal("level", seconds, 0.0, 60.0)?;
        Ok(Self {
            moves: number("level", moves, 0, 10_000)?,
            base: Some(Duration::from_secs_f64(60.0 * minutes + seconds)),
            increment: Duration::from_secs_f64(decimal("level", increment, 0.0, 1e6)?),
            per_move: None,
            left: None,
        })
    }

    /// Reads the argument of `st`: seconds for each move.
    pub(super) fn set_per_move(&mut self, seconds: &str) -> Result<(), ValueError> {
        let seconds = decimal("st", seconds, 0.01, 1e7)?;
        self.per_move = Some(Duration::from_secs_f64(seconds));
        Ok(())
    }

    /// Reads the argument of `time`: hundredths of a second that are left.
    pub(super) fn set_left(&mut self, hundredths: &str) -> Result<(), ValueError> {
        let hundredths = clamped("time", hundredths, MAX_MILLIS / 10)?;
        self.left = Some(Duration::from_millis(10 * hundredths));
        Ok(())
    }

    /// Begins a new game with the same time control.
    pub(super) fn begin_anew(&mut self) {
        self.per_move = None;
        self.left = None;
    }

    /// Returns the time for the engine's next move, after `plies` of both sides.
    pub(super) fn time(&self, plies: usize) -> Time {
        if let Some(time) = self.per_move {
            return Time::PerMove(time);
        }
        let played = plies as u32 / 2;
        Time::Clock(GameClock {
            time: self.left.or(self.base).unwrap_or(DEFAULT_TIME),
            increment: self.increment,
            moves_to_go: (self.moves > 0).then(|| self.moves - played % self.moves),
        })
    }
}
