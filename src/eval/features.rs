//! The features of a network: one for each piece, by owner (mine or theirs), kind and square, as
//! a side sees the board. Some games add one for each pair of pieces that see each other.

use super::pairs::{PairList, Pairs};
use super::shape::{BUCKETS, Shape};
use crate::board::{Bitboard, Square};
use crate::games::{Game, GameExt, Kind, Piece, Placement, Side};

/// The indices of a feature for White and for Black.
pub type FeatureIndices = [u16; 2];

/// Features of pieces and of pairs.
pub(super) struct FeatureList {
    pub pieces: Vec<FeatureIndices>,
    pub pairs: PairList,
}

impl FeatureList {
    pub(super) const EMPTY: Self = Self { pieces: Vec::new(), pairs: PairList::EMPTY };

    #[inline]
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.pairs.clear();
    }
}

/// The feature indices of pieces on squares, and of pairs.
pub struct Features {
    /// By viewer, piece and square.
    table: Box<[[[u16; 128]; Piece::COUNT]; 2]>,
    pairs: Option<Box<Pairs>>,
    /// The number of pieces in the start position, which falls into the last bucket.
    most_pieces: usize,
}

impl Features {
    /// Numbers the features of a game.
    pub fn of<G: Game>() -> Self {
        let squares = G::GEOMETRY.count();
        let mut table = Box::new([[[0; 128]; Piece::COUNT]; 2]);
        for (viewer, table) in Side::BOTH.into_iter().zip(table.iter_mut()) {
            for owner in Side::BOTH {
                for kind in 0..G::KINDS.len() {
                    let piece = Piece::new(owner, Kind::new(kind as u8));
                    let theirs = usize::from(owner != viewer);
                    for square in G::GEOMETRY.squares() {
                        let seen = match viewer {
                            Side::White => square,
                            Side::Black => G::perspective(square),
                        };
                        let feature = (theirs * G::KINDS.len() + kind) * squares + seen.index();
                        table[piece.index()][square.index()] = feature as u16;
                    }
                }
            }
        }
        const { assert!(!G::NETWORK_SEES_PAIRS || G::GEOMETRY.count() <= 64) }
        let pairs = G::NETWORK_SEES_PAIRS.then(|| {
            let perspective = |index| G::perspective(Square::new(index as u8)).index();
            let first = Shape::of::<G>(0).piece_features();
            Box::new(Pairs::new(G::GEOMETRY, first, std::array::from_fn(perspective)))
        });
        Self { table, pairs, most_pieces: G::start().placement().occupied().count() as usize }
    }

    /// Returns the feature of a piece on a square.
    #[inline]
    pub fn piece(&self, piece: Piece, square: Square) -> FeatureIndices {
        [0, 1].map(|viewer: usize| self.table[viewer][piece.index()][square.index()])
    }

    /// Hands the features of all pairs of White's and Black's pieces to `sink`.
    pub fn pairs(&self, sides: [Bitboard; 2], sink: impl FnMut(FeatureIndices)) {
        if let Some(pairs) = &self.pairs {
            let mut list = PairList::EMPTY;
            pairs.list(sides, sides[0] | sides[1], &mut list);
            list.entries().iter().copied().for_each(sink);
        }
    }

    /// Fills `list` with the features of the pieces on `changed`, and of the pairs that end there or have one of
    /// these squares between them.
    #[inline]
    pub(super) fn list(&self, placement: &Placement, changed: Bitboard, list: &mut FeatureList) {
        list.clear();
        for square in changed {
            if let Some(piece) = placement.at(square) {
                list.pieces.push(self.piece(piece, square));
            }
        }
        if let Some(pairs) = &self.pairs {
            let sides = Side::BOTH.map(|side| placement.side(side));
            pairs.list(sides, changed, &mut list.pairs);
        }
    }

    /// Returns the bucket of output weights for a number of pieces.
    #[inline]
    pub fn bucket(&self, pieces: usize) -> usize {
        (pieces.saturating_sub(1) * BUCKETS / self.most_pieces.max(1)).min(BUCKETS - 1)
    }
}
