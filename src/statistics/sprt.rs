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
    pub const ALL: [(&str, Self); 2] = [
        ("logistic", Self::Logistic),
        ("normalized", Self::Normalised),
    ];

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
        (
            self.beta.ln() - (1.0 - self.alpha).ln(),
            (1.0 - self.beta).ln() - self.alpha.ln(),
        )
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::elo::examples::{assert_rounds_to, games, pairs};
    use crate::system::random::Random;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Logistic,
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

    /// Published results of fishtest in normalised Elo, and of fastchess.
    #[test]
    fn llr_in_normalised_elo() {
        for (elo0, elo1, counts, llr) in [
            // github.com/official-stockfish/Stockfish/pull/6036
            (0.5, 2.5, pairs([1, 1098, 3954, 1346, 1]), "2.94"),
            (0.0, 2.0, pairs([0, 1236, 4490, 1474, 1]), "2.94"),
            (0.5, 2.5, pairs([4, 2290, 7932, 2562, 4]), "2.95"),
            // github.com/Disservin/fastchess/pull/783
            (0.0, 2.0, pairs([379, 10170, 21828, 10640, 343]), "2.95"),
            // github.com/brunocodutra/cinder/pull/836
            (0.0, 3.0, pairs([835, 6884, 13116, 7201, 852]), "2.89"),
            // github.com/Disservin/fastchess, app/tests/sprt_test.cpp
            (0.0, 2.0, games(36433, 36027, 68692), "0.92"),
            (-1.75, 0.25, games(10871, 10650, 20431), "2.30"),
            (0.0, 2.0, pairs([365, 16618, 36229, 16974, 390]), "2.25"),
            (-1.75, 0.25, pairs([127, 4883, 10712, 5150, 104]), "3.01"),
        ] {
            let test = Sprt {
                model: Model::Normalised,
                ..sprt(elo0, elo1)
            };
            assert_rounds_to(test.llr(&counts), llr);
        }
    }

    /// From the tests of fastchess, app/tests/sprt_test.cpp; the last two with pairs.
    #[test]
    fn llr_as_in_fastchess() {
        for (model, elo0, elo1, counts, llr) in [
            (
                Model::Logistic,
                0.5,
                2.5,
                games(21404, 21184, 40708),
                "-1.57",
            ),
            (
                Model::Logistic,
                0.0,
                2.0,
                games(57433, 57030, 106_593),
                "-2.59",
            ),
            (
                Model::Logistic,
                0.5,
                2.5,
                pairs([223, 9863, 21279, 10037, 246]),
                "-3.07",
            ),
            (
                Model::Logistic,
                0.0,
                2.0,
                pairs([871, 26175, 55983, 26678, 821]),
                "-4.98",
            ),
        ] {
            let test = Sprt {
                model,
                ..sprt(elo0, elo1)
            };
            assert_rounds_to(test.llr(&counts), llr);
        }
    }

    #[test]
    fn what_is_seen_from_the_other_side_has_the_other_sign() {
        for model in Model::ALL.map(|(_, model)| model) {
            for counts in [games(20, 10, 5), pairs([1, 2, 3, 4, 5]), games(7, 0, 0)] {
                let mut other = counts;
                std::mem::swap(&mut other.wins, &mut other.losses);
                other.pairs.reverse();
                let [one, opposite] = [(-1.0, 4.0), (-4.0, 1.0)].map(|(elo0, elo1)| Sprt {
                    model,
                    ..sprt(elo0, elo1)
                });
                let (llr, opposite) = (one.llr(&counts), opposite.llr(&other));
                assert!((llr + opposite).abs() < 1e-6, "{model:?} {llr} {opposite}");
            }
        }
    }

    #[test]
    fn few_results_and_results_of_one_kind() {
        for model in Model::ALL.map(|(_, model)| model) {
            let test = Sprt {
                model,
                ..sprt(0.0, 5.0)
            };
            assert_eq!(test.llr(&Counts::default()), 0.0);
            assert_eq!(test.verdict(&Counts::default()), None);
            for counts in [games(2, 0, 0), pairs([0, 0, 0, 0, 3])] {
                assert_eq!(test.verdict(&counts), None, "{model:?}");
            }
        }
        for (won, lost) in [
            (games(1000, 0, 0), games(0, 1000, 0)),
            (pairs([0, 0, 0, 0, 500]), pairs([500, 0, 0, 0, 0])),
        ] {
            assert_eq!(sprt(0.0, 5.0).verdict(&won), Some(Hypothesis::H1));
            assert_eq!(sprt(0.0, 5.0).verdict(&lost), Some(Hypothesis::H0));
        }
    }

    /// Asserts that all figures of a result are finite.
    #[track_caller]
    fn assert_finite(counts: &Counts) {
        let (elo, nelo) = (counts.elo(), counts.normalised_elo());
        for figure in [
            elo.difference,
            elo.error,
            nelo.difference,
            nelo.error,
            counts.score(),
            counts.score_margin(),
            counts.los(),
            counts.draw_ratio(),
            counts.drawish_ratio(),
            counts.pairs_ratio(),
            counts.decisive_ratio(),
        ] {
            assert!(figure.is_finite(), "{counts}: {elo}, {nelo}, {figure}");
        }
    }

    /// Counts pairs or games with these results, the worst first.
    fn counts_of(results: &[u64]) -> Counts {
        match *results {
            [losses, draws, wins] => games(wins, losses, draws),
            _ => pairs(results.try_into().expect("five results")),
        }
    }

    /// Asserts that the LLR of a result is finite, and grows if one game or pair is replaced by the
    /// next better one.
    fn assert_grows(test: &Sprt, results: &[u64]) {
        let counts = counts_of(results);
        let llr = test.llr(&counts);
        assert!(llr.is_finite(), "{test:?}, {counts}");
        for worse in 0..results.len() - 1 {
            let mut better = results.to_vec();
            if better[worse] > 0 {
                better[worse] -= 1;
                better[worse + 1] += 1;
                let after = test.llr(&counts_of(&better));
                assert!(
                    after > llr,
                    "{test:?}, {results:?} {llr}, {better:?} {after}"
                );
            }
        }
    }

    /// Returns all ways to divide a number among kinds of results.
    fn divisions(number: u64, kinds: usize) -> Vec<Vec<u64>> {
        if kinds == 1 {
            return vec![vec![number]];
        }
        let first = (0..=number).flat_map(|first| {
            let rest = divisions(number - first, kinds - 1);
            rest.into_iter()
                .map(move |rest| [vec![first], rest].concat())
        });
        first.collect()
    }

    /// Returns tests with bounds from -1500 to 1500 for both models.
    fn tests() -> Vec<Sprt> {
        let elos = [
            -1500.0, -400.0, -200.0, -5.0, 0.0, 2.0, 50.0, 100.0, 300.0, 1499.0, 1500.0,
        ];
        let mut tests = Vec::new();
        for model in Model::ALL.map(|(_, model)| model) {
            for (index, &elo1) in elos.iter().enumerate() {
                tests.extend(elos[..index].iter().map(|&elo0| Sprt {
                    model,
                    ..sprt(elo0, elo1)
                }));
            }
        }
        tests
    }

    #[test]
    fn a_better_result_has_a_greater_ratio_among_few() {
        for results in [divisions(2, 5), divisions(6, 3)].concat() {
            assert_finite(&counts_of(&results));
            tests().iter().for_each(|test| assert_grows(test, &results));
        }
        for number in 0..=200 {
            for only in 0..5 {
                let mut results = [0; 5];
                results[only] = number;
                assert_finite(&pairs(results));
                assert_finite(&games(results[0], results[1], results[2]));
            }
        }
    }

    /// Most of the results are of few kinds: these are the hard ones.
    #[test]
    fn a_better_result_has_a_greater_ratio_among_many() {
        let mut random = Random::new(5, 0);
        let tests = tests();
        for round in 0..1000 {
            let mut results = vec![0; if round % 4 == 0 { 3 } else { 5 }];
            let kinds = results.len();
            let common = random.below(kinds);
            let (number, rare) = (1 + random.below(200), 1 + random.below(20));
            for _ in 0..number {
                let is_rare = random.below(20) < rare;
                results[if is_rare { random.below(kinds) } else { common }] += 1;
            }
            assert_finite(&counts_of(&results));
            assert_grows(&tests[random.below(tests.len())], &results);
        }
        // A result that is one or two halves better adds more to the deviation than to the mean.
        for test in &tests {
            assert_grows(test, &[0, 0, 198, 2, 0]);
            assert_grows(test, &[0, 1, 198, 0, 1]);
        }
    }
}
