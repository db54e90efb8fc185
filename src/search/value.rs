//! Scores inside the search.
//!
//! A value is an `i32` from the view of the side to move, in the unit of
//! [`KindInfo::value`](crate::games::KindInfo::value). A win found *n* plies from the root is
//! worth [`MATE`] − *n*, so that shorter wins are better. An evaluation never returns
//! [`DRAW`], but a corrected one may be 0 too.

use super::strength::ScoreModel;

/// The greatest number of plies from the root.
pub const MAX_PLY: usize = 200;

/// A draw.
pub const DRAW: i32 = 0;

/// The value of a game won at the root.
pub const MATE: i32 = 32_000;

/// The least value of a win found by the search.
pub const MATE_IN_MAX_PLY: i32 = MATE - MAX_PLY as i32;
const _: () = assert!(MATE_IN_MAX_PLY > crate::eval::LIMIT);

/// A bound beyond every value.
pub const INFINITE: i32 = MATE + 1;

/// Returns the value of having lost, `ply` plies from the root.
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Returns the value of having won, `ply` plies from the root.
pub const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// Returns true if a value is a win or a loss found by the search.
pub const fn is_decisive(value: i32) -> bool {
    value.abs() >= MATE_IN_MAX_PLY
}

/// Returns the plies from the root to the end of a win or loss.
pub const fn plies_to_end(decisive: i32) -> usize {
    (MATE - decisive.abs()) as usize
}

/// A value as it is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In the unit of [`KindInfo::value`](crate::games::KindInfo::value).
    Centipawns(i32),
    /// Moves to a win, negative moves to a loss; 0 for a game already lost.
    Mate(i32),
}

impl Score {
    /// Converts a value at the root.
    pub const fn new(value: i32) -> Self {
        if !is_decisive(value) {
            Self::Centipawns(value)
        } else if value > 0 {
            Self::Mate((MATE - value + 1) / 2)
        } else {
            Self::Mate(-((MATE + value) / 2))
        }
    }

    /// Returns the score of the other side.
    pub const fn negated(self) -> Self {
        match self {
            Self::Centipawns(value) => Self::Centipawns(-value),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }

    /// Returns the score as a number: `mate` for a win, `-mate` for a loss.
    pub const fn clamped_centipawns(self, mate: i32) -> i32 {
        match self {
            Self::Centipawns(value) => value,
            Self::Mate(moves) if moves > 0 => mate,
            Self::Mate(_) => -mate,
        }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Centipawns(value) => write!(f, "cp {value}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// Returns the chances to win, draw and lose with a score, in thousandths.
pub fn win_draw_loss(score: Score, model: ScoreModel) -> [u32; 3] {
    let value = match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => return [1000, 0, 0],
        Score::Mate(_) => return [0, 0, 1000],
    };
    let [won, _, lost] = model
        .chances(value)
        .map(|chance| (1000.0 * chance).round() as u32);
    let lost = lost.min(1000 - won);
    [won, 1000 - won - lost, lost]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_distances_count_moves() {
        assert_eq!(Score::new(mate_in(1)), Score::Mate(1));
        assert_eq!(Score::new(mate_in(2)), Score::Mate(1));
        assert_eq!(Score::new(mate_in(3)), Score::Mate(2));
        assert_eq!(Score::new(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::new(mated_in(2)), Score::Mate(-1));
        assert_eq!(Score::new(mated_in(4)), Score::Mate(-2));
        assert_eq!(Score::new(-17), Score::Centipawns(-17));
    }

    #[test]
    fn chances_are_of_one_whole_and_symmetrical() {
        let model = ScoreModel {
            lead: 141,
            spread: 308,
        };
        assert_eq!(win_draw_loss(Score::Centipawns(141), model)[0], 500);
        let mut before = 0;
        for value in -3000..=3000 {
            let chances = win_draw_loss(Score::Centipawns(value), model);
            let [lost, drawn, won] = win_draw_loss(Score::Centipawns(-value), model);
            assert_eq!(chances, [won, drawn, lost], "{value}");
            assert_eq!(chances.iter().sum::<u32>(), 1000, "{value}");
            assert!(chances[0] >= before, "{value}");
            before = chances[0];
        }
        assert_eq!(win_draw_loss(Score::Mate(1), model), [1000, 0, 0]);
        assert_eq!(win_draw_loss(Score::Mate(0), model), [0, 0, 1000]);
        let without_draws = ScoreModel {
            lead: 0,
            spread: 172,
        };
        let even = win_draw_loss(Score::Centipawns(0), without_draws);
        assert_eq!(even, [500, 0, 500]);
    }
}
