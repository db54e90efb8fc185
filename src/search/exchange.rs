//! Static exchange evaluation: what a move wins or loses in captures on its target square.

use crate::board::Bitboard;
use crate::games::{Game, Kind, MAX_KINDS, Move};

/// What losing a piece of a kind costs in an exchange. A piece without a value is a king
/// that can never be captured: it captures last, and only where nothing can take it.
#[inline(always)]
pub fn worth<G: Game>(kind: Kind) -> i32 {
    match G::KINDS[kind.index()].value {
        0 => 20_000,
        value => value,
    }
}

/// The kinds of a game from the least valuable to the most.
struct Order<G>(std::marker::PhantomData<G>);

impl<G: Game> Order<G> {
    const KINDS: [Kind; MAX_KINDS] = {
        let mut order = [Kind::new(0); MAX_KINDS];
        let mut placed = 0;
        while placed < G::KINDS.len() {
            // Insertion by value, a king without value last.
            let mut at = placed;
            while at > 0 && Self::less(placed, order[at - 1].index()) {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = Kind::new(placed as u8);
            placed += 1;
        }
        order
    };

    const fn less(a: usize, b: usize) -> bool {
        let (a, b) = (G::KINDS[a].value, G::KINDS[b].value);
        a != 0 && (b == 0 || a < b)
    }
}

/// Whether the exchange that a legal move begins on its target square brings its side at
/// least `threshold`, both sides capturing with their least valuable piece first and
/// stopping when it pays.
pub fn is_at_least<G: Game>(position: &G, mv: Move, threshold: i32) -> bool {
    let placement = position.placement();
    let victim = position.victim(mv);
    let captured = victim.map_or(0, |(_, kind)| worth::<G>(kind));
    let mut balance = captured + position.gain(mv) - threshold;
    if balance < 0 {
        return false;
    }
    let Some(mover) = mv
        .promotion()
        .or(placement.at(mv.from()).map(|piece| piece.kind()))
    else {
        return true;
    };
    balance -= worth::<G>(mover);
    if balance >= 0 {
        return true;
    }
    let target = mv.to();
    let mut occupied = placement.occupied() ^ Bitboard::of(mv.from());
    if let Some((square, _)) = victim {
        occupied = occupied.without(Bitboard::of(square));
    }
    occupied |= Bitboard::of(target);
    let mover_side = position.to_move();
    let mut side = !mover_side;
    loop {
        let attackers = position
            .attackers(target, occupied)
            .without(Bitboard::of(target))
            & placement.side(side);
        let least = Order::<G>::KINDS[..G::KINDS.len()]
            .iter()
            .map(|&kind| (kind, attackers & placement.kind(kind)))
            .find_map(|(kind, pieces)| Some((kind, pieces.first()?)));
        let Some((kind, square)) = least else { break };
        occupied ^= Bitboard::of(square);
        side = !side;
        balance = -balance - 1 - worth::<G>(kind);
        if balance >= 0 {
            // The capturer stands. A king does only if nothing can take it back.
            let answers = position
                .attackers(target, occupied)
                .without(Bitboard::of(target));
            if G::KINDS[kind.index()].value == 0 && (answers & placement.side(side)).any() {
                side = !side;
            }
            break;
        }
    }
    // Whoever is to move has run out of captures that pay.
    side != mover_side
}
