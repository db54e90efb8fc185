//! `replay`: games that are written and replayed by the program.

use crate::common::positions::Random;
use crate::common::program::{InTime, Program};
use quadrille::engine::{VARIANTS, Variant, find_variant};
use quadrille::games::result;
use quadrille::records::pgn::{PlayedMove, Record};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A random game from the start or a FEN until it is over.
fn random_game(variant: Variant, fen: Option<&str>, seed: u64) -> Record {
    let mut random = Random(seed);
    let mut session = variant.open();
    session.set_position(fen, &[]).unwrap();
    let mut record = Record::default();
    let outcome = loop {
        if let Some(outcome) = session.outcome() {
            break outcome;
        }
        let moves = session.moves();
        let text = moves[random.below(moves.len())].clone();
        session.play(&text).unwrap();
        let comment = (random.below(2) == 0).then(|| "+0.34/12 0.51s".to_string());
        record.moves.push(PlayedMove {
            text,
            comment,
            ..PlayedMove::default()
        });
    };
    record.result = result(outcome.winner).into();
    let plies = record.moves.len().to_string();
    let mut tags = vec![
        ("Event", "random \"games\""),
        ("Result", &record.result),
        ("Variant", variant.info.name),
        ("PlyCount", &plies),
        ("Reason", outcome.reason.name()),
    ];
    if let Some(fen) = fen {
        tags.extend([("SetUp", "1"), ("FEN", fen)]);
    }
    record.tags = tags
        .into_iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    record
}

/// Random games of a variant, from the start and elsewhere.
fn random_games(variant: Variant) -> Vec<Record> {
    let samples = variant.info.samples;
    std::iter::once(None)
        .chain(samples.iter().copied().map(Some))
        .zip(1..)
        .map(|(fen, seed)| random_game(variant, fen, seed))
        .collect()
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(arguments).env_remove("RUST_LOG");
    command
}

/// What is said of a text on standard input, and the exit status.
fn replay(text: &str) -> (Vec<String>, i32) {
    let mut command = program(&["replay", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = Program::start(&mut command);
    let mut input = child.stdin.take().unwrap();
    let text = text.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.output();
    writer.join().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    (
        lines.lines().map(str::to_string).collect(),
        output.status.code().unwrap(),
    )
}

fn all_games() -> Vec<Record> {
    VARIANTS
        .iter()
        .flat_map(|&variant| random_games(variant))
        .collect()
}

#[test]
fn good_games_of_each_variant() {
    let games = all_games();
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    let summary = format!("{} games, {moves} moves, 0 faults", games.len());
    let text: String = games.iter().map(Record::to_string).collect();
    assert_eq!(replay(&text), (vec![summary.clone()], 0));
    // The same games as other programs may write them.
    let text = text.replace(" {", " $1 (1. a1a1) {").replace('\n', "\r\n");
    assert_eq!(replay(&format!("\u{feff}{text}")), (vec![summary], 0));
}

#[test]
fn the_start_may_be_named() {
    let game = "[Variant \"pressman\"]\n[FEN \"startpos\"]\n\n1... a7a5 *\n";
    assert_eq!(replay(game), (vec!["1 game, 1 move, 0 faults".into()], 0));
}

/// A game with its moves in algebraic notation.
fn in_san(game: &Record) -> Record {
    let variant = find_variant(VARIANTS, game.tag("Variant").unwrap()).unwrap();
    let mut session = game.open(variant).unwrap();
    let mut game = game.clone();
    for mv in &mut game.moves {
        let coordinates = std::mem::take(&mut mv.text);
        mv.text = session.san(&coordinates).unwrap();
        session.play(&coordinates).unwrap();
    }
    game
}

#[test]
fn games_in_algebraic_notation() {
    let games: Vec<_> = all_games().iter().map(in_san).collect();
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    let summary = format!("{} games, {moves} moves, 0 faults", games.len());
    let text: String = games.iter().map(Record::to_string).collect();
    assert_eq!(replay(&text), (vec![summary.clone()], 0));
    // Names, marks and castling as others have them.
    let text = text
        .replace("\"crosseyed\"", "\"Cross-Eyed Chess\"")
        .replace("\"gothic\"", "\"Gothic\"")
        .replace("O-O", "0-0")
        .replace(['+', '#'], "")
        .replace("1/2-1/2", "1/2");
    let text = text.replace(" {", "!? $14 {");
    let (lines, status) = replay(&text.replace("[Result \"1/2\"]", "[Result \"1/2-1/2\"]"));
    assert_eq!((lines, status), (vec![summary], 0));
}

/// As people and programs write a game of Gothic Chess.
#[test]
fn games_of_others() {
    let text = "[Event \"?\"]\n[Variant \"Gothic Chess\"]\n[Result \"*\"]\n\n\
        {A beginning} 1.e4 f5 $1 {[%clk 0:01:00]} 2. e5 (2. exf5 {what else?}) 2... d5 3. exd6 e.p. \
        exd6 4. Nj3 Nj6; the wing\n5. g3!? g6 6. Bg2 Bg7 7. Ah3 Ah6 8. O-O 0-0 9. d2-d3 Nb8-c6 *\n";
    assert_eq!(replay(text), (vec!["1 game, 18 moves, 0 faults".into()], 0));
}

/// Games that XBoard played and saved, of this program against itself and of Fairy-Max.
#[test]
fn games_of_xboard() {
    let games = include_str!("data/xboard.pgn");
    let summary = "5 games, 617 moves, 0 faults";
    assert_eq!(replay(games), (vec![summary.into()], 0));
}

/// All positions of the games, as `analyse` reads them.
#[test]
fn positions_of_games() {
    let games = all_games();
    let mut wanted = Vec::new();
    for game in &games {
        let name = game.tag("Variant").unwrap();
        let mut session = game.open(find_variant(VARIANTS, name).unwrap()).unwrap();
        wanted.push(format!("{name} {}", session.fen()));
        for mv in &game.moves {
            session.play(&mv.text).unwrap();
            wanted.push(format!("{name} {}", session.fen()));
        }
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fens.pgn");
    let text: String = games.iter().map(Record::to_string).collect();
    std::fs::write(&path, text + "[Variant \"gothic\"]\n\n1. e4 e4 *").unwrap();
    let path = path.to_str().unwrap();
    let output = program(&["replay", "--fens", path]).output_in_time();
    let lines = String::from_utf8(output.stdout).unwrap();
    let (fens, broken) = lines.trim_end().rsplit_once("\ngothic rnb").unwrap();
    assert!(broken.ends_with("/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR b KQkq - 0 1"));
    let (fens, _) = fens.rsplit_once('\n').unwrap();
    assert_eq!(fens.lines().collect::<Vec<_>>(), wanted);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(
        complaint.contains(": move 2: `e4` is illegal in "),
        "{complaint}"
    );
    assert_eq!(output.status.code(), Some(1));
}

/// Every game is spoiled in every way; each gives one line that names the fault.
#[test]
fn spoiled_games() {
    type Spoil = fn(&mut Record);
    let spoils: [(Spoil, &str); 7] = [
        (|game| drop(game.moves.pop()), "the tag PlyCount says"),
        (|game| game.moves[0].text = "e5e5".into(), "is illegal in"),
        (
            |game| {
                let last = game.moves.last().unwrap().clone();
                game.moves.push(last);
            },
            "follows the end of the game by",
        ),
        (
            |game| game.result = if game.result == "1-0" { "0-1" } else { "1-0" }.into(),
            "the tag Result says",
        ),
        (
            |game| {
                game.result = "*".into();
                game.tags.retain(|(name, _)| name != "Result");
            },
            "but `*` is stated",
        ),
        (
            |game| {
                game.tags
                    .iter_mut()
                    .find(|tag| tag.0 == "Reason")
                    .unwrap()
                    .1 = "time forfeit".into()
            },
            "but `time forfeit` is stated",
        ),
        (
            |game| game.tags.retain(|(name, _)| name != "Variant"),
            "there is no tag Variant",
        ),
    ];
    for (spoil, fault) in spoils {
        let mut games = all_games();
        games.iter_mut().for_each(spoil);
        let text: String = games.iter().map(Record::to_string).collect();
        let (lines, status) = replay(&text);
        assert_eq!(status, 1, "{fault}");
        assert_eq!(lines.len(), games.len() + 1, "{fault}: {lines:?}");
        for (number, line) in (1..).zip(&lines[..games.len()]) {
            assert!(line.starts_with(&format!("game {number}, line ")), "{line}");
            assert!(line.contains(fault), "{fault}: {line}");
        }
        let summary = lines.last().unwrap();
        assert!(summary.starts_with(&format!("{} games, ", games.len())));
        assert!(summary.ends_with(&format!(" moves, {} faults", games.len())));
    }
}

/// A game that is no PGN is a fault; those around it are replayed.
#[test]
fn broken_games() {
    let good = random_game(VARIANTS[0], None, 1);
    let broken = "[Event \"x\"]\n\n1. e2e4 { *\n\n";
    let (lines, status) = replay(&format!("{good}{broken}{good}"));
    let line = good.to_string().lines().count() + 3;
    assert_eq!(status, 1);
    assert_eq!(
        lines,
        [
            format!("game 2, line {line}: a comment begins that does not end"),
            format!("3 games, {} moves, 1 fault", 2 * good.moves.len()),
        ]
    );
    let (lines, status) = replay("no chess at all\u{0}\n");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(status, 1);
    assert_eq!(replay(""), (vec!["0 games, 0 moves, 0 faults".into()], 0));
}

#[test]
fn files() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = directory.join("replay.pgn");
    std::fs::write(&path, random_game(VARIANTS[1], None, 1).to_string()).unwrap();
    let output = program(&["replay", path.to_str().unwrap()]).output_in_time();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.ends_with(b" moves, 0 faults\n"));
    // Two files, the second without the game's name.
    let bare = directory.join("bare.pgn");
    std::fs::write(&bare, "1. b1c3 Hc4 2. b1c3 *\n").unwrap();
    let output = program(&["replay", "--variant", "congress"])
        .args([&path, &bare])
        .output_in_time();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let fault = format!("{}: game 1, line 1: move 3: `b1c3`", bare.display());
    assert!(text.starts_with(&fault), "{text}");
    assert!(text.contains("\n2 games, ") && text.ends_with(" moves, 1 fault\n"));
    let refused = |arguments: &[&str]| {
        let Output { status, stderr, .. } = program(arguments).output_in_time();
        assert_eq!(status.code(), Some(2), "{arguments:?}");
        String::from_utf8(stderr).unwrap()
    };
    let missing = directory.join("missing.pgn");
    let message = refused(&["replay", missing.to_str().unwrap()]);
    assert!(message.starts_with("quadrille: replay: "), "{message}");
    assert!(message.contains("missing.pgn: "), "{message}");
    let message = refused(&["replay", directory.to_str().unwrap()]);
    assert!(message.contains(": it is a folder"), "{message}");
    assert!(refused(&["replay"]).contains("FILE is missing"));
    assert!(refused(&["replay", "--fen", "a"]).contains("`--fen` is not understood"));
    assert!(refused(&["replay", "--variant"]).contains("its value is missing"));
    assert!(refused(&["replay", "--variant", "chess", "a"]).contains("`chess` is not one of"));
}
