//! Finishing won games: the laws of `common/finishing.rs` in every game of the registry, and drawn
//! games of Pressman.
//!
//! A release build plays many more games than a debug build, and prints figures with
//! `cargo test --release --test games finishing:: -- --nocapture --test-threads 1`.

use crate::common::client::{Client, score};
use crate::common::finishing::{self, Extent};
use crate::common::positions::test_all_games;
use crate::common::{drawn, session};
use quadrille::engine::Entry;

/// Games of Pressman that the program played against itself at 500 to 20,000 nodes a move: the
/// moves from the start to the third occurrence of a position.
const REPETITIONS: &str = include_str!("data/repetitions.txt");

/// Number of positions from which repetitions are sought, and least number of them.
const POSITIONS: usize = if cfg!(debug_assertions) { 60 } else { 500 };
const LEAST: usize = 20;

test_all_games! {
    third_occurrences_are_worth_a_draw
    announced_mates_are_carried_out
    announced_mates_are_carried_out_in_a_hurry
}

fn third_occurrences_are_worth_a_draw<G: Entry>() {
    let [count, across] =
        finishing::third_occurrences_are_worth_a_draw::<G>(session::<G>(), POSITIONS);
    match G::NAME {
        // No move can be taken back there.
        "congress" => assert_eq!(count, 0),
        // A gain makes up for a capture there, so a position can come back after them.
        "pressman" => assert!(across >= LEAST && count > across, "{count}, {across}"),
        _ => assert!(count >= LEAST, "{count}"),
    }
}

/// The same node limit for every move.
fn announced_mates_are_carried_out<G: Entry>() {
    finishing::announced_mates_are_carried_out(session::<G>(), extent(125, &[2_000]));
}

/// A low and a high node limit by turns of chance.
fn announced_mates_are_carried_out_in_a_hurry<G: Entry>() {
    finishing::announced_mates_are_carried_out(session::<G>(), extent(60, &[300, 3_000]));
}

/// Many positions in a release build, few in a debug build.
fn extent(positions: usize, nodes: &'static [u64]) -> Extent {
    let (games, positions) =
        if cfg!(debug_assertions) { (5, 20) } else { (drawn(25), drawn(positions)) };
    Extent { games, positions, nodes }
}

/// Nodes for the first game of the list, and for the others.
const NODES: [u32; 2] = [200_000, 20_000];

/// Such a game is drawn by the rules. The search knows it one move earlier.
#[test]
fn repetitions_of_played_games_are_seen() {
    let mut client = Client::playing("pressman");
    client.tell("setoption name Hash value 1");
    let (mut games, mut wrong) = (0, Vec::new());
    for game in REPETITIONS.lines() {
        let nodes = NODES[games.min(1)];
        let (before, last) = game.rsplit_once(' ').unwrap();
        client.tell(&format!("position startpos moves {game}"));
        assert_eq!(client.query("reason"), "repetition", "{game}");
        client.tell("ucinewgame");
        client.tell(&format!("position startpos moves {before}"));
        assert_eq!(client.query("gameover"), "false", "{game}");
        let lines = client.search(&format!("go nodes {nodes} searchmoves {last}"));
        let found = lines.iter().filter_map(|line| score(line)).next_back();
        if found != Some(("cp", 0)) {
            wrong.push(format!("{found:?} for {last} after {before}"));
        }
        games += 1;
    }
    let figures = format!("{} of {games} repetitions not seen", wrong.len());
    println!("{figures}");
    wrong.truncate(3);
    assert!(games >= 100 && wrong.is_empty(), "{figures}\n{}", wrong.join("\n"));
}
