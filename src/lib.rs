//! Quadrille: an engine for four games that hardly any program plays: Gothic Chess,
//! Congress Chess, Pressman and Cross-Eyed Chess.
//!
//! The modules from the ground up, each built on those before it: [`system`] reads files and
//! numbers, [`statistics`] turns results into Elo, [`board`] has squares and lines, [`games`] the
//! rules, [`text`] and [`draw`] moves and boards as text and pictures, [`eval`] the networks,
//! [`endings`] solved endings, [`search`] the search. [`engine`] holds a game in progress without
//! showing its type, [`records`] reads and writes games, [`cli`] is what commands share,
//! [`protocol`] speaks to clients, [`page`] is the board in a browser, and [`tools`],
//! [`browser`], [`proof`], [`learning`] and [`tournament`] are the commands.
//! `.github/CONTRIBUTING.md` has the map of the rooms.
//!
//! A game from its start, and a search of it:
//!
//! ```
//! use quadrille::games::{GameExt, Gothic};
//! use quadrille::search::value::mate_in;
//! use quadrille::search::{Limits, Resources, Searcher, Table};
//! use std::sync::Arc;
//!
//! let position = Gothic::from_fen("3k6/10/3K6/10/10/10/10/9R w - - 0 1")?;
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let table = Arc::new(Table::new(1, 1));
//! let answer = Searcher::default().search(
//!     &position, &[], &[], &limits, &Resources::alone(&table), &mut |_| {},
//! );
//! assert_eq!(answer.value, mate_in(1));
//! # Ok::<(), quadrille::games::FenError>(())
//! ```

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

// The rooms that a program would use as a library document each name; commands, `--help`.
pub mod browser;
pub mod cli;
pub mod learning;
pub mod page;
pub mod proof;
pub mod protocol;
pub mod tools;
pub mod tournament;
#[cfg(target_family = "wasm")]
mod wasm;

#[warn(missing_docs)]
pub mod board;
#[warn(missing_docs)]
pub mod draw;
#[warn(missing_docs)]
pub mod endings;
#[warn(missing_docs)]
pub mod engine;
#[warn(missing_docs)]
pub mod eval;
#[warn(missing_docs)]
pub mod games;
#[warn(missing_docs)]
pub mod records;
#[warn(missing_docs)]
pub mod search;
#[warn(missing_docs)]
pub mod statistics;
#[warn(missing_docs)]
pub mod system;
#[warn(missing_docs)]
pub mod text;

// Unit tests try the same positions as those in `tests`, by the names used there.
#[cfg(test)]
extern crate self as quadrille;
#[cfg(test)]
#[allow(unreachable_pub)]
#[path = "../tests/common/positions.rs"]
mod positions;
