//! Score models fitted to scores and results.

use super::record::MAX_SCORE;
use crate::eval::VALUE_SCALE;
use crate::search::ScoreModel;

/// Range of [`ScoreModel::lead`].
const LEADS: (i32, i32) = (0, 4_000);
/// Range of [`ScoreModel::spread`].
const SPREADS: (i32, i32) = (10, 4_000);
/// Range of the value of an output of 1. Few games do not determine it.
pub(super) const EVAL_SCALES: (f32, f32) = (100.0, 1_000.0);
/// First step of the fit in each direction.
const FIRST_STEP: i32 = 128;

/// Games lost, drawn and won by score.
type Counts = [[u64; 3]];

/// Finds the model of maximum likelihood, to the centipawn, for pairs of a score and a result (0
/// lost, 1 drawn, 2 won); a guess without pairs. The likelihood has one maximum, which is climbed in
/// ever smaller steps.
pub(super) fn fit(pairs: impl Iterator<Item = (i32, u8)>) -> ScoreModel {
    let mut counts = vec![[0; 3]; MAX_SCORE as usize + 1];
    for (score, result) in pairs {
        let result = usize::from(result.min(2));
        // A negative score counts as the opposite score with the opposite result.
        let result = if score < 0 { 2 - result } else { result };
        counts[score.abs().min(MAX_SCORE) as usize][result] += 1;
    }
    let mut model = ScoreModel::GUESS;
    let mut best = log_likelihood(&counts, model);
    let mut step = FIRST_STEP;
    while step > 0 {
        let mut is_better = false;
        for (lead, spread) in NEIGHBOURS {
            let neighbour = ScoreModel {
                lead: (model.lead + lead * step).clamp(LEADS.0, LEADS.1),
                spread: (model.spread + spread * step).clamp(SPREADS.0, SPREADS.1),
            };
            let likelihood = log_likelihood(&counts, neighbour);
            if likelihood > best {
                (model, best, is_better) = (neighbour, likelihood, true);
            }
        }
        if !is_better {
            step /= 2;
        }
    }
    model
}

fn log_likelihood(counts: &Counts, model: ScoreModel) -> f64 {
    let seen = (0..).zip(counts).filter(|(_, counts)| **counts != [0; 3]);
    let of_score = seen.map(|(score, &[lost, drawn, won])| {
        let chances = model.chances(score);
        let of_result = [won, drawn, lost].into_iter().zip(chances);
        // An impossible result that did not happen has no weight.
        let happened = of_result.filter(|&(count, _)| count > 0);
        happened
            .map(|(count, chance)| count as f64 * chance.max(f64::MIN_POSITIVE).ln())
            .sum::<f64>()
    });
    of_score.sum()
}

/// Directions of a step in lead and spread.
const NEIGHBOURS: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// Returns the value of an output of 1, which promises odds of e to 1, by the values of a network
/// and the results of their games.
pub(super) fn eval_scale(pairs: impl Iterator<Item = (i32, u8)>) -> f32 {
    // A pawn is an expected result of 75 %.
    let odds: f64 = 3.0;
    let scale = fit(pairs).pawn() / odds.ln();
    (scale as f32).clamp(EVAL_SCALES.0, EVAL_SCALES.1)
}

/// Converts a score to the network's scale. On this scale the expected result is the sigmoid of the
/// score over [`VALUE_SCALE`], in every game and generation.
pub(super) fn on_network_scale(score: i32, model: ScoreModel) -> i32 {
    let odds = model.expected(score) / model.expected(-score);
    let scaled = f64::from(VALUE_SCALE) * odds.ln();
    scaled.clamp(-f64::from(MAX_SCORE), f64::from(MAX_SCORE)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::model::sigmoid;
    use crate::system::random::Random;

    const MODELS: [(i32, i32); 4] = [(0, 172), (141, 308), (498, 392), (900, 640)];

    #[test]
    fn the_model_of_made_up_games_is_found() {
        for (lead, spread) in MODELS {
            let model = ScoreModel { lead, spread };
            let mut random = Random::new(1, 0);
            let pairs = (0..200_000).map(|_| {
                let score = random.below(4_001) as i32 - 2_000;
                let [won, drawn, _] = model.chances(score);
                let chance = f64::from(random.unit());
                let result = if chance < won {
                    2
                } else if chance < won + drawn {
                    1
                } else {
                    0
                };
                (score, result)
            });
            let found = fit(pairs);
            assert!((found.lead - lead).abs() <= 10, "{model:?}: {found:?}");
            assert!((found.spread - spread).abs() <= 10, "{model:?}: {found:?}");
        }
    }

    #[test]
    fn few_results_make_a_model_all_the_same() {
        assert_eq!(fit([].into_iter()), ScoreModel::GUESS);
        for pairs in [vec![(0, 1)], vec![(50, 2), (-70, 0)], vec![(-9_999_999, 2)]] {
            let ScoreModel { lead, spread } = fit(pairs.iter().copied());
            assert!((LEADS.0..=LEADS.1).contains(&lead), "{pairs:?}");
            assert!((SPREADS.0..=SPREADS.1).contains(&spread), "{pairs:?}");
        }
    }

    #[test]
    fn a_score_promises_the_same_on_the_network_s_scale() {
        for (lead, spread) in MODELS {
            let model = ScoreModel { lead, spread };
            for score in -1_500..=1_500 {
                let scaled = on_network_scale(score, model);
                assert_eq!(on_network_scale(-score, model), -scaled);
                let promised = f64::from(sigmoid(scaled as f32 / VALUE_SCALE as f32));
                assert!((promised - model.expected(score)).abs() < 0.001);
            }
            assert!(on_network_scale(i32::from(i16::MAX), model) > 2_500);
        }
    }
}
