//! What the tests share.

pub mod checks;
pub mod client;
pub mod endings;
pub mod finishing;
pub mod positions;
pub mod shell;
#[cfg(unix)]
pub mod xboard;
