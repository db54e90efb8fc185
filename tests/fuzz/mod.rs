//! Spoiled input of every kind: lines of all dialects in all states of a dialogue, positions,
//! games, data and networks. Nothing may panic, hang, grow or get lost.
//!
//! A seed decides the trials. `QUADRILLE_TIMES=N` runs N times as many:
//! `QUADRILLE_TIMES=800 cargo test --release --test games fuzz:: -- --nocapture`

mod files;
mod lines;
mod positions;

use crate::common::process_figure;
use std::cell::Cell;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

thread_local! {
    /// Number of panics of this thread.
    static OWN: Cell<usize> = const { Cell::new(0) };
}
/// Number of panics of the program's code on threads that it has started, which have no name.
static OF_ENGINES: AtomicUsize = AtomicUsize::new(0);

/// Counts panics from now on, even those that a search catches, but not those of other tests.
fn count_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let is_of_engine = info.location().is_some_and(|at| at.file().starts_with("src"));
            match std::thread::current().name() {
                Some(_) => OWN.set(OWN.get() + 1),
                None if is_of_engine => drop(OF_ENGINES.fetch_add(1, Relaxed)),
                None => {}
            }
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

/// Number of panics counted.
fn panics() -> usize {
    OWN.get() + OF_ENGINES.load(Relaxed)
}

#[test]
fn panics_of_other_tests_do_not_count() {
    count_panics();
    let other = std::thread::Builder::new().name("another test".into());
    let other = other.spawn(|| panic!("as a test that fails"));
    assert!(other.unwrap().join().is_err());
    assert!(std::thread::spawn(|| panic!("a helper of a test")).join().is_err());
    assert_eq!(panics(), 0);
    assert!(std::panic::catch_unwind(|| panic!("here")).is_err());
    assert_eq!(panics(), 1);
}
