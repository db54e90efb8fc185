//! What the tests share. No test uses all of it.

#![allow(dead_code)]

pub mod client;
pub mod positions;
#[cfg(unix)]
pub mod xboard;
