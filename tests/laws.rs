//! Laws of every game of the registry, tried on random games. A further game is tested by them
//! without a line here.

use crate::common::checks::{Seen, enemies_at, royals};
use crate::common::positions::{
    MOST_PLIES, Random, lines, random_games, random_positions, test_all_games,
};
use crate::common::{session, with_field};
use quadrille::board::{Bitboard, Square};
use quadrille::engine::Entry;
use quadrille::games::*;
use quadrille::text::{move_text, read_move};
use std::collections::{HashMap, HashSet};

/// Number of positions for most laws, and for those that take long.
const MANY: usize = if cfg!(debug_assertions) { 500 } else { 5000 };
const FEW: usize = if cfg!(debug_assertions) { 10 } else { 100 };

/// Rounds of random games for the law of checks.
const ROUNDS: u64 = if cfg!(debug_assertions) { 1 } else { 20 };
const CHECKS: &str = include_str!("data/checks.txt");

test_all_games! {
    a_fen_tells_all
    a_key_tells_positions_apart
    a_move_is_legal_if_it_is_generated
    moves_are_tactical_or_quiet
    moves_are_generated_from_the_squares_asked_for
    moves_change_what_they_say
    moves_are_counted
    moves_are_spelled_and_read
    attackers_are_those_that_can_capture
    attackers_see_through_what_is_not_occupied
    a_check_is_a_threat_to_win
    what_must_not_be_lost_is_attacked
    checks_are_known_before_they_are_given
    checks_are_those_of_the_list
    passing_changes_the_turn_alone
    en_passant_is_written_when_it_is_legal
    games_end
    acyclic_games_neither_repeat_nor_draw
    third_occurrences_are_draws
}

/// A game that says so is never drawn, and no position in it comes again.
fn acyclic_games_neither_repeat_nor_draw<G: Game>() {
    for game in random_games::<G>().filter(|_| G::IS_ACYCLIC) {
        let mut seen = HashSet::new();
        for position in game {
            assert!(seen.insert(position.key()), "{}", position.fen());
            assert!(position.draw_reason().is_none(), "{}", position.fen());
            let outcome = position.outcome();
            assert!(outcome.is_none_or(|end| end.winner.is_some()), "{outcome:?}");
        }
    }
}

fn generated<G: Game>(position: &G, class: MoveClass, from: Bitboard) -> Vec<Move> {
    let mut moves = Vec::new();
    position.generate(class, from, &mut moves);
    moves
}

fn after<G: Game>(position: &G, mv: Move) -> G {
    let mut next = position.clone();
    next.play(mv);
    next
}

/// Value of a side's pieces.
fn material<G: Game>(position: &G, side: Side) -> i32 {
    let pieces = position.placement().side(side).into_iter();
    pieces
        .filter_map(|square| position.placement().at(square))
        .map(|piece| G::KINDS[piece.kind().index()].value)
        .sum()
}

/// A position read from its FEN is the same: its pieces, the key that was updated move by move, its
/// moves and its outcome.
fn a_fen_tells_all<G: Game>() {
    for position in random_positions::<G>(MANY) {
        let fen = position.fen();
        let read = G::from_fen(&fen).unwrap();
        assert_eq!(read.fen(), fen);
        assert!(read.placement() == position.placement(), "{fen}");
        assert_eq!(read.key(), position.key(), "{fen}");
        assert_eq!(read.legal_moves(), position.legal_moves(), "{fen}");
        assert_eq!(read.outcome(), position.outcome(), "{fen}");
    }
}

/// Keys are equal if placement, side to move, castling rights and the possibility of en passant are
/// equal, and differ otherwise.
fn a_key_tells_positions_apart<G: Game>() {
    let mut keys = HashMap::new();
    for position in random_games::<G>().flatten() {
        let fen = position.fen();
        let mut same = vec![fen.clone()];
        same.extend((2..4).map(|index| with_field(&fen, index, "-")));
        for fen in same {
            let Ok(position) = G::from_fen(&fen) else { continue };
            let fields: Vec<_> = fen.split(' ').take(4).map(str::to_string).collect();
            let known = *keys.entry(fields).or_insert(position.key());
            assert_eq!(known, position.key(), "{fen}");
        }
    }
    let different: HashSet<_> = keys.values().collect();
    assert_eq!(different.len(), keys.len());
}

/// Every encoding is tried, even one that is no move on any board: the search tests moves from a
/// table that other threads write to.
fn a_move_is_legal_if_it_is_generated<G: Game>() {
    for position in random_positions::<G>(FEW) {
        let legal: HashSet<_> = position.legal_moves().into_iter().collect();
        for mv in (0..1 << Move::BITS).filter_map(Move::from_bits) {
            assert_eq!(position.is_legal(mv), legal.contains(&mv), "{mv:?} in {}", position.fen());
        }
    }
}

/// Tactical and quiet moves together are all moves, each once.
fn moves_are_tactical_or_quiet<G: Game>() {
    for position in random_positions::<G>(MANY) {
        if position.board_outcome().is_some() {
            assert!(position.legal_moves().is_empty());
            assert_eq!(position.count_moves(), 0);
            continue;
        }
        let fen = position.fen();
        let all = position.legal_moves();
        let [tactical, quiet] = [MoveClass::Tactical, MoveClass::Quiet]
            .map(|class| generated(&position, class, Bitboard::ALL));
        let each: HashSet<_> = tactical.iter().chain(&quiet).copied().collect();
        assert_eq!(each, all.iter().copied().collect(), "{fen}");
        assert_eq!(each.len(), all.len(), "a move twice: {fen}");
        assert_eq!(tactical.len() + quiet.len(), all.len(), "{fen}");
        assert_eq!(position.count_moves(), all.len() as u64, "{fen}");
        assert!(tactical.iter().all(|&mv| position.is_tactical(mv)), "{fen}");
        assert!(!quiet.iter().any(|&mv| position.is_tactical(mv)), "{fen}");
    }
}

fn moves_are_generated_from_the_squares_asked_for<G: Game>() {
    let mut random = Random(1);
    for position in random_positions::<G>(MANY) {
        let from = Bitboard::from_bits(u128::from(random.next()) << 64 | u128::from(random.next()));
        for class in [MoveClass::All, MoveClass::Tactical, MoveClass::Quiet] {
            let (asked, all): (HashSet<_>, HashSet<_>) = (
                generated(&position, class, from).into_iter().collect(),
                generated(&position, class, Bitboard::ALL).into_iter().collect(),
            );
            let expected = all.into_iter().filter(|mv| from.has(mv.from())).collect();
            assert_eq!(asked, expected, "{class:?} from {from:?} in {}", position.fen());
        }
    }
}

/// The victim alone leaves the enemy's pieces. The own material grows by the gain.
fn moves_change_what_they_say<G: Game>() {
    for position in random_positions::<G>(MANY) {
        let us = position.to_move();
        for mv in position.legal_moves() {
            let what = || format!("{} in {}", move_text::<G>(mv), position.fen());
            let next = after(&position, mv);
            let victim = position.victim(mv);
            let lost = victim.map_or(Bitboard::EMPTY, |(square, _)| Bitboard::of(square));
            assert_eq!(
                next.placement().side(!us),
                position.placement().side(!us).without(lost),
                "{}",
                what()
            );
            if let Some((square, kind)) = victim {
                let piece = position.placement().at(square);
                assert_eq!(piece, Some(Piece::new(!us, kind)), "{}", what());
            }
            assert_eq!(
                material(&next, us) - material(&position, us),
                position.material_gain(mv),
                "{}",
                what()
            );
            assert_eq!(next.to_move(), !us);
        }
    }
}

/// The move number grows after Black's move. The clock grows or returns to 0; it stays 0 in a game
/// without moves that can be taken back.
fn moves_are_counted<G: Game>() {
    let field = |position: &G, index| -> u32 {
        let fen = position.fen();
        fen.split(' ').nth(index).unwrap().parse().unwrap()
    };
    for position in random_positions::<G>(MANY) {
        let (clock, number) = (field(&position, 4), field(&position, 5));
        for mv in position.legal_moves() {
            let next = after(&position, mv);
            let black = u32::from(position.to_move() == Side::Black);
            assert_eq!(field(&next, 5), number + black, "{}", position.fen());
            assert!([0, clock + 1].contains(&field(&next, 4)), "{}", position.fen());
        }
    }
}

fn moves_are_spelled_and_read<G: Game>() {
    for position in random_positions::<G>(MANY) {
        for mv in position.legal_moves() {
            let text = move_text::<G>(mv);
            assert_eq!(read_move(&position, &text), Some(mv), "{text} in {}", position.fen());
            // Moves are written in lower case; the letter of a promotion is read in either.
            assert_eq!(text, text.to_lowercase());
            assert_eq!(read_move(&position, &text.to_uppercase()), None);
            let squares = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let letter = text[squares.len()..].to_uppercase();
            let upper = read_move(&position, &format!("{squares}{letter}"));
            assert_eq!(upper, Some(mv), "{text}");
        }
    }
}

/// A piece that captures on a square attacks it. An attacker of an enemy can capture it, unless
/// that exposes a king that is never captured.
fn attackers_are_those_that_can_capture<G: Game>() {
    for position in random_positions::<G>(MANY) {
        let (us, placement) = (position.to_move(), position.placement());
        let attackers = |square| position.attackers(square, placement.occupied());
        let captures: HashSet<_> = position
            .legal_moves()
            .into_iter()
            .filter(|&mv| position.victim(mv).is_some_and(|(square, _)| square == mv.to()))
            .map(|mv| (mv.from(), mv.to()))
            .collect();
        for &(from, to) in &captures {
            assert!(attackers(to).has(from), "{from:?} {to:?} {}", position.fen());
        }
        if position.board_outcome().is_some() {
            continue;
        }
        for to in placement.side(!us) {
            for from in attackers(to) & placement.side(us) {
                assert!(
                    captures.contains(&(from, to)) || leaves_king_open(&position, from, to),
                    "{from:?} {to:?} {}",
                    position.fen()
                );
            }
        }
    }
}

/// True if a capture exposes a king of the capturing side in a game where kings have no value
/// because they are never captured.
fn leaves_king_open<G: Game>(position: &G, from: Square, to: Square) -> bool {
    let us = position.to_move();
    let next = after(position, Move::new(from, to));
    next.placement().side(us).into_iter().any(|square| {
        let kind = next.placement().at(square).map(Piece::kind);
        kind.is_some_and(|kind| G::KINDS[kind.index()].value == 0)
            && (next.attackers(square, next.placement().occupied()) & next.placement().side(!us))
                .any()
    })
}

/// Attackers with a square left out of the occupied ones are those without its piece.
fn attackers_see_through_what_is_not_occupied<G: Game>() {
    let mut random = Random(2);
    for position in random_positions::<G>(MANY) {
        let occupied: Vec<_> = position.placement().occupied().into_iter().collect();
        let Some(gone) = random.pick(&occupied) else { continue };
        let mut rest = position.placement().clone();
        rest.take(gone);
        // Some pieces cannot be missing.
        let Ok(other) = G::from_placement(rest.clone()) else { continue };
        for square in G::GEOMETRY.squares() {
            assert_eq!(
                position.attackers(square, rest.occupied()),
                other.attackers(square, rest.occupied()),
                "{square:?} without {gone:?} in {}",
                position.fen()
            );
        }
    }
}

/// If the other side moved instead, it could win at once; or the position is impossible, in a game
/// where kings are never captured.
fn a_check_is_a_threat_to_win<G: Game>() {
    for position in random_positions::<G>(MANY) {
        if !position.in_check() || position.board_outcome().is_some() {
            continue;
        }
        let them = !position.to_move();
        let turned = with_field(&position.fen(), 1, &them.letter().to_string());
        if let Ok(turned) = G::from_fen(&turned) {
            let wins = |mv| {
                let end = after(&turned, mv).board_outcome();
                end.is_some_and(|outcome| outcome.winner == Some(them))
            };
            assert!(turned.legal_moves().into_iter().any(wins), "{}", position.fen());
        }
    }
}

/// All kings that are left must be attacked, or the last piece. An attack on a single one is a
/// check.
fn what_must_not_be_lost_is_attacked<G: Game>() {
    for position in random_positions::<G>(MANY) {
        let royals = royals(&position, position.to_move());
        let mut attackers = royals.into_iter().map(|royal| enemies_at(&position, royal));
        let expected = royals.any() && attackers.all(Bitboard::any);
        assert_eq!(position.royals_attacked(), expected, "{}", position.fen());
        if position.board_outcome().is_none() {
            let expected = expected && !royals.many();
            assert_eq!(position.in_check(), expected, "{}", position.fen());
        }
    }
}

fn checks_are_known_before_they_are_given<G: Game>() {
    let seen = Seen::in_random_games::<G>(ROUNDS);
    assert!(seen.checks > 100 && seen.discovered > 10, "{seen:?}");
    assert!(seen.tried < seen.moves / 5, "{seen:?}");
    let start = G::start();
    let royals = royals(&start, start.to_move());
    if royals.many() {
        assert!(seen.double > 10, "{seen:?}");
    }
    if royals.many() || royals.is_empty() {
        assert!(seen.at_last > 10, "{seen:?}");
    }
}

fn checks_are_those_of_the_list<G: Game>() {
    let mut positions = 0;
    for line in lines(CHECKS, G::NAME) {
        let position = G::from_fen(line[0]).unwrap();
        let squares = position.check_squares();
        let mut found: Vec<_> = (position.legal_moves().into_iter())
            .filter(|&mv| position.gives_check(mv, &squares))
            .map(move_text::<G>)
            .collect();
        found.sort();
        assert_eq!(found.join(" "), line[1], "{}", line[0]);
        Seen::default().look_at(&position);
        positions += 1;
    }
    assert!(positions > 0, "no checks of {}", G::NAME);
}

fn passing_changes_the_turn_alone<G: Game>() {
    for position in random_games::<G>().flatten() {
        if position.in_check() {
            continue;
        }
        let mut passed = position.clone();
        passed.pass();
        assert_eq!(passed.to_move(), !position.to_move());
        let fen = passed.fen();
        let placement = |fen: &str| fen.split(' ').next().map(str::to_string);
        assert_eq!(placement(&fen), placement(&position.fen()));
        assert_eq!(G::from_fen(&fen).unwrap().key(), passed.key(), "{fen}");
    }
}

/// An en passant capture ends beside its victim.
fn en_passant_is_written_when_it_is_legal<G: Game>() {
    for position in random_games::<G>().flatten() {
        let fen = position.fen();
        let is_written = fen.split(' ').nth(3) != Some("-");
        let is_legal = position
            .legal_moves()
            .into_iter()
            .any(|mv| position.victim(mv).is_some_and(|(square, _)| square != mv.to()));
        assert_eq!(is_written, is_legal, "{fen}");
    }
}

/// Random games end. They have moves until then, and none after a win or loss on the board.
fn games_end<G: Game>() {
    for game in random_games::<G>() {
        let positions: Vec<_> = game.collect();
        assert!(positions.len() < MOST_PLIES);
        for position in positions {
            let is_over = position.outcome().is_some_and(|outcome| !outcome.reason.is_claimed());
            assert_eq!(is_over, position.count_moves() == 0, "{}", position.fen());
        }
    }
}

/// Both sides move back and forth twice.
fn third_occurrences_are_draws<G: Entry>() {
    for position in random_positions::<G>(FEW) {
        let Some(cycle) = find_cycle(&position) else { continue };
        let fen = with_field(&position.fen(), 4, "0");
        let texts = cycle.map(move_text::<G>);
        let moves: Vec<_> = texts.iter().cycle().take(8).map(String::as_str).collect();
        let mut session = session::<G>();
        for (plies, reason) in [(4, None), (7, None), (8, Some(Reason::Repetition))] {
            session.set_position(Some(&fen), &moves[..plies]).unwrap();
            let found = session.outcome().map(|outcome| outcome.reason);
            assert_eq!(found, reason, "after {:?} from {fen}", &moves[..plies]);
        }
    }
}

/// Four moves that lead back to the position, without an outcome in between.
fn find_cycle<G: Game>(position: &G) -> Option<[Move; 4]> {
    let back = |mv: Move| Move::new(mv.to(), mv.from());
    for own in position.legal_moves() {
        for other in after(position, own).legal_moves() {
            let cycle = [own, other, back(own), back(other)];
            let end = cycle.iter().try_fold(position.clone(), |here, &mv| {
                let goes_on = here.outcome().is_none() && here.is_legal(mv);
                goes_on.then(|| after(&here, mv))
            });
            if end.is_some_and(|end| end.key() == position.key()) {
                return Some(cycle);
            }
        }
    }
    None
}
