//! Bad input gets one line of error, and does no harm.

use super::{best, each_game};
use crate::common::client::Client;
use crate::common::rows;

#[test]
fn one_line_of_error_and_no_harm() {
    for (mut client, info) in each_game() {
        let start = info.start;
        let first = client.moves().swap_remove(0);
        client.tell(&format!("position startpos moves {first}"));
        let fen = client.query("fen");
        assert_ne!(fen, start);
        let upper = first.to_uppercase();
        let lines = format!(
            "xyzzy; UCI; position; position e2e4; position fen; position fen moves; \
             position fen 8/8 w - - 0 1; position startpos moves a1a1; \
             position startpos moves 0000; position startpos moves (none); \
             position startpos moves é3; position startpos moves a9a10a11; go perft; \
             go perft 1000; setoption; setoption value 3; setoption name; \
             setoption name Nonsense value 3; query; query everything; debug; debug maybe; \
             bench 0; bench x; position fen {start} 7; position fen {start} {first}; \
             position startpos {first}; position startpos moves {first} {first} {first}; \
             position startpos moves {upper}; position startpos moves {first}k; \
             bell \u{7} escape \u{1b}[2J null \0"
        );
        for line in lines.split("; ") {
            client.refused(line);
            assert_eq!(client.query("fen"), fen, "after `{line}`");
        }
        let lines = "go depth; go depth 0; go depth x; go depth -3; go nodes 0; go movetime soon; \
                     go wtime; go fast; go searchmoves; go searchmoves a1a1; \
                     go searchmoves depth 3";
        for line in lines.split("; ") {
            let lines = client.ask(line);
            assert!(lines[0].starts_with("info string error "), "{lines:?}");
            assert_eq!(lines[1..], ["bestmove (none)"], "{line}");
            assert_eq!(client.query("fen"), fen, "after `{line}`");
        }
        client.tell(&format!("position startpos moves {first}"));
        assert_ne!(best(&client.search("go depth 1")), "(none)");
    }
}

#[test]
fn an_illegal_move_is_named_with_its_number_and_place() {
    for (mut client, _) in each_game() {
        let first = client.moves().swap_remove(0);
        client.tell(&format!("position startpos moves {first}"));
        let fen = client.query("fen");
        let reason = client.refused(&format!("position startpos moves {first} {first}"));
        assert!(reason.starts_with("illegal-move position 2: "), "{reason}");
        assert!(reason.contains(&first), "{reason}");
        assert!(reason.contains(&fen), "{reason}");
    }
}

#[test]
fn unknown_words_of_go_are_reported_and_the_rest_obeyed() {
    for (mut client, _) in each_game() {
        for (go, unknown) in [
            ("go rtime 5 depth 2", "`rtime 5`"),
            ("go depth 2 rtime 5", "`rtime 5`"),
            ("go wtime 1000 btime 1000 rtime 5", "`rtime 5`"),
            ("go quickly nodes 100", "`quickly`"),
        ] {
            let lines = client.search(go);
            assert_eq!(lines[0], format!("info string error syntax go: {unknown} is not known"));
            assert_ne!(best(&lines), "(none)", "{go}");
        }
    }
}

/// A client that reads only `bestmove` would take it for an answer about its own position.
#[test]
fn a_search_after_a_refused_position_names_its_own() {
    let mut client = Client::start(&[]);
    let start = client.query("fen");
    client.refused("position fen 8/8 w");
    for _ in 0..2 {
        let lines = client.search("go depth 1");
        assert!(lines[0].starts_with("info string error refused-position go: "), "{lines:?}");
        assert!(lines[0].ends_with(&start), "{lines:?}");
    }
    client.tell("position startpos");
    assert!(client.search("go depth 1")[0].starts_with("info depth"));
    client.refused("position fen 8/8 w");
    client.ask("setoption name UCI_Variant value congress");
    assert!(client.search("go depth 1")[0].starts_with("info depth"));
}

/// The error has a code for programs, and names the fault and the remedy.
#[test]
fn an_error_says_what_to_do() {
    let mut client = Client::start(&[]);
    for [line, head, help] in rows(include_str!("../data/uci_errors.txt")) {
        let error = client.refused(line);
        assert!(error.starts_with(&format!("{head}: ")) && error.contains(help), "{line}: {error}");
    }
    client.tell("position fen k9/10/10/10/10/10/K9/R8R w - - 0 1");
    for (line, head) in [
        ("query coordinates Ra2 Kb8 Rg1", "illegal-move query 1"),
        ("query coordinates Kb2 Kb8 Rg1", "ambiguous-move query 3"),
        ("query typed Rg1", "ambiguous-move query 1"),
        ("go searchmoves a1b1 e1e8", "illegal-move go 2"),
        ("go searchmoves", "syntax go"),
        ("go depth", "syntax go"),
        ("go wtime abc", "value go"),
        ("go fast", "syntax go"),
    ] {
        let lines = client.ask(line);
        assert!(lines[0].starts_with(&format!("info string error {head}: ")), "{lines:?}");
    }
}

#[test]
fn what_shells_and_editors_add_is_dropped() {
    let mut client = Client::start(&[]);
    client.send_bytes("\u{feff}isready\n".as_bytes());
    assert_eq!(client.lines_to("readyok"), ["readyok"]);
    let fen = "9k/10/10/10/10/10/10/KR8 w - - 3 7";
    client.tell(&format!("position fen \"{fen}\""));
    assert_eq!(client.query("fen"), fen);
}

#[test]
fn line_ends_and_blanks_are_ignored() {
    let mut client = Client::start(&[]);
    client.send_bytes(b"\r\n\n   \t \n  position \t startpos   moves \r\nisready\r\n");
    assert_eq!(client.lines_to("readyok"), ["readyok"]);
    client.send_bytes(b"position startpos moves e2e4\r\nquery fen\r\n");
    let fen = client.expect_line("response");
    assert!(fen.contains("/4P5/"), "{fen}");
    assert!(fen.ends_with(" b KQkq - 0 1"), "{fen}");
}

#[test]
fn bytes_that_are_no_text_are_errors() {
    let mut client = Client::start(&[]);
    client
        .send_bytes(b"\xff\xfe\x80\nposition fen \xc3\x28/8 w\nposition startpos moves \xf0\x9f\n");
    client.send_bytes(&[&[b'x'; 2_000_000][..], b"\nisready\n"].concat());
    let lines = client.lines_to("readyok");
    assert_eq!(lines.len(), 5, "{lines:?}");
    for line in &lines[..4] {
        assert!(line.starts_with("info string error "), "{line}");
        assert!(line.len() < 1000);
    }
}

#[test]
fn a_game_of_many_moves_is_read() {
    let mut client = Client::start(&[]);
    let moves = "b1c3 b8c6 c3b1 c6b8 ".repeat(2000);
    client.tell(&format!("position startpos moves {moves}"));
    let fen = client.query("fen");
    assert!(fen.ends_with(" w KQkq - 8000 4001"), "{fen}");
}

/// In either protocol, wherever they stand.
#[test]
fn a_clients_words_neither_act_on_a_terminal_nor_begin_a_line() {
    let words = [
        "a\rbestmove a1a1",
        "\u{1b}[2J\u{1b}]0;x\u{7}",
        "\u{9b}31m",
        "\0\u{8}",
        "\u{202e}x\u{200b}\u{2028}",
    ];
    let is_harmful = |letter: char| {
        letter.is_control() || ['\u{202e}', '\u{200b}', '\u{2028}'].contains(&letter)
    };
    let check = |lines: Vec<String>, least: usize| {
        assert!(lines.len() >= least, "{lines:?}");
        let harmful: Vec<_> = lines.iter().filter(|line| line.contains(is_harmful)).collect();
        assert!(harmful.is_empty(), "{harmful:?}");
    };
    let mut uci = Client::start(&[]);
    uci.tell("debug off");
    uci.ask("debug on");
    let mut cecp = Client::xboard("congress");
    for word in words {
        let lines = "W; position W; position fen W; position startpos moves W; go W 1; \
                     go searchmoves W; setoption name W value 1; setoption name Hash value W; \
                     setoption name UCI_Variant value W; setoption name EvalFile value W; \
                     setoption name EndgamePath value /W; \
                     setoption name Debug Log File value /W/W; query W; query san W; \
                     query after W; query coordinates W; debug W; bench W";
        for line in lines.split("; ") {
            // The line as it was received, and the refusal.
            check(uci.ask(&line.replace('W', word)), 2);
        }
        let lines = "W; usermove W; setboard W; variant W; option W=1; option Hash=W; level W; \
                     time W; lift W; memory W; sd W; name W; result W {W}; rating W";
        for line in lines.split("; ") {
            check(cecp.ask_xboard(&line.replace('W', word)), 0);
        }
    }
}
