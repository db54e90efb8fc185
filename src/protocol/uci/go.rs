//! The arguments of `go`.

use super::refusal::{Code, Refusal};
use crate::engine::{MAX_PERFT, Mode, Time};
use crate::games::Side;
use crate::search::GameClock;
use crate::system::text::{clamped, millis, number};
use std::str::SplitAsciiWhitespace;
use std::time::Duration;

/// The arguments of `go`.
#[derive(Debug, Default)]
pub(super) struct Go {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub mate: Option<u32>,
    move_time: Option<Duration>,
    time: [Option<Duration>; 2],
    increment: [Option<Duration>; 2],
    moves_to_go: Option<u32>,
    pub mode: Mode,
    pub search_moves: Vec<String>,
    pub perft: Option<u32>,
    /// True if any word was understood, or there were none.
    pub asks_for_something: bool,
    /// The words that were not understood.
    pub unknown: Vec<String>,
}

const KEYWORDS: [&str; 17] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// The time for a move where a client sends increments or `movestogo`, but no clock.
const TIME_WITHOUT_CLOCK: Duration = Duration::from_millis(100);

impl Go {
    /// Reads the words after `go`; `first` is player 1 of UGI.
    pub(super) fn read(words: SplitAsciiWhitespace<'_>, first: Side) -> Result<Self, Refusal> {
        let mut words = words.peekable();
        let mut go = Self { asks_for_something: words.peek().is_none(), ..Self::default() };
        while let Some(word) = words.next() {
            go.asks_for_something |= KEYWORDS.contains(&word);
            match word {
                "infinite" => go.mode = Mode::Infinite,
                "ponder" => go.mode = Mode::Ponder,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| !KEYWORDS.contains(word)) {
                        go.search_moves.push(mv.to_string());
                    }
                    if go.search_moves.is_empty() {
                        return Err(Refusal::new(Code::Syntax, "searchmoves: no move follows"));
                    }
                }
                _ if KEYWORDS.contains(&word) => {
                    let value = words.next();
                    let value = value.ok_or_else(|| {
                        Refusal::new(Code::Syntax, format!("{word}: no number follows"))
                    })?;
                    go.set(word, value, first)?;
                }
                other => go.unknown.push(other.to_string()),
            }
        }
        Ok(go)
    }

    fn set(&mut self, word: &str, value: &str, first: Side) -> Result<(), Refusal> {
        match word {
            "depth" => self.depth = Some(number(word, value, 1, u32::MAX)?),
            "nodes" => self.nodes = Some(number(word, value, 1, u64::MAX)?),
            "mate" => self.mate = Some(number(word, value, 1, u32::MAX)?),
            "movestogo" => {
                self.moves_to_go = Some(clamped(word, value, u32::MAX.into())? as u32);
            }
            "perft" => self.perft = Some(number(word, value, 0, MAX_PERFT)?),
            "movetime" => self.move_time = Some(millis(word, value)?),
            "wtime" => self.time[0] = Some(millis(word, value)?),
            "btime" => self.time[1] = Some(millis(word, value)?),
            "p1time" => self.time[first.index()] = Some(millis(word, value)?),
            "p2time" => self.time[(!first).index()] = Some(millis(word, value)?),
            "winc" => self.increment[0] = Some(millis(word, value)?),
            "binc" => self.increment[1] = Some(millis(word, value)?),
            "p1inc" => self.increment[first.index()] = Some(millis(word, value)?),
            "p2inc" => self.increment[(!first).index()] = Some(millis(word, value)?),
            _ => return Err(Refusal::new(Code::Syntax, format!("{word} takes no value"))),
        }
        Ok(())
    }

    /// Returns the time of the side to move; `None` if it is not limited.
    pub(super) fn time(&self, us: Side) -> Option<Time> {
        if self.mode == Mode::Infinite {
            return None;
        }
        if let Some(time) = self.move_time {
            return Some(Time::PerMove(time));
        }
        // Some clients send the clock of one side only, and not always that of the mover.
        let mut sides = [us, !us].map(Side::index).into_iter();
        if let Some((side, time)) = sides.find_map(|side| Some((side, self.time[side]?))) {
            let clock = GameClock {
                time,
                increment: self.increment[side].unwrap_or_default(),
                moves_to_go: self.moves_to_go.filter(|&n| n > 0),
            };
            return Some(Time::Clock(clock));
        }
        let is_timed = self.moves_to_go.is_some() || self.increment.iter().any(Option::is_some);
        let has_end = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        (is_timed && !has_end).then_some(Time::PerMove(TIME_WITHOUT_CLOCK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A keyword that is listed but not handled would be an error.
    #[test]
    fn every_keyword_is_handled() {
        for word in KEYWORDS {
            let line = match word {
                "searchmoves" => "searchmoves e2e4".to_string(),
                "ponder" | "infinite" => word.to_string(),
                _ => format!("{word} 7"),
            };
            let go = Go::read(line.split_ascii_whitespace(), Side::White);
            assert!(go.is_ok_and(|go| go.unknown.is_empty()), "{line}");
        }
        let go = Go::read("p1inc 1 p2inc 2".split_ascii_whitespace(), Side::Black);
        let millis = [2, 1].map(|millis| Some(Duration::from_millis(millis)));
        assert_eq!(go.expect("numbers").increment, millis);
    }
}
