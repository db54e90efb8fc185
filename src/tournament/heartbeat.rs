//! Notices that the match was suspended, as by Ctrl-Z. Engines have process groups of their own and run
//! on meanwhile, so the clocks of such a game prove nothing. While a machine sleeps all clocks stand.

use super::engines::process::TICK;
use crate::system::sync::lock;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

/// Longest pause between two beats of a program that runs. Under load it is some tens of
/// milliseconds longer than [`TICK`].
const MAX_PAUSE: Duration = Duration::from_millis(750);

/// The last beat, and the number of pauses.
pub(super) struct Heartbeat(Mutex<(Instant, u64)>);

impl Heartbeat {
    /// Begins to beat, until the last reference is dropped.
    pub(super) fn start() -> io::Result<Arc<Self>> {
        let heartbeat = Arc::new(Self(Mutex::new((Instant::now(), 0))));
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

    /// Counts how often the match was suspended so far. A pause counts from the first call after it.
    pub(super) fn pauses(&self) -> u64 {
        let mut beats = lock(&self.0);
        let now = Instant::now();
        let (last, pauses) = *beats;
        *beats = (now, pauses + u64::from(now - last > MAX_PAUSE));
        beats.1
    }
}
