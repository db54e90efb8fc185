//! The end of the program, at the end of its input or output.

use super::AT_ONCE;
use crate::common::client::{Client, SOON};
use crate::common::program::{Program, quadrille};
use std::time::{Duration, Instant};

fn ends(mut client: Client) {
    assert!(client.wait(AT_ONCE).success());
}

/// All commands that end by themselves are finished first, and each search has its answer.
#[test]
fn the_end_of_the_input_ends_it() {
    for (lines, last) in [
        ("go depth 6", "info depth 6 "),
        ("go nodes 20000\nposition startpos moves e2e4", "bestmove "),
        ("go perft 3", "Nodes searched: 25283"),
        ("bench 2", "total "),
        ("position fen 9k/10/8K1/10/10/10/10/Q9 w\ngo mate 1", "info depth 1 "),
        ("go infinite\nposition startpos\ngo depth 6", "info depth 6 "),
        ("go depth 2\ngo depth 6", "info depth 6 "),
        ("isready", "readyok"),
        ("isready\ngo infinite", "bestmove "),
        ("isready\ngo ponder wtime 60000 btime 60000", "bestmove "),
        ("isready\ngo", "bestmove "),
    ] {
        let mut client = Client::start(&[]);
        client.send(lines);
        client.close_input();
        client.expect_line(last);
        ends(client);
    }
    for clock in ["movetime 300", "wtime 6000 btime 6000"] {
        let begun = Instant::now();
        let mut client = Client::start(&[]);
        client.send(&format!("go {clock}"));
        client.close_input();
        client.expect_line("bestmove ");
        assert!(begun.elapsed() >= Duration::from_millis(50), "{clock}");
    }
}

#[test]
fn an_unfinished_last_line_is_obeyed() {
    let mut client = Client::start(&[]);
    client.send_bytes(b"isready\ngo depth 2");
    client.close_input();
    client.expect_line("readyok");
    client.expect_line("bestmove");
    ends(client);
}

#[test]
fn quit_ends_it_at_once() {
    for before in [
        "isready",
        "isready\ngo infinite",
        "isready\ngo depth 60\ngo depth 60",
        "isready\nbench 60",
    ] {
        let mut client = Client::start(&[]);
        client.send(before);
        client.expect_line("readyok");
        std::thread::sleep(Duration::from_millis(100));
        client.send("quit");
        ends(client);
    }
}

/// It prints no complaint about the broken pipe.
#[test]
fn a_closed_output_ends_it_quietly() {
    for (words, line) in [
        ("bench 3", ""),
        ("perft gothic 2", ""),
        ("analyse --nodes 100", "startpos\nbroken\n"),
        ("play gothic --time 0.05", "board\n"),
    ] {
        let mut child = Program::piped(&mut quadrille(words.split(' ')), SOON);
        let status = child.end_without_reader(line, SOON);
        assert!(status.success(), "{words}: {status}");
        assert_eq!(child.output().stderr, "", "{words}");
    }
}
