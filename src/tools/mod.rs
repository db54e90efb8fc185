//! What the binary does besides speaking a protocol.

pub mod bench;
pub mod perft;
