//! The standing of a match: results, pairs and faults, counted game by game.

use crate::games::Side;
use crate::statistics::elo::{Counts, GameResult};
use crate::tournament::engines::player::Fault;
use crate::tournament::finished_game::FinishedGame;
use crate::tournament::game_end::GameEnd;
use crate::tournament::schedule::Fixture;
use std::collections::{BTreeMap, HashMap};

/// Faults of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FaultCounts {
    /// Losses on time.
    pub time: u64,
    /// Illegal moves.
    pub illegal: u64,
    /// Engine crashes.
    pub crashes: u64,
    /// Timeouts without an answer.
    pub hangs: u64,
    /// Wrong claims of a result.
    pub claims: u64,
}

impl FaultCounts {
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
    /// Names of the engines.
    pub names: Vec<String>,
    /// Faults of each engine.
    pub faults: Vec<FaultCounts>,
    /// Games of each pairing with its first engine as White, and as Black.
    games: BTreeMap<(usize, usize), [Counts; 2]>,
    pairs: HashMap<(usize, usize), Counts>,
    /// First game of each pair whose second is not finished.
    half_pairs: HashMap<((usize, usize), u64), GameResult>,
    /// Ends of each engine's games, with their frequencies.
    outcomes: BTreeMap<(usize, String), u64>,
    /// True if pairs of games are not counted.
    pub without_pairs: bool,
    /// Number of the first game with each [`FinishedGame::mark`].
    seen: HashMap<u64, u64>,
    /// Games that repeat an earlier one move for move.
    pub repeated: u64,
}

impl Standing {
    /// Creates the standing before the first game.
    pub fn new(names: Vec<String>) -> Self {
        Self { faults: vec![FaultCounts::default(); names.len()], names, ..Self::default() }
    }

    /// Returns the standing of the same engines before the first game.
    pub fn emptied(&self) -> Self {
        Self { without_pairs: self.without_pairs, ..Self::new(self.names.clone()) }
    }

    /// Returns the index of an engine; adds it if the name is new.
    pub fn engine(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.faults.push(FaultCounts::default());
            self.names.len() - 1
        })
    }

    /// Counts a game, and returns the number of the game that it repeats.
    pub fn count(&mut self, game: &FinishedGame) -> Option<u64> {
        self.add_result(&game.fixture, game.winner);
        for (side, engine) in game.fixture.seats.into_iter().enumerate() {
            let how = match game.winner {
                None => game.sentence(),
                Some(winner) if winner.index() == side => format!("Win: {}", game.sentence()),
                Some(_) => format!("Loss: {}", game.sentence()),
            };
            *self.outcomes.entry((engine, how)).or_default() += 1;
        }
        if let GameEnd::Fault(fault) = &game.end
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

    fn add_result(&mut self, fixture: &Fixture, winner: Option<Side>) {
        let (first, _) = fixture.pairing;
        let first_side = if fixture.seats[0] == first { Side::White } else { Side::Black };
        let result = match winner {
            None => GameResult::Draw,
            Some(side) if side == first_side => GameResult::Win,
            Some(_) => GameResult::Loss,
        };
        self.games.entry(fixture.pairing).or_default()[first_side.index()].add_game(result);
        if let Some(number) = fixture.pair.filter(|_| !self.without_pairs) {
            let pair = (fixture.pairing, number);
            match self.half_pairs.remove(&pair) {
                Some(other) => {
                    let pairs = self.pairs.entry(fixture.pairing).or_default();
                    pairs.add_pair(other, result);
                }
                None => drop(self.half_pairs.insert(pair, result)),
            }
        }
    }

    /// Returns the ends of an engine's games, with their frequencies.
    pub fn outcomes(&self, engine: usize) -> impl Iterator<Item = (&str, u64)> {
        let outcomes = self.outcomes.iter();
        outcomes
            .filter(move |((of, _), _)| *of == engine)
            .map(|((_, how), count)| (how.as_str(), *count))
    }

    pub fn finished(&self) -> u64 {
        let colours = self.games.values().flatten();
        colours.map(Counts::games).sum()
    }

    /// Returns the pairings that have met.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        self.games.keys().copied().collect()
    }

    /// Counts of a pairing with the first engine as White, and as Black.
    pub fn colours(&self, pairing: (usize, usize)) -> [Counts; 2] {
        self.games.get(&pairing).copied().unwrap_or_default()
    }

    /// Counts of a pairing, for the first engine.
    pub fn counts(&self, pairing: (usize, usize)) -> Counts {
        let [white, black] = self.colours(pairing);
        let pairs = self.pairs.get(&pairing).copied().unwrap_or_default();
        white + black + pairs
    }

    /// Counts of one engine against another.
    pub fn against(&self, engine: usize, other: usize) -> Counts {
        self.counts((engine, other)) + self.counts((other, engine)).for_the_other()
    }

    /// Returns the cell of a crosstable: points and games, or a dash on the diagonal.
    pub fn cell(&self, engine: usize, other: usize) -> String {
        let counts = self.against(engine, other);
        match counts.games() {
            0 if engine == other => "-".into(),
            0 => String::new(),
            games => format!("{:.1}/{games}", counts.points()),
        }
    }

    /// Counts of an engine against all others.
    pub fn all_of(&self, engine: usize) -> Counts {
        let others = (0..self.names.len()).filter(|&other| other != engine);
        others
            .map(|other| self.against(engine, other))
            .fold(Counts::default(), |sum, counts| sum + counts)
    }

    /// Returns the engines, the best first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut engines: Vec<_> = (0..self.names.len()).collect();
        engines.sort_by(|&a, &b| {
            let [a, b] = [a, b].map(|engine| self.all_of(engine).score());
            b.total_cmp(&a)
        });
        engines
    }
}
