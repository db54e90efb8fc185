//! The ground floor: files, text, time and processors, for every room.

pub mod checksum;
pub mod date;
pub mod files;
pub mod process_group;
pub mod processor;
pub use processor::built_for;
pub mod random;
pub mod signal;
pub mod sync;
pub mod terminal;
pub mod text;
