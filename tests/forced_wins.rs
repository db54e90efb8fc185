//! The search finds forced wins and losses with their exact length. The test itself proves each of
//! them by trying every move.
//!
//! `tests/data/forced_wins.txt` has wins from the ends of played games. It was written by
//! `cargo test --release --test games -- forced_wins:: --ignored --nocapture --test-threads 1`

use crate::common::positions::{MOST_PLIES, Random, lines, random_positions, test_all_games};
use crate::common::{drawn, session};
use quadrille::engine::Entry;
use quadrille::engine::Session;
use quadrille::games::{self, GameExt};
use quadrille::search::value::{is_decisive, mate_in, moves_to_mate, plies_to_end};
use quadrille::search::{Limits, Resources, SearchEvent, Table};
use std::sync::Arc;

/// Positions of every game with the plies of their shortest win.
const FORCED_WINS: &str = include_str!("data/forced_wins.txt");
/// Node limit of a proof for that list.
const LIST_BUDGET: u64 = 3_000_000;
/// Number of positions in that list with wins of 1, 3 and 5 plies.
const LISTED: [(u32, usize); 3] = [(1, 8), (3, 20), (5, 14)];

/// Number of random positions, plies of a proof, and node limit of a proof.
const POSITIONS: usize = if cfg!(debug_assertions) { 200 } else { 1000 };
const PLIES: u32 = 5;
const BUDGET: u64 = 20_000;
const DEPTH_TO_SPARE: u32 = 13;
/// Number of positions of each length that are searched.
const ASKED: usize = 10;

/// An exhaustive search.
struct Proof {
    budget: u64,
}

impl Proof {
    /// True if the side to move wins within `plies`; `None` if the budget is spent.
    fn is_won<G: Entry>(&mut self, position: &G, plies: u32) -> Option<bool> {
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play(mv);
            if self.is_lost(&next, plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// True if the side to move loses within `plies` whatever it plays.
    fn is_lost<G: Entry>(&mut self, position: &G, plies: u32) -> Option<bool> {
        self.budget = self.budget.checked_sub(1)?;
        if let Some(outcome) = position.outcome() {
            return Some(outcome.winner == Some(!position.to_move()));
        }
        if plies == 0 {
            return Some(false);
        }
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play(mv);
            if next.outcome().is_some() || !self.is_won(&next, plies - 1)? {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Number of plies in which a position is won or lost, if a proof of at most `PLIES` plies finds it
/// within `budget` nodes.
fn proven<G: Entry>(position: &G, budget: u64) -> Option<u32> {
    if position.outcome().is_some() {
        return None;
    }
    let mut proof = Proof { budget };
    for plies in 1..=PLIES {
        let decided = match plies % 2 {
            1 => proof.is_won(position, plies)?,
            _ => proof.is_lost(position, plies)?,
        };
        if decided {
            return Some(plies);
        }
    }
    None
}

/// A search for a mate in `moves` ends: with the mate, or because there is none.
fn a_mate_is_found_or_denied<G: Entry>() {
    let mut told = [0; 2];
    for position in random_positions::<G>(drawn(POSITIONS / 4).max(POSITIONS / 4)) {
        if position.outcome().is_some() {
            continue;
        }
        for moves in 1..=3 {
            let mut proof = Proof { budget: BUDGET };
            let Some(exists) = proof.is_won(&position, 2 * moves - 1) else { break };
            let mut session = session::<G>();
            session.set_position(Some(&position.fen()), &[]).unwrap();
            let limits = Limits { mate: Some(moves), ..Limits::default() };
            let resources = Resources::alone(&Arc::new(Table::new(1, 1)));
            let (mut found, mut denied) = (None, None);
            session.search(&limits.into(), resources).unwrap()(&mut |event| match event {
                SearchEvent::Line(line) => found = Some(line.value),
                SearchEvent::NoMate { moves } => denied = Some(moves),
                _ => {}
            });
            let fen = position.fen();
            assert_eq!(denied, (!exists).then_some(moves), "{found:?} in {fen}");
            if exists {
                let is_found = (found.and_then(moves_to_mate))
                    .is_some_and(|mate| mate > 0 && mate <= moves as i32);
                assert!(is_found, "{found:?}, not {moves}: {fen}");
            }
            told[usize::from(exists)] += 1;
        }
    }
    assert!(told[0] > 10 && told[1] > 0, "{told:?}");
}

/// Late moves whose searches all beat the best value were once extended ply after ply, to the
/// last ply of the search.
#[test]
fn the_search_for_a_mate_does_not_extend_without_end() {
    let mut session = session::<games::Pressman>();
    let fen = "1q2Q2Q/6Q1/8/5q2/1q2QQ2/1q6/3QQ3/2Q1Q1QQ w - - 2 46";
    session.set_position(Some(fen), &[]).unwrap();
    let limits = Limits { mate: Some(2), nodes: Some(5_000_000), ..Limits::default() };
    let resources = Resources::alone(&Arc::new(Table::new(1, 1)));
    assert!(session.search(&limits.into(), resources).unwrap()(&mut |_| {}).no_mate);
}

/// Searches a session, and returns value and best move.
fn answer(session: &dyn Session, limits: Limits) -> (Option<i32>, Option<String>) {
    let resources = Resources::alone(&Arc::new(Table::new(1, 1)));
    let found = session.search(&limits.into(), resources).unwrap()(&mut |_| {});
    (found.lines.first().map(|line| line.value), found.answer.best)
}

/// Value of a position from a search for a win or loss in `plies`. The search reduces, so it may
/// see a longer win first and the shortest only at a greater depth.
fn found<G: Entry>(position: &G, plies: u32) -> i32 {
    let mut session = session::<G>();
    session.set_position(Some(&position.fen()), &[]).unwrap();
    let limits = Limits {
        depth: Some(plies + DEPTH_TO_SPARE),
        // A loss is searched as closely, but not refuted for want of a win.
        mate: Some(if plies % 2 == 1 { plies.div_ceil(2) } else { 100 }),
        ..Limits::default()
    };
    let (value, _) = answer(session.as_ref(), limits);
    value.unwrap()
}

/// A win has its exact length. A loss is no shorter than with the best defence.
fn finds_forced_wins<G: Entry>() {
    let mut asked = [0; PLIES as usize + 1];
    for position in random_positions::<G>(drawn(POSITIONS).max(POSITIONS / 4)) {
        if asked[1..].iter().all(|&count| count == drawn(ASKED)) {
            break;
        }
        let Some(plies) = proven(&position, BUDGET) else { continue };
        let distance = plies as usize;
        if asked[distance] == drawn(ASKED) {
            continue;
        }
        asked[distance] += 1;
        let fen = position.fen();
        match (found(&position, plies), plies % 2) {
            (value, 1) => assert_eq!(value, mate_in(distance), "{fen}"),
            (value, _) => {
                assert!(is_decisive(value) && value < 0, "{value}: {fen}");
                assert!(plies_to_end(value) >= distance, "{value}: {fen}");
            }
        }
    }
    assert!(asked[1] > 0 && asked[3] > 0, "{asked:?}");
}

/// The wins of the list are proven once more, and found with their exact length.
fn finds_listed_wins<G: Entry>() {
    let mut count = 0;
    for fields in lines(FORCED_WINS, G::NAME) {
        let [plies, fen] = fields[..] else { panic!("{fields:?}") };
        let plies: u32 = plies.parse().unwrap();
        let position = G::from_fen(fen).unwrap();
        assert_eq!(proven(&position, LIST_BUDGET), Some(plies), "{fen}");
        let value = found(&position, plies);
        assert_eq!(value, mate_in(plies as usize), "{fen}");
        count += 1;
    }
    assert!(count >= 40, "{count} positions");
}

/// Positions of a game that the engine plays against itself after a few random moves.
fn quick_game<G: Entry>(seed: u64) -> Vec<G> {
    let mut random = Random(seed);
    let mut session = session::<G>();
    let mut positions = vec![G::start()];
    while session.outcome().is_none() && positions.len() < MOST_PLIES {
        let mv = if positions.len() < 12 {
            let moves = session.moves();
            moves[random.below(moves.len())].clone()
        } else {
            let limits = Limits { nodes: Some(500), ..Limits::default() };
            answer(session.as_ref(), limits).1.unwrap()
        };
        session.play(&mv).unwrap();
        positions.push(G::from_fen(&session.fen()).unwrap());
    }
    positions
}

/// Prints positions for the list, at most one of each length from a game.
fn write_list<G: Entry>() {
    let mut wanted = LISTED;
    for seed in 1.. {
        if wanted.iter().all(|&(_, wanted)| wanted == 0) {
            break;
        }
        let game = quick_game::<G>(seed);
        let mut lengths = wanted.map(|(length, wanted)| (wanted > 0).then_some(length)).to_vec();
        for position in game.iter().rev().skip(1).step_by(2).take(6) {
            let Some(plies) = proven(position, LIST_BUDGET) else { continue };
            if let Some(place) = lengths.iter().position(|&length| length == Some(plies)) {
                lengths[place] = None;
                wanted[place].1 -= 1;
                println!("{}|{plies}|{}", G::NAME, position.fen());
            }
        }
    }
}

test_all_games! {
    finds_forced_wins
    finds_listed_wins
    a_mate_is_found_or_denied
    #[ignore = "writes the list"]
    write_list
}
