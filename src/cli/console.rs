//! Output of a command, and input of a person.

use crate::system::patient::Patient;
use crate::system::text::{InputLine, read_line, visible};
use crate::system::{process_group, terminal};
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Console of a command. A closure `|line|` is a console that gets the result alone.
pub trait Console {
    /// Prints a line of the result.
    fn say(&mut self, line: &str);

    /// Prints a warning or a fault, apart from the result.
    fn warn(&mut self, _line: &str) {}

    /// Shows the progress in place of the progress shown before, if somebody watches.
    fn progress(&mut self, _text: &str) {}

    /// Reads a line after a prompt; `None` at the end of the input.
    fn ask(&mut self, _prompt: &str) -> io::Result<Option<InputLine>> {
        Ok(None)
    }
}

impl<F: FnMut(&str)> Console for F {
    fn say(&mut self, line: &str) {
        self(line);
    }
}

/// Standard input, output and error.
#[derive(Debug, Default)]
pub struct Standard {
    /// Name of the command; empty before it is known.
    pub command: &'static str,
    /// Length of the progress line on the terminal, in characters.
    shown: usize,
}

impl Console for Standard {
    fn say(&mut self, line: &str) {
        if io::stdout().is_terminal() {
            self.progress("");
        }
        // In one write, so that the lines of programs that share a pipe stay whole.
        let mut output = Patient(io::stdout());
        let written = output.write_all(format!("{line}\n").as_bytes());
        check_written(written.and_then(|()| output.flush()));
    }

    fn warn(&mut self, line: &str) {
        self.progress("");
        // The work continues if nobody can read it.
        let separator = if self.command.is_empty() { "" } else { ": " };
        let line = format!("quadrille: {}{separator}{}\n", self.command, visible(line));
        let _ = io::stderr().write_all(line.as_bytes());
    }

    fn progress(&mut self, text: &str) {
        if (self.shown > 0 || !text.is_empty()) && io::stderr().is_terminal() {
            // Spaces and not an escape code, which old consoles of Windows would print.
            let text = visible(text);
            let line = format!("\r{:1$}\r{text}", "", self.shown);
            let _ = io::stderr().write_all(line.as_bytes());
            self.shown = text.chars().count();
        }
    }

    fn ask(&mut self, prompt: &str) -> io::Result<Option<InputLine>> {
        let is_interactive = terminal::is_interactive();
        if is_interactive {
            // A person who does not see the prompt can type all the same.
            let mut output = io::stdout();
            let _ = output.write_all(prompt.as_bytes());
            let _ = output.flush();
        }
        let line = read_line(&mut Patient(io::stdin().lock()))?;
        if is_interactive && line.is_none() {
            self.say("");
        }
        Ok(line)
    }
}

/// Ends the program if its output cannot be written; quietly, if nobody reads it any more.
pub fn check_written(written: io::Result<()>) {
    let Err(error) = written else { return };
    process_group::kill_all();
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    eprintln!("quadrille: the output cannot be written: {error}");
    std::process::exit(1);
}
