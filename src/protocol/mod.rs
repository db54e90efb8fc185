//! What the engine speaks on standard input and output.

pub mod cecp;
mod channel;
mod mouse;
mod plies;
pub mod uci;

pub use channel::{Input, Line, MAX_LINE, MAX_WAITING, Output, Waiting, read_line, read_lines};
pub use mouse::XBOARD_SWITCHES;

use std::fmt::Display;
use std::str::FromStr;

/// How the program names itself.
pub const NAME: &str = concat!("Quadrille ", env!("CARGO_PKG_VERSION"));

/// Reads the whole number that follows a word, if it lies in a range.
///
/// # Errors
///
/// What the word asks for.
pub fn number<T: FromStr + PartialOrd + Display>(
    name: &str,
    text: &str,
    min: T,
    max: T,
) -> Result<T, String> {
    text.parse()
        .ok()
        .filter(|value| (&min..=&max).contains(&value))
        .ok_or_else(|| format!("{name}: `{text}` is not a whole number from {min} to {max}"))
}

/// Reads the number, whole or not, that follows a word, if it lies in a range.
///
/// # Errors
///
/// What the word asks for.
pub fn decimal(name: &str, text: &str, min: f64, max: f64) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value| (min..=max).contains(value))
        .ok_or_else(|| format!("{name}: `{text}` is not a number from {min} to {max}"))
}

/// The longest time that is taken at its word, in milliseconds: a year.
pub const MAX_MILLIS: i64 = 365 * 24 * 3600 * 1000;
