//! Games are read as written, by this program and by others.

use super::reader::MAX_BYTES;
use super::writer::COLUMNS;
use super::{PlayedMove, Reader, Record, Variation};
use crate::games::{Game, Pressman};
use std::io::{self, BufReader, Read};

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
        ..Record::default()
    }
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
        game.to_string()
            .ends_with("\n\n41... e2e4 42. e7e5 {+0.34/12 0.51s} 42... b1c3 {a} 43. b8c6 1-0\n\n")
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
    let variation = |moves| Variation {
        comment: None,
        moves: record(&[], moves, "").moves,
    };
    game.moves[0].variations = vec![variation(&[("d4", "")]), variation(&[("c4", "")])];
    game.moves[2].variations = vec![variation(&[("d4", ""), ("exd4", "b"), ("Qxd4", "")])];
    let within = &mut game.moves[2].variations[0];
    within.comment = Some("or".into());
    within.moves[1].variations = vec![variation(&[("d6", "")])];
    within.moves[1].marks = ["!?", "$14", "±"].map(String::from).into();
    game.comment = Some("begin".into());
    let text = "{begin} 1. e4 (1. d4) (1. c4) 1... e5 2. Nc3 {a} ({or} 2. d4 exd4!? $14 ± {b}\n(2... d6) 3. Qxd4) *";
    assert!(
        game.to_string().ends_with(&format!("\n\n{text}\n\n")),
        "{game}"
    );
    assert_eq!(read_one(&game.to_string()), game);
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

/// Texts that could end a comment or a tag, or look like the beginning of one.
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

/// A game without an end does not fill the memory.
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
