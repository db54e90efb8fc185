//! State that the positions of all games share: the piece on each square, the side to move, and the
//! two numbers that a FEN ends with.

use super::zobrist;
use super::{Kind, MAX_KINDS, Move, Piece, Side};
use crate::board::{Bitboard, Square, SquareTable};

/// The pieces on a board, the side to move, and the move counters.
///
/// The pieces are kept three ways: as sets of squares by side, as sets by kind, and as the piece on
/// each square. Only [`put`](Self::put) and [`take`](Self::take) change these, and their key with
/// them.
#[derive(Clone, PartialEq, Eq)]
pub struct Placement {
    sides: [Bitboard; 2],
    kinds: [Bitboard; MAX_KINDS],
    squares: SquareTable<Option<Piece>>,
    key: u64,
    to_move: Side,
    clock: u32,
    fullmove: u32,
}

impl Placement {
    /// Creates an empty board at the start of a game.
    pub fn empty(to_move: Side) -> Self {
        let mut placement = Self {
            sides: [Bitboard::EMPTY; 2],
            kinds: [Bitboard::EMPTY; MAX_KINDS],
            squares: [None; 128],
            key: 0,
            to_move: Side::White,
            clock: 0,
            fullmove: 1,
        };
        if to_move == Side::Black {
            placement.change_turn();
        }
        placement
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.squares[square.index()].is_none());
        self.toggle(square, piece);
        self.squares[square.index()] = Some(piece);
    }

    /// Removes the piece on a square.
    #[inline]
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.squares[square.index()].take()?;
        self.toggle(square, piece);
        Some(piece)
    }

    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let bit = Bitboard::of(square);
        self.sides[piece.side().index()] ^= bit;
        self.kinds[piece.kind().index()] ^= bit;
        self.key ^= zobrist::piece(square, piece);
    }

    /// Ends a move and counts it. A move that the rules call `irreversible` sets the clock to 0.
    #[inline]
    pub fn end_turn(&mut self, irreversible: bool) {
        self.clock = if irreversible { 0 } else { self.clock.saturating_add(1) };
        if self.to_move == Side::Black {
            self.fullmove = self.fullmove.saturating_add(1);
        }
        self.change_turn();
    }

    #[inline]
    fn change_turn(&mut self) {
        self.to_move = !self.to_move;
        self.key ^= zobrist::SIDE;
    }

    /// Returns the side to move.
    #[inline]
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// Returns the halfmove clock: plies since the last irreversible move.
    #[inline]
    pub const fn clock(&self) -> u32 {
        self.clock
    }

    /// Returns the fullmove number: 1 until Black has moved, then 2.
    pub const fn fullmove(&self) -> u32 {
        self.fullmove
    }

    /// Sets the two numbers that a FEN ends with.
    pub fn set_numbers(&mut self, clock: u32, fullmove: u32) {
        (self.clock, self.fullmove) = (clock, fullmove);
    }

    /// Returns the piece on a square.
    #[inline]
    pub const fn at(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Returns the squares of a side's pieces.
    #[inline]
    pub const fn side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// Returns the squares of all pieces of a kind.
    #[inline]
    pub const fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// Returns the most frequent kind; the last of several.
    pub fn most_frequent_kind(&self) -> Kind {
        let kinds = (0..MAX_KINDS).map(|index| Kind::new(index as u8));
        let most = kinds.max_by_key(|&kind| self.kind(kind).count());
        most.unwrap_or(Kind::new(0))
    }

    /// Returns the squares of a side's pieces of a kind.
    #[inline]
    pub fn of(&self, side: Side, kind: Kind) -> Bitboard {
        self.side(side) & self.kind(kind)
    }

    /// Returns true if a side has a piece of another kind than these.
    #[inline]
    pub fn has_other_than(&self, side: Side, kinds: &[Kind]) -> bool {
        let these = kinds.iter().fold(Bitboard::EMPTY, |all, &kind| all | self.kind(kind));
        self.side(side).without(these).any()
    }

    /// Returns the squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// Returns the squares that differ from `other`.
    #[inline]
    pub fn difference(&self, other: &Self) -> Bitboard {
        let sides = (self.sides[0] ^ other.sides[0]) | (self.sides[1] ^ other.sides[1]);
        let kinds = self.kinds.iter().zip(&other.kinds);
        kinds.fold(sides, |changed, (&here, &there)| changed | (here ^ there))
    }

    /// Returns the [`key`](Self::key) after a move that only moves a piece and captures on its
    /// target.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let mut key = self.key ^ zobrist::SIDE;
        if let Some(piece) = self.at(mv.from()) {
            key ^= zobrist::piece(mv.from(), piece) ^ zobrist::piece(mv.to(), piece);
        }
        if let Some(captured) = self.at(mv.to()) {
            key ^= zobrist::piece(mv.to(), captured);
        }
        key
    }

    /// Returns the Zobrist key of the pieces and the side to move.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }
}
