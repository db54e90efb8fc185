//! Features and target of a packed position.

use super::model::{FeatureBatch, sigmoid};
use super::record::{Codec, PackedPosition};
use crate::board::Square;
use crate::eval::{Features, VALUE_SCALE};
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
        let side = record.label().side;
        let mirror = &self.mirrors[reflection % self.mirrors.len()];
        let features = self.codec.pieces(record).map(|(square, piece)| {
            let square = Square::new(mirror[square.index()]);
            [side, !side].map(|viewer| self.features.index(viewer, piece, square) as u16)
        });
        batch.push(features, |pieces| self.features.bucket(pieces) as u8);
    }
}

/// Returns the result to learn: the game's result with weight `lambda`, and the expected result of the
/// score on the network's scale.
pub(super) fn target(record: &PackedPosition, lambda: f32) -> f32 {
    let label = record.label();
    let expected = sigmoid(label.score as f32 / VALUE_SCALE as f32);
    lambda * f32::from(label.result) / 2.0 + (1.0 - lambda) * expected
}
