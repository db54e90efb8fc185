//! `prove`: its winners are those of a search of every line, its proofs stand a check, and its parts
//! can be merged.

use crate::common::positions::{random_games_from_seed, test_all_games};
use crate::common::program::{Ended, Program, Run, lines, quadrille, scratch};
use quadrille::cli::interrupt::Interrupt;
use quadrille::cli::{Failure, tool};
use quadrille::games::{self, Game, GameExt, Side};
use quadrille::proof::Prove;
use quadrille::text::move_text;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// A position of 12 pieces that takes tens of thousands of nodes.
pub const MIDDLE: &str = "1k3k2/5Pb1/2P3P1/1Hh2B2/2P5/3KK3 w - -";

/// One that takes nearly a million.
const LONGER: &str = "3kk3/2h5/1p4B1/3h4/2H2P2/2K1bKB1 b - -";

/// The winner by trying every line, up to a number of positions.
fn winner(
    position: &games::Congress,
    seen: &mut HashMap<u64, Side>,
    left: &mut u32,
) -> Option<Side> {
    if let Some(outcome) = position.outcome() {
        return outcome.winner;
    }
    if let Some(&known) = seen.get(&position.key()) {
        return Some(known);
    }
    *left = left.checked_sub(1)?;
    let us = position.to_move();
    let mut found = !us;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play(mv);
        if winner(&next, seen, left)? == us {
            found = us;
            break;
        }
    }
    seen.insert(position.key(), found);
    Some(found)
}

/// Positions near the end of random games.
fn late_positions() -> impl Iterator<Item = games::Congress> {
    random_games_from_seed::<games::Congress>(77).flat_map(|game| {
        let game: Vec<_> = game.collect();
        let late = game.len().saturating_sub(14);
        game.into_iter().skip(late).step_by(3)
    })
}

/// Begins a folder, and returns it with what runs `prove` there for a position with further words.
fn prover(name: &str) -> (PathBuf, impl Fn(&str, &str) -> Ended) {
    let folder = scratch(&format!("prove/{name}"));
    let place = folder.clone();
    let prove = move |fen: &str, words: &str| {
        let mut command = quadrille(["prove", "congress", fen]);
        command.args(words.split_whitespace()).current_dir(&place).run()
    };
    (folder, prove)
}

fn result_of(line: &str) -> &str {
    line.split('"').nth(1).unwrap_or_else(|| panic!("no result in {line}"))
}

#[test]
fn the_winner_is_that_of_all_lines_and_the_proof_holds() {
    let (folder, prove) = prover("all_lines");
    let mut won = [0; 2];
    for position in late_positions() {
        let Some(expected) = winner(&position, &mut HashMap::new(), &mut 200_000) else { continue };
        let fen = position.fen();
        let _ = fs::remove_file(folder.join("proof.epd"));
        let line = prove(&fen, "--hash 1 --out proof.epd").succeeded().stdout;
        let result = games::result(Some(expected));
        assert_eq!(result_of(&line), result, "{fen}");
        let said = prove(&fen, "--check proof.epd").succeeded().stdout;
        assert!(said.contains(&format!(" {result}: ")), "{said}");
        won[expected.index()] += 1;
        if won.iter().sum::<u32>() == 40 {
            break;
        }
    }
    println!("{won:?} proofs");
    assert!(won.iter().all(|&count| count >= 5), "{won:?}");
}

/// Every move of a proof is needed, and another one in its place does not do.
#[test]
fn a_spoiled_proof_is_refused() {
    let (folder, prove) = prover("spoiled");
    prove(MIDDLE, "--out proof.epd").succeeded();
    prove(MIDDLE, "--check proof.epd").succeeded();
    let proof = fs::read_to_string(folder.join("proof.epd")).unwrap();
    let lines: Vec<_> = proof.lines().collect();
    assert!(lines.len() > 100);
    let moves: Vec<_> = (0..lines.len()).filter(|&line| lines[line].contains(" bm ")).collect();
    for &left_out in moves.iter().step_by(moves.len() / 10) {
        let mut lines = lines.clone();
        lines.remove(left_out);
        fs::write(folder.join("spoiled.epd"), lines.join("\n") + "\n").unwrap();
        let reason = prove(MIDDLE, "--check spoiled.epd").refused();
        assert!(reason.contains("the proof has no move for"), "{reason}");
    }
    let mut refused = 0;
    for &changed in moves.iter().step_by(moves.len() / 100) {
        let (fen, _) = lines[changed].split_once(" bm ").unwrap();
        let position = games::Congress::from_fen(fen).unwrap();
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play(mv);
            let winner = winner(&next, &mut HashMap::new(), &mut 20_000);
            if winner != Some(!position.to_move()) {
                continue;
            }
            let line = format!("{fen} bm {};", move_text::<games::Congress>(mv));
            let mut lines = lines.clone();
            lines[changed] = &line;
            fs::write(folder.join("spoiled.epd"), lines.join("\n") + "\n").unwrap();
            prove(MIDDLE, "--check spoiled.epd").refused();
            refused += 1;
        }
    }
    println!("{refused} moves that lose");
    assert!(refused > 5);
    fs::write(folder.join("empty.epd"), "").unwrap();
    let reason = prove(MIDDLE, "--check empty.epd").refused();
    assert!(reason.contains("no win of white: the proof has no move for"), "{reason}");
}

/// A search with too few nodes decides nothing. Split into parts with as few nodes each, it is
/// decided by the parts together, and the merged files are a proof.
#[test]
fn parts_are_merged_into_a_proof() {
    let (folder, prove) = prover("parts");
    let mut all = String::new();
    let write_all = |all: &str| fs::write(folder.join("all.epd"), all).unwrap();
    write_all(&all);
    let few = "--hash 1 --nodes 5000";
    assert_eq!(prove(MIDDLE, few).code(), Some(1));
    let mut rounds = 0;
    loop {
        let jobs = prove(MIDDLE, "--split 4 --with all.epd").stdout;
        if jobs.is_empty() {
            break;
        }
        rounds += 1;
        assert!(rounds < 200, "no end");
        for job in jobs.lines() {
            let _ = fs::remove_file(folder.join("part.epd"));
            prove(job, &format!("{few} --out part.epd"));
            all += &fs::read_to_string(folder.join("part.epd")).unwrap();
            write_all(&all);
        }
    }
    println!("{rounds} rounds");
    assert!(rounds > 2);
    let last = prove(MIDDLE, "--with all.epd --out top.epd").succeeded().stdout;
    assert_eq!(result_of(&last), "1-0");
    prove(MIDDLE, "--check all.epd top.epd").succeeded();
}

/// A table far too small for the search still gives a whole proof, and findings may come in any
/// order.
#[test]
fn a_small_table_and_any_order_will_do() {
    let (folder, prove) = prover("small");
    prove(LONGER, "--hash 1 --out proof.epd").succeeded();
    prove(LONGER, "--check proof.epd").succeeded();
    let proof = fs::read_to_string(folder.join("proof.epd")).unwrap();
    let reversed: Vec<_> = proof.lines().rev().collect();
    let open = format!("{LONGER} proof 5; disproof 7; acn 9;\n");
    let text = format!("# reversed\n{}\n{open}", reversed.join("\n"));
    fs::write(folder.join("reversed.epd"), text).unwrap();
    prove(LONGER, "--check reversed.epd").succeeded();
    let line = prove(LONGER, "--with reversed.epd").succeeded().stdout;
    assert!(line.ends_with("acn 0;\n"), "{line}");
    assert_eq!(prove(LONGER, "--with reversed.epd --split 2").stdout, "");
}

/// The positions of data/proofs.epd, random ones of games, have the winners that it names.
#[test]
fn the_winners_of_positions_are_proven() {
    let (_, prove) = prover("winners");
    let mut proven = 0;
    for line in include_str!("data/proofs.epd").lines() {
        let (fen, winner) = line.split_once(" - - result ").unwrap();
        let told = prove(fen, "--hash 16").succeeded().stdout;
        assert_eq!(result_of(&told), winner.trim_matches(['"', ';']), "{fen}");
        proven += 1;
    }
    assert!(proven > 40, "{proven} positions");
}

/// A game that is over has a proof without moves.
#[test]
fn a_position_that_is_over_is_proven() {
    let (folder, prove) = prover("over");
    let over = "8/8/8/8/8/3KK3 w - -";
    let line = prove(over, "--out proof.epd").succeeded().stdout;
    assert_eq!(fs::read_to_string(folder.join("proof.epd")).unwrap(), line);
    let said = prove(over, "--check proof.epd").succeeded().stdout;
    assert!(said.contains(" 1-0: 1 "), "{said}");
}

/// A search resumes after the end of its nodes, and its proof is whole.
#[test]
fn a_search_resumes() {
    let (folder, prove) = prover("resumes");
    let nodes = |line: &str| {
        let (_, nodes) = line.split_once("acn ").unwrap();
        nodes.trim_end_matches(";\n").parse::<u64>().unwrap()
    };
    let whole = nodes(&prove(LONGER, "").succeeded().stdout);
    let table = "--table numbers --out proof.epd";
    let first = prove(LONGER, &format!("{table} --nodes {}", whole / 2));
    assert_eq!(first.code(), Some(1));
    let second = nodes(&prove(LONGER, table).succeeded().stdout);
    println!("{whole} nodes, {} in two parts", nodes(&first.stdout) + second);
    assert!(second < whole * 3 / 4, "{second} nodes");
    prove(LONGER, "--check proof.epd").succeeded();
    // What is known is neither searched nor written again, and the table keeps its size.
    let table = &format!("{table} --hash 2");
    let length = fs::metadata(folder.join("proof.epd")).unwrap().len();
    assert_eq!(nodes(&prove(LONGER, table).succeeded().stdout), 0);
    assert_eq!(fs::metadata(folder.join("proof.epd")).unwrap().len(), length);
}

test_all_games! {
    only_games_without_draws_and_cycles_are_proven
}

fn only_games_without_draws_and_cycles_are_proven<G: Game>() {
    let ended = quadrille(["prove", G::NAME, "--nodes", "10"]).run();
    let expected = if G::IS_ACYCLIC { 1 } else { 2 };
    assert_eq!(ended.code(), Some(expected), "{}", ended.said());
}

#[test]
fn a_long_search_reports_its_progress() {
    let mut command = quadrille(["prove", "congress", "--hash", "16"]);
    let mut program = Program::piped(&mut command, Duration::from_secs(120));
    let lines = lines(program.stderr.take().unwrap());
    // The interval passes without work.
    #[cfg(unix)]
    {
        std::thread::sleep(Duration::from_millis(500));
        program.signal("STOP");
        std::thread::sleep(Duration::from_secs(10));
        program.signal("CONT");
    }
    let line = lines.recv().expect("a report");
    assert!(line.starts_with("quadrille: prove: ") && line.ends_with(" million nodes"), "{line}");
}

/// What an interrupt left unchecked is no gap in a proof.
#[test]
fn an_interrupted_check_denies_nothing() {
    let folder = scratch("prove/interrupted");
    let position = "3k2k1/8/8/1p6/1P6/3K2K1 w - -";
    let file = folder.join("proof.epd");
    let file = file.to_str().unwrap();
    let prove = |words: &[&str], interrupt: &Interrupt| {
        let words = [&["congress", position], words].concat();
        tool::run::<Prove>(&words, interrupt, &mut |_: &str| {})
    };
    prove(&["--out", file], &Interrupt::default()).unwrap();
    prove(&["--check", file], &Interrupt::default()).unwrap();
    let interrupt = Interrupt::default();
    interrupt.set();
    let failure = prove(&["--check", file], &interrupt).unwrap_err();
    assert!(matches!(failure, Failure::Interrupted(_)), "{failure}");
    let said = failure.to_string();
    assert_eq!(said, "interrupted; the proof was not checked to its end");
}
