//! A finished game without its moves: what is counted and kept.

use crate::games::Side;
use crate::system::checksum::checksum;
use crate::tournament::Played;
use crate::tournament::fixture::Fixture;
use crate::tournament::game::End;
use std::time::{Duration, SystemTime};

/// Identifies a game by its engines, its FEN and its moves.
pub fn mark<'m>(
    [white, black]: [usize; 2],
    fen: Option<&str>,
    moves: impl Iterator<Item = &'m str>,
) -> u64 {
    let fen = fen.unwrap_or("startpos");
    let moves: Vec<_> = moves.collect();
    checksum(format!("{white} {black} {fen} {}", moves.join(" ")).as_bytes())
}

/// What is known of a finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedGame {
    /// Who played, and when.
    pub fixture: Fixture,
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// How it ended.
    pub end: End,
    /// How long it was, with its opening.
    pub plies: usize,
    /// When it began, in seconds since 1970.
    pub begun: u64,
    /// How long it took.
    pub duration: Duration,
    /// Tells it from games with other moves, players or openings.
    pub mark: u64,
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
        let moves = game.moves.iter().map(|(mv, _)| mv.as_str());
        let since = begun.duration_since(SystemTime::UNIX_EPOCH);
        Self {
            fixture: *fixture,
            winner: game.winner,
            end: game.end.clone(),
            plies: game.moves.len(),
            begun: since.unwrap_or_default().as_secs(),
            duration: *duration,
            mark: mark(fixture.seats, opening.fen.as_deref(), moves),
        }
    }

    /// How it ended, as cutechess-cli says it.
    pub fn sentence(&self) -> String {
        self.end.sentence(self.winner)
    }

    /// The side that lost by a fault.
    pub fn at_fault(&self) -> Option<Side> {
        self.end.at_fault(self.winner)
    }

    /// How often games ended in each way, the most frequent first.
    pub fn ends(games: &[Self]) -> Vec<(String, usize)> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for game in games {
            // What differs between two of a kind follows a colon.
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
