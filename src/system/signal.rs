//! Signals that end or stop a program: caught, raised, and sent to groups of processes.
//!
//! The standard library can do none of this: the functions of the system are declared here.

#![allow(unsafe_code)]
#![cfg_attr(not(any(unix, windows)), expect(dead_code, reason = "no signals"))]

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

#[cfg(target_os = "linux")]
pub use system::end_with_parent;
#[cfg(unix)]
pub use system::set_defaults;
pub use system::{catch, end, kill_group};

/// Interval at which signals are polled. Two within it count as one: `timeout` sends two.
const TICK: Duration = Duration::from_millis(20);

/// Ctrl-C.
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

/// The signals caught since the last [`wait`], a bit each.
static CAUGHT: AtomicU32 = AtomicU32::new(0);
/// The signal caught last; 0 if none was.
static LAST: AtomicI32 = AtomicI32::new(0);

/// The number of times that the program was stopped, as by Ctrl-Z, and continued.
static PAUSES: AtomicU32 = AtomicU32::new(0);

/// Returns how often the program was stopped and continued since [`catch`]; on Windows 0.
pub fn pauses() -> u32 {
    PAUSES.load(Relaxed)
}

/// Handles a signal. It may interrupt any code, even an allocation: so it changes two numbers only.
extern "C" fn note(signal: i32) {
    LAST.store(signal, Relaxed);
    CAUGHT.fetch_or(1 << signal, Relaxed);
}

/// Waits for a signal. Returns true if it is Ctrl-C.
pub fn wait() -> bool {
    loop {
        match CAUGHT.swap(0, Relaxed) {
            0 => std::thread::sleep(TICK),
            caught => return caught == 1 << SIGINT,
        }
    }
}

#[cfg(unix)]
mod system {
    use super::{LAST, PAUSES, Relaxed, SIGINT, SIGTERM, note};

    /// Its number differs between systems.
    const SIGCONT: i32 =
        if cfg!(any(target_os = "linux", target_os = "android")) { 18 } else { 19 };
    const SIG_DFL: usize = 0;
    const SIG_IGN: usize = 1;
    const SIGHUP: i32 = 1;
    const SIGQUIT: i32 = 3;
    const SIGKILL: i32 = 9;
    const SIGXFSZ: i32 = 25;
    /// Signals that end a program.
    const ENDING: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

    unsafe extern "C" {
        fn signal(number: i32, action: usize) -> usize;
        fn raise(number: i32) -> i32;
        fn kill(process: i32, number: i32) -> i32;
        #[cfg(target_os = "linux")]
        fn prctl(option: i32, ...) -> i32;
        fn _exit(status: i32) -> !;
    }

    /// Catches Ctrl-C and what else asks a program to end, and counts pauses. What is ignored stays so.
    pub fn catch() {
        handle(&ENDING, note);
        // There it has other numbers than these.
        #[cfg(not(any(target_arch = "mips", target_arch = "mips64", target_arch = "sparc64")))]
        handle(&[SIGCONT], note_pause);
    }

    extern "C" fn note_pause(_: i32) {
        PAUSES.fetch_add(1, Relaxed);
    }

    /// Ends the program at a signal even if it is process 1, as in a container: to that one the
    /// system does nothing by default. A file beyond the limit of the shell (`ulimit -f`) is an error
    /// like a full disk, not the end of the program without a word.
    pub fn set_defaults() {
        // SAFETY: no handler runs.
        #[cfg(not(any(target_arch = "mips", target_arch = "mips64")))]
        unsafe {
            signal(SIGXFSZ, SIG_IGN);
        }
        if std::process::id() == 1 {
            handle(&ENDING, leave);
        }
    }

    extern "C" fn leave(signal: i32) {
        // SAFETY: a handler may call it. The status is the one that shells report for a signal.
        unsafe { _exit(128 + signal) }
    }

    fn handle(signals: &[i32], handler: extern "C" fn(i32)) {
        for &number in signals {
            // SAFETY: handlers may change atomic numbers, as `note` does, and exit, as `leave`.
            unsafe {
                if signal(number, SIG_IGN) != SIG_IGN {
                    signal(number, handler as usize);
                }
            }
        }
    }

    /// Ends the program as the signal caught last would have; returns if none was caught. The shell
    /// that called the program then ends its script too.
    pub fn end() {
        let number = LAST.load(Relaxed);
        if number != 0 {
            // SAFETY: both take numbers, and no handler runs.
            unsafe {
                signal(number, SIG_DFL);
                raise(number);
            }
            // Process 1 is still there.
            leave(number);
        }
    }

    /// Has a program killed when the thread that starts it ends, as after `kill -9`: it may not read
    /// its input.
    #[cfg(target_os = "linux")]
    pub fn end_with_parent(command: &mut std::process::Command) {
        const PR_SET_PDEATHSIG: i32 = 1;
        let set = || {
            // SAFETY: a system call that takes two numbers.
            unsafe { prctl(PR_SET_PDEATHSIG, SIGKILL as usize) };
            Ok(())
        };
        // SAFETY: between fork and exec only that call is made.
        unsafe { std::os::unix::process::CommandExt::pre_exec(command, set) };
    }

    /// Kills a process group that this program has begun, by the process id of its first program.
    pub fn kill_group(id: u32) {
        // 0 and -1 would name other processes.
        if let Some(group) = i32::try_from(id).ok().filter(|&id| id > 1) {
            // SAFETY: `kill` reads two numbers; what it kills was started by this program.
            unsafe { kill(-group, SIGKILL) };
        }
    }
}

#[cfg(windows)]
mod system {
    use super::{LAST, Relaxed, SIGINT, SIGTERM, note};

    const CTRL_C_EVENT: u32 = 0;
    const CTRL_BREAK_EVENT: u32 = 1;
    /// Status of a program that Ctrl-C has ended.
    const STATUS_CONTROL_C_EXIT: u32 = 0xC000_013A;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn SetConsoleCtrlHandler(handler: extern "system" fn(u32) -> i32, add: i32) -> i32;
    }

    /// Handles an event of the console, on a thread of its own. Returns 0 for the default.
    extern "system" fn handle(event: u32) -> i32 {
        match event {
            CTRL_C_EVENT => note(SIGINT),
            CTRL_BREAK_EVENT => note(SIGTERM),
            _ => return 0,
        }
        1
    }

    /// Catches Ctrl-C and Ctrl-Break. Ctrl-C stays disabled if it is.
    pub fn catch() {
        // SAFETY: `handle` has the type that Windows calls, and exists as long as the program.
        unsafe { SetConsoleCtrlHandler(handle, 1) };
    }

    /// Ends the program as Ctrl-C would have; returns if there was none.
    pub fn end() {
        if LAST.load(Relaxed) != 0 {
            std::process::exit(STATUS_CONTROL_C_EXIT as i32);
        }
    }

    /// Does nothing: there are no groups to kill.
    pub fn kill_group(_: u32) {}
}

/// A system without signals.
#[cfg(not(any(unix, windows)))]
mod system {
    /// Does nothing: there is nothing to catch.
    pub fn catch() {}

    /// Returns: nothing was caught.
    pub fn end() {}

    /// Does nothing: no program can be started.
    pub fn kill_group(_: u32) {}
}
