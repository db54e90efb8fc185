//! What a match hears of its engines besides their moves.

use std::sync::mpsc::Sender;
use std::time::Instant;

use crate::tournament::Event;

/// How many complaints of one engine are passed on.
const MOST_COMPLAINTS: usize = 20;
/// The longest text of an engine that is passed on, in characters.
const MAX_TEXT: usize = 500;

/// Passes on what an engine says and is told.
#[derive(Clone)]
pub struct EngineLog {
    name: String,
    events: Sender<Event>,
    /// Since when, if every line is wanted.
    log_since: Option<Instant>,
    complaints: usize,
}

impl EngineLog {
    /// That of an engine.
    pub fn new(name: &str, events: &Sender<Event>, log_since: Option<Instant>) -> Self {
        Self {
            name: name.to_string(),
            events: events.clone(),
            log_since,
            complaints: 0,
        }
    }

    /// The engine is told a line.
    pub fn told(&self, line: &str) {
        self.log('>', line);
    }

    /// The engine says a line.
    pub fn said(&self, line: &str) {
        self.log('<', line);
    }

    /// Who hears nothing any more has the match behind them.
    fn log(&self, direction: char, line: &str) {
        if let Some(begin) = self.log_since {
            let (time, name) = (begin.elapsed().as_millis(), &self.name);
            let _ = self
                .events
                .send(Event::Traffic(format!("{time} {direction}{name}: {line}")));
        }
    }

    /// The engine complains, or writes on standard error.
    pub fn complain(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        self.complaints += 1;
        let text = match self.complaints {
            ..=MOST_COMPLAINTS => format!("{}: {}", self.name, shorten(line)),
            n if n == MOST_COMPLAINTS + 1 => format!("{}: and so on", self.name),
            _ => return,
        };
        let _ = self.events.send(Event::Remark(text));
    }
}

/// The beginning of a text of an engine.
pub fn shorten(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}
