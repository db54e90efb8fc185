//! Dialogues in CECP, as XBoard leads them.

use crate::common::client::Client;
use crate::common::{claim, drawn, rows};
use quadrille::engine::{VARIANTS, Variant};
use quadrille::games::Side;
use quadrille::system::random::Random;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(5);

/// Starts a game in which the first side is to move.
fn begun(variant: &Variant) -> Client {
    let mut client = Client::xboard(variant.info.name);
    if variant.open().to_move() == Side::Black {
        // White passes.
        assert_eq!(client.ask_xboard("force\nusermove a2a3,a3a2"), [""; 0]);
    }
    client
}

fn each_game() -> impl Iterator<Item = (Client, &'static Variant)> {
    VARIANTS.iter().map(|variant| (begun(variant), variant))
}

/// The table of figures has a place for each piece of XBoard.
#[test]
fn the_camel_of_cross_eyed_chess_is_drawn_as_one() {
    const CAMEL: usize = 24;
    let mut client = Client::start(&["--variant", "crosseyed"]);
    client.send("xboard\nprotover 2\nvariant crosseyed");
    let setup = client.expect_line("setup (");
    assert_eq!(setup["setup (".len()..].find('C'), Some(CAMEL), "{setup}");
}

/// Two engines pass each other their moves, and claim the same end.
#[test]
fn two_engines_claim_the_same_end() {
    for variant in VARIANTS {
        let mut first = Client::xboard(variant.info.name);
        let mut second = Client::xboard(variant.info.name);
        let mut session = variant.open();
        for client in [&mut first, &mut second] {
            assert_eq!(client.ask_xboard("computer\nsd 2\neasy\nnopost"), [""; 0]);
        }
        first.send("go");
        let (mut mover, mut other) = (&mut first, &mut second);
        if session.to_move() == Side::Black {
            pass_on(mover, other);
            other.send("go");
            (mover, other) = (other, mover);
        }
        loop {
            let mv = pass_on(mover, other);
            let gains = session.board_view().dropped_piece(&mv).is_some();
            session.play(&mv).expect(&mv);
            if gains {
                let pass = mover.expect_line("move ").replace("move ", "usermove ");
                // A side without a piece passes by a null move.
                other.send(&pass.replace("usermove @@@@", &format!("setboard {}", session.fen())));
                pass_on(mover, other);
            }
            let claim = session.outcome().map(claim);
            if let Some(claim) = claim {
                assert_eq!(mover.ask_xboard(""), std::slice::from_ref(&claim));
                assert_eq!(other.ask_xboard(""), [claim]);
                break;
            }
            (mover, other) = (other, mover);
        }
    }
}

/// Positions with moves that bring in a queen.
const GAINS: [&str; 3] = [
    "8/1Q6/8/8/3q4/8/8/Q7 w - - 0 1",
    "8/8/8/8/2q5/8/7q/1Q6 w - - 0 1",
    "8/2Q5/8/8/3q4/8/5q2/Q7 b - - 0 1",
];

/// A client with a true board, which plays no fillers and takes back those that it hears: from whatever state, the
/// engine moves when it is its turn, and at no other time.
#[test]
fn the_engine_moves_when_it_is_its_turn() {
    let mut random = Random::new(1, 0);
    for variant in VARIANTS {
        let info = variant.info;
        let gains: &[&str] = if info.first == Side::Black { &GAINS } else { &[] };
        let fens = [&[info.start], info.samples, gains].concat();
        let mut client = Client::xboard(info.name);
        let (mut begun, mut waits) = (0, 0);
        for _ in 0..drawn(400) {
            client.ask_xboard("new\neasy\nsd 1\nnopost");
            let mut session = variant.open();
            // Moves with the number of plies on the client's board, by the engine's count.
            let (mut fen, mut moves) = (None, Vec::<(String, usize)>::new());
            let mut plays = Some(!session.to_move());
            // XBoard's board, on which White is to move first, until a move or a position comes.
            let mut is_odd = info.first == Side::Black;
            let mut log = vec!["new".to_string()];
            for _ in 0..12 {
                let turn = session.to_move();
                let is_open = session.outcome().is_none();
                let mut due = false;
                let line = match random.below(9) {
                    0 => "computer".to_string(),
                    1 => {
                        plays = None;
                        "force".to_string()
                    }
                    2 => {
                        let next = *random.pick(&fens).unwrap();
                        session.set_position(Some(next), &[]).unwrap();
                        (fen, plays, is_odd) = (Some(next), None, false);
                        moves.clear();
                        format!("force\nsetboard {next}")
                    }
                    3 => {
                        plays = Some(!turn);
                        "playother".to_string()
                    }
                    4 if !moves.is_empty() => {
                        let (_, plies) = moves.pop().unwrap();
                        let left: Vec<_> = moves.iter().map(|(mv, _)| mv.as_str()).collect();
                        session.set_position(fen, &left).unwrap();
                        plays = None;
                        "force".to_string() + &"\nundo".repeat(plies)
                    }
                    5 => {
                        plays = Some(if is_odd { !turn } else { turn });
                        due = !is_odd && is_open;
                        is_odd = false;
                        "go".to_string()
                    }
                    _ if is_open && plays != Some(turn) => {
                        let all = session.moves();
                        let gains = |mv: &&String| session.board_view().dropped_piece(mv).is_some();
                        let gaining: Vec<_> = all.iter().filter(gains).cloned().collect();
                        let some = if gaining.is_empty() { &all } else { &gaining };
                        let mv = random.pick(some).unwrap().clone();
                        let letter = session.board_view().changed_letter(&mv);
                        session.play(&mv).unwrap();
                        is_odd = false;
                        due = plays.is_some() && session.outcome().is_none();
                        let line =
                            format!("usermove {mv}{}", letter.map_or(String::new(), String::from));
                        moves.push((mv, 1));
                        line
                    }
                    _ => continue,
                };
                log.push(line.clone());
                for said in client.ask_xboard(&line) {
                    log.push(format!("< {said}"));
                    let Some(ply) = said.strip_prefix("move ") else {
                        let is_claim = session.outcome().map(claim) == Some(said);
                        assert!(is_claim, "{log:#?}");
                        continue;
                    };
                    if ply.contains([',', '@']) {
                        // The pass before the first move can be taken back only with it.
                        if let Some((_, plies)) = moves.last_mut() {
                            *plies += 1;
                        }
                        continue;
                    }
                    let legal = session.read_move(ply).filter(|_| due);
                    let mv = legal.unwrap_or_else(|| panic!("{log:#?}"));
                    session.play(&mv).unwrap();
                    moves.push((mv, 1));
                    (due, begun) = (false, begun + 1);
                }
                assert!(!due, "silence after {log:#?}");
                waits += usize::from(plays.is_none());
            }
        }
        assert!(begun > 50 && waits > 50, "{begun} moves, {waits} waits");
    }
}

/// Passes the next ply of one engine on to the other.
fn pass_on(mover: &mut Client, other: &mut Client) -> String {
    let line = mover.expect_line("move ");
    let ply = line["move ".len()..].to_string();
    other.send(&format!("usermove {ply}"));
    ply
}

#[test]
fn an_illegal_move_changes_nothing() {
    for (mut client, variant) in each_game() {
        client.ask_xboard("force");
        for text in ["usermove a1a1", "usermove e2e9", "usermove", "usermove é2é4"] {
            let lines = client.ask_xboard(text);
            assert!(lines[0].starts_with("Illegal move"), "{lines:?}");
            assert_eq!(lines.len(), 1);
        }
        let session = variant.open();
        let mv = session.moves().remove(0);
        assert_eq!(client.ask_xboard(&format!("usermove {mv}")), [""; 0]);
    }
}

#[test]
fn moves_are_taken_back() {
    for variant in VARIANTS {
        let mut client = Client::xboard(variant.info.name);
        let mut session = variant.open();
        client.ask_xboard("force");
        let first = session.moves().remove(0);
        session.play(&first).unwrap();
        let second = session.moves().remove(0);
        for _ in 0..3 {
            let there = format!("usermove {first}\nusermove {second}");
            assert_eq!(client.ask_xboard(&there), [""; 0]);
            assert_eq!(client.ask_xboard("remove"), [""; 0]);
            assert_eq!(client.ask_xboard(&format!("usermove {first}")), [""; 0]);
            assert_eq!(client.ask_xboard("undo"), [""; 0]);
        }
        let lines = client.ask_xboard("undo");
        assert!(lines[0].starts_with("Error (no move to take back)"));
    }
}

#[test]
fn a_move_now_and_no_move_after_force() {
    for (mut client, _) in each_game() {
        client.send("level 0 60 0\npost\ngo");
        client.expect_line("1 ");
        let asked = Instant::now();
        client.send("?");
        client.expect_line("move ");
        assert!(asked.elapsed() < SOON);
        client.send("undo\ngo");
        client.expect_line("1 ");
        let lines = client.ask_xboard("force");
        assert!(!lines.iter().any(|line| line.starts_with("move")), "{lines:?}");
        assert!(client.is_silent());
    }
}

/// Options and mistakes do not cost the move of a running search.
#[test]
fn a_move_comes_whatever_happens_meanwhile() {
    for (mut client, _) in each_game() {
        for line in ["memory 4", "memory 0", "variant chess", "setboard 8/8", "option Frob=1"] {
            client.send(&format!("new\nforce\nst 0.2\ngo\n{line}"));
            client.expect_line("move ");
        }
    }
}

#[test]
fn analysis_follows_the_board() {
    for (mut client, variant) in each_game() {
        let session = variant.open();
        client.send("analyze");
        client.expect_line("3 ");
        client.send(".");
        client.expect_line("stat01: ");
        client.send(&format!("usermove {}", session.moves()[0]));
        client.expect_line("1 ");
        client.send("undo");
        client.expect_line("1 ");
        client.ask_xboard("exit");
        assert!(client.is_silent());
    }
}

#[test]
fn a_game_that_is_over_is_claimed_when_the_engine_should_move() {
    for (variant, fen, result) in [
        ("gothic", "Q8k/10/8K1/10/10/10/10/10 b - - 0 1", "1-0 {checkmate}"),
        ("congress", "k7/8/8/8/8/8 w - - 0 1", "0-1 {kings-captured}"),
        ("pressman", "8/8/8/8/8/8/8/q7 w - - 0 1", "0-1 {no-pieces}"),
    ] {
        let mut client = Client::xboard(variant);
        for command in ["go", "playother"] {
            let said = client.ask_xboard(&format!("force\nsetboard {fen}\n{command}"));
            assert!(said.iter().any(|line| line == result), "{variant} {command}: {said:?}");
        }
    }
}

#[test]
fn pondering_hits_and_misses() {
    for (mut client, variant) in each_game() {
        let mut moves = Vec::new();
        client.send("sd 5\nhard\nnopost\ngo");
        // The expected reply first, then another move.
        for hit in [true, false] {
            moves.push(client.expect_line("move ")["move ".len()..].to_string());
            std::thread::sleep(Duration::from_millis(50));
            client.send("hint");
            let hint = client.expect_line("Hint: ")["Hint: ".len()..].to_string();
            let mut session = variant.open();
            let played: Vec<_> = moves.iter().map(String::as_str).collect();
            session.set_position(None, &played).unwrap();
            let others = session.moves().into_iter().filter(|mv| *mv != hint);
            moves.push(if hit { hint.clone() } else { others.min().unwrap() });
            client.send(&format!("usermove {}", moves[moves.len() - 1]));
        }
        client.expect_line("move ");
        client.ask_xboard("force\nremove\nundo");
        assert!(client.is_silent());
    }
}

#[test]
fn highlights_are_the_legal_moves() {
    for (mut client, variant) in each_game() {
        let session = variant.open();
        let info = session.info();
        client.ask_xboard("force");
        for file in 0..info.files {
            for rank in 1..=info.ranks {
                let square = format!("{}{rank}", (b'a' + file as u8) as char);
                let lines = client.ask_xboard(&format!("lift {square}"));
                let marks = lines[0].strip_prefix("highlight ").unwrap();
                let marked = marks.chars().filter(char::is_ascii_uppercase).count();
                let moves = session.moves();
                let targets = moves.iter().filter(|mv| {
                    let rest = mv.strip_prefix(&square);
                    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
                });
                assert_eq!(marked, targets.count(), "{square}: {marks}");
                let cells: usize = marks.split('/').map(cells).sum();
                assert_eq!(cells, info.files * info.ranks);
            }
        }
    }
}

/// Positions with a square, the marks of its moves, the square where it is put down, and the choice there.
const MARKS: &str = "\
congress|3k4/1P2B3/3H4/3h4/1p2b3/4K3 b - - 0 1|d3|8/4B3/8/8/5B2/2Y1B3|e5|B
gothic|1n7k/P9/10/10/10/10/10/K9 w - - 0 1|a7|MM8/10/10/10/10/10/10/10|b8|QCARBN
crosseyed|****4****/****4****/****4****/***6***/12/1P10/12/12/***6***/****4****/****1k2****/****3K**** w - - 5 1|b7|12/12/12/12/12/M11/12/12/12/12/12/12|a7|RMBNC";

/// A piece that becomes another by itself has other marks than one with a choice.
#[test]
fn marks_tell_a_change_from_a_choice() {
    for [variant, fen, square, marks, put, choice] in rows(MARKS) {
        let mut client = Client::xboard(variant);
        client.ask_xboard(&format!("force\nsetboard {fen}"));
        let lines = client.ask_xboard(&format!("lift {square}"));
        assert_eq!(lines, [format!("highlight {marks}")]);
        let lines = client.ask_xboard(&format!("put {put}"));
        assert_eq!(lines, [format!("choice {choice}")]);
    }
}

/// XBoard has other settings than the games need.
#[test]
fn advice_comes_once() {
    let is_advice = |line: &String| {
        line.starts_with("tellusererror XBoard") && line.contains("-testLegality false")
    };
    // A politician that changes, and a pawn that is promoted, without the letter.
    for (variant, fen, mv, is_legal) in [
        ("congress", "3k4/1P2B3/3H4/3h4/1p2b3/4K3 b - - 0 1", "d3e5", true),
        ("gothic", "9k/P9/10/10/10/10/10/K9 w - - 0 1", "a7a8", false),
    ] {
        let mut client = Client::xboard(variant);
        client.ask_xboard(&format!("force\nsetboard {fen}"));
        let lines = client.ask_xboard(&format!("usermove {mv}"));
        let (advice, rest) = lines.split_last().unwrap();
        assert!(is_advice(advice), "{lines:?}");
        assert_eq!(rest.is_empty(), is_legal, "{lines:?}");
        let lines = client.ask_xboard(&format!("setboard {fen}\nusermove {mv}"));
        assert!(!lines.iter().any(is_advice), "{lines:?}");
    }
    // A move that does not come.
    let mut client = Client::xboard("congress");
    client.ask_xboard("lift b1\nput c3\nusermove b1c3\nforce\nundo");
    assert_eq!(client.ask_xboard("lift b1\nput a1"), ["highlight 8/8/8/Y1Y5/8/8"]);
    client.ask_xboard("put c3");
    assert!(is_advice(&client.expect_line("tell")));
}

#[test]
fn a_move_may_be_spelled_in_several_ways() {
    let castling = "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1";
    let promotion = "9k/P9/10/10/10/10/10/K9 w - - 0 1";
    let change = "3k4/1P2B3/3H4/3h4/1p2b3/4K3 b - - 0 1";
    // The two moves after it are legal after the right move only.
    for (fen, spellings, reply, then) in [
        (castling, "f1i1 f1j1 O-O 0-0", "f8f7", "h1h2"),
        (castling, "f1c1 f1a1 O-O-O 0-0-0", "f8f7", "d1d2"),
        (promotion, "a7a8c a7a8C", "j8j7", "a8b6"),
        (change, "d3e5b d3e5B d3e5", "d4c6", "e5f4"),
    ] {
        for spelling in spellings.split(' ') {
            let mut client = Client::xboard(if fen == change { "congress" } else { "gothic" });
            let moves = format!("usermove {spelling}\nusermove {reply}\nusermove {then}");
            let lines = client.ask_xboard(&format!("force\nsetboard {fen}\n{moves}"));
            let is_illegal = |line: &String| line.starts_with("Illegal");
            assert!(!lines.iter().any(is_illegal), "{spelling}: {lines:?}");
        }
    }
    for (fen, wrong) in [
        (castling, "F1I1 f1h1 o-o f1i1k O-O-O-O"),
        (promotion, "a7a8k a7a8p a7a8qq A7A8Q a7a8=q"),
        (change, "d3e5h d3e5bb D3E5"),
    ] {
        for spelling in wrong.split(' ') {
            let mut client = Client::xboard(if fen == change { "congress" } else { "gothic" });
            client.ask_xboard(&format!("force\nsetboard {fen}"));
            let lines = client.ask_xboard(&format!("usermove {spelling}"));
            assert_eq!(lines, [format!("Illegal move: {spelling}")]);
        }
    }
}

/// Number of squares in a rank of a highlight.
fn cells(row: &str) -> usize {
    let numbers = row.split(|c: char| !c.is_ascii_digit());
    let empty: usize = numbers.filter_map(|number| number.parse::<usize>().ok()).sum();
    empty + row.chars().filter(|c| !c.is_ascii_digit()).count()
}

#[test]
fn nonsense_is_answered_by_one_error() {
    for variant in VARIANTS {
        let mut client = Client::xboard(variant.info.name);
        let lines = "frobnicate; level; level 1 2; level a b c; st x; st -1; sd 0; time; \
                     memory 0; memory lots; cores 0; option Frob=1; option; variant chess; \
                     setboard 8/8; undo; remove";
        for line in lines.split("; ") {
            let lines = client.ask_xboard(&format!("force\n{line}"));
            let [error] = &lines[..] else { panic!("{line}: {lines:?}") };
            assert!(
                error.starts_with("Error (") || error.starts_with("tellusererror "),
                "{line}: {error}"
            );
        }
    }
}

#[test]
fn waiting_lines_are_taken_before_later_ones() {
    let mut client = Client::start(&[]);
    client.send("go depth 9\nposition startpos\nxboard\nprotover 2\nping 5");
    client.expect_line("bestmove ");
    client.lines_to("feature done=1");
    client.expect_line("pong 5");
    client.send("xboard\nping 6");
    client.expect_line("pong 6");
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    for (mut client, _) in each_game() {
        client.send("st 0.1\ngo");
        client.close_input();
        client.expect_line("move ");
        assert!(client.wait(SOON).success());
        let mut client = Client::xboard("gothic");
        client.send("analyze");
        client.close_input();
        assert!(client.wait(SOON).success());
    }
}
