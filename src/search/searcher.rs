//! The threads of a search, and what they keep from one search to the next.

use super::answer::{Answer, SearchEvent};
use super::correction::Corrections;
use super::leaf::LeafSample;
use super::limits::{Limits, Resources};
use super::params::Params;
use super::vote;
use super::worker::{Shared, Worker};
use crate::eval::Network;
use crate::games::{Game, Move};
use crate::system::random::Random;
use std::sync::Arc;
use std::time::Duration;

/// The stack of a search thread. Deep lines of copied positions need room.
pub const STACK_BYTES: usize = 32 << 20;

/// With less time than this the leading thread searches alone: while other threads begin, or
/// share its core, the clock may run out.
const TIME_FOR_HELPERS: Duration = Duration::from_millis(8);

/// The workers of a search. They keep their histories from one search to the next.
pub struct Searcher<G> {
    workers: Vec<Worker<G>>,
    corrections: Arc<Corrections>,
    network: Option<Arc<Network>>,
    params: Params,
}

impl<G: Game> Default for Searcher<G> {
    fn default() -> Self {
        Self::new(Params::DEFAULT)
    }
}

impl<G: Game> Searcher<G> {
    /// Creates a searcher that evaluates by material.
    pub fn new(params: Params) -> Self {
        Self {
            workers: Vec::new(),
            corrections: Arc::new(Corrections::new::<G>()),
            network: None,
            params,
        }
    }

    /// Sets the network to evaluate with; material is counted without one.
    pub fn evaluate_with(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
    }

    /// Sets the parameters and forgets everything learned.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
        self.workers.clear();
        self.corrections.clear();
    }

    /// Forgets everything learned from earlier searches.
    pub fn forget(&mut self) {
        for worker in &mut self.workers {
            worker.histories.clear();
        }
        self.corrections.clear();
    }

    /// Creates the workers for `threads` threads. A search does so by itself, but some systems do
    /// not reclaim all memory that is allocated on many different threads.
    pub fn prepare(&mut self, threads: usize) {
        let threads = threads.max(1);
        self.workers.truncate(threads);
        while self.workers.len() < threads {
            self.workers.push(Worker::new(self.params, &self.corrections));
        }
    }

    /// From now on draws one of the leaves of each search of a single thread.
    pub fn draw_leaves(&mut self, random: Random) {
        self.prepare(1);
        self.workers[0].leaf = Some(LeafSample::new(random));
    }

    /// Takes the leaf drawn from the searches since the last one was taken.
    pub fn take_leaf(&mut self) -> Option<G> {
        self.workers.first_mut()?.leaf.as_mut()?.take()
    }

    /// Searches a position on the calling thread and on helpers.
    ///
    /// `past_keys` holds the keys of the earlier positions in order. Without a legal move the
    /// answer has none. `only` holds the moves to consider; all if empty.
    pub fn search(
        &mut self,
        position: &G,
        past_keys: &[u64],
        only: &[Move],
        limits: &Limits,
        resources: &Resources,
        observer: &mut dyn FnMut(SearchEvent<Move>),
    ) -> Answer<Move> {
        resources.table.age();
        self.prepare(resources.threads);
        let shared = Shared::new(resources, limits, only, self.network.as_ref());
        let Some((main, helpers)) = self.workers.split_first_mut() else { unreachable!() };
        let alone = limits.time.is_some_and(|budget| budget.hard < TIME_FOR_HELPERS);
        let helpers = if alone { &mut [] } else { helpers };
        let mut threads = 1;
        std::thread::scope(|scope| {
            for (index, helper) in helpers.iter_mut().enumerate() {
                let shared = &shared;
                let spawned = std::thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        helper.help(position, past_keys, shared, index + 1)
                    });
                if let Err(error) = spawned {
                    log::warn!("searching with {} threads: {error}", index + 1);
                    break;
                }
                threads += 1;
            }
            main.lead(position, past_keys, &shared, observer);
            shared.finish();
        });
        let searched = &mut self.workers[..threads];
        let elected = if limits.allow_vote() {
            let ballots = searched.iter().map_while(Worker::ballot);
            vote::elect(&ballots.collect::<Vec<_>>())
        } else {
            0
        };
        searched[elected].answer(position, &shared, observer)
    }
}
