//! Processes that end together with everything that they have started.
//!
//! A program gets a process group of its own, which the terminal's Ctrl-C does not reach. On Unix
//! programs that it starts, as a script does, belong to the group too. On Windows the program itself
//! is killed.

use super::signal::kill_group;
use super::sync::lock;
use std::io::Result;
use std::process::{Child, Command, ExitStatus};
use std::sync::Mutex;

/// Disables Ctrl-C in the program and in those that it starts
/// (<https://learn.microsoft.com/windows/win32/procthread/process-creation-flags>).
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// The groups that have not been killed, by the process ids of their first programs.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A program with all that it starts, killed when this is dropped.
pub struct ProcessGroup(Child);

impl ProcessGroup {
    /// Starts a program. On Linux it ends at the latest with the thread that calls this.
    pub fn spawn(command: &mut Command) -> Result<Self> {
        let mut running = lock(&RUNNING);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
        #[cfg(target_os = "linux")]
        super::signal::end_with_parent(command);
        let child = command.spawn()?;
        running.push(child.id());
        Ok(Self(child))
    }

    /// Returns the program, for its pipes.
    pub fn program(&mut self) -> &mut Child {
        &mut self.0
    }

    /// Returns the status of the program if it has ended, and kills what it has left behind.
    pub fn try_wait(&mut self) -> Option<ExitStatus> {
        let status = self.0.try_wait().ok().flatten();
        if status.is_some() {
            self.kill();
        }
        status
    }

    /// Kills the group, once: a later group may have the same number. None has it right after the
    /// program was waited for, since systems give out numbers in turn.
    fn kill(&mut self) {
        let mut running = lock(&RUNNING);
        if let Some(at) = running.iter().position(|id| *id == self.0.id()) {
            kill_group(running.swap_remove(at));
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
        // On Windows there are no groups.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Kills all groups, for a program that exits without dropping them. It can start no more.
pub fn kill_all() {
    let running = lock(&RUNNING);
    running.iter().copied().for_each(kill_group);
    std::mem::forget(running);
}
