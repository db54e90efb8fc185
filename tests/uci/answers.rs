//! Answers of a search, and spellings of moves.

use super::{best, each_game, positions, scored};
use crate::common::client::{Client, pv, score, value};
use crate::common::program::{Run, quadrille};
use quadrille::engine::VARIANTS;
use std::time::Duration;

#[test]
fn every_line_of_play_is_legal() {
    for (mut client, info) in each_game() {
        client.tell("setoption name MultiPV value 2");
        for position in positions(info) {
            client.tell(&format!("position {position}"));
            let lines = client.search("go depth 7");
            for line in scored(&lines) {
                let moves = pv(line).unwrap().join(" ");
                client.tell(&format!("position {position} moves {moves}"));
            }
            let answer = lines.last().unwrap();
            let reply = value(answer, "ponder").unwrap_or_default();
            client.tell(&format!("position {position} moves {} {reply}", best(&lines)));
        }
    }
}

/// It does so even if the search is interrupted just after a change of its best move.
#[test]
fn the_last_line_begins_with_the_answer() {
    for (mut client, info) in each_game() {
        for position in positions(info) {
            client.tell(&format!("position {position}"));
            for nodes in (100..4000).step_by(100) {
                client.tell("ucinewgame");
                let lines = client.search(&format!("go nodes {nodes}"));
                let last = scored(&lines).next_back().unwrap();
                assert_eq!(pv(last).unwrap()[0], best(&lines), "{position}: {lines:#?}");
            }
        }
    }
}

/// Some clients take a drawn score with a line of a single move for a draw agreed.
#[test]
fn a_drawn_score_with_a_single_move_means_a_draw() {
    for (mut client, info) in each_game() {
        for position in positions(info) {
            for depth in 1..=5 {
                client.tell(&format!("position {position}"));
                let lines = client.search(&format!("go depth {depth}"));
                for line in scored(&lines).filter(|line| score(line) == Some(("cp", 0))) {
                    if let [only] = pv(line).unwrap()[..] {
                        client.tell(&format!("position {position} moves {only}"));
                        assert_eq!(client.query("result"), "draw", "{line}");
                    }
                }
            }
        }
    }
}

#[test]
fn perft_sums_its_moves() {
    for (mut client, _) in each_game() {
        let moves = client.moves();
        client.send("go perft 3");
        let lines = client.lines_to("Nodes searched: ");
        let total: u64 = lines.last().unwrap()["Nodes searched: ".len()..].parse().unwrap();
        let each: Vec<(&str, u64)> = lines
            .iter()
            .filter_map(|line| line.split_once(": "))
            .take(moves.len())
            .map(|(mv, nodes)| (mv, nodes.parse().unwrap()))
            .collect();
        assert!(each.iter().map(|(mv, _)| *mv).eq(moves.iter()), "{lines:?}");
        assert_eq!(each.iter().map(|(_, nodes)| nodes).sum::<u64>(), total);
        assert_eq!(client.line(), "");
        client.tell("position startpos");
    }
}

#[test]
fn a_bench_that_is_stopped_has_no_total() {
    let mut client = Client::start(&[]);
    client.send("bench 60");
    std::thread::sleep(Duration::from_millis(200));
    // The question waits until the bench ends, as `position` does.
    client.send("stop\nposition startpos\nquery fen");
    let lines = client.lines_to("response");
    assert_eq!(lines.len(), 1, "{lines:?}");
}

/// The nodes are the program's signature: the same in every run.
#[test]
fn bench_is_deterministic() {
    let nodes = || {
        let text = quadrille(["bench", "4"]).run().stdout;
        text.lines()
            .map(|line| line.split(" nodes ").next().unwrap().to_string())
            .collect::<Vec<_>>()
    };
    let first = nodes();
    assert_eq!(first.len(), VARIANTS.len() + 1);
    assert_eq!(first, nodes());
}

/// A politician changes by itself: the letter is read, but never written.
#[test]
fn the_letter_of_a_change_is_optional() {
    let mut client = Client::playing("congress");
    let fen = "3k4/1P2B3/3H4/3h4/1p2b3/4K3 b - - 0 1";
    for spelling in ["d3e5", "d3e5b", "d3e5B"] {
        client.tell(&format!("position fen {fen} moves {spelling}"));
        let after = client.query("fen");
        assert_eq!(after, "3k4/1P2b3/3H4/8/1p2b3/4K3 w - - 0 2");
    }
    client.refused(&format!("position fen {fen} moves d3e5h"));
    client.tell(&format!("position fen {fen}"));
    let lines = client.search("go depth 1 searchmoves d3e5b");
    assert_eq!(best(&lines), "d3e5");
}

/// Castling is written as the king's move to its own new square, but read in every spelling.
#[test]
fn castling_is_read_in_every_spelling() {
    let mut client = Client::playing("gothic");
    let fen = "r4k3r/pppppppppp/10/10/10/10/PPPPPPPPPP/R4K3R w KQkq - 0 1";
    for (spellings, placement) in [
        (["f1i1", "f1j1", "O-O", "0-0"], "R6RK1 b kq"),
        (["f1c1", "f1a1", "O-O-O", "0-0-0"], "2KR5R b kq"),
    ] {
        for spelling in spellings {
            client.tell(&format!("position fen {fen} moves {spelling}"));
            let after = client.query("fen");
            assert!(after.contains(placement), "{spelling}: {after}");
        }
        client.tell(&format!("position fen {fen}"));
        let lines = client.search(&format!("go depth 1 searchmoves {}", spellings[1]));
        assert_eq!(best(&lines), spellings[0]);
    }
    client.tell(&format!("position fen {fen}"));
    let moves = client.moves();
    let own: Vec<_> = moves.iter().filter(|mv| mv.starts_with("f1")).collect();
    assert_eq!(own, ["f1c1", "f1e1", "f1g1", "f1i1"]);
    // Without the right, king takes rook is no castling.
    client.refused(&format!("position fen {} moves f1j1", fen.replace("KQkq", "Q")));
    client.refused(&format!("position fen {} moves O-O", fen.replace("KQkq", "Q")));
}
