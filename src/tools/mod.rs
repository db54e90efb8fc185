//! What the binary does besides speaking a protocol.

pub mod analyse;
mod analyst;
pub mod annotate;
pub mod draw;
pub mod perft;
pub mod play;
pub mod replay;
pub mod rules;
pub mod solve;
pub mod xboard;
