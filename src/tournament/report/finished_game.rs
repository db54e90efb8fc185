//! A finished game without its moves: what is counted and kept.

use crate::games::Side;
use crate::system::checksum::checksum;
use crate::tournament::Played;
use crate::tournament::fixture::Fixture;
use std::time::{Duration, SystemTime};

/// What is known of a finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedGame {
    /// Who played, and when.
    pub fixture: Fixture,
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// The side that did something wrong, if it ended so.
    pub at_fault: Option<Side>,
    /// How long it was, with its opening.
    pub plies: usize,
    /// When it began, in seconds since 1970.
    pub begun: u64,
    /// How long it took.
    pub duration: Duration,
    /// Tells it from games with other moves, players or openings.
    pub mark: u64,
    /// As the tag `Termination` of a PGN has it.
    pub termination: String,
    /// How it ended, as cutechess-cli says it.
    pub sentence: String,
    /// As the tag `Reason` of a PGN has it.
    pub reason: String,
}

impl FinishedGame {
    /// That of a game.
    pub fn of(played: &Played) -> Self {
        let Played {
            fixture,
            opening,
            game,
            begun,
            duration,
        } = played;
        let moves: Vec<_> = game.moves.iter().map(|(mv, _)| mv.as_str()).collect();
        let text = format!("{:?} {:?} {moves:?}", fixture.seats, opening.fen);
        let since = begun.duration_since(SystemTime::UNIX_EPOCH);
        Self {
            fixture: *fixture,
            winner: game.winner,
            at_fault: game.at_fault,
            plies: game.moves.len(),
            begun: since.unwrap_or_default().as_secs(),
            duration: *duration,
            mark: checksum(text.as_bytes()),
            termination: game.end.termination().into(),
            sentence: game.end.sentence(game.winner),
            reason: game.end.tag(),
        }
    }
}

impl FinishedGame {
    /// How often games ended in each way, the most frequent first.
    pub fn ends(games: &[Self]) -> Vec<(&str, usize)> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for game in games {
            // What differs between two of a kind follows a colon.
            let reason = match game.reason.split_once(": ") {
                Some((kind, _)) if kind != "adjudication" => kind,
                _ => &game.reason,
            };
            match counts.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, count)) => *count += 1,
                None => counts.push((reason, 1)),
            }
        }
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        counts
    }
}

/// A side by its number, or none; `None` if the text is neither.
pub fn side(text: &str) -> Option<Option<Side>> {
    match text {
        "-" => Some(None),
        "0" => Some(Some(Side::White)),
        "1" => Some(Some(Side::Black)),
        _ => None,
    }
}
