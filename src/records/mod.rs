//! Games, positions and results as text: PGN, EPD and JSON.

pub mod epd;
mod fillers;
pub mod json;
pub mod pgn;

use crate::engine::{Session, Variant};

/// A game that was read, before its first move. What XBoard has played between its moves is left
/// out.
///
/// # Errors
///
/// The tag `FEN` is wrong, or missing where another says that there is one.
pub fn open(record: &mut pgn::Record, variant: Variant) -> Result<Box<dyn Session>, String> {
    fillers::leave_out(record, variant);
    record.open(variant)
}

/// Plays a game's move, the `number`th, in whatever notation, and returns it as the engine
/// writes it.
///
/// # Errors
///
/// Why it cannot be played.
pub fn play(session: &mut dyn Session, number: usize, text: &str) -> Result<String, String> {
    let mv = session
        .read_san(text)
        .map_err(|error| format!("move {number}: {error}"))?;
    session.play(&mv).map_err(|error| error.to_string())?;
    Ok(mv)
}

/// Plays moves in whatever notation and returns them as the engine writes them.
///
/// # Errors
///
/// Which cannot be played, and why.
pub fn play_all<'t>(
    session: &mut dyn Session,
    moves: impl IntoIterator<Item = &'t str>,
) -> Result<Vec<String>, String> {
    let moves = (1..).zip(moves);
    moves
        .map(|(number, text)| play(session, number, text))
        .collect()
}
