//! The first layer along a line of play, updated by the changed squares and not recomputed: the
//! "efficiently updatable" part (Y. Nasu, 2018; see `network.rs`).

use super::features::Features;
use super::network::{Block, Network, add, subtract};
use crate::board::Bitboard;
use crate::games::{Game, Placement, Side};
use crate::system::processor::with_widest_vectors;

/// The neurons of both sides for one position of a line of play.
#[derive(Clone)]
struct Accumulator {
    /// The position; `None` if the neurons belong to no position of the current line.
    placement: Option<Placement>,
    /// White's and Black's.
    neurons: [Vec<Block>; 2],
}

/// The accumulators along a line of play. Each is computed when its position is evaluated, from the
/// nearest evaluated position above it.
pub(super) struct Accumulators {
    features: Features,
    stack: Vec<Accumulator>,
}

/// The number of changed squares from which summing up all pieces is faster.
const MANY_CHANGES: u32 = 16;

impl Accumulators {
    /// Creates the accumulators for a line of play of up to `plies` positions.
    pub(super) fn new<G: Game>(network: &Network, plies: usize) -> Self {
        let neurons = vec![Block::ZERO; network.shape().blocks()];
        let empty = Accumulator { placement: None, neurons: [neurons.clone(), neurons] };
        Self { features: Features::of::<G>(), stack: vec![empty; plies] }
    }

    /// Forgets the position at `ply`: another one follows the line up to there.
    #[inline]
    pub(super) fn invalidate(&mut self, ply: usize) {
        self.stack[ply].placement = None;
    }

    /// Returns the network's value of the position at `ply`.
    pub(super) fn evaluate(&mut self, network: &Network, placement: &Placement, ply: usize) -> i32 {
        let (above, here) = self.stack.split_at_mut(ply);
        let Some(here) = here.first_mut() else {
            return 0;
        };
        let current =
            here.placement.as_ref().is_some_and(|known| known.difference(placement).is_empty());
        if !current {
            let base = above
                .iter()
                .rev()
                .find_map(|base| Some((base, placement.difference(base.placement.as_ref()?))))
                .filter(|(_, changed)| changed.count() < MANY_CHANGES);
            let features = &self.features;
            let all = &mut here.neurons;
            with_widest_vectors(|| {
                for viewer in Side::BOTH {
                    let neurons = &mut all[viewer.index()];
                    match base {
                        None => network.refresh(features, placement, viewer, neurons),
                        Some((base, changed)) => {
                            let Some(before) = &base.placement else {
                                continue;
                            };
                            let from = &base.neurons[viewer.index()];
                            update(
                                network,
                                features,
                                viewer,
                                (before, placement),
                                changed,
                                from,
                                neurons,
                            );
                        }
                    }
                }
            });
            here.placement = Some(placement.clone());
        }
        let us = placement.to_move();
        let neurons = [us, !us].map(|side| here.neurons[side.index()].as_slice());
        let pieces = placement.occupied().count() as usize;
        network.output(neurons, self.features.bucket(pieces))
    }
}

/// Updates the neurons for changed squares.
#[inline]
fn update(
    network: &Network,
    features: &Features,
    viewer: Side,
    (before, after): (&Placement, &Placement),
    changed: Bitboard,
    from: &[Block],
    to: &mut [Block],
) {
    const ROOM: usize = MANY_CHANGES as usize;
    let (mut gone, mut come) = ([0; ROOM], [0; ROOM]);
    let (mut gones, mut comes) = (0, 0);
    for square in changed {
        if let Some(piece) = before.at(square) {
            gone[gones % ROOM] = features.index(viewer, piece, square);
            gones += 1;
        }
        if let Some(piece) = after.at(square) {
            come[comes % ROOM] = features.index(viewer, piece, square);
            comes += 1;
        }
    }
    let rows =
        |list: &[usize]| -> [&[Block]; 2] { [network.feature(list[0]), network.feature(list[1])] };
    let [first_gone, second_gone] = rows(&gone);
    let [first_come, _] = rows(&come);
    // The two most frequent kinds of move, in one pass through memory.
    match (comes, gones) {
        (1, 1) => {
            for (index, to) in to.iter_mut().enumerate() {
                let mut sums = from[index];
                add(&mut sums, &first_come[index]);
                subtract(&mut sums, &first_gone[index]);
                *to = sums;
            }
        }
        (1, 2) => {
            for (index, to) in to.iter_mut().enumerate() {
                let mut sums = from[index];
                add(&mut sums, &first_come[index]);
                subtract(&mut sums, &first_gone[index]);
                subtract(&mut sums, &second_gone[index]);
                *to = sums;
            }
        }
        _ => {
            to.copy_from_slice(from);
            for &feature in &come[..comes] {
                for (sums, weights) in to.iter_mut().zip(network.feature(feature)) {
                    add(sums, weights);
                }
            }
            for &feature in &gone[..gones] {
                for (sums, weights) in to.iter_mut().zip(network.feature(feature)) {
                    subtract(sums, weights);
                }
            }
        }
    }
}
