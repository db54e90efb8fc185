//! Functions that follow from the rules of any game.

use super::moves::{Contains, Count};
use super::{
    CheckSquares, FenError, Fields, Game, MAX_KINDS, Move, MoveClass, Outcome, Placement, Side,
    checks, fen,
};
use crate::board::Bitboard;

/// Functions of every [`Game`], derived from its rules. No game can write them differently.
pub trait GameExt: Game {
    /// Parses a FEN.
    fn from_fen(text: &str) -> Result<Self, FenError> {
        const { assert!(Self::KINDS.len() <= MAX_KINDS, "a game has more than MAX_KINDS kinds") };
        Self::from_fields(Fields::read(text, Self::GEOMETRY, Self::KINDS)?)
    }

    /// Builds a position from a placement, with no right to castle or to capture en passant.
    fn from_placement(placement: Placement) -> Result<Self, FenError> {
        Self::from_fields(Fields { placement, castling: "-", en_passant: "-" })
    }

    /// Returns the position as a FEN of six fields.
    fn fen(&self) -> String {
        fen::write(
            self.placement(),
            Self::GEOMETRY,
            Self::KINDS,
            &self.castling_field(),
            self.en_passant(),
        )
    }

    /// Returns the start position.
    fn start() -> Self {
        match Self::from_fen(Self::START) {
            Ok(position) => position,
            Err(error) => unreachable!("the start position of {}: {error}", Self::NAME),
        }
    }

    /// Returns the side to move.
    #[inline]
    fn to_move(&self) -> Side {
        self.placement().to_move()
    }

    /// Returns the plies left before the clock draws the game, if no move resets it.
    #[inline]
    fn plies_left(&self) -> Option<u32> {
        Self::CLOCK_LIMIT.map(|limit| limit.saturating_sub(self.placement().clock()))
    }

    /// Returns true if the clock has drawn the game.
    #[inline]
    fn clock_has_run_out(&self) -> bool {
        self.plies_left() == Some(0)
    }

    /// Returns true if a move is legal here. The move may be illegal everywhere.
    fn is_legal(&self, mv: Move) -> bool {
        let mut sink = Contains { wanted: mv, found: false };
        let own = self.placement().side(self.to_move());
        if own.has(mv.from()) && self.board_outcome().is_none() {
            self.generate(MoveClass::All, Bitboard::of(mv.from()), &mut sink);
        }
        sink.found
    }

    /// Returns the key after a move that only moves and captures: a guess, for fetching memory
    /// early.
    #[inline]
    fn likely_key_after(&self, mv: Move) -> u64 {
        self.key() ^ self.placement().key() ^ self.placement().key_after(mv)
    }

    /// Returns true if a legal move is in [`MoveClass::Tactical`].
    #[inline]
    fn is_tactical(&self, mv: Move) -> bool {
        mv.promotion().is_some() || self.material_gain(mv) != 0 || self.victim(mv).is_some()
    }

    /// Returns true if a legal move leaves every royal piece of the enemy attacked, and one of them
    /// on the board. `squares` are the position's [`check_squares`](Game::check_squares).
    #[inline]
    fn gives_check(&self, mv: Move, squares: &CheckSquares) -> bool {
        squares.may_have(mv)
            && self.kind_after(mv).is_some_and(|kind| {
                let verdict = squares.verdict(mv, kind);
                verdict.unwrap_or_else(|| checks::tried(self, mv))
            })
    }

    /// Returns every legal move; none if the game is over on the board. Draws by the clock or by
    /// material do not count here.
    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.board_outcome().is_none() {
            self.generate(MoveClass::All, Bitboard::ALL, &mut moves);
        }
        moves
    }

    /// Returns the number of legal moves.
    #[inline]
    fn count_moves(&self) -> u64 {
        let mut count = Count::default();
        if self.board_outcome().is_none() {
            self.generate(MoveClass::All, Bitboard::ALL, &mut count);
        }
        count.0
    }

    /// Returns the end of the game, if it is over; repetition is ignored. A win or loss comes
    /// before a draw, stalemate before the clock, the clock before material (`common.md`).
    fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.board_outcome() {
            return Some(outcome);
        }
        if self.count_moves() == 0 {
            return Some(self.no_move_outcome());
        }
        self.draw_reason().map(Outcome::draw)
    }
}

impl<G: Game> GameExt for G {}

/// Returns the number of paths of legal moves of length `depth`.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => position
            .legal_moves()
            .into_iter()
            .map(|mv| {
                let mut next = position.clone();
                next.play(mv);
                perft(&next, depth - 1)
            })
            .sum(),
    }
}
