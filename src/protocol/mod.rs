//! What the engine speaks on standard input and output.

pub mod cecp;
mod channel;
pub mod uci;

pub use cecp::XBOARD_SWITCHES;
pub use channel::{Input, MAX_WAITING, Output, Waiting, read_lines};

/// How the program names itself.
pub const NAME: &str = concat!("Quadrille ", env!("CARGO_PKG_VERSION"));
