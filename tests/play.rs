//! `quadrille play`: games against the engine, typed by a test.

use crate::common::console::TestConsole;
use crate::common::positions::Random;
use crate::common::program::{Program, Run, interruptible, quadrille, scratch, wait_for};
use crate::common::rows;
use quadrille::engine::VARIANTS;
use quadrille::tools::play;
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout};
use std::time::Duration;

/// Time limit for an answer and for the end, on a busy machine.
const SOON: Duration = Duration::from_secs(60);

const MATE_IN_ONE: &str = "9k/10/8K1/10/10/10/10/Q9 w - - 0 1";

/// Plays in this process. `next` receives the lines since the last one typed, and types the next.
fn converse(words: &[&str], mut next: impl FnMut(&[String]) -> Option<String>) {
    let said = RefCell::new(Vec::new());
    let options = play::PlayOptions::read(VARIANTS, words).unwrap();
    let mut console = TestConsole {
        say: &mut |text| said.borrow_mut().extend(text.lines().map(str::to_string)),
        progress: &mut |_| {},
        ask: &mut || next(&said.take()),
    };
    play::run(options, None, &mut console).unwrap();
}

/// Answers to each of some lines, after those before the first.
fn answers(words: &str, lines: &[&str]) -> Vec<Vec<String>> {
    let words = format!("{words} --time 0.01");
    let words: Vec<_> = words.split(' ').collect();
    let mut answers = Vec::new();
    converse(&words, |said| {
        answers.push(said.to_vec());
        Some(lines.get(answers.len() - 1)?.to_string())
    });
    answers
}

/// The only line of an answer.
fn answer(words: &str, line: &str) -> String {
    let answers = answers(words, &[line]);
    match &answers[1][..] {
        [one] => one.clone(),
        more => panic!("{line}: {more:?}"),
    }
}

/// Runs `replay` on a file.
fn replayed(path: &Path) -> String {
    quadrille(["replay"]).arg(path).run().stdout
}

#[test]
fn games_of_each_kind_are_played_to_their_ends() {
    for variant in VARIANTS {
        let path = scratch(&format!("play/{}", variant.info.name)).join("games.pgn");
        let save = path.to_str().unwrap();
        let mut random = Random(1);
        for side in ["--white", "--black"] {
            let mut words = vec![variant.info.name, "--level", "0", "--time", "0.001"];
            words.extend(["--save", save, side].iter().filter(|word| **word != "--white"));
            let mut ends = 0;
            converse(&words, |said| {
                if said.iter().any(|line| line.starts_with("Game over: ")) {
                    ends += 1;
                    return None;
                }
                let is_move = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
                let is_list = |line: &&String| line.split(' ').all(|word| is_move(&word));
                let moves = said.iter().filter(is_list).flat_map(|line| line.split(' '));
                let moves: Vec<&str> = moves.collect();
                if moves.is_empty() {
                    Some("moves".into())
                } else {
                    Some(moves[random.below(moves.len())].to_string())
                }
            });
            assert_eq!(ends, 1, "{words:?}");
        }
        let found = replayed(&path);
        assert!(found.starts_with("2 games, ") && found.ends_with(" 0 faults\n"), "{found}");
        let pgn = std::fs::read_to_string(&path).unwrap();
        assert_eq!(pgn.matches("[Reason ").count(), 2, "{pgn}");
        assert!(pgn.contains("[White \"Human\"]") && pgn.contains("[Black \"Human\"]"));
    }
}

#[test]
fn a_win_is_told_and_explained() {
    let path = scratch("play/win").join("games.pgn");
    let save = path.to_str().unwrap();
    let words = ["play", "gothic", "--time", "0.01", "--fen", MATE_IN_ONE, "--save", save];
    let said = quadrille(words).run_with("hint\nQa8\nwhy\na8a7\nquit\nfen\n").succeeded().stdout;
    let end = "1-0, White has won: the king is attacked and no move helps (checkmate).";
    let last: Vec<_> = said.lines().rev().take(3).collect();
    let over = "Error: the game is over; `new` begins another, `undo` takes back";
    assert_eq!(last, [over, end, &format!("Game over: {end}")], "{said}");
    assert!(said.contains("\nHint: Qa8# (a1a8), you win in 1.\n"), "{said}");
    assert!(!said.contains('\x1b') && !said.contains('>'), "{said}");
    assert_eq!(replayed(&path), "1 game, 1 move, 0 faults\n");
    let pgn = std::fs::read_to_string(&path).unwrap();
    let fen = format!("[FEN \"{MATE_IN_ONE}\"]");
    for part in [fen.as_str(), "[Reason \"checkmate\"]", "\n1. Qa8# 1-0\n"] {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
}

#[test]
fn moves_are_read_as_people_write_them() {
    let spelled = "e2e4|e4|E2E4|e2-e4|e2 e4| e4 |E4|Pe4|e4!|Nc3|nc3|b1-c3|1. e4|1.e4|1... e4|♙e4";
    let castling = "gothic --fen 5k4/p9/10/10/10/10/10/R4K3R w KQ - 0 1";
    for (words, moves) in [("gothic", spelled), (castling, "O-O|o-o|0-0-0")] {
        for mv in moves.split('|') {
            let answers = answers(words, &[mv]);
            assert!(answers[1][0].starts_with("Quadrille plays "), "{mv}: {answers:?}");
        }
    }
    // The case of a letter must not turn a bishop or a chancellor into a pawn, or back.
    let files = "gothic --fen 5k4/10/10/10/3r6/2r7/1P1C2B3/5K4 w - - 0 1";
    for (mv, is_legal) in [("bxc3", true), ("Bxc3", false), ("cxd4", false), ("Cxd4", true)] {
        let answers = answers(files, &[mv]);
        let is_played = answers[1][0].starts_with("Quadrille plays ");
        assert_eq!(is_played, is_legal, "{mv}: {answers:?}");
    }
}

#[test]
fn refusals_help() {
    let terminal = [
        ["gothic", "Qd4 \t d5", "Qd4 d5 is not legal; no move goes there"],
        ["gothic", "e2\x1b[31me4", "this is neither a move nor a command; `help` lists them"],
    ];
    for [words, typed, expected] in rows(include_str!("data/play.txt")).chain(terminal) {
        assert_eq!(answer(words, typed), format!("Error: {expected}"), "{typed}");
    }
    let long = "e".repeat(1000);
    assert!(answer("gothic", &long).len() < 100);
    // Nothing has changed after all this.
    let lines = ["e2e5", "hello", "undo", "level x", "time x", "fen"];
    assert_eq!(answers("gothic", &lines)[lines.len()], [VARIANTS[0].info.start]);
}

#[test]
fn moves_are_taken_back() {
    for (words, back) in [("gothic", 0), ("gothic --black", 1)] {
        let fens = |lines: &[&str]| {
            let answers = answers(words, lines);
            let asked = lines.iter().zip(&answers[1..]);
            let fens = asked.filter(|(line, _)| **line == "fen");
            fens.map(|(_, said)| said[0].clone()).collect::<Vec<_>>()
        };
        let mv = ["Nc3", "Nc6"][back];
        let [before, after, undone] = &fens(&["fen", mv, "fen", "undo", "fen", "undo"])[..] else {
            panic!("three positions")
        };
        assert!(before == undone && before != after, "{before}, {after}, {undone}");
        // A resignation is no move.
        let [before, after] = &fens(&[mv, "fen", "resign", "undo", "fen"])[..] else {
            panic!("two positions")
        };
        assert_eq!(before, after);
    }
    // The move that ended the game had no answer.
    let words = format!("gothic --fen {MATE_IN_ONE}");
    let said = answers(&words, &["Qa8", "undo", "fen", "undo"]);
    assert_eq!(said[3], [MATE_IN_ONE]);
    assert_eq!(said[4], ["Error: undo: you have not moved yet"]);
}

#[test]
fn levels_sides_and_files_can_be_changed() {
    let path = scratch("play/changes").join("games.pgn");
    let save = format!("save {}", path.display());
    let lines = [
        "level 3",
        "level",
        "time 2+1",
        "time",
        "time 0.01",
        "e4",
        &save,
        "resign",
        "why",
        "new black",
        "c5",
        "rules",
        "help",
        "quit",
    ];
    let said = answers("gothic", &lines);
    assert_eq!(said[1], ["Quadrille plays at level 3."]);
    assert_eq!(said[1], said[2]);
    assert_eq!(said[3], ["A clock of 2:00 for each side, and 1 s more after each move."]);
    assert_eq!(said[3], said[4]);
    let saved = format!("The game is saved in {} after every move.", path.display());
    assert_eq!(said[7][0], saved);
    let end = "0-1, Black has won: White has resigned.";
    assert_eq!(said[8], [format!("Game over: {end}")]);
    assert_eq!(said[9], [end]);
    assert!(said[10][0].contains("you play Black, Quadrille (level 3) plays White"));
    assert!(said[11][0].starts_with("Quadrille plays "), "{:?}", said[11]);
    assert_eq!(said[12].join("\n"), VARIANTS[0].rules());
    assert_eq!(replayed(&path).split(',').next(), Some("2 games"));
    let pgn = std::fs::read_to_string(&path).unwrap();
    assert!(pgn.contains("[Reason \"resignation\"]"), "{pgn}");
    assert!(pgn.contains("[Black \"Quadrille 0.1.0, level 3\"]"), "{pgn}");
    assert!(pgn.ends_with(" *\n\n"), "{pgn}");
}

#[test]
fn the_board_is_seen_from_both_sides() {
    let said = answers("congress", &["board", "flip", "flip"]);
    let plain = &said[1];
    assert_eq!(plain[0], " 6  h h . k | k . b b");
    assert_eq!(plain[6], "    a b c d | e f g h");
    assert_eq!(said[2][0], " 1  B B . K | K . H H");
    assert_eq!(said[2][6], "    h g f e | d c b a");
    assert_eq!(&said[3], plain);
    // The same position with Black to move, so that the program has not moved yet.
    let start = "hh1kk1bb/1pppppp1/8/8/1PPPPPP1/HH1KK1BB b - - 0 1";
    let said_to_black = answers(&format!("congress --black --fen {start}"), &["board"]);
    assert_eq!(said_to_black[1][0], said[2][0]);
}

/// No king can pass the wall of pawns.
#[test]
fn a_draw_is_offered() {
    let wall = "10/5k4/10/p1p1p1p1p1/P1P1P1P1P1/10/10/QK8 w - - 0 1";
    let words = format!("gothic --level 0 --fen {wall}");
    let walk = "c1 d1 e1 f1 g1 h1 i1 j1 j2 i2 h2 g2 f2 e2 d2 c2 b2 a2 a3 b3";
    let kings = walk.split(' ').map(|square| format!("K{square}"));
    let mut lines = vec!["draw".to_string()];
    lines.extend(kings);
    lines.extend(["draw".to_string(), "why".into()]);
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let said = answers(&words, &lines);
    assert_eq!(said[1], ["Quadrille wants to play on."]);
    let [.., offered, explained] = &said[..] else { panic!("{said:?}") };
    assert_eq!(explained, &["1/2-1/2, a draw: both have agreed."], "{said:?}");
    assert_eq!(offered, &[format!("Game over: {}", explained[0])]);
}

#[test]
fn clocks_run() {
    let words = ["congress", "--time", "0.016+0", "--black"];
    let mut typed = 0;
    let mut ends = Vec::new();
    converse(&words, |said| {
        typed += 1;
        ends.extend(said.iter().filter(|line| line.contains("over")).cloned());
        match typed {
            1 => {
                assert!(said.iter().any(|line| line == "White 0:00, Black 0:00"), "{said:?}");
                std::thread::sleep(Duration::from_millis(1100));
                Some("Hc4".into())
            }
            // The time is as it was before the move that came too late.
            2 => Some("undo".into()),
            3 => Some("Hc4".into()),
            _ => None,
        }
    });
    assert_eq!(ends.len(), 1, "{ends:?}");
    assert!(ends[0].ends_with("White has won: Black has no time left."), "{ends:?}");
}

/// What is taken back leaves the clocks of the last `time`, whichever moves it goes back behind.
#[test]
fn a_new_pace_is_not_taken_back() {
    for (words, lines, clocks) in [
        ("gothic", "e4,time 5+0,undo", "5:00"),
        ("gothic", "e4,time 0.5+1,d4,undo,undo", "0:30"),
        ("gothic", "e4,d4,c4,time 0.1+0,undo,undo,undo", "0:06"),
        ("gothic --time 1+0", "e4,time 3+2,undo", "3:00"),
        ("gothic --time 9+0", "e4,d4,time 2+0,resign,undo,undo", "2:00"),
        ("gothic --black", "e5,time 4+0,undo", "4:00"),
        ("gothic --time 1+0", "time 0.01,time 2+1,e4,undo", "2:00"),
    ] {
        let words = format!("{words} --level 0");
        let words = if words.contains("--time") { words } else { format!("{words} --time 0.01") };
        let mut typed = lines.split(',').chain(["board"]).map(String::from);
        let mut last = String::new();
        converse(&words.split(' ').collect::<Vec<_>>(), |said| {
            last = said.last().cloned().unwrap_or_default();
            typed.next()
        });
        assert_eq!(last, format!("White {clocks}, Black {clocks}"), "{lines}");
    }
}

#[test]
fn the_end_of_the_input_ends_it() {
    let path = scratch("play/end").join("games.pgn");
    let save = path.to_str().unwrap();
    let words = ["play", "pressman", "--black", "--time", "0.01", "--save", save];
    let play = |typed: &str| quadrille(words).run_with(typed).succeeded();
    assert_eq!(play("").stderr, "");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
    play("a7a5");
    assert_eq!(replayed(&path), "1 game, 2 moves, 0 faults\n");
    // A file that does not end with a line gets one.
    std::fs::write(&path, "[Variant \"pressman\"]\n\n1... a7a5 *").unwrap();
    play("\u{feff}a7a5\r\n");
    assert_eq!(replayed(&path), "2 games, 3 moves, 0 faults\n");
}

/// Starts a game in a process of its own, up to the answer to a move.
fn begun(words: &[&str]) -> (Program, ChildStdin, BufReader<ChildStdout>) {
    let mut child = Program::piped(interruptible().args(words), SOON);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    input.write_all(b"Nc3\n").unwrap();
    let mut line = String::new();
    while !line.starts_with("Quadrille plays ") {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "it ended");
    }
    (child, input, output)
}

#[test]
fn an_interrupt_loses_nothing() {
    for signal in ["INT", "KILL"] {
        let path = scratch(&format!("play/signal-{signal}")).join("games.pgn");
        let save = path.to_str().unwrap();
        let words = ["play", "gothic", "--time", "0.05", "--save", save];
        let (mut child, mut input, _output) = begun(&words);
        // The move is saved while the engine thinks.
        input.write_all(b"time 600\nd3\n").unwrap();
        wait_for("three moves", SOON, || replayed(&path).starts_with("1 game, 3 moves, 0 faults"));
        child.signal(signal);
        assert!(!child.wait().success());
        assert_eq!(replayed(&path), "1 game, 3 moves, 0 faults\n");
    }
}

/// The earlier game and the last version of this one are whole whenever the program is killed.
#[test]
fn a_kill_at_any_moment_leaves_whole_games() {
    let path = scratch("play/killed").join("games.pgn");
    let save = path.to_str().unwrap();
    let words = ["play", "gothic", "--level", "0", "--time", "0.001", "--save", save];
    let moves = ('a'..='j').map(|file| format!("{file}2{file}3\nundo\n{file}2{file}4\n"));
    let moves: String = moves.collect();
    for round in 0..6 {
        std::fs::write(&path, "[Variant \"gothic\"]\n\n1. e4 *\n\n").unwrap();
        let (mut child, mut input, _output) = begun(&words);
        input.write_all(moves.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(40 * round));
        child.kill();
        let said = replayed(&path);
        assert!(said.starts_with("2 games, ") && said.ends_with(" 0 faults\n"), "{said}");
    }
}

/// Output of `play` at a terminal with some variables, to a person who leaves at once.
#[cfg(target_os = "linux")]
fn in_a_terminal(variables: &[(&str, &str)]) -> String {
    use crate::common::program::QUADRILLE;
    use std::process::Command;

    let command = format!("{QUADRILLE} play congress");
    let mut script = Command::new("script");
    script
        .args(["-qec", &command, "/dev/null"])
        .env_remove("NO_COLOR")
        .env("TERM", "xterm-256color")
        .env("LC_ALL", "C.UTF-8")
        .envs(variables.iter().copied());
    script.run_with("quit\n").succeeded().stdout
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs script"]
fn a_terminal_shows_colours_and_pieces() {
    let full = in_a_terminal(&[]);
    for part in ["\x1b[48;5;", "♚", "♞", "White> "] {
        assert!(full.contains(part), "{part}: {full}");
    }
    let letters = in_a_terminal(&[("LC_ALL", "C")]);
    assert!(letters.contains("\x1b[48;5;") && letters.is_ascii(), "{letters}");
    for plain in [("TERM", "dumb"), ("NO_COLOR", "1")] {
        let said = in_a_terminal(&[plain]);
        assert!(!said.contains("\x1b[") && said.is_ascii(), "{said}");
        assert!(said.contains(" 6  h h . k | k . b b") && said.contains("White> "), "{said}");
    }
}
