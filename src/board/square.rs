//! The index of a square.

/// The index of a square, below 128.
///
/// Squares that exist are numbered rank by rank from `a1`'s side, file by file, so that a step up
/// or to the right always raises the index. The board's [`Geometry`](super::Geometry) knows the
/// name and the neighbours of an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// Returns the square with an index; only the lowest seven bits count.
    #[inline]
    pub const fn new(index: u8) -> Self {
        Self(index & 127)
    }

    /// Returns the index, below 128: an array of 128 entries needs no bounds check.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }

    /// Returns the square `by` indices further up, or down if negative.
    #[inline]
    pub const fn offset(self, by: i8) -> Self {
        Self::new(self.0.wrapping_add_signed(by))
    }
}
