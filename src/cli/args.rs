//! The words of a command line: options with their values, and one wording for each fault,
//! `COMMAND: --option: FAULT; see COMMAND --help`.

use crate::engine::{VARIANTS, Variant, find_variant};
use crate::system::text;
use std::fmt::Display;
use std::str::FromStr;

/// Iterates over the words of a command. After an option, its value is taken with
/// [`value`](Self::value), [`number`](Self::number) and the like.
#[derive(Clone, Debug)]
pub struct Args<'w> {
    command: &'static str,
    words: std::slice::Iter<'w, &'w str>,
    /// The word returned last.
    current: &'w str,
}

impl<'w> Args<'w> {
    /// Words after the name of a command.
    pub fn new(command: &'static str, words: &'w [&'w str]) -> Self {
        Self {
            command,
            words: words.iter(),
            current: "",
        }
    }

    /// Takes the value of the current option.
    pub fn value(&mut self) -> Result<&'w str, String> {
        let value = self.words.next().copied();
        value.ok_or_else(|| self.fault("its value is missing"))
    }

    /// Takes a whole number in a range.
    pub fn number<T>(&mut self, min: T, max: T) -> Result<T, String>
    where
        T: FromStr + PartialOrd + Display,
    {
        let value = self.value()?;
        text::number(self.current, value, min, max).map_err(|error| self.with_help(&error))
    }

    /// Takes a number in a range.
    pub fn decimal(&mut self, min: f64, max: f64) -> Result<f64, String> {
        let value = self.value()?;
        text::decimal(self.current, value, min, max).map_err(|error| self.with_help(&error))
    }

    /// Takes the name of a game.
    pub fn variant(&mut self, variants: &'static [Variant]) -> Result<Variant, String> {
        let name = self.value()?;
        find_variant(variants, name).map_err(|error| self.with_help(&error))
    }

    /// Returns the current word as a file or the like.
    pub fn operand(&self) -> Result<&'w str, String> {
        if self.current.starts_with('-') && self.current != "-" {
            Err(self.unknown())
        } else {
            Ok(self.current)
        }
    }

    /// Takes the words up to the next option.
    pub fn words(&mut self) -> impl Iterator<Item = &'w str> {
        let all = self.words.as_slice();
        let is_option = |word: &&str| word.starts_with("--");
        let (words, rest) = all.split_at(all.iter().position(is_option).unwrap_or(all.len()));
        self.words = rest.iter();
        words.iter().copied()
    }

    /// Describes the current word as one that the command does not know.
    pub fn unknown(&self) -> String {
        self.with_help(&format!("`{}` is not understood", self.current))
    }

    /// Describes a fault of the current option.
    pub fn fault(&self, fault: impl Display) -> String {
        self.with_help(&format!("{}: {fault}", self.current))
    }

    /// Describes something that the command needs and did not get.
    pub fn missing(&self, name: &str) -> String {
        self.with_help(&format!("{name} is missing"))
    }

    fn with_help(&self, fault: &str) -> String {
        format!("{0}: {fault}; see {0} --help", self.command)
    }
}

/// Finds one of the program's games.
pub fn variant(name: &str) -> Result<Variant, String> {
    find_variant(VARIANTS, name)
}

impl<'w> Iterator for Args<'w> {
    type Item = &'w str;

    fn next(&mut self) -> Option<&'w str> {
        self.current = self.words.next()?;
        Some(self.current)
    }
}
