//! The static evaluation: material and mobility, from the game's own tables.

use crate::board::Square;
use crate::games::{Game, Kind, Side};

/// What it is worth to be the side to move.
const TEMPO: i32 = 10;

/// The greatest value of an evaluation.
pub const LIMIT: i32 = 30_000;

/// The evaluation of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// The values of its pieces.
    pub material: i32,
    /// The squares that its pieces can go to, weighted by kind.
    pub mobility: i32,
}

impl Terms {
    /// The terms of a side.
    #[inline]
    pub fn of<G: Game>(position: &G, side: Side) -> Self {
        let placement = position.placement();
        let own = placement.side(side);
        let mut terms = Self::default();
        for (index, info) in G::KINDS.iter().enumerate() {
            let pieces = placement.of(side, Kind::new(index as u8));
            terms.material += info.value * pieces.count() as i32;
            if info.mobility != 0 {
                let kind = crate::games::Piece::new(side, Kind::new(index as u8));
                let squares: u32 = pieces
                    .into_iter()
                    .map(|from: Square| position.reach(from, kind).without(own).count())
                    .sum();
                terms.mobility += info.mobility * squares as i32;
            }
        }
        terms
    }

    /// The sum of the terms.
    pub const fn total(self) -> i32 {
        self.material + self.mobility
    }
}

/// The value of a position for the side to move, in the unit of
/// [`KindInfo::value`](crate::games::KindInfo::value). Never 0, which is kept for draws, and
/// never beyond ±[`LIMIT`], where wins and losses begin.
#[inline]
pub fn evaluate<G: Game>(position: &G) -> i32 {
    let us = position.to_move();
    let value = Terms::of(position, us).total() - Terms::of(position, !us).total() + TEMPO;
    match value.clamp(-LIMIT, LIMIT) {
        0 => 1,
        value => value,
    }
}
