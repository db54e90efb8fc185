//! Requests to a session and its answers, with moves as text.

use crate::games::{FenError, Side};
use crate::search::{GameClock, Limits};
use crate::system::text::shorten;
use crate::text::SanError;
use std::fmt;
use std::time::Duration;

/// The reason why a position was refused. The session is unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// The FEN cannot be read.
    Fen(FenError),
    /// A move is not legal.
    Move {
        /// The move, as written.
        text: String,
        /// Its number in the list of moves, from 1.
        number: usize,
        /// Its fault.
        fault: MoveFault,
    },
    /// A move in standard algebraic notation or in coordinates is not legal.
    San {
        /// Its number, from 1.
        number: usize,
        /// Its fault.
        fault: SanError,
    },
    /// The game would be longer than [`MAX_GAME`].
    TooLong,
}

/// The fault of a text that should be a legal move in coordinates. Its `Display` is the wording of
/// the protocols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveFault {
    /// It is not legal.
    Illegal {
        /// The position.
        fen: String,
        /// The reason.
        cause: IllegalCause,
    },
    /// It is legal, but written in another way.
    Misspelt {
        /// The move in coordinates.
        meant: String,
    },
    /// It is not written as a move.
    Unreadable {
        /// A legal move, if there is one.
        example: Option<String>,
    },
    /// The letter of the new piece is missing or wrong.
    NeedsLetter {
        /// The moves with the right letters.
        choices: Vec<String>,
    },
}

impl fmt::Display for MoveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal { fen, .. } => write!(f, "is illegal in {fen}"),
            Self::Misspelt { meant } => write!(f, "must be written {meant}"),
            Self::Unreadable { example: None } => f.write_str("is not two squares"),
            Self::Unreadable { example: Some(example) } => {
                write!(f, "is not two squares, as in {example}")
            }
            Self::NeedsLetter { choices } => {
                write!(f, "needs the new piece: {}", choices.join(", "))
            }
        }
    }
}

/// The reason why a move is not legal, with what would be. Squares are names, moves are texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IllegalCause {
    /// Castling is not possible.
    Castling,
    /// The square on which it begins is empty.
    NoPiece(String),
    /// The piece on the square belongs to the side that is not to move.
    PieceOf(Side, String),
    /// The piece on the square has only these legal moves.
    Elsewhere(String, Vec<String>),
    /// The piece on the square has no legal move; the side has these.
    Immobile(String, Vec<String>),
    /// Only these legal moves lead to the square on which it ends.
    OthersThere(Vec<String>),
}

/// Legal moves named in a refusal.
const MOST_NAMED: usize = 12;

/// Lists the first moves.
pub(super) fn named(moves: &[String]) -> String {
    match moves.get(..MOST_NAMED) {
        Some(first) if first.len() < moves.len() => format!("{} …", first.join(" ")),
        _ => moves.join(" "),
    }
}

impl fmt::Display for IllegalCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Castling => f.write_str("castling is not possible now"),
            Self::NoPiece(from) => write!(f, "no piece stands on {from}"),
            Self::PieceOf(side, from) => write!(f, "the piece on {from} is {}'s", side.title()),
            Self::Elsewhere(from, moves) => write!(f, "moves from {from}: {}", named(moves)),
            Self::Immobile(from, moves) if moves.len() <= MOST_NAMED => {
                write!(f, "the piece on {from} cannot move; legal moves: {}", moves.join(" "))
            }
            Self::Immobile(from, _) => write!(f, "the piece on {from} cannot move"),
            Self::OthersThere(moves) if moves.is_empty() => f.write_str("no move goes there"),
            Self::OthersThere(moves) => write!(f, "moves to that square: {}", named(moves)),
        }
    }
}

/// The longest game, in plies.
pub const MAX_GAME: usize = 50_000;
/// The longest paths that perft counts, in plies; each ply takes stack.
pub const MAX_PERFT: u32 = 30;

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => write!(f, "FEN, {error}"),
            Self::Move { text, number, fault } => {
                write!(f, "move {number}, `{}`, {fault}", shorten(text))
            }
            Self::San { number, fault } => write!(f, "move {number}: {fault}"),
            Self::TooLong => write!(f, "a game has {MAX_GAME} plies at most"),
        }
    }
}

impl std::error::Error for PositionError {}

impl From<FenError> for PositionError {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

/// A search to run, with moves as text.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The limits.
    pub limits: Limits,
    /// The only moves to consider; all if empty.
    pub search_moves: Vec<String>,
}

impl From<Limits> for Request {
    /// Considers all moves.
    fn from(limits: Limits) -> Self {
        Self { limits, search_moves: Vec::new() }
    }
}

/// The time for a move, as a client gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// This long.
    PerMove(Duration),
    /// A part of what the clock has left.
    Clock(GameClock),
}
