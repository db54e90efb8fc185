//! Scores for people: a pawn is worth the same in every game, and a position has the same score in
//! all protocols.

use crate::common::client::Client;
use crate::common::positions::test_all_games;
use crate::common::program::{Run, quadrille};
use crate::common::session;
use quadrille::engine::Entry;
use quadrille::search::{Limits, Resources, Score, Table};
use std::sync::Arc;

const DEPTH: u32 = 6;

/// What being a pawn ahead is worth in chess.
fn a_pawn_ahead_is_expected_to_score_75_percent<G: Entry>() {
    let model = G::SHEET.score_model;
    let pawn = model.pawn().round() as i32;
    assert_eq!(model.score(pawn), Score::Centipawns(100));
    assert!((model.expected(pawn) - 0.75).abs() < 0.005);
}

fn a_position_has_the_same_score_in_all_protocols<G: Entry>() {
    let mut compared = 0;
    for fen in G::SHEET.samples {
        let mut session = session::<G>();
        session.set_position(Some(fen), &[]).unwrap();
        let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
        let resources = Resources::alone(&Arc::new(Table::new(16, 1)));
        let found = session.search(&limits.into(), resources).unwrap()(&mut |_| {});
        let Score::Centipawns(score) = G::SHEET.score_model.score(found.value().unwrap()) else {
            continue;
        };
        compared += 1;
        let mut uci = Client::playing(G::NAME);
        uci.ask(&format!("position fen {fen}"));
        uci.send(&format!("go depth {DEPTH}"));
        let lines = uci.lines_to("bestmove");
        let said = lines[lines.len() - 2].clone();
        assert!(said.contains(&format!(" score cp {score} ")), "{score}: {said}");
        let mut cecp = Client::xboard(G::NAME);
        let lines = cecp.ask_xboard(&format!("setboard {fen}\nsd {DEPTH}\npost\ngo"));
        let line = format!("{DEPTH} {score} ");
        assert!(lines.iter().any(|said| said.starts_with(&line)), "{line}: {lines:?}");
        let words = ["analyse", "--variant", G::NAME, "--depth", &DEPTH.to_string()];
        let ended = quadrille(words).run_with(format!("{fen}\n"));
        let said = ended.succeeded().stdout;
        assert!(said.contains(&format!(r#""score": {{"cp": {score}}}"#)), "{score}: {said}");
    }
    assert!(compared > 1, "{compared}");
}

test_all_games! {
    a_pawn_ahead_is_expected_to_score_75_percent
    a_position_has_the_same_score_in_all_protocols
}
