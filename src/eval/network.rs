//! The network: weights and arithmetic.
//!
//! For each side a layer of neurons, its accumulator, sums the weights of the
//! [`Features`](super::Features) that are on; those of pairs are small, and held in 8 bits. The
//! output is a sum over both accumulators, the side to move first: the squared clipped neurons
//! (SCReLU) times weights that depend on the number of pieces (Y. Nasu, "Efficiently Updatable
//! Neural-Network-based Evaluation Functions for Computer Shogi", 2018; activation and output
//! buckets are from later chess engines). All arithmetic is in integers: neurons are scaled by
//! [`QA`], output weights by a scale of their bucket.

use super::features::{FeatureList, Seen};
use super::shape::{
    BUCKETS, LANES, MAX_OUTPUT_BIAS, MAX_OUTPUT_SUM, MAX_OUTPUT_WEIGHT, MAX_SCALE, QA, Shape,
    VALUE_SCALE,
};
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

/// The same for small weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
struct SmallBlock([i8; LANES]);

/// Fault of the numbers of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetworkFault {
    /// A weight exceeds the limits of the arithmetic.
    TooLarge,
    /// A scale does so.
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
    pairs: Vec<SmallBlock>,
    bias: Vec<Block>,
    /// By bucket, then side to move and other side.
    output: Vec<Block>,
    /// The integer that stands for an output weight of 1, by bucket.
    scale: [i32; BUCKETS],
    /// Scaled by [`QA`] and the scale of the bucket.
    output_bias: [i32; BUCKETS],
}

impl Network {
    /// Builds a network from its weights: the features' one after the other, the biases, the output
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
        let (pieces, rest) = weights.split_at(shape.pieces() * shape.hidden);
        let (pairs, rest) = rest.split_at(shape.pairs * shape.hidden);
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
        let small = |weights: &[i16; LANES]| SmallBlock(weights.map(|weight| weight as i8));
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

    /// Computes the output for the side to move, 0 for White, one weight after the other, to compare
    /// with the vectorised version.
    #[cfg(test)]
    pub fn output_one_by_one(&self, us: usize, seen: &[Seen], bucket: usize) -> i32 {
        let weights: Vec<_> = self.weights().map(i64::from).collect();
        let row = |row: usize| &weights[row * self.shape.hidden..][..self.shape.hidden];
        let first_output = self.shape.features() + 1 + 2 * bucket;
        let mut sum = 0;
        for (side, viewer) in [us, 1 - us].into_iter().enumerate() {
            for neuron in 0..self.shape.hidden {
                let on = seen.iter().map(|seen| row(seen[viewer].into())[neuron]);
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

    /// Returns the neurons of an empty board.
    pub(super) fn bias(&self) -> &[Block] {
        &self.bias
    }

    /// Computes the neurons of a side, White's for 0, from other ones and the features that have
    /// come and gone since.
    #[inline]
    pub(super) fn update(
        &self,
        viewer: usize,
        come: &FeatureList,
        gone: &FeatureList,
        from: &[Block],
        to: &mut [Block],
    ) {
        let blocks = self.shape.blocks();
        let row = |seen: &Seen| usize::from(seen[viewer]) * blocks;
        let piece = |seen: &Seen| &self.pieces[row(seen)..][..blocks];
        // The two most frequent kinds of move, in one pass through memory.
        match (&come.pieces[..], &gone.pieces[..]) {
            ([come], [gone]) => {
                let (come, gone) = (piece(come), piece(gone));
                for (index, to) in to.iter_mut().enumerate() {
                    *to = from[index];
                    add(to, &come[index]);
                    subtract(to, &gone[index]);
                }
            }
            ([come], [gone, captured]) => {
                let (come, gone, captured) = (piece(come), piece(gone), piece(captured));
                for (index, to) in to.iter_mut().enumerate() {
                    *to = from[index];
                    add(to, &come[index]);
                    subtract(to, &gone[index]);
                    subtract(to, &captured[index]);
                }
            }
            (come, gone) => {
                to.copy_from_slice(from);
                for seen in come {
                    to.iter_mut().zip(piece(seen)).for_each(|(sums, weights)| add(sums, weights));
                }
                for seen in gone {
                    to.iter_mut()
                        .zip(piece(seen))
                        .for_each(|(sums, weights)| subtract(sums, weights));
                }
            }
        }
        let pair = |seen: &Seen, index: usize| &self.pairs[row(seen) - self.pieces.len() + index];
        for (index, to) in to.iter_mut().enumerate() {
            let mut sums = *to;
            come.pairs.entries().iter().for_each(|seen| add_small(&mut sums, pair(seen, index), 1));
            gone.pairs
                .entries()
                .iter()
                .for_each(|seen| add_small(&mut sums, pair(seen, index), -1));
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
fn add_small(sums: &mut Block, weights: &SmallBlock, sign: i16) {
    for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
        *sum = sum.wrapping_add(sign * i16::from(*weight));
    }
}
