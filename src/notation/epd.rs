//! A line with a position: a FEN, or an EPD, which is a FEN's first four fields with
//! operations (`bm e2e4; id "first";`).

/// What a line says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Record<'t> {
    /// The name of the game, if the line begins with one.
    pub variant: Option<&'t str>,
    /// The position.
    pub fen: &'t str,
    /// `bm`: the moves of which one should be found.
    pub best: Vec<&'t str>,
    /// `am`: the moves to avoid.
    pub avoid: Vec<&'t str>,
    /// `id`: the name of the position.
    pub id: Option<&'t str>,
}

impl<'t> Record<'t> {
    /// Reads a line. The FEN is only found here, and the variant, not checked.
    ///
    /// # Errors
    ///
    /// An operation that does not end, or has no move.
    pub fn read(line: &'t str) -> Result<Self, String> {
        let (variant, position) = split_variant(line.trim());
        let (fen, mut rest) = split_fen(position);
        let mut record = Self {
            variant,
            fen,
            ..Self::default()
        };
        while !rest.is_empty() {
            let (opcode, operands);
            (opcode, operands, rest) = split_operation(rest)?;
            match opcode {
                "bm" => record.best.extend(moves(opcode, operands)?),
                "am" => record.avoid.extend(moves(opcode, operands)?),
                "id" => record.id = Some(operands.trim_matches('"')),
                // There are many, and none of the others says anything about the search.
                _ => {}
            }
        }
        Ok(record)
    }
}

/// The first word, if it is not a FEN's, and the rest.
fn split_variant(line: &str) -> (Option<&str>, &str) {
    let (first, rest) = split_word(line);
    // A placement has several ranks, a name has none.
    if first.contains('/') {
        (None, line)
    } else {
        (Some(first), rest)
    }
}

/// The fields of the FEN, and the operations. These begin with a letter, which the numbers
/// in the fifth and sixth field of a FEN do not.
fn split_fen(text: &str) -> (&str, &str) {
    let mut rest = text;
    for _ in 0..4 {
        rest = split_word(rest).1;
    }
    while !rest.is_empty() && !rest.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        rest = split_word(rest).1;
    }
    let (fen, operations) = text.split_at(text.len() - rest.len());
    (fen.trim_end(), operations)
}

/// The first operation's name and operands, and what follows its `;`. One within quotes
/// ends nothing.
fn split_operation(text: &str) -> Result<(&str, &str, &str), String> {
    let mut quoted = false;
    let end = text.bytes().position(|byte| {
        quoted ^= byte == b'"';
        byte == b';' && !quoted
    });
    let Some(end) = end else {
        return Err(format!("`{}` does not end with `;`", split_word(text).0));
    };
    let (opcode, operands) = split_word(&text[..end]);
    Ok((opcode, operands.trim_end(), text[end + 1..].trim_start()))
}

fn moves<'t>(
    opcode: &str,
    operands: &'t str,
) -> Result<std::str::SplitAsciiWhitespace<'t>, String> {
    if operands.is_empty() {
        return Err(format!("{opcode}: no move follows"));
    }
    Ok(operands.split_ascii_whitespace())
}

/// The first word, and the rest without the white space between.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
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
            ("race", Some("race"), ""),
        ] {
            let record = Record::read(line).unwrap();
            assert_eq!((record.variant, record.fen), (variant, fen), "{line}");
        }
    }

    #[test]
    fn operations() {
        let line = r#"k7/K7 w - - bm a1a2 b1 ; am c1;c0 "x; y";id "one; two";acd 3;bm d1;"#;
        assert_eq!(
            Record::read(line),
            Ok(Record {
                variant: None,
                fen: "k7/K7 w - -",
                best: vec!["a1a2", "b1", "d1"],
                avoid: vec!["c1"],
                id: Some("one; two"),
            })
        );
    }

    #[test]
    fn faults_are_named() {
        for (operations, fault) in [
            ("bm a1a2", "`bm` does not end with `;`"),
            ("bm a1a2; id \"x;", "`id` does not end with `;`"),
            ("bm ;", "bm: no move follows"),
            ("am;", "am: no move follows"),
        ] {
            let line = format!("k7/K7 w - - {operations}");
            assert_eq!(Record::read(&line), Err(fault.to_string()), "{line}");
        }
    }
}
