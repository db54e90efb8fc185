//! The sequential probability ratio test.

use super::elo::{Counts, score_of};
use std::fmt;

/// One of the two hypotheses of an [`Sprt`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hypothesis {
    /// The difference is `elo0`.
    H0,
    /// The difference is `elo1`.
    H1,
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
        })
    }
}

/// The meaning of Elo in a test's bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// The usual Elo: 400 log₁₀ of the odds. The bounds of cutechess-cli.
    Logistic,
    /// The score's distance from ½ in standard deviations of a game, on the scale of Elo. It does
    /// not depend on the share of draws. The bounds of fishtest and fastchess.
    Normalised,
}

impl Model {
    /// All models with their names.
    pub const ALL: [(&str, Self); 2] =
        [("logistic", Self::Logistic), ("normalized", Self::Normalised)];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, model)| *model == self);
        found.map_or("", |(name, _)| name)
    }
}

/// A sequential probability ratio test between two differences in Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1.
    pub elo1: f64,
    /// The probability of accepting H1 if H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 if H1 is true.
    pub beta: f64,
    /// The meaning of the differences.
    pub model: Model,
}

impl Sprt {
    /// Returns the log-likelihood ratio of H1 against H0; 0 without games.
    ///
    /// It is the generalised ratio of fishtest (`LLR_logistic` and `LLR_normalized`): under each
    /// hypothesis the results have the likeliest distribution that it allows.
    /// <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf> derives it.
    pub fn llr(&self, counts: &Counts) -> f64 {
        if counts.games() == 0 {
            return 0.0;
        }
        let sample = counts.sample().regularised();
        let log_likelihood = |elo: f64| match self.model {
            Model::Logistic => sample.log_likelihood_with_mean(score_of(elo)),
            Model::Normalised => sample.log_likelihood_at_distance(counts.distance_of(elo)),
        };
        log_likelihood(self.elo1) - log_likelihood(self.elo0)
    }

    /// Returns the ratios that end the test: H0 at or below the first, H1 at or above the second
    /// (A. Wald, "Sequential Tests of Statistical Hypotheses", 1945).
    pub fn bounds(&self) -> (f64, f64) {
        (self.beta.ln() - (1.0 - self.alpha).ln(), (1.0 - self.beta).ln() - self.alpha.ln())
    }

    /// Returns the hypothesis that is accepted, if the test has ended.
    pub fn verdict(&self, counts: &Counts) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        let llr = self.llr(counts);
        if llr <= lower {
            Some(Hypothesis::H0)
        } else if llr >= upper {
            Some(Hypothesis::H1)
        } else {
            None
        }
    }
}
