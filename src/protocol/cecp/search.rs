//! The purpose of a search, and its lines as XBoard shows them.

use crate::search::{Line, Score, ScoreModel};

/// The number for a win in no moves. A win in N moves counts N more, a loss the opposite.
const MATE: i32 = 100_000;

/// The purpose of the search that is running.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Searching {
    Nothing,
    /// The engine's move.
    Move,
    /// The engine's next move, if the opponent plays this one.
    Ponder(String),
    /// Its lines.
    Analysis,
}

/// Formats the answer to `.` about a line of an analysis.
pub(super) fn progress(line: &Line<String>) -> String {
    let hundredths = line.time.as_millis() / 10;
    let (nodes, depth) = (line.nodes, line.depth);
    format!("stat01: {hundredths} {nodes} {depth} 0 0")
}

/// Formats a line as XBoard expects it.
pub(super) fn thinking(line: &Line<String>, model: ScoreModel) -> String {
    let score = centipawns(model.score(line.value));
    let hundredths = line.time.as_millis() / 10;
    let (depth, nodes, pv) = (line.depth, line.nodes, line.pv.join(" "));
    format!("{depth} {score} {hundredths} {nodes} {pv}")
}

/// Converts a score to centipawns, wins by their distance.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => MATE + moves,
        Score::Mate(moves) => moves - MATE,
    }
}
