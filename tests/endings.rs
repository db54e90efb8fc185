//! Solved endings: the laws of `common/endings.rs` in every game that has them; files and faults of
//! `solve`.

use crate::common::drawn;
use crate::common::endings::*;
use crate::common::positions::test_all_games;
use crate::common::spoil::damaged;
use quadrille::endings::{EndingTable, Endings, Material, Value};
use quadrille::games::{self, Game, GameExt};
use quadrille::system::random::Random;
use std::sync::Arc;

/// Depth to which all moves are tried.
const PLIES: u16 = if cfg!(debug_assertions) { 2 } else { 3 };

test_all_games! {
    all_endings_of_three_pieces_hold
    a_table_survives_its_file
    broken_files_are_refused
    won_endings_are_won_in_time
    searches_without_tables_prove_the_same
}

fn all_endings_of_three_pieces_hold<G: Game>() {
    let (endings, sets) = three_pieces::<G>();
    let expected = match G::NAME {
        "gothic" | "crosseyed" => 7,
        "congress" => 3,
        _ => 0,
    };
    assert_eq!(sets.len(), expected);
    let some = if cfg!(debug_assertions) { 1 } else { sets.len() };
    let mut decided = 0;
    for material in &sets[..some.min(sets.len())] {
        let count = values_are_consistent::<G>(&endings, material);
        assert!(count > 500, "{}: {count} positions", material.name::<G>());
        decided += values_are_those_of_a_search::<G>(&endings, material, PLIES);
    }
    println!("{}: {} sets, {decided} positions decided by search", G::NAME, sets.len());
    assert!(decided > 0 || sets.is_empty());
}

fn searches_without_tables_prove_the_same<G: Game>() {
    let (endings, sets) = three_pieces::<G>();
    let proven = sets.iter().map(|material| a_search_proves_the_same::<G>(&endings, material));
    let proven: usize = proven.sum();
    println!("{}: {proven} positions proven", G::NAME);
    assert!(proven > 10 || sets.is_empty());
}

fn won_endings_are_won_in_time<G: Game>() {
    let sets: &[&str] = match G::NAME {
        "gothic" => &["KAk", "KCk", "KQk", "KRk", "KPk"],
        "congress" => &["KKk", "KHk", "KPk"],
        "crosseyed" => &["KRk", "KMk", "KKk"],
        _ => &[],
    };
    let (endings, _) = three_pieces::<G>();
    for text in sets {
        let (material, _) = Material::read::<G>(text).unwrap();
        let count = won_positions_are_won_in_time::<G>(&endings, &material);
        println!("{} {text}: {count} won positions", G::NAME);
        assert!(count >= if cfg!(debug_assertions) { 3 } else { drawn(50).min(100) });
    }
}

/// A small set of each game, `None` where endings cannot be solved.
fn some_table<G: Game>() -> Option<(Arc<Endings>, Material)> {
    let (endings, mut sets) = three_pieces::<G>();
    let material = sets.pop();
    assert_eq!(material.is_none(), G::NAME == "pressman");
    Some((endings, material?))
}

fn a_table_survives_its_file<G: Game>() {
    let Some((endings, material)) = some_table::<G>() else { return };
    let (table, _) = endings.table(&material).unwrap();
    let read = EndingTable::from_bytes::<G>(&table.to_bytes::<G>()).unwrap();
    assert_eq!(read.material(), table.material());
    let pairs = read.positions::<G>().zip(table.positions::<G>());
    for ((position, value), (same, expected)) in pairs.step_by(97) {
        assert_eq!((position.key(), value), (same.key(), expected));
    }
    // The twin has the same values with the sides exchanged.
    for (position, value) in table.positions::<G>().step_by(997) {
        let twin = flipped(&position);
        assert_eq!(endings.value(&position), Some(value), "{}", position.fen());
        assert_eq!(endings.value(&twin), Some(value), "{}", twin.fen());
    }
}

fn broken_files_are_refused<G: Game>() {
    let Some((endings, material)) = some_table::<G>() else { return };
    let bytes = endings.table(&material).unwrap().0.to_bytes::<G>();
    for bytes in damaged(&mut Random::new(6, 0), &bytes, 20) {
        assert!(EndingTable::from_bytes::<G>(&bytes).is_err(), "{} bytes", bytes.len());
    }
}

/// Values of K+R v K in Gothic Chess, as chess players know them.
#[test]
fn known_values_are_found() {
    let (endings, _) = three_pieces::<games::Gothic>();
    let value = |fen: &str| endings.value(&games::Gothic::from_fen(fen).unwrap());
    // Mate, the move before it, the one before that, the rook is lost.
    assert_eq!(value("k1R7/10/K9/10/10/10/10/10 b - - 0 1"), Some(Value::Lost(0)));
    assert_eq!(value("k9/10/1K8/10/10/10/10/7R2 b - - 0 1"), Some(Value::Lost(2)));
    assert_eq!(value("k9/10/1K8/10/10/10/10/7R2 w - - 0 1"), Some(Value::Won(1)));
    assert_eq!(value("k9/1R8/10/10/10/10/10/K9 b - - 0 1"), Some(Value::Drawn));
    // The same with the sides exchanged.
    assert_eq!(value("7r2/10/10/10/10/1k8/10/K9 b - - 0 1"), Some(Value::Won(1)));
    // A right to castle is in no table.
    assert_eq!(value("1k8/10/10/10/10/10/10/R4K4 w Q - 0 1"), None);
    // A bishop alone is a draw by the rules.
    assert_eq!(value("k9/10/10/10/10/10/10/B4K4 w - - 0 1"), Some(Value::Drawn));
}

/// The rows of src/endings/README.md about three pieces are true.
#[test]
fn the_table_of_endings_is_true() {
    assert_eq!(true_rows(3), 14);
}

/// The rows about four pieces are true.
#[test]
#[ignore = "for a night's run"]
fn the_table_of_endings_of_four_pieces() {
    assert_eq!(true_rows(4), 53);
}

/// Checks the rows of src/endings/README.md about `count` pieces, and returns their number.
fn true_rows(count: usize) -> usize {
    let readme = include_str!("../src/endings/README.md");
    let (mut is_true, mut rows): (fn(&str, usize) -> bool, _) = (|_, _| false, 0);
    for line in readme.lines() {
        match line {
            "| **Gothic** | | | |" => is_true = row_is_true::<games::Gothic>,
            "| **Cross-Eyed** | | | |" => is_true = row_is_true::<games::CrossEyed>,
            _ if line.starts_with("| `") => rows += usize::from(is_true(line, count)),
            _ => {}
        }
    }
    rows
}

/// Checks a row about `count` pieces. Returns false for another row.
fn row_is_true<G: Game>(row: &str, count: usize) -> bool {
    let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
    let [name, white, black, longest] = cells[..] else { panic!("{row}") };
    let name = name.trim_matches('`');
    if name.len() != count {
        return false;
    }
    let (material, kinds) = Material::read::<G>(name).unwrap();
    let endings = match count {
        3 => three_pieces::<G>().0,
        _ => Arc::new(Endings::default()),
    };
    solve::<G>(&endings, &material).unwrap();
    let (table, flipped) = endings.table(&material).unwrap();
    let summary = table.summary::<G>(flipped, &kinds);
    for (cell, shares) in [white, black].into_iter().zip(summary.shares) {
        let told = cell.split(", ").map(|share| share.parse::<f64>().unwrap());
        for (told, count) in told.zip([shares.won, shares.drawn, shares.lost]) {
            let share = 100.0 * count as f64 / shares.total() as f64;
            assert!((told - share).abs() <= 0.01, "{row}: {share}");
        }
    }
    match summary.longest {
        None => assert_eq!(longest, "–", "{row}"),
        Some((plies, fen)) => {
            assert_eq!(longest.parse(), Ok(plies), "{row}");
            let position = G::from_fen(&fen).unwrap();
            let value = endings.value(&position).unwrap();
            assert_eq!(value.plies(), Some(plies), "{row}");
        }
    }
    true
}

/// A set of four pieces takes a minute or two.
#[test]
#[ignore = "for a night's run"]
fn endings_of_four_pieces_hold() {
    fn hold<G: Game>(names: &[&str]) {
        for name in names {
            let endings = Endings::default();
            let (material, _) = Material::read::<G>(name).unwrap();
            solve::<G>(&endings, &material).unwrap();
            let count = values_are_consistent::<G>(&endings, &material);
            println!("{} {name}: {count} positions", G::NAME);
        }
    }
    hold::<games::Congress>(&["KKkk", "KHkp"]);
    hold::<games::CrossEyed>(&["KRkn", "KCNk"]);
    hold::<games::Gothic>(&["KBNk", "KRkb", "KAkb"]);
}
