//! A command of the command line, in one place.

use super::console::Console;
use super::interrupt::{self, Interrupt};
use std::process::ExitCode;

/// A command: `quadrille NAME ...`.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// The name, the first word.
    pub name: &'static str,
    /// The words after it, for the list of commands.
    pub operands: &'static str,
    /// What it does, for the list of commands.
    pub summary: &'static str,
    /// The answer to `--help`; its first line is the usage.
    pub help: &'static str,
    /// True if it runs for long: Ctrl-C then asks it to wind up.
    pub is_long: bool,
    /// Runs it with the words after the name.
    pub run: fn(&[&str], &Interrupt, &mut dyn Console) -> Result<ExitCode, String>,
}

impl Command {
    /// Runs the command. `arguments` begin with its name.
    ///
    /// # Errors
    ///
    /// The command line is wrong, or what the command cannot do.
    pub fn run(&self, arguments: &[&str], console: &mut dyn Console) -> Result<ExitCode, String> {
        match self.is_long {
            true => interrupt::supervise(arguments, |words, interrupt| {
                (self.run)(words, interrupt, console)
            }),
            false => (self.run)(
                arguments.get(1..).unwrap_or_default(),
                &Interrupt::default(),
                console,
            ),
        }
    }
}
