//! Games on several threads.

use crate::cli::interrupt::Interrupt;
use crate::search::STACK_BYTES;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Time between two checks for an interrupt.
const PAUSE: Duration = Duration::from_millis(50);
/// Results that may wait to be taken. The bound makes a slow disk slow down the games instead of
/// filling the memory.
const QUEUE: usize = 64;

/// Plays games on `threads` threads, each with its own players. `play` plays one game or pair,
/// and returns `None` if it was interrupted or no more are wanted. `take` receives the results on
/// the calling thread as the games end, and returns `false` when it needs no more.
pub(super) fn play_games<P, T: Send>(
    threads: usize,
    interrupt: &Interrupt,
    players: impl Fn(&Interrupt) -> P + Sync,
    play: impl Fn(&mut P) -> Option<T> + Sync,
    mut take: impl FnMut(T) -> bool,
) {
    // Set by an interrupt, or when there are enough games.
    let end = &Interrupt::default();
    std::thread::scope(|scope| {
        let (sender, results) = sync_channel(QUEUE);
        for _ in 0..threads {
            let (sender, players, play) = (sender.clone(), &players, &play);
            let work = move || {
                let mut players = players(end);
                while let Some(result) = play(&mut players) {
                    if sender.send(result).is_err() {
                        return;
                    }
                }
            };
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            if let Err(error) = builder.spawn_scoped(scope, work) {
                log::warn!("cannot start a thread: {error}");
            }
        }
        drop(sender);
        let mut is_enough = false;
        loop {
            match results.recv_timeout(PAUSE) {
                // Games that end after there are enough would make the outcome depend on chance.
                // Games that end before an interrupt count.
                Ok(result) => is_enough = is_enough || !take(result),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if is_enough || interrupt.is_set() {
                end.set();
            }
        }
    });
}
