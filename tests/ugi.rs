//! All four games over UGI, between two engines whose manager knows no rules.

use crate::common::client::Client;
use quadrille::engine::VARIANTS;

/// Initial time of each clock and increment, in milliseconds.
const CLOCK: &str = "go p1time 100 p2time 100 p1inc 2 p2inc 2";

/// Plays a game by questions alone. Returns the moves and the result.
fn play(variant: &str) -> (Vec<String>, String) {
    let mut engines = [(); 2].map(|()| Client::start(&["--variant", variant]));
    for engine in &mut engines {
        engine.send("ugi");
        assert!(engine.expect_line("id name").starts_with("id name Quadrille"));
        engine.expect_line("ugiok");
        engine.tell("uginewgame");
    }
    let mut moves: Vec<String> = Vec::new();
    loop {
        let position = match moves.len() {
            0 => "position startpos".to_string(),
            _ => format!("position startpos moves {}", moves.join(" ")),
        };
        let answers = engines.each_mut().map(|engine| {
            engine.tell(&position);
            ["gameover", "p1turn", "result"].map(|what| engine.query(what))
        });
        assert_eq!(answers[0], answers[1], "after {moves:?}");
        let [over, first, result] = &answers[0];
        if over == "true" {
            return (moves, result.clone());
        }
        assert_eq!(result, "none");
        let engine = &mut engines[usize::from(first == "false")];
        let lines = engine.search(CLOCK);
        // cutegames expects two words, and otherwise waits for ever.
        let words: Vec<_> = lines.last().unwrap().split(' ').collect();
        let ["bestmove", best] = words[..] else { panic!("{words:?}") };
        moves.push(best.to_string());
        assert!(moves.len() < 2000, "the game does not end: {moves:?}");
    }
}

#[test]
fn a_manager_without_rules_plays_every_game() {
    for variant in VARIANTS {
        let (moves, result) = play(variant.info.name);
        let mut session = variant.open();
        let moves: Vec<_> = moves.iter().map(String::as_str).collect();
        session.set_position(None, &moves).unwrap();
        let winner = session.outcome().unwrap().winner;
        let expected = match winner {
            None => "draw",
            Some(side) if side == session.info().first => "p1win",
            Some(_) => "p2win",
        };
        assert_eq!(result, expected, "{}: {moves:?}", variant.info.name);
    }
}
