//! A command of the command line, in one place.

use super::console::Console;
use super::failure::Failure;
use std::process::ExitCode;

/// The column in which summaries begin in the list of commands.
const SUMMARY_COLUMN: usize = 37;

/// A command: `quadrille NAME ...`.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    pub name: &'static str,
    /// The words after the name, for the list of commands.
    pub operands: &'static str,
    /// A few words for the list of commands.
    pub summary: &'static str,
    /// The answer to `--help`; its first line is the usage.
    pub help: &'static str,
    /// Takes the words after the name.
    pub run: fn(&[&str], &mut dyn Console) -> Result<ExitCode, Failure>,
}

impl Command {
    /// Returns the list of commands for `--help`.
    pub fn list(commands: &[Self]) -> String {
        let line = |command: &Self| {
            let usage = format!("quadrille {} {}", command.name, command.operands);
            let (usage, summary) = (usage.trim_end(), command.summary);
            if usage.len() < SUMMARY_COLUMN {
                format!("{usage:SUMMARY_COLUMN$}{summary}\n")
            } else {
                format!("{usage}\n{:SUMMARY_COLUMN$}{summary}\n", "")
            }
        };
        commands.iter().map(line).collect()
    }

    /// Refuses a call with too few or too many words.
    pub fn misuse(&self) -> Failure {
        let usage = self.help.lines().next().unwrap_or_default();
        Failure::Usage(format!("usage: {usage}"))
    }
}
