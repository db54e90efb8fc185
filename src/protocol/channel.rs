//! Lines in and lines out.
//!
//! One thread reads lines into a channel, which also receives the reports of searches. It reads
//! ahead up to a limit: a client that writes faster than it is answered has to wait. The thread at
//! the other end of the channel owns the output. Where there is but one thread, it does both.

use crate::engine::{Found, Transcript};
use crate::search::SearchEvent;
use crate::system::sync::{lock, spawn};
use crate::system::text::{InputLine, read_line, visible};
use std::io::{self, Read, Write};
use std::ops::Deref;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Limit of the lines that wait, in bytes; beyond it no more are read.
const MAX_WAITING: usize = 64 << 20;

/// Stack of the thread that reads, in bytes.
const READER_STACK: usize = 256 << 10;

/// The limit for the characters of an error, and for those of a client's line that it quotes.
pub(super) const MAX_QUOTED: usize = 500;

/// Bytes of a line beyond its text.
const LINE_OVERHEAD: usize = 128;

/// An event in a protocol's dialogue.
#[derive(Debug)]
pub(super) enum Input {
    /// A line, without its line end, invalid UTF-8 replaced.
    Line(Waiting),
    /// A line longer than `MAX_LINE`, which was skipped.
    TooLong,
    End,
    /// A report of the search that is running.
    Search(SearchEvent<String>),
    /// One or more lines of the task that runs in place of a search.
    Said(String),
    /// The end of a search, with its findings; `None` for the task in its place.
    Finished(Option<Found>),
    /// A line could not be written.
    OutputClosed,
}

/// The memory of waiting lines.
#[derive(Debug, Default)]
struct Backlog {
    bytes: Mutex<usize>,
    less: Condvar,
}

impl Backlog {
    /// Waits for room, and takes it.
    fn admit(self: &Arc<Self>, text: String) -> Waiting {
        let mut bytes = lock(&self.bytes);
        while *bytes > MAX_WAITING {
            let woken = self.less.wait(bytes);
            bytes = woken.unwrap_or_else(PoisonError::into_inner);
        }
        *bytes += text.len() + LINE_OVERHEAD;
        Waiting { text, backlog: Arc::clone(self) }
    }
}

/// A line that waits, and makes room for others when it is dropped.
#[derive(Debug)]
pub(super) struct Waiting {
    text: String,
    backlog: Arc<Backlog>,
}

impl Deref for Waiting {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let bytes = &self.backlog.bytes;
        *lock(bytes) -= self.text.len() + LINE_OVERHEAD;
        self.backlog.less.notify_one();
    }
}

/// Reads lines, noting them in the transcript.
struct LineReader {
    input: io::BufReader<Box<dyn Read + Send>>,
    backlog: Arc<Backlog>,
    transcript: Transcript,
}

impl LineReader {
    /// Waits for the next line.
    fn next(&mut self) -> Input {
        match read_line(&mut self.input) {
            Ok(Some(InputLine::Whole(bytes))) => {
                let text = String::from_utf8_lossy(&bytes).trim_end().to_string();
                self.transcript.note('>', &visible(&text));
                Input::Line(self.backlog.admit(text))
            }
            Ok(Some(InputLine::TooLong)) => {
                self.transcript.note('>', "(a line that is too long)");
                Input::TooLong
            }
            Ok(None) | Err(_) => Input::End,
        }
    }
}

/// The inputs of a dialogue, in the order in which they come in.
pub(super) struct Inputs {
    receiver: Receiver<Input>,
    sender: Sender<Input>,
    /// Reads the next line where no thread reads ahead.
    reader: Option<Arc<Mutex<LineReader>>>,
}

impl Inputs {
    /// Reads lines on a thread of their own. Where none can be started, a line is read when no
    /// other input waits.
    pub(super) fn open(input: impl Read + Send + 'static, transcript: Transcript) -> Self {
        let (sender, receiver) = channel();
        let reader = Arc::new(Mutex::new(LineReader {
            input: io::BufReader::new(Box::new(input)),
            backlog: Arc::default(),
            transcript,
        }));
        let (lines, of_thread) = (sender.clone(), Arc::clone(&reader));
        let spawned = spawn(READER_STACK, move || {
            let mut reader = lock(&of_thread);
            loop {
                let input = reader.next();
                let is_end = matches!(input, Input::End);
                // It fails if the dialogue is over.
                if lines.send(input).is_err() || is_end {
                    return;
                }
            }
        });
        Self { receiver, sender, reader: spawned.is_err().then_some(reader) }
    }

    pub(super) fn sender(&self) -> Sender<Input> {
        self.sender.clone()
    }

    /// Returns the next input, if it is there.
    pub(super) fn try_next(&self) -> Option<Input> {
        self.receiver.try_recv().ok()
    }

    /// Waits for the next input, but no longer than a limit if a thread reads.
    pub(super) fn next_within(&self, limit: Option<Duration>) -> Option<Input> {
        match (&self.reader, limit) {
            (Some(reader), _) => self.try_next().or_else(|| Some(lock(reader).next())),
            (None, Some(limit)) => self.receiver.recv_timeout(limit).ok(),
            (None, None) => self.receiver.recv().ok(),
        }
    }
}

pub(super) struct ClientOutput {
    writer: Box<dyn Write>,
    transcript: Transcript,
    /// The first error in writing, after which nothing more is written.
    fault: Option<io::Error>,
}

impl ClientOutput {
    /// Creates an output to `writer` and the transcript.
    pub(super) fn new(writer: impl Write + 'static, transcript: Transcript) -> Self {
        Self { writer: Box::new(writer), transcript, fault: None }
    }

    /// Writes one or more lines and flushes. Control characters are replaced, so that quoted input
    /// cannot act on a terminal.
    pub(super) fn line(&mut self, text: &str) {
        let lines: Vec<_> = text.split('\n').map(visible).collect();
        let text = lines.join("\n");
        self.transcript.note('<', &text);
        if self.is_closed() {
            return;
        }
        let written = self
            .writer
            .write_all(format!("{text}\n").as_bytes())
            .and_then(|()| self.writer.flush());
        self.fault = written.err();
    }

    /// Returns true once a line could not be written.
    pub(super) fn is_closed(&self) -> bool {
        self.fault.is_some()
    }

    /// Returns the first error in writing.
    pub(super) fn end(self) -> io::Result<()> {
        self.fault.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_waits_until_there_is_room() {
        // Lines without end; nobody takes them.
        let line = [b"x".repeat(1 << 16), vec![b'\n']].concat();
        let endless = std::iter::repeat(line).map(io::Cursor::new);
        struct Chain<I>(I, io::Cursor<Vec<u8>>);
        impl<I: Iterator<Item = io::Cursor<Vec<u8>>>> Read for Chain<I> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let read = self.1.read(buffer)?;
                if read > 0 {
                    return Ok(read);
                }
                self.1 = self.0.next().unwrap_or_default();
                self.1.read(buffer)
            }
        }
        let input = Chain(endless, io::Cursor::default());
        let inputs = Inputs::open(input, Transcript::default());
        let soon = || inputs.next_within(Some(Duration::from_secs(60))).expect("a line");
        // The line that exceeds the limit is still read.
        let most = MAX_WAITING / ((1 << 16) + LINE_OVERHEAD) + 1;
        let mut held: Vec<_> = (0..most).map(|_| soon()).collect();
        let more = inputs.next_within(Some(Duration::from_millis(300)));
        assert!(more.is_none(), "it reads on and on");
        // Lines that were dropped make room.
        held.truncate(10);
        soon();
    }
}
