//! The standing of a match: what is counted.

use super::finished_game::FinishedGame;
use crate::games::Side;
use crate::statistics::elo::{Counts, GameResult};
use crate::tournament::engines::player::Fault;
use crate::tournament::fixture::Fixture;
use crate::tournament::game::End;
use std::collections::{BTreeMap, HashMap};

/// What one engine did wrong, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Faults {
    /// Answers that came too late.
    pub time: u64,
    /// Illegal moves.
    pub illegal: u64,
    /// Deaths.
    pub crashes: u64,
    /// Silences.
    pub hangs: u64,
    /// Claims of what is not so.
    pub claims: u64,
}

impl Faults {
    fn add(&mut self, fault: &Fault) {
        match fault {
            Fault::Time => self.time += 1,
            Fault::IllegalMove(_) => self.illegal += 1,
            Fault::Crash(_) => self.crashes += 1,
            Fault::Hang => self.hangs += 1,
            Fault::Claim(_) => self.claims += 1,
        }
    }
}

/// The results so far.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The engines' names.
    pub names: Vec<String>,
    /// What each of them did wrong.
    pub faults: Vec<Faults>,
    /// The games of each pairing with its first engine as White, and as Black.
    games: BTreeMap<(usize, usize), [Counts; 2]>,
    /// The pairs of each pairing.
    pairs: HashMap<(usize, usize), Counts>,
    /// The first game of each pair whose second is not finished.
    half_pairs: HashMap<((usize, usize), u64), GameResult>,
    /// How often each engine's games ended how.
    outcomes: BTreeMap<(usize, String), u64>,
    /// Whether pairs count only as the games that they are.
    pub without_pairs: bool,
    /// The games so far, each as what tells it from others.
    seen: HashMap<u64, u64>,
    /// How many of them were played before, move for move.
    pub repeated: u64,
}

impl Standing {
    /// Nothing played yet.
    pub fn new(names: Vec<String>) -> Self {
        Self {
            faults: vec![Faults::default(); names.len()],
            names,
            ..Self::default()
        }
    }

    /// The index of an engine, a new one if the name is new.
    pub fn engine(&mut self, name: &str) -> usize {
        self.names
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                self.names.push(name.to_string());
                self.faults.push(Faults::default());
                self.names.len() - 1
            })
    }

    /// Counts a game, and returns the number of one that was the same before it.
    pub fn count(&mut self, game: &FinishedGame) -> Option<u64> {
        self.add(&game.fixture, game.winner);
        for (side, engine) in game.fixture.seats.into_iter().enumerate() {
            let how = match game.winner {
                None => game.sentence(),
                Some(winner) if winner.index() == side => format!("Win: {}", game.sentence()),
                Some(_) => format!("Loss: {}", game.sentence()),
            };
            *self.outcomes.entry((engine, how)).or_default() += 1;
        }
        if let End::Fault(fault) = &game.end
            && let Some(side) = game.at_fault()
            && let Some(faults) = self.faults.get_mut(game.fixture.seats[side.index()])
        {
            faults.add(fault);
        }
        let before = *self.seen.entry(game.mark).or_insert(game.fixture.number);
        let is_new = before == game.fixture.number;
        self.repeated += u64::from(!is_new);
        (!is_new).then_some(before)
    }

    /// Counts a result.
    fn add(&mut self, place: &Fixture, winner: Option<Side>) {
        let (first, _) = place.pairing;
        let first_side = if place.seats[0] == first {
            Side::White
        } else {
            Side::Black
        };
        let result = match winner {
            None => GameResult::Draw,
            Some(side) if side == first_side => GameResult::Win,
            Some(_) => GameResult::Loss,
        };
        self.games.entry(place.pairing).or_default()[first_side.index()].add_game(result);
        if let Some(number) = place.pair.filter(|_| !self.without_pairs) {
            let pair = (place.pairing, number);
            match self.half_pairs.remove(&pair) {
                Some(other) => {
                    let pairs = self.pairs.entry(place.pairing).or_default();
                    pairs.add_pair(other, result);
                }
                None => drop(self.half_pairs.insert(pair, result)),
            }
        }
    }

    /// How games of an engine ended, and how often.
    pub fn outcomes(&self, engine: usize) -> impl Iterator<Item = (&str, u64)> {
        let outcomes = self.outcomes.iter();
        outcomes
            .filter(move |((of, _), _)| *of == engine)
            .map(|((_, how), count)| (how.as_str(), *count))
    }

    /// How many games were counted.
    pub fn finished(&self) -> u64 {
        let colours = self.games.values().flatten();
        colours.map(Counts::games).sum()
    }

    /// The engines that have met.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        self.games.keys().copied().collect()
    }

    /// The games of two engines with the first as White, and as Black.
    pub fn colours(&self, pairing: (usize, usize)) -> [Counts; 2] {
        self.games.get(&pairing).copied().unwrap_or_default()
    }

    /// The counts of two engines, for the first.
    pub fn counts(&self, pairing: (usize, usize)) -> Counts {
        let [white, black] = self.colours(pairing);
        let pairs = self.pairs.get(&pairing).copied().unwrap_or_default();
        white + black + pairs
    }

    /// The counts of two engines, for one of them, whichever comes first.
    pub fn against(&self, engine: usize, other: usize) -> Counts {
        self.counts((engine, other)) + self.counts((other, engine)).for_the_other()
    }

    /// The counts of an engine's games, all together.
    pub fn all_of(&self, engine: usize) -> Counts {
        let others = (0..self.names.len()).filter(|&other| other != engine);
        others
            .map(|other| self.against(engine, other))
            .fold(Counts::default(), |sum, counts| sum + counts)
    }

    /// The engines, the best first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut engines: Vec<_> = (0..self.names.len()).collect();
        engines.sort_by(|&a, &b| {
            let [a, b] = [a, b].map(|engine| self.all_of(engine).score());
            b.total_cmp(&a)
        });
        engines
    }
}
