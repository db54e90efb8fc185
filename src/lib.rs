//! Quadrille: an engine for four games that hardly any program plays.

pub mod board;
pub mod games;
