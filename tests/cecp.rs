//! The dialogue with XBoard, against the real binary.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::client::Client;
use quadrille::engine::{VARIANTS, Variant};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(5);

/// A client that has begun a game of a variant.
fn playing(variant: &str) -> Client {
    let mut client = Client::start(&["--variant", variant]);
    client.send("xboard\nprotover 2");
    client.expect_line("feature done=1");
    client.send(&format!("new\nvariant {variant}"));
    sync(&mut client);
    client
}

/// What the engine says up to the answer to a ping.
fn sync(client: &mut Client) -> Vec<String> {
    client.send("ping 7");
    let mut lines = client.lines_to("pong 7");
    lines.pop();
    lines
}

/// What the engine says to a line.
fn ask(client: &mut Client, line: &str) -> Vec<String> {
    client.send(line);
    sync(client)
}

fn each_game() -> impl Iterator<Item = (Client, &'static Variant)> {
    VARIANTS
        .iter()
        .map(|variant| (playing(variant.name), variant))
}

/// Engine against engine: both are told the moves of the other, and both claim the same end.
#[test]
fn a_whole_game_with_claims() {
    for (mut first, variant) in each_game() {
        let mut second = playing(variant.name);
        let mut session = (variant.open)();
        for client in [&mut first, &mut second] {
            assert_eq!(ask(client, "st 0.02\neasy\nnopost"), [""; 0]);
        }
        first.send("go");
        let (mut mover, mut other) = (&mut first, &mut second);
        loop {
            let line = mover.expect_line("move ");
            let mv = line.strip_prefix("move ").unwrap().to_string();
            session.play(&mv).expect(&mv);
            let claim = session.outcome().map(|outcome| {
                let score = match outcome.winner {
                    None => "1/2-1/2",
                    Some(quadrille::games::Side::White) => "1-0",
                    Some(quadrille::games::Side::Black) => "0-1",
                };
                format!("{score} {{{}}}", outcome.reason.name())
            });
            if let Some(claim) = claim {
                assert_eq!(sync(mover), std::slice::from_ref(&claim));
                assert_eq!(ask(other, &format!("usermove {mv}")), [claim]);
                break;
            }
            other.send(&format!("usermove {mv}"));
            (mover, other) = (other, mover);
        }
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    for (mut client, variant) in each_game() {
        ask(&mut client, "force");
        for text in [
            "usermove a1a1",
            "usermove e2e9",
            "usermove",
            "usermove é2é4",
        ] {
            let lines = ask(&mut client, text);
            assert!(lines[0].starts_with("Illegal move"), "{lines:?}");
            assert_eq!(lines.len(), 1);
        }
        let session = (variant.open)();
        let mv = session.moves().remove(0);
        assert_eq!(ask(&mut client, &format!("usermove {mv}")), [""; 0]);
    }
}

/// As XBoard has it when a pawn of Congress Chess stops on the last rank.
#[test]
fn a_point_after_a_move_means_nothing() {
    for (mut client, variant) in each_game() {
        ask(&mut client, "force");
        let mv = (variant.open)().moves().remove(0);
        assert_eq!(ask(&mut client, &format!("usermove {mv}.")), [""; 0]);
    }
}

#[test]
fn moves_are_taken_back() {
    for (mut client, variant) in each_game() {
        let mut session = (variant.open)();
        ask(&mut client, "force");
        let first = session.moves().remove(0);
        session.play(&first).unwrap();
        let second = session.moves().remove(0);
        for _ in 0..3 {
            let there = format!("usermove {first}\nusermove {second}");
            assert_eq!(ask(&mut client, &there), [""; 0]);
            assert_eq!(ask(&mut client, "remove"), [""; 0]);
            assert_eq!(ask(&mut client, &format!("usermove {first}")), [""; 0]);
            assert_eq!(ask(&mut client, "undo"), [""; 0]);
        }
        let lines = ask(&mut client, "undo");
        assert!(lines[0].starts_with("Error (no move to take back)"));
    }
}

#[test]
fn a_move_now_and_no_move_after_force() {
    for (mut client, _) in each_game() {
        client.send("level 0 60 0\npost\ngo");
        client.expect_line("1 ");
        let asked = Instant::now();
        client.send("?");
        client.expect_line("move ");
        assert!(asked.elapsed() < SOON);
        client.send("undo\ngo");
        client.expect_line("1 ");
        let lines = ask(&mut client, "force");
        assert!(
            !lines.iter().any(|line| line.starts_with("move")),
            "{lines:?}"
        );
        assert!(client.is_silent());
    }
}

/// Options and mistakes do not cost the move that the engine is looking for.
#[test]
fn a_move_comes_whatever_happens_meanwhile() {
    for (mut client, _) in each_game() {
        for line in [
            "memory 4",
            "memory 0",
            "variant chess",
            "setboard 8/8",
            "option Frob=1",
        ] {
            client.send(&format!("new\nforce\nst 0.2\ngo\n{line}"));
            client.expect_line("move ");
        }
    }
}

#[test]
fn analysis_follows_the_board() {
    for (mut client, variant) in each_game() {
        let session = (variant.open)();
        client.send("analyze");
        client.expect_line("3 ");
        client.send(".");
        client.expect_line("stat01: ");
        client.send(&format!("usermove {}", session.moves()[0]));
        client.expect_line("1 ");
        client.send("undo");
        client.expect_line("1 ");
        ask(&mut client, "exit");
        assert!(client.is_silent());
    }
}

#[test]
fn thinking_on_the_opponents_time() {
    for (mut client, _) in each_game() {
        client.send("st 0.1\nhard\nnopost\ngo");
        client.expect_line("move ");
        std::thread::sleep(Duration::from_millis(50));
        // The expected reply: a hit. Then another move: a miss.
        client.send("hint");
        let hint = client.expect_line("Hint: ");
        client.send(&format!("usermove {}", &hint["Hint: ".len()..]));
        client.expect_line("move ");
        ask(&mut client, "force\nremove\nundo");
        assert!(client.is_silent());
    }
}

#[test]
fn highlights_are_the_legal_moves() {
    for (mut client, variant) in each_game() {
        let session = (variant.open)();
        let info = session.info();
        ask(&mut client, "force");
        for file in 0..info.files {
            for rank in 1..=info.ranks {
                let square = format!("{}{rank}", (b'a' + file as u8) as char);
                let lines = ask(&mut client, &format!("lift {square}"));
                let marks = lines[0].strip_prefix("highlight ").unwrap();
                let marked = marks.chars().filter(char::is_ascii_uppercase).count();
                let moves = session.moves();
                let targets = moves.iter().filter(|mv| {
                    let rest = mv.strip_prefix(&square);
                    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
                });
                assert_eq!(marked, targets.count(), "{square}: {marks}");
                let cells: usize = marks.split('/').map(cells).sum();
                assert_eq!(cells, info.files * info.ranks);
            }
        }
    }
}

/// How many squares a rank of a highlight has.
fn cells(row: &str) -> usize {
    let numbers = row.split(|c: char| !c.is_ascii_digit());
    let empty: usize = numbers
        .filter_map(|number| number.parse::<usize>().ok())
        .sum();
    empty + row.chars().filter(|c| !c.is_ascii_digit()).count()
}

#[test]
fn nonsense_is_answered_by_one_error() {
    for (mut client, _) in each_game() {
        for line in [
            "frobnicate",
            "level",
            "level 1 2",
            "level a b c",
            "st x",
            "st -1",
            "sd 0",
            "time",
            "memory 0",
            "memory lots",
            "cores 0",
            "option Frob=1",
            "option",
            "variant chess",
            "setboard 8/8",
            "undo",
            "remove",
        ] {
            let lines = ask(&mut client, &format!("force\n{line}"));
            let [error] = &lines[..] else {
                panic!("{line}: {lines:?}")
            };
            assert!(
                error.starts_with("Error (") || error.starts_with("tellusererror "),
                "{line}: {error}"
            );
        }
    }
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    for (mut client, _) in each_game() {
        client.send("st 0.1\ngo");
        client.close_input();
        client.expect_line("move ");
        assert!(client.wait(SOON).success());
        let mut client = playing("gothic");
        client.send("analyze");
        client.close_input();
        assert!(client.wait(SOON).success());
    }
}
