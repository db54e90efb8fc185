//! Programs that tests start, and folders for their files. No program outlives its test, and every
//! wait has an end.

use quadrille::system::sync::lock;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The program under test.
pub const QUADRILLE: &str = env!("CARGO_BIN_EXE_quadrille");

/// Time limit of any program, on a busy machine and in a debug build.
const LIMIT: Duration = Duration::from_secs(600);
/// Time limit for the output to end after its program.
const SOON: Duration = Duration::from_secs(20);
const GLANCE: Duration = Duration::from_millis(2);

/// Begins an empty folder, named FILE/TEST, for the files of one test.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // The first run finds none.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The program with the words of its command line, without input or a log.
pub fn quadrille(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(QUADRILLE);
    command.args(words).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// Runs a command line of a shell, which finds the program by its name, in a folder.
#[cfg(unix)]
pub fn shell(folder: &Path, line: &str) -> Ended {
    let mut command = Command::new("sh");
    command.args(["-c", line]).env("PATH", path());
    command.current_dir(folder).run()
}

/// The value of `PATH` with which a shell finds the program by its name.
pub fn path() -> String {
    let folder = Path::new(QUADRILLE).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path);
    let folders = std::env::join_paths(std::iter::once(folder.into()).chain(folders));
    folders.unwrap().into_string().unwrap()
}

/// Waits until a condition holds. Panics with what was awaited if it never does.
#[track_caller]
pub fn wait_for(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < limit, "not seen in {limit:?}: {what}");
        std::thread::sleep(GLANCE);
    }
}

/// The length of a file, 0 if there is none.
pub fn length(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |data| data.len())
}

/// A program that has ended, with its output.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    /// Asserts success.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert!(self.status.success(), "{self:#?}");
        self
    }

    /// Asserts that the program refused its command line, and returns the reason.
    #[track_caller]
    pub fn refused(self) -> String {
        assert_eq!(self.code(), Some(2), "{self:#?}");
        self.stderr
    }

    /// The exit status, `None` after a signal.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// Both outputs, the errors last.
    pub fn said(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// A running program. It is killed when this is dropped, and when its time is up: so reading its
/// output has an end too.
pub struct Program {
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
    child: Arc<Mutex<Child>>,
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
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let (watch, watched) = channel();
        let overdue = Arc::clone(&child);
        std::thread::spawn(move || {
            if watched.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                let _ = lock(&overdue).kill();
            }
        });
        Self {
            stdin,
            stdout,
            stderr,
            child,
            command,
            limit,
            begun: Instant::now(),
            watch: Some(watch),
        }
    }

    /// Starts a program with pipes to its input and both outputs.
    pub fn piped(command: &mut Command, limit: Duration) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        Self::start_for(piped.stderr(Stdio::piped()), limit)
    }

    pub fn id(&self) -> u32 {
        lock(&self.child).id()
    }

    /// Sends a signal, by its name without `SIG`. On Windows, which has none, it is killed.
    pub fn signal(&self, name: &str) {
        let sent = if cfg!(unix) {
            let line = format!("kill -{name} {}", self.id());
            let sent = Command::new("sh").args(["-c", &line]).status();
            sent.is_ok_and(|status| status.success())
        } else {
            lock(&self.child).kill().is_ok()
        };
        assert!(sent, "{name} does not reach {}", self.command);
    }

    pub fn kill(&mut self) {
        // It may have ended already.
        let mut child = lock(&self.child);
        let _ = child.kill();
        let _ = child.wait();
        drop(child);
        self.watch = None;
    }

    /// The status of a program that has ended.
    pub fn status(&mut self) -> Option<ExitStatus> {
        let status = lock(&self.child).try_wait().unwrap();
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
        let left = self.limit.saturating_sub(self.begun.elapsed());
        let status = self.wait_within(left);
        // The watch kills it at about the same time as this wait ends.
        let overdue = self.begun.elapsed() >= self.limit;
        assert!(!overdue, "{} ran for {:?}", self.command, self.limit);
        status
    }

    /// Waits for a limited time until the program ends by itself.
    #[track_caller]
    pub fn wait_within(&mut self, limit: Duration) -> ExitStatus {
        let mut status = self.status();
        let what = format!("the end of {}", self.command);
        wait_for(&what, limit, || {
            status = self.status();
            status.is_some()
        });
        status.unwrap()
    }

    /// Closes the reading end of the output, and writes lines until the program ends for want of a
    /// reader.
    ///
    /// One write is not enough: a program that another test starts at this moment holds the reading
    /// end from fork to exec, and an answer meanwhile meets no error.
    #[track_caller]
    pub fn end_without_reader(&mut self, lines: &str, limit: Duration) -> ExitStatus {
        self.stdout = None;
        let mut input = self.stdin.take().unwrap();
        let mut status = None;
        let what = format!("the end of {} without a reader", self.command);
        wait_for(&what, limit, || {
            // It may have ended before it reads this.
            let _ = input.write_all(lines.as_bytes());
            status = self.status();
            status.is_some()
        });
        status.unwrap()
    }

    /// The lines of the standard output, read on a thread of their own.
    pub fn lines(&mut self) -> Receiver<String> {
        lines(self.stdout.take().unwrap())
    }

    /// Ends the input, waits for the end of the program and of all that holds its output, and
    /// returns the rest of the output.
    pub fn output(mut self) -> Ended {
        self.stdin = None;
        let stdout = read_to_end(self.stdout.take());
        let stderr = read_to_end(self.stderr.take());
        let status = self.wait();
        let [stdout, stderr] = [stdout, stderr].map(|bytes| {
            let left = self.limit.saturating_sub(self.begun.elapsed()).max(SOON);
            let held = |why| panic!("the output of {} does not end ({why})", self.command);
            String::from_utf8(bytes.recv_timeout(left).unwrap_or_else(held)).unwrap()
        });
        Ended { status, stdout, stderr }
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
        // A test that has failed meanwhile does not listen.
        let _ = sender.send(read);
    });
    bytes
}

/// Reads the lines of an output on a thread of its own.
pub fn lines(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            if sender.send(line.unwrap()).is_err() {
                return;
            }
        }
    });
    lines
}

/// `Command::output` within ten minutes.
pub trait Run {
    /// Runs a command without input.
    fn run(&mut self) -> Ended;

    /// Runs a command with all of its input.
    fn run_with(&mut self, input: impl AsRef<[u8]>) -> Ended;
}

impl Run for Command {
    fn run(&mut self) -> Ended {
        let piped = self.stdout(Stdio::piped()).stderr(Stdio::piped());
        Program::start(piped.stdin(Stdio::null())).output()
    }

    fn run_with(&mut self, input: impl AsRef<[u8]>) -> Ended {
        let mut program = Program::piped(self, LIMIT);
        let mut stdin = program.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        // A program that refuses its command line does not read.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let ended = program.output();
        writer.join().unwrap();
        ended
    }
}

/// Quadrille as a command that signals end, even if the tests ignore them.
///
/// A script begins its background jobs with SIGINT and SIGQUIT ignored, `nohup` a program with SIGHUP,
/// and all their children inherit that. By the custom of Unix a program leaves it so, and a shell cannot
/// undo it. `env` of the GNU coreutils can.
#[cfg(unix)]
pub fn interruptible() -> Command {
    use std::os::unix::process::ExitStatusExt;
    use std::sync::OnceLock;

    const RESET: &str = "--default-signal=HUP,INT,QUIT";
    let ends = |words: &[&str]| {
        ["HUP", "INT", "QUIT"].iter().all(|name| {
            let mut command = Command::new("env");
            let command = command.args(words).args(["sh", "-c"]);
            let ended = command.arg(format!("kill -{name} $$")).run();
            ended.status.signal().is_some()
        })
    };
    static IS_IGNORED: OnceLock<bool> = OnceLock::new();
    let is_ignored = *IS_IGNORED.get_or_init(|| {
        if ends(&[]) {
            return false;
        }
        assert!(
            ends(&[RESET]),
            "a signal is ignored here, as in a script's background, and `env` cannot reset it: \
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

/// Quadrille as a command, on a system without signals.
#[cfg(not(unix))]
pub fn interruptible() -> Command {
    Command::new(QUADRILLE)
}
