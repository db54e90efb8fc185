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
    /// The mean; ½ without results.
    pub mean: f64,
}

impl Sample {
    /// Creates the sample with these counts, the score 0 first.
    pub fn of(counts: Vec<f64>) -> Self {
        let total = counts.iter().sum();
        let mut sample = Self { counts, total, mean: 0.5 };
        if total > 0.0 {
            sample.mean = sample.average(|score| score);
        }
        sample
    }

    /// Adds a little to every count, so that a result that did not occur counts as unlikely, not as
    /// impossible. fishtest replaces counts of 0 alone; added to all, it keeps the worth of
    /// exchanging one result for another.
    pub fn regularised(&self) -> Self {
        const LITTLE: f64 = 1e-3;
        Self::of(self.counts.iter().map(|count| count + LITTLE).collect())
    }

    /// Adds one result, spread evenly over all possible ones: a prior that some dozens of games
    /// outweigh.
    fn with_prior(&self) -> Self {
        let share = 1.0 / self.counts.len() as f64;
        Self::of(self.counts.iter().map(|count| count + share).collect())
    }

    /// Returns the scores with the number of their occurrences.
    fn scores(&self) -> impl Iterator<Item = (f64, f64)> {
        let last = (self.counts.len() - 1) as f64;
        let counts = self.counts.iter().enumerate();
        counts.map(move |(index, &count)| (index as f64 / last, count))
    }

    fn average(&self, value: impl Fn(f64) -> f64) -> f64 {
        let values = self.scores().map(|(score, count)| count * value(score));
        values.sum::<f64>() / self.total
    }

    /// Returns the variance of a result.
    pub fn variance(&self) -> f64 {
        self.average(|score| (score - self.mean).powi(2))
    }

    /// Returns the variance of a result, estimated with a prior: even if all results are alike,
    /// others are possible.
    pub fn cautious_variance(&self) -> f64 {
        self.variance().max(self.with_prior().variance())
    }

    /// Returns the sample itself, or if all its results are alike, with a prior.
    pub fn varied(self) -> Self {
        if self.variance() > 0.0 { self } else { self.with_prior() }
    }

    /// Returns the distance of the mean above a score, in standard deviations of the mean.
    pub fn deviations_above(&self, score: f64) -> f64 {
        (self.mean - score) / (self.variance() / self.total).sqrt()
    }

    /// Returns the log-likelihood of the results under the likeliest distribution with a mean
    /// between 0 and 1, relative to the observed one. Every result must have occurred.
    ///
    /// M. Van den Bergh, "Comparing the approximations for the generalized log likelihood
    /// ratio of a multinomial distribution",
    /// <https://www.cantate.be/Fishtest/comparing_approximations.pdf>.
    pub fn log_likelihood_with_mean(&self, mean: f64) -> f64 {
        let values = self.values(|score| score - mean);
        self.log_likelihood(&values, self.tilt(&values))
    }

    /// Returns the log-likelihood of the results under the likeliest distribution whose mean lies
    /// `distance` standard deviations of a result above ½, relative to the observed one. Every
    /// result must have occurred.
    ///
    /// With x the score above ½ and k = `distance` / √(1 + `distance`²), the condition is
    /// E x = k √(E x²). The root is the least of (r + E x² / r) / 2 over all r, so each r gives a
    /// condition that is linear in the chances: the tangents of M. Van den Bergh, "Comments on
    /// normalized Elo", section 4.1,
    /// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>. With the right r, r² is
    /// E x² of the likeliest distribution.
    ///
    /// r is at least k. With a lesser one a pair won by 2 points instead of 1½ could count as a
    /// worse result: it adds more to the deviation than to the mean.
    pub fn log_likelihood_at_distance(&self, distance: f64) -> f64 {
        const GREATEST: f64 = 0.5;
        let k = distance.abs() / distance.hypot(1.0);
        let least = k.min(GREATEST);
        let above = |score: f64| (score - 0.5) * distance.signum();
        let square = |score: f64| above(score).powi(2);
        let condition =
            |r: f64| self.values(|score| above(score) - k / 2.0 * (r + square(score) / r));
        let observed = self.average(square).sqrt().max(least);
        let is_beyond = self.weighted(&condition(observed), 0.0) >= 0.0;
        let solve = |r: f64| {
            let values = condition(r);
            let x = self.tilt(&values);
            // Results beyond the hypothesis already meet conditions that are too loose.
            let x = if is_beyond { x.max(0.0) } else { x };
            (values, x)
        };
        // The square falls below r² once as r grows: at its end it is at most ½².
        let r = crossing(least, GREATEST, |r| {
            let (values, x) = solve(r);
            let squares = self.scores().zip(&values);
            let squares =
                squares.map(|((score, count), value)| count * square(score) / (1.0 + x * value));
            squares.sum::<f64>() / self.total - r * r
        });
        let (values, x) = solve(r);
        self.log_likelihood(&values, x)
    }

    /// Returns a value for each score.
    fn values(&self, value: impl Fn(f64) -> f64) -> Vec<f64> {
        self.scores().map(|(score, _)| value(score)).collect()
    }

    /// Returns the sum of values, one for each score, over the results, each divided by 1 + `x`
    /// value.
    fn weighted(&self, values: &[f64], x: f64) -> f64 {
        let pairs = self.counts.iter().zip(values);
        pairs.map(|(count, value)| count * value / (1.0 + x * value)).sum()
    }

    /// Returns the x that gives the likeliest chances under which some values, one for each score,
    /// are 0 on average: those observed, each divided by 1 + x value. Some value must be positive
    /// and some negative.
    fn tilt(&self, values: &[f64]) -> f64 {
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        // The average falls as x grows, from +∞ to −∞ between these two.
        crossing(-1.0 / greatest, -1.0 / least, |x| self.weighted(values, x))
    }

    /// Returns the log-likelihood of the results under the chances that [`tilt`](Self::tilt) gives,
    /// relative to those observed.
    fn log_likelihood(&self, values: &[f64], x: f64) -> f64 {
        let pairs = self.counts.iter().zip(values);
        -pairs.map(|(count, value)| count * (x * value).ln_1p()).sum::<f64>()
    }
}

/// Returns the place between `low` and `high` where a function falls below 0.
fn crossing(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    // More halvings than a number has bits.
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        if function(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}
