//! The numbers of the command line with their ranges.

use crate::cli::Failure;
use crate::engine::{MAX_GAME, MAX_THREADS};
use crate::statistics::elo::MAX_ELO;
use crate::system::text::{MAX_MILLIS, decimal, number};

/// Least and greatest value of a number.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    /// Of a whole number.
    Whole(u64, u64),
    /// Of a number that may have a fraction.
    Decimal(f64, f64),
}
use Range::{Decimal, Whole};

/// Largest number of games, rounds and the like, and largest score in centipawns.
pub(super) const MAX_COUNT: u64 = 1_000_000;
/// Longest time in seconds: a year.
const MAX_SECONDS: f64 = MAX_MILLIS as f64 / 1e3;

/// Numbers that are not the only word of an option: the option, the key there, and the range. `-each`
/// has the keys of `-engine`.
pub(super) const NUMBERS: [(&str, &str, Range); 22] = [
    ("-concurrency", "", Whole(0, MAX_THREADS as u64)),
    ("-concurrency", "free", Whole(0, MAX_COUNT)),
    ("-draw", "movecount", Whole(1, MAX_GAME as u64)),
    ("-draw", "movenumber", Whole(0, MAX_GAME as u64)),
    ("-draw", "score", Whole(0, MAX_COUNT)),
    ("-engine", "depth", Whole(1, u32::MAX as u64)),
    ("-engine", "nodes", Whole(1, u64::MAX)),
    ("-engine", "st", Decimal(0.001, MAX_SECONDS)),
    ("-engine", "tc", Decimal(0.001, MAX_SECONDS)),
    ("-engine", "tc moves", Whole(0, 10_000)),
    ("-engine", "tc increment", Decimal(0.0, MAX_SECONDS)),
    ("-engine", "timemargin", Whole(0, MAX_MILLIS)),
    ("-openings", "balance", Whole(0, i32::MAX as u64)),
    ("-openings", "plies", Whole(0, MAX_GAME as u64)),
    ("-openings", "seed", Whole(0, u64::MAX)),
    ("-openings", "start", Whole(1, MAX_COUNT)),
    ("-resign", "movecount", Whole(1, MAX_GAME as u64)),
    // With 0 an even game would be lost.
    ("-resign", "score", Whole(1, MAX_COUNT)),
    ("-sprt", "alpha", Decimal(1e-6, 0.499)),
    ("-sprt", "beta", Decimal(1e-6, 0.499)),
    ("-sprt", "elo0", Decimal(-MAX_ELO, MAX_ELO)),
    ("-sprt", "elo1", Decimal(-MAX_ELO, MAX_ELO)),
];

/// Reads a whole number of the table.
pub(super) fn whole<N: TryFrom<u64>>(option: &str, key: &str, text: &str) -> Result<N, Failure> {
    let name = if key.is_empty() { option } else { key };
    let mut known = NUMBERS.iter();
    let Some(&(_, _, Whole(least, most))) = known.find(|known| (known.0, known.1) == (option, key))
    else {
        unreachable!("{option} {key}");
    };
    let value = number(name, text, least, most)?;
    N::try_from(value).map_err(|_| Failure::Usage(format!("{name}: `{text}` is too large here")))
}

/// Reads a number of the table that may have a fraction.
pub(super) fn fraction(option: &str, key: &str, text: &str) -> Result<f64, Failure> {
    let mut known = NUMBERS.iter();
    match known.find(|known| (known.0, known.1) == (option, key)) {
        Some(&(_, _, Decimal(least, most))) => Ok(decimal(key, text, least, most)?),
        _ => unreachable!("{option} {key}"),
    }
}
