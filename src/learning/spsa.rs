//! Search parameters on their trajectory to better values, by simultaneous perturbation (SPSA).

use crate::search::Params;
use std::fmt::Write;

/// Size of a perturbation, as a fraction of a parameter's range.
const PERTURBATION: f64 = 0.08;
/// Step for a point of difference at the beginning, as a fraction of a parameter's range.
const STEP: f64 = 0.0015;
/// The steps shrink by (1 + pairs / `STABILITY`) to the power of `DECAY`, as Spall advises.
const STABILITY: f64 = 1000.0;
const DECAY: f64 = 0.6;

pub(super) struct Spsa {
    /// The parameters, as fractions of their ranges.
    theta: Vec<f64>,
    /// The parameters at the beginning.
    first: Params,
    /// Number of pairs of games learned from.
    pub pairs: u64,
    /// Saved numbers of pairs with the parameters after them.
    trajectory: Vec<(u64, Vec<f64>)>,
}

impl Spsa {
    /// Begins with the parameters of a game.
    pub(super) fn new(first: Params) -> Self {
        let values = first.values();
        let theta = values
            .iter()
            .zip(Params::RANGES)
            .map(|(&value, &(_, low, high))| f64::from(value - low) / f64::from(high - low));
        Self { theta: theta.collect(), first, pairs: 0, trajectory: Vec::new() }
    }

    /// Returns the parameters, all perturbed in the directions given.
    pub(super) fn params(&self, directions: &[f64]) -> Params {
        let values: Vec<_> = self
            .theta
            .iter()
            .zip(directions)
            .zip(Params::RANGES)
            .map(|((theta, direction), &(_, low, high))| {
                let theta = theta + PERTURBATION * direction;
                low + (theta * f64::from(high - low)).round() as i32
            })
            .collect();
        Params::from_values(&values)
    }

    /// Moves the parameters in the directions given, by the difference in points that the
    /// perturbation made.
    pub(super) fn learn(&mut self, directions: &[f64], difference: f64) {
        let step = STEP / (1.0 + self.pairs as f64 / STABILITY).powf(DECAY);
        for (theta, direction) in self.theta.iter_mut().zip(directions) {
            *theta = (*theta + step * difference * direction).clamp(0.0, 1.0);
        }
        self.pairs += 1;
    }

    /// Returns true if the parameters have not moved since they were saved.
    pub(super) fn is_saved(&self) -> bool {
        let last = self.trajectory.last();
        last.is_some_and(|&(pairs, _)| pairs == self.pairs)
    }

    /// Appends the parameters to the trajectory. Returns them as a line: the number of pairs, the
    /// number of the next opening, and each parameter's fraction of its range.
    pub(super) fn save(&mut self, opening: u64) -> String {
        self.trajectory.push((self.pairs, self.theta.clone()));
        let mut line = format!("{}\t{opening}", self.pairs);
        for theta in &self.theta {
            // Writing to a string does not fail.
            let _ = write!(line, "\t{theta}");
        }
        line
    }

    /// Resumes from a line of [`save`](Self::save). Returns the number of the next opening; `None`
    /// if the line is malformed.
    pub(super) fn resume(&mut self, line: &str) -> Option<u64> {
        let mut words = line.split('\t');
        let pairs = words.next()?.parse().ok()?;
        let opening = words.next()?.parse().ok()?;
        let theta = words.map(|word| {
            let theta: f64 = word.parse().ok()?;
            (0.0..=1.0).contains(&theta).then_some(theta)
        });
        let theta: Vec<_> = theta.collect::<Option<_>>()?;
        if theta.len() != self.theta.len() || pairs < self.pairs {
            return None;
        }
        (self.pairs, self.theta) = (pairs, theta.clone());
        self.trajectory.push((pairs, theta));
        Some(opening)
    }

    /// Describes these parameters, given by their indices in [`Params::RANGES`]: mean and standard
    /// deviation over the last third of the trajectory.
    pub(super) fn describe(&self, parameters: &[usize]) -> String {
        let is_late = |(pairs, _): &&(u64, Vec<f64>)| 3 * pairs >= 2 * self.pairs;
        let late: Vec<_> = self.trajectory.iter().filter(is_late).collect();
        let first = self.first.values();
        let lines = parameters.iter().map(|&index| {
            let ((name, low, high), first) = (Params::RANGES[index], first[index]);
            let range = f64::from(high - low);
            let thetas = late.iter().map(|(_, theta)| theta[index]);
            let count = thetas.clone().count().max(1) as f64;
            let mean = thetas.clone().sum::<f64>() / count;
            let variance = thetas.map(|theta| (theta - mean).powi(2)).sum::<f64>() / count;
            let value = f64::from(low) + mean * range;
            let deviation = variance.sqrt() * range;
            format!("{name}: {value:.0} ± {deviation:.1} (was {first})")
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trajectory_begins_at_the_parameters_of_the_game() {
        let spsa = Spsa::new(Params::DEFAULT);
        let still = vec![0.0; spsa.theta.len()];
        assert_eq!(spsa.params(&still), Params::DEFAULT);
    }

    #[test]
    fn parameters_move_towards_the_winner_and_stay_in_range() {
        let mut spsa = Spsa::new(Params::DEFAULT);
        let up = vec![1.0; spsa.theta.len()];
        let before = spsa.theta.clone();
        spsa.learn(&up, 2.0);
        assert!(spsa.theta.iter().zip(&before).all(|(a, b)| a > b));
        for _ in 0..100_000 {
            spsa.learn(&up, -2.0);
        }
        let down: Vec<_> = up.iter().map(|up| -up).collect();
        let lowest: Vec<_> = Params::RANGES.iter().map(|&(_, low, _)| low).collect();
        assert_eq!(spsa.params(&down).values(), lowest);
    }

    #[test]
    fn the_last_third_is_averaged() {
        let mut spsa = Spsa::new(Params::DEFAULT);
        let (name, low, high) = Params::RANGES[0];
        for (pairs, theta) in [(10, 1.0), (20, 0.25), (30, 0.75)] {
            spsa.pairs = pairs;
            spsa.theta[0] = theta;
            spsa.save(0);
        }
        let (middle, quarter) = (f64::from(low + high) / 2.0, f64::from(high - low) / 4.0);
        let line = format!("{name}: {middle:.0} ± {quarter:.1} (was ");
        assert!(spsa.describe(&[0]).starts_with(&line), "{}", spsa.describe(&[0]));
    }
}
