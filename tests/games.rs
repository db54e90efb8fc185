//! Tests of the games: their rules, their endings, and that the search finds and plays what the rules promise.
//!
//! They are a program of their own because they compile the search for each game: two programs are built side by side.
//! `cargo test --release --test games laws::` runs the tests of one file.

#![allow(unreachable_pub)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code, unused_imports, unused_macros)]
mod common;

mod announced;
mod endings;
mod fen;
mod finishing;
mod forced_wins;
mod fuzz;
mod laws;
mod levels;
mod perft;
mod plies;
mod positions;
mod scores;
mod toy_game;
