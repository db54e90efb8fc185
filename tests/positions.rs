//! Outcomes and legal moves of the positions in `data/positions.txt`, most of them the end of a
//! game or one move earlier, and effects of single moves.

use crate::common::positions::lines;
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

/// Effects of a move beyond its two squares: castling, promotion, gains, changed politicians, lost
/// rights and the clock.
#[test]
fn moves_lead_where_the_rules_say() {
    for (variant, before, mv, after) in [
        // Castling resets the clock in this game.
        (
            "gothic",
            "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 7 3",
            "f1i1",
            "r4k3r/10/10/10/10/10/10/R6RK1 b kq - 0 3",
        ),
        (
            "gothic",
            "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 7 3",
            "f1c1",
            "r4k3r/10/10/10/10/10/10/2KR5R b kq - 0 3",
        ),
        (
            "gothic",
            "r4k3r/10/10/10/10/10/10/R4K3R b KQkq - 7 3",
            "f8i8",
            "r6rk1/10/10/10/10/10/10/R4K3R w KQ - 0 4",
        ),
        (
            "gothic",
            "r4k3r/10/10/10/10/10/10/R4K3R b KQkq - 7 3",
            "f8c8",
            "2kr5r/10/10/10/10/10/10/R4K3R w KQ - 0 4",
        ),
        (
            "gothic",
            "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 7 3",
            "f1f2",
            "r4k3r/10/10/10/10/10/5K4/R8R b kq - 8 3",
        ),
        (
            "gothic",
            "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 7 3",
            "a1b1",
            "r4k3r/10/10/10/10/10/10/1R3K3R b Kkq - 8 3",
        ),
        (
            "gothic",
            "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 7 3",
            "j1j8",
            "r4k3R/10/10/10/10/10/10/R4K4 b Qq - 0 3",
        ),
        // The square of a double step is written only if a pawn may capture there.
        (
            "gothic",
            "5k4/10/10/10/2p7/10/1P8/5K4 w - - 7 3",
            "b2b4",
            "5k4/10/10/10/1Pp7/10/10/5K4 b - b3 0 3",
        ),
        (
            "gothic",
            "5k4/10/10/10/3p6/10/1P8/5K4 w - - 7 3",
            "b2b4",
            "5k4/10/10/10/1P1p6/10/10/5K4 b - - 0 3",
        ),
        (
            "gothic",
            "5k4/10/10/10/1Pp7/10/10/5K4 b - b3 0 3",
            "c4b3",
            "5k4/10/10/10/10/1p8/10/5K4 w - - 0 4",
        ),
        (
            "gothic",
            "5k4/10/10/10/1Pp7/10/10/5K4 b - b3 0 3",
            "f8f7",
            "10/5k4/10/10/1Pp7/10/10/5K4 w - - 1 4",
        ),
        (
            "gothic",
            "9k/P9/10/10/10/10/10/5K4 w - - 7 3",
            "a7a8c",
            "C8k/10/10/10/10/10/10/5K4 b - - 0 3",
        ),
        // The wing decides the kind of a politician.
        ("congress", "k7/8/8/8/2H5/K7 w - - 0 3", "c2e3", "k7/8/8/4B3/8/K7 b - - 0 3"),
        ("congress", "k7/8/5b2/8/8/K7 b - - 0 3", "f4d2", "k7/8/8/8/3h4/K7 w - - 0 4"),
        // A gain is judged after the move, and along the home row too.
        ("pressman", "8/8/8/8/8/8/6q1/Q7 w - - 7 3", "a1a8", "Q7/8/8/8/8/8/6q1/Q7 b - - 0 3"),
        ("pressman", "8/8/8/8/8/8/Q5q1/Q7 w - - 7 3", "a2a8", "Q7/8/8/8/8/8/6q1/Q7 b - - 8 3"),
        ("pressman", "Q7/8/8/8/8/8/6q1/8 w - - 7 3", "a8c8", "2Q5/8/8/8/8/8/6q1/2Q5 b - - 0 3"),
        ("pressman", "q7/8/8/8/8/8/Q5q1/8 w - - 7 3", "a2a8", "Q7/8/8/8/8/8/6q1/Q7 b - - 0 3"),
        ("pressman", "8/8/8/8/8/8/Qq6/8 w - - 7 3", "a2b2", "8/8/8/8/8/8/1Q6/8 b - - 0 3"),
        ("pressman", "8/8/8/8/8/8/7q/Q7 b - - 7 3", "h2h1", "7q/8/8/8/8/8/8/Q6q w - - 0 4"),
        // Pawn moves do not turn the clock back, promotions do.
        (
            "crosseyed",
            "****4****/****4****/****4****/***6***/k11/12/12/12/***3P2***/****4****/****4****/****2K1**** w - - 7 3",
            "g4g5",
            "****4****/****4****/****4****/***6***/k11/12/12/6P5/***6***/****4****/****4****/****2K1**** b - - 8 3",
        ),
        (
            "crosseyed",
            "****4****/****4****/****4****/***6***/k11/12/10P1/12/***6***/****4****/****4****/****2K1**** w - - 7 3",
            "k6l6m",
            "****4****/****4****/****4****/***6***/k11/12/11M/12/***6***/****4****/****4****/****2K1**** b - - 0 3",
        ),
        (
            "crosseyed",
            "****4****/****4****/****4****/***6***/kR10/12/12/12/***6***/****4****/****4****/****2K1**** b - - 7 3",
            "a8b8",
            "****4****/****4****/****4****/***6***/1k10/12/12/12/***6***/****4****/****4****/****2K1**** w - - 0 4",
        ),
    ] {
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
