//! A finished game, with and without its moves.

use super::game_end::GameEnd;
use super::schedule::Fixture;
use crate::games::Side;
use crate::records::pgn::{PlayedMove, Record};
use crate::system::checksum::checksum;
use crate::system::date::read_clock;
use crate::system::text::shorten;
use std::time::Duration;

/// Result and facts of a finished game, for the reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FinishedGame {
    pub fixture: Fixture,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    pub end: GameEnd,
    /// Length, with the opening.
    pub plies: usize,
    /// Date and time of its beginning in UTC, as in a PGN; `None` if unknown.
    pub begun: Option<(String, String)>,
    pub duration: Duration,
    /// Identifies engines, opening and moves.
    pub mark: u64,
}

/// A game that was played in this run.
pub(super) struct PlayedGame {
    pub game: FinishedGame,
    /// FEN of the first position; `None` for the start position.
    pub first: Option<String>,
    /// FEN of the last position.
    pub last: String,
    /// Moves in coordinates with their comments; moves of the opening have none.
    pub moves: Vec<PlayedMove>,
}

impl FinishedGame {
    /// Reads a game of a PGN that `-pgnout` wrote; `None` if it has no result. `moves` are its
    /// moves in the notation of the other games.
    pub(super) fn read<'m>(
        record: &Record,
        fixture: Fixture,
        moves: impl Iterator<Item = &'m str>,
    ) -> Option<Self> {
        let winner = match record.result.as_str() {
            "1-0" => Some(Side::White),
            "0-1" => Some(Side::Black),
            "1/2-1/2" => None,
            _ => return None,
        };
        let duration = record.tag("GameDuration").and_then(read_clock);
        let tag = |name| record.tag(name).map(str::to_string);
        Some(Self {
            fixture,
            winner,
            // Other programs state a fault or an adjudication in `Termination`, if at all.
            end: GameEnd::of_tag(
                (record.tag("Reason").or(record.tag("Termination"))).unwrap_or("no reason stated"),
            ),
            plies: record.moves.len(),
            begun: tag("UTCDate").zip(tag("UTCTime")),
            duration: Duration::from_secs(duration.unwrap_or_default()),
            mark: mark(fixture.seats, record.tag("FEN"), moves),
        })
    }

    /// Returns the sentence that cutechess-cli prints about the end.
    pub(super) fn sentence(&self) -> String {
        self.end.sentence(self.winner)
    }

    /// Returns the side that lost by a fault.
    pub(super) fn at_fault(&self) -> Option<Side> {
        self.end.at_fault(self.winner)
    }

    /// Counts the games by their ends, the most frequent first.
    pub(super) fn ends(games: &[Self]) -> Vec<(String, usize)> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for game in games {
            // The details of a fault follow a colon.
            let tag = game.end.tag();
            let reason = match tag.split_once(": ") {
                Some((kind, _)) if kind != "adjudication" => kind,
                _ => &tag,
            };
            match counts.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, count)) => *count += 1,
                None => counts.push((reason.to_string(), 1)),
            }
        }
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        counts
    }
}

/// Names a game in errors.
pub(super) fn describe(record: &Record) -> String {
    let [white, black, round] =
        ["White", "Black", "Round"].map(|name| shorten(record.tag(name).unwrap_or("?")));
    format!("round {round}, {white} against {black}")
}

/// Identifies a game by its engines, its FEN and its moves.
pub(super) fn mark<'m>(
    [white, black]: [usize; 2],
    fen: Option<&str>,
    moves: impl Iterator<Item = &'m str>,
) -> u64 {
    let fen = fen.unwrap_or("startpos");
    let moves: Vec<_> = moves.collect();
    checksum(format!("{white} {black} {fen} {}", moves.join(" ")).as_bytes())
}
