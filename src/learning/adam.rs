//! The optimiser: Adam (D. Kingma and J. Ba, 2015) with decoupled weight decay (I.
//! Loshchilov and F. Hutter, 2019), on rows of parameters.

use super::model::{Row, Slice, WEIGHT_LIMIT};

#[derive(Clone, Copy, Debug)]
pub struct AdamConfig {
    /// Decay of the first moment.
    pub beta1: f32,
    /// Decay of the second moment.
    pub beta2: f32,
    /// Added to the root of the second moment.
    pub epsilon: f32,
    /// Decoupled weight decay, multiplied by the learning rate.
    pub decay: f32,
    /// Feature and output weights are kept in `±limit` so that they and their
    /// products fit in 16 bits after quantisation.
    pub limit: f32,
}

impl Default for AdamConfig {
    fn default() -> Self {
        Self {
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            decay: 0.01,
            limit: WEIGHT_LIMIT,
        }
    }
}

/// The constants of one step, with the bias corrections folded in:
/// `m/(1-β₁ᵗ) / (√(v/(1-β₂ᵗ)) + ε)` is `m·rate / (√v + ε')`.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    beta1: f32,
    beta2: f32,
    epsilon: f32,
    rate: f32,
    keep: f32,
    limit: f32,
}

impl AdamConfig {
    /// Constants of step `number`, counted from 1.
    pub fn step(&self, number: u64, learning_rate: f32) -> Step {
        let number = number as f64;
        let first = 1.0 - f64::from(self.beta1).powf(number);
        let second = (1.0 - f64::from(self.beta2).powf(number)).sqrt();
        Step {
            beta1: self.beta1,
            beta2: self.beta2,
            epsilon: (f64::from(self.epsilon) * second) as f32,
            rate: (f64::from(learning_rate) * second / first) as f32,
            keep: 1.0 - learning_rate * self.decay,
            limit: self.limit,
        }
    }
}

/// Moments below this are set to zero: they would decay into denormal numbers,
/// which are slow, and std has no way to flush them in hardware.
const TINY: f32 = 1e-30;

impl Step {
    /// Updates one parameter and its moments, and clears its gradient.
    #[inline]
    pub fn apply(&self, weight: &mut f32, gradient: &mut f32, first: &mut f32, second: &mut f32) {
        let g = *gradient;
        let m = self.beta1 * *first + (1.0 - self.beta1) * g;
        let v = self.beta2 * *second + (1.0 - self.beta2) * g * g;
        let m = if m.abs() < TINY { 0.0 } else { m };
        let v = if v < TINY { 0.0 } else { v };
        let updated = *weight * self.keep - self.rate * m / (v.sqrt() + self.epsilon);
        *weight = updated.clamp(-self.limit, self.limit);
        *first = m;
        *second = v;
        *gradient = 0.0;
    }
}

/// First and second moments of one slice.
#[derive(Clone, Debug)]
pub(super) struct Moments {
    first: Vec<Row>,
    second: Vec<Row>,
}

impl Moments {
    pub(super) fn zero(rows: usize) -> Self {
        Self {
            first: vec![Row::ZERO; rows],
            second: vec![Row::ZERO; rows],
        }
    }

    /// Returns every number, in a fixed order.
    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.first
            .iter_mut()
            .chain(&mut self.second)
            .flat_map(Row::lanes_mut)
    }

    /// Updates all parameters of a slice; clears the gradient.
    pub(super) fn update(&mut self, step: Step, weights: &mut Slice, gradient: &mut Slice) {
        let moments = self.first.iter_mut().zip(&mut self.second);
        let pairs = weights.rows.iter_mut().zip(&mut gradient.rows);
        for ((weight, gradient), (first, second)) in pairs.zip(moments) {
            let weights = weight.lanes_mut().iter_mut();
            let gradients = gradient.lanes_mut().iter_mut();
            let moments = first.lanes_mut().iter_mut().zip(second.lanes_mut());
            for ((weight, gradient), (first, second)) in weights.zip(gradients).zip(moments) {
                step.apply(weight, gradient, first, second);
            }
        }
    }
}
