//! Announcements of a search agree with the referee: every line is legal and ends as its score
//! says, and a mate is announced only if there is one, however short the search.

use crate::common::positions::{MOST_PLIES, Random, random_positions, test_all_games};
use crate::common::{drawn, session};
use quadrille::engine::{Entry, Session};
use quadrille::games::GameExt;
use quadrille::search::value::{DRAW, moves_to_mate};
use quadrille::search::{Bound, Budget, Limits, Line, Resources, SearchEvent, Table};
use std::sync::Arc;
use std::time::Duration;

/// Random plies at the beginning of a game.
const OPENING_PLIES: usize = 8;
/// Number of games against itself, and of random positions.
const GAMES: usize = if cfg!(debug_assertions) { 2 } else { 12 };
const POSITIONS: usize = if cfg!(debug_assertions) { 40 } else { 400 };
/// Nodes of the search that confirms an announced mate; ten times as many if they do not suffice.
const CONFIRMING_NODES: u64 = 200_000;
/// Limit for the confirmed mates of every game.
const CONFIRMED: usize = 300;

/// A position as a client sends it: a FEN and moves.
#[derive(Clone)]
struct Played {
    fen: String,
    moves: Vec<String>,
}

impl Played {
    fn session<G: Entry>(&self, line: &[String]) -> Box<dyn Session> {
        let mut session = session::<G>();
        let moves: Vec<_> = self.moves.iter().chain(line).map(String::as_str).collect();
        let set = session.set_position(Some(&self.fen), &moves);
        set.unwrap_or_else(|error| panic!("{error}: {} {}", self.fen, moves.join(" ")));
        session
    }
}

/// Searches a session, and returns all lines and the best move.
fn search(
    session: &dyn Session,
    limits: Limits,
    megabytes: usize,
) -> (Vec<Line<String>>, Option<String>) {
    let resources = Resources::alone(&Arc::new(Table::new(megabytes, 1)));
    let mut lines = Vec::new();
    let found = session.search(&limits.into(), resources).unwrap()(&mut |event| {
        if let SearchEvent::Line(line) = event {
            lines.push(line);
        }
    });
    (lines, found.answer.best)
}

/// Fault of a line of play: it continues after the end of the game or ends otherwise than its score
/// says.
fn fault<G: Entry>(played: &Played, line: &Line<String>) -> Option<String> {
    let us = played.session::<G>(&[]).to_move();
    for length in 1..line.pv.len() {
        if let Some(outcome) = played.session::<G>(&line.pv[..length]).outcome() {
            return Some(format!("{:?} after {length} moves", outcome.reason));
        }
    }
    let outcome = played.session::<G>(&line.pv).outcome();
    let plies = line.pv.len();
    let agrees = match (moves_to_mate(line.value), outcome) {
        _ if line.bound != Bound::Exact => true,
        (Some(moves), None) => plies < 2 * moves.unsigned_abs() as usize,
        (Some(moves), Some(outcome)) => {
            let winner = if moves > 0 { us } else { !us };
            outcome.winner == Some(winner) && plies.div_ceil(2) == moves.unsigned_abs() as usize
        }
        (None, None) => true,
        (None, Some(outcome)) => outcome.winner.is_none() && line.value == DRAW,
    };
    (!agrees).then(|| format!("the line ends with {outcome:?}"))
}

/// Searches a position briefly, and judges its lines. Returns the best move.
fn judge<G: Entry>(
    played: &Played,
    limits: Limits,
    confirmed: &mut usize,
    faults: &mut Vec<String>,
) -> Option<String> {
    let session = played.session::<G>(&[]);
    let (lines, best) = search(session.as_ref(), limits, 1);
    let mut blame = |line: &Line<String>, fault: String| {
        let Played { fen, moves } = played;
        let (value, moves) = (line.value, moves.join(" "));
        let pv = line.pv.join(" ");
        faults.push(format!(
            "{fault}: depth {} value {value} {:?} pv {pv}\n  position fen {fen} moves {moves}, {limits:?}",
            line.depth, line.bound
        ));
    };
    for line in &lines {
        if let Some(fault) = fault::<G>(played, line) {
            blame(line, fault);
        }
    }
    let last = lines.iter().rev().find(|line| line.multi_pv == 1)?;
    if best.as_ref() != last.pv.first() {
        blame(last, format!("{best:?} is played"));
    }
    if let Some(moves) = moves_to_mate(last.value)
        && *confirmed < drawn(CONFIRMED)
    {
        *confirmed += 1;
        let mut found = None;
        let confirms = [CONFIRMING_NODES, 10 * CONFIRMING_NODES].iter().any(|&nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (lines, _) = search(session.as_ref(), limits, 16);
            found = lines.last().and_then(|line| moves_to_mate(line.value));
            found.is_some_and(|other| other.signum() == moves.signum())
        });
        if !confirms {
            blame(last, format!("{found:?} with ten times {CONFIRMING_NODES} nodes"));
        }
    }
    best
}

/// Draws low limits: few nodes or a few milliseconds, at times several lines.
fn limits(random: &mut Random) -> Limits {
    let mut limits = Limits { multi_pv: [1, 1, 1, 3][random.below(4)], ..Limits::default() };
    if random.below(4) == 0 {
        let time = Duration::from_millis(1 + random.below(10) as u64);
        limits.time = Some(Budget::exact(time, Duration::ZERO));
    } else {
        limits.nodes = Some(20 + random.below(481) as u64);
    }
    limits
}

fn lines_and_mates_agree_with_the_referee<G: Entry>() {
    let mut random = Random(38);
    let (mut searches, mut confirmed) = (0, 0);
    let mut faults = Vec::new();
    for _ in 0..drawn(GAMES) {
        let mut played = Played { fen: session::<G>().fen(), moves: Vec::new() };
        let mut session = session::<G>();
        while session.outcome().is_none() && played.moves.len() < MOST_PLIES {
            let mv = if played.moves.len() < OPENING_PLIES {
                let moves = session.moves();
                moves[random.below(moves.len())].clone()
            } else {
                searches += 1;
                let limits = limits(&mut random);
                judge::<G>(&played, limits, &mut confirmed, &mut faults).unwrap()
            };
            session.play(&mv).unwrap();
            played.moves.push(mv);
        }
    }
    for position in random_positions::<G>(drawn(POSITIONS)) {
        if position.outcome().is_none() {
            let played = Played { fen: position.fen(), moves: Vec::new() };
            searches += 1;
            let limits = limits(&mut random);
            judge::<G>(&played, limits, &mut confirmed, &mut faults);
        }
    }
    let figures = format!(
        "{}: {searches} searches, {confirmed} mates looked at, {} faults",
        G::NAME,
        faults.len()
    );
    println!("{figures}");
    faults.truncate(5);
    assert!(faults.is_empty(), "{figures}\n{}", faults.join("\n"));
}

/// Lines of all moves in a table that is far too small for them: each mate stands with a line that is
/// no longer than it, and one that ends the game ends it as announced.
fn a_line_fits_its_mate<G: Entry>() {
    let limits = Limits { depth: Some(3), multi_pv: 500, ..Limits::default() };
    let fens = random_positions::<G>(POSITIONS / 8).map(|position| position.fen());
    // Many queens, next to the draw by the clock.
    let crowded = ["q5q1/6q1/1qqq4/q1q1Qq2/3qq2q/4q1qq/q4q2/3qqq2 b - - 98 47"];
    let crowded = crowded.iter().filter(|_| G::NAME == "pressman");
    let mut mates = 0;
    for fen in fens.chain(crowded.map(ToString::to_string)) {
        let played = Played { fen, moves: Vec::new() };
        let session = played.session::<G>(&[]);
        if session.outcome().is_some() {
            continue;
        }
        for line in search(session.as_ref(), limits, 1).0 {
            let Some(moves) = moves_to_mate(line.value) else { continue };
            mates += 1;
            let most = 2 * moves.unsigned_abs() as usize - usize::from(moves > 0);
            let fault = if line.pv.len() > most {
                Some(format!("{} plies", line.pv.len()))
            } else {
                fault::<G>(&played, &line)
            };
            assert!(fault.is_none(), "{fault:?}: {} {line:?}", played.fen);
        }
    }
    println!("{}: {mates} mates", G::NAME);
    assert!(mates > 20, "{mates}");
}

test_all_games! {
    a_line_fits_its_mate
    lines_and_mates_agree_with_the_referee
}
