//! An engine process: its pipes and its end, independent of the protocol.

use super::engine_log::EngineLog;
use super::player::{Fault, NoMove, NoStart};
use crate::cli::interrupt::Interrupt;
use crate::system::files;
use crate::system::process_group::ProcessGroup;
use crate::system::text::visible;
use crate::tournament::options::EngineSpec;
use std::io::{BufRead, BufReader, ErrorKind, Read, Result as IoResult, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Time that a late engine has to show that it still answers.
pub const GRACE: Duration = Duration::from_secs(2);
/// Interval at which interrupts are polled.
pub const TICK: Duration = Duration::from_millis(100);
/// Time that an engine has to end.
const END_LIMIT: Duration = Duration::from_millis(500);
/// Longest line, in bytes.
const MAX_LINE: u64 = 1 << 16;
/// Number of unread lines before the engine is blocked.
const MAX_WAITING: usize = 1000;
/// Longest text that is kept as a move, in characters.
const MAX_MOVE: usize = 100;

/// A line with the time of its arrival; `None` at the end.
type Arrival = Option<(Instant, String)>;

/// A running engine process.
pub struct Process {
    group: ProcessGroup,
    /// Lines to write; [`written`](Self::written) answers each.
    input: Sender<String>,
    written: Receiver<IoResult<()>>,
    lines: Receiver<Arrival>,
    interrupt: Interrupt,
    pub log: EngineLog,
}

impl Process {
    /// Starts the program of an engine.
    pub fn start(
        spec: &EngineSpec,
        interrupt: &Interrupt,
        log: EngineLog,
    ) -> Result<Self, NoStart> {
        let (name, folder) = (&spec.command, spec.folder.as_deref().unwrap_or("."));
        let refused = |error: std::io::Error| {
            let is_bare = Path::new(name).components().count() == 1;
            let is_there = is_bare && Path::new(folder).join(name).is_file();
            let is_missed = is_there && error.kind() == ErrorKind::NotFound;
            let hint = if is_missed { "; write ./ before it" } else { "" };
            NoStart::Refused(format!("cannot be started: {name}: {error}{hint}"))
        };
        let mut command = Command::new(spec.program().map_err(refused)?);
        command.args(&spec.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        command.stderr(match &spec.stderr {
            None => Stdio::piped(),
            Some(path) => {
                let wrong =
                    |error| NoStart::Refused(format!("cannot be started: stderr: {path}: {error}"));
                files::append_to(Path::new(path)).map_err(wrong)?.into()
            }
        });
        let mut group = ProcessGroup::spawn(&mut command).map_err(refused)?;
        let child = group.program();
        log::debug!("process {} is {command:?}", child.id());
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both are piped");
        };
        let (sender, lines) = sync_channel(MAX_WAITING);
        let listening = Builder::new().spawn(move || {
            listen(output, |line| sender.send(Some((Instant::now(), line))).is_ok());
            // The match may be over.
            let _ = sender.send(None);
        });
        listening.map_err(refused)?;
        if let Some(errors) = child.stderr.take() {
            let mut log = log.clone();
            let listening = Builder::new().spawn(move || {
                listen(errors, |line| {
                    log.complain(&line);
                    true
                });
            });
            listening.map_err(refused)?;
        }
        let (to_write, written) = write_lines(input).map_err(refused)?;
        Ok(Self { group, input: to_write, written, lines, interrupt: interrupt.clone(), log })
    }

    /// Sends a line. If the pipe stays full for [`GRACE`], that is a [`Fault::Hang`].
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        // No word of the command line or of a file begins another line.
        let line = visible(line);
        self.log.traffic('>', &line);
        // If the thread has ended, `written` is closed too.
        let _ = self.input.send(format!("{line}\n"));
        match self.written.recv_timeout(GRACE) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(self.died(&error.to_string())),
            Err(RecvTimeoutError::Disconnected) => Err(self.died("it closed its input")),
            Err(RecvTimeoutError::Timeout) => Err(Fault::Hang),
        }
    }

    /// Waits for a line until `deadline`; returns it, with one space between its words, and the
    /// time of its arrival.
    pub fn line_before(&mut self, deadline: Instant) -> Result<(Instant, String), NoMove> {
        let mut has_ended = false;
        loop {
            if self.interrupt.is_set() {
                return Err(NoMove::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            return match self.lines.recv_timeout(left.min(TICK)) {
                // An engine that prints without end hangs too.
                Ok(Some((when, _))) if when > deadline + GRACE => Err(Fault::Hang.into()),
                Ok(Some((when, line))) => {
                    self.log.traffic('<', &line);
                    Ok((when, plain(&line)))
                }
                Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                    Err(self.died("it closed its output").into())
                }
                // What it has started may hold its output open.
                Err(RecvTimeoutError::Timeout) if has_ended => Err(self.died("").into()),
                Err(RecvTimeoutError::Timeout) if left > TICK => {
                    // Its last lines come first.
                    has_ended = self.group.try_wait().is_some();
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => Err(Fault::Hang.into()),
            };
        }
    }

    /// Describes the end of the process. Its pipes close a little before its status is known.
    fn died(&mut self, why: &str) -> Fault {
        Fault::Crash(match self.wait() {
            Some(status) => status.to_string(),
            None => why.to_string(),
        })
    }

    /// Waits for the process to end, for at most [`END_LIMIT`].
    fn wait(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + END_LIMIT;
        loop {
            match self.group.try_wait() {
                None if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                status => return status,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An engine that obeys `quit` ends by itself.
        let _ = self.input.send("quit\n".into());
        self.wait();
    }
}

/// Starts a thread that writes lines, since a full pipe blocks. It answers each line.
fn write_lines(mut input: ChildStdin) -> IoResult<(Sender<String>, Receiver<IoResult<()>>)> {
    let (lines, to_write) = channel::<String>();
    let (sender, written) = channel();
    Builder::new().spawn(move || {
        for line in to_write {
            if sender.send(input.write_all(line.as_bytes())).is_err() {
                return;
            }
        }
    })?;
    Ok((lines, written))
}

/// Puts one space between the words of a line. Engines may write any white space before, between
/// and after them.
fn plain(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads lines, makes them visible and passes them to `take`, until the end or until `take`
/// returns false. A last line that has no end is dropped: more may have been meant.
fn listen(output: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = output.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes);
        let is_torn = bytes.len() < MAX_LINE as usize && !bytes.ends_with(b"\n");
        let text = String::from_utf8_lossy(&bytes);
        // Some libraries begin a text with a byte-order mark.
        let text = text.trim_start_matches('\u{feff}').trim_end();
        if !matches!(read, Ok(1..)) || is_torn || !take(visible(text)) {
            return;
        }
    }
}

/// Returns the first word of a line from [`Process::line_before`].
pub fn first_word(line: &str) -> &str {
    line.split(' ').next().unwrap_or("")
}

/// Shortens a text that an engine sent as its move.
pub fn shorten_move(text: &str) -> String {
    text.chars().take(MAX_MOVE).collect()
}
