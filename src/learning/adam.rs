//! The optimiser: Adam (D. Kingma and J. Ba, 2015) with decoupled weight decay (I.
//! Loshchilov and F. Hutter, 2019), on rows of parameters.

use super::model::{Row, Slice};

/// Decay of the first moment.
const BETA1: f32 = 0.9;
/// Decay of the second moment.
const BETA2: f32 = 0.999;
/// Added to the root of the second moment.
const EPSILON: f32 = 1e-8;
/// Decoupled weight decay, multiplied by the learning rate.
const DECAY: f32 = 0.01;
/// Moments below this are set to zero: they would decay into denormal numbers,
/// which are slow, and std has no way to flush them in hardware.
const TINY: f32 = 1e-30;

/// The constants of one step, with the bias corrections folded in:
/// `m/(1-β₁ᵗ) / (√(v/(1-β₂ᵗ)) + ε)` is `m·rate / (√v + ε')`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    epsilon: f32,
    rate: f32,
    keep: f32,
}

impl Step {
    /// Returns the constants of step `number`, counted from 1.
    pub(super) fn new(number: u64, learning_rate: f32) -> Self {
        let number = number as f64;
        let first = 1.0 - f64::from(BETA1).powf(number);
        let second = (1.0 - f64::from(BETA2).powf(number)).sqrt();
        Self {
            epsilon: (f64::from(EPSILON) * second) as f32,
            rate: (f64::from(learning_rate) * second / first) as f32,
            keep: 1.0 - learning_rate * DECAY,
        }
    }

    /// Updates one parameter, clamped to ±`limit`, and its moments; clears its gradient.
    #[inline]
    pub(super) fn apply(
        &self,
        weight: &mut f32,
        gradient: &mut f32,
        first: &mut f32,
        second: &mut f32,
        limit: f32,
    ) {
        let g = *gradient;
        let m = BETA1 * *first + (1.0 - BETA1) * g;
        let v = BETA2 * *second + (1.0 - BETA2) * g * g;
        let m = if m.abs() < TINY { 0.0 } else { m };
        let v = if v < TINY { 0.0 } else { v };
        let updated = *weight * self.keep - self.rate * m / (v.sqrt() + self.epsilon);
        *weight = updated.clamp(-limit, limit);
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
        Self { first: vec![Row::ZERO; rows], second: vec![Row::ZERO; rows] }
    }

    /// Returns every number, in a fixed order.
    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.first.iter_mut().chain(&mut self.second).flat_map(Row::lanes_mut)
    }

    /// Updates all parameters of a slice; clears the gradient.
    pub(super) fn update(&mut self, step: Step, weights: &mut Slice, gradient: &mut Slice) {
        let moments = self.first.iter_mut().zip(&mut self.second);
        for (index, (gradient, (first, second))) in
            gradient.rows.iter_mut().zip(moments).enumerate()
        {
            let limit = weights.limit(index);
            let weight = &mut weights.rows[index];
            let weights = weight.lanes_mut().iter_mut();
            let gradients = gradient.lanes_mut().iter_mut();
            let moments = first.lanes_mut().iter_mut().zip(second.lanes_mut());
            for ((weight, gradient), (first, second)) in weights.zip(gradients).zip(moments) {
                step.apply(weight, gradient, first, second, limit);
            }
        }
    }
}
