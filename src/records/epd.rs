//! A line with a position: one of UCI (`position fen FEN moves e2e4`), a FEN, or an EPD, which is the
//! first four fields of a FEN with operations (`bm e2e4; id "first";`).

use crate::system::text::{is_blank, shorten};
use std::borrow::Cow;
use std::str::SplitAsciiWhitespace;

/// The contents of a line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EpdRecord<'t> {
    /// The name of the game, if the line begins with one.
    pub variant: Option<&'t str>,
    /// The position; `None` for the start of the game.
    pub fen: Option<Cow<'t, str>>,
    /// `moves`: the moves from there.
    pub moves: Vec<&'t str>,
    /// `bm`: the moves of which one should be found.
    pub best: Vec<&'t str>,
    /// `am`: the moves to avoid.
    pub avoid: Vec<&'t str>,
    /// `id`: the name of the position.
    pub id: Option<&'t str>,
    /// All other operations: name and operands.
    pub others: Vec<(&'t str, &'t str)>,
}

/// The word for the start of the game.
const START: &str = "startpos";

impl<'t> EpdRecord<'t> {
    /// Reads a line, without checking the FEN and the variant.
    ///
    /// # Errors
    ///
    /// An operation that does not end, or has no move.
    pub fn read(line: &'t str) -> Result<Self, String> {
        let line = after(after(line.trim_matches(is_blank), "position"), "fen");
        let (variant, position) = split_variant(line);
        let (fen, mut rest) = split_fen(position);
        let mut record = Self {
            variant,
            ..Self::default()
        };
        let (mut clock, mut number) = (None, None);
        while !rest.is_empty() {
            let (opcode, operands);
            (opcode, operands, rest) = split_operation(rest)?;
            match opcode {
                "moves" => record.moves.extend(operands.split_ascii_whitespace()),
                "bm" => record.best.extend(moves(opcode, operands)?),
                "am" => record.avoid.extend(moves(opcode, operands)?),
                "id" => record.id = Some(operands.trim_matches('"')),
                "hmvc" => clock = Some(operands),
                "fmvn" => number = Some(operands),
                "" => {}
                // The last one counts.
                _ => {
                    record.others.retain(|&(name, _)| name != opcode);
                    record.others.push((opcode, operands.trim_matches('"')));
                }
            }
        }
        let numbers = [clock.unwrap_or("0"), number.unwrap_or("1")];
        let are_given = clock.or(number).is_some();
        record.fen = fen.map(|fen| match fen.split_ascii_whitespace().count() {
            4 if are_given => format!("{fen} {}", numbers.join(" ")).into(),
            _ => fen.into(),
        });
        Ok(record)
    }
}

/// Strips a word of UCI that a line may begin with.
fn after<'t>(line: &'t str, word: &str) -> &'t str {
    match split_word(line) {
        (first, rest) if first == word => rest,
        _ => line,
    }
}

/// Returns the first word, if it is not a FEN's, and the rest.
fn split_variant(line: &str) -> (Option<&str>, &str) {
    let (first, rest) = split_word(line);
    // A placement has several ranks, a name has none.
    if first.contains('/') || first == START {
        (None, line)
    } else {
        (Some(first), rest)
    }
}

/// Returns the fields of the FEN, and the operations. An operation begins with a letter, unlike the
/// fifth and sixth field of a FEN, or after a `;`, as in suites of perft.
fn split_fen(text: &str) -> (Option<&str>, &str) {
    if let (START, rest) = split_word(text) {
        return (None, rest);
    }
    let (head, _) = text.split_once(';').unwrap_or((text, ""));
    let mut rest = head;
    for _ in 0..4 {
        rest = split_word(rest).1;
    }
    while !rest.is_empty() && !rest.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        rest = split_word(rest).1;
    }
    let rest = &text[head.len() - rest.len()..];
    let (fen, operations) = text.split_at(text.len() - rest.len());
    (Some(fen.trim_end()), operations)
}

/// Returns the first operation's name and operands, and the rest after its `;`, which the last one
/// may lack. A `;` within quotes does not count.
fn split_operation(text: &str) -> Result<(&str, &str, &str), String> {
    let mut quoted = false;
    let end = text.bytes().position(|byte| {
        quoted ^= byte == b'"';
        byte == b';' && !quoted
    });
    if end.is_none() && quoted {
        let opcode = shorten(split_word(text).0);
        return Err(format!("`{opcode}`: a quote does not end"));
    }
    let (operation, rest) = text.split_at(end.unwrap_or(text.len()));
    let (opcode, operands) = split_word(operation);
    let rest = rest.trim_start_matches(';').trim_start();
    Ok((opcode, operands.trim_end(), rest))
}

fn moves<'t>(opcode: &str, operands: &'t str) -> Result<SplitAsciiWhitespace<'t>, String> {
    if operands.is_empty() {
        return Err(format!("{opcode}: no move follows"));
    }
    Ok(operands.split_ascii_whitespace())
}

/// Returns the first word, which ends before white space or `;`, and the rest without the white
/// space between.
fn split_word(text: &str) -> (&str, &str) {
    let ends = |letter: char| letter.is_whitespace() || letter == ';';
    let (word, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    (word, rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fen_and_operations_are_told_apart() {
        for (line, variant, fen) in [
            ("k7/K7 w", None, "k7/K7 w"),
            ("k7/K7 w - -", None, "k7/K7 w - -"),
            ("k7/K7  w - - 3 4", None, "k7/K7  w - - 3 4"),
            ("race k7/K7 w - - 3 4", Some("race"), "k7/K7 w - - 3 4"),
            ("race\tk7/K7 w - - bm a1a2;", Some("race"), "k7/K7 w - -"),
            ("k7/K7 w - - 3 bm a1a2;", None, "k7/K7 w - - 3"),
            ("k7/K7 w - - 3 4 bm a1a2;", None, "k7/K7 w - - 3 4"),
            ("k7/K7 w - - 3 4 5", None, "k7/K7 w - - 3 4 5"),
            ("k7/K7 w - - -3", None, "k7/K7 w - - -3"),
            ("k7/K7 w - - hmvc 7; fmvn 30;", None, "k7/K7 w - - 7 30"),
            ("k7/K7 w - - fmvn 30", None, "k7/K7 w - - 0 30"),
            ("k7/K7 w - - 3 4 hmvc 7;", None, "k7/K7 w - - 3 4"),
            ("k7/K7 w - - 0 1 ;D1 20 ;D2 400", None, "k7/K7 w - - 0 1"),
            ("race k7/K7 w - -;D1 20", Some("race"), "k7/K7 w - -"),
            ("k7/K7 w - - 3 4; bm a1a2", None, "k7/K7 w - - 3 4"),
            ("k7/K7 w - - 3 4\u{1a}\0", None, "k7/K7 w - - 3 4"),
            ("race", Some("race"), ""),
            ("fen k7/K7 w - - 3 4", None, "k7/K7 w - - 3 4"),
            (
                "position fen k7/K7 w - - 3 4 moves a1a2",
                None,
                "k7/K7 w - - 3 4",
            ),
        ] {
            let record = EpdRecord::read(line).unwrap();
            assert_eq!(record.variant, variant, "{line}");
            assert_eq!(record.fen.as_deref(), Some(fen), "{line}");
        }
    }

    #[test]
    fn the_start_has_a_word() {
        for (line, variant, moves) in [
            ("startpos", None, &[][..]),
            ("race startpos;D1 20", Some("race"), &[]),
            ("race startpos", Some("race"), &[]),
            ("startpos moves a1a2 b1", None, &["a1a2", "b1"]),
            ("race startpos moves a1a2;", Some("race"), &["a1a2"]),
            ("position startpos moves a1a2", None, &["a1a2"]),
        ] {
            let record = EpdRecord::read(line).unwrap();
            assert_eq!((record.variant, record.fen), (variant, None), "{line}");
            assert_eq!(record.moves, moves, "{line}");
        }
    }

    #[test]
    fn operations_between_semicolons() {
        let record = EpdRecord::read("k7/K7 w - - 0 1 ;D1 20 ;D2 400").unwrap();
        assert_eq!(record.others, [("D1", "20"), ("D2", "400")]);
    }

    #[test]
    fn operations() {
        let line = r#"k7/K7 w - - moves a1 b1; bm a1a2 b1 ; am c1;c0 "x; y";id "one; two";;acd 2;acd 3;bm d1"#;
        assert_eq!(
            EpdRecord::read(line),
            Ok(EpdRecord {
                variant: None,
                fen: Some("k7/K7 w - -".into()),
                moves: vec!["a1", "b1"],
                best: vec!["a1a2", "b1", "d1"],
                avoid: vec!["c1"],
                id: Some("one; two"),
                others: vec![("c0", "x; y"), ("acd", "3")],
            })
        );
    }

    #[test]
    fn faults_are_named() {
        for (operations, fault) in [
            ("bm a1a2; id \"x;", "`id`: a quote does not end"),
            ("bm", "bm: no move follows"),
            ("bm ;", "bm: no move follows"),
            ("am;", "am: no move follows"),
        ] {
            let line = format!("k7/K7 w - - {operations}");
            let error = EpdRecord::read(&line).unwrap_err();
            assert_eq!(error.to_string(), fault, "{line}");
        }
    }
}
