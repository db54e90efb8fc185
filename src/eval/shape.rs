//! The size of a network, the limits of its weights, and why one is refused.

use crate::games::Game;
use std::fmt;

/// The integer that stands for a neuron of 1.
pub const QA: i16 = 255;
/// An output of 1 in centipawns, as files have it; a model may have another scale.
pub const VALUE_SCALE: i32 = 400;
/// How many sets of output weights there are.
pub const BUCKETS: usize = 8;
/// The greatest output weight for which a clipped neuron times the weight fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / QA - 1;

/// The greatest sum of the sizes of the output weights of a bucket: then the sum over all
/// neurons fits 32 bits.
pub const MAX_OUTPUT_SUM: i64 = i32::MAX as i64 / (QA as i64 * QA as i64);

/// The greatest scale of output weights.
pub const MAX_SCALE: i32 = 1 << 14;

/// Neurons in a block.
pub const LANES: usize = 64;
/// The most neurons for a side.
pub const MAX_HIDDEN: usize = 1024;

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Kinds of piece.
    pub kinds: usize,
    /// Squares of the board.
    pub squares: usize,
    /// Neurons for a side, a multiple of [`LANES`].
    pub hidden: usize,
}

impl Shape {
    /// The shape of a game's network.
    pub fn of<G: Game>(hidden: usize) -> Self {
        Self {
            kinds: G::KINDS.len(),
            squares: G::GEOMETRY.count(),
            hidden,
        }
    }

    /// How many features there are: two owners, each with all kinds on all squares.
    pub const fn features(&self) -> usize {
        2 * self.kinds * self.squares
    }

    /// Refuses a number of neurons that no network has.
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        if self.hidden == 0 || !self.hidden.is_multiple_of(LANES) || self.hidden > MAX_HIDDEN {
            return Err(NetworkError::WrongSize {
                what: "neurons",
                found: self.hidden,
            });
        }
        Ok(())
    }

    pub(super) const fn blocks(&self) -> usize {
        self.hidden / LANES
    }

    /// How many 16-bit weights there are: those of the features, the biases, those of the output.
    pub(super) const fn weights(&self) -> usize {
        (self.features() + 1 + 2 * BUCKETS) * self.hidden
    }
}

/// Why a network was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// It does not begin as one.
    NoNetwork,
    /// It is for another game.
    WrongGame(String),
    /// A size in its header does not fit the game.
    WrongSize {
        /// Which size.
        what: &'static str,
        /// What the header says.
        found: usize,
    },
    /// There is more or less of it than the header says.
    WrongLength {
        /// The length that the header asks for, in bytes.
        wanted: usize,
        /// The length that it has.
        found: usize,
    },
    /// Its checksum does not fit its weights.
    WrongChecksum,
    /// A weight is beyond what the arithmetic can take.
    WeightTooLarge,
    /// A scale of the output is not in its range.
    ScaleOutOfRange,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNetwork => write!(f, "it is no network"),
            Self::WrongGame(name) => write!(f, "it is a network for `{name}`"),
            Self::WrongSize { what, found } => write!(f, "{found} {what} do not fit"),
            Self::WrongLength { wanted, found } => {
                write!(f, "it has {found} bytes instead of {wanted}")
            }
            Self::WrongChecksum => write!(f, "its checksum is wrong"),
            Self::WeightTooLarge => write!(f, "a weight is too large"),
            Self::ScaleOutOfRange => write!(f, "a scale is not from 1 to {MAX_SCALE}"),
        }
    }
}

impl std::error::Error for NetworkError {}
