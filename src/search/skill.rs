//! Play below full strength: a shallow search for several moves, and a choice among them that is
//! partly left to chance, as in Stockfish.

use super::strength::FULL_ELO;
use crate::games::Move;
use std::hash::{BuildHasher, Hasher, RandomState};

/// The level that plays as well as possible.
pub const FULL_SKILL: u32 = 20;
/// Levels from one with a known Elo to the next.
const STEP: f64 = 4.0;
/// The number of moves to choose from.
const CHOICES: usize = 5;
/// The greatest over-estimate of a move for each level below full strength.
const ERROR: f64 = 15.0;

/// A playing strength below full.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    level: f64,
}

impl Skill {
    /// Returns the skill of a level from 0; `None` for full strength.
    pub fn of_level(level: f64) -> Option<Self> {
        (level < f64::from(FULL_SKILL)).then_some(Self { level })
    }

    /// Returns the skill of an Elo, interpolated between the levels 0, 4, 8 and so on; `None` for
    /// full strength.
    pub fn of_elo(elo: i32, levels: &[i32]) -> Option<Self> {
        let mut below = *levels.first()?;
        for (index, &above) in levels.iter().skip(1).chain(&[FULL_ELO]).enumerate() {
            if elo < above {
                let part = f64::from(elo - below) / f64::from(above - below);
                return Self::of_level(STEP * (index as f64 + part.max(0.0)));
            }
            below = above;
        }
        None
    }

    /// Returns the greatest depth in plies.
    pub fn depth(self) -> u32 {
        1 + self.level as u32
    }

    /// Returns the number of lines to find among `moves` moves.
    pub fn lines(self, moves: usize) -> usize {
        CHOICES.min(moves)
    }

    /// Chooses among moves with their values.
    pub(super) fn choose(self, moves: impl Iterator<Item = (i32, Move)>) -> Option<Move> {
        let error = ERROR * (f64::from(FULL_SKILL) - self.level);
        moves
            .map(|(value, mv)| (f64::from(value) + error * random(), mv))
            .max_by(|(a, _), (b, _)| a.total_cmp(b))
            .map(|(_, mv)| mv)
    }
}

/// Returns a random number from 0 to 1, without a seed.
fn random() -> f64 {
    RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: [i32; 5] = [800, 1200, 1600, 2000, 2400];

    #[test]
    fn full_strength_has_no_limits() {
        assert_eq!(Skill::of_level(20.0), None);
        assert_eq!(Skill::of_elo(FULL_ELO, &LEVELS), None);
    }

    #[test]
    fn levels_lie_between_the_known_ones() {
        let level = |elo| Skill::of_elo(elo, &LEVELS).map(|skill| skill.level);
        assert_eq!(level(500), Some(0.0));
        assert_eq!(level(800), Some(0.0));
        assert_eq!(level(1300), Some(5.0));
        assert_eq!(level(2000), Some(12.0));
        assert_eq!(level(2400 + (FULL_ELO - 2400) / 2), Some(18.0));
    }
}
