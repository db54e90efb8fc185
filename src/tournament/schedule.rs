//! Who plays whom, when, and from which opening.

use super::fixture::Fixture;
use super::knockout::Knockout;
use super::options::{Format, Options, Policy};
use crate::games::Side;
use std::collections::HashSet;

/// What is to be played next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// A game.
    Play(Fixture),
    /// It depends on games that are under way.
    Wait,
    /// All games have begun.
    Done,
}

/// The games of a match.
pub enum Schedule {
    /// They are known from the beginning.
    Rounds(Rounds),
    /// They depend on the results.
    Knockout(Knockout),
}

impl Schedule {
    /// That of a match.
    pub fn new(options: &Options) -> Self {
        let engines = options.engines.len();
        let pairings = match options.format {
            Format::RoundRobin => pairs(engines, engines),
            Format::Gauntlet => pairs(options.seeds.min(engines), engines),
            Format::Pyramid => (1..engines)
                .flat_map(|second| (0..second).map(move |first| (first, second)))
                .collect(),
            Format::Knockout => {
                return Self::Knockout(Knockout::new(
                    engines,
                    options.games * options.rounds,
                    options.repeat,
                    options.swaps,
                    options.reversed,
                ));
            }
        };
        Self::Rounds(Rounds {
            pairings,
            games: options.games,
            rounds: options.rounds,
            repeat: options.repeat,
            policy: options.policy,
            swaps: options.swaps,
            reversed: options.reversed,
            next: 0,
            finished: HashSet::new(),
        })
    }

    /// How many games there will be at most, unless a knockout goes on.
    pub fn total(&self) -> u64 {
        match self {
            Self::Rounds(rounds) => rounds.total(),
            Self::Knockout(knockout) => knockout.total(),
        }
    }

    /// What is to be played next.
    pub fn next(&mut self) -> Next {
        match self {
            Self::Rounds(rounds) => rounds.next(),
            Self::Knockout(knockout) => match knockout.next() {
                (Some(fixture), _) => Next::Play(fixture),
                (None, false) => Next::Wait,
                (None, true) => Next::Done,
            },
        }
    }

    /// Notes the end of a game, which may have been played in an earlier run.
    pub fn finished(&mut self, fixture: &Fixture, winner: Option<Side>) {
        match self {
            Self::Rounds(rounds) => drop(rounds.finished.insert(fixture.number)),
            Self::Knockout(knockout) => knockout.finished(fixture, winner),
        }
    }

    /// What became of the matches of a knockout: who played and who went on.
    pub fn matches(&self) -> Vec<([usize; 2], Option<usize>)> {
        match self {
            Self::Rounds(_) => Vec::new(),
            Self::Knockout(knockout) => knockout.results(),
        }
    }
}

/// The games of a match of which all are known from the beginning, by number.
pub struct Rounds {
    pairings: Vec<(usize, usize)>,
    games: u64,
    rounds: u64,
    repeat: u64,
    policy: Policy,
    swaps: bool,
    reversed: bool,
    /// The number of the game that begins next, unless it is finished.
    next: u64,
    finished: HashSet<u64>,
}

impl Rounds {
    fn total(&self) -> u64 {
        self.pairings.len() as u64 * self.games * self.rounds
    }

    fn next(&mut self) -> Next {
        while self.finished.contains(&self.next) {
            self.next += 1;
        }
        if self.next >= self.total() {
            return Next::Done;
        }
        self.next += 1;
        Next::Play(self.fixture(self.next - 1))
    }

    /// The game with a number: rounds one after the other, in each all pairings, in each
    /// pairing its games. The engines of a pairing change colours after each game.
    fn fixture(&self, number: u64) -> Fixture {
        let encounter = number / self.games;
        let (in_encounter, round) = (number % self.games, encounter / self.pairings.len() as u64);
        let pairing = self.pairings[(encounter % self.pairings.len() as u64) as usize];
        // The how manieth game of these two it is.
        let game = round * self.games + in_encounter;
        let (first, second) = pairing;
        let seats = if (self.swaps && !game.is_multiple_of(2)) != self.reversed {
            [second, first]
        } else {
            [first, second]
        };
        let (opening, repetition) = match self.policy {
            Policy::Repetitions => (game / self.repeat, game % self.repeat),
            Policy::Default if self.pairings.len() == 1 => (game / self.repeat, game % self.repeat),
            Policy::Default => (
                encounter * self.games.div_ceil(self.repeat) + in_encounter / self.repeat,
                in_encounter % self.repeat,
            ),
            Policy::Encounter => (encounter, in_encounter),
            Policy::Round => (round, in_encounter),
        };
        // Every two games with one opening, if all of them can be in such a pair.
        let shared = match self.policy {
            Policy::Repetitions => self.repeat,
            Policy::Default if self.pairings.len() == 1 => self.repeat,
            Policy::Default if self.games.is_multiple_of(self.repeat) => self.repeat,
            Policy::Default => 1,
            Policy::Encounter | Policy::Round => self.games,
        };
        let is_paired = self.swaps && shared.is_multiple_of(2);
        Fixture {
            number,
            opening,
            repetition,
            seats,
            pairing,
            pair: is_paired.then_some(opening * (shared / 2) + repetition / 2),
        }
    }
}

/// All pairs of engines of which one is among the first so many.
fn pairs(firsts: usize, engines: usize) -> Vec<(usize, usize)> {
    (0..firsts)
        .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(pairings: Vec<(usize, usize)>, games: u64, repeat: u64, policy: Policy) -> Rounds {
        Rounds {
            pairings,
            games,
            rounds: 2,
            repeat,
            policy,
            swaps: true,
            reversed: false,
            next: 0,
            finished: HashSet::new(),
        }
    }

    fn openings(schedule: &Rounds) -> Vec<u64> {
        let numbers = 0..schedule.total();
        numbers
            .map(|number| schedule.fixture(number).opening)
            .collect()
    }

    #[test]
    fn when_openings_change() {
        let three = pairs(3, 3);
        for (games, repeat, policy, expected) in [
            (
                2,
                2,
                Policy::Repetitions,
                vec![0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
            ),
            (
                2,
                2,
                Policy::Default,
                vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
            ),
            (2, 1, Policy::Default, (0..12).collect()),
            (
                2,
                1,
                Policy::Encounter,
                vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
            ),
            (
                2,
                1,
                Policy::Round,
                vec![0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
            ),
        ] {
            let schedule = schedule(three.clone(), games, repeat, policy);
            assert_eq!(openings(&schedule), expected, "{policy:?}");
        }
        // With two engines it may take rounds to use an opening up.
        for policy in [Policy::Repetitions, Policy::Default] {
            assert_eq!(openings(&schedule(pairs(2, 2), 1, 2, policy)), [0, 0]);
        }
    }

    /// In a pair both have the same opening and each colour once, and each game is in one.
    #[test]
    fn pairs_swap_colours() {
        for policy in [
            Policy::Repetitions,
            Policy::Default,
            Policy::Encounter,
            Policy::Round,
        ] {
            for (games, repeat) in [(2, 2), (4, 2), (4, 4)] {
                let schedule = schedule(pairs(3, 3), games, repeat, policy);
                let fixtures: Vec<_> = (0..schedule.total()).map(|n| schedule.fixture(n)).collect();
                for one in &fixtures {
                    let others = fixtures.iter().filter(|other| {
                        (other.pairing, other.pair) == (one.pairing, one.pair)
                            && other.number != one.number
                    });
                    let others: Vec<_> = others.collect();
                    assert_eq!(others.len(), 1, "{policy:?} {one:?}");
                    assert_eq!(others[0].opening, one.opening);
                    assert_eq!(others[0].seats, [one.seats[1], one.seats[0]]);
                }
            }
        }
        let mut alone = schedule(pairs(2, 2), 4, 1, Policy::Default);
        assert_eq!(alone.fixture(0).pair, None);
        (alone.repeat, alone.swaps) = (2, false);
        assert_eq!(alone.fixture(0).pair, None);
        assert_eq!(alone.fixture(1).seats, [0, 1]);
        alone.reversed = true;
        assert_eq!(alone.fixture(1).seats, [1, 0]);
    }

    #[test]
    fn games_of_an_earlier_run_are_left_out() {
        let mut rounds = schedule(pairs(2, 2), 2, 1, Policy::Default);
        rounds.finished.extend([0, 2]);
        let numbers: Vec<_> = std::iter::from_fn(|| match rounds.next() {
            Next::Play(fixture) => Some(fixture.number),
            _ => None,
        })
        .collect();
        assert_eq!(numbers, [1, 3]);
    }

    #[test]
    fn who_plays_whom() {
        assert_eq!(pairs(3, 3), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(pairs(1, 3), [(0, 1), (0, 2)]);
    }
}
