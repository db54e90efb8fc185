//! Match statistics: Elo and its error from counted results, and the sequential test.

pub mod elo;
pub mod sample;
pub mod sprt;
