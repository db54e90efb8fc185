//! Moves as text, and back.

use crate::board::{Bitboard, Square};
use crate::games::{Game, GameExt, Kind, Move, piece_of};

/// Returns a move in coordinates: from, to, and the letter of a promotion.
pub fn move_text<G: Game>(mv: Move) -> String {
    let mut text = format!("{}{}", G::GEOMETRY.name(mv.from()), G::GEOMETRY.name(mv.to()));
    text.extend(
        mv.promotion()
            .and_then(|kind| G::KINDS.get(kind.index()))
            .map(|kind| kind.letter.to_ascii_lowercase()),
    );
    text
}

/// Returns the kind that a piece changes to by a legal move that is no promotion.
pub fn kind_after_change<G: Game>(position: &G, mv: Move) -> Option<Kind> {
    if mv.promotion().is_some() {
        return None;
    }
    let before = position.placement().at(mv.from())?;
    let mut next = position.clone();
    next.play(mv);
    let after = next.placement().at(mv.to())?;
    (after.side() == before.side() && after.kind() != before.kind()).then_some(after.kind())
}

/// Returns the square and the kind of a new piece that a legal move brings in.
pub fn new_piece<G: Game>(position: &G, mv: Move) -> Option<(Square, Kind)> {
    let side = position.to_move();
    let mut next = position.clone();
    next.play(mv);
    let (before, after) = (position.placement(), next.placement());
    if after.side(side).count() <= before.side(side).count() {
        return None;
    }
    // The moving piece leaves its square, unless the new one is dropped there.
    let come = |&square: &Square| square == mv.from() || !before.side(side).has(square);
    let square = after.side(side).without(Bitboard::of(mv.to())).into_iter().find(come)?;
    Some((square, after.at(square)?.kind()))
}

/// Reads the two squares that a text begins with. Returns them with the rest of the text.
pub fn read_squares<G: Game>(text: &str) -> Option<(Square, Square, &str)> {
    let (from, rest) = G::GEOMETRY.read_square(text)?;
    let (to, rest) = G::GEOMETRY.read_square(rest)?;
    Some((from, to, rest))
}

/// Reads a legal move in coordinates. A change of kind may be written like a promotion.
pub fn read_move<G: Game>(position: &G, text: &str) -> Option<Move> {
    let plain = || {
        let (from, to, rest) = read_squares::<G>(text)?;
        if from == to {
            return None;
        }
        let mut letters = rest.chars();
        let mv = match (letters.next(), letters.next()) {
            (None, _) => Move::new(from, to),
            (Some(letter), None) => Move::promoting(from, to, piece_of(letter, G::KINDS)?.kind()),
            _ => return None,
        };
        if position.is_legal(mv) {
            return Some(mv);
        }
        let kind = mv.promotion()?;
        let plain = Move::new(from, to);
        let changes = position.is_legal(plain) && kind_after_change(position, plain) == Some(kind);
        changes.then_some(plain)
    };
    plain().or_else(|| position.alias(text))
}
