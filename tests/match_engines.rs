//! Engines of a `match`: their protocols and options.

use crate::common::matches::run_match;
use crate::common::program::{Ended, QUADRILLE, scratch};
use std::env::consts::EXE_EXTENSION;
use std::path::Path;

/// Asserts that all games were played and no engine was at fault.
#[track_caller]
fn assert_clean(said: &str, games: usize) {
    let finished = said.lines().filter(|line| line.starts_with("Finished game "));
    assert_eq!(finished.count(), games, "{said}");
    let faults = said.lines().filter(|line| line.starts_with("Faults of "));
    for faults in faults {
        assert!(faults.ends_with(": 0 time losses, 0 illegal moves, 0 crashes, 0 hangs"), "{said}");
    }
}

/// This program speaks CECP in the games whose moves CECP can express.
#[test]
fn this_program_plays_through_cecp() {
    for variant in ["gothic", "congress", "crosseyed"] {
        let words = format!(
            "-variant {variant} -engine name=X cmd=quadrille proto=xboard depth=1 option.memory=1 \
             -engine name=S cmd=self depth=1 -games 2 -openings random seed=1 -maxmoves 40"
        );
        let folder = scratch(&format!("match_engines/{variant}"));
        let said = run_match(&folder, &words).stdout;
        assert_clean(&said, 2);
    }
}

/// The engine gets a clock and a position.
#[test]
fn cecp_knows_the_clock_and_positions() {
    let folder = scratch("match_engines/clock");
    std::fs::write(
        folder.join("book.epd"),
        "rnbqckabnr/pppppppppp/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR b KQkq - 0 1\n",
    )
    .unwrap();
    let said = run_match(
        &folder,
        "-variant gothic -engine name=X cmd=quadrille proto=xboard tc=40/1:01+0.5 ponder \
         timemargin=5000 -engine name=S cmd=self depth=1 -games 1 -openings file=book.epd \
         -maxmoves 2 -log file=log.txt -resign movecount=1 score=90000",
    )
    .stdout;
    assert_clean(&said, 1);
    let log = std::fs::read_to_string(folder.join("log.txt")).unwrap();
    let lines = "\
        xboard; protover 2; accepted ping; new; variant gothic; force; \
        setboard rnbqckabnr/pppppppppp/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR b KQkq - 0 1; \
        level 40 1:01 0.5; post; hard; time 6100; go; result 1/2-1/2 {Draw";
    for told in lines.split("; ") {
        assert!(log.contains(&format!(" >X: {told}")), "no `{told}` in {log}");
    }
}

#[test]
fn a_relative_path_of_a_program_begins_in_its_folder() {
    let folder = scratch("match_engines/folder");
    std::fs::create_dir(folder.join("engines")).unwrap();
    let program = folder.join("engines/one").with_extension(EXE_EXTENSION);
    std::fs::hard_link(QUADRILLE, program).unwrap();
    let said = run_match(
        &folder,
        "-variant congress -engine name=A cmd=./one dir=engines -engine name=B cmd=self \
         -each depth=1 -games 1 -maxmoves 5",
    )
    .stdout;
    assert_clean(&said, 1);
}

/// Level 0 ends the search after its first iteration; with three lines it reaches less depth.
#[test]
fn options_change_the_play_in_process_too() {
    let folder = scratch("match_engines/in-process");
    let depths = |engine: &str, option: &str| {
        let words = format!(
            "-variant congress -engine name=P {engine} \"option.{option}\" -engine name=S cmd=self \
             -each nodes=500 -games 1 -maxmoves 4 -pgnout file=game.pgn append=false"
        );
        run_match(&folder, &words);
        let text = std::fs::read_to_string(folder.join("game.pgn")).unwrap();
        let comments = text.split('{').skip(1).step_by(2);
        let depths = comments.map(|comment| {
            let (_, depth) = comment.split_once('/').unwrap();
            depth.split_once(char::is_whitespace).unwrap().0.to_string()
        });
        depths.collect::<Vec<_>>()
    };
    let full = depths("cmd=self", "Hash=16");
    for option in ["Skill Level=0", "MultiPV=3"] {
        let [own, process] = ["cmd=self", "cmd=quadrille"].map(|engine| depths(engine, option));
        assert_eq!(own, process, "{option}");
        assert_ne!(own, full, "{option}");
    }
}

/// Path of a program of a Debian package.
fn program(name: &str) -> String {
    let path = format!("/usr/games/{name}");
    assert!(Path::new(&path).exists(), "{path} is missing; install the package {name}");
    path
}

#[test]
#[ignore = "needs fairymax and sjaakii"]
fn fairy_max_and_sjaak_play_gothic_chess() {
    for name in ["fairymax", "sjaakii"] {
        let words = format!(
            "-variant gothic -engine name=P cmd={} proto=xboard depth=1 \
             -engine name=S cmd=self nodes=40 -games 2 -openings random seed=4 plies=4 \
             -concurrency 2 -recover",
            program(name)
        );
        let Ended { stdout, stderr, .. } =
            run_match(&scratch(&format!("match_engines/{name}")), &words);
        assert_clean(&stdout, 2);
        assert_eq!(stderr, "", "{name}");
    }
}
