//! Features and target of a packed position.

use super::model::{FeatureBatch, sigmoid};
use super::record::{Codec, PackedPosition};
use crate::board::{Bitboard, Square};
use crate::eval::{Features, Seen, Shape, VALUE_SCALE};
use crate::games::{Game, Kind, Piece, Side};

/// Maps packed positions to features.
pub(super) struct FeatureMap {
    pub codec: Codec,
    features: Features,
    /// The reflected square of each square, by reflection.
    mirrors: Vec<[u8; 128]>,
    /// By feature, that of the mirrored board; empty in a game whose neurons are not tied.
    pub twins: Vec<u16>,
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
        let features = Features::of::<G>();
        let twins = if G::NEURONS_ARE_TIED { twins::<G>(&features) } else { Vec::new() };
        Self { codec: Codec::of::<G>(), features, mirrors: mirrors.collect(), twins }
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

/// Returns for each feature the one of the board with its files mirrored.
fn twins<G: Game>(features: &Features) -> Vec<u16> {
    let mirror = |square| G::GEOMETRY.reflect(square, (true, false));
    let mut twins = vec![0; Shape::of::<G>(0).features()];
    let mut pair_up = |own: Seen, image: Seen| twins[usize::from(own[0])] = image[0];
    for side in Side::BOTH {
        for kind in 0..G::KINDS.len() {
            let piece = Piece::new(side, Kind::new(kind as u8));
            for square in G::GEOMETRY.squares() {
                pair_up(features.piece(piece, square), features.piece(piece, mirror(square)));
            }
        }
    }
    for square in G::GEOMETRY.squares() {
        for other in (0..4).flat_map(|axis| G::GEOMETRY.ray(square, axis)) {
            for owners in 0..4 {
                let feature = |squares: [Square; 2]| {
                    let mut sides = [Bitboard::EMPTY; 2];
                    for (number, square) in squares.into_iter().enumerate() {
                        sides[owners >> number & 1] |= Bitboard::of(square);
                    }
                    let mut found = None;
                    features.pairs(sides, |pair| found = Some(pair));
                    found
                };
                let both = feature([square, other]).zip(feature([square, other].map(mirror)));
                both.into_iter().for_each(|(own, image)| pair_up(own, image));
            }
        }
    }
    twins
}

/// Returns the result to learn: the game's result with weight `lambda`, and the expected result of the
/// score on the network's scale.
pub(super) fn target(record: &PackedPosition, lambda: f32) -> f32 {
    let label = record.label();
    let expected = sigmoid(label.score as f32 / VALUE_SCALE as f32);
    lambda * f32::from(label.result) / 2.0 + (1.0 - lambda) * expected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameExt, Pressman};
    use crate::learning::model::FloatNetwork;
    use crate::learning::record::Label;
    use crate::positions::random_positions;
    use crate::system::random::Random;

    #[test]
    fn tied_neurons_make_a_mirrored_board_worth_the_same() {
        let map = FeatureMap::of::<Pressman>();
        let mut network = FloatNetwork::random(Shape::of::<Pressman>(128), 1);
        let mut random = Random::new(2, 0);
        network.parameters_mut().for_each(|weight| *weight = random.unit() - 0.5);
        let values = |network: &FloatNetwork| {
            [0, 1].map(|reflection| {
                let mut batch = FeatureBatch::default();
                for position in random_positions::<Pressman>(100) {
                    let side = position.to_move();
                    let label = Label { side, score: 0, result: 1, quiet: true, leaf: false };
                    let record = map.codec.pack(position.placement(), label).expect("it fits");
                    map.decode(&record, reflection, &mut batch);
                }
                network.evaluate(&batch)
            })
        };
        let differ = |[own, mirrored]: [Vec<f32>; 2]| {
            own.iter().zip(&mirrored).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        };
        assert!(differ(values(&network)) > 0.01);
        assert!(differ(values(&network.tied(&map.twins))) < 1e-4);
    }
}
