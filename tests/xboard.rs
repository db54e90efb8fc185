//! The real XBoard with the engine, on a display that nobody sees: engine against engine, and
//! a person who clicks.
//!
//! These tests need the Debian packages `xboard xvfb xdotool xclip x11-utils`, so they are run
//! on demand only: `cargo test --release --test xboard -- --ignored`

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::xboard::XBoard;
use quadrille::engine::VARIANTS;
use quadrille::games;
use std::time::Duration;

/// How many games of a match, and how long it may take.
const GAMES: usize = 2;
const MATCH: Duration = Duration::from_secs(180);

/// The variants that XBoard shows.
fn shown() -> impl Iterator<Item = &'static str> {
    let infos = VARIANTS.iter().map(|variant| (variant.open)().info());
    infos
        .filter(|info| info.xboard != games::XBoard::Unfit)
        .map(|info| info.name)
}

/// The ends of the games are those that the rules see, and nobody complains.
#[test]
#[ignore = "needs XBoard and its tools"]
fn it_plays_matches_with_itself() {
    for variant in shown() {
        let count = GAMES.to_string();
        let engine = format!("\"{}\"", env!("CARGO_BIN_EXE_quadrille"));
        let further = ["-scp", &engine, "-matchMode", "true", "-matchGames", &count];
        let bullet = [
            "-timeControl",
            "0:01",
            "-timeIncrement",
            "0",
            "-matchPause",
            "1",
        ];
        let further = [&further[..], &bullet].concat();
        let mut board = XBoard::start(variant, &format!("match-{variant}"), &further);
        let ended = |board: &XBoard| board.dialogue().count("result") == GAMES;
        board.wait_for("the end of a match", MATCH, ended);
        let games = board.dialogue().games();
        for game in games.iter().filter(|game| !game.moves.is_empty()) {
            assert!(game.result.is_some());
            assert_eq!(game.result, game.outcome(), "{:?}", game.moves);
        }
        assert_eq!(
            games.iter().filter(|game| game.result.is_some()).count(),
            GAMES
        );
        board.is_content();
    }
}

/// A person who has White clicks a move, and the engine answers.
#[test]
#[ignore = "needs XBoard and its tools"]
fn a_person_plays() {
    for (variant, from, to) in [
        ("gothic", "e2", "e4"),
        ("congress", "b1", "c3"),
        ("crosseyed", "f2", "g4"),
    ] {
        let switches = ["-searchDepth", "1", "-ponderNextMove", "false"];
        let mut board = XBoard::start(variant, &format!("click-{variant}"), &switches);
        board.ready();
        board.click(from);
        board.click(to);
        let answered = |board: &XBoard| board.dialogue().game().moves.len() == 2;
        board.wait_for("an answer", MATCH, answered);
        board.agrees();
        assert_eq!(board.dialogue().game().moves[0], format!("{from}{to}"));
        board.is_content();
    }
}
