//! What the engine searches for, and what it has found.

use crate::engine::SearchEvent;
use crate::search::{Line, Score};

/// What a win in no moves counts; one in N moves counts N more, a loss the opposite.
const MATE: i32 = 100_000;

/// What the search that runs is for.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Searching {
    Nothing,
    /// The engine's move.
    Move,
    /// The engine's next move, if the opponent plays this one.
    Ponder(String),
    /// Nothing but its lines.
    Analysis,
}

/// What the last search found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) best: Option<String>,
    /// The reply to it that is expected.
    pub(super) ponder: Option<String>,
    score: Option<Score>,
    /// The last line, for `.`.
    pub(super) progress: String,
}

impl Found {
    /// Notes what a search says.
    pub(super) fn note(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Best { mv, ponder, .. } => (self.best, self.ponder) = (mv, ponder),
            SearchEvent::Line(line) if line.multi_pv == 1 => {
                self.score = Some(line.score);
                let hundredths = line.time.as_millis() / 10;
                let (nodes, depth) = (line.nodes, line.depth);
                self.progress = format!("stat01: {hundredths} {nodes} {depth} 0 0");
            }
            SearchEvent::Line(_)
            | SearchEvent::CurrentMove { .. }
            | SearchEvent::NoMate { .. }
            | SearchEvent::Over { .. } => {}
        }
    }

    /// Whether the engine does not stand better than its opponent, as far as it knows.
    pub(super) fn is_no_better(&self) -> bool {
        self.score.is_some_and(|score| hundredths_of(score) <= 0)
    }
}

/// A line as XBoard shows it.
pub(super) fn thinking(line: &Line<String>) -> String {
    let score = hundredths_of(line.score);
    let hundredths = line.time.as_millis() / 10;
    let (depth, nodes, pv) = (line.depth, line.nodes, line.pv.join(" "));
    format!("{depth} {score} {hundredths} {nodes} {pv}")
}

/// A score in centipawns, wins by their distance.
fn hundredths_of(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => MATE + moves,
        Score::Mate(moves) => moves - MATE,
    }
}
