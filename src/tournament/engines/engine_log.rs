//! Complaints and traffic of the engines.

use crate::system::text::shorten_to;
use crate::tournament::event::MatchEvent;
use std::sync::mpsc::Sender;
use std::time::Instant;

/// Number of complaints of one engine that are shown.
const MAX_COMPLAINTS: usize = 20;
/// Longest text of an engine that is shown, in characters.
pub const MAX_TEXT: usize = 500;

/// Sends complaints and traffic of an engine to the collector.
#[derive(Clone)]
pub struct EngineLog {
    name: String,
    events: Sender<MatchEvent>,
    /// When traffic logging began; `None` if off.
    log_since: Option<Instant>,
    complaints: usize,
}

impl EngineLog {
    pub fn new(name: &str, events: &Sender<MatchEvent>, log_since: Option<Instant>) -> Self {
        Self { name: name.to_string(), events: events.clone(), log_since, complaints: 0 }
    }

    /// Logs a line to the engine, `>`, or from it, `<`.
    pub fn traffic(&self, direction: char, line: &str) {
        if let Some(begin) = self.log_since {
            let (time, name) = (begin.elapsed().as_millis(), &self.name);
            // A closed channel means that the match is over.
            let _ =
                self.events.send(MatchEvent::Traffic(format!("{time} {direction}{name}: {line}")));
        }
    }

    /// Shows a complaint or a line of standard error.
    pub fn complain(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        self.complaints += 1;
        let text = match self.complaints {
            ..=MAX_COMPLAINTS => format!("{}: {}", self.name, shorten_to(MAX_TEXT, line)),
            n if n == MAX_COMPLAINTS + 1 => format!("{}: and so on", self.name),
            _ => return,
        };
        let _ = self.events.send(MatchEvent::Warning(text));
    }
}
