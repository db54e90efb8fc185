//! Time management.

use crate::games::Move;
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

/// Converts nodes to time at `nodes_per_milli` nodes a millisecond.
pub const fn time_of_nodes(nodes: u64, nodes_per_milli: u64) -> Duration {
    Duration::from_micros(nodes.saturating_mul(1000) / nodes_per_milli)
}

/// Time limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The time planned for an ordinary position.
    pub soft: Duration,
    /// The time after which the search is interrupted.
    pub hard: Duration,
    /// True if the time comes from a game clock, so that an obvious move may be played sooner.
    pub flexible: bool,
}

/// Scales the planned time by the iterations so far: more while the best move changes, while its
/// value falls (both as in Stockfish), and while other moves take many nodes.
#[derive(Default)]
pub(super) struct TimeManager {
    best: Option<Move>,
    /// Iterations in a row with the same best move.
    stable: usize,
    /// A running average of the values, the last ones weighing most.
    average: Option<f64>,
    /// The time to use, as a multiple of the planned time.
    pub factor: f64,
}

impl TimeManager {
    /// The factor by the number of iterations in a row with the same best move.
    const BY_STABILITY: [f64; 6] = [2.9, 1.45, 1.0, 0.8, 0.7, 0.65];
    /// The factor of a best move without nodes; its share of the nodes is subtracted.
    const WITHOUT_SHARE: f64 = 1.6;
    /// Fall of the value that doubles the time, in centipawns.
    const DOUBLING_DROP: f64 = 50.0;
    /// Smallest and greatest fall that count, in centipawns.
    const DROPS: [f64; 2] = [-30.0, 60.0];
    /// The greatest value that counts, in centipawns.
    const GREATEST_VALUE: i32 = 1_000;
    /// The weight of the average before a value, against 1 for the value.
    const INERTIA: f64 = 2.0;

    /// Records an iteration: its best move with its value and its share of the nodes.
    pub(super) fn note(&mut self, best: Move, value: i32, share: f64) {
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        self.best = Some(best);
        let value = f64::from(value.clamp(-Self::GREATEST_VALUE, Self::GREATEST_VALUE));
        let average = self.average.unwrap_or(value);
        let drop = (average - value).clamp(Self::DROPS[0], Self::DROPS[1]);
        self.average = Some((Self::INERTIA * average + value) / (Self::INERTIA + 1.0));
        let stability = Self::BY_STABILITY[self.stable.min(Self::BY_STABILITY.len() - 1)];
        self.factor =
            stability * (Self::WITHOUT_SHARE - share) * (1.0 + drop / Self::DOUBLING_DROP);
    }
}

/// Moves for which time is put aside in a game without a time control.
const MOVES_AHEAD: f64 = 46.0;
/// The part of the increment that is used at once.
const INCREMENT_USED: f64 = 0.75;
/// The reserve, in multiples of the overhead. Below it only a part of the increment is used.
const RESERVE: f64 = 10.0;
/// The greatest part of the remaining time that one move may take, and that the last move before a
/// time control may take.
const GREATEST_PART: f64 = 0.4;
const GREATEST_PART_OF_LAST: f64 = 0.7;
/// The greatest multiple of the planned time.
const STRETCH: f64 = 6.0;

impl Budget {
    /// Creates the budget of a fixed time, less `overhead` for the delay between clock and engine,
    /// but at least half of the time.
    pub fn exact(time: Duration, overhead: Duration) -> Self {
        let time = (time - overhead.min(time / 2)).max(Duration::from_millis(1));
        Self { soft: time, hard: time, flexible: false }
    }

    /// Creates the budget of a move from the time on a game clock, never all of it. `overhead` is
    /// set aside for the delay between clock and engine.
    pub fn from_clock(clock: GameClock, overhead: Duration) -> Self {
        let left = clock.time.saturating_sub(overhead).as_secs_f64();
        let increment = clock.increment.as_secs_f64();
        let moves =
            clock.moves_to_go.map_or(MOVES_AHEAD, |moves| f64::from(moves.max(1)).min(MOVES_AHEAD));
        let reserve = RESERVE * overhead.as_secs_f64();
        let safe = if left < reserve { left / reserve } else { 1.0 };
        let planned = left / moves + INCREMENT_USED * safe * increment;
        let part = if moves <= 1.0 { GREATEST_PART_OF_LAST } else { GREATEST_PART };
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
    fn a_move_that_stands_out_needs_less_time() {
        use crate::board::Square;
        let moves = [1, 2].map(|to| Move::new(Square::new(0), Square::new(to)));
        let factor = |iterations: &[(usize, i32, f64)]| {
            let mut manager = TimeManager::default();
            for &(best, value, share) in iterations {
                manager.note(moves[best], value, share);
            }
            manager.factor
        };
        let steady = factor(&[(0, 20, 0.5); 8]);
        assert!(factor(&[(0, 20, 0.9); 8]) < steady);
        let changed = [[(1, 20, 0.5); 7].as_slice(), &[(0, 20, 0.5)]].concat();
        assert!(factor(&changed) > steady);
        let worse = [[(0, 20, 0.5); 7].as_slice(), &[(0, -40, 0.5)]].concat();
        assert!(factor(&worse) > steady);
        for value in [-32_000, 0, 32_000] {
            for share in [0.0, 1.0] {
                assert!(factor(&[(0, -value, share), (0, value, share)]) > 0.0);
            }
        }
    }

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
