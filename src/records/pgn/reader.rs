//! Games read from PGN.

use super::marks::{canonical, is_figurine, split_marks};
use super::{PlayedMove, Record, Variation};
use crate::system::text::{check_encoding, decode, is_blank, shorten};
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, Read};

/// Words that may follow a capture in passing.
const EN_PASSANT: [&str; 2] = ["e.p.", "ep"];

/// Tags that decide what a game is.
const MEANINGFUL: [&str; 6] = ["Variant", "SetUp", "FEN", "Result", "PlyCount", "Reason"];

/// Tags about the game. These names and those above are known in any case, and kept in this one.
const FAMILIAR: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Annotator"];

/// Stands in the place of a control character, which must not act on a terminal.
pub(super) const HARMLESS: char = char::REPLACEMENT_CHARACTER;

/// Limit of the text of a game.
const MAX_BYTES: usize = 1 << 20;
/// Limit of variations within one another.
const MAX_DEPTH: usize = 100;

/// A fault that kept a game from being read.
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
/// It accepts the PGN of other programs: tags in any order, comments of both kinds and at any
/// place, marks, variations, numbers in any style, lines of any length and ending, escaped lines, a
/// byte-order mark, the padding of old systems. Without a result after the moves, the tag counts. A
/// game begins with its tags: the first after moves, or those after an empty line if one of them
/// repeats a tag of the game. A `[` behind the result in the same line begins one too. A comment
/// ends at its `}`, whatever it contains. If there is none, the tags in it are those of the next
/// game: a broken game does not affect the next.
///
/// `src/page/pgn.js` has the same rules for the board's page; `tests/pgn.rs` compares the two.
pub struct Reader<R> {
    input: R,
    /// Number of lines read to their end.
    lines: usize,
    /// Lines to read before those of the input.
    again: VecDeque<(usize, String)>,
    /// First line of the last game returned.
    first_line: usize,
    /// The game being read.
    game: Option<PgnGame>,
    /// True once the input has failed.
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads from an input.
    pub fn new(input: R) -> Self {
        Self { input, lines: 0, again: VecDeque::new(), first_line: 0, game: None, failed: false }
    }

    /// Returns the number of the first line of the last game returned, from 1.
    pub fn first_line(&self) -> usize {
        self.first_line
    }

    /// Reads the next line, or a part of one that is too long, and its number; `None` at the end.
    fn read_line(&mut self) -> Result<Option<(usize, String)>, PgnError> {
        if let Some(line) = self.again.pop_front() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        let mut limited = (&mut self.input).take(MAX_BYTES as u64);
        let read = limited.read_until(b'\n', &mut bytes);
        let line = self.lines;
        if read.map_err(|error| PgnError::Unreadable { line, error })? == 0 {
            return Ok(None);
        }
        if line == 0 {
            check_encoding(&bytes)
                .map_err(|error| PgnError::Malformed { line: 1, fault: error.to_string() })?;
        }
        // Old systems end lines with `\r`.
        let text = decode(&bytes);
        let pieces = text.trim_matches(is_blank).split('\r');
        let is_harmful = |c: char| c.is_control() && !is_blank(c);
        let pieces = pieces
            .map(|piece| piece.trim_matches(is_blank).replace(is_harmful, &HARMLESS.to_string()));
        self.again.extend((line + 1..).zip(pieces));
        self.lines += self.again.len() - 1 + usize::from(bytes.ends_with(b"\n"));
        Ok(self.again.pop_front())
    }

    fn give(&mut self, mut game: PgnGame) -> Option<Result<Record, PgnError>> {
        self.first_line = game.first_line;
        for line in game.suspects.drain(..).rev() {
            self.again.push_front(line);
        }
        Some(game.finish())
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            let (line, text) = match self.read_line() {
                Ok(Some(line)) => line,
                Ok(None) => {
                    let mut last = self.game.take()?;
                    if last.comment.is_none() {
                        last.suspects.clear();
                    }
                    return self.give(last);
                }
                // The last game may be incomplete.
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            };
            let is_empty = text.is_empty() || text.starts_with('%');
            if self.game.is_none() && is_empty {
                continue;
            }
            let game = self.game.get_or_insert_with(|| PgnGame::new(line));
            if !game.read_line(line, text) {
                let game = self.game.take()?;
                return self.give(game);
            }
        }
        None
    }
}

/// A game being read.
#[derive(Default)]
struct PgnGame {
    first_line: usize,
    tags: Vec<(String, String)>,
    main: Variation,
    result: String,
    bytes: usize,
    /// True after the tags.
    in_moves: bool,
    /// The lines that are the next game's if this one turns out to be over: tags after a line
    /// without any, what follows a tag in a comment, or tags behind the result.
    suspects: Vec<(usize, String)>,
    /// The number of tags before the suspects; true if a fault came before.
    before: (usize, bool),
    /// The open comment, and the line in which it begins.
    comment: Option<(String, usize)>,
    /// The open variations, and the lines in which they begin.
    variations: Vec<(usize, Variation)>,
    /// The first fault. The rest of the game is skipped.
    fault: Option<PgnError>,
}

impl PgnGame {
    fn new(first_line: usize) -> Self {
        Self { first_line, ..Self::default() }
    }

    /// Reads a line. Returns false if the game is over and the suspects are the next game's.
    fn read_line(&mut self, line: usize, text: String) -> bool {
        let in_comment = self.comment.is_some();
        if !in_comment && text.starts_with('%') {
            return true;
        }
        self.bytes += text.len();
        let is_suspect = if in_comment {
            !self.suspects.is_empty() || read_tag(&text).is_some()
        } else {
            text.starts_with('[') && (self.in_moves || self.before != (0, false))
        };
        if is_suspect {
            self.suspects.push((line, text.clone()));
            if !in_comment && self.in_moves {
                return false;
            }
        }
        if self.bytes >= MAX_BYTES && (self.fault.is_none() || is_suspect) {
            self.break_off(line, format!("the game is longer than {MAX_BYTES} bytes"));
            return !is_suspect;
        }
        self.read(line, &text)
    }

    fn break_off(&mut self, line: usize, fault: String) {
        self.comment = None;
        self.fault.get_or_insert(PgnError::Malformed { line, fault });
    }

    /// Reads tags and moves. Returns false if the game is over and the suspects are the next game's.
    fn read(&mut self, line: usize, mut text: &str) -> bool {
        let whole = text;
        let is_tag = text.starts_with('[');
        if !self.in_moves && self.comment.is_none() && !is_tag {
            self.leave_tags();
        }
        // What else stands in such a line is a broken tag, unless a result ends a game in it.
        let ends_game = |part: &str| {
            let last = part.split(is_blank).rfind(|word| !word.is_empty());
            last.is_some_and(|word| read_result(word).is_some())
        };
        let has_only_tags = is_tag && text.ends_with(']') && !text.split(['[', ']']).any(ends_game);
        loop {
            if let Some((comment, begun)) = &mut self.comment {
                let begun = *begun;
                let (inside, rest) = match text.split_once('}') {
                    Some((inside, rest)) => (inside, Some(rest)),
                    None => (text, None),
                };
                // The comment of a game whose tags are in this one.
                if self.suspects.len() > 1 && inside.contains('{') {
                    self.break_off(begun, unclosed("comment"));
                    return false;
                }
                comment.push_str(inside);
                comment.push(' ');
                let Some(rest) = rest else { return true };
                text = rest;
                if let Some((comment, _)) = self.comment.take() {
                    self.add_comment(&comment);
                }
                self.suspects.clear();
            }
            text = text.trim_start_matches(is_blank);
            let Some(first) = text.chars().next() else {
                return true;
            };
            if self.fault.is_some() && (self.in_moves || first != '[' && !has_only_tags) {
                // Where the moves begin must still be known.
                self.leave_tags();
                self.in_moves = true;
                return true;
            }
            let rest = &text[first.len_utf8()..];
            match first {
                '[' if !self.in_moves => match read_tag(text) {
                    Some((name, value, rest)) => {
                        if self.is_next(name) {
                            return false;
                        }
                        if self.fault.is_none() {
                            self.tags.push((name.to_string(), value));
                        }
                        text = rest;
                    }
                    None if self.before.1 && !self.suspects.is_empty() => return false,
                    None => {
                        self.break_off(line, format!("`{}` is not a tag", shorten(text)));
                        return true;
                    }
                },
                '[' if !self.result.is_empty() && self.variations.is_empty() => {
                    self.suspects.push((line, text.to_string()));
                    return false;
                }
                '{' => {
                    self.leave_tags();
                    self.comment = Some((String::new(), line));
                    text = rest;
                }
                ';' => {
                    self.leave_tags();
                    self.add_comment(rest);
                    return true;
                }
                _ if has_only_tags && !self.in_moves => {
                    self.break_off(line, format!("`{}` is not a tag", shorten(whole)));
                    return true;
                }
                _ => {
                    self.in_moves = true;
                    self.suspects.clear();
                    match self.read_token(line, text, first) {
                        Ok(rest) => text = rest,
                        Err(fault) => {
                            self.break_off(line, fault);
                            return true;
                        }
                    }
                }
            }
        }
    }

    /// Notes that something else than tags follows. Tags after it may be those of the next game.
    fn leave_tags(&mut self) {
        self.suspects.clear();
        self.before = (self.tags.len(), self.fault.is_some());
    }

    /// Returns true if a tag is the next game's, as are the suspects.
    fn is_next(&mut self, name: &str) -> bool {
        let (count, was_broken) = self.before;
        let is_next = was_broken || self.tags[..count].iter().any(|(tag, _)| tag == name);
        if !is_next || self.suspects.is_empty() {
            return false;
        }
        self.tags.truncate(count);
        self.fault.take_if(|_| !was_broken);
        true
    }

    /// Reads a bracket or a word among the moves, and returns the text after it.
    fn read_token<'t>(
        &mut self,
        line: usize,
        text: &'t str,
        first: char,
    ) -> Result<&'t str, String> {
        let rest = &text[first.len_utf8()..];
        match first {
            '(' if self.variations.len() == MAX_DEPTH => {
                return Err(format!("variations nested more than {MAX_DEPTH} deep"));
            }
            '(' => self.variations.push((line, Variation::default())),
            ')' if !self.variations.is_empty() => self.close_variation(),
            ')' | '}' | '[' | ']' => return Err(format!("a `{first}` that closes nothing")),
            _ => {
                let end = rest.find(|c: char| is_blank(c) || "{};()[]$".contains(c));
                let mut end = end.map_or(text.len(), |end| first.len_utf8() + end);
                end += promotion_length(&text[..end], &text[end..]);
                let (word, rest) = text.split_at(end);
                self.read_word(word)?;
                return Ok(rest);
            }
        }
        Ok(rest)
    }

    /// Reads a result, a move, its number or marks, or some of them in one.
    fn read_word(&mut self, word: &str) -> Result<(), String> {
        let is_main = self.variations.is_empty();
        if is_main && !self.result.is_empty() {
            return Err(format!("`{}` follows the result", shorten(word)));
        }
        if word.starts_with('$') {
            self.mark(word);
            return Ok(());
        }
        let (text, marks) = split_marks(word);
        let plain = without_number(text);
        if let Some(result) = read_result(text).or_else(|| read_result(plain)) {
            if is_main {
                self.result = result.to_string();
            }
        } else if !plain.is_empty() && !EN_PASSANT.contains(&plain) {
            self.line().moves.push(PlayedMove::new(plain));
        }
        for mark in marks {
            self.mark(mark);
        }
        Ok(())
    }

    /// Returns the variation that is open, or the moves of the game.
    fn line(&mut self) -> &mut Variation {
        let open = self.variations.last_mut();
        open.map_or(&mut self.main, |(_, variation)| variation)
    }

    fn mark(&mut self, mark: &str) {
        if let Some(last) = self.line().moves.last_mut() {
            last.marks.push(canonical(mark));
        }
    }

    /// Adds a comment, in which braces become parentheses.
    fn add_comment(&mut self, text: &str) {
        let text = text.replace('{', "(").replace('}', ")");
        self.line().add_comment(&text);
    }

    /// Adds a variation to its move. Where it has none, the comments are kept.
    fn close_variation(&mut self) {
        let Some((_, variation)) = self.variations.pop() else {
            return;
        };
        let line = self.line();
        match line.moves.last_mut() {
            Some(last) if !variation.moves.is_empty() => last.variations.push(variation),
            _ => variation.comments().iter().for_each(|comment| line.add_comment(comment)),
        }
    }

    fn finish(mut self) -> Result<Record, PgnError> {
        if let Some((_, line)) = self.comment {
            self.break_off(line, unclosed("comment"));
        } else if let Some(&(line, _)) = self.variations.last() {
            self.break_off(line, unclosed("variation"));
        }
        for name in MEANINGFUL {
            let mut values = self.tags.iter().filter(|(tag, _)| tag == name);
            let first = values.next();
            if values.any(|other| Some(other) != first) {
                let fault = format!("the tag {name} occurs twice, with different values");
                self.break_off(self.first_line, fault);
            }
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let mut record = Record {
            tags: self.tags,
            comment: self.main.comment,
            moves: self.main.moves,
            is_torn: self.result.is_empty(),
            result: self.result,
            ..Record::default()
        };
        if record.result.is_empty() {
            let stated = record.tag("Result");
            let result = stated.and_then(read_result);
            record.result = result.unwrap_or("*").to_string();
        }
        Ok(record)
    }
}

fn unclosed(what: &str) -> String {
    format!("a {what} is not closed")
}

/// Reads a result as people and programs write it.
pub fn read_result(word: &str) -> Option<&'static str> {
    let plain = word.replace(['‐', '‑', '–', '—', '−', ':'], "-").replace('½', "1/2");
    Some(match plain.as_str() {
        "1-0" => "1-0",
        "0-1" => "0-1",
        "1/2-1/2" | "1/2" | "0.5-0.5" => "1/2-1/2",
        "*" => "*",
        _ => return None,
    })
}

/// Removes the numbers that a move begins with: `1.e4`, `1...e5`.
pub fn without_number(mut word: &str) -> &str {
    loop {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let after = rest.trim_start_matches('.');
        if !after.is_empty() && after.len() == rest.len() {
            return word;
        }
        if after.is_empty() {
            return after;
        }
        word = after;
    }
}

/// Returns the length of `(Q)` behind a move to the last rank.
fn promotion_length(word: &str, rest: &str) -> usize {
    let mut letters = rest.chars();
    let brackets = [letters.next(), letters.nth(1)];
    let letter = rest.chars().nth(1);
    let is_promotion = word.ends_with(|c: char| c.is_ascii_digit())
        && word.contains(|c: char| c.is_ascii_lowercase())
        && brackets == [Some('('), Some(')')]
        && letter.is_some_and(|c| c.is_ascii_alphabetic() || is_figurine(c));
    letter.filter(|_| is_promotion).map_or(0, |letter| 2 + letter.len_utf8())
}

/// Returns the name and the value of a tag at the beginning of a text, and the rest.
fn read_tag(text: &str) -> Option<(&str, String, &str)> {
    let text = text.strip_prefix('[')?.trim_start_matches(is_blank);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (name, rest) = text.split_at(text.find(|c| !is_name(c))?);
    let mut rest = rest.trim_start_matches(is_blank).strip_prefix('"')?.chars();
    if name.is_empty() {
        return None;
    }
    let mut known = MEANINGFUL.iter().chain(&FAMILIAR);
    let name = known.find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(&name);
    let mut value = String::new();
    loop {
        match rest.next()? {
            '"' => {
                // Some programs do not escape the quotes inside the value.
                if let Some(rest) = rest.as_str().trim_start_matches(is_blank).strip_prefix(']') {
                    return Some((name, value, rest));
                }
                value.push('"');
            }
            '\\' if rest.as_str().starts_with(['"', '\\']) => value.extend(rest.next()),
            c if c.is_control() => value.push(' '),
            c => value.push(c),
        }
    }
}
