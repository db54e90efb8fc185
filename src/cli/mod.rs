//! Command lines: arguments, the console, commands, files to read and Ctrl-C.

pub mod args;
pub mod command;
pub mod console;
pub mod distinct;
pub mod failure;
pub mod interrupt;
pub mod sources;
pub mod tool;

pub use args::{Args, is_help, missing, refuse_help, variant};
pub use command::Command;
pub use console::Console;
pub use distinct::{Access, check_distinct};
pub use failure::Failure;
