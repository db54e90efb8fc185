//! A clock that nodes run down instead of time.

use crate::search::{GameClock, time_of_nodes};

/// What a clock has left while nodes stand for time (Stockfish's `nodestime`): a client says it
/// before the first move of a game; from then on the nodes of the searches run it down, since those
/// of the client run by time.
#[derive(Default)]
pub(super) struct NodeClock {
    /// At the beginning of the last move.
    last: Option<GameClock>,
    /// The nodes that the last move took, once it was found.
    spent: Option<u64>,
}

impl NodeClock {
    /// Notes the nodes of a search.
    pub fn spend(&mut self, nodes: u64) {
        self.spent = Some(nodes);
    }

    /// The clock at the beginning of a move, of which so many nodes are a millisecond. `told` is
    /// what a client says.
    pub fn read(&mut self, told: GameClock, nodes_per_milli: u64) -> GameClock {
        let spent = self.spent.take();
        let time = self.last.map_or(told.time, |last| match spent {
            None => last.time,
            Some(nodes) => {
                (last.time + last.increment).saturating_sub(time_of_nodes(nodes, nodes_per_milli))
            }
        });
        let clock = GameClock { time, ..told };
        self.last = Some(clock);
        clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn nodes_run_it_down() {
        let told = |millis| GameClock {
            time: Duration::from_millis(millis),
            increment: Duration::from_millis(50),
            moves_to_go: None,
        };
        let mut clock = NodeClock::default();
        let mut read = |spent: Option<u64>, millis| {
            clock.spent = spent;
            clock.read(told(millis), 10).time.as_millis()
        };
        assert_eq!(read(None, 1000), 1000);
        // No move was made since; what the client says does not count any more.
        assert_eq!(read(None, 7), 1000);
        assert_eq!(read(Some(2000), 7), 1000 + 50 - 200);
        assert_eq!(read(Some(u64::MAX), 7), 0);
    }
}
