//! Pressman in the real XBoard, which knows neither its new queens nor that Black begins. A person
//! plays it with the mouse, as either side.
//!
//! These tests need the Debian packages `xboard xvfb xdotool xclip x11-utils`, so they run on
//! demand only: `cargo test --release --test program -- --ignored xboard_pressman::`

#![cfg(unix)]

use crate::common::xboard::XBoard;
use quadrille::games::Side;
use quadrille::system::random::Random;
use std::time::Duration;

/// Time limit for an answer.
const SOON: Duration = Duration::from_secs(60);

/// A person at XBoard's board.
struct Person {
    board: XBoard,
    side: Side,
    /// Square of the piece lifted last.
    lifted: String,
    /// Chooses the moves.
    random: Random,
}

impl Person {
    /// Begins a game in which the engine plays the other side at depth 1.
    fn begin(side: Side, folder: &str) -> Self {
        let switches = ["-searchDepth", "1", "-ponderNextMove", "false"];
        let mut board = XBoard::start("pressman", folder, &switches);
        board.ready();
        let mut person = Self { board, side, lifted: String::new(), random: Random::new(1, 0) };
        match side {
            // The engine begins when White lifts a queen.
            Side::White => {
                person.board.click("a2");
                person.wait_for_turn(1);
            }
            Side::Black => {
                person.board.machine_plays(Side::White);
                person.wait_for_turn(0);
            }
        }
        person
    }

    fn wait_for_turn(&mut self, moves: usize) {
        let side = self.side;
        self.board.wait_for("the person's turn", SOON, move |board| {
            let game = board.dialogue().game();
            let turn = game.session.to_move() == side && board.dialogue().answers("move") > 0;
            game.moves.len() >= moves && turn || game.claim.is_some()
        });
        self.board.agrees();
    }

    /// Number of plies on XBoard's board.
    fn plies(&self) -> usize {
        self.board.dialogue().game().plies.len()
    }

    fn is_over(&self) -> bool {
        self.board.dialogue().game().claim.is_some()
    }

    /// Chooses a move, one that brings in a queen if possible.
    fn choose(&mut self) -> String {
        let session = self.board.dialogue().game().session;
        let mut moves = session.moves();
        if moves.iter().any(|mv| session.board_view().dropped_piece(mv).is_some()) {
            moves.retain(|mv| session.board_view().dropped_piece(mv).is_some());
        }
        moves.swap_remove(self.random.below(moves.len()))
    }

    fn play_one(&mut self) {
        let mv = self.choose();
        self.play(&mv);
    }

    /// Clicks a move and waits for the answer.
    fn play(&mut self, mv: &str) {
        let before = self.board.dialogue().game().moves.len();
        let (from, to) = mv.split_at(2);
        self.board.play(from, to);
        self.wait_for_turn(before + 2);
        assert_eq!(self.board.dialogue().game().moves[before], mv);
    }

    /// Lifts a piece on XBoard's board.
    fn lift_any(&mut self) {
        let mut shown = self.board.dialogue().game().session;
        shown.set_position(Some(&self.board.fen()), &[]).unwrap();
        let (square, _) = shown.board_view().pass_move(self.side).unwrap();
        let lifted = self.board.dialogue().count("lift");
        self.board.click(&square);
        self.lifted = square;
        self.board
            .wait_for("a piece lifted", SOON, move |board| board.dialogue().count("lift") > lifted);
    }

    /// Puts the piece down again, unless the engine has done so.
    fn put_down(&mut self) {
        let dialogue = self.board.dialogue();
        let last = dialogue.lines().iter().rev();
        let mut said = last.take_while(|(_, line)| !line.starts_with("lift"));
        if !said.any(|(_, line)| line.starts_with("click")) {
            self.board.click(&self.lifted);
        }
    }

    /// Plays to the end.
    fn play_on(&mut self) {
        while !self.is_over() {
            self.play_one();
        }
    }
}

/// Sides that gained queens in some of XBoard's plies. `first` is the number of the first ply.
fn gainers(plies: &[String], first: usize) -> Vec<Side> {
    let drops = (0..plies.len()).filter(|&ply| plies[ply].contains('@'));
    let mover = |ply: usize| [Side::White, Side::Black][(first + ply) % 2];
    drops.map(mover).collect()
}

/// Limit for the games in which both sides bring in a queen: the person plays by chance, and the
/// engine well.
const MOST_GAMES: u64 = 8;

fn plays_to_the_end(side: Side) {
    let mut all = Vec::new();
    for number in 1..=MOST_GAMES {
        let mut person = Person::begin(side, &format!("pressman-{side:?}-{number}"));
        person.random = Random::new(number, 0);
        person.play_on();
        let game = person.board.dialogue().game();
        assert_eq!(game.claim, game.outcome());
        let claim = game.claim;
        person
            .board
            .wait_for("the result", SOON, move |board| board.dialogue().game().result == claim);
        person.board.is_content();
        all.extend(gainers(&game.plies, 0));
        if Side::BOTH.iter().all(|side| all.contains(side)) {
            return;
        }
    }
    panic!("new queens in {MOST_GAMES} games only for {all:?}");
}

#[test]
#[ignore = "needs XBoard and its tools"]
fn a_person_with_white_plays_to_the_end() {
    plays_to_the_end(Side::White);
}

#[test]
#[ignore = "needs XBoard and its tools"]
fn a_person_with_black_plays_to_the_end() {
    plays_to_the_end(Side::Black);
}

fn takes_back(side: Side) {
    let in_time = (1..=MOST_GAMES).any(|number| takes_back_in_game(side, number));
    assert!(in_time, "new queens came too late in {MOST_GAMES} games");
}

/// Takes moves back until the game begins, and plays on. Returns true if both sides had new queens
/// before the game was over.
fn takes_back_in_game(side: Side, number: u64) -> bool {
    let mut person = Person::begin(side, &format!("pressman-back-{side:?}-{number}"));
    person.random = Random::new(number, 0);
    // The boards before the person's moves, with the number of XBoard's plies to each.
    let mut boards = Vec::new();
    let mut completed = [false; 2];
    while completed != [true; 2] {
        let begun = person.plies();
        boards.push((begun, person.board.fen()));
        person.play_one();
        if person.is_over() {
            return false;
        }
        let plies = person.board.dialogue().game().plies;
        for gainer in gainers(&plies[begun..], begun) {
            completed[gainer.index()] = true;
        }
        // XBoard takes back two plies at a time, and so may stop within a move. A person who then
        // lifts a piece completes it.
        for times in 1.. {
            for _ in 0..times {
                person.board.retract();
            }
            let left = person.plies();
            if left > begun {
                person.lift_any();
                person.wait_for_turn(0);
                person.put_down();
            } else {
                assert_eq!(left, begun);
                break;
            }
        }
        assert_eq!(person.board.fen(), boards[boards.len() - 1].1);
        person.play_one();
        if person.is_over() {
            return false;
        }
    }
    while let Some((plies, fen)) = boards.pop() {
        while person.plies() > plies {
            person.board.retract();
        }
        assert_eq!(person.plies(), plies);
        assert_eq!(person.board.fen(), fen);
        person.board.agrees();
    }
    if side == Side::White {
        // Without Black's first move, which is then played again.
        person.board.retract();
        person.lift_any();
        person.wait_for_turn(1);
    }
    person.play_one();
    person.board.is_content();
    true
}

#[test]
#[ignore = "needs XBoard and its tools"]
fn a_person_with_white_takes_back() {
    takes_back(Side::White);
}

#[test]
#[ignore = "needs XBoard and its tools"]
fn a_person_with_black_takes_back() {
    takes_back(Side::Black);
}

/// A person plays both sides, in XBoard's mode for that and in analysis.
#[test]
#[ignore = "needs XBoard and its tools"]
fn a_person_plays_both_sides() {
    for analyses in [false, true] {
        let mut board = XBoard::start("pressman", &format!("pressman-both-{analyses}"), &[]);
        board.ready();
        board.press("ctrl+e");
        let mut plies = 0;
        let mut played = |board: &mut XBoard, what: &str, more: usize| {
            plies += more;
            let enough = |board: &XBoard| board.dialogue().game().plies.len() == plies;
            board.wait_for(what, SOON, enough);
            board.agrees();
        };
        board.click("a2");
        played(&mut board, "White's pass", 1);
        if analyses {
            board.press("ctrl+a");
            board.wait_for("analysis", SOON, |board| board.dialogue().answers("2") > 0);
            board.put_aside("Engine output");
        }
        // A row with an own piece on it gains none.
        let none = "a7a2 b2b7 a2a1 b7b8 a8a2 c2c7 a1b1 c7c8";
        let line = none.split(' ').map(|mv| (mv, 1));
        let both = [("a2a1", 3), ("c1c7", 1), ("h7h6", 1), ("c8d8", 1), ("h6h5", 1), ("c7c8", 3)];
        for (mv, more) in line.chain(both) {
            board.play(&mv[..2], &mv[2..]);
            played(&mut board, mv, more);
        }
        board.is_content();
    }
}
