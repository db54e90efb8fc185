//! Static exchange evaluation: what a move wins or loses in captures on its target square, asked
//! against a threshold as in Stockfish.

use crate::board::Bitboard;
use crate::games::{Game, GameExt, Kind, MAX_KINDS, Move};

/// Returns the cost of losing a piece in an exchange. A piece without a value is a king that can
/// never be captured: its cost lets it capture only where nothing can take it.
#[inline]
pub(super) fn see_value<G: Game>(kind: Kind) -> i32 {
    match G::KINDS[kind.index()].value {
        0 => 20_000,
        value => value,
    }
}

/// Returns the material that a legal move wins before any reply: the captured piece and any gain.
#[inline]
pub(super) fn material_won<G: Game>(position: &G, mv: Move) -> i32 {
    let captured = (position.victim(mv)).map_or(0, |(_, kind)| see_value::<G>(kind));
    captured + position.material_gain(mv)
}

/// The kinds of a game from the least valuable to the most.
struct ByValue<G>(std::marker::PhantomData<G>);

impl<G: Game> ByValue<G> {
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

/// Returns true if the exchange that a legal move begins on its target square wins at least
/// `threshold`. Both sides capture with their least valuable piece first and stop when it pays.
pub(super) fn see_ge<G: Game>(position: &G, mv: Move, threshold: i32) -> bool {
    let placement = position.placement();
    let mut balance = material_won(position, mv) - threshold;
    if balance < 0 {
        return false;
    }
    let Some(mover) = mv.promotion().or(placement.at(mv.from()).map(|piece| piece.kind())) else {
        return true;
    };
    balance -= see_value::<G>(mover);
    if balance >= 0 {
        return true;
    }
    let target = mv.to();
    let mut occupied = placement.occupied() ^ Bitboard::of(mv.from());
    if let Some((square, _)) = position.victim(mv) {
        occupied = occupied.without(Bitboard::of(square));
    }
    occupied |= Bitboard::of(target);
    let mover_side = position.to_move();
    let mut side = !mover_side;
    loop {
        let attackers = position.attackers(target, occupied).without(Bitboard::of(target))
            & placement.side(side);
        let least = ByValue::<G>::KINDS[..G::KINDS.len()]
            .iter()
            .map(|&kind| (kind, attackers & placement.kind(kind)))
            .find_map(|(kind, pieces)| Some((kind, pieces.first()?)));
        let Some((kind, square)) = least else { break };
        occupied ^= Bitboard::of(square);
        side = !side;
        balance = -balance - 1 - see_value::<G>(kind);
        if balance >= 0 {
            break;
        }
    }
    // The side to move has no capture left that pays.
    side != mover_side
}

/// Returns true if a legal move captures or gains, and also wins material where even exchanges are
/// quiet.
pub fn wins_material<G: Game>(position: &G, mv: Move) -> bool {
    position.is_tactical(mv) && (!G::EVEN_EXCHANGES_ARE_QUIET || see_ge(position, mv, 1))
}

/// Returns the material that the side to move wins by captures and gains that pay, if both sides make no other moves:
/// `least` or less and `most` or more mean these bounds.
pub fn winnings<G: Game>(position: &G, mut least: i32, most: i32, depth: u32) -> i32 {
    if depth == 0 {
        return 0;
    }
    let mut best = 0;
    for mv in position.legal_moves() {
        least = least.max(best);
        if least >= most {
            break;
        }
        if position.is_tactical(mv) && see_ge(position, mv, 1) {
            let won = material_won(position, mv);
            let mut next = position.clone();
            next.play(mv);
            best = best.max(won - winnings(&next, won - most, won - least, depth - 1));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::games::*;
    use crate::positions::{random_positions, test_all_games};

    /// Returns the material that a side wins on a square by capturing the piece of value `prize`
    /// there with its least valuable attacker, if that pays.
    fn gain_on<G: Game>(
        position: &G,
        square: Square,
        occupied: Bitboard,
        side: Side,
        prize: i32,
    ) -> i32 {
        let placement = position.placement();
        let attackers =
            |occupied| position.attackers(square, occupied).without(Bitboard::of(square));
        let kind_at = |square| placement.at(square).map(Piece::kind);
        let least = (attackers(occupied) & placement.side(side))
            .into_iter()
            .filter_map(|from| Some((from, kind_at(from)?)))
            .min_by_key(|&(_, kind)| see_value::<G>(kind));
        let Some((from, kind)) = least else { return 0 };
        let occupied = occupied.without(Bitboard::of(from));
        let is_royal = G::KINDS[kind.index()].value == 0;
        if is_royal && (attackers(occupied) & placement.side(!side)).any() {
            return 0;
        }
        let answer = gain_on(position, square, occupied, !side, see_value::<G>(kind));
        (prize - answer).max(0)
    }

    /// Returns the result of a move by searching every capture that follows.
    fn brings<G: Game>(position: &G, mv: Move) -> i32 {
        let mut occupied = position.placement().occupied();
        if let Some((square, _)) = position.victim(mv) {
            occupied = occupied.without(Bitboard::of(square));
        }
        occupied = occupied.without(Bitboard::of(mv.from())) | Bitboard::of(mv.to());
        let moved = position.placement().at(mv.from()).map(Piece::kind);
        let stands = mv.promotion().or(moved).unwrap();
        let enemy = !position.to_move();
        let answer = gain_on(position, mv.to(), occupied, enemy, see_value::<G>(stands));
        material_won(position, mv) - answer
    }

    fn agrees_with_looking_at_every_capture<G: Game>() {
        let (mut wins, mut losses) = (0, 0);
        for position in random_positions::<G>(500) {
            for mv in position.legal_moves() {
                let exact = brings(&position, mv);
                wins += i32::from(exact > 0);
                losses += i32::from(exact < 0);
                for (threshold, expected) in
                    [(exact - 100, true), (exact, true), (exact + 1, false), (exact + 100, false)]
                {
                    assert_eq!(
                        see_ge(&position, mv, threshold),
                        expected,
                        "{mv:?} brings {exact}, at least {threshold}? {}",
                        position.fen()
                    );
                }
            }
        }
        assert!(wins > 100 && losses > 100, "{wins} wins, {losses} losses");
    }

    test_all_games! {
        agrees_with_looking_at_every_capture
    }
}
