//! Scores inside the search.
//!
//! A value is an `i32` from the view of the side to move, in the unit of
//! [`KindInfo::value`](crate::games::KindInfo::value). A win found *n* plies from the root is
//! worth [`MATE`] − *n*, so that shorter wins are better. An evaluation never returns
//! [`DRAW`], but a corrected one may be 0 too.

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

/// Returns the value of a game lost `ply` plies from the root.
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Returns the value of a game won `ply` plies from the root.
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

/// Returns the number of moves to a win found by the search, negative to a loss and 0 if the game is
/// lost already; `None` for another value.
pub const fn moves_to_mate(value: i32) -> Option<i32> {
    if !is_decisive(value) {
        None
    } else if value > 0 {
        Some((MATE - value + 1) / 2)
    } else {
        Some(-((MATE + value) / 2))
    }
}

/// A value as people see it: see [`ScoreModel::score`](super::ScoreModel::score).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In hundredths of a pawn: an expected result of 75 % is 100.
    Centipawns(i32),
    /// Moves to a win, negative moves to a loss; 0 for a game already lost.
    Mate(i32),
}

impl Score {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_distances_count_moves() {
        assert_eq!(moves_to_mate(mate_in(1)), Some(1));
        assert_eq!(moves_to_mate(mate_in(2)), Some(1));
        assert_eq!(moves_to_mate(mate_in(3)), Some(2));
        assert_eq!(moves_to_mate(mated_in(0)), Some(0));
        assert_eq!(moves_to_mate(mated_in(2)), Some(-1));
        assert_eq!(moves_to_mate(mated_in(4)), Some(-2));
        assert_eq!(moves_to_mate(-17), None);
    }
}
