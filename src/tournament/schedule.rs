//! The games of a match: who plays whom, in which order, from which opening.

use super::options::{Format, MatchOptions, Style};
use std::collections::HashSet;

/// The place of a game in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fixture {
    /// Index of the game in the match.
    pub number: u64,
    /// Index of its opening.
    pub opening: u64,
    /// Index among the games of this pairing with this opening.
    pub repetition: u64,
    /// Indices of the engines, White's first.
    pub seats: [usize; 2],
    /// The engines that meet; scores are those of the first.
    pub pairing: (usize, usize),
    /// Index of the pair of games with one opening and the colours swapped; `None` if games are
    /// not paired.
    pub pair: Option<u64>,
}

impl Fixture {
    /// Returns the tag `Round` of a PGN: `PAIR.GAME` where games are paired, else the game's number.
    pub(super) fn round(&self) -> String {
        match self.pair {
            None => (self.number + 1).to_string(),
            Some(pair) => format!("{}.{}", pair + 1, self.repetition % 2 + 1),
        }
    }
}

/// Hands out the games of a match by number: rounds, in each all pairings, in each its games.
pub(super) struct Schedule {
    pairings: Vec<(usize, usize)>,
    games: u64,
    rounds: u64,
    repeat: u64,
    swaps: bool,
    reversed: bool,
    /// Number of the game that begins next, unless it was played in an earlier run.
    next: u64,
    /// Numbers of games to play again.
    again: Vec<u64>,
    played: HashSet<u64>,
}

impl Schedule {
    pub(super) fn new(options: &MatchOptions) -> Self {
        let engines = options.engines.len();
        Self {
            pairings: match options.format {
                Format::RoundRobin => pairings(engines, engines),
                Format::Gauntlet => gauntlet(options.seeds, engines, options.style),
            },
            games: options.games,
            rounds: options.rounds,
            repeat: options.repeat,
            swaps: options.swaps,
            reversed: options.reversed,
            next: 0,
            again: Vec::new(),
            played: HashSet::new(),
        }
    }

    /// Returns the number of games in the match.
    pub(super) fn total(&self) -> u64 {
        self.pairings.len() as u64 * self.games * self.rounds
    }

    /// Skips a game played in an earlier run. Returns false if it is skipped already.
    pub(super) fn leave_out(&mut self, number: u64) -> bool {
        self.played.insert(number)
    }

    /// Hands a game out again.
    pub(super) fn repeat(&mut self, number: u64) {
        self.again.push(number);
    }

    /// Returns the game with a number; `None` if there are not so many.
    pub(super) fn get(&self, number: u64) -> Option<Fixture> {
        (number < self.total()).then(|| self.fixture(number))
    }

    /// Returns the game with a number. The engines of a pairing change colours after each game.
    fn fixture(&self, number: u64) -> Fixture {
        let (encounter, in_encounter) = (number / self.games, number % self.games);
        let pairings = self.pairings.len() as u64;
        let pairing = self.pairings[(encounter % pairings) as usize];
        // Index of this game among the games of this pairing.
        let game = encounter / pairings * self.games + in_encounter;
        let (first, second) = pairing;
        let seats = if (self.swaps && !game.is_multiple_of(2)) != self.reversed {
            [second, first]
        } else {
            [first, second]
        };
        let is_paired = self.swaps && self.repeat.is_multiple_of(2);
        Fixture {
            number,
            opening: game / self.repeat,
            repetition: game % self.repeat,
            seats,
            pairing,
            pair: is_paired.then_some(game / 2),
        }
    }
}

impl Iterator for Schedule {
    type Item = Fixture;

    fn next(&mut self) -> Option<Fixture> {
        if let Some(number) = self.again.pop() {
            return Some(self.fixture(number));
        }
        while self.played.contains(&self.next) {
            self.next += 1;
        }
        let fixture = self.get(self.next)?;
        self.next += 1;
        Some(fixture)
    }
}

/// Pairs each of the first engines with all engines after it.
fn pairings(firsts: usize, engines: usize) -> Vec<(usize, usize)> {
    (0..firsts).flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect()
}

/// Pairs each of the first engines with all others; those of fastchess also meet each other.
fn gauntlet(seeds: usize, engines: usize, style: Style) -> Vec<(usize, usize)> {
    let seeds = seeds.min(engines - 1);
    let mut pairings = pairings(seeds, engines);
    pairings.retain(|(_, second)| *second >= seeds || style == Style::Fastchess);
    pairings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(engines: usize, games: u64, repeat: u64) -> Schedule {
        Schedule {
            pairings: pairings(engines, engines),
            games,
            rounds: 2,
            repeat,
            swaps: true,
            reversed: false,
            next: 0,
            again: Vec::new(),
            played: HashSet::new(),
        }
    }

    #[test]
    fn when_openings_change() {
        let openings = |schedule: Schedule| -> Vec<_> {
            let fixtures = schedule.map(|fixture| fixture.opening);
            fixtures.collect()
        };
        assert_eq!(openings(schedule(3, 2, 2)), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
        // It may take several rounds to use an opening up.
        assert_eq!(openings(schedule(2, 1, 2)), [0, 0]);
    }

    /// In a pair both have the same opening and each colour once, and each game is in one.
    #[test]
    fn pairs_swap_colours() {
        for (games, repeat) in [(2, 2), (4, 2), (4, 4)] {
            let fixtures: Vec<_> = schedule(3, games, repeat).collect();
            for one in &fixtures {
                let others = fixtures.iter().filter(|other| {
                    (other.pairing, other.pair) == (one.pairing, one.pair)
                        && other.number != one.number
                });
                let others: Vec<_> = others.collect();
                assert_eq!(others.len(), 1, "{one:?}");
                assert_eq!(others[0].opening, one.opening);
                assert_eq!(others[0].seats, [one.seats[1], one.seats[0]]);
            }
        }
        let mut alone = schedule(2, 4, 1);
        assert_eq!(alone.fixture(0).pair, None);
        (alone.repeat, alone.swaps) = (2, false);
        assert_eq!(alone.fixture(0).pair, None);
        assert_eq!(alone.fixture(1).seats, [0, 1]);
        alone.reversed = true;
        assert_eq!(alone.fixture(1).seats, [1, 0]);
    }

    #[test]
    fn games_of_an_earlier_run_are_left_out() {
        let mut schedule = schedule(2, 2, 1);
        schedule.leave_out(0);
        schedule.leave_out(2);
        let numbers: Vec<_> = schedule.map(|fixture| fixture.number).collect();
        assert_eq!(numbers, [1, 3]);
    }

    #[test]
    fn who_plays_whom() {
        assert_eq!(pairings(3, 3), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(pairings(1, 3), [(0, 1), (0, 2)]);
        let apart = [(0, 2), (0, 3), (1, 2), (1, 3)];
        assert_eq!(gauntlet(2, 4, Style::Cutechess), apart);
        let together = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)];
        assert_eq!(gauntlet(2, 4, Style::Fastchess), together);
        assert_eq!(gauntlet(9, 3, Style::Cutechess), [(0, 2), (1, 2)]);
    }
}
