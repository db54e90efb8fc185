//! What the binary does besides speaking a protocol.

pub mod interrupt;
pub mod perft;
pub mod random;
pub mod replay;
pub mod tournament;
