//! Messages of the playing threads, and the game that one has played.

use super::game::Scoresheet;
use super::openings::Opening;
use super::schedule::Fixture;
use crate::cli::Failure;
use std::time::{Duration, SystemTime};

/// A game that has ended.
pub(super) struct PlayedGame {
    pub fixture: Fixture,
    pub opening: Opening,
    pub sheet: Scoresheet,
    pub begun: SystemTime,
    pub duration: Duration,
}

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
