//! The static evaluation: a network where the game has one, material otherwise.

mod accumulator;
mod features;
mod file;
mod network;
mod pairs;
mod shape;

pub use features::{FeatureIndices, Features};
pub use network::{Network, NetworkFault};
pub use shape::{
    BUCKETS, LANES, MAX_HIDDEN, MAX_OUTPUT_SUM, MAX_OUTPUT_WEIGHT, MAX_SCALE, QA, Shape,
    VALUE_SCALE,
};

use crate::games::{Game, GameExt, Kind, KindInfo, Placement, Side};
use accumulator::Accumulators;
use std::sync::Arc;

/// The value of the move, in centipawns, without a network.
const TEMPO: i32 = 10;

/// The greatest absolute evaluation.
pub const LIMIT: i32 = 30_000;

/// Returns the sum of a side's piece values, in the unit of
/// [`KindInfo::value`](crate::games::KindInfo::value).
#[inline]
pub fn material<G: Game>(position: &G, side: Side) -> i32 {
    let value = |(index, info): (usize, &KindInfo)| {
        let pieces = position.placement().of(side, Kind::new(index as u8));
        info.value * pieces.count() as i32
    };
    G::KINDS.iter().enumerate().map(value).sum()
}

/// Evaluates positions along a line of play.
pub struct Evaluator {
    learned: Option<(Arc<Network>, Accumulators)>,
}

impl Evaluator {
    /// Creates an evaluator for lines of `plies`; without a network it counts material.
    pub fn new<G: Game>(network: Option<Arc<Network>>, plies: usize) -> Self {
        let with_room = |network: Arc<Network>| {
            let accumulators = Accumulators::new::<G>(&network, plies);
            (network, accumulators)
        };
        Self { learned: network.map(with_room) }
    }

    /// Returns true if the evaluator uses this network.
    pub fn uses(&self, network: Option<&Arc<Network>>) -> bool {
        match (&self.learned, network) {
            (None, None) => true,
            (Some((own, _)), Some(network)) => Arc::ptr_eq(own, network),
            _ => false,
        }
    }

    /// Forgets the position at `ply` of the line: another one takes its place.
    #[inline]
    pub fn invalidate(&mut self, ply: usize) {
        if let Some((_, accumulators)) = &mut self.learned {
            accumulators.invalidate(ply);
        }
    }

    /// Returns the network's value of the position at `ply`, 0 without one.
    pub fn output(&mut self, placement: &Placement, ply: usize) -> i32 {
        match &mut self.learned {
            Some((network, accumulators)) => accumulators.evaluate(network, placement, ply),
            None => 0,
        }
    }

    /// Returns the value of the position at `ply` for the side to move, in the unit of
    /// [`KindInfo::value`](crate::games::KindInfo::value). Never 0, which stands for draws, and
    /// never beyond ±[`LIMIT`], where wins and losses begin.
    pub fn evaluate<G: Game>(&mut self, position: &G, ply: usize) -> i32 {
        let value = match &mut self.learned {
            Some((network, accumulators)) => {
                accumulators.evaluate(network, position.placement(), ply)
            }
            None => {
                let us = position.to_move();
                material(position, us) - material(position, !us) + TEMPO
            }
        };
        match value.clamp(-LIMIT, LIMIT) {
            0 => 1,
            value => value,
        }
    }
}

/// Returns the value of a single position for the side to move; see [`Evaluator::evaluate`].
pub fn evaluate<G: Game>(network: Option<&Arc<Network>>, position: &G) -> i32 {
    Evaluator::new::<G>(network.cloned(), 1).evaluate(position, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;
    use crate::games::*;
    use crate::positions::{Random, test_all_games};

    /// Creates a network of small random weights.
    pub(in crate::eval) fn random_network<G: Game>(hidden: usize) -> Network {
        let mut random = Random(17);
        let shape = Shape::of::<G>(hidden);
        let mut weight = |size: i64| (random.next() as i64 % size) as i16;
        let sums = (shape.features() + 1) * hidden;
        let output = 2 * BUCKETS * hidden;
        let mut weights: Vec<_> = (0..sums).map(|_| weight(60)).collect();
        weights.extend((0..output).map(|_| weight(50)));
        let bias = std::array::from_fn(|bucket| bucket as i32 * 1000 - 3000);
        Network::new(shape, &weights, [64; BUCKETS], bias).expect("it is well formed")
    }

    /// Computes the same value plainly: lists every piece, and every two of them with nothing between,
    /// and sums neuron by neuron in wide integers.
    fn reference<G: Game>(network: &Network, features: &Features, position: &G) -> i32 {
        let placement = position.placement();
        let occupied = placement.occupied();
        let mut seen = Vec::new();
        for square in occupied {
            seen.push(features.piece(placement.at(square).expect("occupied"), square));
            // Each two once, from the higher square: the nearest piece in each descending direction.
            for direction in 4..8 {
                let ray = G::GEOMETRY.ray(square, direction) & occupied;
                if let Some(other) = ray.into_iter().last() {
                    let two = Bitboard::of(square) | Bitboard::of(other);
                    let sides = Side::BOTH.map(|side| placement.side(side) & two);
                    features.pairs(sides, |pair| seen.push(pair));
                }
            }
        }
        let bucket = features.bucket(occupied.count() as usize);
        network.output_one_by_one(position.to_move(), &seen, bucket)
    }

    /// Along random lines of play, with moves taken back and positions left out, updated neurons
    /// equal neurons summed up from all pieces.
    fn updates_agree_with_summing_up<G: Game>() {
        const PLIES: usize = 60;
        let network = Arc::new(random_network::<G>(128));
        let features = Features::of::<G>();
        let mut evaluator = Evaluator::new::<G>(Some(Arc::clone(&network)), PLIES + 1);
        let mut random = Random(5);
        let mut line = vec![G::start()];
        for _ in 0..3_000 {
            let ply = line.len() - 1;
            let position = line[ply].clone();
            if random.below(3) > 0 {
                let expected = reference(&network, &features, &position);
                assert_eq!(
                    evaluator.output(position.placement(), ply),
                    expected,
                    "{}",
                    position.fen()
                );
            }
            let mut next = position.clone();
            let moves = position.legal_moves();
            if moves.is_empty() || ply == PLIES || random.below(4) == 0 {
                line.truncate(1 + random.below(line.len()));
                continue;
            }
            if random.below(10) == 0 && !position.in_check() {
                next.pass();
            } else {
                next.play(random.pick(&moves).expect("there are moves"));
            }
            evaluator.invalidate(ply + 1);
            line.push(next);
        }
    }

    /// Both sides see the same when the board is turned.
    fn turning_exchanges_the_sides<G: Game>() {
        let network = Arc::new(random_network::<G>(64));
        let mut evaluator = Evaluator::new::<G>(Some(network), 1);
        for position in crate::positions::random_positions::<G>(100) {
            let mut turned = Placement::empty(!position.to_move());
            for square in position.placement().occupied() {
                let piece = position.placement().at(square).expect("occupied");
                turned.put(G::perspective(square), Piece::new(!piece.side(), piece.kind()));
            }
            evaluator.invalidate(0);
            let here = evaluator.output(position.placement(), 0);
            evaluator.invalidate(0);
            assert_eq!(here, evaluator.output(&turned, 0), "{}", position.fen());
        }
        for square in G::GEOMETRY.squares() {
            assert_eq!(G::perspective(G::perspective(square)), square);
        }
        let start = G::start();
        let kind_at = |square| start.placement().at(square).map(Piece::kind);
        for square in G::GEOMETRY.squares() {
            assert_eq!(kind_at(G::perspective(square)), kind_at(square), "{}", G::NAME);
        }
    }

    test_all_games! {
        updates_agree_with_summing_up
        turning_exchanges_the_sides
    }
}
