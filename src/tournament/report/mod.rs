//! Results of a match: counted, and reported as lines, JSON and a page.

pub mod finished_game;
pub mod json;
pub mod lines;
pub mod page;
pub mod publish;
pub mod standing;
