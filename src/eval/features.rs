//! The features of a network: one for each piece, by owner (mine or theirs), kind and square, as
//! a side sees the board.

use super::shape::BUCKETS;
use crate::board::Square;
use crate::games::{Game, GameExt, Kind, Piece, Side};

/// The feature indices of pieces on squares.
pub struct Features {
    /// By viewer, piece and square.
    table: Box<[[[u16; 128]; Piece::COUNT]; 2]>,
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
        Self { table, most_pieces: G::start().placement().occupied().count() as usize }
    }

    /// Returns the feature of a piece on a square, as `viewer` sees it.
    #[inline]
    pub fn index(&self, viewer: Side, piece: Piece, square: Square) -> usize {
        usize::from(self.table[viewer.index()][piece.index()][square.index()])
    }

    /// Returns the bucket of output weights for a number of pieces.
    #[inline]
    pub fn bucket(&self, pieces: usize) -> usize {
        (pieces.saturating_sub(1) * BUCKETS / self.most_pieces.max(1)).min(BUCKETS - 1)
    }
}
