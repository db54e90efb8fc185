//! Spoiled FENs and EPDs.

use super::{count_panics, panics};
use crate::common::drawn;
use crate::common::positions::{random_positions, test_all_games};
use crate::common::spoil::spoil;
use quadrille::cli::sources::Source;
use quadrille::draw::Look;
use quadrille::engine::{VARIANTS, find_variant};
use quadrille::games::*;
use quadrille::search::Control;
use quadrille::system::random::Random;
use quadrille::tools::analyse;

/// Number of FENs for each game.
const FENS: usize = 12_500;
/// Number of lines for `analyse`.
const EPDS: usize = 1_000;

/// A session writes, reads back, counts and evaluates every position that it takes.
fn fens<G: Game>() {
    count_panics();
    let mut session = find_variant(VARIANTS, G::NAME).unwrap().open();
    let good: Vec<_> = random_positions::<G>(2_000).map(|position| position.fen()).collect();
    let mut random = Random::new(11, 0);
    let (mut tried, mut taken) = (0, 0);
    while tried < drawn(FENS) {
        let mut fen = random.pick(&good).unwrap().clone().into_bytes();
        for _ in 0..random.below(4) {
            spoil(&mut random, &mut fen);
        }
        let fen = String::from_utf8_lossy(&fen).into_owned();
        let before = session.fen();
        tried += 1;
        match session.set_position(Some(&fen), &[]) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(session.fen(), before, "{fen:?} is wrong and changed something");
            }
            Ok(()) => {
                taken += 1;
                let written = session.fen();
                let nodes = session.perft(1, &Control::new(false), &mut |_, _| {});
                assert!(nodes.is_some());
                session.evaluation();
                session.diagram(Look::default());
                session.outcome();
                assert_eq!(session.set_position(Some(&written), &[]), Ok(()), "{fen:?}");
                assert_eq!(session.fen(), written, "{fen:?}");
            }
        }
    }
    println!("{}: {tried} FENs, {taken} of them taken", G::NAME);
    assert!(taken > tried / 100 && taken < tried);
    assert_eq!(panics(), 0);
}

/// Each line has one answer: an error or a search.
fn epds<G: Game>() {
    count_panics();
    let good: Vec<_> = random_positions::<G>(500)
        .map(|position| format!("{} bm a1a2; id \"one\"; c0 \"x;y\";", position.fen()))
        .collect();
    let mut random = Random::new(12, 0);
    let mut input = Vec::new();
    let count = drawn(EPDS);
    for _ in 0..count {
        let mut line = random.pick(&good).unwrap().clone().into_bytes();
        for _ in 0..1 + random.below(4) {
            spoil(&mut random, &mut line);
        }
        // An empty line is no position.
        if line.trim_ascii().is_empty() {
            line = b"?".to_vec();
        }
        input.extend(line);
        input.push(b'\n');
    }
    let options = ["--variant", G::NAME, "--nodes", "200", "--jobs", "1"];
    let options = analyse::AnalyseOptions::read(VARIANTS, &options).unwrap();
    let mut lines = 0;
    let mut say = |line: &str| {
        assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
        lines += 1;
    };
    let sources = vec![Source::new(&input[..])];
    analyse::run(&options, sources, &mut say).unwrap();
    println!("{}: {count} lines of EPD", G::NAME);
    assert!(lines <= count && lines * 10 > count * 9, "{lines} of {count}");
    assert_eq!(panics(), 0);
}

test_all_games! {
    fens
    epds
}
