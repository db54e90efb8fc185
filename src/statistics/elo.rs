//! The difference in strength shown by the results of a match: Elo with its error and the
//! likelihood of superiority.
//!
//! The formulas are those of Cute Chess (`elo.cpp`, <https://github.com/cutechess/cutechess>) and
//! of fishtest (`stat_util.py` and `LLRcalc.py`, <https://github.com/official-stockfish/fishtest>),
//! so that numbers can be compared.
//!
//! Two games from one opening with both colours are not independent: an engine that gains from a
//! lopsided opening in one game suffers from it in the other. If most games are in such pairs,
//! pairs are counted, with five results from 0 to 2 points (pentanomial), and a game whose other
//! half is not finished waits. Otherwise games are counted, with three results (trinomial).

use super::sample::Sample;
use std::f64::consts::{LN_10, PI, SQRT_2};
use std::fmt;
use std::ops::Add;

/// The result of a game for the first engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// It won.
    Win,
    /// Neither side won.
    Draw,
    /// It lost.
    Loss,
}

impl GameResult {
    /// Returns the points of the first engine, in halves.
    pub const fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// Game results of the first engine, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs of games in which it scored 0, ½, 1, 1½ and 2 points. Their games are among those
    /// above.
    pub pairs: [u64; 5],
    /// The pairs with 1 point that were a win and a loss.
    pub decisive: u64,
}

/// Both counts together.
impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mut pairs = self.pairs;
        pairs.iter_mut().zip(other.pairs).for_each(|(a, b)| *a += b);
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            pairs,
            decisive: self.decisive + other.decisive,
        }
    }
}

impl Counts {
    /// Counts a game.
    pub fn add_game(&mut self, result: GameResult) {
        match result {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    /// Counts a pair of games from one opening with both colours. The games are counted on their
    /// own.
    pub fn add_pair(&mut self, first: GameResult, second: GameResult) {
        self.pairs[first.half_points() + second.half_points()] += 1;
        self.decisive += u64::from(first.half_points().abs_diff(second.half_points()) == 2);
    }

    /// Returns the same games from the view of the other engine.
    pub fn for_the_other(mut self) -> Self {
        std::mem::swap(&mut self.wins, &mut self.losses);
        self.pairs.reverse();
        self
    }

    /// Returns true if there are pairs.
    pub fn has_pairs(&self) -> bool {
        self.pairs.iter().any(|&count| count > 0)
    }

    /// Returns the points of the first engine.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the share of drawn games.
    pub fn draw_ratio(&self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    /// Returns the share of pairs in which both scored a point, or of drawn games if there are no
    /// pairs.
    pub fn drawish_ratio(&self) -> f64 {
        if self.has_pairs() {
            self.pairs[2] as f64 / self.pairs.iter().sum::<u64>() as f64
        } else {
            self.draw_ratio()
        }
    }

    /// Returns the number of pairs with more than a point for each with less.
    pub fn pairs_ratio(&self) -> f64 {
        let [lost, minus, _, plus, won] = self.pairs;
        ratio(plus + won, lost + minus)
    }

    /// Returns the number of pairs of a win and a loss for each of two draws.
    pub fn decisive_ratio(&self) -> f64 {
        ratio(self.decisive, self.pairs[2] - self.decisive)
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the share of the points that the first engine scored, from 0 to 1; ½ without games.
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        self.points() / self.games() as f64
    }

    /// Returns the difference in strength.
    ///
    /// The error is half the width of the interval between the Elo of the ends of the 95 %
    /// confidence interval of the score, as in Cute Chess (`Elo::errorMargin`) and fishtest
    /// (`get_elo`), with ends that do not go beyond [`MAX_ELO`]. Unlike theirs it is never 0: even
    /// if all results are alike, others are possible.
    pub fn elo(&self) -> Elo {
        let mean = self.sample().mean;
        let margin = self.score_margin();
        Elo {
            difference: elo_of(mean),
            error: (elo_of(mean + margin) - elo_of(mean - margin)) / 2.0,
        }
    }

    /// Returns half the width of the 95 % confidence interval of the score; without games, the
    /// width for one game.
    pub fn score_margin(&self) -> f64 {
        let sample = self.sample();
        NORMAL_975 * (sample.cautious_variance() / sample.total.max(1.0)).sqrt()
    }

    /// Returns the difference in normalised Elo: the distance of the score from ½ in standard
    /// deviations of a game, on the scale of Elo. Unlike Elo it determines how many games show the
    /// difference (M. Van den Bergh, "Normalized Elo",
    /// <https://www.cantate.be/Fishtest/normalized_elo.pdf>). As in fastchess the error is the
    /// error of the score alone.
    pub fn normalised_elo(&self) -> Elo {
        let (sample, unit) = (self.sample().varied(), self.distance_of(1.0));
        Elo {
            difference: (sample.mean - 0.5) / sample.variance().sqrt() / unit,
            error: NORMAL_975 / self.sample().total.max(1.0).sqrt() / unit,
        }
    }

    /// Returns the distance of the score from ½ at a difference in normalised Elo, in standard
    /// deviations of a pair or a game, whichever is counted.
    pub fn distance_of(&self, elo: f64) -> f64 {
        let of_a_game = elo * LN_10 / 800.0;
        // The score of a pair deviates less than the score of a game.
        if self.is_paired() { SQRT_2 * of_a_game } else { of_a_game }
    }

    /// Returns the likelihood of superiority: the probability, from 0 to 1, that the first engine
    /// is the stronger one.
    ///
    /// For pairs it is computed as in fishtest (`get_elo`): the normal distribution function of the
    /// score's distance from ½, in standard deviations of the mean; where all pairs are alike, a prior
    /// is added first. For single games it is that of Cute Chess, ½ (1 + erf((wins − losses) /
    /// √(2 (wins + losses)))).
    pub fn los(&self) -> f64 {
        let deviations = if self.is_paired() {
            self.sample().varied().deviations_above(0.5)
        } else if self.wins + self.losses > 0 {
            let (wins, losses) = (self.wins as f64, self.losses as f64);
            (wins - losses) / (wins + losses).sqrt()
        } else {
            0.0
        };
        (1.0 + erf(deviations / SQRT_2)) / 2.0
    }

    /// Returns true if most games belong to a pair.
    pub fn is_paired(&self) -> bool {
        let pairs: u64 = self.pairs.iter().sum();
        4 * pairs > self.games()
    }

    /// Returns the results of the pairs if most games are in pairs, otherwise of the games.
    pub fn sample(&self) -> Sample {
        if self.is_paired() {
            Sample::of(self.pairs.map(|count| count as f64).to_vec())
        } else {
            let counts = [self.losses, self.draws, self.wins];
            Sample::of(counts.map(|count| count as f64).to_vec())
        }
    }
}

/// `W 880 L 759 D 1863, score 51.7 %`, and the pairs if there are any.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wins, draws, losses, pairs, .. } = self;
        let percent = 100.0 * self.score();
        write!(f, "W {wins} L {losses} D {draws}, score {percent:.1} %")?;
        if self.has_pairs() {
            write!(f, ", pairs {pairs:?}")?;
        }
        Ok(())
    }
}

/// A difference in strength.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Elo {
    /// The Elo by which the first engine is stronger.
    pub difference: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
}

/// `12.0 +/- 7.9`, with the precision of the format.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A difference that rounds to zero has no sign.
        let decimals = f.precision().unwrap_or(1);
        let unit = 10f64.powi(decimals as i32);
        let difference = (self.difference * unit).round() / unit + 0.0;
        write!(f, "{difference:.decimals$} +/- {:.decimals$}", self.error)
    }
}

/// Returns the quotient of two counts; if the second is 0, half a one is added to both.
fn ratio(one: u64, other: u64) -> f64 {
    match other {
        0 => 2.0 * one as f64 + 1.0,
        _ => one as f64 / other as f64,
    }
}

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const NORMAL_975: f64 = 1.959_963_984_540_054;

/// The greatest difference in Elo: 1 point in 100,000 games. A score of 0 or 1 counts as this
/// difference.
pub const MAX_ELO: f64 = 2000.0;

/// Returns the difference in Elo at which a score is expected, at most [`MAX_ELO`].
fn elo_of(score: f64) -> f64 {
    let score = score.clamp(score_of(-MAX_ELO), score_of(MAX_ELO));
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Returns the score that is expected at a difference in Elo.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the error function, 2/√π ∫₀ˣ exp(−t²) dt, to 15 digits.
fn erf(x: f64) -> f64 {
    // From here on it is 1 to the last bit.
    if x.abs() > 6.0 {
        return x.signum();
    }
    // 2/√π exp(−x²) Σ 2ⁿ x²ⁿ⁺¹ / (1·3·…·(2n+1)), a series (Abramowitz and Stegun, 7.1.6)
    // whose terms all have the same sign, so that nothing cancels.
    let (mut term, mut sum, mut odd) = (x, 0.0, 1.0);
    while f64::abs(term) > f64::EPSILON / 4.0 * f64::abs(sum) {
        sum += term;
        odd += 2.0;
        term *= 2.0 * x * x / odd;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against tabulated values (Abramowitz and Stegun, table 7.1, and 7.1.23 beyond).
    #[test]
    fn error_function() {
        for (x, value) in [
            (0.0, 0.0),
            (0.1, 0.112_462_916_018_285),
            (0.5, 0.520_499_877_813_047),
            (1.0, 0.842_700_792_949_715),
            (2.0, 0.995_322_265_018_953),
            (3.0, 0.999_977_909_503_001),
            (5.9, 1.0),
            (7.0, 1.0),
            (f64::INFINITY, 1.0),
            (NORMAL_975 / SQRT_2, 0.95),
        ] {
            assert!((erf(x) - value).abs() < 2e-15, "erf({x}) = {}", erf(x));
            assert_eq!(erf(-x), -erf(x));
        }
    }
}
