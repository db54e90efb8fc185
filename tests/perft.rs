//! Perft counts of `data/perft.txt`, on which independent programs agree.

use crate::common::positions::{PERFT, lines, test_all_games};
use quadrille::games::*;

/// Largest count that a debug build checks; a release build checks all.
const LIMIT: u64 = 10_000_000;

fn counts_every_path<G: Game>() {
    let mut positions = 0;
    for line in lines(PERFT, G::NAME) {
        let position = G::from_fen(line[0]).unwrap();
        for (expected, depth) in line[1].split(' ').zip(1..) {
            let expected = expected.parse().unwrap();
            if expected <= LIMIT || !cfg!(debug_assertions) {
                let counted = perft(&position, depth);
                assert_eq!(counted, expected, "depth {depth} from {}", line[0]);
            }
        }
        positions += 1;
    }
    assert!(positions > 0, "no figures for {}", G::NAME);
}

test_all_games! {
    counts_every_path
}
