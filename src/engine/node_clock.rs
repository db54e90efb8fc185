//! A clock that nodes run down instead of time.

use crate::search::{GameClock, time_of_nodes};

/// A clock that nodes run down (Stockfish's `nodestime`). It begins with the client's time before the
/// first move of a game. After that the client's clock, which time runs down, no longer counts.
#[derive(Default)]
pub(super) struct NodeClock {
    /// The clock at the beginning of the last move.
    last: Option<GameClock>,
    /// The nodes of the last move, once it is found.
    spent: Option<u64>,
}

impl NodeClock {
    /// Notes the nodes of a search.
    pub(super) fn spend(&mut self, nodes: u64) {
        self.spent = Some(nodes);
    }

    /// Returns the clock at the beginning of a move. `told` is the client's.
    pub(super) fn read(&mut self, told: GameClock, nodes_per_milli: u64) -> GameClock {
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
        // No move was made since, and the client's clock no longer counts.
        assert_eq!(read(None, 7), 1000);
        assert_eq!(read(Some(2000), 7), 1000 + 50 - 200);
        assert_eq!(read(Some(u64::MAX), 7), 0);
    }
}
