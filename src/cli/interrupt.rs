//! Ctrl-C without losing anything.
//!
//! The standard library cannot catch a signal, but a shell can. So on Unix a tool that runs for
//! long is three processes:
//!
//! 1. The first becomes a shell that waits and keeps its process id. It alone is in the
//!    terminal's foreground.
//! 2. The second starts the third, hands interrupts on to it, and returns its status to the shell.
//! 3. The third does the work. It runs in a process group that the terminal's Ctrl-C does not
//!    reach, and so do the engines that it starts.
//!
//! The first Ctrl-C makes the shell send a byte. The second Ctrl-C ends the shell, as does any
//! other signal, and its pipes break. The worker then winds up: it reports what it has and saves
//! what is finished.
//!
//! On Windows there are two: the first starts the worker and waits. Its worker is in a process group
//! of its own, where Ctrl-C is disabled, and so are the engines. The first Ctrl-C ends the first
//! process, and the pipe to the worker breaks.

use crate::search::Control;
use std::io::Read;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Marks the process that does the work.
const SUPERVISED: &str = "--supervised";

/// Asks a tool to wind up; shared by all its threads.
#[derive(Clone, Debug)]
pub struct Interrupt {
    now: Arc<Control>,
    /// Set by the first interrupt.
    first: Arc<AtomicBool>,
    /// Set if the first interrupt does not end the work.
    is_patient: Arc<AtomicBool>,
}

impl Default for Interrupt {
    fn default() -> Self {
        Self {
            now: Arc::new(Control::new(false)),
            first: Arc::default(),
            is_patient: Arc::default(),
        }
    }
}

impl Interrupt {
    /// True if it is time to wind up.
    pub fn is_set(&self) -> bool {
        self.now.is_stopped()
    }

    /// Asks for winding up.
    pub fn set(&self) {
        self.now.stop();
    }

    /// Makes the first interrupt a request ([`is_requested`](Self::is_requested)); the second
    /// sets it.
    pub fn be_patient(&self) {
        self.is_patient.store(true, Relaxed);
    }

    /// True after the first interrupt: what is under way may be finished, and nothing new begins.
    pub fn is_requested(&self) -> bool {
        self.first.load(Relaxed)
    }

    /// For searches, which then end at once; what they answer is worth nothing.
    pub fn control(&self) -> Arc<Control> {
        Arc::clone(&self.now)
    }
}

/// Runs a tool under supervision: its [`Interrupt`] reports Ctrl-C. `arguments` are the whole command
/// line; the tool gets the words after the first.
pub fn supervise(
    arguments: &[&str],
    tool: impl FnOnce(&[&str], &Interrupt) -> Result<ExitCode, String>,
) -> Result<ExitCode, String> {
    let interrupt = Interrupt::default();
    match arguments {
        [_, rest @ .., SUPERVISED] => {
            let told = interrupt.clone();
            std::thread::spawn(move || {
                let mut pipe = std::io::stdin();
                // A byte is the first interrupt; a broken pipe is the end of the first process.
                if matches!(pipe.read(&mut [0]), Ok(1)) {
                    told.first.store(true, Relaxed);
                    if told.is_patient.load(Relaxed) {
                        let _ = pipe.read(&mut [0]);
                    }
                }
                told.set();
            });
            tool(rest, &interrupt)
        }
        #[cfg(unix)]
        [rest @ .., processes::SUPERVISING] => processes::wait_for_work(rest),
        #[cfg(any(unix, windows))]
        _ => processes::start(arguments),
        #[cfg(not(any(unix, windows)))]
        _ => tool(arguments.get(1..).unwrap_or_default(), &interrupt),
    }
}

/// The processes that stand between the terminal and the work.
#[cfg(any(unix, windows))]
mod processes {
    use super::SUPERVISED;
    use std::io::Error;
    use std::process::{Child, Command, ExitCode, Stdio};

    /// Marks the process that waits for the work.
    #[cfg(unix)]
    pub(super) const SUPERVISING: &str = "--supervising";

    /// Sends a line at the first interrupt and dies of the second. Reads the status until the
    /// other end closes; an interrupt may end a `read` too, and it is repeated. After an interrupt
    /// the shell ends as if the interrupt had killed it, so that a script that called it ends too.
    #[cfg(unix)]
    const SHELL: &str = "status=1 interrupted= again=
trap 'trap - INT; interrupted=1 again=1; echo' INT
while read -r line || [ $again ]; do again= status=${line:-$status}; done
[ $interrupted ] && kill -INT $$
exit $status";

    fn failed(error: Error) -> String {
        format!("cannot start the process that works: {error}")
    }

    /// This program once more.
    fn again(arguments: &[&str], mark: &str) -> Result<Command, String> {
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        command.args(arguments).arg(mark);
        Ok(command)
    }

    /// Starts the second process, and becomes the shell.
    #[cfg(unix)]
    pub(super) fn start(arguments: &[&str]) -> Result<ExitCode, String> {
        use std::os::fd::OwnedFd;
        use std::os::unix::net::UnixStream;
        use std::os::unix::process::CommandExt;

        let (input, second) = UnixStream::pair().map_err(failed)?;
        let output = input.try_clone().map_err(failed)?;
        let mut command = again(arguments, SUPERVISING)?;
        command.stdin(OwnedFd::from(second)).process_group(0);
        let child = command.spawn().map_err(failed)?;
        let error = Command::new("sh")
            .args(["-c", SHELL, "quadrille"])
            .args(arguments)
            .stdin(OwnedFd::from(input))
            .stdout(OwnedFd::from(output))
            .exec();
        log::warn!("sh: {error}; the first Ctrl-C ends at once");
        status(child).map(ExitCode::from)
    }

    /// Starts the process that works, and waits for it.
    #[cfg(windows)]
    pub(super) fn start(arguments: &[&str]) -> Result<ExitCode, String> {
        use std::os::windows::process::CommandExt;

        /// Disables Ctrl-C in the new process and in those that it starts
        /// (<https://learn.microsoft.com/windows/win32/procthread/process-creation-flags>).
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        let mut worker = again(arguments, SUPERVISED)?;
        worker.creation_flags(CREATE_NEW_PROCESS_GROUP);
        let mut worker = worker.stdin(Stdio::piped()).spawn().map_err(failed)?;
        // Open until this process ends: waiting for the worker would close it.
        let _pipe = worker.stdin.take();
        status(worker).map(ExitCode::from)
    }

    /// Starts the process that works, and waits for it.
    #[cfg(unix)]
    pub(super) fn wait_for_work(arguments: &[&str]) -> Result<ExitCode, String> {
        use std::fs::File;
        use std::io::Write;
        use std::os::fd::AsFd;

        let worked = || {
            let mut worker = again(arguments, SUPERVISED)?;
            let mut worker = worker.stdin(Stdio::piped()).spawn().map_err(failed)?;
            let pipe = worker.stdin.take();
            std::thread::spawn(move || {
                pipe.map(|mut pipe| std::io::copy(&mut std::io::stdin(), &mut pipe))
            });
            status(worker)
        };
        let worked = worked();
        let socket = std::io::stdin().as_fd().try_clone_to_owned();
        // Nobody reads it if the shell was ended.
        let _ = socket
            .and_then(|socket| writeln!(File::from(socket), "{}", worked.as_ref().unwrap_or(&2)));
        worked.map(ExitCode::from)
    }

    /// Waits for a process.
    fn status(mut child: Child) -> Result<u8, String> {
        let status = child.wait().map_err(failed)?;
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        code.ok_or_else(|| format!("the process that works ended with {status}"))
    }
}
