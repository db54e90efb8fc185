//! Limits how often something is done.

use std::time::{Duration, Instant};

/// Time that is over again and again.
pub struct Interval {
    length: Duration,
    /// `None` if the first one is over at once.
    begun: Option<Instant>,
}

impl Interval {
    /// Begins an interval.
    pub fn new(length: Duration) -> Self {
        Self { length, begun: Some(Instant::now()) }
    }

    /// Returns an interval that is over.
    pub const fn over(length: Duration) -> Self {
        Self { length, begun: None }
    }

    /// Returns true if the interval is over, and begins the next one.
    pub fn is_over(&mut self) -> bool {
        let is_over = self.begun.is_none_or(|begun| begun.elapsed() >= self.length);
        if is_over {
            self.begun = Some(Instant::now());
        }
        is_over
    }
}
