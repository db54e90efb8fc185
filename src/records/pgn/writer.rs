//! Games written as PGN.

use super::marks::numbered;
use super::{PlayedMove, Record, Variation};
use std::fmt;

/// Lines are shorter than this.
const COLUMNS: usize = 80;

impl Record {
    /// Returns the number of the first move, and true if White plays it.
    fn first_move(&self) -> (u32, bool) {
        let fen = self.fen().unwrap_or(&self.start);
        let fields: Vec<_> = fen.split_whitespace().collect();
        let number = fields.get(5).and_then(|number| number.parse().ok());
        (number.unwrap_or(1), fields.get(1) != Some(&"b"))
    }

    /// Returns the words of the moves and the result. A line may end after each of them.
    fn words(&self) -> Vec<String> {
        let (number, white) = self.first_move();
        let mut words = move_words(self.comment.as_deref(), &self.moves, number, white);
        words.push(self.result.clone());
        words
    }
}

/// Returns the words of moves with the comment before them. The first move has a number and is
/// White's or Black's.
fn move_words(
    comment: Option<&str>,
    moves: &[PlayedMove],
    mut number: u32,
    mut white: bool,
) -> Vec<String> {
    let mut words = comment.and_then(comment_words).unwrap_or_default();
    let mut has_number = false;
    for mv in moves {
        if white {
            words.push(format!("{number}."));
        } else if !has_number {
            words.push(format!("{number}..."));
        }
        let praise = |mark: &&String| mark.starts_with(['!', '?']);
        let attached = usize::from(mv.marks.first().filter(praise).is_some());
        let (attached, apart) = mv.marks.split_at(attached);
        words.push(mv.text.clone() + &attached.concat());
        words.extend(apart.iter().map(|mark| numbered(mark)));
        // Black's move gets a number if it does not follow White's directly.
        has_number = white;
        if let Some(comment) = mv.comment.as_deref().and_then(comment_words) {
            words.extend(comment);
            has_number = false;
        }
        for Variation { comment, moves } in &mv.variations {
            let mut variation = move_words(comment.as_deref(), moves, number, white);
            if let Some(first) = variation.first_mut() {
                first.insert(0, '(');
            }
            if let Some(last) = variation.last_mut() {
                last.push(')');
            }
            words.extend(variation);
            has_number = false;
        }
        if !white {
            number = number.saturating_add(1);
        }
        white = !white;
    }
    words
}

/// Returns the words of a comment in braces. Braces within become parentheses.
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

/// Returns the line of a tag.
pub fn tag_line(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{}\"]\n", value.replace(char::is_control, " "))
}

/// The PGN, with an empty line at its end to separate it from the next game.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            f.write_str(&tag_line(name, value))?;
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
