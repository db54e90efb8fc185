//! What the binary does besides speaking a protocol.

pub mod perft;
