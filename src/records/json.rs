//! A writer of JSON. Values are passed as JSON text.

use std::fmt::{self, Display, Write};

/// An object, written key by key.
#[derive(Clone, Default)]
pub struct Object {
    members: String,
}

impl Object {
    /// Creates an object without keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a key.
    pub fn with(mut self, key: &str, value: impl Display) -> Self {
        let comma = if self.members.is_empty() { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(self.members, "{comma}{}: {value}", string(key));
        self
    }

    /// Adds a key if it has a value.
    pub fn with_some(self, key: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }
}

impl Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.members)
    }
}

/// Returns an array of values.
pub fn array<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// Returns a text in quotes.
pub fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            // Required for the first of these; the other is one in most terminals.
            '\0'..='\x1f' | '\x7f' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
