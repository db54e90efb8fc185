//! The command line: help, defaults and faults.

use crate::common::program::{QUADRILLE, Run, quadrille, scratch};
use std::process::Command;

/// The output of a command that must succeed.
#[track_caller]
pub fn said(words: &[&str]) -> String {
    quadrille(words).run().succeeded().stdout
}

/// The commands that `--help` lists.
pub fn commands() -> Vec<String> {
    let help = said(&["--help"]);
    let words = help.lines().filter_map(|line| {
        let word = line.strip_prefix("quadrille ")?.split(' ').next()?;
        word.starts_with(char::is_alphabetic).then(|| word.to_string())
    });
    let mut words: Vec<_> = words.collect();
    words.dedup();
    words
}

#[test]
fn every_command_has_help_with_its_usage_and_an_example() {
    let commands = commands();
    assert!(commands.len() >= 12, "{commands:?}");
    for command in &commands {
        let help = said(&[command, "--help"]);
        let usage = format!("quadrille {command}");
        assert!(help.starts_with(&usage), "{help}");
        assert!(help.contains("Example: "), "{help}");
        assert!(help.lines().all(|line| line.len() <= 100), "{help}");
        for words in [[command, "-help"], ["help", command], ["--help", command]] {
            assert_eq!(said(&words), help, "{words:?}");
        }
    }
}

/// These are spellings of other programs.
#[test]
fn other_spellings_are_understood() {
    for words in [["-help"], ["-h"], ["help"]] {
        assert_eq!(said(&words), said(&["--help"]));
    }
    for word in ["help", "version", "uci"] {
        assert_eq!(said(&[word, "--help"]), said(&["--help"]));
    }
    for words in [["-V"], ["-v"], ["version"], ["-version"]] {
        assert_eq!(said(&words), said(&["--version"]));
    }
    assert_eq!(said(&["analyze", "--help"]), said(&["analyse", "--help"]));
    let fen = said(&["--variant", "congress", "query", "fen"]);
    assert!(fen.starts_with("response hh1kk1bb/"), "{fen}");
    assert_eq!(
        said(&["perft", "Congress", "2", "startpos"]).split("total").next(),
        said(&["perft", "congress", "2"]).split("total").next(),
    );
    assert_eq!(said(&["draw", "Cross-Eyed", "startpos"]), said(&["draw", "crosseyed"]));
}

#[test]
fn one_command_of_a_dialogue_is_obeyed() {
    for (words, last) in [
        (&["go", "depth", "2"][..], "bestmove "),
        (&["--variant", "pressman", "go", "mate", "1"], "bestmove "),
        (&["d"], "Legal moves: 28"),
        (&["eval"], "value for the side to move (white): "),
        (&["query", "gameover"], "response false"),
    ] {
        let text = said(words);
        assert!(text.lines().last().unwrap().starts_with(last), "{text}");
    }
    assert_eq!(said(&["--variant=congress"]), "");
    assert_eq!(said(&["--variant=congress", "query", "fen"]), said(&["query", "fen", "congress"]));
    let fen = "9k/10/10/10/10/10/10/K9 b - - 3 9";
    assert_eq!(said(&["query", "fen", "Gothic", fen]), format!("response {fen}\n"));
    let moves = said(&["d", "pressman", "startpos"]);
    assert!(moves.ends_with("Legal moves: 90\n"), "{moves}");
    let value = said(&["eval", "congress", "k7/6p1/2p5/2P5/1P6/K7", "w", "-", "-", "0", "1"]);
    assert_ne!(value, said(&["eval", "congress"]));
    assert!(said(&["uci"]).ends_with("uciok\n"));
}

#[test]
fn a_program_that_is_missing_is_named() {
    // A file is no folder of programs, and for other users `/root` is none that can be read.
    for path in ["/nonexistent", "/dev/null", "/root"] {
        let mut xboard = quadrille(["xboard", "gothic", "--run"]);
        let text = xboard.env("PATH", path).run().stderr;
        assert!(text.contains("not installed or not in PATH"), "{text}");
    }
}

#[test]
fn help_is_understood_wherever_it_stands() {
    let lines = "\
        play gothic --help; play gothic --level 3 -h; play --help gothic; solve gothic KRk -help; \
        perft congress --help; bench 3 --help; rules gothic -h; draw gothic --flip --help; \
        d gothic --help; go depth 3 -h; query fen --help; xboard gothic --help; \
        board gothic --help; annotate games.pgn --help; train gothic a.dat --out b.net --help; \
        prove congress --help; match -engine cmd=x --help; match --merge a.pgn -h; \
        match --merge -help";
    for line in lines.split("; ") {
        let words: Vec<_> = line.split(' ').collect();
        assert_eq!(said(&words), said(&[words[0], "--help"]), "{line}");
    }
    assert_eq!(said(&["--variant", "pressman", "go", "--help"]), said(&["go", "--help"]));
    assert_eq!(said(&["--variant", "pressman", "-h"]), said(&["--help"]));
    // As a value it is one.
    let folder = scratch("command_line/help");
    let mut play = quadrille(["play", "gothic", "--save", "--help"]);
    play.current_dir(&folder).run_with("quit\n").succeeded();
    assert!(folder.join("--help").is_file());
}

/// A person at a terminal gets a hint; a program reads nothing but answers.
#[test]
#[ignore = "needs script"]
fn a_person_at_a_terminal_is_greeted() {
    let at_terminal = |words: &str| {
        let line = format!("{QUADRILLE} {words}");
        let mut script = Command::new("script");
        let script = script.args(["-q", "-e", "-c", &line, "/dev/null"]);
        // Ctrl-D.
        script.run_with("\n\x04").stdout
    };
    let text = at_terminal("");
    assert!(text.contains("gothic, congress, pressman, crosseyed. Type help"), "{text}");
    let text = at_terminal("analyse");
    assert!(text.contains("Ctrl-D"), "{text}");
    let output = Command::new(QUADRILLE).run();
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

/// Words of the command line can be names of files of a stranger.
#[test]
fn no_word_controls_the_terminal() {
    const RED: &str = "\u{1b}[31m\n\u{202e}";
    let name = format!("name={RED}");
    let engine = ["-engine", &name, "cmd=self", "-engine", "cmd=self"];
    let small = ["-each", "nodes=9", "-maxmoves", "1"];
    for (words, is_fine) in [
        (vec![RED], false),
        (vec!["solve", "gothic", RED], false),
        (vec!["replay", RED], false),
        (vec!["rules", RED], false),
        (vec!["match", "--merge", RED], false),
        (vec!["match", "-engine", RED], false),
        ([&["match", "-log", "/nonexistent/x", RED], &engine[..]].concat(), false),
        ([&["match", "-site", RED], &engine[..], &small].concat(), true),
    ] {
        let ended = quadrille(&words).run();
        let said = ended.said();
        assert_eq!(ended.status.success(), is_fine, "{words:?}: {said}");
        let shown = "\u{fffd}[31m\u{fffd}\u{fffd}";
        assert!(said.contains(shown), "{words:?}: {said}");
        let is_raw = |letter| "\u{1b}\u{202e}".contains(letter);
        assert!(!said.contains(is_raw), "{words:?}: {said}");
    }
}
