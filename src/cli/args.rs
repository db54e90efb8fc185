//! The words of a command line: options with their values, and one wording for each fault.

use super::failure::Failure;
use crate::engine::{VARIANTS, Variant, find_variant};
use crate::system::text;
use std::fmt::Display;
use std::str::FromStr;

/// Returns true for a word that asks for the help of a command.
pub fn is_help(word: &str) -> bool {
    matches!(word, "--help" | "-help" | "-h")
}

/// Ends a command that has no option with a value, if a word asks for its help.
pub fn refuse_help(words: &[&str]) -> Result<(), Failure> {
    let asks = words.iter().any(|word| is_help(word));
    if asks { Err(Failure::Help) } else { Ok(()) }
}

/// Iterates over the words of a command. After an option, its value is taken with
/// [`value`](Self::value), [`number`](Self::number) and the like.
#[derive(Clone, Debug)]
pub struct Args<'w> {
    words: std::slice::Iter<'w, &'w str>,
    /// The word returned last.
    current: &'w str,
}

impl<'w> Args<'w> {
    /// Takes the words after the name of a command.
    pub fn new(words: &'w [&'w str]) -> Self {
        Self { words: words.iter(), current: "" }
    }

    /// Takes the value of the current option.
    pub fn value(&mut self) -> Result<&'w str, Failure> {
        let value = self.words.next().copied();
        value.ok_or_else(|| self.refuse("its value is missing"))
    }

    /// Takes a whole number in a range.
    pub fn number<T>(&mut self, min: T, max: T) -> Result<T, Failure>
    where
        T: FromStr + PartialOrd + Display,
    {
        let value = self.value()?;
        Ok(text::number(self.current, value, min, max)?)
    }

    /// Takes a number in a range.
    pub fn decimal(&mut self, min: f64, max: f64) -> Result<f64, Failure> {
        let value = self.value()?;
        Ok(text::decimal(self.current, value, min, max)?)
    }

    /// Takes the name of a game.
    pub fn variant(&mut self, variants: &'static [Variant]) -> Result<Variant, Failure> {
        Ok(find_variant(variants, self.value()?)?)
    }

    /// Returns the current word as a file or the like.
    pub fn operand(&self) -> Result<&'w str, Failure> {
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

    /// Returns the current word.
    pub fn current(&self) -> &'w str {
        self.current
    }

    /// Refuses the current word, which the command does not know unless it asks for help.
    pub fn unknown(&self) -> Failure {
        if is_help(self.current) {
            Failure::Help
        } else {
            Failure::Usage(format!("`{}` is not understood", self.current))
        }
    }

    /// Refuses the current option.
    pub fn refuse(&self, fault: impl Display) -> Failure {
        Failure::Usage(format!("{}: {fault}", self.current))
    }
}

/// Refuses a command line without something that the command needs.
pub fn missing(name: &str) -> Failure {
    Failure::Usage(format!("{name} is missing"))
}

/// Finds one of the program's games.
pub fn variant(name: &str) -> Result<Variant, Failure> {
    Ok(find_variant(VARIANTS, name)?)
}

impl<'w> Iterator for Args<'w> {
    type Item = &'w str;

    fn next(&mut self) -> Option<&'w str> {
        self.current = self.words.next()?;
        Some(self.current)
    }
}
