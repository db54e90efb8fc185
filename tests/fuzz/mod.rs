//! Spoiled input of every kind: lines of all dialects in all states of a dialogue, positions,
//! games, data and networks. Nothing may panic, hang, grow or get lost.
//!
//! A seed decides the trials. `QUADRILLE_TIMES=N` runs N times as many:
//! `QUADRILLE_TIMES=100 cargo test --release --test all fuzz:: -- --nocapture`

mod files;
mod lines;
mod positions;
pub mod spoil;

use crate::common::process_figure;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Counts the panics of all threads from now on, even those that a search catches.
fn count_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.fetch_add(1, Relaxed);
            usual(info);
        }));
    });
}

/// Limit for the memory of this process, in MB.
const MEMORY: usize = 1 << 10;

/// Peak memory of this process in MB; 0 on a system that does not report it.
fn memory() -> usize {
    process_figure("self", "VmHWM").map_or(0, |kilobytes| kilobytes >> 10)
}

/// Number of threads that panicked.
fn panics() -> usize {
    PANICS.load(Relaxed)
}
