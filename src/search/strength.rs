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
}

/// The Elo of full strength at 20,000 nodes a move, in every game: where the scale is fixed.
pub const FULL_ELO: i32 = 2800;
