//! The end of a game.

use super::Side;

/// The reason why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Reason {
    /// Gothic: the king is attacked and no move helps.
    Checkmate,
    /// No legal move, and that is a draw.
    Stalemate,
    /// The third occurrence of a position.
    Repetition,
    /// Too long without progress.
    Clock,
    /// Too few pieces to win.
    Material,
    /// Congress and Cross-Eyed: a side has no king left.
    KingsCaptured,
    /// Cross-Eyed: every king that is left is mated.
    KingsMated,
    /// Congress: no legal move, and that loses.
    NoMoves,
    /// Pressman: a side has no piece left.
    NoPieces,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 9] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::Repetition,
        Self::Clock,
        Self::Material,
        Self::KingsCaptured,
        Self::KingsMated,
        Self::NoMoves,
        Self::NoPieces,
    ];

    /// Returns the reason as the protocols write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::Clock => "clock",
            Self::Material => "material",
            Self::KingsCaptured => "kings-captured",
            Self::KingsMated => "kings-mated",
            Self::NoMoves => "no-moves",
            Self::NoPieces => "no-pieces",
        }
    }

    /// Returns the reason in words for people.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Checkmate => "the king is attacked and no move helps",
            Self::Stalemate => "the side to move has no legal move, and it is a draw",
            Self::Repetition => "the third occurrence of a position",
            Self::Clock => "50 moves by each side without progress",
            Self::Material => "too few pieces to win",
            Self::KingsCaptured => "a side has no king left",
            Self::KingsMated => "every king that the side to move has left is mated",
            Self::NoMoves => "the side to move has no legal move, and has lost",
            Self::NoPieces => "a side has no piece left",
        }
    }

    /// Returns true for a draw by repetition, clock or material: clients differ in when they claim
    /// it, so that a game may be played on.
    pub const fn is_claimed(self) -> bool {
        matches!(self, Self::Repetition | Self::Clock | Self::Material)
    }
}

/// The end of a game: who won, if anyone, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The reason.
    pub reason: Reason,
}

impl Outcome {
    /// Returns a win.
    pub const fn win(winner: Side, reason: Reason) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// Returns what a side has: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn expected(self, side: Side) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == side)),
        }
    }

    /// Returns a draw.
    pub const fn draw(reason: Reason) -> Self {
        Self { winner: None, reason }
    }
}

/// Returns true if a position occurs for the third time after positions with these keys: a draw in
/// every game. All of the game counts, since where a piece can be gained a position can recur after
/// a capture.
pub fn is_third_occurrence(past_keys: &[u64], key: u64) -> bool {
    past_keys.iter().filter(|&&before| before == key).count() >= 2
}

/// Returns the result of a game that a side has won, or that is drawn, as PGN and the protocols
/// write it.
pub const fn result(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::White) => "1-0",
        Some(Side::Black) => "0-1",
        None => "1/2-1/2",
    }
}
