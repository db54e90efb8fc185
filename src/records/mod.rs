//! Games, positions and results as text: PGN, EPD, JSON, and what pages with boards share.

mod check;
pub mod epd;
mod fillers;
pub mod json;
pub mod page;
pub mod pgn;

pub use check::check;

use crate::engine::{Session, Variant};

/// Opens a game before its first move, and removes the fillers of XBoard from it.
///
/// # Errors
///
/// The tag `FEN` is wrong, or missing beside `SetUp`.
pub fn open(record: &mut pgn::Record, variant: Variant) -> Result<Box<dyn Session>, String> {
    fillers::leave_out(record, variant);
    record.open(variant)
}

/// Plays a move in any notation and returns it in coordinates. `number` is its number in the game.
///
/// # Errors
///
/// It is not legal, or the game is too long.
pub fn play(session: &mut dyn Session, number: usize, text: &str) -> Result<String, String> {
    let mv = session
        .read_san(text)
        .map_err(|error| format!("move {number}: {error}"))?;
    session.play(&mv).map_err(|error| error.to_string())?;
    Ok(mv)
}

/// Plays moves in any notation and returns them in coordinates.
///
/// # Errors
///
/// One of the moves cannot be played; it is named.
pub fn play_all<'t>(
    session: &mut dyn Session,
    moves: impl IntoIterator<Item = &'t str>,
) -> Result<Vec<String>, String> {
    let moves = (1..).zip(moves);
    moves
        .map(|(number, text)| play(session, number, text))
        .collect()
}
