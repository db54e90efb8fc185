//! Locks and cores.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. What another thread was doing with it when it panicked is taken as it is: all
/// that is locked here is whole at every moment.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many threads can run at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
