//! Messages of the playing threads.

use super::finished_game::PlayedGame;
use super::schedule::Fixture;
use crate::cli::Failure;

/// Message of a playing thread.
pub(super) enum MatchEvent {
    Started(Fixture),
    Finished(Box<PlayedGame>),
    /// The match was suspended during a game, which is played again.
    Void(Fixture),
    /// The machine has no room for the match.
    Failed(Failure),
    /// A warning for the user.
    Warning(String),
    /// A line to or from an engine.
    Traffic(String),
}
