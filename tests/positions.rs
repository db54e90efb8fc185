//! The positions in `data/positions.txt`, most of them the end of a game and what came
//! just before: how the game ended, and the legal moves.

mod common;

use common::positions::lines;
use quadrille::engine::{VARIANTS, Variant};
use quadrille::games::{Outcome, Side};

const POSITIONS: &str = include_str!("data/positions.txt");

fn describe(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "none".into(),
        Some(outcome) => match outcome.winner {
            Some(Side::White) => "white".into(),
            Some(Side::Black) => "black".into(),
            None => format!("draw:{}", outcome.reason.name()),
        },
    }
}

fn check(variant: &Variant, fen: &str, outcome: &str, moves: &str) {
    let mut session = (variant.open)();
    session.set_position(Some(fen), &[]).unwrap();
    assert_eq!(session.fen(), fen);
    assert_eq!(describe(session.outcome()), outcome, "{fen}");
    let found = if session.outcome().is_some() {
        Vec::new()
    } else {
        session.moves()
    };
    assert_eq!(found.join(" "), moves.trim(), "{fen}");
}

#[test]
fn outcomes_and_moves_are_as_the_rules_say() {
    for variant in VARIANTS {
        let mut positions = 0;
        for line in lines(POSITIONS, variant.name) {
            check(variant, line[0], line[1], line[2]);
            positions += 1;
        }
        assert!(positions > 0, "no positions of {}", variant.name);
    }
}
