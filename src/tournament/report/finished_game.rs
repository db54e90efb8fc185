//! A finished game without its moves.

use crate::games::Side;
use crate::records::pgn::Record;
use crate::system::checksum::checksum;
use crate::system::date::{date_and_time, read_clock};
use crate::system::text::shorten;
use crate::tournament::game::GameEnd;
use crate::tournament::played::PlayedGame;
use crate::tournament::schedule::Fixture;
use std::time::Duration;

/// Everything that reports need of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::tournament) struct FinishedGame {
    pub fixture: Fixture,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    pub end: GameEnd,
    /// Length, with the opening.
    pub plies: usize,
    /// Date and time of its beginning in UTC: `2026-11-22T13:05:59Z`; `None` if unknown.
    pub begun: Option<String>,
    pub duration: Duration,
    /// Identifies engines, opening and moves.
    pub mark: u64,
}

impl FinishedGame {
    pub(in crate::tournament) fn of(played: &PlayedGame) -> Self {
        let PlayedGame {
            fixture,
            opening,
            sheet,
            begun,
            duration,
        } = played;
        let moves = sheet.moves.iter().map(|(mv, _)| mv.as_str());
        let (date, time) = date_and_time(*begun);
        Self {
            fixture: *fixture,
            winner: sheet.winner,
            end: sheet.end.clone(),
            plies: sheet.moves.len(),
            begun: Some(date_of(&date, &time)),
            duration: *duration,
            mark: mark(fixture.seats, opening.fen.as_deref(), moves),
        }
    }

    /// Reads a game of a PGN that `-pgnout` wrote; `None` if it has no result. `moves` are its
    /// moves in the notation of the other games.
    pub(in crate::tournament) fn read<'m>(
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
        let begun = record.tag("UTCDate").zip(record.tag("UTCTime"));
        Some(Self {
            fixture,
            winner,
            // Other programs state a fault or an adjudication in `Termination`, if at all.
            end: GameEnd::of_tag(
                (record.tag("Reason").or(record.tag("Termination"))).unwrap_or("no reason stated"),
            ),
            plies: record.moves.len(),
            begun: begun.map(|(date, time)| date_of(date, time)),
            duration: Duration::from_secs(duration.unwrap_or_default()),
            mark: mark(fixture.seats, record.tag("FEN"), moves),
        })
    }

    /// Returns the sentence that cutechess-cli prints about the end.
    pub(in crate::tournament) fn sentence(&self) -> String {
        self.end.sentence(self.winner)
    }

    /// Returns the side that lost by a fault.
    pub(in crate::tournament) fn at_fault(&self) -> Option<Side> {
        self.end.at_fault(self.winner)
    }

    /// Counts the games by their ends, the most frequent first.
    pub(in crate::tournament) fn ends(games: &[Self]) -> Vec<(String, usize)> {
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
pub(in crate::tournament) fn describe(record: &Record) -> String {
    let [white, black, round] =
        ["White", "Black", "Round"].map(|name| shorten(record.tag(name).unwrap_or_default()));
    format!("round {round}, {white} against {black}")
}

fn date_of(date: &str, time: &str) -> String {
    format!("{}T{time}Z", date.replace('.', "-"))
}

/// Identifies a game by its engines, its FEN and its moves.
pub(in crate::tournament) fn mark<'m>(
    [white, black]: [usize; 2],
    fen: Option<&str>,
    moves: impl Iterator<Item = &'m str>,
) -> u64 {
    let fen = fen.unwrap_or("startpos");
    let moves: Vec<_> = moves.collect();
    checksum(format!("{white} {black} {fen} {}", moves.join(" ")).as_bytes())
}
