//! A finished game without its moves.

use crate::games::Side;
use crate::system::checksum::checksum;
use crate::tournament::game::GameEnd;
use crate::tournament::played::PlayedGame;
use crate::tournament::schedule::Fixture;
use std::time::{Duration, SystemTime};

/// Everything that reports and the journal need of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::tournament) struct FinishedGame {
    pub fixture: Fixture,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    pub end: GameEnd,
    /// Length, with the opening.
    pub plies: usize,
    /// Its beginning, in seconds since 1970; 0 if unknown.
    pub begun: u64,
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
        let since = begun.duration_since(SystemTime::UNIX_EPOCH);
        Self {
            fixture: *fixture,
            winner: sheet.winner,
            end: sheet.end.clone(),
            plies: sheet.moves.len(),
            begun: since.unwrap_or_default().as_secs(),
            duration: *duration,
            mark: mark(fixture.seats, opening.fen.as_deref(), moves),
        }
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
