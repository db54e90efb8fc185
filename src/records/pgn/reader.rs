//! Games read from PGN.

use super::{PlayedMove, Record};
use std::fmt;
use std::io::{self, BufRead, Read};

/// The results of games.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Words that may follow a capture in passing.
const EN_PASSANT: [&str; 2] = ["e.p.", "ep"];

/// Limit of the text of a game.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// Why a game could not be read.
#[derive(Debug)]
pub enum PgnError {
    /// The input ended with an error.
    Unreadable {
        /// Number of lines read before.
        line: usize,
        /// The error.
        error: io::Error,
    },
    /// The text is not PGN.
    Malformed {
        /// The number of the line, from 1.
        line: usize,
        /// Its fault.
        fault: String,
    },
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { line, error } => write!(f, "after line {line}: {error}"),
            Self::Malformed { line, fault } => write!(f, "line {line}: {fault}"),
        }
    }
}

impl std::error::Error for PgnError {}

/// Iterates over games and keeps no more than one in memory.
///
/// It accepts the PGN of other programs: comments of both kinds, annotations and variations,
/// which it drops, numbers in any style, lines of any length and ending, escaped lines,
/// a byte order mark. Without a result after the moves, the tag counts. A broken game does not
/// affect the next, which begins with the next tags.
pub struct Reader<R> {
    input: R,
    /// Number of lines read to their end.
    lines: usize,
    /// First line of the last game returned.
    first_line: usize,
    /// The game being read.
    game: Option<Game>,
    /// True once the input has failed.
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads from an input.
    pub fn new(input: R) -> Self {
        Self {
            input,
            lines: 0,
            first_line: 0,
            game: None,
            failed: false,
        }
    }

    /// The number of the first line of the last game returned, from 1.
    pub fn first_line(&self) -> usize {
        self.first_line
    }

    /// Reads the next line, or a part of one that is too long, and its number; `None` at the end.
    fn read_line(&mut self) -> io::Result<Option<(usize, String)>> {
        let mut bytes = Vec::new();
        let mut limited = (&mut self.input).take(MAX_BYTES as u64);
        if limited.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let number = self.lines + 1;
        self.lines += usize::from(bytes.ends_with(b"\n"));
        let text = String::from_utf8_lossy(&bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        Ok(Some((number, text.trim().to_string())))
    }

    fn give(&mut self, game: Option<Game>) -> Option<Result<Record, PgnError>> {
        let game = game?;
        self.first_line = game.first_line;
        Some(game.finish())
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            let (line, text) = match self.read_line() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => {
                    self.failed = true;
                    let line = self.lines;
                    return Some(Err(PgnError::Unreadable { line, error }));
                }
            };
            match &mut self.game {
                Some(game) if !game.ends_before(&text) => game.read_line(line, &text),
                _ if text.is_empty() || text.starts_with('%') => {}
                _ => {
                    let mut game = Game::new(line);
                    game.read_line(line, &text);
                    let finished = self.game.replace(game);
                    if finished.is_some() {
                        return self.give(finished);
                    }
                }
            }
        }
        // After an error the last game may be incomplete.
        let last = self.game.take().filter(|_| !self.failed);
        self.give(last)
    }
}

/// A game being read.
struct Game {
    first_line: usize,
    record: Record,
    bytes: usize,
    /// True after the tags.
    in_moves: bool,
    /// The open comment, and the line in which it begins.
    comment: Option<(String, usize)>,
    /// The lines in which the open variations begin.
    variations: Vec<usize>,
    /// The first fault. The rest of the game is skipped.
    fault: Option<PgnError>,
}

impl Game {
    fn new(first_line: usize) -> Self {
        Self {
            first_line,
            record: Record::default(),
            bytes: 0,
            in_moves: false,
            comment: None,
            variations: Vec::new(),
            fault: None,
        }
    }

    /// True if a line belongs to the next game, even within an open comment or variation, which may
    /// be the fault of this game.
    fn ends_before(&self, text: &str) -> bool {
        match read_tag(text) {
            Some((name, _, _)) => self.in_moves || (name == "Event" && self.has_begun()),
            // A tag that is broken, unless it is part of a comment.
            None => self.in_moves && self.comment.is_none() && text.starts_with('['),
        }
    }

    fn has_begun(&self) -> bool {
        !self.record.tags.is_empty() || self.fault.is_some()
    }

    fn read_line(&mut self, line: usize, text: &str) {
        if self.fault.is_some() {
            // Where the moves begin must still be known.
            self.in_moves |= !text.is_empty() && !text.starts_with('[');
            return;
        }
        self.bytes += text.len();
        let result = if self.bytes >= MAX_BYTES {
            Err(format!("the game is longer than {MAX_BYTES} bytes"))
        } else if self.comment.is_none() && text.starts_with('%') {
            Ok(())
        } else {
            self.read(line, text)
        };
        self.fault = result
            .err()
            .map(|fault| PgnError::Malformed { line, fault });
    }

    fn read(&mut self, line: usize, mut text: &str) -> Result<(), String> {
        while !self.in_moves {
            text = text.trim_start();
            if text.is_empty() {
                return Ok(());
            }
            if text.starts_with('[') {
                let (name, value, rest) =
                    read_tag(text).ok_or_else(|| format!("`{}` is not a tag", shorten(text)))?;
                self.record.tags.push((name.to_string(), value));
                text = rest;
            } else {
                self.in_moves = true;
            }
        }
        self.read_moves(line, text)
    }

    fn read_moves(&mut self, line: usize, mut text: &str) -> Result<(), String> {
        loop {
            if let Some((comment, _)) = &mut self.comment {
                let Some((inside, rest)) = text.split_once('}') else {
                    comment.push_str(text);
                    comment.push(' ');
                    return Ok(());
                };
                comment.push_str(inside);
                text = rest;
                if let Some((comment, _)) = self.comment.take() {
                    self.add_comment(&comment);
                }
            }
            text = text.trim_start();
            let Some(first) = text.chars().next() else {
                return Ok(());
            };
            let rest = &text[first.len_utf8()..];
            match first {
                '{' => self.comment = Some((String::new(), line)),
                ';' => {
                    self.add_comment(rest);
                    return Ok(());
                }
                '(' => self.variations.push(line),
                ')' if self.variations.pop().is_some() => {}
                ')' | '}' | '[' | ']' => return Err(format!("a `{first}` that closes nothing")),
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "{};()[]$".contains(c));
                    let (word, rest) =
                        text.split_at(end.map_or(text.len(), |end| first.len_utf8() + end));
                    if self.variations.is_empty() {
                        self.read_word(word)?;
                    }
                    text = rest;
                    continue;
                }
            }
            text = rest;
        }
    }

    /// Reads a result, a move, its number or an annotation, or a number and a move in one.
    fn read_word(&mut self, word: &str) -> Result<(), String> {
        if !self.record.result.is_empty() {
            return Err(format!("`{}` follows the result", shorten(word)));
        }
        if let Some(result) = read_result(word) {
            self.record.result = result.to_string();
            return Ok(());
        }
        if EN_PASSANT.contains(&word) {
            return Ok(());
        }
        let after_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = after_number.is_empty() || after_number.starts_with('.');
        let text = if is_number {
            after_number.trim_start_matches('.')
        } else {
            word
        };
        let text = text.trim_end_matches(['!', '?']);
        if !text.is_empty() && !text.starts_with('$') {
            self.record.moves.push(PlayedMove {
                text: text.to_string(),
                ..PlayedMove::default()
            });
        }
        Ok(())
    }

    /// Adds a comment to the move before it.
    fn add_comment(&mut self, text: &str) {
        let Some(last) = self.record.moves.last_mut() else {
            return;
        };
        if self.variations.is_empty() {
            for word in text.split_whitespace() {
                match &mut last.comment {
                    Some(comment) => {
                        comment.push(' ');
                        comment.push_str(word);
                    }
                    None => last.comment = Some(word.to_string()),
                }
            }
        }
    }

    fn finish(mut self) -> Result<Record, PgnError> {
        let open = match (&self.comment, self.variations.last()) {
            (Some((_, line)), _) => Some(("comment", *line)),
            (None, Some(line)) => Some(("variation", *line)),
            (None, None) => None,
        };
        let unclosed = open.map(|(what, line)| PgnError::Malformed {
            line,
            fault: format!("a {what} begins that does not end"),
        });
        if let Some(fault) = self.fault.or(unclosed) {
            return Err(fault);
        }
        if self.record.result.is_empty() {
            let stated = self.record.tag("Result");
            let result = stated.and_then(read_result);
            self.record.result = result.unwrap_or("*").to_string();
        }
        Ok(self.record)
    }
}

/// Reads a result, which may be abbreviated.
fn read_result(word: &str) -> Option<&str> {
    let result = if word == "1/2" { "1/2-1/2" } else { word };
    RESULTS.contains(&result).then_some(result)
}

/// The name and the value of a tag at the beginning of a text, and the rest.
fn read_tag(text: &str) -> Option<(&str, String, &str)> {
    let rest = text.strip_prefix('[')?.trim_start();
    let (name, rest) = rest.split_once(char::is_whitespace)?;
    let mut rest = rest.trim_start().strip_prefix('"')?.chars();
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let mut value = String::new();
    loop {
        match rest.next()? {
            '"' => {
                // Some programs do not escape the quotes inside the value.
                if let Some(rest) = rest.as_str().trim_start().strip_prefix(']') {
                    return Some((name, value, rest));
                }
                value.push('"');
            }
            '\\' if rest.as_str().starts_with(['"', '\\']) => value.extend(rest.next()),
            c => value.push(c),
        }
    }
}

/// The beginning of a text, for messages.
fn shorten(text: &str) -> String {
    const LENGTH: usize = 60;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
