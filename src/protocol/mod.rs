//! The protocols on standard input and output.
//!
//! Each has a `Dialect` in the list here.

mod cecp;
mod channel;
mod link;
mod uci;

pub use cecp::XBOARD_SWITCHES;

use crate::engine::Engine;
use link::{Dialect, Leave, Link};
use std::io::{self, Read, Write};

/// Name and version of the program.
pub const NAME: &str = concat!("Quadrille ", env!("CARGO_PKG_VERSION"));

/// All protocols. A client whose first word is none of theirs speaks the first one.
static DIALECTS: &[&Dialect] = &[&uci::DIALECT, &cecp::DIALECT];

/// Talks to a client until it quits or its input ends.
pub fn run(
    engine: Engine,
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
) -> io::Result<()> {
    let mut link = Link::open(engine, DIALECTS, input, output);
    while let Leave::Switch = link.speak() {}
    link.close()
}
