//! The size of a network, and the limits of its weights.

use super::network::NetworkFault;
use super::pairs;
use crate::games::Game;

/// The integer that stands for a neuron of 1.
pub const QA: i16 = 255;
/// Centipawns of an output of 1 in a network file; a model in training may have another scale.
pub const VALUE_SCALE: i32 = 400;
/// The number of sets of output weights.
pub const BUCKETS: usize = 8;
/// The greatest output weight; a clipped neuron times it fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / QA - 1;

/// The greatest sum of the absolute output weights of a bucket: the sum over all neurons then fits
/// 32 bits.
pub const MAX_OUTPUT_SUM: i64 = i32::MAX as i64 / (QA as i64 * QA as i64);

/// The greatest output bias: the output then fits 32 bits with the least scale.
pub(super) const MAX_OUTPUT_BIAS: i32 = 1 << 30;

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
    /// Features of pairs of pieces, if the game has them.
    pub pair_features: usize,
    /// Neurons for a side, a multiple of [`LANES`].
    pub hidden: usize,
}

impl Shape {
    /// Returns the shape of a game's network.
    pub fn of<G: Game>(hidden: usize) -> Self {
        let pair_features = if G::NETWORK_SEES_PAIRS { pairs::count(G::GEOMETRY) } else { 0 };
        Self { kinds: G::KINDS.len(), squares: G::GEOMETRY.count(), pair_features, hidden }
    }

    /// Returns the number of features of pieces: two owners, each with all kinds on all squares.
    pub const fn piece_features(&self) -> usize {
        2 * self.kinds * self.squares
    }

    /// Returns the number of features: those of pieces, then those of pairs.
    pub const fn features(&self) -> usize {
        self.piece_features() + self.pair_features
    }

    /// Returns true for the feature of a pair, whose weights a network holds in 8 bits.
    pub fn is_pair(&self, feature: usize) -> bool {
        (self.piece_features()..self.features()).contains(&feature)
    }

    /// Refuses a number of neurons that no network has.
    pub(super) fn check(&self) -> Result<(), NetworkFault> {
        if self.hidden == 0 || !self.hidden.is_multiple_of(LANES) || self.hidden > MAX_HIDDEN {
            return Err(NetworkFault::Shape(self.hidden, "neurons"));
        }
        Ok(())
    }

    pub(super) const fn blocks(&self) -> usize {
        self.hidden / LANES
    }

    /// Returns the number of weights and biases, without scales and output biases.
    pub(super) const fn weights(&self) -> usize {
        (self.features() + 1 + 2 * BUCKETS) * self.hidden
    }
}
