//! How a client stops a running search or tells it that its clock runs.

use crate::system::sync::lock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Stops a search, or tells it that the move it ponders on was played. Shared between the
/// search and the thread that reads commands; the search looks at it at every node.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    /// Whether the clock does not run yet: `go ponder` or `go infinite`.
    waiting: AtomicBool,
    /// When the clock began to run.
    since: Mutex<Instant>,
    changed: Condvar,
}

impl Control {
    /// The control of one search. A search that is `waiting` does not answer before it is
    /// told to.
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

    /// Whether the search should end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Since when the clock has been running; `None` while it waits.
    pub fn running_since(&self) -> Option<Instant> {
        let since = lock(&self.since);
        (!self.waiting.load(Relaxed)).then_some(*since)
    }

    /// Blocks until the search may answer.
    pub fn wait_until_answer_is_wanted(&self) {
        let mut since = lock(&self.since);
        while self.waiting.load(Relaxed) {
            since = self
                .changed
                .wait(since)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}
