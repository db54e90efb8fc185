//! Questions about the game.

use super::{best, each_game, scored};
use crate::common::client::{Client, score};
use crate::common::rows;
use quadrille::records::json::{Object, array, string};

#[test]
fn a_game_in_progress_is_described() {
    for (mut client, info) in each_game() {
        assert_eq!(client.query("fen"), info.start);
        assert_eq!(client.query("gameover"), "false");
        assert_eq!(client.query("result"), "none");
        assert_eq!(client.query("reason"), "none");
        assert_eq!(client.query("p1turn"), "true");
        let key = client.query("key");
        assert_eq!(key.len(), 16);
        let moves = client.moves();
        assert!(moves.is_sorted() && !moves.is_empty(), "{moves:?}");
        client.tell(&format!("position startpos moves {}", moves[0]));
        assert_eq!(client.query("p1turn"), "false");
        assert_ne!(client.query("key"), key);
        let board = client.ask("d");
        assert!(board.iter().any(|line| *line == format!("Variant: {}", info.name)));
        assert!(board.iter().any(|line| line.starts_with("Fen: ")));
        let sides = ["white", "black"].map(|side| format!("Side to move: {side}"));
        assert!(board.iter().any(|line| sides.contains(line)), "{board:?}");
        assert!(!client.ask("eval").is_empty());
    }
}

/// One position for every way to end a game on the board.
#[test]
fn finished_games_are_described() {
    for [variant, position, result, reason, score] in rows(include_str!("../data/finished.txt")) {
        let mut client = Client::playing(variant);
        client.tell(&format!("position fen {position}"));
        assert_eq!(client.query("gameover"), "true", "{position}");
        assert_eq!(client.query("result"), result, "{position}");
        assert_eq!(client.query("reason"), reason, "{position}");
        assert_eq!(client.query("moves"), "", "{position}");
        for go in ["go depth 3", "go movetime 10", "go wtime 1000 btime 1000"] {
            assert_eq!(
                client.search(go),
                [&format!("info depth 0 score {score}"), "bestmove (none)"],
                "{position}"
            );
        }
    }
}

/// Positions that are drawn, and why.
const CLAIMED: &str = "\
gothic|startpos moves b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8|repetition
pressman|startpos moves a7a6 a2a3 a6a7 a3a2 a7a6 a2a3 a6a7 a3a2|repetition
crosseyed|startpos moves f2e4 b7d6 e4f2 d6b7 f2e4 b7d6 e4f2 d6b7|repetition
gothic|fen 5k4/10/10/10/10/10/10/R4K4 w - - 100 80 moves|clock
gothic|fen 5k4/10/10/10/10/10/10/1N1K1N4 w - - 100 80 moves|clock
pressman|fen 7q/7q/8/8/8/8/Q7/8 w - - 100 80 moves|clock
crosseyed|fen ****4****/****4****/****4****/***6***/k10k/12/12/12/***6***/****4****/****4****/****2K1**** w - - 100 1 moves|clock
gothic|fen 5k4/10/10/10/10/10/10/5K4 w - - 0 1 moves|material
gothic|fen 5k4/10/10/10/10/10/10/1N3K4 b - - 0 1 moves|material";

/// Clients differ in claiming these draws: the game is over for a question, but moves are still
/// played.
#[test]
fn claimed_draws_are_over_but_playable() {
    for [variant, position, reason] in rows(CLAIMED) {
        let mut client = Client::playing(variant);
        client.tell(&format!("position {position}"));
        assert_eq!(client.query("gameover"), "true", "{position}");
        assert_eq!(client.query("result"), "draw", "{position}");
        assert_eq!(client.query("reason"), reason, "{position}");
        assert_eq!(client.query("moves"), "", "{position}");
        for go in ["go depth 4", "go nodes 1000"] {
            let lines = client.search(go);
            let scores: Vec<_> = scored(&lines).filter_map(score).collect();
            assert!(!scores.is_empty());
            assert!(scores.iter().all(|&score| score == ("cp", 0)), "{lines:#?}");
            client.tell(&format!("position {position} {}", best(&lines)));
            client.tell(&format!("position {position}"));
        }
    }
}

/// In some games a FEN may show a game that the side to move has won.
#[test]
fn the_side_to_move_can_have_won() {
    let mut client = Client::playing("pressman");
    client.tell("position fen 8/8/8/8/8/8/8/q7 b - - 0 30");
    assert_eq!(client.query("result"), "p1win");
    let lines = client.search("go depth 3");
    assert_eq!(best(&lines), "(none)");
}

/// One question for all facts of a position, also of those behind moves.
#[test]
fn a_node_has_the_answers_to_all_questions() {
    for (mut client, info) in each_game() {
        let mut moves: Vec<String> = Vec::new();
        let mut nodes = Vec::new();
        for ply in 0..6 {
            client.tell(&format!("position startpos moves {}", moves.join(" ")));
            let facts = ["fen", "check", "table", "effects"].map(|name| (name, client.query(name)));
            let mut node =
                facts.into_iter().fold(Object::new(), |node, (name, answer)| match name {
                    "check" => node.with(name, answer),
                    _ => node.with(name, string(&answer)),
                });
            if let Some(mv) = moves.last() {
                client.tell(&format!("position startpos moves {}", moves[..ply - 1].join(" ")));
                let san = client.query(&format!("san {mv}"));
                node = node.with("move", string(mv)).with("san", string(&san));
                client.tell(&format!("position startpos moves {}", moves.join(" ")));
            }
            nodes.push(node);
            moves.push(client.moves().swap_remove(ply));
        }
        moves.pop();
        client.tell("position startpos");
        assert_eq!(
            client.query(&format!("node {}", moves.join(" "))),
            array(nodes),
            "{}",
            info.name
        );
        assert_eq!(client.query("fen"), info.start);
    }
    let mut client = Client::playing("gothic");
    for (position, over) in [
        ("9k/7Q2/8K1/10/10/10/10/10 b - - 0 1", "{\"reason\": \"stalemate\"}"),
        ("9k/8Q1/8K1/10/10/10/10/10 b - - 0 1", "{\"reason\": \"checkmate\", \"winner\": \"w\"}"),
    ] {
        client.tell(&format!("position fen {position}"));
        assert!(client.query("node").contains(&format!("\"over\": {over}, ")), "{position}");
    }
    // SAN is read, repetitions are counted, and a fault names its move.
    client.tell("position startpos moves b1c3 b8c6 c3b1 c6b8");
    let node = client.query("node Nc3 Nc6 Nb1 Nb8");
    assert_eq!(node.matches("\"over\": {\"reason\": \"repetition\"}").count(), 1, "{node}");
    let fault = client.ask("query node Nc3 Zz9");
    assert!(fault[0].starts_with("info string error unreadable-move query 2: "), "{fault:?}");
}

/// The effects of moves, by which a board without the rules marks them.
#[test]
fn effects_of_moves_are_described() {
    for (variant, position, effects) in [
        ("gothic", "9k/10/10/3pP5/10/10/10/K9 w - d6 0 1", "e5d6:x"),
        ("gothic", "1r7k/P9/10/10/10/10/10/K9 w - - 0 1", "a7b8q:x=Q"),
        ("congress", "3k4/8/3H4/3h4/8/4K3 w - - 0 1", "d4f5:=B"),
        ("congress", "3k4/8/3H4/5p2/8/4K3 w - - 0 1", "d4f3:x=B"),
        ("pressman", "8/8/Q7/8/8/8/q7/7q w - - 0 1", "a6a8:+Q@a1"),
        ("pressman", "q7/8/Q7/8/8/8/q7/7q w - - 0 1", "a6a8:x+Q@a1"),
    ] {
        let mut client = Client::playing(variant);
        client.tell(&format!("position fen {position}"));
        let moves = client.moves();
        let said = client.query("effects");
        let said: Vec<_> = said.split(' ').collect();
        assert!(said.contains(&effects), "{effects}: {said:?}");
        let plain: Vec<_> = said.iter().map(|each| each.split(':').next().unwrap()).collect();
        assert_eq!(plain, moves);
    }
}

/// What a move gives away, and what is nonsense.
#[test]
fn mistakes_are_explained() {
    for [variant, position, played, better, phrase] in rows(include_str!("../data/why.txt")) {
        let mut client = Client::playing(variant);
        client.tell(&format!("position {position}"));
        let why = client.query(&format!("why {played} instead {better}"));
        assert_eq!(why, phrase, "{position} {played}");
        // A page sends the depth too.
        let deep = |line: &str| line.replacen(' ', ",12 ", 1);
        let again = client.query(&format!("why {} instead {}", deep(played), deep(better)));
        assert_eq!(again, phrase, "{position} {played}");
    }
    let mut client = Client::playing("gothic");
    for (words, error) in [
        ("", "syntax query: SCORE MOVE"),
        ("0.10 e2e4", "syntax query: SCORE MOVE"),
        ("0.10 instead 0.20 e2e4", "syntax query: SCORE MOVE"),
        ("0.10 e2e4 instead 0.20 d2d4 instead 0.30 b1c3", "syntax query: SCORE MOVE"),
        ("soon e2e4 instead 0.20 d2d4", "value query: `soon` is not a score"),
        ("0.10 e2e4 instead #x d2d4", "value query: `#x` is not a score"),
        ("#99999999999 e2e4 instead NaN d2d4", "value query: `#99999999999` is not a score"),
        ("0.10 e2e4 e2e4 instead 0.20 d2d4", "illegal-move query 2: "),
        ("0.10 e2e4 e7e5 instead 0.20 d2d5", "illegal-move query 3: "),
        ("0.10 e2e4 Zz9 instead 0.20 d2d4", "unreadable-move query 2: "),
    ] {
        let said = client.ask(&format!("query why {words}"));
        assert!(said[0].starts_with(&format!("info string error {error}")), "{words}: {said:?}");
    }
}

/// By hand: a pawn more is 75 % of the points. To lose 25 of 100 leaves 31.6 % of a move's accuracy; the window of such a
/// move has a deviation of 12.5, which counts as 12 against the least, 0.5.
#[test]
fn accuracy_is_that_of_lichess() {
    for (words, answer) in [
        ("0.00 e2e4 0.00", r#"{"w": {"accuracy": 100.0, "opening": 100.0}, "words": "#),
        ("1.00 e2e4 0.00", r#"{"w": {"accuracy": 31.6, "opening": 31.6}, "words": "#),
        ("0.00 e2e4 1.00", r#"{"w": {"accuracy": 100.0, "opening": 100.0}, "words": "#),
        (
            "0.00 e4 0.00 e7e5 1.00",
            r#"{"w": {"accuracy": 100.0, "opening": 100.0}, "b": {"accuracy": 31.6, "opening": 31.6}"#,
        ),
        // (0.5 * 100 + 12 * 31.57) / 12.5 and 2 / (1 / 100 + 1 / 31.57): 34.31 and 47.99.
        (
            "0.00 e4 0.00 e5 0.00 d4 -1.00",
            r#"{"w": {"accuracy": 41.2, "opening": 41.2}, "b": {"accuracy": 100.0, "opening": 100.0}"#,
        ),
        ("0.00", r#"{"words": "Accuracy: ."}"#),
    ] {
        let said = Client::playing("gothic").query(&format!("accuracy {words}"));
        assert!(said.starts_with(answer), "{words}: {said}");
    }
    // A mate counts, whatever the score says; with a third of the men it is an ending.
    let mut client = Client::playing("gothic");
    client.tell("position fen 9k/10/8K1/10/10/10/Q9/10 w - - 0 1");
    let said = client.query("accuracy #1 a2a8 -5.00");
    assert!(said.starts_with(r#"{"w": {"accuracy": 100.0, "opening": 100.0}"#), "{said}");
    let mut client = Client::playing("pressman");
    client.tell("position fen 7q/6q1/5Q2/8/8/8/8/8 w - - 0 1");
    let said = client.query("accuracy 0.00 f6g7 0.00 h8g7 0.00");
    assert!(said.contains(r#""w": {"accuracy": 100.0, "opening": 100.0}"#), "{said}");
    // Moves are counted from the question, not from the start of the game; `help` shows its form.
    client.tell("position startpos moves a7a2");
    let said = client.ask("query accuracy 0.00 a1a2 0.00 a1a2 0.00");
    assert!(said[0].starts_with("info string error illegal-move query 2: "), "{said:?}");
    assert!(client.ask("help").contains(&"query accuracy SCORE MOVE SCORE ...".to_string()));
    for (words, error) in [
        ("", "syntax query: SCORE MOVE"),
        ("0.10 e2e4", "syntax query: SCORE MOVE"),
        ("0.10 e2e5 0.10", "illegal-move query 1: "),
        ("x", "value query: `x` is not a score"),
    ] {
        let said = Client::playing("gothic").ask(&format!("query accuracy {words}"));
        assert!(said[0].starts_with(&format!("info string error {error}")), "{words}: {said:?}");
    }
}
