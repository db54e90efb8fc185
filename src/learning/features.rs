//! Features and target of a packed position.

use super::model::{FeatureBatch, sigmoid};
use super::record::{Codec, PackedPosition};
use crate::board::{Bitboard, Square};
use crate::eval::{Features, Seen, VALUE_SCALE};
use crate::games::Game;

/// Maps packed positions to features.
pub(super) struct FeatureMap {
    pub codec: Codec,
    features: Features,
    /// The reflected square of each square, by reflection.
    mirrors: Vec<[u8; 128]>,
}

impl FeatureMap {
    pub(super) fn of<G: Game>() -> Self {
        let reflections = std::iter::once(&(false, false)).chain(G::MIRRORS);
        let mirrors = reflections.map(|&reflection| {
            let mut mirror = [0; 128];
            for square in G::GEOMETRY.squares() {
                mirror[square.index()] = G::GEOMETRY.reflect(square, reflection).index() as u8;
            }
            mirror
        });
        Self { codec: Codec::of::<G>(), features: Features::of::<G>(), mirrors: mirrors.collect() }
    }

    /// Appends the features of a position. `reflection` chooses one of the board's reflections.
    pub(super) fn decode(
        &self,
        record: &PackedPosition,
        reflection: usize,
        batch: &mut FeatureBatch,
    ) {
        let us = record.label().side.index();
        let mirror = &self.mirrors[reflection % self.mirrors.len()];
        let mut sides = [Bitboard::EMPTY; 2];
        let mut push = |seen: Seen| batch.push([seen[us], seen[1 - us]]);
        for (square, piece) in self.codec.pieces(record) {
            let square = Square::new(mirror[square.index()]);
            sides[piece.side().index()] |= Bitboard::of(square);
            push(self.features.piece(piece, square));
        }
        self.features.pairs(sides, push);
        let pieces = sides[0].count() + sides[1].count();
        batch.end(self.features.bucket(pieces as usize) as u8);
    }
}

/// Returns the result to learn: the game's result with weight `lambda`, and the expected result of the
/// score on the network's scale.
pub(super) fn target(record: &PackedPosition, lambda: f32) -> f32 {
    let label = record.label();
    let expected = sigmoid(label.score as f32 / VALUE_SCALE as f32);
    lambda * f32::from(label.result) / 2.0 + (1.0 - lambda) * expected
}
