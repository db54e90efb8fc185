//! Small commands: play, analyse, annotate, replay, solve, draw, perft, bench, rules, xboard.

pub mod analyse;
mod analyst;
pub mod annotate;
pub mod bench;
pub mod dialogue;
pub mod draw;
pub mod perft;
pub mod play;
pub mod replay;
pub mod rules;
pub mod solve;
pub mod xboard;

use crate::cli::Command;

/// The commands of this room, as `--help` lists them.
pub static COMMANDS: [Command; 14] = [
    dialogue::GO,
    dialogue::D,
    dialogue::EVAL,
    dialogue::QUERY,
    play::COMMAND,
    rules::COMMAND,
    xboard::COMMAND,
    bench::COMMAND,
    perft::COMMAND,
    draw::COMMAND,
    replay::COMMAND,
    analyse::COMMAND,
    annotate::COMMAND,
    solve::COMMAND,
];
