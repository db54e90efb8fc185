//! The command line that all commands share: files to read, commands over the registry of games, and
//! Ctrl-C.

pub mod interrupt;
pub mod sources;
pub mod tool;
