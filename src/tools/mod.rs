//! What the binary does besides speaking a protocol.

pub mod analyse;
pub mod draw;
mod epd;
pub mod interrupt;
mod json;
pub mod learning;
pub mod perft;
pub mod random;
pub mod replay;
pub mod tournament;
pub mod xboard;
