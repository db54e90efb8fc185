//! What the tests share. No test uses all of it.

#![allow(dead_code, unused_macros, unused_imports)]

pub mod checks;
pub mod client;
pub mod endings;
pub mod finishing;
pub mod positions;
#[cfg(unix)]
pub mod xboard;
