//! The link to a client, whose first word decides the protocol.

use super::channel::{ClientOutput, Input, Inputs};
use crate::engine::{Engine, Mode, PositionError, Request};
use crate::search::Control;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// A protocol.
pub(super) struct Dialect {
    /// The first words of its clients.
    pub words: &'static [&'static str],
    /// Begins to speak it with a client.
    pub begin: fn(Link) -> Box<dyn Speaker>,
}

/// The engine's side of a dialogue in one protocol.
pub(super) trait Speaker {
    fn link(&mut self) -> &mut Link;

    /// Obeys the client, or passes on a report.
    fn take(&mut self, input: Input) -> Flow;

    /// Returns the time to wait for an input before [`idle`](Self::idle) is called.
    fn patience(&self) -> Option<Duration> {
        None
    }

    fn idle(&mut self) {}

    /// Ends the dialogue.
    fn end(self: Box<Self>) -> Link;
}

/// The end of a protocol's dialogue.
pub(super) enum Leave {
    /// The client has gone.
    Quit,
    /// The next line begins another protocol.
    Switch,
}

/// Continues with the next input, or ends the protocol's dialogue.
pub(super) type Flow = ControlFlow<Leave>;

pub(super) const CONTINUE: Flow = ControlFlow::Continue(());
pub(super) const QUIT: Flow = ControlFlow::Break(Leave::Quit);

/// The engine, and the link to its client; all protocols share it.
pub(super) struct Link {
    pub engine: Engine,
    dialects: &'static [&'static Dialect],
    output: ClientOutput,
    /// The client's lines and the reports of searches.
    inputs: Inputs,
    /// Lines to be taken before them.
    waiting: VecDeque<Input>,
}

impl Link {
    pub(super) fn open(
        engine: Engine,
        dialects: &'static [&'static Dialect],
        input: impl Read + Send + 'static,
        output: impl Write + 'static,
    ) -> Self {
        let transcript = engine.transcript();
        Self {
            engine,
            dialects,
            inputs: Inputs::open(input, transcript.clone()),
            output: ClientOutput::new(output, transcript),
            waiting: VecDeque::new(),
        }
    }

    /// Returns the protocol that a line begins.
    fn dialect_of(&self, line: &str) -> Option<&'static Dialect> {
        let word = line.split_ascii_whitespace().next()?;
        let mut dialects = self.dialects.iter().copied();
        dialects.find(|dialect| dialect.words.contains(&word))
    }

    /// Returns true if a line begins another protocol.
    pub(super) fn is_foreign(&self, dialect: &Dialect, line: &str) -> bool {
        let other = self.dialect_of(line);
        other.is_some_and(|other| other.words != dialect.words)
    }

    /// Begins the protocol of the next line; the first protocol if the line begins none.
    pub(super) fn speak(mut self) -> Box<dyn Speaker> {
        (self.dialect().begin)(self)
    }

    fn dialect(&mut self) -> &'static Dialect {
        let next = self.next();
        let dialect = match &next {
            Input::Line(line) => self.dialect_of(line),
            _ => None,
        };
        self.put_back(next);
        dialect.unwrap_or(self.dialects[0])
    }

    /// Waits for the next input, those put back or deferred first.
    pub(super) fn next(&mut self) -> Input {
        self.next_within(None).unwrap_or(Input::End)
    }

    /// Waits for the next input, but no longer than a limit.
    pub(super) fn next_within(&mut self, limit: Option<Duration>) -> Option<Input> {
        match self.waiting.pop_front() {
            Some(input) if !self.output.is_closed() => Some(input),
            _ => self.listen_within(limit),
        }
    }

    /// Waits for the next input, leaving alone what was put back or deferred.
    pub(super) fn listen(&mut self) -> Input {
        self.listen_within(None).unwrap_or(Input::End)
    }

    fn listen_within(&mut self, limit: Option<Duration>) -> Option<Input> {
        if self.output.is_closed() {
            return Some(Input::OutputClosed);
        }
        let input = self.inputs.next_within(limit)?;
        Some(self.join_finished(input))
    }

    /// Ends the search whose end this input reports.
    fn join_finished(&mut self, input: Input) -> Input {
        if matches!(input, Input::Finished(_)) {
            self.engine.join();
        }
        input
    }

    /// Returns true if the next input is there already.
    pub(super) fn has_waiting(&mut self) -> bool {
        if self.waiting.is_empty()
            && let Some(input) = self.inputs.try_next()
        {
            let input = self.join_finished(input);
            self.defer(input);
        }
        !self.waiting.is_empty()
    }

    /// Puts an input back, to be taken next.
    pub(super) fn put_back(&mut self, input: Input) {
        self.waiting.push_front(input);
    }

    /// Defers an input, to be taken after all others that were deferred.
    pub(super) fn defer(&mut self, input: Input) {
        self.waiting.push_back(input);
    }

    /// Ends the search that is running, if there is one, and drops its reports.
    pub(super) fn abort_search(&mut self) {
        if !self.engine.is_searching() {
            return;
        }
        self.engine.stop();
        self.engine.join();
        // By now all its reports are in the channel.
        while let Some(input) = self.inputs.next_within(None) {
            match input {
                Input::Search(_) | Input::Said(_) => {}
                Input::Finished(_) => return,
                input => self.defer(input),
            }
        }
    }

    /// Begins a search of the position. None may be running.
    pub(super) fn go(&mut self, request: &Request, mode: Mode) -> Result<(), PositionError> {
        let (events, end) = (self.inputs.sender(), self.inputs.sender());
        // A report that cannot be sent comes while the program ends.
        self.engine.go(
            request,
            mode,
            move |event| drop(events.send(Input::Search(event))),
            move |found| drop(end.send(Input::Finished(found))),
        )
    }

    /// Runs a long task in place of a search. The task gets the control and a sender of lines.
    pub(super) fn run_task(
        &mut self,
        work: impl FnOnce(&Arc<Control>, &mut dyn FnMut(&str)) + Send + 'static,
    ) {
        let (lines, end) = (self.inputs.sender(), self.inputs.sender());
        self.engine.run_task(
            move |control| {
                work(control, &mut |line| {
                    drop(lines.send(Input::Said(line.into())));
                });
            },
            move || drop(end.send(Input::Finished(None))),
        );
    }

    /// Ends the dialogue and the search that is running.
    pub(super) fn close(mut self) -> io::Result<()> {
        self.abort_search();
        self.output.end()
    }

    /// Sends one or more lines to the client.
    pub(super) fn say(&mut self, text: &str) {
        self.output.line(text);
    }
}
