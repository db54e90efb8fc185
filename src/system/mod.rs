//! What every room uses and no game knows of: the ground floor.

pub mod checksum;
pub mod date;
pub mod files;
pub mod memory;
pub(crate) mod processor;
pub use processor::built_for;
pub mod random;
pub mod sync;
pub mod terminal;
pub mod text;
