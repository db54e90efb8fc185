//! Locks, cores and threads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Locks a mutex. A panic of another thread under the lock is ignored: everything locked here is
/// consistent at every moment.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the number of threads that can run at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
thread_local! {
    /// Set in tests of programs that have no threads.
    pub(crate) static HAS_NO_THREADS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs work on a thread of its own, which has `stack` bytes of stack. Where none can be started,
/// as in WebAssembly, it returns the work.
pub fn spawn<W, T>(stack: usize, work: W) -> Result<JoinHandle<T>, W>
where
    W: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    #[cfg(test)]
    if HAS_NO_THREADS.get() {
        return Err(work);
    }
    let kept = Arc::new(Mutex::new(Some(work)));
    let take = |kept: &Mutex<Option<W>>| match lock(kept).take() {
        Some(work) => work,
        None => unreachable!("work that was not begun"),
    };
    let of_thread = Arc::clone(&kept);
    let spawned = Builder::new().stack_size(stack).spawn(move || take(&of_thread)());
    spawned.map_err(|error| {
        log::debug!("no thread: {error}");
        take(&kept)
    })
}
