//! Sides, kinds and pieces.

use std::num::NonZeroU8;

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Side {
    /// The player of the upper-case letters.
    White = 0,
    /// The player of the lower-case letters.
    Black = 1,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// Returns 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the letter of a FEN's second field.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// Returns the name in texts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// Returns its name with a capital.
    pub const fn title(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }
}

impl std::ops::Not for Side {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// The most kinds of piece that a game can have, a power of two.
pub const MAX_KINDS: usize = 8;
const _: () = assert!(MAX_KINDS.is_power_of_two(), "indices of kinds are masked");

/// A kind of piece: an index into the game's [`KINDS`](super::Game::KINDS).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Kind(u8);

impl Kind {
    /// Creates the kind with an index below [`MAX_KINDS`]; a greater one loses its higher bits.
    #[inline]
    pub const fn new(index: u8) -> Self {
        Self(index & (MAX_KINDS - 1) as u8)
    }

    /// Returns the index, below [`MAX_KINDS`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & (MAX_KINDS - 1)
    }
}

/// Properties of a kind of piece.
#[derive(Clone, Copy, Debug)]
pub struct KindInfo {
    /// The upper-case letter in FEN, the lower-case one in a promotion.
    pub letter: char,
    /// The value of a piece in centipawns; a game without pawns sets its scale. A king that can
    /// never be captured has the value 0.
    pub value: i32,
    /// The shape in pictures.
    pub figure: Figure,
    /// The name of the kind, by default that of its `figure`.
    pub name: &'static str,
}

impl KindInfo {
    /// Creates a kind by its letter, value and figure.
    pub const fn new(letter: char, value: i32, figure: Figure) -> Self {
        Self { letter, value, figure, name: figure.name() }
    }

    /// Renames the kind.
    pub const fn called(self, name: &'static str) -> Self {
        Self { name, ..self }
    }
}

/// The shape of a kind in pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Figure {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
    /// Bishop and knight in one.
    Archbishop,
    /// Rook and knight in one.
    Chancellor,
    Camel,
    Nahbi,
}

impl Figure {
    /// Returns the name of the piece that usually has this shape.
    pub const fn name(self) -> &'static str {
        match self {
            Self::King => "king",
            Self::Queen => "queen",
            Self::Rook => "rook",
            Self::Bishop => "bishop",
            Self::Knight => "knight",
            Self::Pawn => "pawn",
            Self::Archbishop => "archbishop",
            Self::Chancellor => "chancellor",
            Self::Camel => "camel",
            Self::Nahbi => "Nahbi",
        }
    }
}

/// A piece: a kind and the side that owns it. `Option<Piece>` is one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// The number of different pieces: [`MAX_KINDS`] of each side.
    pub const COUNT: usize = 2 * MAX_KINDS;

    /// Creates a piece of `side`.
    #[inline]
    pub const fn new(side: Side, kind: Kind) -> Self {
        Self(NonZeroU8::MIN.saturating_add(kind.0 << 1 | side as u8))
    }

    /// Returns a number below [`Piece::COUNT`]: twice the kind, plus one for Black.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0.get() - 1) as usize & (Self::COUNT - 1)
    }

    /// Returns its owner.
    #[inline]
    pub const fn side(self) -> Side {
        if self.index() & 1 == 0 { Side::White } else { Side::Black }
    }

    /// Returns its kind.
    #[inline]
    pub const fn kind(self) -> Kind {
        Kind((self.index() >> 1) as u8)
    }
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);
const _: () = assert!(Piece::COUNT <= u8::MAX as usize, "a piece is one byte and never 0");
