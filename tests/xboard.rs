//! Games in the real XBoard, on a display without a screen: engine against engine, and a person who
//! clicks.
//!
//! These tests need the Debian packages `xboard xvfb xdotool xclip x11-utils`, so they run on
//! demand only: `cargo test --release --test program -- --ignored xboard::`

#![cfg(unix)]

use crate::common::program::{QUADRILLE, Run, quadrille, scratch};
use crate::common::xboard::{Played, Speaker, XBoard};
use quadrille::engine::{VARIANTS, find_variant};
use quadrille::games::Side;
use std::time::Duration;

/// Number of games of a match, and its time limit.
const GAMES: usize = 2;
const MATCH: Duration = Duration::from_secs(180);

/// Variants that XBoard can show.
fn shown() -> impl Iterator<Item = &'static str> {
    let infos = VARIANTS.iter().map(|variant| variant.info);
    infos.filter(|info| info.xboard != quadrille::engine::XBoard::Unfit).map(|info| info.name)
}

/// The games end as the rules say, and nobody complains.
#[test]
#[ignore = "needs XBoard and its tools"]
fn it_plays_matches_with_itself() {
    for variant in shown() {
        let count = GAMES.to_string();
        let engine = format!("\"{}\"", QUADRILLE);
        let further = ["-scp", &engine, "-matchMode", "true", "-matchGames", &count];
        let bullet = ["-timeControl", "0:01", "-timeIncrement", "0", "-matchPause", "1"];
        let games = scratch(&format!("xboard/saved-{variant}")).join("games.pgn");
        let saved = games.to_str().unwrap();
        let further = [&further[..], &bullet, &["-saveGameFile", saved]].concat();
        let mut board = XBoard::start(variant, &format!("match-{variant}"), &further);
        let ended = |board: &XBoard| board.dialogue().count("result") == GAMES;
        board.wait_for("the end of a match", MATCH, ended);
        let games = board.dialogue().games();
        for game in games.iter().filter(|game| !game.moves.is_empty()) {
            let result = game.result.as_deref().expect("a result");
            // XBoard has room for so many moves.
            let is_cut = result.contains("Game too long");
            let outcome = game.outcome();
            assert!(is_cut || game.result == outcome, "{result}, {outcome:?}: {:?}", game.moves);
        }
        assert_eq!(games.iter().filter(|game| game.result.is_some()).count(), GAMES);
        board.is_content();
        is_replayed(saved);
    }
}

/// Replays the games that XBoard saved. In Cross-Eyed Chess it sometimes omits which of two pieces
/// moved, since it takes a move for illegal that leaves one of two kings in check, and which piece
/// a pawn became that promotes on another edge than the far one.
fn is_replayed(saved: &str) {
    let said = quadrille(["replay", saved]).run().stdout;
    let lines: Vec<_> = said.lines().collect();
    let (figures, faults) = lines.split_last().unwrap();
    let is_of_xboard = |fault: &&str| {
        let of_two_pieces = fault.contains("` could be ");
        let of_promotion = fault.contains(": `P") && fault.contains("` is illegal in ****");
        saved.contains("crosseyed") && (of_two_pieces || of_promotion)
    };
    let count = format!("{GAMES} games, ");
    let sound = figures.starts_with(&count) && faults.iter().all(is_of_xboard);
    assert!(sound, "{said}");
}

/// XBoard with an engine that searches one move ahead, and a person. Positions and moves are
/// written as if the person had White, and flipped if not.
struct Table {
    person: Side,
    board: XBoard,
    ranks: u32,
}

impl Table {
    fn new(variant: &str, person: Side, test: &str) -> Self {
        let switches = ["-searchDepth", "1", "-ponderNextMove", "false"];
        let mut board = XBoard::start(variant, &format!("{test}-{person:?}"), &switches);
        board.ready();
        // In a new game the engine plays the side that moves second.
        board.answers = true;
        let ranks = board.dialogue().game().session.info().ranks as u32;
        Self { person, board, ranks }
    }

    /// Flips squares for the person.
    fn turned(&self, squares: &str) -> String {
        let turn = |c: char| match c.to_digit(10) {
            Some(rank) if self.person == Side::Black => {
                char::from_digit(self.ranks + 1 - rank, 10).unwrap()
            }
            _ => c,
        };
        squares.chars().map(turn).collect()
    }

    /// Sets up a position. With the engine to move it plays on from there; otherwise it plays no
    /// side.
    fn set_up(&mut self, fen: &str) {
        let fields: Vec<_> = fen.split(' ').collect();
        let fen = match self.person {
            Side::White => fen.to_string(),
            Side::Black => {
                let rows: Vec<_> = fields[0].split('/').rev().collect();
                let to_move = if fields[1] == "w" { "b" } else { "w" };
                let (rows, castling) = (swap_case(&rows.join("/")), swap_case(fields[2]));
                format!("{rows} {to_move} {castling} - 0 1")
            }
        };
        self.board.set_up(&fen);
        if fields[1] == "b" {
            self.engine_moves();
        }
    }

    /// Has the engine play from now on. Returns its move, with its letter.
    fn engine_moves(&mut self) -> String {
        self.board.engine_moves();
        let played = self.board.agrees().moves.pop().unwrap();
        self.turned(&played)
    }

    /// Clicks a move that is no promotion. The boards agree after it and after the answer. Returns
    /// the game.
    fn play(&mut self, mv: &str) -> Played {
        self.click(&self.turned(mv))
    }

    /// Clicks a move without flipping it.
    fn click(&mut self, mv: &str) -> Played {
        let before = self.board.dialogue().game().moves.len();
        let (from, to) = squares(mv);
        self.board.play(from, to);
        let game = self.board.agrees();
        assert_eq!(game.moves[before], mv);
        game
    }

    /// Promotes a pawn to piece number `choice`.
    fn promote(&mut self, mv: &str, choice: usize) {
        let mv = self.turned(mv);
        let before = self.board.dialogue().game().moves.len();
        let (from, to) = squares(&mv[..mv.len() - 1]);
        self.board.promote(from, to, choice);
        assert_eq!(self.board.agrees().moves[before], mv);
    }

    /// Takes back a move and the engine's answer.
    fn retract(&mut self) {
        let before = self.board.dialogue().game().moves.len();
        self.board.retract();
        let after = self.board.agrees().moves.len();
        assert_eq!(after + 2, before, "{}", self.board.notes());
    }
}

/// The two squares of a move.
fn squares(mv: &str) -> (&str, &str) {
    let second = mv.rfind(|c: char| c.is_ascii_alphabetic()).unwrap();
    mv.split_at(second)
}

fn swap_case(text: &str) -> String {
    let swap = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    text.chars().map(swap).collect()
}

const SIDES: [Side; 2] = [Side::White, Side::Black];

/// The engine always has one move, with its pawn, until it has none and has lost.
#[test]
#[ignore = "needs XBoard and its tools"]
fn a_person_changes_politicians_in_both_directions() {
    for side in SIDES {
        let mut table = Table::new("congress", side, "politicians");
        table.set_up("k7/7p/8/3H4/8/4B2K b - - 0 1");
        table.play("d3e5");
        table.play("e1d2");
        table.retract();
        table.retract();
        table.play("d3e5");
        table.play("e1d2");
        let end = table.play("e5d6");
        assert_eq!(end.session.outcome().unwrap().winner, Some(side));
        assert_eq!(end.claim, end.outcome());
        table.board.is_content();
    }
}

/// Horse and bishop have moves to the other wing only.
#[test]
#[ignore = "needs XBoard and its tools"]
fn the_engine_changes_politicians_in_both_directions() {
    for side in SIDES {
        let mut table = Table::new("congress", side, "engine-politicians");
        table.set_up("k7/8/3h4/1p6/1Pp4P/2K5 b - - 0 1");
        table.play("h2h3");
        table.set_up("7k/8/4b3/5p2/5P2/5K2 b - - 0 1");
        table.play("f1g1");
        let dialogue = table.board.dialogue();
        for change in [("d", "b"), ("e", "h")] {
            let written = dialogue.lines().iter().any(|(speaker, line)| {
                let mv = line.strip_prefix("move ").unwrap_or("");
                *speaker == Speaker::Engine && mv.starts_with(change.0) && mv.ends_with(change.1)
            });
            assert!(written, "{change:?}");
        }
        table.board.is_content();
    }
}

/// XBoard must neither promote it nor let it vanish.
#[test]
#[ignore = "needs XBoard and its tools"]
fn a_pawn_of_congress_stays_on_the_last_rank() {
    for side in SIDES {
        let mut table = Table::new("congress", side, "last-rank");
        table.set_up("k7/6P1/8/8/2p5/K6B b - - 0 1");
        let end = table.play("g5g6");
        assert_eq!(end.moves, ["c2c1", "g5g6"].map(|mv| table.turned(mv)));
        assert_eq!(end.session.outcome().unwrap().winner, Some(side));
        assert_eq!(end.claim, end.outcome());
        table.board.is_content();
    }
}

#[test]
#[ignore = "needs XBoard and its tools"]
fn castling_is_played_to_both_sides() {
    for side in SIDES {
        let mut table = Table::new("gothic", side, "castling");
        table.set_up("5k4/5p4/10/10/10/10/10/R4K3R b KQ - 0 1");
        table.play("f1i1");
        table.retract();
        table.play("f1c1");
        table.board.is_content();
    }
}

/// The person captures, then the engine, whose only move it is.
#[test]
#[ignore = "needs XBoard and its tools"]
fn en_passant_is_played_by_both() {
    for side in SIDES {
        let mut table = Table::new("gothic", side, "en-passant");
        // The person plays for both at first.
        table.set_up("5k4/3p6/10/4P5/10/10/10/5K4 w - - 0 1");
        table.play("f1f2");
        table.play("d7d5");
        table.play("e5d6");
        table.engine_moves();
        table.set_up("9k/7Q2/10/10/4p5/4P5/5P4/K9 w - - 0 1");
        table.play("f2f4");
        assert_eq!(table.engine_moves(), "e4f3");
        table.board.is_content();
    }
}

#[test]
#[ignore = "needs XBoard and its tools"]
fn promotion_to_every_piece_of_gothic_chess() {
    for side in SIDES {
        let mut table = Table::new("gothic", side, "promotion");
        table.set_up("9k/P9/10/4p5/4P5/10/10/K9 b - - 0 1");
        for (choice, letter) in "qacnbr".chars().enumerate() {
            table.promote(&format!("a7a8{letter}"), choice);
            table.retract();
        }
        // The engine's only move.
        table.set_up("9k/7Q2/10/10/10/10/p9/5K4 b - - 0 1");
        let first = table.board.dialogue().game().moves.remove(0);
        assert!(first.starts_with(&table.turned("a2a1")), "{first}");
        table.board.is_content();
    }
}

const CROSS: &str = "****4****/****4****/****4****/***6***";

#[test]
#[ignore = "needs XBoard and its tools"]
fn promotion_to_every_piece_of_cross_eyed_chess() {
    let mut table = Table::new("crosseyed", Side::White, "promotion-crosseyed");
    let south = "***6***/****4****/****4****/****3K****";
    table.set_up(&format!("{CROSS}/12/1P10/12/11k/{south} b - - 0 1"));
    for (choice, letter) in "rmcnb".chars().enumerate() {
        table.promote(&format!("b7a7{letter}"), choice);
        table.retract();
    }
    table.board.is_content();
}

#[test]
#[ignore = "needs XBoard and its tools"]
fn a_nahbi_leaps() {
    let mut table = Table::new("crosseyed", Side::White, "nahbi");
    let south = "***6***/****4****/****4****/****3K****";
    // Two squares diagonally and one straight ahead, and over a neighbour.
    for mv in ["f6h9", "f6e8", "f6h6"] {
        table.set_up(&format!("{CROSS}/k11/12/5Mp5/12/{south} w - - 0 1"));
        table.play(mv);
        table.engine_moves();
    }
    table.board.is_content();
}

/// The person mates, then the engine.
#[test]
#[ignore = "needs XBoard and its tools"]
fn a_double_mate_is_claimed() {
    let mut table = Table::new("crosseyed", Side::White, "double-mate");
    let south = "***6***/****4****/****4****/****2K1****";
    let fen = format!("{CROSS}/k10k/12/4p7/R1R7RR/{south} w - - 0 1");
    table.set_up(&fen);
    let end = table.play("c5b5");
    assert_eq!(end.claim.as_deref(), Some("1-0 {kings-mated}"));
    assert_eq!(end.claim, end.outcome());
    table.set_up(&fen);
    table.engine_moves();
    let end = table.board.agrees();
    assert_eq!(end.claim.as_deref(), Some("1-0 {kings-mated}"));
    assert_eq!(end.claim, end.outcome());
    table.board.is_content();
}

/// The engine is the opponent, or plays no side. `xboard_pressman.rs` takes back moves with
/// fillers.
#[test]
#[ignore = "needs XBoard and its tools"]
fn moves_are_taken_back_in_every_game() {
    let plain = |variant: &&str| {
        let info = find_variant(VARIANTS, variant).unwrap().open().info();
        !matches!(info.xboard, quadrille::engine::XBoard::PiecesAndDrops(_))
    };
    let variants = shown().filter(plain);
    for (variant, side) in variants.flat_map(|variant| SIDES.map(|side| (variant, side))) {
        let mut table = Table::new(variant, side, &format!("back-{variant}"));
        let start = table.board.agrees().session.info().start;
        let first = |table: &mut Table| table.board.agrees().session.moves().remove(0);
        if side == Side::Black {
            table.board.engine_moves();
        }
        for _ in 0..2 {
            let mv = first(&mut table);
            table.click(&mv);
            table.retract();
        }
        table.board.set_up(start);
        let mv = first(&mut table);
        table.click(&mv);
        table.board.step_back();
        assert_eq!(table.board.agrees().session.fen(), start);
        table.board.is_content();
    }
}

/// XBoard cannot continue with its own settings. The engine names the switch.
#[test]
#[ignore = "needs XBoard and its tools"]
fn wrong_settings_are_named() {
    let engine = format!("\"{}\"", QUADRILLE);
    let words = ["-variant", "congress", "-fcp", &engine, "-searchDepth", "1"];
    let mut board = XBoard::start_with("congress", "settings", &words);
    board.ready();
    let advice = |board: &XBoard| {
        let dialogue = board.dialogue();
        let told = dialogue.lines().iter().filter(|(speaker, line)| {
            *speaker == Speaker::Engine && line.starts_with("tellusererror XBoard")
        });
        told.count()
    };
    board.play("b1", "c3");
    let answered = |board: &XBoard| board.dialogue().answers("move") == 1;
    board.wait_for("an answer", MATCH, answered);
    // XBoard waits for a choice that it does not hear.
    board.click("c3");
    board.click("e4");
    board.wait_for("the advice", MATCH, |board| advice(board) == 1);
}
