//! The network during training: real numbers, forward and backward.
//!
//! The hidden layer is cut into *slices* of [`LANES`] neurons. A slice owns every parameter of its
//! neurons: one [`Row`] per input feature, one bias row, and for each bucket one output row per
//! perspective. It needs nothing from the others but the sum of the partial outputs. So slices run
//! on different threads without sharing gradients, and the weights of one slice (1297 rows of 256
//! bytes = 332 KB, with pairs 783 KB) stay in an L2 cache of 1 MB while a whole batch passes through.
//!
//! The expected result is the sigmoid of the output. An output of 1 is worth
//! [`eval_scale`](super::score_model::eval_scale) in the search.

use crate::eval::{
    BUCKETS, LANES, MAX_OUTPUT_SUM, MAX_OUTPUT_WEIGHT, MAX_SCALE, Network, NetworkFault, QA, Shape,
    VALUE_SCALE,
};
use crate::system::random::Random;

/// f32 lanes of the widest register the code is written for.
const REGISTER: usize = 16;
/// Greatest absolute weight except of pairs. A neuron fits 16 bits with 60 pieces, or 32 and their pairs, all at the limits.
pub(super) const WEIGHT_LIMIT: f32 = 1.98;
/// Greatest absolute weight of a pair, which a network holds in 8 bits.
const PAIR_WEIGHT_LIMIT: f32 = i8::MAX as f32 / QA as f32;
/// Side to move, other side.
pub(super) const PERSPECTIVES: usize = 2;

/// One parameter for each neuron of a slice. Aligned to a cache line: without
/// it every 64-byte load would touch two lines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Row(pub [[f32; REGISTER]; LANES / REGISTER]);

impl Row {
    pub(super) const ZERO: Self = Self([[0.0; REGISTER]; LANES / REGISTER]);

    /// Adds another row, in nested loops: they unroll completely, which lets the sums of
    /// [`accumulate`] stay in registers from one feature to the next.
    #[inline]
    fn add(&mut self, other: &Self) {
        for (sums, values) in self.0.iter_mut().zip(&other.0) {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
        }
    }

    /// Returns all lanes, for one loop, which the compiler vectorises best.
    pub(super) fn lanes(&self) -> &[f32] {
        self.0.as_flattened()
    }

    /// Returns all lanes, to be changed; see [`Self::lanes`].
    pub(super) fn lanes_mut(&mut self) -> &mut [f32] {
        self.0.as_flattened_mut()
    }

    fn lane(&self, lane: usize) -> f32 {
        self.0[lane / REGISTER][lane % REGISTER]
    }

    fn lane_mut(&mut self, lane: usize) -> &mut f32 {
        &mut self.0[lane / REGISTER][lane % REGISTER]
    }
}

/// Returns the first row of the output weights of a bucket, one for each perspective. The rows of a
/// slice are those of the features, the bias, and the outputs.
const fn output_row(features: usize, bucket: usize) -> usize {
    features + 1 + bucket * PERSPECTIVES
}

/// Features of some positions: the input of the network.
#[derive(Clone, Debug, Default)]
pub(super) struct FeatureBatch {
    /// Features as seen by the side to move and by the other side, of all
    /// positions one after the other.
    features: Vec<[u16; PERSPECTIVES]>,
    /// Index at which the features of each position end.
    ends: Vec<u32>,
    buckets: Vec<u8>,
}

impl FeatureBatch {
    pub(super) fn clear(&mut self) {
        self.features.clear();
        self.ends.clear();
        self.buckets.clear();
    }

    /// Appends a feature of the next position.
    pub(super) fn push(&mut self, feature: [u16; PERSPECTIVES]) {
        self.features.push(feature);
    }

    /// Ends the position whose features were pushed.
    pub(super) fn end(&mut self, bucket: u8) {
        self.ends.push(self.features.len() as u32);
        self.buckets.push(bucket);
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the bucket of each position.
    pub(super) fn buckets(&self) -> &[u8] {
        &self.buckets
    }

    /// Features and bucket of each position.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[[u16; PERSPECTIVES]], usize)> {
        let mut start = 0;
        self.ends.iter().zip(&self.buckets).map(move |(&end, &bucket)| {
            let end = end as usize;
            let features = &self.features[start..end];
            start = end;
            (features, usize::from(bucket))
        })
    }
}

/// Clamped activations of both perspectives of one position.
pub(super) type Activations = [Row; PERSPECTIVES];

/// All parameters of [`LANES`] neurons (or their gradients, or moments).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slice {
    shape: Shape,
    /// The rows: features, bias, output by bucket and perspective.
    pub rows: Vec<Row>,
}

impl Slice {
    pub(super) fn zero(shape: Shape) -> Self {
        Self { shape, rows: vec![Row::ZERO; output_row(shape.features(), BUCKETS)] }
    }

    /// Returns the greatest absolute weight of a row.
    pub(super) fn limit(&self, row: usize) -> f32 {
        if self.shape.is_pair(row) { PAIR_WEIGHT_LIMIT } else { WEIGHT_LIMIT }
    }

    fn random(shape: Shape, random: &mut Random) -> Self {
        let mut slice = Self::zero(shape);
        // About 30 active features; the output sums 2·hidden activations.
        let input_limit = (1.0f32 / 30.0).sqrt();
        let output_limit = (1.0 / (PERSPECTIVES * shape.hidden) as f32).sqrt();
        for (index, row) in slice.rows.iter_mut().enumerate() {
            let limit = match index {
                _ if shape.is_pair(index) => 0.0,
                _ if index <= shape.features() => input_limit,
                _ => output_limit,
            };
            for lane in 0..LANES {
                *row.lane_mut(lane) = (2.0 * random.unit() - 1.0) * limit;
            }
        }
        slice
    }

    /// Ties the second half of the neurons to the first as mirror images: a weight and that of the image for the
    /// mirrored feature become their mean, biases and output weights likewise. Does nothing without `twins`.
    pub(super) fn tie(&mut self, twins: &[u16]) {
        if twins.is_empty() {
            return;
        }
        for row in 0..self.rows.len() {
            let twin = twins.get(row).map_or(row, |&twin| usize::from(twin));
            for lane in 0..LANES / 2 {
                let image = lane + LANES / 2;
                let mean = (self.rows[row].lane(lane) + self.rows[twin].lane(image)) / 2.0;
                *self.rows[row].lane_mut(lane) = mean;
                *self.rows[twin].lane_mut(image) = mean;
            }
        }
    }

    /// Adds the partial output of this slice for each position to `outputs`
    /// and keeps the activations for [`Self::backward`].
    pub(super) fn forward(
        &self,
        positions: &FeatureBatch,
        outputs: &mut Vec<f32>,
        activations: &mut Vec<Activations>,
    ) {
        let (features, rest) = self.rows.split_at(self.shape.features());
        let bias = &rest[0];
        for (active, bucket) in positions.iter() {
            let index = output_row(self.shape.features(), bucket);
            let mut rows = accumulate(features, bias, active);
            let mut sums = [0.0; REGISTER];
            for (row, weights) in rows.iter_mut().zip(&self.rows[index..]) {
                activate(row, weights, &mut sums);
            }
            outputs.push(total(sums));
            activations.push(rows);
        }
    }

    /// Adds to `gradient` the derivatives of the loss, given its derivative by
    /// each output (`errors`) and the activations kept by [`Self::forward`].
    pub(super) fn backward(
        &self,
        positions: &FeatureBatch,
        errors: &[f32],
        activations: &[Activations],
        gradient: &mut Slice,
    ) {
        for (((active, bucket), &error), activation) in
            positions.iter().zip(errors).zip(activations)
        {
            let count = self.shape.features();
            let index = output_row(count, bucket);
            let (features, rest) = gradient.rows.split_at_mut(count);
            let [bias, outputs @ ..] = rest else { return };
            let outputs = &mut outputs[index - count - 1..];
            let mut deltas = *activation;
            let weights = &self.rows[index..];
            for ((delta, weights), output) in deltas.iter_mut().zip(weights).zip(outputs) {
                differentiate(error, delta, weights, output, bias);
            }
            scatter(features, &deltas, active);
        }
    }
}

/// Bias plus the rows of the active features, for both perspectives.
///
/// Not inlined, like the other kernels: inlined together, LLVM takes the rows
/// apart into scalars and does not put them together again.
#[inline(never)]
fn accumulate(weights: &[Row], bias: &Row, active: &[[u16; PERSPECTIVES]]) -> [Row; PERSPECTIVES] {
    let mut own = *bias;
    let mut other = *bias;
    for &[a, b] in active {
        own.add(&weights[usize::from(a)]);
        other.add(&weights[usize::from(b)]);
    }
    [own, other]
}

/// Clamps the sums of one perspective, and adds their squares times the output
/// weights to `totals`, lane by lane.
#[inline(never)]
fn activate(row: &mut Row, weights: &Row, totals: &mut [f32; REGISTER]) {
    for (xs, ws) in row.0.iter_mut().zip(&weights.0) {
        for ((x, w), total) in xs.iter_mut().zip(ws).zip(totals.iter_mut()) {
            let clamped = x.clamp(0.0, 1.0);
            *x = clamped;
            *total += clamped * clamped * w;
        }
    }
}

/// Sums the lanes, by halves.
fn total(mut sums: [f32; REGISTER]) -> f32 {
    let mut width = REGISTER / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}

/// Turns, as the transpose of [`activate`], the activations of one perspective into the derivatives
/// of the loss by the sums, and adds to the gradients of the output weights and of the bias.
///
/// The derivative of `clamp(x)²` is `2·clamp(x)` below one (zero where `x ≤ 0`)
/// and zero above.
#[inline(never)]
fn differentiate(error: f32, row: &mut Row, weights: &Row, output: &mut Row, bias: &mut Row) {
    let inputs = row.lanes_mut().iter_mut().zip(weights.lanes());
    let gradients = output.lanes_mut().iter_mut().zip(bias.lanes_mut());
    for ((x, w), (output, bias)) in inputs.zip(gradients) {
        *output += error * *x * *x;
        let delta = if *x < 1.0 { 2.0 * error * *x * w } else { 0.0 };
        *bias += delta;
        *x = delta;
    }
}

/// Adds, as the transpose of [`accumulate`], the deltas to the rows of the active features. The
/// deltas stay in registers.
#[inline(never)]
fn scatter(gradient: &mut [Row], deltas: &[Row; PERSPECTIVES], active: &[[u16; PERSPECTIVES]]) {
    for features in active {
        for (&feature, delta) in features.iter().zip(deltas) {
            let sums = gradient[usize::from(feature)].lanes_mut().iter_mut();
            for (sum, value) in sums.zip(delta.lanes()) {
                *sum += value;
            }
        }
    }
}

/// A whole network in real numbers.
#[derive(Clone, Debug)]
pub(super) struct FloatNetwork {
    pub shape: Shape,
    pub slices: Vec<Slice>,
    /// Output bias of each bucket.
    pub output_bias: Vec<f32>,
}

impl FloatNetwork {
    /// Returns small random weights.
    pub(super) fn random(shape: Shape, seed: u64) -> Self {
        let mut random = Random::new(seed, 0);
        let slices = (0..shape.hidden / LANES).map(|_| Slice::random(shape, &mut random)).collect();
        Self { shape, slices, output_bias: vec![0.0; BUCKETS] }
    }

    /// Ties the neurons of each slice; see [`Slice::tie`].
    pub(super) fn tied(mut self, twins: &[u16]) -> Self {
        self.slices.iter_mut().for_each(|slice| slice.tie(twins));
        self
    }

    /// Converts a quantised network, to continue its training. An output of 1 has the value
    /// `eval_scale`.
    pub(super) fn of(network: &Network, eval_scale: f32) -> Self {
        let shape = network.shape();
        let [scale, output_bias] = network.scales_and_biases();
        let scale = scale.map(|scale| scale as f32 / stretch(eval_scale));
        let biases = scale.iter().zip(output_bias);
        let biases = biases.map(|(scale, bias)| bias as f32 / (f32::from(QA) * scale));
        let mut model = Self {
            shape,
            slices: vec![Slice::zero(shape); shape.hidden / LANES],
            output_bias: biases.collect(),
        };
        for (index, weight) in network.weights().enumerate() {
            let (row, neuron) = (index / shape.hidden, index % shape.hidden);
            let weight = f32::from(weight) / row_scale(shape, &scale, row);
            let row = &mut model.slices[neuron / LANES].rows[row];
            *row.lane_mut(neuron % LANES) = weight;
        }
        model
    }

    /// Returns true if tying changes nothing.
    pub(super) fn is_tied(&self, twins: &[u16]) -> bool {
        self.clone().tied(twins).slices == self.slices
    }

    /// Computes the outputs of some positions on the calling thread.
    pub(super) fn evaluate(&self, positions: &FeatureBatch) -> Vec<f32> {
        let mut totals: Vec<f32> = positions
            .buckets()
            .iter()
            .map(|&bucket| self.output_bias[usize::from(bucket)])
            .collect();
        for slice in &self.slices {
            let mut outputs = Vec::with_capacity(positions.len());
            let mut activations = Vec::with_capacity(positions.len());
            slice.forward(positions, &mut outputs, &mut activations);
            for (total, output) in totals.iter_mut().zip(outputs) {
                *total += output;
            }
        }
        totals
    }

    /// Returns the weight in a row of a slice for a neuron of the whole layer.
    fn weight(&self, row: usize, neuron: usize) -> f32 {
        self.slices[neuron / LANES].rows[row].lane(neuron % LANES)
    }

    /// Quantises the network. An output of 1 gets the value `eval_scale`. The output weights of each
    /// bucket are scaled as far as the arithmetic allows.
    pub(super) fn quantise(&self, eval_scale: f32) -> Result<Network, NetworkFault> {
        let most = MAX_SCALE as f32 / stretch(eval_scale);
        let scale = std::array::from_fn(|bucket| self.output_scale(bucket).min(most).floor());
        let mut weights = Vec::new();
        for row in 0..output_row(self.shape.features(), BUCKETS) {
            for neuron in 0..self.shape.hidden {
                let weight =
                    (self.weight(row, neuron) * row_scale(self.shape, &scale, row)).round();
                if weight.abs() > f32::from(i16::MAX) {
                    return Err(NetworkFault::TooLarge);
                }
                weights.push(weight as i16);
            }
        }
        let bias = |bucket: usize| self.output_bias[bucket] * f32::from(QA) * scale[bucket];
        let output_bias = std::array::from_fn(|bucket| bias(bucket).round() as i32);
        // In a file an output of 1 always has the value VALUE_SCALE.
        let scale = scale.map(|scale| (scale * stretch(eval_scale)).round() as i32);
        Network::new(self.shape, &weights, scale, output_bias)
    }

    /// Returns the greatest scale with which the rounded output weights of a bucket stay in their
    /// bounds.
    fn output_scale(&self, bucket: usize) -> f32 {
        let first = output_row(self.shape.features(), bucket);
        let weights = (first..first + PERSPECTIVES).flat_map(|row| {
            (0..self.shape.hidden).map(move |neuron| self.weight(row, neuron).abs())
        });
        let (largest, sum) = weights
            .fold((0f32, 0f32), |(largest, sum), weight| (largest.max(weight), sum + weight));
        // Rounding adds at most a half to each weight.
        let room = MAX_OUTPUT_SUM as f32 - (PERSPECTIVES * self.shape.hidden) as f32 / 2.0;
        let by_size = (f32::from(MAX_OUTPUT_WEIGHT) - 0.5) / largest.max(1e-6);
        let by_sum = room / sum.max(1e-6);
        by_size.min(by_sum).max(1.0)
    }

    /// Returns every parameter in a fixed order (slice, row, lane, then output biases), for
    /// checkpoints.
    pub(super) fn parameters_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.slices.iter_mut().flat_map(|slice| &mut slice.rows);
        rows.flat_map(Row::lanes_mut).chain(&mut self.output_bias)
    }
}

/// Returns the quantisation factor of the weights in a row.
fn row_scale(shape: Shape, scale: &[f32; BUCKETS], row: usize) -> f32 {
    match row.checked_sub(output_row(shape.features(), 0)) {
        None => f32::from(QA),
        Some(output) => scale[output / PERSPECTIVES],
    }
}

/// Returns the ratio of the scale in a file to the scale of the real network.
fn stretch(eval_scale: f32) -> f32 {
    VALUE_SCALE as f32 / eval_scale
}

/// Computes the logistic function.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Entry, shipped};
    use crate::positions::test_all_games;

    /// Training continues from the network itself, apart from rounding.
    fn a_network_is_taken_up_as_it_is<G: Entry>() {
        let network = shipped::<G>().unwrap();
        let eval_scale = 240.0;
        let mut first = FloatNetwork::of(&network, eval_scale);
        let mut second = FloatNetwork::of(&first.quantise(eval_scale).unwrap(), eval_scale);
        let smallest = network.scales_and_biases()[0].into_iter().min().unwrap();
        let bound = stretch(eval_scale).max(1.0) / smallest as f32;
        let mut count = 0;
        for (a, b) in first.parameters_mut().zip(second.parameters_mut()) {
            assert!((*a - *b).abs() <= bound * a.abs().max(1.0), "{a} {b}");
            count += usize::from(*a != 0.0);
        }
        assert!(count > 10_000, "{count}");
    }
    test_all_games!(a_network_is_taken_up_as_it_is);
}
