//! A line with a position: one of UCI (`position fen FEN moves e2e4`), a FEN, or an EPD, which is the
//! first four fields of a FEN with operations (`bm e2e4; id "first";`).

use crate::system::Cause;
use crate::system::text::{
    InputLine, MAX_LINE, check_encoding, decode, is_blank, read_line, shorten,
};
use std::borrow::Cow;
use std::io::BufRead;
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

/// Iterates over the lines of a text and their numbers, from 1, without empty lines and comments. A
/// text in UTF-16, or one that cannot be read, ends with this fault.
pub fn lines(mut text: impl BufRead) -> impl Iterator<Item = (u64, Result<String, Cause>)> {
    let mut is_over = false;
    let read = move |number| {
        if is_over {
            return None;
        }
        let line = match read_line(&mut text).transpose()? {
            Ok(InputLine::Whole(bytes)) => match check_encoding(&bytes) {
                Err(fault) if number == 1 => {
                    is_over = true;
                    Err(fault.into())
                }
                _ => Ok(decode(&bytes).into_owned()),
            },
            Ok(InputLine::TooLong) => {
                Err(format!("the line is longer than {MAX_LINE} bytes").into())
            }
            Err(error) => {
                is_over = true;
                Err(format!("the input cannot be read: {error}").into())
            }
        };
        Some((number, line))
    };
    let is_skipped = |line: &str| {
        let line = line.trim_start_matches(is_blank);
        line.is_empty() || line.starts_with('#')
    };
    (1..).map_while(read).filter(move |(_, line)| !line.as_deref().is_ok_and(is_skipped))
}

/// Reads what stands on the lines of a text, up to the first fault.
pub fn read_all<T>(
    text: impl BufRead,
    mut read: impl FnMut(&str) -> Result<T, Cause>,
) -> Result<Vec<T>, Cause> {
    let read = |(number, line): (u64, Result<String, Cause>)| {
        let found = line.and_then(|line| read(&line));
        found.map_err(|fault| format!("line {number}: {fault}").into())
    };
    lines(text).map(read).collect()
}

/// Operations of the standard that programs write, whose last `;` may be missing.
const KNOWN: [&str; 9] = ["acd", "acn", "acs", "bm", "c0", "ce", "dm", "pm", "pv"];

/// The word for the start of the game.
const START: &str = "startpos";

impl<'t> EpdRecord<'t> {
    /// Reads a line, without checking the FEN and the variant.
    ///
    /// # Errors
    ///
    /// An operation that does not end, has no move, or is unknown in a line without `;`.
    pub fn read(line: &'t str) -> Result<Self, String> {
        let line = after(after(line.trim_matches(is_blank), "position"), "fen");
        let (variant, position) = split_variant(line);
        let (fen, mut rest) = split_fen(position);
        let mut record = Self { variant, ..Self::default() };
        let (mut clock, mut number, has_ends) = (None, None, rest.contains(';'));
        while !rest.is_empty() {
            let (opcode, operands);
            (opcode, operands, rest) = split_operation(rest)?;
            match opcode {
                "moves" => record.moves.extend(operands.split_ascii_whitespace()),
                // `bm #3` of suites of mates names no move.
                "bm" if !operands.starts_with('#') => record.best.extend(moves(opcode, operands)?),
                "am" => record.avoid.extend(moves(opcode, operands)?),
                "id" => record.id = Some(operands.trim_matches('"')),
                "hmvc" => clock = Some(operands),
                "fmvn" => number = Some(operands),
                "" => {}
                // A move, perhaps, or a word that was meant to be `moves`.
                _ if !has_ends && !KNOWN.contains(&opcode) => {
                    return Err(format!("`{}`: no `;` follows", shorten(opcode)));
                }
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
    if first.contains('/') || first == START { (None, line) } else { (Some(first), rest) }
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
