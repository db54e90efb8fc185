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

    /// Returns the expected result with a score, from 0 for lost to 1 for won.
    pub fn expected(self, score: i32) -> f64 {
        let [won, drawn, _] = self.chances(score);
        won + drawn / 2.0
    }
}

/// The Elo of full strength at 20,000 nodes a move in every game, which fixes the scale.
pub const FULL_ELO: i32 = 2800;
