//! Time for moves: a fixed time or a clock.

use crate::system::text::ValueError;
use std::fmt;
use std::time::Duration;

/// The longest time that can be given: a day.
const MAX_SECONDS: f64 = 24.0 * 3600.0;
const SECONDS_A_MINUTE: f64 = 60.0;

/// Time for moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Pace {
    /// The engine takes this long for each; nobody has a clock.
    PerMove(Duration),
    /// Both sides have a clock.
    Clock {
        /// Time at the start.
        time: Duration,
        /// Increment of a move.
        increment: Duration,
    },
}

impl Pace {
    /// Without a word on it: the engine thinks for a second.
    pub(super) const DEFAULT: Self = Self::PerMove(Duration::from_secs(1));

    /// Reads a pace: `2` is 2 seconds for each move, `5+3` is 5 minutes and 3 more seconds after each move.
    pub(super) fn read(name: &str, text: &str) -> Result<Self, ValueError> {
        const FAULT: &str = "neither seconds for a move, such as 2, nor minutes and seconds added \
                             after a move, such as 5+3";
        let duration = |text: &str, unit: f64| {
            let seconds = text.parse::<f64>().ok()? * unit;
            (0.0..=MAX_SECONDS).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
        };
        let pace = match text.split_once('+') {
            None => duration(text, 1.0).map(Self::PerMove),
            Some((minutes, seconds)) => duration(minutes, SECONDS_A_MINUTE)
                .zip(duration(seconds, 1.0))
                .map(|(time, increment)| Self::Clock { time, increment }),
        };
        pace.filter(|&pace| pace.begin() > Duration::ZERO)
            .ok_or_else(|| ValueError::new(name, text, FAULT))
    }

    /// Returns the time on a clock at the start, or for a move.
    pub(super) fn begin(self) -> Duration {
        match self {
            Self::PerMove(time) | Self::Clock { time, .. } => time,
        }
    }

    /// Returns the tag `TimeControl` of a PGN.
    pub(super) fn tag(self) -> String {
        match self {
            Self::PerMove(_) => "-".into(),
            Self::Clock { time, increment } => {
                format!("{}+{}", time.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PerMove(time) => {
                write!(f, "No clock; Quadrille moves in {} s.", time.as_secs_f64())
            }
            Self::Clock { time, increment } => write!(
                f,
                "A clock of {} for each side, and {} s more after each move.",
                Reading(*time),
                increment.as_secs_f64()
            ),
        }
    }
}

/// Shows a clock: `4:05`.
pub(super) struct Reading(pub Duration);

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_or_a_clock() {
        let seconds = Duration::from_secs_f64;
        assert_eq!(Pace::read("time", "0.5"), Ok(Pace::PerMove(seconds(0.5))));
        let clock = |time, increment| Pace::Clock { time, increment };
        assert_eq!(Pace::read("time", "5+3"), Ok(clock(seconds(300.0), seconds(3.0))));
        assert_eq!(Pace::read("time", "0.5+0"), Ok(clock(seconds(30.0), seconds(0.0))));
        for text in ["", "x", "+", "5+", "+3", "0", "0+3", "-1", "nan", "inf", "1e9", "5+3+2"] {
            assert!(Pace::read("time", text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_written() {
        let clock = Pace::read("time", "5+3").expect("a clock");
        assert_eq!(clock.tag(), "300+3");
        assert_eq!(
            clock.to_string(),
            "A clock of 5:00 for each side, and 3 s more after each move."
        );
        assert_eq!(Pace::DEFAULT.tag(), "-");
    }
}
