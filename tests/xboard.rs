//! The real XBoard lets the engine play itself, on a display that nobody sees.
//!
//! These tests need the Debian packages `xboard` and `xvfb`, so they are run on demand only:
//! `cargo test --release --test xboard -- --ignored`

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use quadrille::engine::VARIANTS;
use quadrille::games::XBoard;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_quadrille");
/// How many games of a match, and how long it may take.
const GAMES: usize = 2;
const PATIENCE: Duration = Duration::from_secs(180);

/// XBoard with its display and engines, all of which end with it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // A group is only known to `kill`, the program.
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["--", &group]).status();
        let _ = self.0.wait();
    }
}

/// Starts a match of a variant that writes its games and its dialogue into a folder.
fn start(variant: &str, folder: &Path) -> Running {
    let engine = format!("\"{PROGRAM}\"");
    let (games, dialogue) = (folder.join("games.pgn"), folder.join("dialogue"));
    let line = Command::new(PROGRAM)
        .args(["xboard", variant])
        .output()
        .unwrap();
    let line = String::from_utf8(line.stdout).unwrap();
    let switches = line.split_once("' ").unwrap().1;
    let path = std::env::var("PATH").unwrap_or_default();
    let child = Command::new("xvfb-run")
        .args(["-a", "xboard", "-variant", variant, "-fcp", &engine])
        .args(["-scp", &engine])
        .args(switches.split_whitespace())
        .args(["-matchMode", "true", "-matchGames", &GAMES.to_string()])
        .args(["-timeControl", "0:02", "-timeIncrement", "0"])
        .args(["-saveSettingsOnExit", "false", "-debug", "-debugfile"])
        .arg(dialogue)
        .arg("-sgf")
        .arg(games)
        .env("HOME", folder)
        // Where Debian has it.
        .env("PATH", format!("{path}:/usr/games"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("xvfb-run is missing: install the packages xvfb and xboard");
    Running(child)
}

fn read(path: PathBuf) -> String {
    std::fs::read(path).map_or(String::new(), |bytes| {
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Plays a match, and finds what XBoard wrote without a complaint.
fn plays_a_match(variant: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("xboard-{variant}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut running = start(variant, &folder);
    let begun = Instant::now();
    let results = || {
        let games = read(folder.join("games.pgn"));
        let results = games.lines().filter_map(|line| {
            let result = line.strip_prefix("[Result \"")?;
            Some(result.trim_end_matches("\"]").to_string())
        });
        results.filter(|result| result != "*").collect::<Vec<_>>()
    };
    while results().len() < GAMES {
        let dialogue = || read(folder.join("dialogue"));
        if let Some(status) = running.0.try_wait().unwrap() {
            panic!(
                "is xboard installed? It ended with {status}: {}",
                dialogue()
            );
        }
        assert!(begun.elapsed() < PATIENCE, "no end: {}", dialogue());
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(running);
    // The results are those that the engine claimed by the rules, in the order of play.
    let dialogue = read(folder.join("dialogue"));
    for complaint in ["illegal", "forfeit", "error"] {
        let found = dialogue
            .lines()
            .find(|line| line.to_lowercase().contains(complaint));
        assert_eq!(found, None);
    }
    let games = read(folder.join("games.pgn"));
    let reasons = ["checkmate", "stalemate", "repetition", "clock", "material"];
    let reasons = reasons
        .iter()
        .chain(&["kings-captured", "kings-mated", "no-moves"]);
    let claimed: usize = reasons
        .map(|reason| games.matches(&format!("{{{reason}}}")).count())
        .sum();
    assert_eq!(claimed, GAMES, "{games}");
}

#[test]
#[ignore = "needs XBoard and Xvfb"]
fn it_plays_itself_in_every_game_that_xboard_shows() {
    for variant in VARIANTS {
        if (variant.open)().info().xboard != XBoard::Unfit {
            plays_a_match(variant.name);
        }
    }
}
