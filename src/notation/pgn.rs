//! Games as text: PGN, written and read, for any variant.
//!
//! A [`Record`] is one game; its `Display` is the PGN. A [`Reader`] gives the records of a
//! file one after the other. The moves are kept as text: what is legal is for the rules to
//! say. The format is that of S. Edwards, "Portable Game Notation Specification and
//! Implementation Guide" (1994).

use super::play;
use crate::engine::{Session, Variant, find_variant};
use std::fmt;
use std::io::{self, BufRead, Read};

/// The results that a game can have.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// What some write behind a capture in passing.
const EN_PASSANT: [&str; 2] = ["e.p.", "ep"];

/// Text of a game that is longer than this is not one.
const MAX_BYTES: usize = 1 << 20;

/// Lines are shorter than this.
const COLUMNS: usize = 80;

/// One game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Names and values, in the order in which they are written.
    pub tags: Vec<(String, String)>,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// `1-0` if White has won, `0-1`, `1/2-1/2`, or `*` if there is no result.
    pub result: String,
    /// The FEN of the variant's start, by which moves are numbered where no tag names
    /// another; a [`Reader`], which knows no variants, leaves it empty.
    pub start: String,
}

/// A move of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedMove {
    /// The move as it is written.
    pub text: String,
    /// What was said about it.
    pub comment: Option<String>,
    /// What could have been played instead; a [`Reader`] leaves it out.
    pub variation: Vec<PlayedMove>,
}

impl Record {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The game that was played: what the tag `Variant` says, or `default` without one.
    ///
    /// # Errors
    ///
    /// There is no such game, or nothing says which.
    pub fn variant(
        &self,
        variants: &'static [Variant],
        default: Option<Variant>,
    ) -> Result<Variant, String> {
        match self.tag("Variant") {
            Some(name) => {
                find_variant(variants, name).map_err(|error| format!("the variant {error}"))
            }
            None => default.ok_or_else(|| "there is no tag Variant".into()),
        }
    }

    /// The game before its first move.
    ///
    /// # Errors
    ///
    /// The tag `FEN` is wrong, or missing where another says that there is one.
    pub fn open(&self, variant: Variant) -> Result<Box<dyn Session>, String> {
        let fen = self.fen();
        if self.tag("FEN").is_none() && self.tag("SetUp") == Some("1") {
            return Err("there is a tag SetUp, but no tag FEN".into());
        }
        let mut session = variant.open();
        session
            .set_position(fen, &[])
            .map_err(|error| error.to_string())?;
        Ok(session)
    }

    /// Writes the moves in standard algebraic notation.
    ///
    /// # Errors
    ///
    /// Which move is illegal; those from there on stay as they were.
    pub fn write_san(&mut self, variant: Variant) -> Result<(), String> {
        let mut session = self.open(variant)?;
        for (number, mv) in (1..).zip(&mut self.moves) {
            let read = session.read_san(&mv.text);
            let san = read.as_deref().ok().and_then(|mv| session.san(mv));
            play(&mut *session, number, &mv.text)?;
            mv.text = san.unwrap_or_default();
        }
        Ok(())
    }

    /// The position to begin with; `None` is the start, which cutegames calls `startpos`.
    pub fn fen(&self) -> Option<&str> {
        self.tag("FEN").filter(|&fen| fen != "startpos")
    }

    /// The number of the first move, and whether White plays it.
    fn first_move(&self) -> (u32, bool) {
        let fen = self.fen().unwrap_or(&self.start);
        let fields: Vec<_> = fen.split_whitespace().collect();
        let number = fields.get(5).and_then(|number| number.parse().ok());
        (number.unwrap_or(1), fields.get(1) != Some(&"b"))
    }

    /// What the moves and the result are made of; a line may end after each word.
    fn words(&self) -> Vec<String> {
        let (number, white) = self.first_move();
        let mut words = move_words(&self.moves, number, white);
        words.push(self.result.clone());
        words
    }
}

/// Moves of which the first has a number, and is White's or Black's.
fn move_words(moves: &[PlayedMove], mut number: u32, mut white: bool) -> Vec<String> {
    let mut words = Vec::new();
    let mut numbered = false;
    for mv in moves {
        if white {
            words.push(format!("{number}."));
        } else if !numbered {
            words.push(format!("{number}..."));
        }
        words.push(mv.text.clone());
        // Black's move gets a number where it does not stand beside White's.
        numbered = white;
        if let Some(comment) = mv.comment.as_deref().and_then(comment_words) {
            words.extend(comment);
            numbered = false;
        }
        let mut variation = move_words(&mv.variation, number, white);
        if let Some(first) = variation.first_mut() {
            first.insert(0, '(');
            variation
                .last_mut()
                .into_iter()
                .for_each(|last| last.push(')'));
            words.extend(variation);
            numbered = false;
        }
        if !white {
            number = number.saturating_add(1);
        }
        white = !white;
    }
    words
}

/// The words of a comment in its braces, for which it must not contain any itself.
fn comment_words(comment: &str) -> Option<Vec<String>> {
    let comment = comment.replace('{', "(").replace('}', ")");
    let mut words: Vec<String> = Vec::new();
    for word in comment.split_whitespace() {
        match words.last_mut() {
            // `[%eval 0.34]` stays whole.
            Some(last) if last.starts_with("[%") && !last.contains(' ') && !last.ends_with(']') => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_string()),
        }
    }
    words.first_mut()?.insert(0, '{');
    words.last_mut()?.push('}');
    Some(words)
}

/// The PGN with an empty line at its end, so that games can be written one after the other.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{}\"]", value.replace(char::is_control, " "))?;
        }
        let mut column = COLUMNS;
        for word in self.words() {
            let width = word.chars().count();
            // At the beginning of a line these would not be part of a comment.
            let sticks = word.starts_with(['[', '%']);
            if column + 1 + width < COLUMNS || sticks {
                write!(f, " {word}")?;
                column += 1 + width;
            } else {
                write!(f, "\n{word}")?;
                column = width;
            }
        }
        f.write_str("\n\n")
    }
}

/// Why a game could not be read.
#[derive(Debug)]
pub enum PgnError {
    /// The input ended with an error.
    Unreadable {
        /// How many lines had been read.
        line: usize,
        /// The error.
        error: io::Error,
    },
    /// The text is not PGN.
    Malformed {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
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

/// Reads games one after the other and keeps no more than one.
///
/// It takes what other programs write: comments of both kinds, annotations and variations,
/// which are left out, numbers in any style, lines of any length and ending, escaped lines,
/// a byte order mark. Without a result after the moves, that of the tag counts. A game that
/// is broken does not affect the next, which begins where tags do.
pub struct Reader<R> {
    input: R,
    /// How many lines were read to their end.
    lines: usize,
    /// Where the game that was given last begins.
    first_line: usize,
    /// The game that is being read.
    game: Option<Game>,
    /// Whether the input has ended with an error.
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

    /// The number of the line, from 1, in which the game that was given last begins.
    pub fn first_line(&self) -> usize {
        self.first_line
    }

    /// The next line, or a part of one that is too long, and its number; `None` at the end.
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
        // After an error nothing is known of the last game.
        let last = self.game.take().filter(|_| !self.failed);
        self.give(last)
    }
}

/// A game of which a part is read.
struct Game {
    first_line: usize,
    record: Record,
    bytes: usize,
    /// Whether the tags are behind.
    in_moves: bool,
    /// The comment that is open, and the line in which it was opened.
    comment: Option<(String, usize)>,
    /// The lines in which the variations that are open were opened.
    variations: Vec<usize>,
    /// The first fault. What follows it is not read.
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

    /// Whether a line belongs to the next game. A comment or variation that is open says
    /// nothing against it: it may be the fault of this game that they are.
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

    /// A result, a move, its number or an annotation, or a number and a move in one.
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

    /// A comment is about the move before it.
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

/// A result, which may be written in short.
fn read_result(word: &str) -> Option<&str> {
    let result = if word == "1/2" { "1/2-1/2" } else { word };
    RESULTS.contains(&result).then_some(result)
}

/// The name and the value of a tag at the beginning of a text, and what follows it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, Pressman};
    use std::io::BufReader;

    fn read(text: &[u8]) -> Vec<Result<Record, String>> {
        // A small buffer, so that lines and characters are torn.
        let reader = Reader::new(BufReader::with_capacity(7, text));
        reader
            .map(|game| game.map_err(|error| error.to_string()))
            .collect()
    }

    fn read_one(text: &str) -> Record {
        let mut games = read(text.as_bytes());
        assert_eq!(games.len(), 1, "{games:?}");
        games.remove(0).unwrap()
    }

    fn fault(text: &str) -> String {
        let mut games = read(text.as_bytes());
        assert_eq!(games.len(), 1, "{games:?}");
        games.remove(0).unwrap_err()
    }

    fn record(tags: &[(&str, &str)], moves: &[(&str, &str)], result: &str) -> Record {
        let tags = tags.iter();
        let moves = moves.iter();
        Record {
            tags: tags
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
            moves: moves
                .map(|(text, comment)| PlayedMove {
                    text: text.to_string(),
                    comment: Some(comment.to_string()).filter(|comment| !comment.is_empty()),
                    ..PlayedMove::default()
                })
                .collect(),
            result: result.into(),
            start: String::new(),
        }
    }

    /// The moves with their comments after them.
    fn moves(record: &Record) -> String {
        let moves = record.moves.iter().map(|mv| match &mv.comment {
            Some(comment) => format!("{} ({comment})", mv.text),
            None => mv.text.clone(),
        });
        moves.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn writing() {
        let mut game = record(
            &[("Event", r#"The "first" \ second"#), ("Variant", "gothic")],
            &[
                ("e2e4", ""),
                ("e7e5", "+0.34/12 0.51s"),
                ("b1c3", "a"),
                ("b8c6", ""),
            ],
            "1-0",
        );
        assert_eq!(
            game.to_string(),
            "[Event \"The \\\"first\\\" \\\\ second\"]\n[Variant \"gothic\"]\n\n\
             1. e2e4 e7e5 {+0.34/12 0.51s} 2. b1c3 {a} 2... b8c6 1-0\n\n"
        );
        assert_eq!(read_one(&game.to_string()), game);
        // A position in which Black moves, and its number.
        let fen = "9k/10/10/10/10/10/10/K9 b - - 3 41";
        game.tags.push(("FEN".into(), fen.into()));
        assert!(
            game.to_string().ends_with(
                "\n\n41... e2e4 42. e7e5 {+0.34/12 0.51s} 42... b1c3 {a} 43. b8c6 1-0\n\n"
            )
        );
        // In Pressman Black begins.
        let mut game = record(
            &[("Variant", "pressman")],
            &[("a7a5", ""), ("a2a4", "")],
            "*",
        );
        game.start = Pressman::START.into();
        assert!(game.to_string().ends_with("\n\n1... a7a5 2. a2a4 *\n\n"));
    }

    #[test]
    fn variations() {
        let mut game = record(
            &[("Event", "?")],
            &[("e4", ""), ("e5", ""), ("Nc3", "a")],
            "*",
        );
        game.moves[0].variation = record(&[], &[("d4", "")], "").moves;
        game.moves[2].variation = record(&[], &[("d4", ""), ("exd4", "b"), ("Qxd4", "")], "").moves;
        let text = "1. e4 (1. d4) 1... e5 2. Nc3 {a} (2. d4 exd4 {b} 3. Qxd4) *";
        assert!(
            game.to_string().ends_with(&format!("\n\n{text}\n\n")),
            "{game}"
        );
        assert_eq!(moves(&read_one(&game.to_string())), "e4 e5 Nc3 (a)");
    }

    #[test]
    fn lines_are_short() {
        let comments = ["", "+0.34/12 0.51s", "long words and many of them", "x"];
        let each: Vec<_> = (0..400).map(|i| ("a10a11q", comments[i * i % 4])).collect();
        let game = record(&[("Event", "?")], &each, "1/2-1/2");
        let text = game.to_string();
        assert!(text.lines().all(|line| line.chars().count() < COLUMNS));
        assert!(text.lines().filter(|line| line.len() > 60).count() > 50);
        assert_eq!(read_one(&text), game);
    }

    /// What could end a comment, or a tag, or look like the beginning of one.
    #[test]
    fn hostile_text() {
        let text = "%x [Event \"y\"] ; $1 ( ) \\ 1-0 ".repeat(40);
        let game = record(
            &[("Event", &text)],
            &[("e2e4", text.trim()), ("e7e5", "")],
            "*",
        );
        assert_eq!(read_one(&game.to_string()), game);
        let game = record(
            &[("Event", "a\nb")],
            &[("e2e4", "{a}\n\t {b"), ("e7e5", " ")],
            "*",
        );
        let expected = record(
            &[("Event", "a b")],
            &[("e2e4", "(a) (b"), ("e7e5", "")],
            "*",
        );
        assert_eq!(read_one(&game.to_string()), expected);
    }

    #[test]
    fn what_others_write() {
        for (text, expected) in [
            ("1. e2e4 e7e5 2. d2d4", "e2e4 e7e5 d2d4"),
            (
                "1.e2e4 1...e7e5 2 d2d4 2. ... d7d5 3... a2a3",
                "e2e4 e7e5 d2d4 d7d5 a2a3",
            ),
            (
                "1. e2e4! e7e5?? 2. d2d4 $1 d7d5$12$13",
                "e2e4 e7e5 d2d4 d7d5",
            ),
            ("1. e2e4{one}{two}e7e5", "e2e4 (one two) e7e5"),
            (
                "{before} 1. e2e4 ; to the end {\ne7e5",
                "e2e4 (to the end {) e7e5",
            ),
            ("1. e2e4 {a\n  b\n\n c} e7e5", "e2e4 (a b c) e7e5"),
            ("1. e2e4 (1. d2d4 {)} (1. c2c4) d7d5) e7e5", "e2e4 e7e5"),
            ("1. e2e4\n% escaped {\ne7e5", "e2e4 e7e5"),
            (
                "1. e2e4 {[%eval 0.3]\n[%clk 0:01]} e7e5",
                "e2e4 ([%eval 0.3] [%clk 0:01]) e7e5",
            ),
            ("1. 0-0 O-O-O 2. e7e8q", "0-0 O-O-O e7e8q"),
            ("", ""),
        ] {
            for text in [text.to_string(), text.replace('\n', "\r\n")] {
                let text = format!("\u{feff}[Event \"x\"]\n\n{text}\n1-0 {{after}}\n");
                let game = read_one(&text);
                assert_eq!(moves(&game).replace(" (after)", ""), expected, "{text}");
                assert_eq!(
                    (game.tags.len(), game.result.as_str()),
                    (1, "1-0"),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn tags() {
        let game = read_one(
            "[ Event \"\" ]\n\n[White \"O\"Neil\"]\n[Black  \"a\\b \\\\ \\\"c\\\"\"]\
             [Round \"]\"] 1. e2e4 *",
        );
        let expected = [
            ("Event", ""),
            ("White", "O\"Neil"),
            ("Black", "a\\b \\ \"c\""),
            ("Round", "]"),
        ];
        assert_eq!(game, record(&expected, &[("e2e4", "")], "*"));
        assert_eq!(game.tag("Round"), Some("]"));
        assert_eq!(game.tag("Site"), None);
        // Not UTF-8.
        let games = read(b"[Event \"caf\xe9\"]\n*");
        assert_eq!(games[0].as_ref().unwrap().tag("Event"), Some("caf\u{fffd}"));
    }

    #[test]
    fn missing_results() {
        let text = "[Event \"1\"]\n[Result \"0-1\"]\n\ne2e4\n\
                    [Event \"2\"]\n\ne2e4\n\
                    [Event \"3\"]\n[Result \"won\"]\n\n\
                    [Event \"4\"]\n[Result \"1-0\"]";
        let games = read(text.as_bytes());
        let results: Vec<_> = games
            .iter()
            .map(|game| game.as_ref().unwrap().result.as_str())
            .collect();
        assert_eq!(results, ["0-1", "*", "*", "1-0"]);
        assert!(read(b"").is_empty());
        assert!(read(b"\n\r\n% nothing\n\n").is_empty());
    }

    #[test]
    fn faults() {
        for (text, expected) in [
            ("[Event x]\n\n*", "line 1: `[Event x]` is not a tag"),
            ("[Event \"x\"\n\n*", "line 1: `[Event \"x\"` is not a tag"),
            (
                "[Event \"x\"]\n[%eval 3]\n\n*",
                "line 2: `[%eval 3]` is not a tag",
            ),
            ("\n\ne2e4\ne7e5 } *", "line 4: a `}` that closes nothing"),
            ("e2e4 (e7e5)) *", "line 1: a `)` that closes nothing"),
            ("e2e4 ] *", "line 1: a `]` that closes nothing"),
            ("e2e4 1-0 e7e5", "line 1: `e7e5` follows the result"),
            ("e2e4 1-0\n0-1", "line 2: `0-1` follows the result"),
            (
                "e2e4\n{e7e5\n1-0\n",
                "line 2: a comment begins that does not end",
            ),
            (
                "(e2e4\n(e7e5)\n1-0\n",
                "line 1: a variation begins that does not end",
            ),
        ] {
            assert_eq!(fault(text), expected, "{text}");
        }
        let long = fault(&format!("1-0 {}", "ä".repeat(1000)));
        assert_eq!(
            long,
            format!("line 1: `{}…` follows the result", "ä".repeat(60))
        );
    }

    #[test]
    fn a_broken_game_does_not_affect_the_next() {
        let good = "[Event \"good\"]\n\n1. e2e4 *\n\n";
        for broken in [
            "[Event x]\n[Site \"?\"]\n\n1. e2e4 *\n\n",
            "[Event \"x\"]\n[Site ?]\n\n1. e2e4 *\n\n",
            "[Event \"x\"]\n\n1. e2e4 { *\n\n",
            "[Event \"x\"]\n\n1. e2e4 ( { *\n\n",
            "[Event \"x\"]\n\n1. e2e4 } {\n\ne7e5 *\n\n",
            "[Event x]\n\n",
        ] {
            let text = format!("{good}{broken}{good}{broken}{good}");
            let games = read(text.as_bytes());
            let read: Vec<_> = games.iter().map(Result::is_ok).collect();
            assert_eq!(read, [true, false, true, false, true], "{text}");
        }
    }

    /// Games that never end are not kept.
    #[test]
    fn endless_games() {
        let good = "[Event \"good\"]\n\n1. e2e4 *";
        for piece in ["e2e4 ", "e2e4\n", "x", "{", "(", "\n;x", "[A \"b\"]\n"] {
            let text = format!(
                "e2e4\n{}\n\n{good}",
                piece.repeat(MAX_BYTES / piece.trim().len())
            );
            let lines = text.lines().count();
            let mut reader = Reader::new(text.as_bytes());
            let mut games = Vec::new();
            while let Some(game) = reader.next() {
                games.push((reader.first_line(), game.is_ok()));
            }
            let last = games.pop();
            assert_eq!(last, Some((lines - 2, true)), "{piece}");
            assert!(
                games.contains(&(1, false)) || piece.starts_with('['),
                "{piece}"
            );
            assert!(games.len() <= 2);
        }
    }

    #[test]
    fn unreadable_input() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let input = BufReader::new((&b"e2e4\n"[..]).chain(Broken));
        let mut reader = Reader::new(input);
        let error = reader
            .next()
            .map(|game| game.map_err(|error| error.to_string()));
        assert_eq!(error, Some(Err("after line 1: broken".into())));
        assert!(reader.next().is_none());
    }
}
