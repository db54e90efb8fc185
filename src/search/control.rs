//! Stop and ponder signals from a client to a running search.

use crate::system::sync::lock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Stops a search, or starts its clock once the pondered move is played. Shared between the search,
/// which tests it at every node, and the thread that reads commands.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    /// True while the clock does not run: `go ponder` or `go infinite`.
    waiting: AtomicBool,
    /// When the clock began to run.
    since: Mutex<Instant>,
    changed: Condvar,
}

impl Control {
    /// Creates the control of one search. A `waiting` search holds its answer back until
    /// [`stop`](Self::stop) or [`ponder_hit`](Self::ponder_hit).
    pub fn new(waiting: bool) -> Self {
        Self {
            stop: AtomicBool::new(false),
            waiting: AtomicBool::new(waiting),
            since: Mutex::new(Instant::now()),
            changed: Condvar::new(),
        }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        let _since = lock(&self.since);
        self.stop.store(true, Relaxed);
        self.waiting.store(false, Relaxed);
        self.changed.notify_all();
    }

    /// Lets the clock run from now on.
    pub fn ponder_hit(&self) {
        let mut since = lock(&self.since);
        if self.waiting.load(Relaxed) {
            *since = Instant::now();
            self.waiting.store(false, Relaxed);
            self.changed.notify_all();
        }
    }

    /// Returns true once the search should end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Returns the time when the clock started; `None` while it does not run.
    pub fn running_since(&self) -> Option<Instant> {
        let since = lock(&self.since);
        (!self.waiting.load(Relaxed)).then_some(*since)
    }

    /// Blocks until the search may answer.
    pub fn wait_until_answer_is_wanted(&self) {
        let mut since = lock(&self.since);
        while self.waiting.load(Relaxed) {
            since = self.changed.wait(since).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
