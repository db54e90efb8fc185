//! Correction history: past errors of the evaluation, learned by features that positions share
//! (from the engine Caissa; in Stockfish since 2024).

use super::history::{PIECE_TO, PieceTo};
use super::params::{CORRECTION_LIMIT, correction, correction_bonus};
use crate::board::Bitboard;
use crate::games::{Game, GameExt, Kind, Placement, Side};
use std::sync::atomic::{AtomicBool, AtomicI16, Ordering::Relaxed};

/// Entries of a table, a power of two.
const ENTRIES: usize = 1 << 14;

/// Features that similar positions share: the squares of the most frequent kind, the squares of
/// each side's other pieces, the last two moves.
const KEYS: usize = 4;

/// By shared feature and side to move.
type Tables = [[[AtomicI16; ENTRIES]; 2]; KEYS];

/// Bits of a move in the key of the last two moves, where 0 is no move.
const MOVE_BITS: u32 = (PIECE_TO + 1).next_power_of_two().ilog2();

/// The corrections, shared by all threads as in Stockfish since 2025. A lost update does not
/// matter.
pub(super) struct Corrections {
    tables: Box<Tables>,
    /// The most frequent kind in the start position: the pawns, where there are any.
    frequent: Kind,
    /// True if anything was learned since the last [`clear`](Self::clear).
    dirty: AtomicBool,
}

/// Mixes a set of squares into a hash.
#[inline]
fn mix(hash: u64, squares: Bitboard) -> u64 {
    let bits = squares.bits();
    let low = (hash ^ bits as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (low.rotate_left(29) ^ (bits >> 64) as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

impl Corrections {
    pub(super) fn new<G: Game>() -> Self {
        let tables = (0..KEYS)
            .map(|_| std::array::from_fn(|_| std::array::from_fn(|_| AtomicI16::new(0))))
            .collect::<Vec<_>>()
            .try_into();
        Self {
            tables: tables.unwrap_or_else(|_| unreachable!("there are so many")),
            frequent: G::start().placement().most_frequent_kind(),
            dirty: AtomicBool::new(false),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        if self.dirty.swap(false, Relaxed) {
            for entry in self.tables.as_flattened().as_flattened() {
                entry.store(0, Relaxed);
            }
        }
    }

    #[inline]
    fn indices(&self, placement: &Placement, before: [Option<PieceTo>; 3]) -> [usize; KEYS] {
        let frequent = placement.kind(self.frequent);
        let side = |side: Side| {
            let own = placement.side(side);
            let others = mix(side as u64 + 3, own.without(frequent));
            (mix(side as u64 + 1, own & frequent), others)
        };
        let (white, white_others) = side(Side::White);
        let (black, black_others) = side(Side::Black);
        let [last, second, _] =
            before.map(|moved| moved.map_or(0, |moved| 1 + moved.index() as u64));
        let moves = (last << MOVE_BITS | second).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        [white ^ black.rotate_left(7), white_others, black_others, moves]
            .map(|hash| (hash >> 40) as usize % ENTRIES)
    }

    /// Returns the correction to add to the evaluation.
    #[inline]
    pub(super) fn of(&self, placement: &Placement, before: [Option<PieceTo>; 3]) -> i32 {
        let us = placement.to_move().index();
        let indices = self.indices(placement, before);
        let sum: i32 = self
            .tables
            .iter()
            .zip(indices)
            .map(|(table, index)| i32::from(table[us][index].load(Relaxed)))
            .sum();
        correction(sum)
    }

    /// Learns from a search whose value exceeds the evaluation by `difference`.
    pub(super) fn update(
        &self,
        placement: &Placement,
        before: [Option<PieceTo>; 3],
        depth: i32,
        difference: i32,
    ) {
        self.dirty.store(true, Relaxed);
        let us = placement.to_move().index();
        let bonus = correction_bonus(difference, depth);
        let indices = self.indices(placement, before);
        for (table, index) in self.tables.iter().zip(indices) {
            let entry = &table[us][index];
            let value = i32::from(entry.load(Relaxed));
            let value = value + bonus - value * bonus.abs() / CORRECTION_LIMIT;
            entry.store(value as i16, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::*;
    use crate::positions::{random_positions, test_all_games};

    const NOTHING_BEFORE: [Option<PieceTo>; 3] = [None; 3];

    /// Corrections apply to the position they were learned from, stay within the limit, and are
    /// cleared on demand.
    fn learns_and_forgets<G: Game>() {
        let greatest = correction(KEYS as i32 * CORRECTION_LIMIT);
        let corrections = Corrections::new::<G>();
        for position in random_positions::<G>(20) {
            let placement = position.placement();
            for (difference, sign) in [(300, 1), (-30_000, -1)] {
                corrections.clear();
                assert_eq!(corrections.of(placement, NOTHING_BEFORE), 0);
                let mut last = 0;
                for _ in 0..100 {
                    corrections.update(placement, NOTHING_BEFORE, 20, difference);
                    let now = sign * corrections.of(placement, NOTHING_BEFORE);
                    assert!((last..=greatest).contains(&now), "{last} to {now}");
                    last = now;
                }
                assert!(last > 0);
            }
        }
    }

    /// Positions with nothing in common do not learn from each other.
    fn keeps_apart<G: Game>() {
        let corrections = Corrections::new::<G>();
        let start = G::start();
        let moves = [Some(PieceTo {
            piece: Piece::new(Side::White, Kind::new(0)),
            mv: start.legal_moves()[0],
        }); 3];
        corrections.update(start.placement(), moves, 20, 500);
        let mut other = start.clone();
        other.pass();
        assert_eq!(corrections.of(other.placement(), NOTHING_BEFORE), 0);
        assert!(corrections.of(start.placement(), NOTHING_BEFORE) > 0);
    }

    test_all_games! {
        learns_and_forgets
        keeps_apart
    }
}
