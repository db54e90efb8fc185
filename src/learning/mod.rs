//! What the networks learn from, and how: self-play, and training on it; and better
//! constants for the search.

mod adam;
mod data;
pub mod datagen;
mod features;
mod file;
mod gate;
pub mod learn;
mod model;
mod parallel;
mod record;
mod score_model;
mod selfplay;
mod spsa;
pub mod train;
mod trainer;
pub mod tune;

use crate::cli::Command;

/// The commands of this room, as `--help` lists them.
pub const COMMANDS: &[Command] = &[
    datagen::COMMAND,
    train::COMMAND,
    learn::COMMAND,
    tune::COMMAND,
];
