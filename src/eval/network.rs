//! The network: weights and arithmetic.
//!
//! For each side a layer of neurons, its accumulator, sums the weights of the
//! [`Features`](super::Features) that are on; those of pairs are small, and held in 8 bits. The
//! output is a sum over both accumulators, the side to move first: the squared clipped neurons
//! (SCReLU) times weights that depend on the number of pieces (Y. Nasu, "Efficiently Updatable
//! Neural-Network-based Evaluation Functions for Computer Shogi", 2018; activation and output
//! buckets are from later chess engines). All arithmetic is in integers: neurons are scaled by
//! [`QA`], output weights by a scale of their bucket.

use super::features::{FeatureIndices, FeatureList};
use super::shape::{
    BUCKETS, LANES, MAX_OUTPUT_BIAS, MAX_OUTPUT_SUM, MAX_OUTPUT_WEIGHT, MAX_SCALE, QA, Shape,
    VALUE_SCALE,
};
use crate::games::Side;
use crate::system::processor::sum_of_squares;
use std::error::Error;
use std::fmt::{self, Display, Formatter};

/// One 16-bit value for each of [`LANES`] neurons. The size is fixed and the memory aligned, so
/// that the compiler vectorises plain loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Block([i16; LANES]);

impl Block {
    pub(super) const ZERO: Self = Self([0; LANES]);
}

/// One 8-bit weight of a pair for each of [`LANES`] neurons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
struct PairBlock([i8; LANES]);

/// Fault of the numbers of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetworkFault {
    /// A weight exceeds the limits of the arithmetic.
    TooLarge,
    /// A scale is out of range.
    Scale(i32),
    /// The count of something is not that of the game's networks.
    Shape(usize, &'static str),
}

impl Display for NetworkFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => f.write_str("a weight is too large"),
            Self::Scale(scale) => write!(f, "its scale {scale} is outside 1 to {MAX_SCALE}"),
            Self::Shape(count, what) => write!(f, "{count} {what} do not fit"),
        }
    }
}

impl Error for NetworkFault {}

/// The weights of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    shape: Shape,
    /// By feature of a piece.
    pieces: Vec<Block>,
    /// By feature of a pair.
    pairs: Vec<PairBlock>,
    bias: Vec<Block>,
    /// By bucket, then side to move and other side.
    output: Vec<Block>,
    /// The integer that stands for an output weight of 1, by bucket.
    scale: [i32; BUCKETS],
    /// Scaled by [`QA`] and the scale of the bucket.
    output_bias: [i32; BUCKETS],
}

impl Network {
    /// Builds a network from its weights: those of pieces, those of pairs (within an `i8`), the biases, the output
    /// weights by bucket and side; then the scales of the output weights, and the output biases.
    pub fn new(
        shape: Shape,
        weights: &[i16],
        scale: [i32; BUCKETS],
        output_bias: [i32; BUCKETS],
    ) -> Result<Self, NetworkFault> {
        shape.check()?;
        if weights.len() != shape.weights() {
            return Err(NetworkFault::Shape(weights.len(), "weights"));
        }
        let (pieces, rest) = weights.split_at(shape.piece_features() * shape.hidden);
        let (pairs, rest) = rest.split_at(shape.pair_features * shape.hidden);
        let (bias, output) = rest.split_at(shape.hidden);
        let too_large = |weight: &i16| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT.unsigned_abs();
        let sum_too_large = |weights: &[i16]| {
            let sum: i64 = weights.iter().map(|weight| i64::from(weight.unsigned_abs())).sum();
            sum > MAX_OUTPUT_SUM
        };
        let limits = -MAX_OUTPUT_BIAS..=MAX_OUTPUT_BIAS;
        if !output_bias.iter().all(|bias| limits.contains(bias))
            || output.iter().any(too_large)
            || pairs.iter().any(|weight| i8::try_from(*weight).is_err())
            || output.chunks(2 * shape.hidden).any(sum_too_large)
        {
            return Err(NetworkFault::TooLarge);
        }
        if let Some(&scale) = scale.iter().find(|scale| !(1..=MAX_SCALE).contains(*scale)) {
            return Err(NetworkFault::Scale(scale));
        }
        let blocks = |weights: &[i16]| {
            weights.as_chunks::<LANES>().0.iter().copied().map(Block).collect::<Vec<_>>()
        };
        let small = |weights: &[i16; LANES]| PairBlock(weights.map(|weight| weight as i8));
        Ok(Self {
            shape,
            pieces: blocks(pieces),
            pairs: pairs.as_chunks().0.iter().map(small).collect(),
            bias: blocks(bias),
            output: blocks(output),
            scale,
            output_bias,
        })
    }

    /// Computes the output for the side to move, one weight after the other, to compare with the vectorised
    /// version.
    #[cfg(test)]
    pub fn output_one_by_one(&self, us: Side, features: &[FeatureIndices], bucket: usize) -> i32 {
        let weights: Vec<_> = self.weights().map(i64::from).collect();
        let row = |row: usize| &weights[row * self.shape.hidden..][..self.shape.hidden];
        let first_output = self.shape.features() + 1 + 2 * bucket;
        let mut sum = 0;
        for (side, viewer) in [us, !us].into_iter().enumerate() {
            for neuron in 0..self.shape.hidden {
                let on = features.iter().map(|indices| row(indices[viewer.index()].into())[neuron]);
                let total = on.sum::<i64>() + row(self.shape.features())[neuron];
                let clipped = total.clamp(0, i64::from(QA));
                sum += clipped * clipped * row(first_output + side)[neuron];
            }
        }
        let output = sum / i64::from(QA) + i64::from(self.output_bias[bucket]);
        let scale = i64::from(QA) * i64::from(self.scale[bucket]);
        (output * i64::from(VALUE_SCALE) / scale) as i32
    }

    /// Returns all weights, in the order of [`new`](Self::new).
    pub fn weights(&self) -> impl Iterator<Item = i16> {
        let pairs = self.pairs.iter().flat_map(|block| block.0.map(i16::from));
        let rest = self.bias.iter().chain(&self.output).flat_map(|block| block.0);
        self.pieces.iter().flat_map(|block| block.0).chain(pairs).chain(rest)
    }

    /// Returns the scales of the output weights and the output biases, by bucket.
    pub const fn scales_and_biases(&self) -> [[i32; BUCKETS]; 2] {
        [self.scale, self.output_bias]
    }

    /// Returns the size of the network.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the biases: the neurons of an empty board.
    pub(super) fn bias(&self) -> &[Block] {
        &self.bias
    }

    /// Computes the neurons of a side from others, with the features that are added and removed.
    #[inline]
    pub(super) fn update(
        &self,
        viewer: Side,
        added: &FeatureList,
        removed: &FeatureList,
        from: &[Block],
        to: &mut [Block],
    ) {
        let blocks = self.shape.blocks();
        let row = |feature: &FeatureIndices| usize::from(feature[viewer.index()]) * blocks;
        let piece = |feature: &FeatureIndices| &self.pieces[row(feature)..][..blocks];
        // Quiet moves and captures, the two most frequent kinds, in one pass through memory.
        match (&added.pieces[..], &removed.pieces[..]) {
            ([added], [removed]) => {
                let (added, removed) = (piece(added), piece(removed));
                for (index, to) in to.iter_mut().enumerate() {
                    *to = from[index];
                    add(to, &added[index]);
                    subtract(to, &removed[index]);
                }
            }
            ([added], [removed, captured]) => {
                let (added, removed, captured) = (piece(added), piece(removed), piece(captured));
                for (index, to) in to.iter_mut().enumerate() {
                    *to = from[index];
                    add(to, &added[index]);
                    subtract(to, &removed[index]);
                    subtract(to, &captured[index]);
                }
            }
            (added, removed) => {
                to.copy_from_slice(from);
                for feature in added {
                    to.iter_mut().zip(piece(feature)).for_each(|(sums, row)| add(sums, row));
                }
                for feature in removed {
                    to.iter_mut().zip(piece(feature)).for_each(|(sums, row)| subtract(sums, row));
                }
            }
        }
        let (added, removed) = (added.pairs.entries(), removed.pairs.entries());
        if added.is_empty() && removed.is_empty() {
            return;
        }
        let pair = |feature: &FeatureIndices, index: usize| {
            &self.pairs[row(feature) - self.pieces.len() + index]
        };
        for (index, to) in to.iter_mut().enumerate() {
            let mut sums = *to;
            added.iter().for_each(|feature| add_pair(&mut sums, pair(feature, index), 1));
            removed.iter().for_each(|feature| add_pair(&mut sums, pair(feature, index), -1));
            *to = sums;
        }
    }

    /// Returns the output for the side to move, whose neurons come first, in centipawns.
    pub(super) fn output(&self, neurons: [&[Block]; 2], bucket: usize) -> i32 {
        let blocks = self.shape.blocks();
        let first = 2 * bucket * blocks;
        let weights = &self.output[first..first + 2 * blocks];
        let neurons = neurons.into_iter().flatten();
        let rows = neurons.zip(weights).map(|(neurons, weights)| (&neurons.0, &weights.0));
        let sum = sum_of_squares(rows, QA);
        let output = i64::from(sum / i32::from(QA)) + i64::from(self.output_bias[bucket]);
        let scale = i64::from(QA) * i64::from(self.scale[bucket]);
        (output * i64::from(VALUE_SCALE) / scale) as i32
    }
}

#[inline]
fn add(sums: &mut Block, weights: &Block) {
    for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[inline]
fn subtract(sums: &mut Block, weights: &Block) {
    for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
        *sum = sum.wrapping_sub(*weight);
    }
}

#[inline]
fn add_pair(sums: &mut Block, weights: &PairBlock, sign: i16) {
    for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
        *sum = sum.wrapping_add(sign * i16::from(*weight));
    }
}
