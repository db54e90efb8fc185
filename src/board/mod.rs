//! Squares, sets of squares, and the geometry of a board.
//!
//! Nothing here knows a game: a board is a shape, and pieces are leaps and lines.

mod bitboard;
mod geometry;
mod sliders;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use geometry::{
    DIRECTIONS, Geometry, KING_LEAPS, KNIGHT_LEAPS, MAX_SIDE, SquareName, SquareTable,
};
pub use square::Square;
