//! The search finds forced wins and losses, and their exact length. Which positions have
//! one is not claimed but proven here, by looking at every move.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::positions::random_positions;
use quadrille::engine::{Request, SearchEvent, Variant};
use quadrille::for_all_games;
use quadrille::games::*;
use quadrille::search::value::won_in;
use quadrille::search::{Control, Limits, Resources, Score, Table};
use std::sync::Arc;

/// How many positions are looked at, how many plies deep, and how many positions each of
/// these searches may visit before it is given up.
const POSITIONS: usize = if cfg!(debug_assertions) { 200 } else { 2000 };
const PLIES: u32 = 5;
const BUDGET: u64 = 50_000;
const DEPTH_TO_SPARE: u32 = 12;
/// For how many positions of each length the search is asked.
const ASKED: usize = 10;

/// An exhaustive search.
struct Proof {
    budget: u64,
}

impl Proof {
    /// Whether the side to move wins within `plies` at most. `None` if the budget is spent.
    fn is_won<G: Game>(&mut self, position: &G, plies: u32) -> Option<bool> {
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play(mv);
            if self.is_lost(&next, plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the side to move loses within `plies` whatever it does.
    fn is_lost<G: Game>(&mut self, position: &G, plies: u32) -> Option<bool> {
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

/// In how many plies a position is won or lost, if that is a few.
fn proven<G: Game>(position: &G) -> Option<u32> {
    if position.outcome().is_some() {
        return None;
    }
    let mut proof = Proof { budget: BUDGET };
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

/// What the search says of a position. It prunes, so it may see a longer win first and the
/// shortest only when it looks deeper.
fn found<G: Game>(position: &G, plies: u32) -> Score {
    let mut session = (Variant::of::<G>().open)();
    session.set_position(Some(&position.fen()), &[]).unwrap();
    let request = Request {
        limits: Limits {
            depth: Some(plies + DEPTH_TO_SPARE),
            mate: Some(plies.div_ceil(2)),
            ..Limits::default()
        },
        search_moves: Vec::new(),
    };
    let resources = Resources {
        table: Arc::new(Table::new(1)),
        control: Arc::new(Control::new(false)),
        threads: 1,
    };
    let mut last = None;
    session.search(&request, resources).unwrap()(&mut |event| {
        if let SearchEvent::Line { score, .. } = event {
            last = Some(score);
        }
    });
    last.unwrap()
}

/// A win in its exact length; a loss, and no sooner than with the best defence.
fn finds_forced_wins<G: Game>() {
    let mut asked = [0; PLIES as usize + 1];
    for position in random_positions::<G>(POSITIONS) {
        let Some(plies) = proven(&position) else {
            continue;
        };
        let distance = plies as usize;
        if asked[distance] == ASKED {
            continue;
        }
        asked[distance] += 1;
        let fen = position.fen();
        match (found(&position, plies), plies % 2) {
            (score, 1) => assert_eq!(score, Score::new(won_in(distance)), "{fen}"),
            (Score::Mate(moves), _) if moves < 0 => {
                assert!(-moves >= plies as i32 / 2, "mate {moves}: {fen}");
            }
            (score, _) => panic!("{score} for a loss in {plies} plies: {fen}"),
        }
    }
    assert!(asked[1] > 0 && asked[3] > 0, "{asked:?}");
}

macro_rules! tests {
    ($($game:ident),*) => { $(
        #[test]
        #[allow(non_snake_case)]
        fn $game() {
            finds_forced_wins::<$game>();
        }
    )* };
}
for_all_games!(tests);
