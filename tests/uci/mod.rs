//! Dialogues in UCI, as clients lead them.

mod answers;
mod bad_input;
mod ending;
mod handshake;
mod limits;
mod queries;
mod steering;

use crate::common::client::{Client, value};
use quadrille::engine::{Sheet, VARIANTS};
use std::time::Duration;

/// Time limit for the end of the program.
const AT_ONCE: Duration = Duration::from_secs(2);

/// Starts a dialogue in each game.
fn each_game() -> impl Iterator<Item = (Client, &'static Sheet)> {
    VARIANTS.iter().map(|variant| (Client::playing(variant.info.name), variant.info))
}

/// The start position and the samples of a game, as arguments of `position`.
fn positions(info: &Sheet) -> Vec<String> {
    let samples = info.samples.iter().map(|fen| format!("fen {fen}"));
    std::iter::once("startpos".into()).chain(samples).collect()
}

/// The move of a `bestmove` line.
fn best(lines: &[String]) -> &str {
    value(lines.last().unwrap(), "bestmove").unwrap()
}

/// The info lines with a score.
fn scored(lines: &[String]) -> impl DoubleEndedIterator<Item = &str> {
    let lines = lines.iter().map(String::as_str);
    lines.filter(|line| line.contains(" score "))
}
