//! What the engine speaks on standard input and output.

mod channel;
pub mod uci;

pub use channel::{Input, Output, read_lines};
