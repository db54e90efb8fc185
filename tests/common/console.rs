//! A console whose lines a test types and reads.

use quadrille::cli::Console;
use quadrille::system::text::InputLine;
use std::io;

/// Passes lines to `say`, progress to `progress`, and reads the answer of `ask`.
pub struct TestConsole<'c> {
    pub say: &'c mut dyn FnMut(&str),
    pub progress: &'c mut dyn FnMut(&str),
    pub ask: &'c mut dyn FnMut() -> Option<String>,
}

impl Console for TestConsole<'_> {
    fn say(&mut self, line: &str) {
        (self.say)(line);
    }

    fn progress(&mut self, text: &str) {
        (self.progress)(text);
    }

    fn ask(&mut self, _prompt: &str) -> io::Result<Option<InputLine>> {
        Ok((self.ask)().map(|line| InputLine::Whole(line.into_bytes())))
    }
}
