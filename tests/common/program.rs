//! Programs that tests start. None outlives its test, and every wait for one has an end.

use std::io::Read;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::process::{ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The longest that any program may run, on a busy machine and in a debug build.
const LIMIT: Duration = Duration::from_secs(600);
/// How long output may take to end after its program.
const SOON: Duration = Duration::from_secs(20);
const GLANCE: Duration = Duration::from_millis(2);

/// A running program. It is killed when this is dropped, and when its time is up: so reading
/// what it writes has an end too.
pub struct Program {
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
    child: Child,
    /// The command, for messages.
    command: String,
    limit: Duration,
    begun: Instant,
    /// Dropped when the program has ended, which ends the watch.
    watch: Option<Sender<()>>,
}

impl Program {
    /// Starts a program that may run for ten minutes.
    pub fn start(command: &mut Command) -> Self {
        Self::start_for(command, LIMIT)
    }

    /// Starts a program that may run for a limited time.
    pub fn start_for(command: &mut Command, limit: Duration) -> Self {
        let child = command.spawn();
        let command = format!("{command:?}");
        let mut child = child.unwrap_or_else(|error| panic!("{command}: {error}"));
        let (watch, watched) = channel();
        let process = child.id();
        std::thread::spawn(move || {
            if watched.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                send_signal(process, "KILL");
            }
        });
        Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            child,
            command,
            limit,
            begun: Instant::now(),
            watch: Some(watch),
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal, by its name without `SIG`.
    pub fn signal(&self, name: &str) {
        assert!(
            send_signal(self.id(), name),
            "{name} does not reach {}",
            self.command
        );
    }

    pub fn kill(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.watch = None;
    }

    /// The status of a program that has ended.
    pub fn status(&mut self) -> Option<ExitStatus> {
        let status = self.child.try_wait().unwrap();
        if status.is_some() {
            self.watch = None;
        }
        status
    }

    pub fn is_running(&mut self) -> bool {
        self.status().is_none()
    }

    /// Waits until the program ends by itself.
    pub fn wait(&mut self) -> ExitStatus {
        loop {
            if let Some(status) = self.status() {
                // The watch kills it at about the same time as this gives up.
                assert!(self.begun.elapsed() < self.limit, "{}", self.overdue());
                return status;
            }
            assert!(self.begun.elapsed() < self.limit, "{}", self.overdue());
            std::thread::sleep(GLANCE);
        }
    }

    /// Ends the input, waits for the end of the program and of all that holds its output, and
    /// returns what is left of the output.
    pub fn output(mut self) -> Output {
        self.stdin = None;
        let stdout = read_to_end(self.stdout.take());
        let stderr = read_to_end(self.stderr.take());
        let status = self.wait();
        let [stdout, stderr] = [stdout, stderr].map(|bytes| {
            let left = self.limit.saturating_sub(self.begun.elapsed()).max(SOON);
            let held = |why| panic!("the output of {} does not end ({why})", self.command);
            bytes.recv_timeout(left).unwrap_or_else(held)
        });
        Output {
            status,
            stdout,
            stderr,
        }
    }

    fn overdue(&self) -> String {
        format!("{} still runs after {:?}", self.command, self.limit)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if self.watch.is_some() {
            self.kill();
        }
    }
}

/// Reads a pipe on a thread of its own.
fn read_to_end(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, bytes) = channel();
    std::thread::spawn(move || {
        let mut read = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut read).unwrap();
        }
        // Whoever waited may have given up.
        let _ = sender.send(read);
    });
    bytes
}

/// Sends a signal as every shell can. Returns whether it arrived.
fn send_signal(process: u32, name: &str) -> bool {
    let line = format!("kill -{name} {process}");
    let sent = Command::new("sh").args(["-c", &line]).status();
    sent.is_ok_and(|status| status.success())
}

/// What `Command::output` does, with an end.
pub trait InTime {
    /// Runs a command without input, within ten minutes.
    fn output_in_time(&mut self) -> Output;
}

impl InTime for Command {
    fn output_in_time(&mut self) -> Output {
        let piped = self.stdout(Stdio::piped()).stderr(Stdio::piped());
        Program::start(piped.stdin(Stdio::null())).output()
    }
}

/// Quadrille as a command that an interrupt ends, however the tests themselves were begun.
///
/// A script begins its jobs in the background with SIGINT ignored, and whatever they start
/// inherits that. A program has to leave it so, by the custom of Unix, and a shell cannot
/// undo it. `env` of GNU can.
#[cfg(unix)]
pub fn interruptible() -> Command {
    use std::os::unix::process::ExitStatusExt;
    use std::sync::OnceLock;

    const QUADRILLE: &str = env!("CARGO_BIN_EXE_quadrille");
    const RESET: &str = "--default-signal=INT";
    const SIGINT: i32 = 2;
    let ends = |command: &mut Command| {
        let output = command.args(["sh", "-c", "kill -INT $$"]).output_in_time();
        output.status.signal() == Some(SIGINT)
    };
    static IS_IGNORED: OnceLock<bool> = OnceLock::new();
    let is_ignored = *IS_IGNORED.get_or_init(|| {
        if ends(&mut Command::new("env")) {
            return false;
        }
        assert!(
            ends(Command::new("env").arg(RESET)),
            "SIGINT is ignored here, as in a script's background, and `env` cannot reset it: \
             begin the tests in the foreground"
        );
        true
    });
    if !is_ignored {
        return Command::new(QUADRILLE);
    }
    let mut command = Command::new("env");
    command.args([RESET, QUADRILLE]);
    command
}
