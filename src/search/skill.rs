//! Play below full strength: a shallow search for several moves, and a choice among them that is
//! partly left to chance, as in Stockfish.

use super::value::mate_in;
use crate::games::Move;
use std::hash::{BuildHasher, Hasher, RandomState};

/// The level that plays as well as possible.
pub const FULL_SKILL: u32 = 20;
/// The Elo of level 0 in every game: of a player who mates in one, else captures, else moves at random.
pub const LOWEST_ELO: i32 = 400;
/// Handicaps whose Elo is measured in each game. From 0 on they are plies beyond the first; below 0 ever more
/// moves are made without a look at the board. The last one is full strength.
pub const HANDICAPS: [f64; 14] =
    [-8.0, -6.0, -4.0, -2.0, 0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0];
/// The handicap below which a move without a look can miss even a mate in one.
const BLIND: f64 = -6.0;
/// The most moves to choose from.
const CHOICES: usize = 5;
/// The greatest over-estimate of a move for each step below full strength.
const ERROR: f64 = 15.0;

/// The Elo of each of [`HANDICAPS`].
pub type SkillElo = [i32; HANDICAPS.len()];

/// Returns the Elo of a level: from the lowest level to full strength all steps are equal.
pub fn elo_of_level(level: f64, known: &SkillElo) -> f64 {
    let full = f64::from(known[known.len() - 1]);
    let lowest = f64::from(LOWEST_ELO);
    lowest + (full - lowest) * level / f64::from(FULL_SKILL)
}

/// A playing strength below full.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    handicap: f64,
}

impl Skill {
    /// Returns the skill of a level from 0; `None` for full strength.
    pub fn of_level(level: f64, known: &SkillElo) -> Option<Self> {
        Self::of_elo(elo_of_level(level, known), known)
    }

    /// Returns the skill of an Elo, interpolated between those that are known; `None` for full strength.
    pub fn of_elo(elo: f64, known: &SkillElo) -> Option<Self> {
        let above = known.iter().position(|&known| elo < f64::from(known))?;
        let [low, high] = [above.max(1) - 1, above.max(1)];
        let [from, to] = [low, high].map(|at| f64::from(known[at]));
        let part = ((elo - from) / (to - from)).max(0.0);
        let handicap = HANDICAPS[low] + part * (HANDICAPS[high] - HANDICAPS[low]);
        Some(Self { handicap })
    }

    /// Draws the greatest depth in plies, one of two between known handicaps.
    pub fn depth(self) -> u32 {
        1 + (self.handicap.max(0.0) + random()) as u32
    }

    /// Returns the number of lines to find among `moves` moves: close to full strength fewer, since each takes its
    /// share of the search.
    pub fn lines(self, moves: usize) -> usize {
        (1 + (f64::from(FULL_SKILL) - self.handicap) as usize).min(CHOICES).min(moves)
    }

    /// Chooses among all moves, the best first, of which the first `lines` have values.
    pub(super) fn choose(self, moves: &[(i32, Move)], lines: usize) -> Option<Move> {
        let &(best, _) = moves.first()?;
        let sees_mate = best == mate_in(1) && self.handicap >= BLIND;
        // A move without a look, as weak bots make; Fairy-Stockfish has levels below 0 too.
        if !sees_mate && random() < (self.handicap.min(0.0) / 10.0).powi(2) {
            let (_, mv) = moves[(random() * moves.len() as f64) as usize % moves.len()];
            return Some(mv);
        }
        let error = ERROR * (f64::from(FULL_SKILL) - self.handicap);
        let estimates = moves[..lines].iter();
        let estimates = estimates.map(|&(value, mv)| (f64::from(value) + error * random(), mv));
        estimates.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, mv)| mv)
    }
}

/// Returns a random number from 0 to 1, without a seed.
fn random() -> f64 {
    RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: SkillElo =
        [350, 450, 600, 700, 800, 900, 1000, 1100, 1200, 1400, 1700, 2100, 2500, 2900];

    #[test]
    fn full_strength_has_no_limits() {
        assert_eq!(Skill::of_level(20.0, &KNOWN), None);
        assert_eq!(Skill::of_elo(2900.0, &KNOWN), None);
    }

    #[test]
    fn close_to_full_strength_there_are_fewer_lines() {
        let lines = |level| Skill::of_level(level, &KNOWN).map(|skill| skill.lines(30));
        assert_eq!([10.0, 18.0, 19.0, 19.9].map(lines), [5, 3, 2, 1].map(Some));
        assert_eq!(Skill::of_level(10.0, &KNOWN).map(|skill| skill.lines(2)), Some(2));
    }

    #[test]
    fn what_lies_between_known_handicaps_is_interpolated() {
        let handicap = |elo| Skill::of_elo(elo, &KNOWN).map(|skill| skill.handicap);
        assert_eq!(handicap(100.0), Some(-8.0));
        assert_eq!(handicap(400.0), Some(-7.0));
        assert_eq!(handicap(650.0), Some(-3.0));
        assert_eq!(handicap(1300.0), Some(5.0));
        assert_eq!(handicap(2700.0), Some(18.0));
        assert_eq!(Skill::of_level(10.0, &KNOWN), Skill::of_elo(1650.0, &KNOWN));
    }
}
