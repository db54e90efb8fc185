//! What the tests share. No test uses all of it.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod client;
pub mod positions;
