//! The law of checks: `gives_check` knows before a move what playing it shows.

use super::positions::random_games_from_seed;
use quadrille::board::{Bitboard, Square};
use quadrille::games::{Figure, Game, GameExt, Kind, Move, Reason, Side};
use quadrille::text::move_text;

/// Counts of moves and checks in random games.
#[derive(Default, Debug)]
pub struct Seen {
    pub moves: usize,
    /// Moves that give check.
    pub checks: usize,
    /// Checks by a piece other than the one that moved.
    pub discovered: usize,
    /// Checks that attack two kings.
    pub double: usize,
    /// Checks to a royal piece that was one of two, or became royal by this move.
    pub at_last: usize,
    /// Moves that had to be tried.
    pub tried: usize,
}

/// Royal pieces of a side: its kings, or its last piece where the game has no king.
pub fn royals<G: Game>(position: &G, side: Side) -> Bitboard {
    let placement = position.placement();
    let is_king = |kind: &Kind| G::KINDS[kind.index()].figure == Figure::King;
    let mut kinds = (0..G::KINDS.len()).map(|index| Kind::new(index as u8));
    match kinds.find(is_king) {
        Some(king) => placement.of(side, king),
        None if placement.side(side).many() => Bitboard::EMPTY,
        None => placement.side(side),
    }
}

/// Enemy pieces that attack a square.
pub fn enemies_at<G: Game>(position: &G, square: Square) -> Bitboard {
    let placement = position.placement();
    position.attackers(square, placement.occupied()) & placement.side(!position.to_move())
}

impl Seen {
    /// Tests the moves of `rounds` rounds of random games, and the moves after a null move.
    pub fn in_random_games<G: Game>(rounds: u64) -> Self {
        let mut seen = Self::default();
        for round in 0..rounds {
            for position in random_games_from_seed::<G>(1000 * round).flatten() {
                seen.look_at(&position);
                if position.board_outcome().is_none() && !position.in_check() {
                    let mut passed = position;
                    passed.pass();
                    seen.look_at(&passed);
                }
            }
        }
        seen
    }

    /// Asserts that `gives_check` is right about each move of a position.
    pub fn look_at<G: Game>(&mut self, position: &G) {
        let squares = position.check_squares();
        for mv in position.legal_moves() {
            let what = || format!("{} in {}", move_text::<G>(mv), position.fen());
            let mut next = position.clone();
            next.play(mv);
            let kind = next.placement().at(mv.to()).map(|piece| piece.kind());
            assert_eq!(position.kind_after(mv), kind, "{}", what());
            let took_the_last = next.board_outcome().is_some_and(|outcome| {
                matches!(outcome.reason, Reason::KingsCaptured | Reason::NoPieces)
            });
            let expected = !took_the_last && next.royals_attacked();
            let found = position.gives_check(mv, &squares);
            assert_eq!(found, expected, "{}", what());
            self.moves += 1;
            let verdict = kind.and_then(|kind| squares.verdict(mv, kind));
            self.tried += usize::from(verdict.is_none());
            if expected {
                self.count(position, mv, &next);
            }
        }
    }

    fn count<G: Game>(&mut self, position: &G, mv: Move, next: &G) {
        let attacked = royals(next, next.to_move());
        let mut attackers = attacked.into_iter().map(|royal| enemies_at(next, royal));
        self.checks += 1;
        self.discovered += usize::from(attackers.all(|pieces| !pieces.has(mv.to())));
        self.double += usize::from(attacked.many());
        self.at_last += usize::from(royals(position, next.to_move()) != attacked);
    }
}
