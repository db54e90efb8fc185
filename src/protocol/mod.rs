//! What the engine speaks on standard input and output.
//!
//! A protocol is a file with a `Dialect`, which stands in the list here.

mod cecp;
mod channel;
mod desk;
mod uci;

pub use cecp::XBOARD_SWITCHES;

use crate::engine::Engine;
use desk::{Desk, Dialect, Leave};
use std::io::{self, Read, Write};

/// How the program names itself.
pub const NAME: &str = concat!("Quadrille ", env!("CARGO_PKG_VERSION"));

/// All protocols. Who begins with a word of none of them speaks the first one.
static DIALECTS: &[&Dialect] = &[&uci::DIALECT, &cecp::DIALECT];

/// Speaks with a client until it quits or its input ends.
///
/// # Errors
///
/// The output cannot be written, also because nobody reads it any more.
pub fn run(
    engine: Engine,
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
) -> io::Result<()> {
    let mut desk = Desk::open(engine, DIALECTS, input, output);
    while let Leave::ForAnother = desk.speak() {}
    desk.close()
}
