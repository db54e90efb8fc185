//! Counted results as a sample of a distribution.

/// Returns the mean of values and its standard error.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (mean, (squares.sum::<f64>() / (count - 1.0) / count).sqrt())
}

/// The counts of results, which are equally spaced scores from 0 to 1.
pub struct Sample {
    counts: Vec<f64>,
    /// The number of results.
    pub total: f64,
    /// The mean; not a number without results.
    pub mean: f64,
}

impl Sample {
    /// The sample with these counts, the score 0 first.
    pub fn of(counts: Vec<f64>) -> Self {
        let total = counts.iter().sum();
        let mut sample = Self {
            counts,
            total,
            mean: 0.0,
        };
        sample.mean = sample.average(|score| score);
        sample
    }

    /// Replaces counts of 0 by a little, as fishtest does, so that a result that did not occur
    /// counts as unlikely, not as impossible.
    pub fn regularised(&self) -> Self {
        const LITTLE: f64 = 1e-3;
        let counts = self.counts.iter();
        Self::of(
            counts
                .map(|&count| if count == 0.0 { LITTLE } else { count })
                .collect(),
        )
    }

    /// Adds one result, spread evenly over all possible ones: a prior that some dozens of games
    /// outweigh.
    fn with_prior(&self) -> Self {
        let share = 1.0 / self.counts.len() as f64;
        Self::of(self.counts.iter().map(|count| count + share).collect())
    }

    /// The scores with the number of their occurrences.
    fn scores(&self) -> impl Iterator<Item = (f64, f64)> {
        let last = (self.counts.len() - 1) as f64;
        let counts = self.counts.iter().enumerate();
        counts.map(move |(index, &count)| (index as f64 / last, count))
    }

    fn average(&self, value: impl Fn(f64) -> f64) -> f64 {
        let values = self.scores().map(|(score, count)| count * value(score));
        values.sum::<f64>() / self.total
    }

    /// The variance of a result.
    pub fn variance(&self) -> f64 {
        self.average(|score| (score - self.mean).powi(2))
    }

    /// The variance of a result, estimated with a prior: results that were all alike do not show
    /// that no other is possible.
    pub fn cautious_variance(&self) -> f64 {
        self.variance().max(self.with_prior().variance())
    }

    /// The distance of the mean above a score, in standard deviations. It is less if there are few
    /// results, since they also have to show how much they deviate: the quantile of Student's t
    /// distribution as one of the normal distribution (D. L. Wallace, "Bounds on Normal
    /// Approximations to Student's and the Chi-Square Distributions", 1959).
    pub fn deviations_above(&self, score: f64) -> f64 {
        let t = (self.mean - score) / (self.cautious_variance() / self.total).sqrt();
        let size = (self.total * (1.0 + t * t / self.total).ln()).sqrt();
        t.signum() * size * (8.0 * self.total + 1.0) / (8.0 * self.total + 3.0)
    }

    /// The log-likelihood ratio of the results under one distribution against another. Every result
    /// must have occurred.
    pub fn log_ratio(&self, one: &[f64], other: &[f64]) -> f64 {
        let chances = one.iter().zip(other).zip(&self.counts);
        chances
            .map(|((one, other), count)| count * (one / other).ln())
            .sum()
    }

    /// The likeliest chances of the scores under which their mean is `mean`.
    ///
    /// M. Van den Bergh, "Comparing the approximations for the generalized log likelihood
    /// ratio of a multinomial distribution",
    /// <https://www.cantate.be/Fishtest/comparing_approximations.pdf>.
    pub fn likeliest_with_mean(&self, mean: f64) -> Vec<f64> {
        let scores = self.scores();
        self.tilt(&scores.map(|(score, _)| score - mean).collect::<Vec<_>>())
    }

    /// The likeliest chances of the scores under which their mean lies `distance` standard
    /// deviations of a result above ½.
    ///
    /// The condition is not linear in the chances, so it is replaced by its tangent at the
    /// last solution until that stands still (M. Van den Bergh, "Comments on normalized Elo",
    /// section 4.1, <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
    pub fn likeliest_at_distance(&self, distance: f64) -> Vec<f64> {
        const ROUNDS: usize = 50;
        let mut chances = vec![1.0 / self.counts.len() as f64; self.counts.len()];
        for _ in 0..ROUNDS {
            let current = Self::of(chances.clone());
            let deviation = current.variance().sqrt();
            let condition = |score: f64| {
                let standard = (score - current.mean) / deviation;
                score - 0.5 - 0.5 * distance * deviation * (1.0 + standard * standard)
            };
            let next = self.tilt(
                &self
                    .scores()
                    .map(|(score, _)| condition(score))
                    .collect::<Vec<_>>(),
            );
            let change = chances
                .iter()
                .zip(&next)
                .map(|(old, new)| (old - new).abs());
            let change = change.fold(0.0, f64::max);
            chances = next;
            if change < 1e-9 {
                break;
            }
        }
        chances
    }

    /// The likeliest chances under which some values, one for each score, are 0 on average: those
    /// observed, each divided by 1 + x value, with the x that satisfies the condition.
    fn tilt(&self, values: &[f64]) -> Vec<f64> {
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        // The average falls as x grows, from +∞ to −∞ between these two.
        let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
        let average = |x: f64| {
            let pairs = self.counts.iter().zip(values);
            pairs
                .map(|(count, value)| count * value / (1.0 + x * value))
                .sum::<f64>()
        };
        // More halvings than a number has bits.
        for _ in 0..64 {
            let x = (low + high) / 2.0;
            if average(x) > 0.0 {
                low = x;
            } else {
                high = x;
            }
        }
        let x = (low + high) / 2.0;
        let pairs = self.counts.iter().zip(values);
        pairs
            .map(|(count, value)| count / self.total / (1.0 + x * value))
            .collect()
    }
}
