//! The ground floor: files, text, time and processors, for every room.

pub mod checksum;
pub mod date;
#[cfg(all(unix, target_pointer_width = "64"))]
pub mod descriptors;
pub mod files;
pub mod interval;
pub mod patient;
pub mod process_group;
pub mod processor;
pub use processor::built_for;
pub mod random;
pub mod sealed;
pub mod signal;
pub mod sync;
pub mod terminal;
pub mod text;

/// An error of any room.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;
