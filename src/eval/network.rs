//! The network: weights and arithmetic.
//!
//! For each side a layer of neurons, its accumulator, sums the weights of the [`Features`] that are
//! on. The output is a sum over both accumulators, the side to move first: the squared clipped
//! neurons (SCReLU) times weights that depend on the number of pieces (Y. Nasu, "Efficiently
//! Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018; activation and
//! output buckets are from later chess engines). All arithmetic is in integers: neurons are scaled
//! by [`QA`], output weights by a scale of their bucket.

use super::features::Features;
use super::shape::{
    BUCKETS, LANES, MAX_OUTPUT_BIAS, MAX_OUTPUT_SUM, MAX_OUTPUT_WEIGHT, MAX_SCALE, QA, Shape,
    VALUE_SCALE,
};
use crate::games::{Placement, Side};
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
    /// By feature.
    features: Vec<Block>,
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
        let (sums, output) = weights.split_at((shape.features() + 1) * shape.hidden);
        let too_large = |weight: &i16| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT.unsigned_abs();
        let sum_too_large = |weights: &[i16]| {
            let sum: i64 = weights.iter().map(|weight| i64::from(weight.unsigned_abs())).sum();
            sum > MAX_OUTPUT_SUM
        };
        let limits = -MAX_OUTPUT_BIAS..=MAX_OUTPUT_BIAS;
        if !output_bias.iter().all(|bias| limits.contains(bias))
            || output.iter().any(too_large)
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
        let (features, bias) = sums.split_at(shape.features() * shape.hidden);
        Ok(Self {
            shape,
            features: blocks(features),
            bias: blocks(bias),
            output: blocks(output),
            scale,
            output_bias,
        })
    }

    /// Computes the output for the side to move one weight after the other, to compare with the
    /// vectorised version.
    #[cfg(test)]
    pub fn output_one_by_one(&self, features: &Features, placement: &Placement) -> i32 {
        let us = placement.to_move();
        let bucket = features.bucket(placement.occupied().count() as usize);
        let mut sum = 0i64;
        for (side, viewer) in [us, !us].into_iter().enumerate() {
            for neuron in 0..self.shape.hidden {
                let weight = |blocks: &[Block]| i64::from(blocks[neuron / LANES].0[neuron % LANES]);
                let mut total = weight(&self.bias);
                for square in placement.occupied() {
                    if let Some(piece) = placement.at(square) {
                        total += weight(self.feature(features.index(viewer, piece, square)));
                    }
                }
                let clipped = total.clamp(0, i64::from(QA));
                let at = (2 * bucket + side) * self.shape.blocks();
                sum += clipped * clipped * weight(&self.output[at..]);
            }
        }
        let output = sum / i64::from(QA) + i64::from(self.output_bias[bucket]);
        let scale = i64::from(QA) * i64::from(self.scale[bucket]);
        (output * i64::from(VALUE_SCALE) / scale) as i32
    }

    /// Returns all 16-bit weights, in the order of [`new`](Self::new).
    pub fn weights(&self) -> impl Iterator<Item = i16> {
        let blocks = self.features.iter().chain(&self.bias).chain(&self.output);
        blocks.flat_map(|block| block.0)
    }

    /// Returns the scales of the output weights and the output biases, by bucket.
    pub const fn scales_and_biases(&self) -> [[i32; BUCKETS]; 2] {
        [self.scale, self.output_bias]
    }

    /// Returns the size of the network.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    #[inline]
    pub(super) fn feature(&self, index: usize) -> &[Block] {
        let blocks = self.shape.blocks();
        &self.features[index * blocks..(index + 1) * blocks]
    }

    /// Sums up the neurons of a position as `viewer` sees it.
    #[inline]
    pub(super) fn refresh(
        &self,
        features: &Features,
        placement: &Placement,
        viewer: Side,
        neurons: &mut [Block],
    ) {
        neurons.copy_from_slice(&self.bias);
        for square in placement.occupied() {
            if let Some(piece) = placement.at(square) {
                let weights = self.feature(features.index(viewer, piece, square));
                for (sums, weights) in neurons.iter_mut().zip(weights) {
                    add(sums, weights);
                }
            }
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
pub(super) fn add(sums: &mut Block, weights: &Block) {
    for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[inline]
pub(super) fn subtract(sums: &mut Block, weights: &Block) {
    for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
        *sum = sum.wrapping_sub(*weight);
    }
}
