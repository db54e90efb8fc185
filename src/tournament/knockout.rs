//! A knockout: who loses a match is out.

use super::fixture::Fixture;
use crate::games::Side;
use std::collections::HashMap;

/// How many pairs of games are played on after a match that nobody won; then the engine that
/// was named first goes on.
const MOST_PAIRS: u64 = 8;

/// Where a player of a match comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Engine(usize),
    WinnerOf(usize),
}

/// The matches of a knockout. The first engine meets the last, the second the last but one;
/// if there is nobody to meet, it goes on alone.
pub struct Knockout {
    matches: Vec<[Source; 2]>,
    /// Games of a match.
    games: u64,
    /// Games with an opening.
    repeat: u64,
    swaps: bool,
    reversed: bool,
    /// Games that have begun, and for those that are finished, the engine that won.
    begun: HashMap<u64, Option<Option<usize>>>,
}

/// How a match stands.
enum Standing {
    /// It is for this game to say.
    Open(u64),
    /// Somebody goes on.
    Won(usize),
}

impl Knockout {
    /// The matches of so many engines.
    pub fn new(engines: usize, games: u64, repeat: u64, swaps: bool, reversed: bool) -> Self {
        let size = engines.next_power_of_two();
        let mut round: Vec<_> = bracket(size)
            .into_iter()
            .map(|seed| (seed < engines).then_some(Source::Engine(seed)))
            .collect();
        let mut matches = Vec::new();
        while round.len() > 1 {
            let pairs = round.chunks(2).map(|pair| match *pair {
                [Some(one), Some(other)] => {
                    matches.push([one, other]);
                    Some(Source::WinnerOf(matches.len() - 1))
                }
                [one, other] => one.or(other),
                _ => None,
            });
            round = pairs.collect();
        }
        Self {
            matches,
            games,
            repeat,
            swaps,
            reversed,
            begun: HashMap::new(),
        }
    }

    /// How many games there will be, unless matches are drawn.
    pub fn total(&self) -> u64 {
        self.matches.len() as u64 * self.games
    }

    /// The next game, if one can begin, and whether that is all.
    pub fn next(&mut self) -> (Option<Fixture>, bool) {
        let mut is_over = true;
        for index in 0..self.matches.len() {
            let Some(players) = self.players(index) else {
                is_over = false;
                continue;
            };
            let Standing::Open(last) = self.standing(index) else {
                continue;
            };
            is_over = false;
            let free = (0..=last).find(|&game| !self.begun.contains_key(&self.number(index, game)));
            if let Some(game) = free {
                let number = self.number(index, game);
                self.begun.insert(number, None);
                return (Some(self.fixture(number, players, game)), false);
            }
        }
        (None, is_over)
    }

    /// Notes the end of a game.
    pub fn finished(&mut self, fixture: &Fixture, winner: Option<Side>) {
        let winner = winner.map(|side| fixture.seats[side.index()]);
        self.begun.insert(fixture.number, Some(winner));
    }

    /// What became of each match that has players: who they are and who went on.
    pub fn results(&self) -> Vec<([usize; 2], Option<usize>)> {
        let known = (0..self.matches.len()).filter_map(|index| Some((index, self.players(index)?)));
        known
            .map(|(index, players)| {
                let winner = match self.standing(index) {
                    Standing::Won(winner) => Some(winner),
                    Standing::Open(_) => None,
                };
                (players, winner)
            })
            .collect()
    }

    fn players(&self, index: usize) -> Option<[usize; 2]> {
        let player = |source| match source {
            Source::Engine(engine) => Some(engine),
            Source::WinnerOf(index) => {
                self.players(index)?;
                match self.standing(index) {
                    Standing::Won(winner) => Some(winner),
                    Standing::Open(_) => None,
                }
            }
        };
        let [one, other] = self.matches[index];
        let (one, other) = (player(one)?, player(other)?);
        Some([one.min(other), one.max(other)])
    }

    /// Of a match whose players are known: the one that goes on, or up to which game it is
    /// open.
    fn standing(&self, index: usize) -> Standing {
        let players = self.players(index).unwrap_or_default();
        let mut lead = 0;
        let most = self.games + 2 * MOST_PAIRS;
        for game in 0..most {
            let is_end = game >= self.games && (game - self.games).is_multiple_of(2);
            if is_end && lead != 0 {
                break;
            }
            match self.begun.get(&self.number(index, game)) {
                Some(Some(winner)) => {
                    lead += match winner {
                        Some(engine) if *engine == players[0] => 1,
                        Some(_) => -1,
                        None => 0,
                    };
                }
                // All games of the match, or of the pair that is to decide it.
                _ if game < self.games => return Standing::Open(self.games - 1),
                _ => return Standing::Open(game | 1),
            }
        }
        Standing::Won(players[usize::from(lead < 0)])
    }

    /// The number of a game of a match: first those that are sure to be played.
    fn number(&self, index: usize, game: u64) -> u64 {
        let index = index as u64;
        if game < self.games {
            index * self.games + game
        } else {
            self.total() + index * 2 * MOST_PAIRS + game - self.games
        }
    }

    fn fixture(&self, number: u64, players: [usize; 2], game: u64) -> Fixture {
        let [one, other] = players;
        let seats = if (self.swaps && !game.is_multiple_of(2)) != self.reversed {
            [other, one]
        } else {
            [one, other]
        };
        let is_paired = self.swaps && self.repeat.is_multiple_of(2);
        Fixture {
            number,
            opening: game / self.repeat,
            repetition: game % self.repeat,
            seats,
            pairing: (one, other),
            pair: is_paired.then_some(game / 2),
        }
    }
}

/// The seeds in the order in which they meet, so that the best meet last.
fn bracket(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let last = 2 * order.len() - 1;
        order = order
            .into_iter()
            .flat_map(|seed| [seed, last - seed])
            .collect();
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays all, with a rule for who wins, and returns the players of each game.
    fn play(knockout: &mut Knockout, wins: impl Fn(&Fixture) -> Option<Side>) -> Vec<[usize; 2]> {
        let mut games = Vec::new();
        loop {
            match knockout.next() {
                (Some(fixture), _) => {
                    games.push(fixture.seats);
                    let winner = wins(&fixture);
                    knockout.finished(&fixture, winner);
                }
                (None, is_over) => {
                    assert!(is_over);
                    return games;
                }
            }
        }
    }

    fn winner(knockout: &Knockout) -> Option<usize> {
        knockout.results().last().and_then(|(_, winner)| *winner)
    }

    #[test]
    fn brackets() {
        assert_eq!(bracket(1), [0]);
        assert_eq!(bracket(4), [0, 3, 1, 2]);
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn the_better_one_always_wins() {
        for engines in 2..=9 {
            let mut knockout = Knockout::new(engines, 2, 2, true, false);
            let better = |fixture: &Fixture| {
                let [white, black] = fixture.seats;
                Some(if white > black {
                    Side::White
                } else {
                    Side::Black
                })
            };
            let games = play(&mut knockout, better);
            assert_eq!(games.len(), 2 * (engines - 1));
            assert_eq!(games.len() as u64, knockout.total());
            assert_eq!(winner(&knockout), Some(engines - 1));
            assert_eq!(knockout.results().len(), engines - 1);
        }
    }

    #[test]
    fn drawn_matches_go_on_in_pairs() {
        // White always wins: no pair decides, until the first named goes on.
        let mut knockout = Knockout::new(2, 2, 2, true, false);
        let games = play(&mut knockout, |_| Some(Side::White));
        assert_eq!(games.len() as u64, 2 + 2 * MOST_PAIRS);
        assert_eq!(winner(&knockout), Some(0));
        // The third game is drawn, the fourth is not.
        let mut knockout = Knockout::new(2, 1, 1, true, false);
        let games = play(&mut knockout, |fixture| {
            (fixture.number == 2).then_some(Side::Black)
        });
        assert_eq!(games, [[0, 1], [1, 0], [0, 1]]);
        assert_eq!(winner(&knockout), Some(1));
    }

    #[test]
    fn what_is_not_decided_waits() {
        let mut knockout = Knockout::new(4, 1, 1, true, false);
        let (first, second) = (knockout.next().0.unwrap(), knockout.next().0.unwrap());
        assert_eq!((first.seats, second.seats), ([0, 3], [1, 2]));
        assert_eq!(knockout.next(), (None, false));
        knockout.finished(&second, Some(Side::Black));
        assert_eq!(knockout.next(), (None, false));
        knockout.finished(&first, Some(Side::White));
        let last = knockout.next().0.unwrap();
        assert_eq!(last.seats, [0, 2]);
    }
}
