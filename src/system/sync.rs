//! Locks and cores.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. A panic of another thread under the lock is ignored: everything locked here is
/// consistent at every moment.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of threads that can run at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
