//! What the engine speaks on standard input and output.

mod channel;
pub mod uci;

pub use channel::{Input, Line, MAX_LINE, Output, read_line, read_lines};
