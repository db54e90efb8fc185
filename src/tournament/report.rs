//! The standing of a match, and what is said of it.

use super::game::Finished;
use super::player::Fault;
use super::sprt::Sprt;
use super::statistics::{Counts, GameResult};
use crate::games::Side;
use std::collections::HashMap;

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
}

impl Faults {
    /// Counts a fault.
    pub fn add(&mut self, fault: &Fault) {
        match fault {
            Fault::Time => self.time += 1,
            Fault::IllegalMove(_) => self.illegal += 1,
            Fault::Crash(_) => self.crashes += 1,
            Fault::Hang => self.hangs += 1,
        }
    }
}

/// Where a game belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The engines that meet, the lower index first.
    pub pairing: (usize, usize),
    /// The engine that plays White.
    pub white: usize,
    /// Games with the same number have the same opening; two of them are a pair, with the
    /// colours swapped. `None` if games are not paired.
    pub pair: Option<u64>,
}

/// The results so far.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The engines' names.
    pub names: Vec<String>,
    /// What each of them did wrong.
    faults: Vec<Faults>,
    counts: HashMap<(usize, usize), Counts>,
    /// The first game of each pair whose second is not finished.
    half_pairs: HashMap<((usize, usize), u64), GameResult>,
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

    /// Counts a game.
    pub fn add(&mut self, place: Place, winner: Option<Side>) {
        let (first, _) = place.pairing;
        let first_side = if place.white == first {
            Side::White
        } else {
            Side::Black
        };
        let result = match winner {
            None => GameResult::Draw,
            Some(side) if side == first_side => GameResult::Win,
            Some(_) => GameResult::Loss,
        };
        let counts = self.counts.entry(place.pairing).or_default();
        counts.add_game(result);
        if let Some(number) = place.pair {
            let pair = (place.pairing, number);
            match self.half_pairs.remove(&pair) {
                Some(other) => counts.add_pair(other, result),
                None => drop(self.half_pairs.insert(pair, result)),
            }
        }
    }

    /// Counts what an engine did wrong.
    pub fn count_fault(&mut self, engine: usize, fault: &Fault) {
        if let Some(faults) = self.faults.get_mut(engine) {
            faults.add(fault);
        }
    }

    /// The counts of two engines.
    pub fn counts(&self, pairing: (usize, usize)) -> Counts {
        self.counts.get(&pairing).cloned().unwrap_or_default()
    }

    /// The line after each game.
    pub fn score_line(&self, pairing: (usize, usize)) -> String {
        let counts = self.counts(pairing);
        format!(
            "Score of {} vs {}: {} - {} - {}  [{:.3}] {}",
            self.names[pairing.0],
            self.names[pairing.1],
            counts.wins,
            counts.losses,
            counts.draws,
            counts.score(),
            counts.games(),
        )
    }

    /// Elo, error, LOS and pairs of two engines, and the state of a test.
    pub fn rating_lines(&self, pairing: (usize, usize), sprt: Option<&Sprt>) -> Vec<String> {
        let counts = self.counts(pairing);
        if counts.games() == 0 {
            return Vec::new();
        }
        let draws = 100.0 * counts.draws as f64 / counts.games() as f64;
        let mut lines = vec![format!(
            "Elo difference: {}, LOS: {:.1} %, DrawRatio: {draws:.1} %",
            counts.elo(),
            100.0 * counts.los(),
        )];
        if counts.pairs.iter().any(|&count| count > 0) {
            let [lost, minus, even, plus, won] = counts.pairs;
            lines.push(format!(
                "Pentanomial: [{lost}, {minus}, {even}, {plus}, {won}]"
            ));
        }
        lines.push(format!("Normalized Elo: {}", counts.normalised_elo()));
        if let Some(sprt) = sprt {
            let (llr, (lower, upper)) = (sprt.llr(&counts), sprt.bounds());
            let verdict = match sprt.verdict(&counts) {
                None => "",
                Some(hypothesis) => &format!(" - {hypothesis} was accepted"),
            };
            lines.push(format!(
                "SPRT: llr {llr:.2} ({:.1}%), lbound {lower:.2}, ubound {upper:.2}{verdict}",
                100.0 * llr / upper,
            ));
            lines.push(format!(
                "SPRT model: {}, elo0 {}, elo1 {}, alpha {}, beta {}",
                sprt.model.name(),
                sprt.elo0,
                sprt.elo1,
                sprt.alpha,
                sprt.beta,
            ));
        }
        lines
    }

    /// Everything, at the end.
    pub fn final_lines(&self, sprt: Option<&Sprt>) -> Vec<String> {
        let mut pairings: Vec<_> = self.counts.keys().copied().collect();
        pairings.sort_unstable();
        let mut lines = Vec::new();
        for pairing in pairings {
            lines.push(self.score_line(pairing));
            lines.extend(self.rating_lines(pairing, sprt));
        }
        if self.names.len() > 2 {
            lines.extend(self.table());
        }
        for (name, faults) in self.names.iter().zip(&self.faults) {
            lines.push(format!(
                "Faults of {name}: {} time losses, {} illegal moves, {} crashes, {} hangs",
                faults.time, faults.illegal, faults.crashes, faults.hangs,
            ));
        }
        lines
    }

    /// Everybody's points, the best first.
    fn table(&self) -> Vec<String> {
        let mut rows: Vec<(String, Counts)> = self
            .names
            .iter()
            .enumerate()
            .map(|(engine, name)| {
                let mut sum = Counts::default();
                for (&(first, second), counts) in &self.counts {
                    if first == engine {
                        sum.wins += counts.wins;
                        sum.losses += counts.losses;
                        sum.draws += counts.draws;
                    } else if second == engine {
                        sum.wins += counts.losses;
                        sum.losses += counts.wins;
                        sum.draws += counts.draws;
                    }
                }
                (name.clone(), sum)
            })
            .collect();
        rows.sort_by(|a, b| b.1.score().total_cmp(&a.1.score()));
        let width = rows
            .iter()
            .map(|(name, _)| name.len())
            .max()
            .unwrap_or(0)
            .max(4);
        let header = format!("Rank  {:width$}  Games  Score   Elo", "Name");
        let row = |(rank, (name, counts)): (usize, &(String, Counts))| {
            format!(
                "{:4}  {name:width$}  {:5}  {:4.1} %  {}",
                rank + 1,
                counts.games(),
                100.0 * counts.score(),
                counts.elo(),
            )
        };
        std::iter::once(header)
            .chain(rows.iter().enumerate().map(row))
            .collect()
    }
}

/// The `Termination` tag of a game.
pub fn termination(game: &Finished) -> &'static str {
    match game.blunder.as_ref().map(|blunder| &blunder.fault) {
        Some(fault) => fault_name(fault),
        None if game.reason.starts_with("adjudication") => "adjudication",
        None => "normal",
    }
}

const fn fault_name(fault: &Fault) -> &'static str {
    match fault {
        Fault::Time => "time forfeit",
        Fault::IllegalMove(_) => "illegal move",
        Fault::Crash(_) => "disconnected",
        Fault::Hang => "stalled",
    }
}

/// The fault that a `Termination` tag names.
pub fn fault_of(termination: &str) -> Option<Fault> {
    [
        Fault::Time,
        Fault::IllegalMove(String::new()),
        Fault::Crash(String::new()),
        Fault::Hang,
    ]
    .into_iter()
    .find(|fault| fault_name(fault) == termination)
}
