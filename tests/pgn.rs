//! One reader of games: what is a game, a remark, a result, and laws that hold for spoiled files.

use crate::common::program::{Run, quadrille};
use crate::common::spoil::spoil;
use crate::common::{drawn, play_random};
use quadrille::cli::Console;
use quadrille::cli::interrupt::Interrupt;
use quadrille::cli::sources::Source;
use quadrille::engine::{VARIANTS, find_variant};
use quadrille::games::{Game, Pressman};
use quadrille::records::json::{Object, array, string};
use quadrille::records::pgn::{Comment, PgnError, PlayedMove, Reader, Record, Variation};
use quadrille::system::random::Random;
use quadrille::system::text::{check_encoding, visible};
use quadrille::tools::{annotate, replay};
use std::io::{self, BufReader, Read};
use std::process::Command;

/// Texts and what is read of them: the rows of `data/pgn.txt`, and two with letters that nobody sees.
fn cases() -> Vec<(String, Vec<String>)> {
    // The picture of a control character stands for it.
    let letter = |letter: char| match u32::from(letter) {
        code @ 0x2400..=0x241f => char::from((code - 0x2400) as u8),
        _ => letter,
    };
    let unseen = [
        "e4 {a␛b\u{9b}␉c} $1␇ e5␈ *|: e4$1\u{fffd} {a\u{fffd}b\u{fffd} c} e5\u{fffd} *",
        "\u{feff}e4 *␚|: e4 *",
    ];
    let rows = include_str!("data/pgn.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |row: &str| {
        let mut fields = row.split('|').map(|field| field.chars().map(letter).collect());
        (fields.next().unwrap(), fields.collect())
    };
    rows.chain(unseen).map(row).collect()
}

fn read(text: &[u8]) -> Vec<Result<Record, String>> {
    // A small buffer, so that lines and characters are torn.
    let games = Reader::new(BufReader::with_capacity(7, text));
    games.map(|game| game.map_err(|error| error.to_string())).collect()
}

fn show(game: &Result<Record, String>) -> String {
    let Ok(game) = game else {
        return game.clone().unwrap_err();
    };
    let tags: Vec<_> = game.tags.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut words = vec![tags.join(" ") + ":"];
    words.extend(line(&game.comment, &game.moves));
    words.push(game.result.clone());
    words.join(" ")
}

fn line(comment: &Option<String>, moves: &[PlayedMove]) -> Vec<String> {
    let braced =
        |comment: &Option<String>| comment.as_ref().map(|comment| format!("{{{comment}}}"));
    let mut words: Vec<_> = braced(comment).into_iter().collect();
    for mv in moves {
        words.push(mv.text.clone() + &mv.marks.concat());
        words.extend(braced(&mv.comment));
        for Variation { comment, moves } in &mv.variations {
            words.push(format!("({})", line(comment, moves).join(" ")));
        }
    }
    words
}

/// Returns the comments of a line and of its variations.
fn comments(comment: &Option<String>, moves: &[PlayedMove]) -> Vec<String> {
    let mut texts: Vec<_> = comment.iter().cloned().collect();
    for mv in moves {
        texts.extend(mv.comment.clone());
        for Variation { comment, moves } in &mv.variations {
            texts.extend(comments(comment, moves));
        }
    }
    texts
}

#[test]
fn games_are_read() {
    for (text, expected) in cases() {
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let games: Vec<_> = read(text.as_bytes()).iter().map(show).collect();
            assert_eq!(games, expected, "{text}");
        }
    }
}

#[test]
fn letters_of_other_encodings_are_kept() {
    for (bytes, white) in
        [(&b"caf\xe9"[..], "café"), ("café".as_bytes(), "café"), (b"\x8a\x80", "Š€")]
    {
        let text = [b"[White \"", bytes, b"\"]\n*"].concat();
        let games = read(&text);
        assert_eq!(games[0].as_ref().unwrap().tag("White"), Some(white));
    }
    let text = "[Variant \"gothic\"]\n\n1. e4 *\n";
    for mark in ["\u{feff}", ""] {
        let text = format!("{mark}{text}");
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, name) in [(little, "UTF-16LE"), (big, "UTF-16BE")] {
            let fault = format!("line 1: the text is {name}: save it as UTF-8");
            assert_eq!(read(&bytes), [Err(fault.clone())]);
            for words in [&["replay", "-"][..], &["annotate", "-"], &["analyse"]] {
                let ended = quadrille(words).run_with(bytes.clone());
                let said = ended.stdout.clone() + &ended.stderr;
                assert!(said.contains(&fault[8..]), "{words:?}: {said}");
                assert_eq!(ended.code(), Some(1));
            }
        }
    }
}

/// Games as `src/page/pgn.js` returns them.
fn json(text: &str) -> String {
    let strings = |texts: &[String]| array(texts.iter().map(|text| string(text)));
    fn line(comment: &Option<String>, moves: &[PlayedMove]) -> Object {
        let comment = comment.as_ref().map_or("null".into(), |comment| string(comment));
        let mv = |mv: &PlayedMove| {
            let variations = mv.variations.iter();
            Object::new()
                .with("text", string(&mv.text))
                .with("marks", array(mv.marks.iter().map(|mark| string(mark))))
                .with(
                    "comment",
                    mv.comment.as_ref().map_or("null".into(), |comment| string(comment)),
                )
                .with("variations", array(variations.map(|each| line(&each.comment, &each.moves))))
        };
        Object::new().with("comment", comment).with("moves", array(moves.iter().map(mv)))
    }
    let mut reader = Reader::new(text.as_bytes());
    let mut games = Vec::new();
    while let Some(game) = reader.next() {
        let object = Object::new().with("line", reader.first_line());
        games.push(match game {
            Err(error) => object.with("fault", string(&error.to_string())),
            Ok(game) => {
                let tags =
                    game.tags.iter().map(|(name, value)| strings(&[name.clone(), value.clone()]));
                let main = line(&game.comment, &game.moves);
                object
                    .with("tags", array(tags))
                    .with("main", main)
                    .with("result", string(&game.result))
            }
        });
    }
    array(games)
}

/// A text of pieces of games.
fn odd_text(random: &mut Random) -> String {
    const PIECES: &str = "\
        [A \"1\"]|[B \"x\"]|[Result \"1-0\"]|[result \"0-1\"]|[A x]|[|]|\"|{|}|{a}|{a b}|(|)|(d4)|\
        ;|; c|%|1.|1...|2.e5|e4|Nf3!?|!|$1|$|$5|$14|±|⩲|∞|⁉|+-|−+|=+|=|e8(Q)|e8|(Q)|♘c3|0-0|1-0|\
        ½-½|*|e.p.|\\|é|\u{a0}|\0|\u{1a}|\u{85}|\u{feff}|\r|𝔸|5!|.|--";
    const GAPS: &[&str] = &["", " ", " ", "\n", "\n", "\n\n", "\r\n"];
    let pieces: Vec<_> = PIECES.split('|').collect();
    (0..random.below(30))
        .map(|_| random.pick(&pieces).unwrap().to_string() + random.pick(GAPS).unwrap())
        .collect()
}

/// Reads back what is written of it.
fn is_read_twice(text: &[u8]) {
    for mut game in read(text).into_iter().flatten() {
        // What is written has a result.
        game.is_torn = false;
        let written = game.to_string();
        assert_eq!(read(written.as_bytes()), [Ok(game)], "{text:?}\n{written}");
    }
}

#[test]
fn reading_twice_is_reading_once() {
    let mut random = Random::new(31, 0);
    for (text, _) in cases() {
        is_read_twice(text.as_bytes());
    }
    for _ in 0..drawn(20_000) {
        is_read_twice(odd_text(&mut random).as_bytes());
    }
    for _ in 0..drawn(2_000) {
        is_read_twice(&spoilt_games(&mut random));
    }
}

#[test]
#[ignore = "needs node"]
fn the_page_reads_games_in_the_same_way() {
    const SCRIPT: &str = r#"
        const fs = require("fs"), assert = require("assert");
        const source = ["src/page/tree.js", "src/page/pgn.js"].map((file) => fs.readFileSync(file, "utf8"));
        const readPgn = new Function(`${source.join("")}; return readPgn;`)();
        for (const [text, games] of JSON.parse(fs.readFileSync(0, "utf8"))) {
          const read = readPgn(text).map(({ at, line, fault, tags, result, ...main }) =>
            fault ? { line, fault } : { line, tags, main, result });
          assert.deepStrictEqual(read, games, JSON.stringify(text));
        }
        console.log("the same");
    "#;
    let mut random = Random::new(32, 0);
    let mut texts: Vec<_> = cases().into_iter().map(|(text, _)| text).collect();
    texts.extend((0..drawn(20_000)).map(|_| odd_text(&mut random)));
    texts.extend(
        (0..1_000).map(|_| String::from_utf8_lossy(&spoilt_games(&mut random)).into_owned()),
    );
    texts.push(format!("{}e4", "(e4 ".repeat(101)));
    texts.push("e4 {\n[A \"1\"]\n".to_string() + &"x".repeat(1 << 20) + "\n\n[B \"2\"]\n*");
    // The page tells encodings apart before it reads games.
    texts.retain(|text| check_encoding(text.as_bytes()).is_ok());
    let pairs = texts.iter().map(|text| array([string(text), json(text)]));
    let mut node = Command::new("node");
    let ended = node.args(["-e", SCRIPT]).run_with(array(pairs)).succeeded();
    assert_eq!(ended.stdout, "the same\n");
}

/// A megabyte of what a reader may scan again and again.
#[test]
#[ignore = "needs node"]
fn the_page_reads_every_input_in_one_pass() {
    const SCRIPT: &str = r#"
        const fs = require("fs"), assert = require("assert");
        const source = ["src/page/tree.js", "src/page/pgn.js"].map((file) => fs.readFileSync(file, "utf8"));
        const { readPgn, writePgn, treeOf, commandOf, remarkOf, withCommand, withRemark } = new Function(`${source.join("")};
          return { readPgn, writePgn, treeOf, commandOf, remarkOf, withCommand, withRemark };`)();
        const times = (text) => text.repeat(1000000 / text.length);
        for (const [name, text, fault] of [
          ["blanks", `e4 {x${times(" ")}y} *`], ["blanks in a line", `e4${times(" ")}d4 *`],
          ["signs", `e4${times("!")}a`], ["evaluations", `e4 ${times("+-")}`], ["symbols", `e4 ${times("±!")}`],
          ["numbers", times("1.")], ["commands", `e4 {${times("[%a ")}} *`], ["open commands", `e4 {[%a${times(" ")}} *`],
          ["scores of a match", `e4 {${times("1")}} *`], ["facts of a match", `e4 {1s${times(', a="')}} *`],
          ["lines", times("; x\n")], ["tags in a comment", `e4 {\n[A "1"]${times("\n")}`, "line 1: a comment is not closed"],
        ]) {
          const begun = process.cpuUsage();
          const [game] = readPgn(text);
          assert.strictEqual(game.fault, fault, name);
          const comment = game.moves?.[0]?.comment;
          commandOf(comment, "b"), remarkOf(comment), withCommand(comment, "b", "1"), withRemark(comment, "c");
          const { user } = process.cpuUsage(begun);
          assert(user < 1000000, `${name}: ${user / 1000} ms`);
          if (!fault) writePgn(treeOf(game), game, "");
        }
    "#;
    Command::new("node").args(["-e", SCRIPT]).run().succeeded();
}

/// Games are written as the program writes them; as trees they are the same games; and each change of a
/// tree can be undone.
#[test]
#[ignore = "needs node"]
fn the_page_writes_games_as_they_were() {
    const SCRIPT: &str = r#"
        const fs = require("fs"), assert = require("assert");
        const source = ["src/page/tree.js", "src/page/pgn.js"].map((file) => fs.readFileSync(file, "utf8"));
        const { readPgn, writePgn, treeOf, nodesOf, promote, makeMain, remove, write, tagOf } = new Function(`${source.join("")};
          return { readPgn, writePgn, treeOf, nodesOf, promote, makeMain, remove, write, tagOf };`)();
        let state = 1;
        const random = (below) => (state = (state * 48271) % 2147483647) % below;
        // A tree does not tell the variation of a variation's first move from another variation.
        const isPlain = ({ moves }) => moves.every(({ variations }) =>
          variations.every((each) => isPlain(each) && each.moves[0].variations.length === 0));
        let plain = 0;
        for (const [text, written] of JSON.parse(fs.readFileSync(0, "utf8"))) {
          const games = readPgn(text).filter(({ fault }) => !fault);
          assert.strictEqual(games.length, written.length);
          for (const [number, game] of games.entries()) {
            const textOf = (tree) => writePgn(tree, game, tagOf(game, "FEN") ?? "");
            const tree = treeOf(game);
            const kept = textOf(tree);
            if (isPlain(game)) assert.strictEqual(kept, written[number]), plain += 1;
            assert.strictEqual(textOf(treeOf(readPgn(kept)[0])), kept);
            const undo = [];
            for (let count = random(8); count > 0; count--) {
              const nodes = nodesOf(tree).slice(1);
              if (nodes.length === 0) break;
              const node = nodes[random(nodes.length)];
              undo.push([promote, makeMain, remove, (each) => write(each, { comment: "!", marks: ["??"] })][random(4)](node));
            }
            while (undo.length > 0) undo.pop()();
            assert.strictEqual(textOf(tree), kept);
          }
        }
        assert(plain > 100);
        console.log("the same");
    "#;
    let mut random = Random::new(33, 0);
    let mut texts: Vec<_> = ["src/games/games.pgn", "tests/data/xboard.pgn"]
        .map(|file| std::fs::read_to_string(file).unwrap())
        .to_vec();
    let annotations: Vec<_> = (texts.iter()).map(|text| annotated(text.as_bytes()).0).collect();
    texts.extend(annotations);
    texts.extend(cases().into_iter().map(|(text, _)| text));
    texts.extend((0..500).map(|_| sound_games(&mut random)));
    let pairs = texts.iter().map(|text| {
        let games = read(text.as_bytes()).into_iter().flatten();
        array([string(text), array(games.map(|game| string(&game.to_string())))])
    });
    let mut node = Command::new("node");
    let ended = node.args(["-e", SCRIPT]).run_with(array(pairs)).succeeded();
    assert_eq!(ended.stdout, "the same\n");
}

/// Games of one of the variants with remarks and variations everywhere.
fn sound_games(random: &mut Random) -> String {
    let variant = *random.pick(VARIANTS).unwrap();
    let mut word = 0;
    let mut remark = |random: &mut Random| {
        word += 1;
        match random.below(8) {
            0 => format!("{{remark{word}}} "),
            1 => format!("{{+0.10/3 0.1s, n=5 remark{word}}} "),
            2 => format!("; [%clk 0:01:00] remark{word} [%eval 0.3]\n"),
            3 => format!("(d4 {{remark{word}}} d5 (c5)) "),
            _ => String::new(),
        }
    };
    let mut text = String::new();
    for number in 0..2 {
        let mut session = variant.open();
        text += &format!(
            "[Event \"{number}\"]\n[White \"a\"]\n[Variant \"{}\"]\n[Result \"*\"]\n",
            variant.info.name
        );
        let plies = random.below(16);
        text += &format!("[PlyCount \"{plies}\"]\n\n{}", remark(random));
        for ply in 0..plies {
            let Some(mv) = play_random(&mut *session, random) else { break };
            let mark = random.pick(&["", "", "!", "?!", " $5"]).unwrap();
            text += &format!("{}. {}{mv}{mark} {}\n", ply / 2 + 1, remark(random), remark(random));
        }
        text += &format!("* {}\n\n", remark(random));
    }
    text
}

fn spoilt_games(random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<_> =
        sound_games(random).lines().map(|line| line.as_bytes().to_vec()).collect();
    for _ in 0..random.below(3) {
        let at = random.below(lines.len());
        match random.below(4) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[random.below(lines.len())].clone()),
            _ => spoil(random, &mut lines[at]),
        }
    }
    lines.join(&b'\n')
}

/// Keeps what is printed.
#[derive(Default)]
struct Heard {
    said: Vec<String>,
    warned: Vec<String>,
}

impl Console for Heard {
    fn say(&mut self, text: &str) {
        self.said.push(text.to_string());
    }
    fn warn(&mut self, text: &str) {
        self.warned.push(text.to_string());
    }
}

/// The faults that `replay` finds, without the line of sums.
fn replayed(text: &[u8]) -> Vec<String> {
    let options = replay::ReplayOptions::read(VARIANTS, &["-"]).unwrap();
    let mut heard = Heard::default();
    replay::run(&options, vec![Source::new(text)], &mut heard).unwrap();
    heard.said.pop();
    heard.said
}

/// The games that `annotate` writes, and its faults in the words of `replay`.
fn annotated(text: &[u8]) -> (String, Vec<String>) {
    let options = annotate::AnnotateOptions::read(VARIANTS, &["--nodes", "1", "--jobs", "1", "-"]);
    let mut heard = Heard::default();
    annotate::run(&options.unwrap(), vec![Source::new(text)], &Interrupt::default(), &mut heard)
        .unwrap();
    let fault = |line: &String| visible(&line.replacen("-: ", "", 1));
    (heard.said.join("\n"), heard.warned.iter().map(fault).collect())
}

/// `annotate` finds the faults of `replay`, loses no remark, and adds no fault.
fn annotation_is_true(text: &[u8]) {
    let (written, faults) = annotated(text);
    let shown = String::from_utf8_lossy(text);
    assert_eq!(faults, replayed(text), "{shown}");
    assert_eq!(replayed(written.as_bytes()), [""; 0], "{shown}\n{written}");
    let sound: Vec<_> = read(text)
        .into_iter()
        .zip(1..)
        .filter(|(_, number)| {
            !faults.iter().any(|fault| fault.starts_with(&format!("game {number}, ")))
        })
        .collect();
    let games = read(written.as_bytes());
    assert_eq!(games.len(), sound.len(), "{shown}\n{written}");
    for ((before, _), after) in sound.iter().zip(&games) {
        let remarks = |game: &Result<Record, String>| {
            let game = game.as_ref().unwrap();
            comments(&game.comment, &game.moves)
                .iter()
                .map(|comment| Comment::read(comment).remark + " ")
                .collect::<String>()
        };
        let kept = remarks(after);
        for word in remarks(before).split(' ').filter(|word| word.contains("remark")) {
            assert!(kept.contains(word), "{word}\n{shown}\n{written}");
        }
    }
    let (again, _) = annotated(written.as_bytes());
    assert_eq!(again, written, "{shown}");
}

#[test]
fn annotations_of_spoilt_games_are_true() {
    let mut random = Random::new(33, 0);
    for _ in 0..drawn(300) {
        annotation_is_true(&spoilt_games(&mut random));
    }
}

/// A new verdict replaces an old one, written as a sign or a number. Other marks stay, as numbers where there is one.
#[test]
fn verdicts_are_replaced_in_either_form() {
    for (mark, kept) in [
        ("$4", ""),
        ("??", ""),
        (" $2", ""),
        ("?!", ""),
        (" ⁈", ""),
        ("!$6", "!"),
        (" $1 $2", "!"),
        ("$5", "!?"),
        ("?? ±!?", " $16 $5"),
        ("$9 −+", " $9 $19"),
    ] {
        let text = format!("[variant \"gothic\"]\n\n1. h3{mark} *");
        let (written, _) = annotated(text.as_bytes());
        assert!(written.starts_with("[Variant \"gothic\"]\n"), "{written}");
        // The first move is none of the worst.
        assert!(written.contains(&format!("1. h3{kept} {{[%eval")), "{mark}: {written}");
    }
}

/// `replay` and `annotate` have one idea of a broken game.
#[test]
fn broken_games_are_broken_everywhere() {
    let mate = "[Variant \"gothic\"]\n[FEN \"9k/10/8K1/10/10/10/10/Q9 w - - 0 1\"]\n";
    let bare = "[Variant \"gothic\"]\n[FEN \"9k/10/10/10/10/10/10/rK8 w - - 0 1\"]\n";
    let gothic = "[Variant \"gothic\"]\n";
    let shuffle = "1. Nc3 Nc6 2. Nb1 Nb8 3. Nc3 Nc6 4. Nb1 Nb8";
    let late = "[Variant \"gothic\"]\n[FEN \"9k/10/10/10/10/10/10/KR8 w - - 99 80\"]\n";
    let capablanca =
        "[FEN \"rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w JAja - 0 1\"]\n";
    for (text, fault) in [
        (
            format!("{mate}\n1. Qa8 j8i8 1-0"),
            "move 2, `j8i8`, follows the end of the game by checkmate",
        ),
        (format!("{mate}\n1. Qa8 *"), "the result is 1-0 by checkmate, but `*` is stated"),
        (format!("{mate}[Reason \"checkmate\"]\n\n1. Qa2 1-0"), "the reason `checkmate` is stated"),
        (
            format!("{bare}\n1. Kxa1 Kj7 *"),
            "move 2, `Kj7`, follows the end of the game by material",
        ),
        (
            format!("{gothic}[PlyCount \"3\"]\n\n1. e4 *"),
            "the tag PlyCount says `3`, but there are 1",
        ),
        (format!("{gothic}[Result \"0-1\"]\n\n1. e4 1-0"), "the tag Result says `0-1`, but `1-0`"),
        (format!("{gothic}\n1. e4 {} *", "x".repeat(5000)), "is not a move"),
        (format!("{gothic}[FEN \"{}\"]\n\n*", "x".repeat(5000)), "FEN, placement: 1 rank"),
        (format!("[Variant \"{}\"]\n\n*", "x".repeat(5000)), "the variant `xxx"),
        ("[Variant \"Capablanca\"]\n\n1. e4 *".into(), "the variant `Capablanca` is not"),
        ("1. e2e4 *".into(), "game 1, line 1: there is no tag Variant"),
        (
            "[Variant \"chess\"]\n\n*".into(),
            "the variant `chess` is not one of gothic, congress, pressman, crosseyed",
        ),
        (format!("{gothic}[SetUp \"1\"]\n\n*"), "there is a tag SetUp, but no tag FEN"),
        (format!("{gothic}[FEN \"9k/K9 w - - 0 1\"]\n\n*"), "FEN, placement: 2 ranks"),
        (
            "[Variant \"congress\"]\n\n1. b1c3 b1c3 *".into(),
            "move 2: `b1c3` is illegal in hh1kk1bb/1pppppp1/8/2H5/1PPPPPP1/H2KK1BB",
        ),
        (format!("{gothic}\n1. e2\u{1b}e4 *"), "`e2\u{fffd}e4` is illegal in rnbqckabnr/"),
        (format!("{bare}\n1. Kxa1 0-1"), "the result is 1/2-1/2 by material, but `0-1` is stated"),
        (
            format!("{mate}[Reason \"time forfeit\"]\n\n1. Qa8 1-0"),
            "the game ends by checkmate, but its tag Reason says `time forfeit`",
        ),
        (format!("{mate}[Reason \"checkmate\"]\n\n1. Qa8 1-0"), ""),
        (format!("{mate}[Result \"1-0\"]\n[PlyCount \"1\"]\n\n1. Qa8"), ""),
        (format!("{mate}\n1. Qa2 *"), ""),
        (format!("{mate}[Reason \"time forfeit\"]\n\n1. Qa2 0-1"), ""),
        (format!("{mate}[Reason \"adjudication: material\"]\n\n1/2-1/2"), ""),
        (format!("{bare}[Reason \"material\"]\n\n1. Kxa1 1/2-1/2"), ""),
        // A claim that nobody made is no end, but the end of a game may be one.
        (format!("{gothic}\n{shuffle} 5. e4 e5 1-0"), ""),
        (format!("{gothic}\n{shuffle} 5. e4 e5 *"), ""),
        (format!("{gothic}\n{shuffle} 5. Nc3 0-1"), ""),
        (format!("{gothic}\n{shuffle} 5. Nc3 1/2"), ""),
        (format!("{gothic}\n{shuffle} 1/2"), ""),
        (
            format!("{gothic}\n{shuffle} 1-0"),
            "the result is 1/2-1/2 by repetition, but `1-0` is stated",
        ),
        (format!("{gothic}[Reason \"repetition\"]\n\n{shuffle} 5. Nc3 1/2"), ""),
        (
            format!("{gothic}[Reason \"repetition\"]\n\n{shuffle} 5. Nc3 1-0"),
            "the result is 1/2-1/2 by repetition",
        ),
        (format!("{late}\n1. Rb2 Kj7 2. Rb3 1-0"), ""),
        (format!("{late}\n1. Rb2 1-0"), "the result is 1/2-1/2 by clock"),
        (format!("{late}[Reason \"clock\"]\n\n1. Rb2 Kj7 2. Rb3 1/2-1/2"), ""),
        // Results in other words.
        (format!("{gothic}[Result \"1/2\"]\n\n1. e4 ½-½"), ""),
        (format!("{gothic}[Result \"0.5-0.5\"]\n\n1. e4 1/2-1/2"), ""),
        // Another start of the same game.
        (format!("[Variant \"Capablanca\"]\n{capablanca}\n1. e4 e5 *"), ""),
        (format!("{capablanca}[Variant \"capablanca chess\"]\n\n1. e4 e5 *"), ""),
    ] {
        annotation_is_true(text.as_bytes());
        let faults = replayed(text.as_bytes());
        assert_eq!(faults.len(), usize::from(!fault.is_empty()), "{text}{faults:?}");
        for found in faults {
            assert!(found.contains(fault) && found.len() < 400, "{found}");
        }
    }
}

/// The order of tags changes nothing.
#[test]
fn tags_stand_in_any_order() {
    let mut random = Random::new(34, 0);
    let without_line = |fault: &String| {
        let (game, fault) = fault.split_once(", line ").unwrap();
        let (_, mut fault) = fault.split_once(": ").unwrap();
        // Of two broken tags the first is named.
        if fault.ends_with("is not a tag") {
            fault = "a tag is broken";
        }
        format!("{game}: {fault}")
    };
    for _ in 0..drawn(1_000) {
        let text = spoilt_games(&mut random);
        let mut blocks: Vec<Vec<&[u8]>> = vec![Vec::new()];
        for line in text.split(|&byte| byte == b'\n') {
            let is_tag = |line: &[u8]| {
                line.starts_with(b"[") && line.ends_with(b"\"]") && !line.contains(&b'\r')
            };
            let last = blocks.last_mut().unwrap();
            match last.last() {
                Some(before) if !is_tag(before) || !is_tag(line) => blocks.push(vec![line]),
                _ => last.push(line),
            }
        }
        for block in &mut blocks {
            for at in (1..block.len()).rev() {
                block.swap(at, random.below(at + 1));
            }
        }
        let mixed = blocks.concat().join(&b'\n');
        let faults = |text: &[u8]| replayed(text).iter().map(without_line).collect::<Vec<_>>();
        let shown = String::from_utf8_lossy(&mixed);
        assert_eq!(faults(&mixed), faults(&text), "{}\n{shown}", String::from_utf8_lossy(&text));
    }
}

/// Files of games put together without a line break are those games for all who read them.
#[test]
fn joined_games_are_read_everywhere() {
    let folder = crate::common::program::scratch("pgn/joined");
    let game = |round: u32, result: &str| {
        format!(
            "[Event \"x\"]\n[Round \"{round}\"]\n[White \"a\"]\n[Black \"b\"]\n[Variant \"congress\"]\n\
             [Result \"{result}\"]\n\n1. e3 e4 {result}"
        )
    };
    for (result, gap) in [("1-0", ""), ("0-1", " "), ("1/2-1/2", " {agreed}\t"), ("*", "\u{a0}")] {
        let text = game(1, result) + gap + &game(2, "1-0");
        annotation_is_true(text.as_bytes());
        std::fs::write(folder.join("joined.pgn"), &text).unwrap();
        let engines = "-engine cmd=self name=a -engine cmd=self name=b -each nodes=1 -games 1 -rounds 2 -maxmoves 3";
        for (words, said) in [
            ("replay joined.pgn", "2 games, 4 moves, 0 faults\n"),
            ("match --merge joined.pgn", "a"),
            (&format!("match -variant congress {engines} -openings file=joined.pgn"), "a"),
        ] {
            let mut command = quadrille(words.split(' '));
            let ended = command.current_dir(&folder).run().succeeded();
            assert!(ended.stdout.contains(said), "{words}: {}", ended.stdout);
        }
    }
}

/// `-openings` reads as `replay` does.
#[test]
fn openings_are_read_in_the_same_way() {
    let folder = crate::common::program::scratch("pgn/openings");
    let text = "[Event \"x\"]\n[Variant \"Capablanca\"]\n\
        [FEN \"rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1\"]\n\n\
        {caf\u{e9}} 1. Nc3 Nc6 2. Nb1 Nb8 3. Nc3 Nc6 4. Nb1 Nb8 5. {[Event} ♙g3 (d4) *\n\u{1a}";
    let latin: Vec<u8> = text.chars().filter_map(|letter| u8::try_from(letter).ok()).collect();
    let suite =
        "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1 ;D1 28 ;D2 784\n";
    for (name, bytes) in
        [("a.pgn", text.as_bytes()), ("b.pgn", &latin), ("c.epd", suite.as_bytes())]
    {
        std::fs::write(folder.join(name), bytes).unwrap();
        let words = format!(
            "match -variant gothic -engine cmd=self name=a -engine cmd=self name=b -each nodes=1 \
             -games 1 -rounds 1 -maxmoves 1 -openings file={name}"
        );
        quadrille(words.split(' ')).current_dir(&folder).run().succeeded();
    }
    // PgnError is what they share.
    let error = Reader::new(&b"e4 }"[..]).next().unwrap().unwrap_err();
    assert!(matches!(error, PgnError::Malformed { line: 1, .. }));
    assert!(find_variant(VARIANTS, "Capablanca").is_err());
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
        tags: tags.map(|(name, value)| (name.to_string(), value.to_string())).collect(),
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
        &[("e2e4", ""), ("e7e5", "+0.34/12 0.51s"), ("b1c3", "a"), ("b8c6", "")],
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
    let mut game = record(&[("Variant", "pressman")], &[("a7a5", ""), ("a2a4", "")], "*");
    game.start = Pressman::START.into();
    assert!(game.to_string().ends_with("\n\n1... a7a5 2. a2a4 *\n\n"));
}

#[test]
fn variations() {
    let mut game = record(&[("Event", "?")], &[("e4", ""), ("e5", ""), ("Nc3", "a")], "*");
    let variation = |moves| Variation { comment: None, moves: record(&[], moves, "").moves };
    game.moves[0].variations = vec![variation(&[("d4", "")]), variation(&[("c4", "")])];
    game.moves[2].variations = vec![variation(&[("d4", ""), ("exd4", "b"), ("Qxd4", "")])];
    let within = &mut game.moves[2].variations[0];
    within.comment = Some("or".into());
    within.moves[1].variations = vec![variation(&[("d6", "")])];
    within.moves[1].marks = ["!?", "$14", "!"].map(String::from).into();
    game.comment = Some("begin".into());
    let text = "{begin} 1. e4 (1. d4) (1. c4) 1... e5 2. Nc3 {a} ({or} 2. d4 exd4!? $14 $1 {b}\n(2... d6) 3. Qxd4) *";
    assert!(game.to_string().ends_with(&format!("\n\n{text}\n\n")), "{game}");
    assert_eq!(read_one(&game.to_string()), game);
}

#[test]
fn lines_are_short() {
    let comments = ["", "+0.34/12 0.51s", "long words and many of them", "x"];
    let each: Vec<_> = (0..400).map(|i| ("a10a11q", comments[i * i % 4])).collect();
    let game = record(&[("Event", "?")], &each, "1/2-1/2");
    let text = game.to_string();
    assert!(text.lines().all(|line| line.chars().count() < 80));
    assert!(text.lines().filter(|line| line.len() > 60).count() > 50);
    assert_eq!(read_one(&text), game);
}

/// Texts that could end a comment or a tag, or look like the beginning of one.
#[test]
fn hostile_text() {
    let text = "%x [Event \"y\"] ; $1 ( ) \\ 1-0 ".repeat(40);
    let game = record(&[("Event", &text)], &[("e2e4", text.trim()), ("e7e5", "")], "*");
    assert_eq!(read_one(&game.to_string()), game);
    let game = record(&[("Event", "a\nb")], &[("e2e4", "{a}\n\t {b"), ("e7e5", " ")], "*");
    let expected = record(&[("Event", "a b")], &[("e2e4", "(a) (b"), ("e7e5", "")], "*");
    assert_eq!(read_one(&game.to_string()), expected);
}

/// A game without an end does not fill the memory.
#[test]
fn endless_games() {
    let good = "[Event \"good\"]\n\n1. e2e4 *";
    for piece in ["e2e4 ", "e2e4\n", "x", "{", "(", "\n;x", "[A \"b\"]\n"] {
        let text = format!("e2e4\n{}\n\n{good}", piece.repeat((1 << 20) / piece.trim().len()));
        let lines = text.lines().count();
        let mut reader = Reader::new(text.as_bytes());
        let mut games = Vec::new();
        while let Some(game) = reader.next() {
            games.push((reader.first_line(), game.is_ok()));
        }
        let last = games.pop();
        assert_eq!(last, Some((lines - 2, true)), "{piece}");
        assert!(games.contains(&(1, false)) || piece.starts_with('['), "{piece}");
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
    let error = reader.next().map(|game| game.map_err(|error| error.to_string()));
    assert_eq!(error, Some(Err("after line 1: broken".into())));
    assert!(reader.next().is_none());
}
