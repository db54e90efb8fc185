//! Ctrl-C without losing anything: a tool that runs for long winds up, that is, it reports what it has
//! and saves what is finished.

use crate::search::Control;
use crate::system::sync::lock;
use crate::system::{process_group, signal};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Weak};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Time to wind up. A signal after it ends the program at once.
const GRACE: Duration = Duration::from_secs(2);

/// Asks a tool to wind up; shared by all its threads.
#[derive(Clone, Debug)]
pub struct Interrupt {
    now: Arc<Control>,
    /// Set by the first interrupt.
    first: Arc<AtomicBool>,
    /// Set if the first interrupt does not end the work.
    is_patient: Arc<AtomicBool>,
    /// Searches that have clocks of their own.
    searches: Arc<Mutex<Vec<Weak<Control>>>>,
}

impl Default for Interrupt {
    fn default() -> Self {
        Self {
            now: Arc::new(Control::new(false)),
            first: Arc::default(),
            is_patient: Arc::default(),
            searches: Arc::default(),
        }
    }
}

impl Interrupt {
    /// Returns an interrupt that Ctrl-C and the like set. The program has one at most.
    pub fn by_signals() -> Self {
        let interrupt = Self::default();
        let told = interrupt.clone();
        let watched = Builder::new().spawn(move || {
            if signal::wait() && told.is_patient.load(Relaxed) {
                told.first.store(true, Relaxed);
                signal::wait();
            }
            told.set();
            let begun = Instant::now();
            while begun.elapsed() < GRACE {
                signal::wait();
            }
            process_group::kill_all();
            signal::end();
        });
        match watched {
            Ok(_) => signal::catch(),
            Err(error) => log::warn!("Ctrl-C ends at once: {error}"),
        }
        interrupt
    }

    /// Returns true if it is time to wind up.
    pub fn is_set(&self) -> bool {
        self.now.is_stopped()
    }

    /// Asks for winding up.
    pub fn set(&self) {
        self.now.stop();
        let searches = lock(&self.searches);
        searches.iter().filter_map(Weak::upgrade).for_each(|search| search.stop());
    }

    /// Makes the first interrupt a request ([`is_requested`](Self::is_requested)); the second
    /// sets it.
    pub fn be_patient(&self) {
        self.is_patient.store(true, Relaxed);
    }

    /// Returns true after the first interrupt: what is under way may be finished, and nothing new
    /// begins.
    pub fn is_requested(&self) -> bool {
        self.first.load(Relaxed)
    }

    /// Returns the control of one search, whose clock begins now.
    pub fn of_search(&self) -> Arc<Control> {
        let control = Arc::new(Control::new(false));
        let mut searches = lock(&self.searches);
        searches.retain(|search| search.strong_count() > 0);
        searches.push(Arc::downgrade(&control));
        if self.is_set() {
            control.stop();
        }
        control
    }

    /// Returns what stops searches, which then end at once; what they answer is worth nothing.
    pub fn control(&self) -> Arc<Control> {
        Arc::clone(&self.now)
    }
}
