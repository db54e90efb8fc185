//! Moves and their receivers.

use super::{Kind, KindInfo, MAX_KINDS};
use crate::board::{Bitboard, Square};
use std::num::NonZeroU32;

/// A move: two squares and, if a pawn promotes, its new kind.
///
/// Other effects (captures, castling, a politician's change, a new piece) follow from the position.
/// The encoding takes 18 bits: from 7, to 7, promotion 4. `Option<Move>` is four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(NonZeroU32);

impl Move {
    /// The number of bits of [`Move::bits`].
    pub const BITS: u32 = 18;
    const KIND_BITS: u32 = Self::BITS - 14;

    /// Creates a move without promotion. The squares must differ.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        debug_assert!(from.index() != to.index());
        // Two squares that differ cannot both be 0, so `|` never meets 0; the fallback
        // keeps the function total.
        match NonZeroU32::new(from.index() as u32 | (to.index() as u32) << 7) {
            Some(bits) => Self(bits),
            None => Self(NonZeroU32::MIN),
        }
    }

    /// Returns a promotion.
    #[inline]
    pub const fn promoting(from: Square, to: Square, kind: Kind) -> Self {
        Self(
            NonZeroU32::MIN.saturating_add(
                (from.index() | to.index() << 7 | (kind.index() + 1) << 14) as u32 - 1,
            ),
        )
    }

    /// Returns the square moved from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.0.get() as u8)
    }

    /// Returns the square moved to.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0.get() >> 7) as u8)
    }

    /// Returns the kind that a pawn promotes to.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        match self.0.get() >> 14 & ((1 << Self::KIND_BITS) - 1) {
            0 => None,
            kind => Some(Kind::new(kind as u8 - 1)),
        }
    }

    /// Returns the encoding, never 0.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0.get()
    }

    /// Returns the move with an encoding; `None` for 0. Bits above [`Move::BITS`] are dropped. The
    /// result need not be legal anywhere.
    #[inline]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        match NonZeroU32::new(bits & ((1 << Self::BITS) - 1)) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }
}

const _: () = assert!(size_of::<Option<Move>>() == 4);
const _: () =
    assert!(MAX_KINDS < 1 << Move::KIND_BITS, "a move has no room for so many kinds, and for none");

/// The moves to generate. Tactical and quiet moves together are all moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveClass {
    /// Every legal move.
    All,
    /// Captures, promotions and moves that gain a piece.
    Tactical,
    /// The others.
    Quiet,
}

impl MoveClass {
    /// Returns the squares on which moves of the class may end, for a side whose pieces stand on
    /// `own`. `tactical`, none of them in `own`, are those where a move captures, promotes or
    /// gains.
    #[inline]
    pub fn targets(self, own: Bitboard, tactical: Bitboard) -> Bitboard {
        match self {
            Self::All => !own,
            Self::Tactical => tactical,
            Self::Quiet => !(own | tactical),
        }
    }
}

/// Returns the value that a promotion adds; 0 for any other move.
#[inline]
pub(super) fn promotion_gain(mv: Move, kinds: &[KindInfo], pawn: Kind) -> i32 {
    mv.promotion().map_or(0, |kind| kinds[kind.index()].value - kinds[pawn.index()].value)
}

/// Receives generated moves, a set at a time.
pub trait MoveSink {
    /// Takes the moves of the piece on `from` to each of the squares `to`.
    fn piece(&mut self, from: Square, to: Bitboard);

    /// Adds moves to each of the squares `to`, each from the square `by` indices below.
    fn shifted(&mut self, to: Bitboard, by: i8) {
        for square in to {
            self.piece(square.offset(-by), Bitboard::of(square));
        }
    }

    /// Takes the promotions of the pawn on `from` to each of `kinds` on each of the squares `to`.
    fn promoting(&mut self, from: Square, to: Bitboard, kinds: &[Kind]);
}

/// Counts moves without listing them.
#[derive(Default)]
pub struct Count(pub u64);

impl MoveSink for Count {
    #[inline]
    fn piece(&mut self, _: Square, to: Bitboard) {
        self.0 += u64::from(to.count());
    }

    #[inline]
    fn shifted(&mut self, to: Bitboard, _: i8) {
        self.0 += u64::from(to.count());
    }

    #[inline]
    fn promoting(&mut self, _: Square, to: Bitboard, kinds: &[Kind]) {
        self.0 += u64::from(to.count()) * kinds.len() as u64;
    }
}

impl MoveSink for Vec<Move> {
    #[inline]
    fn piece(&mut self, from: Square, to: Bitboard) {
        for to in to {
            self.push(Move::new(from, to));
        }
    }

    #[inline]
    fn promoting(&mut self, from: Square, to: Bitboard, kinds: &[Kind]) {
        for to in to {
            self.extend(kinds.iter().map(|&kind| Move::promoting(from, to, kind)));
        }
    }
}

/// Tests whether one move is generated.
pub(super) struct Contains {
    pub wanted: Move,
    pub found: bool,
}

impl MoveSink for Contains {
    #[inline]
    fn piece(&mut self, from: Square, to: Bitboard) {
        self.found |= from == self.wanted.from()
            && to.has(self.wanted.to())
            && self.wanted.promotion().is_none();
    }

    #[inline]
    fn promoting(&mut self, from: Square, to: Bitboard, kinds: &[Kind]) {
        let to_wanted = to.has(self.wanted.to());
        self.found |= kinds
            .iter()
            .any(|&kind| to_wanted && Move::promoting(from, self.wanted.to(), kind) == self.wanted);
    }
}
