//! Learning: self-play, training of networks, and tuning of search parameters.

mod adam;
mod checkpoint;
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
mod test_set;
pub mod train;
mod trainee;
mod trainer;
pub mod tune;

use crate::cli::Command;

/// The commands of this module, as `--help` lists them.
pub static COMMANDS: [Command; 4] =
    [datagen::COMMAND, train::COMMAND, learn::COMMAND, tune::COMMAND];
