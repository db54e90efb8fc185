//! What the engine speaks on standard input and output.

pub mod cecp;
mod channel;
mod mouse;
mod plies;
pub mod uci;

pub use channel::{Input, MAX_WAITING, Output, Waiting, read_lines};
pub use mouse::XBOARD_SWITCHES;

/// How the program names itself.
pub const NAME: &str = concat!("Quadrille ", env!("CARGO_PKG_VERSION"));
