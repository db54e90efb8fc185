//! Games, positions and results as text: PGN, EPD and JSON.

pub mod epd;
pub mod json;
pub mod pgn;
