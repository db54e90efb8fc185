//! What the network sees of a record, and what it should make of it.

use super::model::{FeatureBatch, sigmoid};
use super::record::{Codec, PackedPosition};
use crate::board::Square;
use crate::eval::{Features, VALUE_SCALE};
use crate::games::Game;

/// Which features a record has.
pub struct FeatureMap {
    /// How records are packed.
    pub codec: Codec,
    features: Features,
    /// The square of each square, by reflection.
    mirrors: Vec<[u8; 128]>,
}

impl FeatureMap {
    /// The map of a game.
    pub fn of<G: Game>(codec: Codec) -> Self {
        let reflections = std::iter::once(&(false, false)).chain(G::MIRRORS);
        let mirrors = reflections.map(|&reflection| {
            let mut mirror = [0; 128];
            for square in G::GEOMETRY.squares() {
                mirror[square.index()] = G::GEOMETRY.reflect(square, reflection).index() as u8;
            }
            mirror
        });
        Self {
            codec,
            features: Features::of::<G>(),
            mirrors: mirrors.collect(),
        }
    }

    /// Appends the features of a record as seen in one of the board's reflections, whichever
    /// the number chooses.
    pub fn decode(&self, record: &PackedPosition, reflection: usize, positions: &mut FeatureBatch) {
        let side = self.codec.label(record).side;
        let mirror = &self.mirrors[reflection % self.mirrors.len()];
        let features = self.codec.pieces(record).map(|(square, piece)| {
            let square = Square::new(mirror[square.index()]);
            [side, !side].map(|viewer| self.features.index(viewer, piece, square) as u16)
        });
        positions.push(features, |pieces| self.features.bucket(pieces) as u8);
    }

    /// What the network should expect: the result, with this weight, and what its score on the
    /// network's scale promises.
    pub fn target(&self, record: &PackedPosition, lambda: f32) -> f32 {
        let label = self.codec.label(record);
        let expected = sigmoid(label.score as f32 / VALUE_SCALE as f32);
        lambda * f32::from(label.result) / 2.0 + (1.0 - lambda) * expected
    }
}
