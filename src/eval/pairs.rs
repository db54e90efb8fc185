//! Features of two pieces on a rank, file or diagonal with nothing between them: by their squares and owners, whatever
//! their kinds. A move changes only those on the lines through its squares.

use super::features::FeatureIndices;
use crate::board::{Bitboard, Geometry, Square};

/// Owners of the lower and the higher piece: mine and mine, mine and theirs, theirs and mine, theirs and theirs.
const OWNERS: usize = 4;

/// The features of pairs on a board of at most 64 squares.
pub(super) struct Pairs {
    /// By square, the rays in the eight directions.
    rays: [[u64; 8]; 64],
    /// By the lower and the higher square, for White and for Black: twice the index of their first feature, plus 1 if
    /// that side sees the squares in reverse order.
    indices: Box<[[FeatureIndices; 64]; 64]>,
}

/// The most pairs in a list: more than the 210 of a full board of 64 squares.
const MAX_PAIRS: usize = 256;

/// A list of pairs, to which entries are added without a branch.
pub(super) struct PairList {
    entries: [FeatureIndices; MAX_PAIRS],
    count: usize,
}

impl PairList {
    pub(super) const EMPTY: Self = Self { entries: [[0; 2]; MAX_PAIRS], count: 0 };

    #[inline]
    fn push_if(&mut self, condition: bool, pair: FeatureIndices) {
        self.entries[self.count % MAX_PAIRS] = pair;
        self.count += usize::from(condition);
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline]
    pub(super) fn entries(&self) -> &[FeatureIndices] {
        &self.entries[..self.count.min(MAX_PAIRS)]
    }
}

/// Returns the number of pair features of a board.
pub(super) fn count(board: &Geometry) -> usize {
    let on_rays = |square| (0..8).map(move |direction| board.ray(square, direction).count());
    let ordered: u32 = board.squares().flat_map(on_rays).sum();
    OWNERS * ordered as usize / 2
}

impl Pairs {
    /// Numbers the pairs of a board from `first` on. `perspective` maps each square to the one that Black sees, and is
    /// its own inverse.
    pub(super) fn new(board: &Geometry, first: usize, perspective: [usize; 64]) -> Self {
        let mut rays = [[0; 8]; 64];
        let mut indices = Box::new([[[0; 2]; 64]; 64]);
        let mut next = 2 * first as u16;
        for from in board.squares() {
            let low = from.index();
            rays[low] = std::array::from_fn(|direction| board.ray(from, direction).bits() as u64);
            for high in (0..4).flat_map(|axis| board.ray(from, axis)).map(Square::index) {
                indices[low][high][0] = next;
                let [a, b] = [perspective[low], perspective[high]];
                indices[a.min(b)][a.max(b)][1] = next + u16::from(a > b);
                next += 2 * OWNERS as u16;
            }
        }
        debug_assert_eq!(usize::from(next), 2 * (first + count(board)));
        Self { rays, indices }
    }

    /// Appends to `list`, once each, the pairs that end on a square of `changed` or have one between them. `sides` has
    /// the pieces of White and of Black.
    #[inline]
    pub(super) fn list(&self, sides: [Bitboard; 2], changed: Bitboard, list: &mut PairList) {
        let [white, black, changed] = [sides[0], sides[1], changed].map(|set| set.bits() as u64);
        let occupied = white | black;
        let mut left = changed;
        while left != 0 {
            let square = left.trailing_zeros() as usize & 63;
            left &= left - 1;
            let is_empty = occupied >> square & 1 == 0;
            for axis in 0..4 {
                let (above, below) = (self.rays[square][axis], self.rays[square][axis + 4]);
                let is_seen = [above, below].map(|ray| ray & occupied != 0);
                let high = (above & occupied).trailing_zeros() as usize & 63;
                let low = (below & occupied | 1).ilog2() as usize & 63;
                let has_changed = |square: usize| changed >> square & 1 != 0;
                if is_empty {
                    // Several changed squares may lie between the two: the lowest lists the pair.
                    let is_here = !has_changed(high) & ((below & changed) >> low == 0);
                    let pair = self.feature(black, low, high);
                    list.push_if(is_seen[0] & is_seen[1] & is_here, pair);
                } else {
                    let pair = self.feature(black, square, high);
                    list.push_if(is_seen[0], pair);
                    let pair = self.feature(black, low, square);
                    list.push_if(is_seen[1] & !has_changed(low), pair);
                }
            }
        }
    }

    /// Returns the feature of two pieces.
    #[inline]
    fn feature(&self, black: u64, low: usize, high: usize) -> FeatureIndices {
        let [low_is_black, high_is_black] = [low, high].map(|square| (black >> square & 1) as u16);
        let owners = [2 * low_is_black + high_is_black, 2 * high_is_black + low_is_black];
        let [for_white, for_black] = self.indices[low][high];
        let owners_for_black = 3 - owners[usize::from(for_black & 1)];
        [for_white / 2 + owners[0], for_black / 2 + owners_for_black]
    }
}
