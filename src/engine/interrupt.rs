//! Ctrl-C without losing anything.
//!
//! The standard library cannot catch a signal. So a tool that runs for long does its work
//! in a second process, in a process group of its own that the terminal's ctrl-C does not
//! reach, and so do the engines it starts. The first process only waits and holds a pipe to
//! the second. When a signal ends the first, however hard, the pipe breaks, and the second
//! winds up in its own time: it says what it has and saves what is finished.

use crate::search::Control;
use std::io::Read;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

/// Tells the second process that it is the second one.
const MARK: &str = "--supervised";

/// Whether to wind up; shared by all threads of a tool.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<Control>);

impl Default for Interrupt {
    fn default() -> Self {
        Self(Arc::new(Control::new(false)))
    }
}

impl Interrupt {
    /// Whether it is time to wind up.
    pub fn is_set(&self) -> bool {
        self.0.is_stopped()
    }

    /// Asks for winding up.
    pub fn set(&self) {
        self.0.stop();
    }

    /// For searches, which then end at once; what they answer is worth nothing.
    pub fn control(&self) -> Arc<Control> {
        Arc::clone(&self.0)
    }
}

/// Runs a tool so that it is told of an interrupt. `arguments` are those of the whole
/// command line; the tool gets those after the first.
///
/// # Errors
///
/// Those of the tool, or the second process cannot be started.
pub fn supervise(
    arguments: &[&str],
    tool: impl FnOnce(&[&str], &Interrupt) -> Result<ExitCode, String>,
) -> Result<ExitCode, String> {
    let interrupt = Interrupt::default();
    match arguments {
        [_, rest @ .., MARK] => {
            let told = interrupt.clone();
            std::thread::spawn(move || {
                // Nothing is ever written to the pipe; reading ends when it breaks.
                let _ = std::io::stdin().read(&mut [0]);
                told.set();
            });
            tool(rest, &interrupt)
        }
        [_, rest @ ..] if cfg!(not(unix)) => tool(rest, &interrupt),
        _ => start_second(arguments),
    }
}

fn start_second(arguments: &[&str]) -> Result<ExitCode, String> {
    let failed = |error: std::io::Error| format!("cannot start the process that works: {error}");
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.args(arguments).arg(MARK).stdin(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut second = command.spawn().map_err(failed)?;
    // Held until the second process ends: `wait` would close it at once.
    let pipe = second.stdin.take();
    let status = second.wait().map_err(failed)?;
    drop(pipe);
    match status.code().and_then(|code| u8::try_from(code).ok()) {
        Some(code) => Ok(ExitCode::from(code)),
        None => Err(format!("the process that works ended with {status}")),
    }
}
