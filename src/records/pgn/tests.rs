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
        ..Record::default()
    }
}

/// Returns the moves with their comments after them.
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
            "e2e4 (to the end () e7e5",
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
        ("e2e4\n{e7e5\n1-0\n", "line 2: a comment is not closed"),
        ("(e2e4\n(e7e5)\n1-0\n", "line 1: a variation is not closed"),
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
