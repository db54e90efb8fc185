//! Moves as text, and back.

use crate::games::{Game, GameExt, Kind, Move};

/// A move as text: from, to and the letter of what a pawn becomes.
pub fn move_text<G: Game>(mv: Move) -> String {
    let mut text = format!(
        "{}{}",
        G::GEOMETRY.name(mv.from()),
        G::GEOMETRY.name(mv.to())
    );
    text.extend(
        mv.promotion()
            .and_then(|kind| G::KINDS.get(kind.index()))
            .map(|kind| kind.letter.to_ascii_lowercase()),
    );
    text
}

/// The kind that a piece becomes by a legal move without having been promoted.
pub fn changed_kind<G: Game>(position: &G, mv: Move) -> Option<Kind> {
    if mv.promotion().is_some() {
        return None;
    }
    let before = position.placement().at(mv.from())?;
    let mut next = position.clone();
    next.play(mv);
    let after = next.placement().at(mv.to())?;
    (after.side() == before.side() && after.kind() != before.kind()).then_some(after.kind())
}

/// The legal move that a text means in a position. What a piece becomes by itself may be
/// written as a promotion is.
pub fn read_move<G: Game>(position: &G, text: &str) -> Option<Move> {
    let plain = || {
        let (from, rest) = G::GEOMETRY.read_square(text)?;
        let (to, rest) = G::GEOMETRY.read_square(rest)?;
        if from == to {
            return None;
        }
        let mut letters = rest.chars();
        let mv = match (letters.next(), letters.next()) {
            (None, _) => Move::new(from, to),
            (Some(letter), None) => {
                let kind = G::KINDS
                    .iter()
                    .position(|k| k.letter == letter.to_ascii_uppercase())?;
                Move::promoting(from, to, Kind::new(kind as u8))
            }
            _ => return None,
        };
        if position.is_legal(mv) {
            return Some(mv);
        }
        let kind = mv.promotion()?;
        let plain = Move::new(from, to);
        let changes = position.is_legal(plain) && changed_kind(position, plain) == Some(kind);
        changes.then_some(plain)
    };
    plain().or_else(|| position.alias(text))
}
