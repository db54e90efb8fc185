//! What a side must not lose, and what attacks it.

use quadrille::board::{Bitboard, Square};
use quadrille::games::{Figure, Game, Kind, Side};

/// The pieces of a side that it must not lose: its kings, or where the game has none its
/// last piece.
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

/// The enemy pieces that attack a square.
pub fn enemies_at<G: Game>(position: &G, square: Square) -> Bitboard {
    let placement = position.placement();
    position.attackers(square, placement.occupied()) & placement.side(!position.to_move())
}
