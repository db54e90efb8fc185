//! What the engine speaks on standard input and output.
//!
//! A protocol is a file with a `Dialect`, which stands in the list of the front desk.

mod cecp;
mod channel;
mod desk;
mod uci;

pub use cecp::XBOARD_SWITCHES;
pub use desk::run;

/// How the program names itself.
pub const NAME: &str = concat!("Quadrille ", env!("CARGO_PKG_VERSION"));
