//! The first layer along a line of play, updated by the changed squares and not recomputed: the
//! "efficiently updatable" part (Y. Nasu, 2018; see `network.rs`).

use super::features::{FeatureList, Features};
use super::network::{Block, Network};
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
    /// The features to add to the neurons of another position, and those to subtract.
    added: FeatureList,
    removed: FeatureList,
}

/// The number of changed squares from which summing up all pieces is faster.
const MANY_CHANGES: u32 = 16;

impl Accumulators {
    /// Creates the accumulators for a line of play of up to `plies` positions.
    pub(super) fn new<G: Game>(network: &Network, plies: usize) -> Self {
        let neurons = vec![Block::ZERO; network.shape().blocks()];
        let empty = Accumulator { placement: None, neurons: [neurons.clone(), neurons] };
        Self {
            features: Features::of::<G>(),
            stack: vec![empty; plies],
            added: FeatureList::EMPTY,
            removed: FeatureList::EMPTY,
        }
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
                .find_map(|base| Some((base, base.placement.as_ref()?)))
                .map(|(base, before)| (&base.neurons, before, placement.difference(before)))
                .filter(|(.., changed)| changed.count() < MANY_CHANGES);
            let (features, added, removed) = (&self.features, &mut self.added, &mut self.removed);
            let all = &mut here.neurons;
            with_widest_vectors(|| {
                let from = match base {
                    None => {
                        features.list(placement, placement.occupied(), added);
                        removed.clear();
                        None
                    }
                    Some((neurons, before, changed)) => {
                        features.list(placement, changed, added);
                        features.list(before, changed, removed);
                        Some(neurons)
                    }
                };
                for (viewer, neurons) in Side::BOTH.into_iter().zip(all) {
                    let from = from.map_or(network.bias(), |from| &from[viewer.index()]);
                    network.update(viewer, added, removed, from, neurons);
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
