//! What the results of a match say about the difference in strength: Elo with its error,
//! the likelihood of superiority and the sequential probability ratio test.
//!
//! The formulas are those of Cute Chess (`elo.cpp`, <https://github.com/cutechess/cutechess>)
//! and of fishtest (`stat_util.py` and `LLRcalc.py`,
//! <https://github.com/official-stockfish/fishtest>), so that numbers can be compared.
//!
//! Two games from one opening with both colours are not independent: who gains from a
//! lopsided opening in one game suffers from it in the other. If most games are in such
//! pairs, the pair is what is counted, with five results from 0 to 2 points (pentanomial),
//! and a game whose other half is not finished waits; otherwise the game, with three
//! (trinomial).

use std::f64::consts::{PI, SQRT_2};
use std::fmt;

/// The result of a game for the first engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// It won.
    Win,
    /// Nobody won.
    Draw,
    /// It lost.
    Loss,
}

impl GameResult {
    /// The points of the first engine, in halves.
    const fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// How many games had which result for the first engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs of games in which it made 0, ½, 1, 1½ and 2 points. Their games are among
    /// those above.
    pub pairs: [u64; 5],
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

    /// Counts the pair that two games from one opening with both colours are. The games
    /// are counted on their own.
    pub fn add_pair(&mut self, first: GameResult, second: GameResult) {
        self.pairs[first.half_points() + second.half_points()] += 1;
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points that the first engine made, from 0 to 1; ½ without games.
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }

    /// The difference in strength.
    ///
    /// The error is half the width of the interval between the Elo of the ends of the 95 %
    /// confidence interval of the score, as in Cute Chess (`Elo::errorMargin`) and fishtest
    /// (`get_elo`). It is infinite if that interval reaches a score of 0 or 1.
    pub fn elo(&self) -> Elo {
        let sample = self.sample();
        let margin = NORMAL_975 * sample.deviation_of_mean();
        let (low, high) = (sample.mean - margin, sample.mean + margin);
        Elo {
            difference: if self.is_paired() {
                elo_of(sample.mean)
            } else {
                elo_of(self.score())
            },
            // Without games neither is a number, and neither comparison holds.
            error: if low > 0.0 && high < 1.0 {
                (elo_of(high) - elo_of(low)) / 2.0
            } else {
                f64::INFINITY
            },
        }
    }

    /// The likelihood of superiority: how sure it is, from 0 to 1, that the first engine is
    /// the stronger one.
    ///
    /// For pairs that of fishtest (`get_elo`), the normal distribution at the distance of
    /// the score from ½ in standard deviations. For single games that of Cute Chess,
    /// ½ (1 + erf((wins − losses) / √(2 (wins + losses)))).
    pub fn los(&self) -> f64 {
        let deviations = if self.is_paired() {
            let sample = self.sample().regularised();
            (sample.mean - 0.5) / sample.deviation_of_mean()
        } else if self.wins + self.losses > 0 {
            let (wins, losses) = (self.wins as f64, self.losses as f64);
            (wins - losses) / (wins + losses).sqrt()
        } else {
            0.0
        };
        (1.0 + erf(deviations / SQRT_2)) / 2.0
    }

    /// Whether most games belong to a pair.
    fn is_paired(&self) -> bool {
        let pairs: u64 = self.pairs.iter().sum();
        4 * pairs > self.games()
    }

    /// The results of the pairs if most games are in pairs, otherwise those of the games.
    fn sample(&self) -> Sample {
        Sample::of(if self.is_paired() {
            self.pairs.map(|count| count as f64).to_vec()
        } else {
            [self.losses, self.draws, self.wins]
                .map(|count| count as f64)
                .to_vec()
        })
    }
}

/// `W 880 L 759 D 1863, score 51.7 %`, and the pairs if there are any.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            wins,
            draws,
            losses,
            pairs,
        } = self;
        let percent = 100.0 * self.score();
        write!(f, "W {wins} L {losses} D {draws}, score {percent:.1} %")?;
        if pairs.iter().any(|&count| count > 0) {
            write!(f, ", pairs {pairs:?}")?;
        }
        Ok(())
    }
}

/// A difference in strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// By how much the first engine is stronger; infinite if it made all points, or none.
    pub difference: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
}

/// `12.0 ± 7.9`; an infinity is `inf`.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A difference that rounds to zero has no sign.
        let difference = (self.difference * 10.0).round() / 10.0 + 0.0;
        write!(f, "{difference:.1} ± {:.1}", self.error)
    }
}

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

/// A sequential probability ratio test between two differences in (logistic) Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1.
    pub elo1: f64,
    /// How likely H1 may be accepted if H0 is true.
    pub alpha: f64,
    /// How likely H0 may be accepted if H1 is true.
    pub beta: f64,
}

impl Sprt {
    /// The logarithm of how much likelier the results are under H1 than under H0; 0 without
    /// games.
    ///
    /// It is the generalised ratio of fishtest (`LLR_logistic`): under each hypothesis the
    /// results have the likeliest distribution whose mean is the score that the hypothesis
    /// expects; <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf> derives it.
    pub fn llr(&self, counts: &Counts) -> f64 {
        if counts.games() == 0 {
            return 0.0;
        }
        let sample = counts.sample().regularised();
        let likelihood = |elo| sample.log_likelihood(score_of(elo));
        likelihood(self.elo1) - likelihood(self.elo0)
    }

    /// At which ratios the test ends: H0 at or below the first, H1 at or above the second
    /// (A. Wald, "Sequential Tests of Statistical Hypotheses", 1945).
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The hypothesis that is accepted, if the test has ended.
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

/// How often each of some results occurred. They are equally spaced scores from 0 to 1.
struct Sample {
    counts: Vec<f64>,
    total: f64,
    mean: f64,
}

impl Sample {
    fn of(counts: Vec<f64>) -> Self {
        let total = counts.iter().sum();
        let mut sample = Self {
            counts,
            total,
            mean: 0.0,
        };
        sample.mean = sample.average(|score| score);
        sample
    }

    /// Puts a little in place of nothing, as fishtest does, so that what did not occur
    /// counts as unlikely, not as impossible.
    fn regularised(&self) -> Self {
        const LITTLE: f64 = 1e-3;
        let counts = self.counts.iter();
        Self::of(
            counts
                .map(|&count| if count == 0.0 { LITTLE } else { count })
                .collect(),
        )
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

    /// The standard deviation of the mean.
    fn deviation_of_mean(&self) -> f64 {
        let variance = self.average(|score| (score - self.mean).powi(2));
        (variance / self.total).sqrt()
    }

    /// The greatest log likelihood that a distribution with a given mean gives the sample,
    /// up to a constant. Every result must have occurred.
    ///
    /// The likeliest distribution divides the observed frequency of each score by
    /// 1 + x (score − mean), where x is such that the mean comes out.
    fn log_likelihood(&self, mean: f64) -> f64 {
        // What is to vanish falls as x grows, from +∞ to −∞ between these two.
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        // As many halvings as a number has bits, and some.
        for _ in 0..64 {
            let x = (low + high) / 2.0;
            if self.average(|score| (score - mean) / (1.0 + x * (score - mean))) > 0.0 {
                low = x;
            } else {
                high = x;
            }
        }
        let x = (low + high) / 2.0;
        -self.total * self.average(|score| (1.0 + x * (score - mean)).ln())
    }
}

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const NORMAL_975: f64 = 1.959_963_984_540_054;

/// The difference in Elo at which a score is expected.
fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score that is expected at a difference in Elo.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The error function, 2/√π ∫₀ˣ exp(−t²) dt, to 15 digits.
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

    fn games(wins: u64, losses: u64, draws: u64) -> Counts {
        Counts {
            wins,
            draws,
            losses,
            pairs: [0; 5],
        }
    }

    /// How many of the games in drawish pairs were draws does not matter here.
    fn pairs(pairs: [u64; 5]) -> Counts {
        let draws = pairs[1] + 2 * pairs[2] + pairs[3];
        Counts {
            pairs,
            ..games(2 * pairs[4] + pairs[3], 2 * pairs[0] + pairs[1], draws)
        }
    }

    /// Compares with a number that was published with so many decimals.
    #[track_caller]
    fn assert_rounds_to(value: f64, published: &str) {
        let decimals = published.split('.').nth(1).map_or(0, str::len);
        assert_eq!(format!("{value:.decimals$}"), published, "{value}");
    }

    /// Published output of cutechess-cli: wins, losses and draws; Elo, error and LOS.
    #[test]
    fn elo_as_in_cutechess() {
        for (counts, elo, error, los) in [
            // github.com/cutechess/cutechess/issues/543
            (games(880, 759, 1863), "12.0", "7.9", "99.9"),
            // github.com/brunocodutra/cinder/pull/570; the 7.7 of Cute Chess is 7.756 here.
            (games(1038, 1037, 1925), "0.1", "7.8", "50.9"),
            // github.com/jw1912/Chess-Challenge/pull/22
            (games(195, 110, 85), "77.0", "31.1", "100.0"),
            // github.com/princesslana/princhess/pull/256; 16.4 there.
            (games(289, 294, 417), "-1.7", "16.5", "41.8"),
            // github.com/PS-Wizard/OopsMate, v16_lazysmp.md; 62.4 there.
            (games(45, 37, 18), "27.9", "62.5", "81.2"),
        ] {
            assert_rounds_to(counts.elo().difference, elo);
            assert_rounds_to(counts.elo().error, error);
            assert_rounds_to(100.0 * counts.los(), los);
        }
    }

    /// Cute Chess takes the 97.5 % quantile from Winitzki's approximation of the inverse
    /// error function, which is 0.13 % too small. With its quantile, its errors come out.
    #[test]
    fn error_as_in_cutechess() {
        let a = 8.0 * (PI - 3.0) / (3.0 * PI * (4.0 - PI));
        let y = (1.0 - 0.95f64.powi(2)).ln();
        let z = 2.0 / (PI * a) + y / 2.0;
        let quantile = SQRT_2 * ((z * z - y / a).sqrt() - z).sqrt();
        for (counts, error) in [
            (games(880, 759, 1863), "7.9"),
            (games(1038, 1037, 1925), "7.7"),
            (games(289, 294, 417), "16.4"),
            (games(45, 37, 18), "62.4"),
            // github.com/Matthies/RubiChess/pull/122 and 68
            (games(385, 323, 602), "13.82"),
            (games(678, 614, 1601), "8.45"),
            (games(245, 193, 488), "15.38"),
        ] {
            let sample = counts.sample();
            let margin = quantile * sample.deviation_of_mean();
            let cute = (elo_of(sample.mean + margin) - elo_of(sample.mean - margin)) / 2.0;
            assert_rounds_to(cute, error);
            assert!((counts.elo().error / cute - 1.0013).abs() < 0.0003);
        }
    }

    /// Published output of fastchess and OpenBench, whose Elo is that of fishtest: pairs;
    /// Elo, error and LOS.
    #[test]
    fn elo_of_pairs() {
        for (counts, elo, error, los) in [
            // github.com/brunocodutra/cinder/pull/773, 836, 879 and 820
            (pairs([36, 340, 767, 462, 82]), "22.07", "7.16", "100.00"),
            (
                pairs([835, 6884, 13116, 7201, 852]),
                "2.11",
                "1.70",
                "99.25",
            ),
            (pairs([115, 1156, 2443, 1233, 141]), "4.40", "3.91", "98.64"),
            (pairs([244, 1980, 3630, 2067, 263]), "2.65", "3.24", "94.56"),
            // github.com/lynx-chess/Lynx/pull/1899
            (
                pairs([235, 1384, 2521, 1341, 239]),
                "-1.06",
                "4.05",
                "30.33",
            ),
        ] {
            assert_rounds_to(counts.elo().difference, elo);
            assert_rounds_to(counts.elo().error, error);
            assert_rounds_to(100.0 * counts.los(), los);
        }
    }

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
        }
    }

    /// Published results of fishtest from when its bounds were logistic Elo, in pull
    /// requests of github.com/official-stockfish/Stockfish.
    #[test]
    fn llr_as_in_fishtest() {
        for (elo0, elo1, counts, llr) in [
            // 3098
            (-0.25, 1.25, pairs([491, 7345, 29693, 7670, 465]), "2.96"),
            (0.25, 1.25, pairs([53, 2220, 21459, 2445, 47]), "2.97"),
            // 2971
            (-0.50, 1.50, pairs([17, 253, 1042, 337, 39]), "2.96"),
            (0.25, 1.75, pairs([11, 407, 3238, 513, 11]), "2.93"),
            // 2950
            (-0.50, 1.50, pairs([133, 1751, 5094, 1849, 165]), "2.94"),
            (0.25, 1.75, pairs([149, 4748, 32785, 5063, 159]), "2.95"),
            // 2951
            (-0.50, 1.50, pairs([59, 754, 2467, 865, 75]), "2.95"),
            (0.25, 1.75, pairs([33, 1185, 8378, 1302, 50]), "2.95"),
            // 3209
            (-0.25, 1.25, pairs([253, 4282, 17604, 4431, 286]), "2.94"),
            (0.25, 1.25, pairs([58, 3302, 33130, 3518, 84]), "2.97"),
            // 2493
            (-1.0, 3.0, pairs([424, 2948, 5832, 3045, 460]), "2.94"),
            (0.0, 2.0, pairs([1284, 17437, 55536, 18085, 1292]), "2.94"),
        ] {
            assert_rounds_to(sprt(elo0, elo1).llr(&counts), llr);
        }
    }

    /// Published output of cutechess-cli, which reckons from single games.
    #[test]
    fn llr_as_in_cutechess() {
        // github.com/cutechess/cutechess/issues/543
        let counts = games(880, 759, 1863);
        assert_rounds_to(sprt(0.0, 5.0).llr(&counts), "2.95");
        assert_eq!(sprt(0.0, 5.0).verdict(&counts), Some(Hypothesis::H1));
        // github.com/brunocodutra/cinder/pull/570
        let counts = games(1038, 1037, 1925);
        assert_rounds_to(sprt(-5.0, 5.0).llr(&counts), "0.0555");
        assert_eq!(sprt(-5.0, 5.0).verdict(&counts), None);
        // github.com/Matthies/RubiChess/pull/122
        let loose = Sprt {
            alpha: 0.2,
            beta: 0.2,
            ..sprt(0.0, 5.0)
        };
        assert_rounds_to(loose.llr(&games(385, 323, 602)), "1.4");
        assert_rounds_to(loose.llr(&games(678, 614, 1601)), "1.39");
        assert_rounds_to(loose.bounds().1, "1.39");
    }

    #[test]
    fn bounds() {
        let (lower, upper) = sprt(0.0, 5.0).bounds();
        assert_rounds_to(lower, "-2.94");
        assert_rounds_to(upper, "2.94");
        // As fastchess and OpenBench state them for α = 0.05 and β = 0.10.
        let (lower, upper) = Sprt {
            beta: 0.10,
            ..sprt(0.0, 3.0)
        }
        .bounds();
        assert_rounds_to(lower, "-2.25");
        assert_rounds_to(upper, "2.89");
    }

    /// What is seen from the other side has the other sign.
    #[test]
    fn symmetry() {
        for counts in [games(20, 10, 5), pairs([1, 2, 3, 4, 5]), games(7, 0, 0)] {
            let mut other = counts;
            std::mem::swap(&mut other.wins, &mut other.losses);
            other.pairs.reverse();
            assert!((counts.score() + other.score() - 1.0).abs() < 1e-12);
            assert!((counts.los() + other.los() - 1.0).abs() < 1e-12);
            assert_eq!(
                counts.elo().to_string(),
                other.elo().to_string().replace('-', "")
            );
            let (llr, opposite) = (sprt(-1.0, 4.0).llr(&counts), sprt(-4.0, 1.0).llr(&other));
            assert!((llr + opposite).abs() < 1e-9, "{llr} {opposite}");
        }
    }

    #[test]
    fn no_games() {
        let none = Counts::default();
        assert_eq!((none.games(), none.score(), none.los()), (0, 0.5, 0.5));
        assert_eq!(none.elo().to_string(), "0.0 ± inf");
        assert_eq!(sprt(0.0, 5.0).llr(&none), 0.0);
        assert_eq!(sprt(0.0, 5.0).verdict(&none), None);
    }

    #[test]
    fn one_kind_of_result() {
        for counts in [games(1000, 0, 0), pairs([0, 0, 0, 0, 500])] {
            assert_eq!(counts.elo().to_string(), "inf ± inf");
            assert!(counts.los() > 0.999_999);
            assert_eq!(sprt(0.0, 5.0).verdict(&counts), Some(Hypothesis::H1));
        }
        for counts in [games(0, 1000, 0), pairs([500, 0, 0, 0, 0])] {
            assert_eq!(counts.elo().to_string(), "-inf ± inf");
            assert!(counts.los() < 0.000_001);
            assert_eq!(sprt(0.0, 5.0).verdict(&counts), Some(Hypothesis::H0));
        }
        for counts in [games(0, 0, 10), pairs([0, 0, 5, 0, 0])] {
            assert_eq!(counts.elo().to_string(), "0.0 ± 0.0");
            assert!((counts.los() - 0.5).abs() < 1e-12);
        }
        // Cute Chess prints an error of `nan` here (its issue 881).
        assert_eq!(games(1, 726, 1).elo().to_string(), "-1074.1 ± inf");
    }

    #[test]
    fn counting() {
        use GameResult::{Draw, Loss, Win};
        let mut counts = Counts::default();
        for (first, second) in [
            (Win, Win),
            (Win, Draw),
            (Loss, Win),
            (Draw, Draw),
            (Loss, Draw),
        ] {
            counts.add_game(first);
            counts.add_game(second);
            counts.add_pair(first, second);
        }
        assert_eq!(counts.pairs, [0, 1, 2, 1, 1]);
        assert!(counts.is_paired());
        assert_eq!(
            counts.to_string(),
            "W 4 L 2 D 4, score 60.0 %, pairs [0, 1, 2, 1, 1]"
        );
        // A game whose other half is not finished waits.
        let paired = counts.elo();
        counts.add_game(Loss);
        assert_eq!(counts.games(), 11);
        assert_eq!(counts.elo(), paired);
        counts.pairs = [0; 5];
        assert_eq!(counts.to_string(), "W 4 L 3 D 4, score 54.5 %");
    }

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
