//! What comes in from outside, spoiled in every way: lines of all dialects in all states of a
//! dialogue, positions, games, data and networks. Nothing may panic, hang, grow or be lost.
//!
//! What is tried is decided by a seed. `QUADRILLE_TIMES=N` tries N times as much:
//! `QUADRILLE_TIMES=100 cargo test --release --test all fuzz:: -- --nocapture`

mod files;
mod lines;
mod positions;
mod spoil;

use crate::common::process_figure;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Counts the panics of all threads from now on, those that a search swallows too.
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

/// The most memory in MB that all tests of this process may have at a time.
const MEMORY: usize = 1 << 10;

/// The most memory in MB that they had so far; 0 where the system does not tell.
fn memory() -> usize {
    process_figure("self", "VmHWM").map_or(0, |kilobytes| kilobytes >> 10)
}

/// How many threads panicked.
fn panics() -> usize {
    PANICS.load(Relaxed)
}
