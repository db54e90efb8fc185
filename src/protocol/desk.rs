//! The front desk: it knows by its first word which protocol a client speaks.

use super::channel::{Input, Output, read_lines};
use super::{cecp, uci};
use crate::engine::Engine;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

/// All protocols. Who begins with a word of none of them speaks the first one.
static DIALECTS: &[&Dialect] = &[&uci::DIALECT, &cecp::DIALECT];

/// A protocol.
pub(super) struct Dialect {
    /// The words that clients begin with.
    pub words: &'static [&'static str],
    /// Speaks it with a client.
    pub speak: fn(&mut Desk) -> Leave,
}

impl Dialect {
    /// Whether a line begins with the word of another protocol.
    pub fn is_left_by(&self, line: &str) -> bool {
        dialect_of(line).is_some_and(|other| other.words != self.words)
    }
}

/// How a client leaves a protocol.
pub(super) enum Leave {
    /// It has gone.
    Quit,
    /// The next line begins with the word of another one.
    ForAnother,
}

/// Speaks with a client until it quits or its input ends.
pub fn run(engine: Engine, input: impl Read + Send + 'static, output: impl Write + Send + 'static) {
    let mut desk = Desk::open(engine, input, output);
    while let Leave::ForAnother = (desk.dialect().speak)(&mut desk) {}
    desk.engine.stop();
    desk.engine.join();
}

/// The protocol that a line begins with.
fn dialect_of(line: &str) -> Option<&'static Dialect> {
    let word = line.split_ascii_whitespace().next()?;
    let mut dialects = DIALECTS.iter().copied();
    dialects.find(|dialect| dialect.words.contains(&word))
}

/// What all protocols share: the engine, and the way to the client and back.
pub(super) struct Desk {
    pub engine: Engine,
    pub output: Output,
    /// Where what happens is put besides the client's lines.
    pub sender: Sender<Input>,
    receiver: Receiver<Input>,
    /// What has happened already and is to be taken first.
    waiting: VecDeque<Input>,
}

impl Desk {
    fn open(
        engine: Engine,
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> Self {
        let transcript = engine.transcript();
        let (sender, receiver) = read_lines(input, transcript.clone());
        Self {
            engine,
            output: Output::new(output, sender.clone(), transcript),
            sender,
            receiver,
            waiting: VecDeque::new(),
        }
    }

    /// The protocol that the next line is in, as far as one can tell.
    fn dialect(&mut self) -> &'static Dialect {
        let next = self.next();
        let dialect = match &next {
            Input::Line(line) => dialect_of(line),
            _ => None,
        };
        self.waiting.push_front(next);
        dialect.unwrap_or(DIALECTS[0])
    }

    /// Waits for what happens next.
    pub fn next(&mut self) -> Input {
        let next = self.waiting.pop_front();
        next.or_else(|| self.receiver.recv().ok())
            .unwrap_or(Input::End)
    }

    /// Waits for what happens next, but no longer than so.
    pub fn next_within(&mut self, limit: Duration) -> Option<Input> {
        let next = self.waiting.pop_front();
        next.or_else(|| self.receiver.recv_timeout(limit).ok())
    }

    /// Gives back what was not acted upon, to be taken first.
    pub fn put_back(&mut self, inputs: VecDeque<Input>) {
        let later = std::mem::replace(&mut self.waiting, inputs);
        self.waiting.extend(later);
    }

    /// Says a line, or several, to the client.
    pub fn say(&self, text: &str) {
        self.output.line(text);
    }
}
