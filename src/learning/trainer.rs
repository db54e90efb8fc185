//! Threads, batches and the schedule.
//!
//! Each thread owns some slices of neurons (weights, gradients, moments and activations). A batch
//! is cut into waves, small enough that the activations stay in the cache, and each thread has a
//! contiguous part of each wave. A wave has four phases with a barrier between them:
//!
//! 1. decode its own part of the wave into features;
//! 2. forward: the whole wave through its own slices;
//! 3. sum the partial outputs for its own part; loss and its derivatives;
//! 4. backward: the whole wave through its own slices; after the last wave of the batch, Adam.
//!
//! No gradient is shared and the order of all sums is fixed, so the network does not depend on the
//! number of threads, bit for bit. There is no barrier after phase 4: the parts have two buffers
//! used in turn, so a thread may decode the next wave while another is still busy.
//!
//! The phases rely on one hidden layer: the partial outputs of the slices add up to the output. A
//! second layer needs another trainer.

use super::adam::{Moments, Step};
use super::features::{FeatureMap, target};
use super::model::{Activations, FeatureBatch, FloatNetwork, Slice, WEIGHT_LIMIT, sigmoid};
use super::record::PackedPosition;
use crate::eval::BUCKETS;
use crate::system::random::Random;
use crate::system::sync::cores;
use std::ops::Range;
use std::sync::{Barrier, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;

#[derive(Clone, Debug)]
pub struct Config {
    /// Number of threads; the network does not depend on it.
    pub threads: usize,
    /// Positions between two steps of the optimiser, a multiple of [`WAVE`].
    pub batch: usize,
    /// Steps in the run; the data are shuffled again in every epoch.
    pub steps: u64,
    /// Greatest learning rate.
    pub rate: f32,
    /// Weight of the game's result against the score in the target, at the beginning and at the
    /// end.
    pub lambda: (f32, f32),
    /// Seed of the initial weights and of the order of the positions.
    pub seed: u64,
}

/// Positions of a wave, which all threads share. Batches are multiples of it.
pub(super) const WAVE: usize = 4096;
/// Learning rate at the end, as a fraction of the greatest.
const LAST_RATE: f32 = 0.01;
/// Steps until the learning rate has risen to the greatest.
const WARMUP: u64 = 50;
/// Greatest share of those steps: one in this many.
const WARMUP_SHARE: u64 = 10;

impl Default for Config {
    fn default() -> Self {
        Self {
            threads: cores(),
            batch: 4 * WAVE,
            // Set by the caller, like the rate and the weights.
            steps: 0,
            rate: 0.0,
            lambda: (0.0, 0.0),
            seed: 1,
        }
    }
}

impl Config {
    /// Returns the learning rate of a step: a linear warm-up, then half a cosine from the greatest
    /// rate to the last.
    fn learning_rate(&self, step: u64) -> f32 {
        let warmup = WARMUP.min(self.steps / WARMUP_SHARE);
        if step < warmup {
            return self.rate * (step + 1) as f32 / warmup as f32;
        }
        let span = self.steps.saturating_sub(warmup).max(1);
        let progress = (step - warmup) as f32 / span as f32;
        let fall = 0.5 + 0.5 * (std::f32::consts::PI * progress).cos();
        self.rate * (LAST_RATE + (1.0 - LAST_RATE) * fall)
    }

    fn result_weight(&self, step: u64) -> f32 {
        let (first, last) = self.lambda;
        first + (last - first) * step as f32 / self.steps.max(1) as f32
    }
}

/// The part of a wave that one thread decodes and whose loss it computes.
#[derive(Default)]
struct Part {
    records: Vec<PackedPosition>,
    positions: FeatureBatch,
    targets: Vec<f32>,
    /// Derivative of the loss by the output of each position.
    errors: Vec<f32>,
    /// Sum of the squared errors.
    loss: f64,
}

/// A slice and the state of its training.
struct SliceTrainer<'a> {
    index: usize,
    weights: &'a mut Slice,
    gradient: Slice,
    moments: &'a mut Moments,
    activations: Vec<Activations>,
}

/// The output biases, trained by the first thread.
#[derive(Clone, Debug)]
struct Biases {
    values: Vec<f32>,
    gradient: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
}

/// State shared by the threads.
struct SharedState<'a> {
    config: &'a Config,
    map: &'a FeatureMap,
    records: &'a [PackedPosition],
    /// Steps to run.
    steps: Range<u64>,
    barrier: Barrier,
    order: &'a RwLock<Order>,
    /// Two buffers of one part per thread.
    parts: [Vec<RwLock<Part>>; 2],
    /// Partial outputs of each slice for the whole wave.
    outputs: Vec<RwLock<Vec<f32>>>,
    biases: &'a RwLock<Biases>,
}

/// Locks for reading, even after a panic of another thread, which must not hide behind a poisoned
/// lock.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// A network in training, with the state to resume from.
pub(super) struct Trainer {
    pub network: FloatNetwork,
    moments: Vec<Moments>,
    biases: RwLock<Biases>,
    /// Steps done.
    pub steps: u64,
    /// Order of the current epoch, kept because shuffling many records takes seconds.
    order: RwLock<Order>,
}

impl Trainer {
    pub(super) fn new(network: FloatNetwork) -> Self {
        let zeros = || vec![0.0; BUCKETS];
        Self {
            moments: network.slices.iter().map(|slice| Moments::zero(slice.rows.len())).collect(),
            biases: RwLock::new(Biases {
                values: zeros(),
                gradient: zeros(),
                first: zeros(),
                second: zeros(),
            }),
            network,
            steps: 0,
            order: RwLock::default(),
        }
    }

    /// Returns every number of a checkpoint besides the steps, in a fixed order.
    pub(super) fn state_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let biases = self.biases.get_mut();
        let Biases { first, second, .. } = biases.unwrap_or_else(PoisonError::into_inner);
        let moments = self.moments.iter_mut().flat_map(Moments::values_mut);
        self.network.parameters_mut().chain(moments).chain(first).chain(second)
    }

    /// Runs `steps` steps; `records` must fill a batch. Returns the mean squared error, taken
    /// before each step.
    pub(super) fn run(
        &mut self,
        records: &[PackedPosition],
        map: &FeatureMap,
        config: &Config,
        steps: u64,
    ) -> f64 {
        let shape = self.network.shape;
        let slices = self.network.slices.len();
        write(&self.order).prepare(records.len(), config, self.steps);
        let threads = config.threads.clamp(1, slices);
        (write(&self.biases).values).clone_from(&self.network.output_bias);
        let parts = || (0..threads).map(|_| RwLock::default()).collect();
        let shared = SharedState {
            config,
            map,
            records,
            steps: self.steps..self.steps + steps,
            barrier: Barrier::new(threads),
            order: &self.order,
            parts: [parts(), parts()],
            outputs: (0..slices).map(|_| RwLock::default()).collect(),
            biases: &self.biases,
        };
        let learning = self.network.slices.iter_mut().zip(&mut self.moments).enumerate();
        let mut workers = learning.map(|(index, (weights, moments))| SliceTrainer {
            index,
            weights,
            gradient: Slice::zero(shape),
            moments,
            activations: Vec::new(),
        });
        let mut shares =
            spread(slices, threads).map(|range| workers.by_ref().take(range.len()).collect());
        let first: Vec<SliceTrainer<'_>> = shares.next().unwrap_or_default();
        let rest: Vec<Vec<SliceTrainer<'_>>> = shares.collect();
        drop(workers);
        let loss = thread::scope(|scope| {
            let shared = &shared;
            for (thread, share) in (1..).zip(rest) {
                scope.spawn(move || run(thread, share, shared));
            }
            run(0, first, shared)
        });
        (self.network.output_bias).clone_from(&read(&self.biases).values);
        self.steps += steps;
        loss / steps.max(1) as f64
    }
}

/// The order of the records in one epoch.
#[derive(Default)]
struct Order {
    epoch: Option<u64>,
    /// Indices of the records.
    records: Vec<u32>,
}

impl Order {
    /// Reshuffles when the step enters a new epoch.
    fn prepare(&mut self, records: usize, config: &Config, step: u64) {
        let epoch = step / steps_in_epoch(records, config);
        if self.epoch != Some(epoch) || self.records.len() != records {
            self.epoch = Some(epoch);
            self.records.clear();
            self.records.extend(0..records as u32);
            Random::new(config.seed, epoch + 1).shuffle(&mut self.records);
        }
    }
}

fn steps_in_epoch(records: usize, config: &Config) -> u64 {
    (records / config.batch).max(1) as u64
}

/// Cuts `0..count` into nearly equal ranges.
fn spread(count: usize, parts: usize) -> impl Iterator<Item = Range<usize>> {
    (0..parts).map(move |part| count * part / parts..count * (part + 1) / parts)
}

/// Does the work of one thread; the first returns the sum of the losses.
fn run(thread: usize, mut workers: Vec<SliceTrainer<'_>>, shared: &SharedState<'_>) -> f64 {
    let config = shared.config;
    let per_epoch = steps_in_epoch(shared.records.len(), config);
    let waves = config.batch / WAVE;
    let Some(own) = spread(WAVE, shared.parts[0].len()).nth(thread) else {
        return 0.0;
    };
    // The two buffers are used in turn throughout the run, whatever the number of waves in
    // a batch: a buffer is used again only after the next barrier.
    let mut buffers = shared.parts.iter().cycle();
    let mut loss = 0.0;
    for step in shared.steps.clone() {
        let in_epoch = (step % per_epoch) as usize;
        if in_epoch == 0 && step > shared.steps.start {
            // The first thread shuffles; the others wait.
            if thread == 0 {
                write(shared.order).prepare(shared.records.len(), config, step);
            }
            shared.barrier.wait();
        }
        for wave in in_epoch * waves..(in_epoch + 1) * waves {
            let Some(parts) = buffers.next() else {
                return loss;
            };
            let start = wave * WAVE;
            decode(&mut write(&parts[thread]), start + own.start..start + own.end, step, shared);
            shared.barrier.wait();
            forward(&mut workers, parts, shared);
            shared.barrier.wait();
            differentiate(&mut write(&parts[thread]), own.start, shared);
            shared.barrier.wait();
            backward(&mut workers, parts);
            if thread == 0 {
                loss += gather(parts, &mut write(shared.biases)) / config.batch as f64;
            }
        }
        let constants = Step::new(step + 1, config.learning_rate(step));
        for worker in &mut workers {
            worker.gradient.tie(&shared.map.twins);
            worker.moments.update(constants, worker.weights, &mut worker.gradient);
        }
        if thread == 0 {
            write(shared.biases).update(constants);
        }
    }
    loss
}

/// Decodes the positions (phase 1). Copies the records first: short independent loads overlap their
/// cache misses, whole decodings do not.
fn decode(part: &mut Part, range: Range<usize>, step: u64, shared: &SharedState<'_>) {
    let Part { records, positions, targets, .. } = part;
    let order = read(shared.order);
    let order = &order.records[range];
    records.clear();
    records.extend(order.iter().map(|&index| shared.records[index as usize]));
    positions.clear();
    targets.clear();
    // Another reflection in every epoch.
    let epoch = step / steps_in_epoch(shared.records.len(), shared.config);
    let lambda = shared.config.result_weight(step);
    for (record, &index) in records.iter().zip(order) {
        let reflection = index as usize + epoch as usize;
        shared.map.decode(record, reflection, positions);
        targets.push(target(record, lambda));
    }
}

/// Computes the outputs of the positions (phase 2).
fn forward(workers: &mut [SliceTrainer<'_>], parts: &[RwLock<Part>], shared: &SharedState<'_>) {
    for worker in workers {
        let mut outputs = write(&shared.outputs[worker.index]);
        outputs.clear();
        worker.activations.clear();
        for part in parts {
            worker.weights.forward(&read(part).positions, &mut outputs, &mut worker.activations);
        }
    }
}

/// Computes the errors of the outputs and their derivatives (phase 3). `start` is the offset of the
/// part in the wave.
fn differentiate(part: &mut Part, start: usize, shared: &SharedState<'_>) {
    let biases = read(shared.biases);
    let partial: Vec<_> = shared.outputs.iter().map(read).collect();
    let scale = 1.0 / shared.config.batch as f32;
    part.errors.clear();
    part.loss = 0.0;
    let buckets = part.positions.buckets();
    for (index, (&target, &bucket)) in part.targets.iter().zip(buckets).enumerate() {
        let bias = biases.values[usize::from(bucket)];
        let output = partial.iter().fold(bias, |sum, outputs| sum + outputs[start + index]);
        let (loss, error) = squared_error(output, target);
        part.loss += f64::from(loss);
        part.errors.push(error * scale);
    }
}

/// Returns the squared error of the expected result, and its derivative by the output.
fn squared_error(output: f32, target: f32) -> (f32, f32) {
    let expected = sigmoid(output);
    let difference = expected - target;
    (difference * difference, 2.0 * difference * expected * (1.0 - expected))
}

/// Computes the gradients of the weights (phase 4).
fn backward(workers: &mut [SliceTrainer<'_>], parts: &[RwLock<Part>]) {
    for worker in workers {
        let mut activations = worker.activations.as_slice();
        for part in parts {
            let part = read(part);
            let (own, rest) = activations.split_at(part.positions.len());
            worker.weights.backward(&part.positions, &part.errors, own, &mut worker.gradient);
            activations = rest;
        }
    }
}

/// Adds to the gradient of the biases. Returns the sum of the losses of the wave.
fn gather(parts: &[RwLock<Part>], biases: &mut Biases) -> f64 {
    let mut loss = 0.0;
    for part in parts {
        let part = read(part);
        for (&bucket, error) in part.positions.buckets().iter().zip(&part.errors) {
            biases.gradient[usize::from(bucket)] += error;
        }
        loss += part.loss;
    }
    loss
}

impl Biases {
    fn update(&mut self, step: Step) {
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((value, gradient), (first, second)) in
            self.values.iter_mut().zip(&mut self.gradient).zip(moments)
        {
            step.apply(value, gradient, first, second, WEIGHT_LIMIT);
        }
    }
}
