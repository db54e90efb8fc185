//! Marks of moves, such as `!?`, `$14` and `±`: what they mean, and how they are written.

use super::reader::HARMLESS;
use crate::system::text::is_blank;

/// Marks that stand right behind a move, in the order of their numbers.
const SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Evaluations of positions. Each stands before those that it ends with.
const EVALUATIONS: [&str; 12] =
    ["+/-", "-/+", "+/=", "=/+", "+-", "-+", "+−", "−+", "+=", "=+", "=∞", "="];

/// Returns the mark as it stands apart from a move: `$1` for `!` (PGN, section 10).
pub(super) fn numbered(mark: &str) -> String {
    let number = match mark {
        "!" => 1,
        "?" => 2,
        "!!" | "‼" => 3,
        "??" | "⁇" => 4,
        "!?" | "⁉" => 5,
        "?!" | "⁈" => 6,
        "□" => 7,
        "=" => 10,
        "∞" => 13,
        "+/=" | "+=" | "⩲" => 14,
        "=/+" | "=+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" | "+−" => 18,
        "-+" | "−+" => 19,
        "⨀" => 22,
        "⟳" => 32,
        "↑" => 36,
        "→" => 40,
        "=∞" => 44,
        "⇆" => 132,
        "⊕" => 138,
        "∆" => 140,
        _ => return mark.into(),
    };
    format!("${number}")
}

/// Returns the one form of a mark: a suffix, or its number.
pub(super) fn canonical(mark: &str) -> String {
    let number = numbered(mark);
    match number.as_bytes() {
        [b'$', digit @ b'1'..=b'6'] => SUFFIXES[usize::from(digit - b'1')].into(),
        _ => number,
    }
}

/// Splits a word into a move and the marks behind it.
pub(super) fn split_marks(word: &str) -> (&str, Vec<&str>) {
    let (mut text, mut marks) = (word, Vec::new());
    loop {
        let mut evaluations = EVALUATIONS.iter();
        let rest = evaluations
            .find_map(|&mark| text.strip_suffix(mark))
            .or_else(|| text.strip_suffix(is_symbol))
            .unwrap_or_else(|| text.trim_end_matches(['!', '?']));
        if rest.len() == text.len() {
            marks.reverse();
            return (text, marks);
        }
        marks.push(&text[rest.len()..]);
        text = rest;
    }
}

pub(super) fn is_figurine(letter: char) -> bool {
    ('♔'..='♟').contains(&letter)
}

/// Returns true for the symbols of annotators, such as `±`.
fn is_symbol(letter: char) -> bool {
    let is_text = letter.is_ascii() || letter.is_alphanumeric() || letter == HARMLESS;
    !is_text && !is_figurine(letter) && !is_blank(letter)
}
