//! Elo, its error and the sequential test: published figures, and laws.

use quadrille::statistics::elo::{Counts, GameResult};
use quadrille::statistics::sprt::{Hypothesis, Model, Sprt};
use quadrille::system::random::Random;
use std::f64::consts::{PI, SQRT_2};

fn games(wins: u64, losses: u64, draws: u64) -> Counts {
    Counts { wins, draws, losses, ..Counts::default() }
}

/// Creates counts of pairs. The number of draws in drawish pairs does not matter here.
fn pairs(pairs: [u64; 5]) -> Counts {
    let draws = pairs[1] + 2 * pairs[2] + pairs[3];
    Counts { pairs, ..games(2 * pairs[4] + pairs[3], 2 * pairs[0] + pairs[1], draws) }
}

/// Compares with a number published with a limited number of decimals.
#[track_caller]
fn assert_rounds_to(value: f64, published: &str) {
    let decimals = published.split('.').nth(1).map_or(0, str::len);
    assert_eq!(format!("{value:.decimals$}"), published, "{value}");
}

/// Published output of cutechess-cli from games, and of fastchess and OpenBench, whose Elo is fishtest's, from pairs:
/// Elo, error and LOS.
#[test]
fn elo_as_published() {
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
        // github.com/brunocodutra/cinder/pull/773, 836, 879 and 820
        (pairs([36, 340, 767, 462, 82]), "22.07", "7.16", "100.00"),
        (pairs([835, 6884, 13116, 7201, 852]), "2.11", "1.70", "99.25"),
        (pairs([115, 1156, 2443, 1233, 141]), "4.40", "3.91", "98.64"),
        (pairs([244, 1980, 3630, 2067, 263]), "2.65", "3.24", "94.56"),
        // github.com/lynx-chess/Lynx/pull/1899
        (pairs([235, 1384, 2521, 1341, 239]), "-1.06", "4.05", "30.33"),
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
        let margin = quantile * (sample.variance() / sample.total).sqrt();
        let elo_of = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let cute = (elo_of(sample.mean + margin) - elo_of(sample.mean - margin)) / 2.0;
        assert_rounds_to(cute, error);
        assert!((counts.elo().error / cute - 1.0013).abs() < 0.0006);
    }
}

/// Seen from the other side, the sign changes.
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
            other.elo().to_string().replacen('-', "", usize::from(other.elo().difference < 0.0))
        );
        let (nelo, opposite) = (counts.normalised_elo(), other.normalised_elo());
        assert!((nelo.difference + opposite.difference).abs() < 1e-9);
        for model in Model::ALL.map(|(_, model)| model) {
            let [test, opposite] =
                [(-1.0, 4.0), (-4.0, 1.0)].map(|(elo0, elo1)| Sprt { model, ..sprt(elo0, elo1) });
            let (llr, opposite) = (test.llr(&counts), opposite.llr(&other));
            assert!((llr + opposite).abs() < 1e-6, "{model:?} {llr} {opposite}");
        }
    }
}

#[test]
fn no_games() {
    let none = Counts::default();
    assert_eq!((none.games(), none.score(), none.los()), (0, 0.5, 0.5));
    assert_eq!(none.elo().difference, 0.0);
    assert_eq!(none.normalised_elo().difference, 0.0);
    assert!(none.elo().error > 1000.0 && none.normalised_elo().error > 500.0);
}

/// A handful of games proves nothing, with any result.
#[test]
fn few_games() {
    for counts in [
        pairs([0, 0, 0, 1, 0]),
        pairs([0, 0, 0, 2, 0]),
        pairs([0, 0, 0, 0, 2]),
        pairs([0, 0, 2, 1, 0]),
        games(1, 0, 0),
        games(0, 0, 3),
        games(2, 0, 1),
    ] {
        let (elo, los) = (counts.elo(), counts.los());
        assert!(elo.error > 100.0, "{counts}: {elo}");
        assert!((0.5..0.98).contains(&los), "{counts}: {los}");
        assert!(counts.normalised_elo().error > 100.0, "{counts}");
    }
    // More of the same is more certain.
    let mut last = f64::INFINITY;
    for number in [3, 6, 12, 100, 1000] {
        let elo = pairs([0, 0, 0, number, 0]).elo();
        assert!(elo.error > 0.0 && elo.error <= last, "{number}: {elo}");
        last = elo.error;
    }
    assert!(last < 2.0, "{last}");
}

/// Few games of different results are not treated otherwise than many.
#[test]
fn few_pairs_as_in_fastchess() {
    for (counts, elo, los) in [
        (pairs([0, 1, 3, 0, 2]), "109.87", "0.863"),
        (pairs([2, 0, 3, 1, 0]), "-109.87", "0.137"),
        (pairs([1, 0, 1, 0, 1]), "0.00", "0.500"),
    ] {
        assert_rounds_to(counts.normalised_elo().difference, elo);
        assert_rounds_to(counts.los(), los);
    }
}

/// Published output of fastchess: pairs; normalised Elo and its error. Then its own
/// tests (app/tests/elo_test.cpp), which hold to 1 %.
#[test]
fn normalised_elo_as_in_fastchess() {
    for (counts, elo, error) in [
        // github.com/lynx-chess/Lynx/pull/1899
        (pairs([235, 1384, 2521, 1341, 239]), "-1.67", "6.37"),
        // github.com/brunocodutra/cinder/pull/836
        (pairs([835, 6884, 13116, 7201, 852]), "3.52", "2.83"),
        // github.com/ProgramciDusunur/Potential/pull/12
        (pairs([84, 240, 451, 274, 119]), "20.60", "14.09"),
        // github.com/xu-shawn/Serendipity/pull/54
        (pairs([275, 1381, 2577, 1389, 380]), "9.42", "6.22"),
        // github.com/Disservin/fastchess/pull/783
        (pairs([379, 10170, 21828, 10640, 343]), "3.05", "2.31"),
    ] {
        let nelo = counts.normalised_elo();
        assert_rounds_to(nelo.difference, elo);
        assert_rounds_to(nelo.error, error);
    }
    for (counts, elo, error) in [
        (pairs([34, 54, 63, 64, 75]), 57.94, 28.28),
        (pairs([332, 433, 498, 333, 334]), -9.17, 10.96),
        (games(76, 89, 123), -20.76, 40.13),
        (games(136, 96, 111), 49.77, 36.77),
        (games(34, 356, 0), -508.44, 34.48),
    ] {
        let nelo = counts.normalised_elo();
        assert!((nelo.difference / elo - 1.0).abs() < 0.01, "{nelo}");
        assert!((nelo.error / error - 1.0).abs() < 0.01, "{nelo}");
    }
}

#[test]
fn one_kind_of_result() {
    for counts in [games(1000, 0, 0), pairs([0, 0, 0, 0, 500])] {
        assert_rounds_to(counts.elo().difference, "2000.0");
        assert!(counts.elo().error > 300.0);
        assert!(counts.los() > 0.999_999);
    }
    for counts in [games(0, 1000, 0), pairs([500, 0, 0, 0, 0])] {
        assert_rounds_to(counts.elo().difference, "-2000.0");
        assert!(counts.elo().error > 300.0);
        assert!(counts.los() < 0.000_001);
    }
    for counts in [games(0, 0, 10), pairs([0, 0, 5, 0, 0])] {
        assert_eq!(counts.elo().difference, 0.0);
        assert!((50.0..150.0).contains(&counts.elo().error));
        assert!((counts.los() - 0.5).abs() < 1e-12);
    }
    // Cute Chess prints an error of `nan` here (its issue 881).
    let elo = games(1, 726, 1).elo();
    assert_rounds_to(elo.difference, "-1074.1");
    assert!(elo.error > 300.0, "{elo}");
}

#[test]
fn counting() {
    use GameResult::{Draw, Loss, Win};
    let mut counts = Counts::default();
    for (first, second) in [(Win, Win), (Win, Draw), (Loss, Win), (Draw, Draw), (Loss, Draw)] {
        counts.add_game(first);
        counts.add_game(second);
        counts.add_pair(first, second);
    }
    assert_eq!(counts.pairs, [0, 1, 2, 1, 1]);
    assert!(counts.is_paired());
    assert_eq!(counts.to_string(), "W 4 L 2 D 4, score 60.0 %, pairs [0, 1, 2, 1, 1]");
    // A game whose other half is not finished waits.
    let paired = counts.elo();
    counts.add_game(Loss);
    assert_eq!(counts.games(), 11);
    assert_eq!(counts.elo(), paired);
    counts.pairs = [0; 5];
    assert_eq!(counts.to_string(), "W 4 L 3 D 4, score 54.5 %");
}

fn sprt(elo0: f64, elo1: f64) -> Sprt {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::Logistic }
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
    let loose = Sprt { alpha: 0.2, beta: 0.2, ..sprt(0.0, 5.0) };
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
    let (lower, upper) = Sprt { beta: 0.10, ..sprt(0.0, 3.0) }.bounds();
    assert_rounds_to(lower, "-2.25");
    assert_rounds_to(upper, "2.89");
}

/// Published results of fishtest and fastchess.
#[test]
fn llr_as_published() {
    use Model::{Logistic, Normalised};
    for (model, elo0, elo1, counts, llr) in [
        // github.com/official-stockfish/Stockfish, two of each of pull/3098, 2971, 2950, 2951, 3209 and 2493
        (Logistic, -0.25, 1.25, pairs([491, 7345, 29693, 7670, 465]), "2.96"),
        (Logistic, 0.25, 1.25, pairs([53, 2220, 21459, 2445, 47]), "2.97"),
        (Logistic, -0.50, 1.50, pairs([17, 253, 1042, 337, 39]), "2.96"),
        (Logistic, 0.25, 1.75, pairs([11, 407, 3238, 513, 11]), "2.93"),
        (Logistic, -0.50, 1.50, pairs([133, 1751, 5094, 1849, 165]), "2.94"),
        (Logistic, 0.25, 1.75, pairs([149, 4748, 32785, 5063, 159]), "2.95"),
        (Logistic, -0.50, 1.50, pairs([59, 754, 2467, 865, 75]), "2.95"),
        (Logistic, 0.25, 1.75, pairs([33, 1185, 8378, 1302, 50]), "2.95"),
        (Logistic, -0.25, 1.25, pairs([253, 4282, 17604, 4431, 286]), "2.94"),
        (Logistic, 0.25, 1.25, pairs([58, 3302, 33130, 3518, 84]), "2.97"),
        (Logistic, -1.0, 3.0, pairs([424, 2948, 5832, 3045, 460]), "2.94"),
        (Logistic, 0.0, 2.0, pairs([1284, 17437, 55536, 18085, 1292]), "2.94"),
        // github.com/official-stockfish/Stockfish/pull/6036
        (Normalised, 0.5, 2.5, pairs([1, 1098, 3954, 1346, 1]), "2.94"),
        (Normalised, 0.0, 2.0, pairs([0, 1236, 4490, 1474, 1]), "2.94"),
        (Normalised, 0.5, 2.5, pairs([4, 2290, 7932, 2562, 4]), "2.95"),
        // github.com/Disservin/fastchess/pull/783
        (Normalised, 0.0, 2.0, pairs([379, 10170, 21828, 10640, 343]), "2.95"),
        // github.com/brunocodutra/cinder/pull/836
        (Normalised, 0.0, 3.0, pairs([835, 6884, 13116, 7201, 852]), "2.89"),
        // github.com/Disservin/fastchess, app/tests/sprt_test.cpp
        (Normalised, 0.0, 2.0, games(36433, 36027, 68692), "0.92"),
        (Normalised, -1.75, 0.25, games(10871, 10650, 20431), "2.30"),
        (Normalised, 0.0, 2.0, pairs([365, 16618, 36229, 16974, 390]), "2.25"),
        (Normalised, -1.75, 0.25, pairs([127, 4883, 10712, 5150, 104]), "3.01"),
        (Logistic, 0.5, 2.5, games(21404, 21184, 40708), "-1.57"),
        (Logistic, 0.0, 2.0, games(57433, 57030, 106_593), "-2.59"),
        (Logistic, 0.5, 2.5, pairs([223, 9863, 21279, 10037, 246]), "-3.07"),
        (Logistic, 0.0, 2.0, pairs([871, 26175, 55983, 26678, 821]), "-4.98"),
    ] {
        let test = Sprt { model, ..sprt(elo0, elo1) };
        assert_rounds_to(test.llr(&counts), llr);
    }
}

#[test]
fn few_results_and_results_of_one_kind() {
    for model in Model::ALL.map(|(_, model)| model) {
        let test = Sprt { model, ..sprt(0.0, 5.0) };
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
            assert!(after > llr, "{test:?}, {results:?} {llr}, {better:?} {after}");
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
        rest.into_iter().map(move |rest| [vec![first], rest].concat())
    });
    first.collect()
}

/// Returns tests with bounds from -1500 to 1500 for both models.
fn tests() -> Vec<Sprt> {
    let elos = [-1500.0, -400.0, -200.0, -5.0, 0.0, 2.0, 50.0, 100.0, 300.0, 1499.0, 1500.0];
    let mut tests = Vec::new();
    for model in Model::ALL.map(|(_, model)| model) {
        for (index, &elo1) in elos.iter().enumerate() {
            tests.extend(elos[..index].iter().map(|&elo0| Sprt { model, ..sprt(elo0, elo1) }));
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
