//! Expected results of scores.

/// The chances of a score: a logistic function of its distance from `lead`, in units of `spread`,
/// is the chance to win; the chance to lose is that of the opposite score to win. Both are in
/// centipawns, fitted by maximum likelihood to scores and results of the training games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreModel {
    /// The score that wins half of the games.
    pub lead: i32,
    /// The increase that multiplies the odds by e.
    pub spread: i32,
}

impl ScoreModel {
    /// A guess, for games without a fitted model.
    pub const GUESS: Self = Self {
        lead: 150,
        spread: 300,
    };

    /// Returns the chances to win, draw and lose with a score.
    pub fn chances(self, score: i32) -> [f64; 3] {
        let chance = |score: i32| {
            let odds = f64::from(score - self.lead) / f64::from(self.spread);
            1.0 / (1.0 + (-odds).exp())
        };
        let (won, lost) = (chance(score), chance(-score));
        [won, 1.0 - won - lost, lost]
    }

    /// Returns the score with an expected result of 75 %: what being a pawn ahead is worth in chess.
    pub fn pawn(self) -> f64 {
        // The condition is quadratic in e to the power of the score over the spread.
        let spread = f64::from(self.spread);
        let cosh = (f64::from(self.lead) / spread).cosh();
        spread * (cosh * (1.0 + (1.0 + 3.0 / (cosh * cosh)).sqrt())).ln()
    }

    /// Returns the expected result with a score, from 0 for lost to 1 for won.
    pub fn expected(self, score: i32) -> f64 {
        let [won, drawn, _] = self.chances(score);
        won + drawn / 2.0
    }
}

/// The Elo of full strength at 20,000 nodes a move in every game, which fixes the scale.
pub const FULL_ELO: i32 = 2800;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_ahead_is_worth_three_quarters() {
        for (lead, spread) in [(0, 180), (101, 231), (315, 328), (900, 90), (4_000, 10)] {
            let model = ScoreModel { lead, spread };
            let pawn = model.pawn();
            let [below, above] =
                [pawn.floor(), pawn.ceil()].map(|pawn| model.expected(pawn as i32));
            assert!(below <= 0.75 && 0.75 <= above, "{model:?}: {pawn}");
            assert!(above - below < 0.03, "{model:?}: {pawn}");
        }
    }
}
