//! Features and target of a packed position.

use super::model::{FeatureBatch, sigmoid};
use super::record::{Codec, PackedPosition};
use crate::board::{Bitboard, Square};
use crate::eval::{FeatureIndices, Features, Shape, VALUE_SCALE};
use crate::games::{Game, Kind, Piece, Side};

/// Maps packed positions to features.
pub(super) struct FeatureMap {
    pub codec: Codec,
    features: Features,
    /// The reflected square of each square, by reflection.
    mirrors: Vec<[u8; 128]>,
    /// The mirror image of each feature; empty where neurons are not tied.
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
        let mut push = |seen: FeatureIndices| batch.push([seen[us], seen[1 - us]]);
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

/// Returns the image of each feature on the board with its files mirrored.
fn twins<G: Game>(features: &Features) -> Vec<u16> {
    let mirror = |square| G::GEOMETRY.reflect(square, (true, false));
    let mut twins = vec![0; Shape::of::<G>(0).features()];
    let mut pair_up =
        |own: FeatureIndices, image: FeatureIndices| twins[usize::from(own[0])] = image[0];
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
                let image = feature([square, other].map(mirror));
                if let Some((own, image)) = feature([square, other]).zip(image) {
                    pair_up(own, image);
                }
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
    use crate::engine::Entry;
    use crate::eval::{LANES, Network};
    use crate::games::{GameExt, Pressman};
    use crate::learning::model::FloatNetwork;
    use crate::learning::record::Label;
    use crate::learning::trainer::{Config, Trainer, WAVE};
    use crate::positions::random_positions;
    use crate::system::random::Random;

    /// Some positions of Pressman.
    fn records(map: &FeatureMap) -> Vec<PackedPosition> {
        let pack = |position: Pressman| {
            let label =
                Label { side: position.to_move(), score: 50, result: 2, quiet: true, leaf: false };
            map.codec.pack(position.placement(), label).expect("it fits")
        };
        random_positions::<Pressman>(100).map(pack).collect()
    }

    /// Returns the greatest difference between the values of positions and those of their images.
    fn asymmetry(network: &FloatNetwork, map: &FeatureMap) -> f32 {
        let [own, mirrored] = [0, 1].map(|reflection| {
            let mut batch = FeatureBatch::default();
            for record in records(map) {
                map.decode(&record, reflection, &mut batch);
            }
            network.evaluate(&batch)
        });
        own.iter().zip(&mirrored).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    }

    #[test]
    fn tied_neurons_make_a_mirrored_board_worth_the_same() {
        let map = FeatureMap::of::<Pressman>();
        let mut network = FloatNetwork::random(Shape::of::<Pressman>(128), 1);
        let mut random = Random::new(2, 0);
        network.parameters_mut().for_each(|weight| *weight = random.unit() - 0.5);
        assert!(!network.is_tied(&map.twins) && asymmetry(&network, &map) > 0.01);
        let tied = network.tied(&map.twins);
        assert!(tied.is_tied(&map.twins) && asymmetry(&tied, &map) < 1e-4);
    }

    #[test]
    fn neurons_stay_tied_in_training() {
        let map = FeatureMap::of::<Pressman>();
        let records: Vec<_> = records(&map).into_iter().cycle().take(WAVE).collect();
        let network = FloatNetwork::random(Shape::of::<Pressman>(LANES), 1).tied(&map.twins);
        let config = Config { batch: WAVE, steps: 3, rate: 0.01, ..Config::default() };
        let mut trainer = Trainer::new(network.clone());
        trainer.run(&records, &map, &config, config.steps);
        assert!(trainer.network.slices != network.slices);
        assert!(trainer.network.is_tied(&map.twins));
    }

    /// A feature is the image of its image, and the network of the program is tied.
    #[test]
    fn twins_are_images_of_each_other() {
        let map = FeatureMap::of::<Pressman>();
        let twin = |feature: usize| usize::from(map.twins[feature]);
        assert!((0..map.twins.len()).all(|feature| twin(twin(feature)) == feature));
        let network = Network::from_bytes::<Pressman>(Pressman::SHEET.network.expect("it has one"));
        let network = FloatNetwork::of(&network.expect("it is sound"), 400.0);
        assert!(network.is_tied(&map.twins));
    }
}
