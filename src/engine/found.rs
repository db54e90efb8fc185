//! The findings of a search, collected.

use crate::search::value::moves_to_mate;
use crate::search::{Answer, Bound, Line, SearchEvent};
use std::time::Duration;

/// A search that is ready to run, on any thread. It hands its events to an observer and returns
/// its findings.
pub type Task = Box<dyn FnOnce(&mut dyn FnMut(SearchEvent<String>)) -> Found + Send>;

/// The findings of a search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The answer; without a best move if the game is over.
    pub answer: Answer<String>,
    /// The best lines, the best one first.
    pub lines: Vec<Line<String>>,
    /// True if no win in the number of moves asked for can be forced.
    pub no_mate: bool,
}

impl Found {
    /// Returns the value of the best line.
    pub fn value(&self) -> Option<i32> {
        self.lines.first().map(|line| line.value)
    }

    /// Returns true if a win in `moves` can be forced, false if none can; `None` if that is unknown
    /// or not asked for.
    pub fn forced_mate(&self, moves: Option<u32>) -> Option<bool> {
        let moves = moves?;
        match self.value().and_then(moves_to_mate) {
            Some(found) if found > 0 && found.unsigned_abs() <= moves => Some(true),
            _ => self.no_mate.then_some(false),
        }
    }

    /// Collects an event of a search for the `multi_pv` best lines.
    pub(super) fn note(&mut self, event: &SearchEvent<String>, multi_pv: usize) {
        match event {
            SearchEvent::Line(line) => {
                // An interrupted search reports the first line alone. The lines below are then
                // from the depth before, where its move may have been one of theirs.
                self.lines
                    .retain(|other| other.pv.first() != line.pv.first());
                let rank = self.lines.len().min(line.multi_pv.saturating_sub(1));
                self.lines.insert(rank, line.clone());
                self.lines.truncate(multi_pv);
            }
            &SearchEvent::Over { value } => self.lines.push(Line {
                depth: 0,
                seldepth: 0,
                multi_pv: 1,
                value,
                bound: Bound::Exact,
                nodes: 0,
                time: Duration::ZERO,
                hashfull: 0,
                tbhits: 0,
                pv: Vec::new(),
            }),
            SearchEvent::NoMate { .. } => self.no_mate = true,
            SearchEvent::CurrentMove { .. } => {}
        }
    }
}
