//! Tests of the program: what it says, reads, writes and starts.
//!
//! `cargo test --release --test program uci::` runs the tests of one file. The tests of a program share the cores.

#![allow(unreachable_pub)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code, unused_imports, unused_macros)]
mod common;

mod analyse;
mod annotate;
mod browser;
mod cecp;
mod command_line;
mod damage;
mod documents;
mod draw;
mod failures;
mod faults;
mod ground;
mod learning;
mod match_engines;
mod match_machine;
mod match_parallel;
mod match_result;
mod match_resume;
mod match_scripts;
mod match_words;
mod pgn;
mod play;
mod prove;
mod refusals;
mod replay;
mod rules;
mod statistics;
mod tournament;
mod toy_learning;
mod uci;
mod ugi;
mod wasm;
mod xboard;
mod xboard_pressman;
