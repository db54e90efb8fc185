//! Lines in and lines out.
//!
//! One thread reads and never searches; what it reads goes into a channel, where the end
//! of a search arrives too. One writer owns the output, a line at a time, whichever thread
//! speaks.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// The longest line that is read, in bytes; longer ones are refused. A game of 10,000
/// moves takes 60,000.
pub const MAX_LINE: u64 = 1 << 20;

/// What happens to a protocol's dialogue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A line came in; without its line end, invalid UTF-8 replaced.
    Line(String),
    /// A line came in that is longer than `MAX_LINE`, and was skipped.
    TooLong,
    /// The input has ended.
    End,
    /// The search has ended, and all its lines are written.
    SearchFinished,
    /// Nobody reads the output any more.
    OutputClosed,
}

/// Reads lines on a thread of their own. The sender puts further things into the same
/// channel.
pub fn read_lines(input: impl Read + Send + 'static) -> (Sender<Input>, Receiver<Input>) {
    let (sender, receiver) = channel();
    let lines = sender.clone();
    let spawned = std::thread::Builder::new().spawn(move || {
        let mut input = io::BufReader::new(input);
        while let Ok(Some(line)) = read_line(&mut input) {
            let line = match line {
                Line::Whole(bytes) => {
                    Input::Line(String::from_utf8_lossy(&bytes).trim_end().to_string())
                }
                Line::TooLong => Input::TooLong,
            };
            if lines.send(line).is_err() {
                return;
            }
        }
        // Nobody is left to hear it if this fails.
        let _ = lines.send(Input::End);
    });
    if let Err(error) = spawned {
        log::error!("no thread to read on: {error}");
        let _ = sender.send(Input::End);
    }
    (sender, receiver)
}

/// A line of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// All its bytes, with its line end.
    Whole(Vec<u8>),
    /// It is longer than [`MAX_LINE`], and was skipped.
    TooLong,
}

/// Reads a line; `None` after the last.
///
/// # Errors
///
/// The input cannot be read.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    if input
        .by_ref()
        .take(MAX_LINE)
        .read_until(b'\n', &mut bytes)?
        == 0
    {
        return Ok(None);
    }
    if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Whole(bytes)))
}

/// The output, shared by the threads that speak.
#[derive(Clone)]
pub struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
    closed: Sender<Input>,
}

impl Output {
    /// Writes to `writer`, and says into `closed` when that fails.
    pub fn new(writer: impl Write + Send + 'static, closed: Sender<Input>) -> Self {
        Self {
            writer: Arc::new(Mutex::new(writer)),
            closed,
        }
    }

    /// Writes a line, or several, and flushes.
    pub fn line(&self, text: &str) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writer
            .write_all(format!("{text}\n").as_bytes())
            .and_then(|()| writer.flush());
        if written.is_err() {
            // If nobody listens any more, the program is ending already.
            let _ = self.closed.send(Input::OutputClosed);
        }
    }
}
