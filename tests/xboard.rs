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

    /// Clicks a move that is no promotion, without flipping it. The boards agree after it and after the answer. Returns
    /// the game.
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

    /// Takes a step of a script. The rest of it is flipped for the person, as all squares are:
    ///
    /// - `fen` and `play` as the functions; `promote`: to each of some pieces, taken back each time; `back`: a move and its
    ///   answer; `engine`: its move begins so;
    /// - `began`: so began the first move after `fen`; `letter`: so that move was written to its end; `ends`: the person's
    ///   side has won for a reason, which was claimed.
    fn take(&mut self, step: &str, rest: &str) {
        match step {
            "fen" => self.set_up(rest),
            "play" => drop(self.click(&self.turned(rest))),
            "promote" => {
                let (mv, letters) = rest.split_once(' ').unwrap();
                for (choice, letter) in letters.chars().enumerate() {
                    self.promote(&format!("{mv}{letter}"), choice);
                    self.retract();
                }
            }
            "back" => self.retract(),
            "engine" => {
                let mv = self.engine_moves();
                assert!(mv.starts_with(rest), "{mv}");
            }
            "began" => {
                let first = self.board.dialogue().game().moves.remove(0);
                assert!(first.starts_with(&self.turned(rest)), "{first}");
            }
            "letter" => {
                let dialogue = self.board.dialogue();
                let mut moves = dialogue.lines().iter().rev().filter_map(|(speaker, line)| {
                    line.strip_prefix("move ").filter(|_| *speaker == Speaker::Engine)
                });
                let last = moves.next().unwrap();
                assert!(last.ends_with(rest), "{last}");
            }
            "ends" => {
                let end = self.board.agrees();
                let outcome = end.session.outcome().unwrap();
                assert_eq!((outcome.winner, outcome.reason.name()), (Some(self.person), rest));
                assert_eq!(end.claim, end.outcome());
            }
            _ => panic!("{step}"),
        }
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

/// Follows a script of steps at the table, once for each side of the person.
fn follow(test: &str, variant: &str, sides: &[Side], script: &str) {
    for &side in sides {
        let mut table = Table::new(variant, side, test);
        for step in script.split("; ") {
            let (what, rest) = step.split_once(' ').unwrap_or((step, ""));
            table.take(what, rest);
        }
        table.board.is_content();
    }
}

/// Defines tests: a game, the sides of the person and a script, whose steps are those of [`Table::take`].
macro_rules! scripts {
    ($($(#[$doc:meta])* $name:ident: $variant:literal $sides:expr => $script:literal)+) => { $(
        $(#[$doc])*
        #[test]
        #[ignore = "needs XBoard and its tools"]
        fn $name() {
            follow(stringify!($name), $variant, &$sides, $script);
        }
    )+ };
}

scripts! {
    /// The engine always has one move, with its pawn, until it has none and has lost.
    a_person_changes_politicians_in_both_directions: "congress" SIDES =>
        "fen k7/7p/8/3H4/8/4B2K b - - 0 1; play d3e5; play e1d2; back; back; \
         play d3e5; play e1d2; play e5d6; ends no-moves"

    /// Horse and bishop have moves to the other wing only.
    the_engine_changes_politicians_in_both_directions: "congress" SIDES =>
        "fen k7/8/3h4/1p6/1Pp4P/2K5 b - - 0 1; began d; letter b; play h2h3; \
         fen 7k/8/4b3/5p2/5P2/5K2 b - - 0 1; began e; letter h; play f1g1"

    /// XBoard must neither promote it nor let it vanish.
    a_pawn_of_congress_stays_on_the_last_rank: "congress" SIDES =>
        "fen k7/6P1/8/8/2p5/K6B b - - 0 1; began c2c1; play g5g6; ends no-moves"

    castling_is_played_to_both_sides: "gothic" SIDES =>
        "fen 5k4/5p4/10/10/10/10/10/R4K3R b KQ - 0 1; play f1i1; back; play f1c1"

    /// The person captures, then the engine, whose only move it is. The person plays for both at first.
    en_passant_is_played_by_both: "gothic" SIDES =>
        "fen 5k4/3p6/10/4P5/10/10/10/5K4 w - - 0 1; play f1f2; play d7d5; play e5d6; engine; \
         fen 9k/7Q2/10/10/4p5/4P5/5P4/K9 w - - 0 1; play f2f4; engine e4f3"

    /// The engine promotes too: it is its only move.
    promotion_to_every_piece_of_gothic_chess: "gothic" SIDES =>
        "fen 9k/P9/10/4p5/4P5/10/10/K9 b - - 0 1; promote a7a8 qacnbr; \
         fen 9k/7Q2/10/10/10/10/p9/5K4 b - - 0 1; began a2a1"

    promotion_to_every_piece_of_cross_eyed_chess: "crosseyed" [Side::White] =>
        "fen ****4****/****4****/****4****/***6***/12/1P10/12/11k/***6***/****4****/****4****/****3K**** b - - 0 1; \
         promote b7a7 rmcnb"

    /// Two squares diagonally and one straight ahead, and over a neighbour.
    a_nahbi_leaps: "crosseyed" [Side::White] =>
        "fen ****4****/****4****/****4****/***6***/k11/12/5Mp5/12/***6***/****4****/****4****/****3K**** w - - 0 1; \
         play f6h9; engine; \
         fen ****4****/****4****/****4****/***6***/k11/12/5Mp5/12/***6***/****4****/****4****/****3K**** w - - 0 1; \
         play f6e8; engine; \
         fen ****4****/****4****/****4****/***6***/k11/12/5Mp5/12/***6***/****4****/****4****/****3K**** w - - 0 1; \
         play f6h6; engine"

    /// The person mates, then the engine.
    a_double_mate_is_claimed: "crosseyed" [Side::White] =>
        "fen ****4****/****4****/****4****/***6***/k10k/12/4p7/R1R7RR/***6***/****4****/****4****/****2K1**** w - - 0 1; \
         play c5b5; ends kings-mated; \
         fen ****4****/****4****/****4****/***6***/k10k/12/4p7/R1R7RR/***6***/****4****/****4****/****2K1**** w - - 0 1; \
         engine; ends kings-mated"
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
