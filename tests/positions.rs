//! Outcomes and legal moves of the positions in `data/positions.txt`, most of them the end of a
//! game or one move earlier, and effects of single moves.

use crate::common::positions::lines;
use crate::common::rows;
use quadrille::engine::{VARIANTS, Variant, find_variant};
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
    let mut session = variant.open();
    session.set_position(Some(fen), &[]).unwrap();
    assert_eq!(session.fen(), fen);
    assert_eq!(describe(session.outcome()), outcome, "{fen}");
    let found = if session.outcome().is_some() { Vec::new() } else { session.moves() };
    assert_eq!(found.join(" "), moves.trim(), "{fen}");
}

#[test]
fn outcomes_and_moves_are_as_the_rules_say() {
    for variant in VARIANTS {
        let mut positions = 0;
        for line in lines(POSITIONS, variant.info.name) {
            check(variant, line[0], line[1], line[2]);
            positions += 1;
        }
        assert!(positions > 0, "no positions of {}", variant.info.name);
    }
}

/// White gains a piece on a8 and Black captures it: the position is what it was before.
#[test]
fn positions_can_be_repeated_across_captures() {
    const CYCLE: &str = "a1a8 b7a8 h4h3 a8b8 h3h4 b8b7";
    let moves: Vec<_> = CYCLE.split(' ').cycle().take(12).collect();
    let mut session = find_variant(VARIANTS, "pressman").unwrap().open();
    for (plies, outcome) in [(6, "none"), (12, "draw:repetition")] {
        let fen = "8/1q6/8/8/7Q/8/8/Q7 w - - 0 1";
        session.set_position(Some(fen), &moves[..plies]).unwrap();
        assert_eq!(describe(session.outcome()), outcome);
    }
}

#[test]
fn moves_lead_where_the_rules_say() {
    for [variant, before, mv, after] in rows(include_str!("data/moves.txt")) {
        let mut session = find_variant(VARIANTS, variant).unwrap().open();
        session.set_position(Some(before), &[mv]).unwrap();
        assert_eq!(session.fen(), after, "{mv} in {before}");
    }
}

#[test]
fn the_clock_draws_at_100() {
    for (variant, fen) in [
        ("gothic", "5k4/10/10/10/10/10/10/R4K4 w - - {} 80"),
        ("pressman", "q7/8/8/8/8/8/8/1Q6 b - - {} 80"),
        (
            "crosseyed",
            "****4****/****4****/****4****/***6***/k11/12/12/12/***6***/****4****/****4****/****2K1**** w - - {} 80",
        ),
    ] {
        for (clock, outcome) in [("99", "none"), ("100", "draw:clock"), ("101", "draw:clock")] {
            let mut session = find_variant(VARIANTS, variant).unwrap().open();
            let fen = fen.replace("{}", clock);
            session.set_position(Some(&fen), &[]).unwrap();
            assert_eq!(describe(session.outcome()), outcome, "{fen}");
        }
    }
}
