//! Notices that the match stood still, as after Ctrl-Z or while the machine slept. Engines have
//! process groups of their own and may have gone on: what they did meanwhile says nothing about them.

use super::engines::process::TICK;
use crate::system::sync::lock;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant, SystemTime};

/// Longest pause between two beats of a program that runs. Under load it is some tens of
/// milliseconds longer than [`TICK`].
const MAX_PAUSE: Duration = Duration::from_millis(750);

pub(super) struct Heartbeat(Mutex<Beats>);

struct Beats {
    last: Instant,
    /// The same moment by a clock that counts while the machine sleeps.
    last_by_wall: SystemTime,
    /// Number of pauses.
    pauses: u64,
}

impl Heartbeat {
    /// Begins to beat, until the last reference is dropped.
    pub(super) fn start() -> io::Result<Arc<Self>> {
        let heartbeat = Arc::new(Self(Mutex::new(Beats {
            last: Instant::now(),
            last_by_wall: SystemTime::now(),
            pauses: 0,
        })));
        let beating = Arc::downgrade(&heartbeat);
        Builder::new().spawn(move || {
            while let Some(heartbeat) = beating.upgrade() {
                heartbeat.pauses();
                drop(heartbeat);
                sleep(TICK);
            }
        })?;
        Ok(heartbeat)
    }

    /// Counts how often the match stood still so far. A pause counts from the first call after it.
    pub(super) fn pauses(&self) -> u64 {
        let mut beats = lock(&self.0);
        let (now, by_wall) = (Instant::now(), SystemTime::now());
        let asleep = by_wall
            .duration_since(beats.last_by_wall)
            .unwrap_or_default();
        let pause = asleep.max(now - beats.last);
        beats.pauses += u64::from(pause > MAX_PAUSE);
        (beats.last, beats.last_by_wall) = (now, by_wall);
        beats.pauses
    }
}
