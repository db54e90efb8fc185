//! Commands that come while a search runs.

use super::{best, each_game, positions, scored};
use crate::common::client::Client;
use quadrille::engine::VARIANTS;
use std::time::Duration;

fn has_answer(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("bestmove"))
}

#[test]
fn stop_is_answered_with_a_legal_move() {
    for (mut client, info) in each_game() {
        for position in positions(info) {
            client.tell(&format!("position {position}"));
            let moves = client.moves();
            client.send("go infinite");
            let lines = client.search("stop");
            assert!(moves.iter().any(|mv| mv == best(&lines)), "{lines:?}");
            assert!(scored(&lines).count() > 0, "{lines:?}");
            client.tell("stop");
            client.tell("ponderhit");
        }
    }
}

#[test]
fn questions_are_answered_while_searching() {
    for (mut client, info) in each_game() {
        client.send("go infinite");
        client.send("isready");
        client.expect_line("readyok");
        assert_eq!(client.query("fen"), info.start);
        assert_eq!(client.query("gameover"), "false");
        client.send("xyzzy");
        client.expect_line("info string error unknown-command xyzzy: ");
        client.send("isready");
        let lines = client.lines_to("readyok");
        assert!(!has_answer(&lines), "{lines:?}");
        client.search("stop");
    }
}

/// `go infinite` and `go ponder` are not answered before `stop` or `ponderhit`, even if the search
/// has ended.
#[test]
fn the_answer_waits_until_it_is_wanted() {
    let mut client = Client::playing("pressman");
    for (position, answer) in [
        ("fen 8/8/8/8/8/8/8/Q6q w - - 0 1", "bestmove a1h1"),
        ("fen 8/8/8/8/8/8/8/7q w - - 0 1", "bestmove (none)"),
    ] {
        for go in
            ["go infinite", "go infinite depth 1", "go ponder depth 1", "go ponder movetime 1"]
        {
            client.tell(&format!("position {position}"));
            client.send(go);
            client.expect_line("info depth ");
            std::thread::sleep(Duration::from_millis(50));
            client.send("isready");
            let lines = client.lines_to("readyok");
            assert!(!has_answer(&lines), "{go}: {lines:?}");
            let end = if go.contains("ponder") { "ponderhit" } else { "stop" };
            let lines = client.search(end);
            assert!(lines.last().unwrap().starts_with(answer), "{go}: {lines:?}");
        }
    }
}

#[test]
fn pondering_ends_with_the_clock_after_ponderhit() {
    let mut client = Client::start(&[]);
    client.send("go ponder wtime 500 btime 500");
    std::thread::sleep(Duration::from_millis(600));
    client.send("isready");
    let lines = client.lines_to("readyok");
    assert!(!has_answer(&lines), "{lines:?}");
    // Without the clock it would have no end.
    client.search("ponderhit");
    client.send("go ponder wtime 500 btime 500");
    client.search("stop");
}

#[test]
fn another_game_ends_the_search() {
    let mut client = Client::start(&[]);
    for variant in VARIANTS.iter().rev() {
        client.send("go infinite");
        client.send(&format!("setoption name UCI_Variant value {}", variant.info.name));
        let lines = client.lines_to("info string variant");
        let answers = lines.iter().filter(|line| line.starts_with("bestmove"));
        assert_eq!(answers.count(), 1);
        assert_eq!(client.query("fen"), variant.info.start);
    }
}

#[test]
fn each_go_has_its_answer() {
    let mut client = Client::start(&[]);
    client.send("go infinite\nposition startpos moves e2e4\ngo depth 3");
    client.expect_line("bestmove");
    let lines = client.lines_to("bestmove");
    assert!(client.moves().iter().any(|mv| mv == best(&lines)));
    assert!(client.is_silent());
}

/// A script pipes more positions than a system has threads, without waiting. All are answered, and on
/// average a search costs at most four times as much as one alone. Processor time is measured, which
/// other programs do not use up.
#[test]
fn many_searches_can_wait() {
    let mut client = Client::start(&[]);
    const FEW: usize = 2_000;
    const MANY: usize = 20 * FEW;
    for _ in 0..FEW {
        client.search("go depth 1");
    }
    let one_by_one = client.ticks();
    client.send(&"go depth 1\n".repeat(MANY));
    for _ in 0..MANY {
        client.expect_line("bestmove ");
    }
    let all = client.ticks() - one_by_one;
    // It would cost ten times as much if each scanned all that wait.
    let most = 4 * (MANY / FEW) as u64 * one_by_one;
    assert!(all <= most, "{all} ticks, not {most}");
}

#[test]
fn a_stop_that_waits_ends_what_was_begun_before_it() {
    let mut client = Client::start(&[]);
    client.send("go movetime 100\ngo infinite\nposition startpos\nstop\ngo infinite\nisready");
    client.expect_line("bestmove ");
    client.expect_line("bestmove ");
    client.expect_line("info depth 5 ");
    client.send("stop");
    client.expect_line("bestmove ");
    client.send("ponderhit\nquery fen");
    client.expect_line("response ");
}

#[test]
fn piped_positions_are_all_answered() {
    let mut client = Client::playing("pressman");
    let rows = [
        ("Qq6", "b1"),
        ("Q1q5", "c1"),
        ("Q2q4", "d1"),
        ("Q3q3", "e1"),
        ("Q4q2", "f1"),
        ("Q5q1", "g1"),
        ("Q6q", "h1"),
    ];
    for (row, _) in rows {
        client.send(&format!("position fen 8/8/8/8/8/8/8/{row} w - - 0 1\ngo depth 4"));
    }
    for (_, target) in rows {
        let answer = client.expect_line("bestmove");
        assert_eq!(answer, format!("bestmove a1{target}"));
    }
    assert!(client.is_silent());
}

#[test]
fn nothing_is_said_after_the_answer() {
    for (mut client, _) in each_game() {
        client.send("go infinite");
        client.search("stop");
        assert!(client.is_silent());
        client.search("go depth 4");
        assert!(client.is_silent());
    }
}
