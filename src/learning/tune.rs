//! `tune`: better constants for the search, from games between two variations of them
//! (SPSA: J. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation
//! Gradient Approximation", 1992).
//!
//! Every pair of games is between the constants with a small random change and those with
//! the opposite change, from one opening with both colours. All constants then move a
//! little towards the side that won.

use super::selfplay::{Opening, Openings, Player, Settings, endings, network, play_pair};
use crate::engine::Entry;
use crate::engine::Tool;
use crate::engine::interrupt::Interrupt;
use crate::search::{Params, STACK_BYTES};
use crate::system::sync::lock;
use crate::system::text::number;
use crate::tournament::statistics::GameResult;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How `tune` is called.
pub const HELP: &str = "\
quadrille tune VARIANT [--pairs N] [--nodes N] [--eval FILE] [--balance CP] [--seed N]
                       [--threads N]
  --pairs N       how many pairs of games to play (10000)
  --nodes N       the soft limit of the search for each move (2000)
  --eval FILE     the network to play with, or <material>; that of the game without it
  --balance CP    how far from even, in centipawns, a game may begin (what the game's score
                  model says)
  --seed N        what decides the openings and the changes (1)
  --threads N     how many games at once (the number of cores)";

/// How large a change is, as a part of a constant's range.
const CHANGE: f64 = 0.08;
/// How far a constant moves for a point of difference at the beginning, as a part of its
/// range.
const STEP: f64 = 0.0015;
/// How the steps get smaller: by (1 + pairs / this) to the power of 0.6, as Spall advises.
const STABILITY: f64 = 1000.0;
/// How often progress is said.
const PROGRESS: Duration = Duration::from_secs(60);

/// What the command line asks for.
struct Options {
    pairs: u64,
    evaluation: Option<String>,
    play: Settings,
}

impl Options {
    fn read(words: &[&str]) -> Result<Self, String> {
        let (play, others) = Settings::read("tune", 2_000, words)?;
        let mut pairs = 10_000;
        let mut evaluation = None;
        for (name, value) in others {
            match name {
                "--eval" => evaluation = Some(value.to_string()),
                "--pairs" => pairs = number("tune: --pairs", value, 1, u64::MAX)?,
                _ => return Err(format!("tune: `{name}` is not understood; see tune --help")),
            }
        }
        Ok(Self {
            pairs,
            evaluation,
            play,
        })
    }
}

/// The constants on their way, as parts of their ranges.
struct Spsa {
    places: Vec<f64>,
    pairs: u64,
    said: Instant,
}

impl Spsa {
    fn new() -> Self {
        let values = Params::default().values();
        let places = values
            .iter()
            .zip(Params::RANGES)
            .map(|(&value, &(_, low, high))| f64::from(value - low) / f64::from(high - low));
        Self {
            places: places.collect(),
            pairs: 0,
            said: Instant::now(),
        }
    }

    /// The constants, all changed in the directions given.
    fn params(&self, directions: &[f64]) -> Params {
        let values: Vec<_> = self
            .places
            .iter()
            .zip(directions)
            .zip(Params::RANGES)
            .map(|((place, direction), &(_, low, high))| {
                let place = place + CHANGE * direction;
                low + (place * f64::from(high - low)).round() as i32
            })
            .collect();
        Params::from_values(&values)
    }

    /// Moves the constants in the directions given, by the difference in points that they
    /// made.
    fn learn(&mut self, directions: &[f64], difference: f64) {
        let step = STEP / (1.0 + self.pairs as f64 / STABILITY).powf(0.6);
        for (place, direction) in self.places.iter_mut().zip(directions) {
            *place = (*place + step * difference * direction).clamp(0.0, 1.0);
        }
        self.pairs += 1;
    }

    /// One line for each constant.
    fn describe(&self) -> String {
        let still = vec![0.0; self.places.len()];
        let lines: Vec<_> = Params::RANGES
            .iter()
            .zip(self.params(&still).values())
            .zip(Params::default().values())
            .map(|(((name, ..), value), before)| format!("{name}: {value} (was {before})"))
            .collect();
        lines.join("\n")
    }
}

/// Looks for better constants.
pub struct Tune;

impl Tool for Tune {
    const NAME: &'static str = "tune";

    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        say: &mut dyn FnMut(&str),
    ) -> Result<ExitCode, String> {
        let options = Options::read(words)?;
        let network = network::<G>(options.evaluation.as_deref())?;
        let endings = endings::<G>(options.play.threads, interrupt);
        let way = Mutex::new(Spsa::new());
        let openings = Mutex::new(Openings::new(options.play.seed));
        let begun = AtomicU64::new(0);
        std::thread::scope(|scope| {
            let (sender, progress) = channel();
            for _ in 0..options.play.threads {
                let (options, way, sender) = (&options, &way, sender.clone());
                let (openings, begun) = (&openings, &begun);
                let players = [(); 2].map(|()| {
                    Player::<G>::new(options.play.nodes, network.clone(), &endings, interrupt)
                });
                let spawned = std::thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        play_pairs(players, options, way, openings, begun, &sender);
                    });
                if let Err(error) = spawned {
                    log::warn!("tune: {error}");
                }
            }
            drop(sender);
            for text in progress {
                say(&text);
            }
        });
        let way = way.into_inner().unwrap_or_else(PoisonError::into_inner);
        say(&format!("after {} pairs:\n{}", way.pairs, way.describe()));
        Ok(ExitCode::SUCCESS)
    }
}

/// Plays pairs until there are enough.
fn play_pairs<G: Entry>(
    mut players: [Player<G>; 2],
    options: &Options,
    way: &Mutex<Spsa>,
    openings: &Mutex<Openings>,
    begun: &AtomicU64,
    progress: &Sender<String>,
) {
    let balance = options.play.balance::<G>();
    while begun.fetch_add(1, Relaxed) < options.pairs {
        players[0].set_params(Params::default());
        let Some(mut opening) = draw_open(openings, &mut players[0], balance) else {
            return;
        };
        let directions: Vec<_> = Params::RANGES
            .iter()
            .map(|_| {
                if opening.random.below(2) == 0 {
                    1.0
                } else {
                    -1.0
                }
            })
            .collect();
        let opposite: Vec<_> = directions.iter().map(|direction| -direction).collect();
        {
            let way = lock(way);
            players[0].set_params(way.params(&directions));
            players[1].set_params(way.params(&opposite));
        }
        let Some(results) = play_pair(&mut players, &opening) else {
            return;
        };
        let difference = results.map(points).iter().sum();
        let mut way = lock(way);
        way.learn(&directions, difference);
        if way.said.elapsed() >= PROGRESS {
            way.said = Instant::now();
            let text = format!("{} pairs\n{}", way.pairs, way.describe());
            if progress.send(text).is_err() {
                return;
            }
        }
    }
}

/// The next opening from which both sides can win, as a player sees it; `None` if it was
/// interrupted.
fn draw_open<G: Entry>(
    openings: &Mutex<Openings>,
    player: &mut Player<G>,
    balance: i32,
) -> Option<Opening<G>> {
    loop {
        let opening = lock(openings).draw();
        if player.is_open(&opening, balance)? {
            return Some(opening);
        }
    }
}

/// How many points a game brings.
fn points(result: GameResult) -> f64 {
    match result {
        GameResult::Win => 1.0,
        GameResult::Draw => 0.0,
        GameResult::Loss => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_begins_at_the_defaults() {
        let way = Spsa::new();
        let still = vec![0.0; way.places.len()];
        assert_eq!(way.params(&still), Params::default());
    }

    #[test]
    fn constants_move_towards_the_winner_and_stay_in_range() {
        let mut way = Spsa::new();
        let up = vec![1.0; way.places.len()];
        let before = way.places.clone();
        way.learn(&up, 2.0);
        assert!(way.places.iter().zip(&before).all(|(a, b)| a > b));
        for _ in 0..100_000 {
            way.learn(&up, -2.0);
        }
        let down: Vec<_> = up.iter().map(|up| -up).collect();
        let lowest: Vec<_> = Params::RANGES.iter().map(|&(_, low, _)| low).collect();
        assert_eq!(way.params(&down).values(), lowest);
    }
}
