//! All tests but the soak are one program, which is built and linked once. Its tests share the
//! cores; the soak plays by the clock and so runs alone.
//!
//! `cargo test --release --test all laws::` runs the tests of one file.

#![allow(unreachable_pub)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

mod analyse;
mod annotate;
mod announced;
mod browser;
mod cecp;
mod command_line;
mod damage;
mod documents;
mod draw;
mod endings;
mod failures;
mod faults;
mod fen;
mod finishing;
mod forced_wins;
mod fuzz;
mod laws;
mod learning;
mod match_engines;
mod match_machine;
mod match_parallel;
mod match_result;
mod match_resume;
mod match_scripts;
mod match_words;
mod page;
mod perft;
mod pgn;
mod play;
mod plies;
mod positions;
mod prove;
mod replay;
mod rules;
mod scores;
mod statistics;
mod tournament;
mod toy_game;
mod toy_learning;
mod uci;
mod ugi;
mod wasm;
mod xboard;
mod xboard_pressman;
