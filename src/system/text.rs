//! Lines and numbers from text.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{BufRead, Read, Result as IoResult};
use std::str::FromStr;
use std::time::Duration;

/// The longest accepted line in bytes. A game of 10,000 moves takes 60,000.
pub const MAX_LINE: u64 = 1 << 20;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A line of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputLine {
    /// All bytes with the line end, but without the byte-order mark with which some editors and
    /// shells begin a text.
    Whole(Vec<u8>),
    /// A line longer than [`MAX_LINE`], which was skipped.
    TooLong,
}

/// Reads a line; `None` after the last.
pub fn read_line(input: &mut impl BufRead) -> IoResult<Option<InputLine>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(InputLine::TooLong));
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(Some(InputLine::Whole(bytes)))
}

/// Decodes text of a file: UTF-8, or else Windows-1252, which is Latin-1 with a few more letters.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    /// The characters 0x80 to 0x9F.
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    let letter = |&byte: &u8| match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    match str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(letter).collect(),
    }
}

/// Checks the first bytes of a file for encodings that [`decode`] does not read.
/// Some editors and shells on Windows write UTF-16.
pub fn check_encoding(bytes: &[u8]) -> Result<(), String> {
    let order = match *bytes {
        [0xff, 0xfe, ..] => "LE",
        [0xfe, 0xff, ..] => "BE",
        [a, 0, b, 0, ..] if a.min(b) > 0 => "LE",
        [0, a, 0, b, ..] if a.min(b) > 0 => "BE",
        _ => return Ok(()),
    };
    Err(format!("the text is UTF-16{order}: save it as UTF-8"))
}

/// Returns true for white space, and for what pads files or begins them: NUL, Ctrl-Z, a byte-order
/// mark.
pub fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || "\0\u{1a}\u{feff}".contains(letter)
}

/// Returns the beginning of a text, for messages.
pub fn shorten(text: &str) -> Cow<'_, str> {
    shorten_to(60, text)
}

/// Returns the first `length` characters of a text.
pub fn shorten_to(length: usize, text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Fills lines of at most `columns` columns with words.
pub fn fill<'w>(words: impl IntoIterator<Item = &'w str>, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// Replaces characters that act on a terminal or are invisible by U+FFFD, and a tab by a blank: what
/// a client, a file or an engine wrote is then one harmless line. No such text is repeated without it.
pub fn visible(text: &str) -> String {
    let visible = |letter: char| match letter {
        '\t' => ' ',
        ' '..='~' => letter,
        // A printable letter has no escape. Combining marks have one only at the beginning of a text.
        _ if format!("_{letter}").escape_debug().count() == 2 => letter,
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(visible).collect()
}

/// Formats a number with its noun, as in `1 move` and `2 moves`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Error for a value that does not suit the option before it. The message repeats both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueError(String);

impl ValueError {
    /// Describes a value that is `fault`, such as "not a number".
    pub fn new(name: &str, value: &str, fault: impl Display) -> Self {
        Self(format!("{name}: `{value}` is {fault}"))
    }
}

impl Display for ValueError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ValueError {}

/// Reads a number as it is written everywhere: unlike `str::parse`, without a `+`.
pub fn plain<T: FromStr>(text: &str) -> Option<T> {
    (!text.starts_with('+')).then(|| text.parse().ok())?
}

/// Reads the whole number that follows a word, if it lies in a range.
pub fn number<T: FromStr + PartialOrd + Display>(
    name: &str,
    text: &str,
    min: T,
    max: T,
) -> Result<T, ValueError> {
    let fault = || format!("not a whole number from {min} to {max}");
    plain(text)
        .filter(|value| (&min..=&max).contains(&value))
        .ok_or_else(|| ValueError::new(name, text, fault()))
}

/// Reads the number, whole or not, that follows a word, if it lies in a range.
pub fn decimal(name: &str, text: &str, min: f64, max: f64) -> Result<f64, ValueError> {
    let fault = || format!("not a number from {min} to {max}");
    plain(text)
        .filter(|value| (min..=max).contains(value))
        .ok_or_else(|| ValueError::new(name, text, fault()))
}

/// Reads the number that follows a word, without its fraction, as the nearest one from 0 to `max`.
pub fn clamped(name: &str, text: &str, max: u64) -> Result<u64, ValueError> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte));
    match plain::<f64>(text) {
        Some(value) if is_number => Ok((value as u64).min(max)),
        _ => Err(ValueError::new(name, text, "not a number")),
    }
}

/// The longest accepted time in milliseconds: a year.
pub const MAX_MILLIS: u64 = 365 * 24 * 3600 * 1000;

/// Reads a time in milliseconds. A time below zero, sent by some clients once it has run out,
/// counts as none left.
pub fn millis(name: &str, text: &str) -> Result<Duration, ValueError> {
    clamped(name, text, MAX_MILLIS).map(Duration::from_millis)
}

/// Reads `true` or `false`.
pub fn truth(key: &str, value: &str) -> Result<bool, ValueError> {
    value.parse().map_err(|_| ValueError::new(key, value, "neither true nor false"))
}
