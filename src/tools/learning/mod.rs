//! What the networks learn from, and how: self-play, and training on it.

mod adam;
pub mod datagen;
mod features;
mod file;
mod model;
mod record;
pub mod train;
mod trainer;
