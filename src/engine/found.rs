//! The findings of a search, collected.

use crate::search::value::moves_to_mate;
use crate::search::{Answer, Bound, Line, SearchEvent};

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

    /// Collects an event of a search.
    pub(super) fn note(&mut self, event: &SearchEvent<String>) {
        match event {
            SearchEvent::Line(line) => {
                // Bounds of the move that is best already are reported only after some seconds. They do
                // not count, so that the findings do not depend on the time.
                let best = self.lines.first().and_then(|best| best.pv.first());
                if line.bound != Bound::Exact && best == line.pv.first() {
                    return;
                }
                match self.lines.get_mut(line.multi_pv.saturating_sub(1)) {
                    Some(earlier) => earlier.clone_from(line),
                    None => self.lines.push(line.clone()),
                }
            }
            &SearchEvent::Over { value } => {
                self.lines.push(Line { multi_pv: 1, value, ..Line::default() })
            }
            SearchEvent::NoMate { .. } => self.no_mate = true,
            SearchEvent::CurrentMove { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(depth: u32, bound: Bound, mv: &str) -> SearchEvent<String> {
        SearchEvent::Line(Line {
            depth,
            multi_pv: 1,
            bound,
            pv: vec![mv.into()],
            ..Line::default()
        })
    }

    #[test]
    fn a_bound_counts_only_for_a_new_best_move() {
        let mut found = Found::default();
        let mut noted = |event| {
            found.note(&event);
            (found.lines[0].depth, found.lines[0].pv[0].clone())
        };
        assert_eq!(noted(report(1, Bound::Exact, "a2a3")), (1, "a2a3".into()));
        assert_eq!(noted(report(2, Bound::Upper, "a2a3")), (1, "a2a3".into()));
        assert_eq!(noted(report(2, Bound::Lower, "b2b3")), (2, "b2b3".into()));
        assert_eq!(noted(report(3, Bound::Lower, "b2b3")), (2, "b2b3".into()));
    }
}
