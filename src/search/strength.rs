//! What scores and levels of skill are worth in results.

/// How often a score wins: half of the time when it is `lead`, more often by the logistic
/// function of what it is above, in units of `spread`; and it loses as often as its
/// opposite wins. Both in centipawns, fitted by maximum likelihood to the scores
/// and results of the games that the engine learned from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreModel {
    /// The score that wins half of the games.
    pub lead: i32,
    /// How much more makes the odds e times as good.
    pub spread: i32,
}

impl ScoreModel {
    /// For a game of which nothing is known.
    pub const GUESS: Self = Self {
        lead: 150,
        spread: 300,
    };

    /// The chances to win, draw and lose with a score.
    pub fn chances(self, score: i32) -> [f64; 3] {
        let chance = |score: i32| {
            let odds = f64::from(score - self.lead) / f64::from(self.spread);
            1.0 / (1.0 + (-odds).exp())
        };
        let (won, lost) = (chance(score), chance(-score));
        [won, 1.0 - won - lost, lost]
    }

    /// The expected result with a score, from 0 for lost to 1 for won.
    pub fn expected(self, score: i32) -> f64 {
        let [won, drawn, _] = self.chances(score);
        won + drawn / 2.0
    }
}

/// The Elo of full strength at 20,000 nodes a move, in every game: where the scale is fixed.
pub const FULL_ELO: i32 = 2800;
