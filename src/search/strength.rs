//! Expected results of values, and scores for people.

use super::value::{Score, is_decisive, moves_to_mate};

/// The chances of a value of the search: a logistic function of its distance from `lead`, in units of
/// `spread`, is the chance to win; the chance to lose is that of the opposite value to win. Both are
/// fitted by maximum likelihood to values and results of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreModel {
    /// The value that wins half of the games.
    pub lead: i32,
    /// The increase that multiplies the odds by e.
    pub spread: i32,
}

impl ScoreModel {
    /// A guess, for games without a fitted model.
    pub const GUESS: Self = Self { lead: 150, spread: 300 };

    /// Returns the chance to win with a value that is neither a won nor a lost game's.
    fn chance(self, value: f64) -> f64 {
        let odds = (value - f64::from(self.lead)) / f64::from(self.spread);
        1.0 / (1.0 + (-odds).exp())
    }

    /// Returns the chances to win, draw and lose with a value.
    pub fn chances(self, value: i32) -> [f64; 3] {
        let (won, lost) = match value {
            _ if !is_decisive(value) => {
                (self.chance(f64::from(value)), self.chance(f64::from(-value)))
            }
            1.. => (1.0, 0.0),
            _ => (0.0, 1.0),
        };
        [won, 1.0 - won - lost, lost]
    }

    /// Returns the chances to win, draw and lose with a value, in thousandths.
    pub fn win_draw_loss(self, value: i32) -> [u32; 3] {
        let [won, _, lost] = (self.chances(value)).map(|chance| (1000.0 * chance).round() as u32);
        let lost = lost.min(1000 - won);
        [won, 1000 - won - lost, lost]
    }

    /// Returns the expected result with a value, from 0 for lost to 1 for won.
    pub fn expected(self, value: i32) -> f64 {
        let [won, drawn, _] = self.chances(value);
        won + drawn / 2.0
    }

    /// Returns the expected result for a score as displayed.
    pub fn expected_of(self, score: Score) -> f64 {
        match score {
            Score::Mate(moves) => f64::from(u8::from(moves > 0)),
            Score::Centipawns(hundredths) => {
                let value = self.pawn() * f64::from(hundredths) / 100.0;
                (1.0 + self.chance(value) - self.chance(-value)) / 2.0
            }
        }
    }

    /// Returns the value of a pawn: an expected result of 75 %, as in chess.
    pub fn pawn(self) -> f64 {
        // The condition is quadratic in e to the power of the value over the spread.
        let spread = f64::from(self.spread);
        let cosh = (f64::from(self.lead) / spread).cosh();
        spread * (cosh * (1.0 + (1.0 + 3.0 / (cosh * cosh)).sqrt())).ln()
    }

    /// Converts a value to the score that people see, which means the same in every game.
    pub fn score(self, value: i32) -> Score {
        match moves_to_mate(value) {
            Some(moves) => Score::Mate(moves),
            None => Score::Centipawns((100.0 * f64::from(value) / self.pawn()).round() as i32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::value::{mate_in, mated_in};

    #[test]
    fn a_score_of_100_is_an_expected_result_of_75_percent() {
        for (lead, spread) in [(0, 180), (101, 231), (315, 328), (900, 90), (4_000, 10)] {
            let model = ScoreModel { lead, spread };
            let pawn = model.pawn();
            let [below, above] =
                [pawn.floor(), pawn.ceil()].map(|pawn| model.expected(pawn as i32));
            assert!(below <= 0.75 && 0.75 <= above, "{model:?}: {pawn}");
            assert!(above - below < 0.03, "{model:?}: {pawn}");
            let value = pawn.round() as i32;
            assert_eq!(model.score(value), Score::Centipawns(100), "{model:?}");
            assert_eq!(model.score(-2 * value), Score::Centipawns(-200), "{model:?}");
        }
    }

    #[test]
    fn chances_are_of_one_whole_and_symmetrical() {
        let model = ScoreModel { lead: 141, spread: 308 };
        assert_eq!(model.win_draw_loss(141)[0], 500);
        let mut before = 0;
        for value in -3000..=3000 {
            let chances = model.win_draw_loss(value);
            let [lost, drawn, won] = model.win_draw_loss(-value);
            assert_eq!(chances, [won, drawn, lost], "{value}");
            assert_eq!(chances.iter().sum::<u32>(), 1000, "{value}");
            assert!(chances[0] >= before, "{value}");
            before = chances[0];
        }
        assert_eq!(model.win_draw_loss(mate_in(1)), [1000, 0, 0]);
        assert_eq!(model.win_draw_loss(mated_in(0)), [0, 0, 1000]);
        let without_draws = ScoreModel { lead: 0, spread: 172 };
        assert_eq!(without_draws.win_draw_loss(0), [500, 0, 500]);
    }
}
