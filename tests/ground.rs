//! Public functions of the lower rooms: text, numbers, dates, random numbers, files, EPD and JSON.

use quadrille::records::epd::EpdRecord;
use quadrille::records::json::{Object, array, string};
use quadrille::system::date::{clock, date_and_time, read_clock};
use quadrille::system::random::Random;
use quadrille::system::text::{clamped, decimal, number, shorten, visible};
use std::time::{Duration, SystemTime};

#[test]
fn what_acts_on_a_terminal_is_replaced() {
    let plain = "info string \"L\u{e4}ufer\\b\" La\u{308}ufer isn't 将 ♔";
    assert_eq!(visible(plain), plain);
    assert_eq!(
        visible("a\tb\u{1b}[31m\u{9b}\0\r\n"),
        "a b\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}\u{fffd}"
    );
    assert_eq!(visible("\u{202e}x\u{2066}\u{200b}\u{feff}"), "\u{fffd}x\u{fffd}\u{fffd}\u{fffd}");
}

#[test]
fn a_number_has_no_plus() {
    assert_eq!(number("n", "5", 1, 9), Ok(5));
    assert_eq!(clamped("n", "-5.5", 9), Ok(0));
    for error in [
        number("n", "+5", 1, 9).map(drop),
        decimal("n", "+5", 1.0, 9.0).map(drop),
        clamped("n", "+5", 9).map(drop),
    ] {
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("n: `+5` is not a "), "{error}");
    }
}

#[test]
fn a_long_text_is_shortened() {
    assert_eq!(shorten(&"é".repeat(61)), "é".repeat(60) + "…");
    assert_eq!(shorten(&"é".repeat(60)), "é".repeat(60));
}

#[test]
fn dates_and_times() {
    for (seconds, date, time) in [
        (0, "1970.01.01", "00:00:00"),
        (951_782_400, "2000.02.29", "00:00:00"),
        (951_868_799, "2000.02.29", "23:59:59"),
        (951_868_800, "2000.03.01", "00:00:00"),
        (1_709_211_959, "2024.02.29", "13:05:59"),
        (1_735_689_599, "2024.12.31", "23:59:59"),
        (1_735_689_600, "2025.01.01", "00:00:00"),
        (4_107_542_400, "2100.03.01", "00:00:00"),
    ] {
        let when = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(date_and_time(when), (date.into(), time.into()), "{seconds}");
        assert_eq!(read_clock(&clock(seconds)), Some(seconds));
    }
}

#[test]
fn a_seed_decides_and_streams_differ() {
    let draw = |seed, stream| {
        let mut random = Random::new(seed, stream);
        [(); 4].map(|()| random.next())
    };
    assert_eq!(draw(1, 2), draw(1, 2));
    assert_ne!(draw(1, 2), draw(1, 3));
    assert_ne!(draw(1, 2), draw(2, 2));
}

#[test]
fn shuffling_loses_nothing() {
    let mut things: Vec<_> = (0..50).collect();
    Random::new(7, 0).shuffle(&mut things);
    assert_ne!(things, (0..50).collect::<Vec<_>>());
    things.sort_unstable();
    assert_eq!(things, (0..50).collect::<Vec<_>>());
}

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
        ("position fen k7/K7 w - - 3 4 moves a1a2", None, "k7/K7 w - - 3 4"),
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
fn operations_of_epd() {
    let line =
        r#"k7/K7 w - - moves a1 b1; bm a1a2 b1 ; am c1;c0 "x; y";id "one; two";;acd 2;acd 3;bm d1"#;
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
fn faults_of_operations_are_named() {
    for (operations, fault) in [
        ("bm a1a2; id \"x;", "`id`: a quote does not end"),
        ("bm", "bm: no move follows"),
        ("bm ;", "bm: no move follows"),
        ("am;", "am: no move follows"),
        // Words that were meant to be `moves` and a move.
        ("move a1a2", "`move`: no `;` follows"),
        ("0 1 a1a2", "`a1a2`: no `;` follows"),
        ("Moves a1a2", "`Moves`: no `;` follows"),
    ] {
        let line = format!("k7/K7 w - - {operations}");
        let error = EpdRecord::read(&line).unwrap_err();
        assert_eq!(error.to_string(), fault, "{line}");
    }
}

#[test]
fn values_of_json() {
    let empty = Object::new();
    assert_eq!(empty.to_string(), "{}");
    let inner = Object::new().with("cp", -5);
    let object = Object::new()
        .with("score", inner)
        .with_some("id", None::<&str>)
        .with_some("pv", Some(array(["a", "b"].map(string))));
    assert_eq!(object.to_string(), r#"{"score": {"cp": -5}, "pv": ["a", "b"]}"#);
}

#[test]
fn every_letter_can_be_quoted_in_json() {
    assert_eq!(
        string("a\"b\\c\n\u{1b}\u{7f}é\u{1F600}"),
        "\"a\\\"b\\\\c\\u000a\\u001b\\u007fé\u{1F600}\""
    );
}

#[cfg(unix)]
#[test]
fn a_replacement_is_where_and_what_the_old_file_was() {
    use crate::common::program::scratch;
    use quadrille::system::files::{Lines, write};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = scratch("ground/links");
    fs::create_dir(folder.join("sub")).expect("a folder");
    let at = |name: &str| folder.join(name);
    let text = |name: &str| fs::read_to_string(at(name)).expect(name);
    fs::write(at("sub/secret"), "old").expect("a file");
    let secret = fs::Permissions::from_mode(0o640);
    fs::set_permissions(at("sub/secret"), secret).expect("a mode");
    for (link, target) in [
        ("secret", "sub/secret"),
        ("chain", "secret"),
        ("dangling", "sub/new"),
        ("nowhere", "none/new"),
        ("loop", "loop"),
    ] {
        symlink(target, at(link)).expect("a link");
    }
    for name in ["sub/secret", "secret", "chain"] {
        write(&at(name), name.as_bytes()).expect(name);
        assert_eq!(text("sub/secret"), name);
        let mode = fs::metadata(at("sub/secret")).expect("a file");
        assert_eq!(mode.permissions().mode() & 0o777, 0o640, "{name}");
    }
    // Both kinds of output treat a link alike.
    write(&at("dangling"), b"new").expect("a new file");
    assert_eq!(text("sub/new"), "new");
    fs::remove_file(at("sub/new")).expect("a file");
    Lines::open(&at("dangling")).and_then(|mut lines| lines.append("new")).expect("a new file");
    assert_eq!(text("sub/new"), "new\n");
    for name in ["nowhere", "loop", "sub"] {
        let error = write(&at(name), b"").expect_err(name).to_string();
        let other = Lines::open(&at(name)).err().expect(name).to_string();
        assert_eq!(error, other, "{name}");
    }
    for name in ["secret", "chain", "dangling", "nowhere", "loop"] {
        assert!(at(name).is_symlink(), "{name}");
    }
    assert_eq!(fs::read_dir(at("sub")).expect("a folder").count(), 2);
}
