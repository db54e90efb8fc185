//! The lowest levels, against somebody who has read the rules.

use quadrille::engine::{Request, Session, VARIANTS, Variant};
use quadrille::search::{Limits, Resources, STACK_BYTES, Skill, Table};
use quadrille::system::random::Random;
use std::sync::Arc;

/// Plies after which a game is drawn.
const LONGEST: usize = 300;

/// Returns the move of a player who mates in one, else captures, else moves at random.
fn mover(session: &dyn Session, random: &mut Random) -> String {
    let moves = session.moves();
    let wins = |mv: &&String| {
        let mut after = session.fork();
        after.play(mv).unwrap();
        after.outcome().is_some_and(|outcome| outcome.winner == Some(session.to_move()))
    };
    if let Some(mv) = moves.iter().find(wins) {
        return mv.clone();
    }
    let effects = session.board_view().effects();
    let captures = effects.iter().filter_map(|effect| effect.split_once(":x"));
    let captures: Vec<_> = captures.map(|(mv, _)| mv.to_string()).collect();
    let from = if captures.is_empty() { &moves } else { &captures };
    random.pick(from).unwrap().clone()
}

/// Returns the result of a level in games against the mover, from 0 to 1.
fn result_of(variant: Variant, level: f64, games: usize) -> f64 {
    let table = Arc::new(Table::new(1, 1));
    let skill = Skill::of_level(level, &variant.info.skill_elo);
    let limits = Limits { skill, ..Limits::default() };
    let mut random = Random::new(5, 0);
    let mut points = 0.0;
    for game in 0..games {
        let mut session = variant.open();
        let mut plies = 0;
        while session.outcome().is_none() && plies < LONGEST {
            let mv = if (plies + game) % 2 == 0 {
                mover(&*session, &mut random)
            } else {
                let search =
                    session.search(&Request::from(limits), Resources::alone(&table)).unwrap();
                search(&mut |_| {}).answer.best.unwrap()
            };
            session.play(&mv).unwrap();
            plies += 1;
        }
        // The first to move is the mover in even games.
        let has_mover_first = game % 2 == 0;
        points += session.outcome().and_then(|outcome| outcome.winner).map_or(0.5, |winner| {
            f64::from(u8::from((winner == variant.info.first) != has_mover_first))
        });
    }
    points / games as f64
}

#[test]
fn the_lowest_levels_are_for_who_has_read_the_rules() {
    std::thread::scope(|scope| {
        let play = |variant: Variant| {
            // The second one is what the board offers first.
            for (level, allowed) in [(0.0, 0.35..=0.65), (1.0, 0.5..=0.9)] {
                let points = result_of(variant, level, 200);
                assert!(
                    allowed.contains(&points),
                    "{}, level {level}: {points}",
                    variant.info.name
                );
            }
        };
        for &variant in VARIANTS {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, move || play(variant)).unwrap();
        }
    });
}
