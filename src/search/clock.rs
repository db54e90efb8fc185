//! How long to think.

use std::time::Duration;

/// The clock of the side to move, as a protocol gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameClock {
    /// Time left.
    pub time: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// How long a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// After this time no new iteration begins.
    pub soft: Duration,
    /// After this time the search ends wherever it is.
    pub hard: Duration,
    /// Whether the time was the caller's to choose, so that an obvious move may be played
    /// sooner.
    pub flexible: bool,
}

/// For how many more moves time is put aside when the game has no time control.
const MOVES_AHEAD: f64 = 26.0;
/// The part of the increment that is used at once.
const INCREMENT_USED: f64 = 0.75;
/// The greatest part of the time left that one move may take.
const GREATEST_PART: f64 = 0.4;
/// How much longer than planned a move may take.
const STRETCH: f64 = 4.0;

impl Budget {
    /// Exactly this long.
    pub fn exact(time: Duration, overhead: Duration) -> Self {
        let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
        Self {
            soft: time,
            hard: time,
            flexible: false,
        }
    }

    /// A sensible part of what a game clock has left, never all of it: `overhead` for each
    /// move to come is set aside for what lies between the clock and the engine.
    pub fn from_clock(clock: GameClock, overhead: Duration) -> Self {
        let left = clock.time.saturating_sub(overhead).as_secs_f64();
        let increment = clock.increment.as_secs_f64();
        let moves = clock.moves_to_go.map_or(MOVES_AHEAD, |moves| {
            f64::from(moves.max(1)).min(MOVES_AHEAD)
        });
        let planned = left / moves + INCREMENT_USED * increment;
        // The last move before a time control may use most of the time, not all.
        let part = if moves <= 1.0 {
            0.7
        } else {
            GREATEST_PART.max(0.8 / moves)
        };
        let greatest = (left * part).max(0.001);
        let soft = planned.min(greatest);
        Self {
            soft: Duration::from_secs_f64(soft),
            hard: Duration::from_secs_f64((planned * STRETCH).min(greatest)),
            flexible: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(20);

    #[test]
    fn never_the_whole_clock() {
        for millis in [0, 1, 10, 50, 1000, 60_000] {
            for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                for increment in [0, 5, 1000] {
                    let time = Duration::from_millis(millis);
                    let clock = GameClock {
                        time,
                        increment: Duration::from_millis(increment),
                        moves_to_go,
                    };
                    let budget = Budget::from_clock(clock, OVERHEAD);
                    assert!(budget.soft <= budget.hard);
                    let spare = time.saturating_sub(OVERHEAD).max(Duration::from_millis(1));
                    assert!(budget.hard <= spare, "{clock:?} gives {budget:?}");
                }
            }
        }
    }
}
