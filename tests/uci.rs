//! Dialogues with the program, as clients lead them.

use crate::common::client::{Client, SOON, pv, score, value};
use crate::common::program::{Program, QUADRILLE, Run, quadrille, scratch};
use quadrille::engine::{VARIANTS, VariantInfo};
use std::process::Command;
use std::time::{Duration, Instant};

/// How long the program may take to end.
const AT_ONCE: Duration = Duration::from_secs(2);

/// A dialogue in each game.
fn each_game() -> impl Iterator<Item = (Client, VariantInfo)> {
    VARIANTS
        .iter()
        .map(|variant| (Client::playing(variant.info.name), variant.info))
}

/// The start position and the samples of a game, as arguments of `position`.
fn positions(info: &VariantInfo) -> Vec<String> {
    let samples = info.samples.iter().map(|fen| format!("fen {fen}"));
    std::iter::once("startpos".into()).chain(samples).collect()
}

/// The move of a `bestmove` line.
fn best(lines: &[String]) -> &str {
    value(lines.last().unwrap(), "bestmove").unwrap()
}

/// The info lines with a score.
fn scored(lines: &[String]) -> impl DoubleEndedIterator<Item = &str> {
    let lines = lines.iter().map(String::as_str);
    lines.filter(|line| line.contains(" score "))
}

mod handshake {
    use super::*;

    #[test]
    fn uci_lists_the_options() {
        let names: Vec<_> = VARIANTS.iter().map(|variant| variant.info.name).collect();
        let vars = names.join(" var ");
        for name in names {
            let mut client = Client::playing(name);
            let lines = client.ask("uci");
            assert!(lines[0].starts_with("id name Quadrille "), "{lines:?}");
            assert!(lines[1].starts_with("id author "), "{lines:?}");
            assert_eq!(lines.last().unwrap(), "uciok");
            for option in [
                &format!("option name UCI_Variant type combo default {name} var {vars}"),
                "option name Clear Hash type button",
                "option name Ponder type check default false",
            ] {
                assert!(
                    lines.iter().any(|line| line == option),
                    "{option}: {lines:#?}"
                );
            }
            for spin in ["Hash", "Threads", "MultiPV", "Move Overhead"] {
                let prefix = format!("option name {spin} type spin default ");
                assert!(lines.iter().any(|line| line.starts_with(&prefix)), "{spin}");
            }
        }
    }

    #[test]
    fn the_first_game_is_the_default() {
        let mut client = Client::start(&[]);
        assert_eq!(client.query("fen"), VARIANTS[0].info.start);
    }

    #[test]
    fn every_way_to_write_setoption() {
        let mut client = Client::start(&[]);
        for line in [
            "setoption name Hash value 8",
            "setoption name hash value 8",
            "setoption name Clear Hash",
            "setoption name clear hash value true",
            "setoption  name  Move   Overhead  value  10",
            "setoption name NodesTime value 5",
            "setoption name Ponder value true",
            "setoption name UCI_AnalyseMode value false",
            "setoption name UCI_ShowWDL value TRUE",
            "setoption name EvalFile value <Material>",
            "setoption name evalfile value <INTERNAL>",
            "setoption name EndgamePath value <Empty>",
            "setoption name Skill Level value 3",
            "setoption name UCI_LimitStrength value true",
            "setoption name UCI_Elo value 1000",
            "setoption name Threads value 2",
            "setoption name MultiPV value 3",
            "ucinewgame",
            "debug off",
        ] {
            client.tell(line);
        }
    }

    #[test]
    fn a_bad_value_is_told_what_is_allowed() {
        let mut client = Client::start(&[]);
        let names: Vec<_> = VARIANTS.iter().map(|variant| variant.info.name).collect();
        for (option, values, allowed) in [
            (
                "Hash",
                &["0", "-1", "x", "99999999999999999999", "1.5"][..],
                "from 1 to ",
            ),
            ("Threads", &["0", "257"], "from 1 to 256"),
            ("MultiPV", &["0", "501"], "from 1 to 500"),
            ("Move Overhead", &["-1", "5001"], "from 0 to 5000"),
            ("nodestime", &["-1", "10001"], "from 0 to 10000"),
            ("Skill Level", &["-1", "21"], "from 0 to 20"),
            ("UCI_Elo", &["99", "2801"], "from 100 to 2800"),
            ("UCI_LimitStrength", &["on"], "`true` or `false`"),
            ("UCI_ShowWDL", &["on"], "`true` or `false`"),
            ("Ponder", &["1", "yes"], "`true` or `false`"),
            (
                "UCI_Variant",
                &["chess", "gothics", "gothic congress"],
                &names.join(", "),
            ),
        ] {
            for value in values {
                let line = format!("setoption name {option} value {value}");
                let reason = client.refused(&line);
                assert!(reason.contains(option), "{line}: {reason}");
                assert!(reason.contains(allowed), "{line}: {reason}");
            }
        }
        assert_eq!(client.query("fen"), VARIANTS[0].info.start);
    }

    /// A search that waits for the system to give it memory hears no `stop`.
    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_taken_up_before_a_search_and_not_beyond_what_there_is() {
        let mut client = Client::start(&[]);
        client.search("go nodes 1000");
        let before = client.status("VmRSS");
        client.tell("setoption name Hash value 80");
        client.ask("setoption name Threads value 3");
        let taken = client.status("VmRSS") - before;
        assert!(taken >= (64 + 2 * 8) << 10, "{taken} KB");
        client.tell("ucinewgame");
        client.search("go nodes 100000");
        client.tell("setoption name Clear Hash");
        let more = client.status("VmRSS") - before;
        assert!(more < taken + (16 << 10), "{more} KB after {taken} KB");
        let lines = client.ask("uci");
        let hash = lines.iter().find(|line| line.contains("name Hash "));
        let most = value(hash.unwrap(), "max").unwrap();
        let reason = client.refused(&format!("setoption name Hash value {most}"));
        assert!(reason.ends_with("MB of memory are not free"), "{reason}");
        assert!(client.status("VmRSS") - before < taken + (16 << 10));
    }

    #[test]
    fn a_file_that_is_no_network_is_refused_and_the_old_one_kept() {
        let mut client = Client::playing("congress");
        let value = |client: &mut Client| client.ask("eval").pop();
        let internal = value(&mut client);
        for (file, fault) in [
            ("/nonexistent/file", "/nonexistent/file"),
            ("README.md", "it is no network"),
            ("tests", "it is not a file"),
            (
                "src/eval/networks/gothic.net",
                "it is a network for `gothic`",
            ),
        ] {
            let reason = client.refused(&format!("setoption name EvalFile value {file}"));
            assert!(
                reason.starts_with("option EvalFile: ") && reason.contains(fault),
                "{reason}"
            );
            assert_eq!(value(&mut client), internal);
        }
        client.tell("position fen k7/6p1/2p5/2P5/1P6/K7 w - - 0 1");
        let internal = value(&mut client);
        client.tell("setoption name EvalFile value <material>");
        let material = value(&mut client);
        assert_ne!(material, internal);
        client.tell("setoption name EvalFile value src/eval/networks/congress.net");
        assert_eq!(value(&mut client), internal);
        client.tell("setoption name EvalFile value <material>");
        client.ask("setoption name UCI_Variant value congress");
        client.tell("position fen k7/6p1/2p5/2P5/1P6/K7 w - - 0 1");
        assert_eq!(value(&mut client), internal);
    }

    /// Before the next `readyok`, or it would be too late for a client.
    #[test]
    fn the_dialogue_is_noted_in_a_file() {
        let path = scratch("uci/log").join("dialogue.log");
        let name = path.display();
        let mut client = Client::start(&[]);
        let reason = client.refused("setoption name Debug Log File value /nonexistent/file");
        assert!(
            reason.starts_with("option Debug Log File: /nonexistent/file"),
            "{reason}"
        );
        let reason = client.refused("setoption name Debug Log File value tests");
        assert!(reason.contains("it is not a file"), "{reason}");
        client.tell(&format!("setoption name Debug Log File value {name}"));
        assert_eq!(client.query("gameover"), "false");
        client.search("go depth 1");
        client.tell("setoption name Debug Log File value <empty>");
        client.query("fen");
        let noted = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<_> = noted
            .lines()
            .map(|line| {
                let (seconds, line) = line.split_once(' ').unwrap();
                assert!(seconds.parse::<f64>().is_ok(), "{noted}");
                line
            })
            .collect();
        assert!(lines.contains(&"> query gameover"), "{noted}");
        assert!(lines.contains(&"< response false"), "{noted}");
        assert!(lines.iter().any(|line| line.starts_with("< bestmove ")));
        assert!(!noted.contains("query fen"), "{noted}");
        // What is noted later comes after it.
        client.tell(&format!("setoption name Debug Log File value {name}"));
        client.query("key");
        let longer = std::fs::read_to_string(&path).unwrap();
        assert!(longer.starts_with(&noted) && longer.len() > noted.len());
    }

    #[test]
    fn the_dialogue_can_be_watched() {
        let lines = "setoption name Debug Log File value /dev/stderr\nquery gameover\n";
        let noted = Command::new(QUADRILLE).run_with(lines).stderr;
        assert!(noted.ends_with(" < response false\n"), "{noted}");
    }

    #[test]
    fn threads_without_processors_are_noted() {
        let processors = std::thread::available_parallelism().unwrap().get();
        let mut client = Client::start(&[]);
        client.tell(&format!("setoption name Threads value {processors}"));
        let threads = processors + 1;
        let lines = client.ask(&format!("setoption name Threads value {threads}"));
        let note = format!("info string {threads} threads on {processors} processors: ");
        assert!(lines.len() == 1 && lines[0].starts_with(&note), "{lines:?}");
    }

    #[test]
    fn setting_the_variant_describes_it() {
        let mut client = Client::start(&[]);
        for variant in VARIANTS {
            let info = variant.info;
            assert_eq!(
                client.ask(&format!("setoption name UCI_Variant value {}", info.name)),
                [format!(
                    "info string variant {} files {} ranks {} pocket 0 template fairy startpos {}",
                    info.name, info.files, info.ranks, info.start
                )]
            );
            assert_eq!(client.query("fen"), info.start);
        }
    }
}

mod bad_input {
    use super::*;

    #[test]
    fn one_line_of_error_and_no_harm() {
        for (mut client, info) in each_game() {
            let start = info.start;
            let first = client.moves().swap_remove(0);
            client.tell(&format!("position startpos moves {first}"));
            let fen = client.query("fen");
            assert_ne!(fen, start);
            for line in [
                "xyzzy",
                "UCI",
                "position",
                "position e2e4",
                "position fen",
                "position fen moves",
                "position fen 8/8 w - - 0 1",
                &format!("position fen {start} 7"),
                &format!("position fen {start} {first}"),
                &format!("position startpos {first}"),
                "position startpos moves a1a1",
                "position startpos moves 0000",
                "position startpos moves (none)",
                "position startpos moves é3",
                "position startpos moves a9a10a11",
                &format!("position startpos moves {first} {first} {first}"),
                &format!("position startpos moves {}", first.to_uppercase()),
                &format!("position startpos moves {first}k"),
                "go perft",
                "go perft 1000",
                "setoption",
                "setoption value 3",
                "setoption name",
                "setoption name Nonsense value 3",
                "query",
                "query everything",
                "debug",
                "debug maybe",
                "bench 0",
                "bench x",
                "bell \u{7} escape \u{1b}[2J null \0",
            ] {
                client.refused(line);
                assert_eq!(client.query("fen"), fen, "after `{line}`");
            }
            for line in [
                "go depth",
                "go depth 0",
                "go depth x",
                "go depth -3",
                "go nodes 0",
                "go movetime soon",
                "go wtime",
                "go fast",
                "go searchmoves",
                "go searchmoves a1a1",
                "go searchmoves depth 3",
            ] {
                let lines = client.ask(line);
                assert!(lines[0].starts_with("info string error: go"), "{lines:?}");
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
            assert!(reason.contains("move 2"), "{reason}");
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
                assert_eq!(
                    lines[0],
                    format!("info string error: go: {unknown} is not known")
                );
                assert_ne!(best(&lines), "(none)", "{go}");
            }
        }
    }

    /// A client that hears only `bestmove` would take it for the position that it sent.
    #[test]
    fn a_search_after_a_refused_position_says_what_it_is_about() {
        let mut client = Client::start(&[]);
        let start = client.query("fen");
        client.refused("position fen 8/8 w");
        for _ in 0..2 {
            let lines = client.search("go depth 1");
            assert!(lines[0].starts_with("info string error: go: "), "{lines:?}");
            assert!(lines[0].ends_with(&start), "{lines:?}");
        }
        client.tell("position startpos");
        assert!(client.search("go depth 1")[0].starts_with("info depth"));
        client.refused("position fen 8/8 w");
        client.ask("setoption name UCI_Variant value congress");
        assert!(client.search("go depth 1")[0].starts_with("info depth"));
    }

    /// What is wrong, and what to write.
    #[test]
    fn an_error_says_what_to_do() {
        let mut client = Client::start(&[]);
        for (line, help) in [
            (
                "position startpos moves E2E4",
                "`E2E4`, is written e2e4 here",
            ),
            ("position startpos moves e4", "`e4`, is written e2e4 here"),
            ("position startpos moves Nc3", "`Nc3`, is written b1c3 here"),
            (
                "position startpos moves e2-e4",
                "`e2-e4`, is written e2e4 here",
            ),
            (
                "position startpos moves xyz",
                "`xyz`, is not two squares, as in a2a",
            ),
            (
                "position fen 9k/P9/10/10/10/10/10/K9 w - - 0 1 moves a7a8",
                "needs the new piece: a7a8a, a7a8b, a7a8c, a7a8n, a7a8q, a7a8r",
            ),
            (
                "position fen hh1kk1bb/1pppppp1/8/8/1PPPPPP1/HH1KK1BB w - - 0 1",
                "it is a position of congress: setoption name UCI_Variant value congress",
            ),
            ("position fen k7", "1 rank, but the board has 8"),
            ("position", "startpos or fen must follow"),
            (
                "query",
                "one of fen, moves, gameover, p1turn, result, reason, check, key, table, san",
            ),
            ("query colour", "`colour` is not one of fen, moves"),
            ("setoption name Hash", "option Hash: its value is missing"),
            (
                "setoption name UCI_Variant",
                "option UCI_Variant: its value is missing",
            ),
            (
                "setoption name EvalFile",
                "option EvalFile: its value is missing",
            ),
            ("setoption name", "no name follows"),
            ("debug", "on or off must follow"),
            ("UCI", "commands are in lower case"),
        ] {
            let reason = client.refused(line);
            assert!(reason.contains(help), "{line}: {reason}");
        }
        let lines = client.ask("go wtime abc");
        assert!(
            lines[0].ends_with("wtime: `abc` is not a number"),
            "{lines:?}"
        );
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
    fn line_ends_blanks_and_empty_lines() {
        let mut client = Client::start(&[]);
        client.send_bytes(b"\r\n\n   \t \n  position \t startpos   moves \r\nisready\r\n");
        assert_eq!(client.lines_to("readyok"), ["readyok"]);
        client.send_bytes(b"position startpos moves e2e4\r\nquery fen\r\n");
        let fen = client.expect_line("response");
        assert!(fen.contains("/4P5/"), "{fen}");
        assert!(fen.ends_with(" b KQkq - 0 1"), "{fen}");
    }

    #[test]
    fn bytes_that_are_no_text() {
        let mut client = Client::start(&[]);
        client.send_bytes(
            b"\xff\xfe\x80\nposition fen \xc3\x28/8 w\nposition startpos moves \xf0\x9f\n",
        );
        client.send_bytes(&[&[b'x'; 2_000_000][..], b"\nisready\n"].concat());
        let lines = client.lines_to("readyok");
        assert_eq!(lines.len(), 5, "{lines:?}");
        for line in &lines[..4] {
            assert!(line.starts_with("info string error: "), "{line}");
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
}

mod ending {
    use super::*;

    fn ends(mut client: Client) {
        assert!(client.wait(AT_ONCE).success());
    }

    #[test]
    fn at_the_end_of_the_input() {
        for lines in [
            "isready",
            "isready\ngo infinite",
            "isready\ngo ponder wtime 60000 btime 60000",
            "isready\ngo",
            "isready\ngo depth 1\ngo infinite",
        ] {
            let mut client = Client::start(&[]);
            client.send(lines);
            client.expect_line("readyok");
            client.close_input();
            for _ in lines.matches("go") {
                client.expect_line("bestmove ");
            }
            ends(client);
        }
    }

    /// All that is piped in is done, if it ends by itself.
    #[test]
    fn what_ends_by_itself_is_finished_first() {
        for (lines, last) in [
            ("go depth 6", "info depth 6 "),
            ("go nodes 20000\nposition startpos moves e2e4", "bestmove "),
            ("go perft 3", "Nodes searched: 25283"),
            ("bench 2", "total "),
            (
                "position fen 9k/10/8K1/10/10/10/10/Q9 w\ngo mate 1",
                "info depth 1 ",
            ),
            (
                "go infinite\nposition startpos\ngo depth 6",
                "info depth 6 ",
            ),
            ("go depth 2\ngo depth 6", "info depth 6 "),
        ] {
            let mut client = Client::start(&[]);
            client.send(lines);
            client.close_input();
            client.expect_line(last);
            ends(client);
        }
        for clock in ["movetime 300", "wtime 6000 btime 6000"] {
            let begun = Instant::now();
            let mut client = Client::start(&[]);
            client.send(&format!("go {clock}"));
            client.close_input();
            client.expect_line("bestmove ");
            assert!(begun.elapsed() >= Duration::from_millis(50), "{clock}");
        }
    }

    #[test]
    fn at_the_end_of_an_unfinished_line() {
        let mut client = Client::start(&[]);
        client.send_bytes(b"isready\ngo depth 2");
        client.close_input();
        client.expect_line("readyok");
        client.expect_line("bestmove");
        ends(client);
    }

    #[test]
    fn at_quit() {
        for before in [
            "isready",
            "isready\ngo infinite",
            "isready\ngo depth 60\ngo depth 60",
            "isready\nbench 60",
        ] {
            let mut client = Client::start(&[]);
            client.send(before);
            client.expect_line("readyok");
            std::thread::sleep(Duration::from_millis(100));
            client.send("quit");
            ends(client);
        }
    }

    /// Quietly: no complaint about the broken pipe.
    #[test]
    fn when_nobody_listens() {
        for arguments in [&[][..], &["bench", "3"], &["perft", "gothic", "2"]] {
            let mut child = Program::piped(&mut quadrille(arguments), SOON);
            drop(child.stdout.take());
            let mut input = child.stdin.take().unwrap();
            // The program may be gone already.
            let _ = std::io::Write::write_all(&mut input, b"go infinite\n");
            let output = child.output();
            drop(input);
            assert_eq!(output.succeeded().stderr, "", "{arguments:?}");
        }
    }
}

mod steering {
    use super::*;

    #[test]
    fn stop_is_answered_with_a_legal_move() {
        for (mut client, info) in each_game() {
            for position in positions(&info) {
                client.tell(&format!("position {position}"));
                let moves = client.moves();
                client.send("go infinite");
                let lines = client.search("stop");
                assert!(moves.iter().any(|mv| mv == best(&lines)), "{lines:?}");
                assert!(scored(&lines).count() > 0, "{lines:?}");
                client.tell("stop");
                client.tell("ponderhit");
            }
        }
    }

    #[test]
    fn questions_are_answered_while_searching() {
        for (mut client, info) in each_game() {
            client.send("go infinite");
            client.send("isready");
            client.expect_line("readyok");
            assert_eq!(client.query("fen"), info.start);
            assert_eq!(client.query("gameover"), "false");
            client.send("xyzzy");
            client.expect_line("info string error: ");
            client.send("isready");
            let lines = client.lines_to("readyok");
            assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
            client.search("stop");
        }
    }

    /// `go infinite` and `go ponder` are not answered before `stop` or `ponderhit`, even
    /// when there is nothing left to search.
    #[test]
    fn the_answer_waits_until_it_is_wanted() {
        let mut client = Client::playing("pressman");
        for (position, answer) in [
            ("fen 8/8/8/8/8/8/8/Q6q w - - 0 1", "bestmove a1h1"),
            ("fen 8/8/8/8/8/8/8/7q w - - 0 1", "bestmove (none)"),
        ] {
            for go in [
                "go infinite",
                "go infinite depth 1",
                "go ponder depth 1",
                "go ponder movetime 1",
            ] {
                client.tell(&format!("position {position}"));
                client.send(go);
                client.expect_line("info depth ");
                std::thread::sleep(Duration::from_millis(50));
                client.send("isready");
                let lines = client.lines_to("readyok");
                assert!(
                    !lines.iter().any(|line| line.starts_with("bestmove")),
                    "{go}: {lines:?}"
                );
                let end = if go.contains("ponder") {
                    "ponderhit"
                } else {
                    "stop"
                };
                let lines = client.search(end);
                assert!(lines.last().unwrap().starts_with(answer), "{go}: {lines:?}");
            }
        }
    }

    #[test]
    fn pondering_ends_with_the_clock_after_ponderhit() {
        let mut client = Client::start(&[]);
        client.send("go ponder wtime 500 btime 500");
        std::thread::sleep(Duration::from_millis(600));
        client.send("isready");
        let lines = client.lines_to("readyok");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
        let start = Instant::now();
        client.search("ponderhit");
        assert!(start.elapsed() < AT_ONCE);
        client.send("go ponder wtime 500 btime 500");
        client.search("stop");
    }

    #[test]
    fn another_game_ends_the_search() {
        let mut client = Client::start(&[]);
        for variant in VARIANTS.iter().rev() {
            client.send("go infinite");
            client.send(&format!(
                "setoption name UCI_Variant value {}",
                variant.info.name
            ));
            let lines = client.lines_to("info string variant");
            let answers = lines.iter().filter(|line| line.starts_with("bestmove"));
            assert_eq!(answers.count(), 1);
            assert_eq!(client.query("fen"), variant.info.start);
        }
    }

    #[test]
    fn each_go_has_its_answer() {
        let mut client = Client::start(&[]);
        client.send("go infinite\nposition startpos moves e2e4\ngo depth 3");
        client.expect_line("bestmove");
        let lines = client.lines_to("bestmove");
        assert!(client.moves().iter().any(|mv| mv == best(&lines)));
        assert!(client.is_silent());
    }

    /// A script pipes positions without waiting: all are answered, in order.
    #[test]
    fn many_searches_can_wait() {
        let mut client = Client::start(&[]);
        const FEW: u32 = 2_000;
        const MANY: u32 = 30 * FEW;
        let begun = Instant::now();
        for _ in 0..FEW {
            client.search("go depth 1");
        }
        let one_by_one = begun.elapsed();
        client.send(&"go depth 1\n".repeat(MANY as usize));
        let begun = Instant::now();
        for _ in 0..MANY {
            client.expect_line("bestmove ");
        }
        // One that waits takes no longer than one alone, but 16 times as long if each looks at
        // all that wait.
        let most = 5 * (MANY / FEW) * one_by_one;
        assert!(begun.elapsed() < most, "{:?}, {most:?}", begun.elapsed());
    }

    #[test]
    fn a_stop_that_waits_ends_what_was_begun_before_it() {
        let mut client = Client::start(&[]);
        client.send("go movetime 100\ngo infinite\nposition startpos\nstop\ngo infinite\nisready");
        client.expect_line("bestmove ");
        client.expect_line("bestmove ");
        client.expect_line("info depth 5 ");
        client.send("stop");
        client.expect_line("bestmove ");
        client.send("ponderhit\nquery fen");
        client.expect_line("response ");
    }

    #[test]
    fn piped_positions_are_all_answered() {
        let mut client = Client::playing("pressman");
        let rows = [
            ("Qq6", "b1"),
            ("Q1q5", "c1"),
            ("Q2q4", "d1"),
            ("Q3q3", "e1"),
            ("Q4q2", "f1"),
            ("Q5q1", "g1"),
            ("Q6q", "h1"),
        ];
        for (row, _) in rows {
            client.send(&format!(
                "position fen 8/8/8/8/8/8/8/{row} w - - 0 1\ngo depth 4"
            ));
        }
        for (_, target) in rows {
            let answer = client.expect_line("bestmove");
            assert_eq!(answer, format!("bestmove a1{target}"));
        }
        assert!(client.is_silent());
    }

    #[test]
    fn nothing_is_said_after_the_answer() {
        for (mut client, _) in each_game() {
            client.send("go infinite");
            client.search("stop");
            assert!(client.is_silent());
            client.search("go depth 4");
            assert!(client.is_silent());
        }
    }
}

mod limits {
    use super::*;

    #[test]
    fn depth() {
        for (mut client, _) in each_game() {
            let lines = client.search("go depth 3");
            let depths: Vec<_> = scored(&lines)
                .filter_map(|line| value(line, "depth"))
                .collect();
            assert_eq!(depths, ["1", "2", "3"]);
        }
    }

    #[test]
    fn nodes() {
        for (mut client, _) in each_game() {
            for nodes in [1, 100, 5000] {
                let moves = client.moves();
                let lines = client.search(&format!("go nodes {nodes}"));
                let last = scored(&lines).next_back().unwrap();
                let searched: u64 = value(last, "nodes").unwrap().parse().unwrap();
                assert!(searched <= nodes, "{searched} of {nodes}");
                assert!(moves.iter().any(|mv| mv == best(&lines)));
            }
        }
    }

    #[test]
    fn movetime() {
        for (mut client, _) in each_game() {
            let start = Instant::now();
            client.search("go movetime 200");
            let elapsed = start.elapsed();
            assert!(elapsed >= Duration::from_millis(100), "{elapsed:?}");
            assert!(elapsed <= Duration::from_secs(5), "{elapsed:?}");
        }
    }

    /// With `nodestime` the engine's own clock counts after the first move of a game, and the same
    /// game comes out again.
    #[test]
    fn nodes_instead_of_time() {
        for (mut client, info) in each_game() {
            client.tell("setoption name nodestime value 100");
            let mut game = || {
                client.tell("ucinewgame");
                let mut search = |go| {
                    let lines = client.search(go);
                    let last = scored(&lines).next_back().unwrap();
                    let nodes = value(last, "nodes").unwrap().parse::<u64>().unwrap();
                    (best(&lines).to_string(), nodes)
                };
                ["go wtime 1000 btime 1000", "go wtime 1 btime 1"].map(&mut search)
            };
            let moves = game();
            let enough = |nodes| (1_000..40_000).contains(&nodes);
            assert!(
                moves.iter().all(|&(_, nodes)| enough(nodes)),
                "{}: {moves:?}",
                info.name
            );
            assert_eq!(game(), moves, "{}", info.name);
            client.tell("ucinewgame");
            let lines = client.search("go wtime 1 btime 1");
            let last = scored(&lines).next_back().unwrap();
            let nodes: u64 = value(last, "nodes").unwrap().parse().unwrap();
            assert!(nodes < 1_000, "{}: {last}", info.name);
        }
    }

    #[test]
    fn clocks_that_have_run_out() {
        for (mut client, _) in each_game() {
            for clock in [
                "wtime 1 btime 1",
                "wtime 0 btime 0 winc 0 binc 0 movestogo 1",
                "wtime -500 btime -500",
            ] {
                let start = Instant::now();
                client.search(&format!("go {clock}"));
                assert!(start.elapsed() < Duration::from_secs(5), "{clock}");
            }
        }
    }

    #[test]
    fn a_clock_of_either_side_ends_the_search() {
        for (mut client, info) in each_game() {
            for clock in [
                "wtime 500",
                "btime 500",
                "p1time 500",
                "p2time 500.75 p2inc 1.5",
                "binc 100",
                "winc 0 binc 0",
                "movestogo 20",
                "ponder wtime 500",
                "ponder btime 500 movestogo 99999999999999999999",
            ] {
                client.send(&format!("go {clock}"));
                client.send("ponderhit");
                let lines = client.lines_to("bestmove");
                assert!(lines.len() > 1, "{}: {clock}: {lines:?}", info.name);
            }
        }
    }

    #[test]
    fn a_clock_is_the_nearest_number() {
        let mut client = Client::start(&[]);
        for clock in ["wtime 99999999999999999999999.9", "wtime 1000.5 winc 10.25"] {
            let lines = client.search(&format!("go depth 1 {clock}"));
            assert!(lines[0].starts_with("info depth 1 "), "{lines:?}");
        }
        for clock in [
            "wtime inf",
            "wtime 1e3",
            "btime --1",
            "btime 1..5",
            "winc .",
        ] {
            let lines = client.search(&format!("go depth 1 {clock}"));
            assert!(lines[0].ends_with("is not a number"), "{lines:?}");
        }
        // Increments alone leave the end to other limits.
        let lines = client.search("go depth 5 winc 100 binc 100");
        assert!(scored(&lines).any(|line| line.starts_with("info depth 5 ")));
    }

    #[test]
    fn searchmoves() {
        for (mut client, _) in each_game() {
            for mv in client.moves().iter().take(3) {
                let lines = client.search(&format!("go searchmoves {mv} depth 3"));
                assert_eq!(best(&lines), mv);
                assert!(
                    scored(&lines).all(|line| pv(line).unwrap()[0] == mv),
                    "{lines:?}"
                );
            }
        }
    }

    #[test]
    fn mate() {
        let mut client = Client::playing("pressman");
        client.tell("position fen 8/8/8/8/8/8/8/Q6q w - - 0 1");
        let lines = client.search("go mate 1");
        assert_eq!(
            score(scored(&lines).next_back().unwrap()),
            Some(("mate", 1))
        );
    }

    #[test]
    fn a_mate_that_there_is_not_ends_the_search() {
        for (mut client, _) in each_game() {
            for moves in 1..=2 {
                let lines = client.search(&format!("go mate {moves}"));
                let notice = &lines[lines.len() - 2];
                assert_eq!(*notice, format!("info string no mate in {moves}"));
                assert_ne!(best(&lines), "(none)");
            }
        }
        let mut client = Client::playing("gothic");
        client.tell("position fen 9k/10/10/10/10/10/5Q4/K9 w - - 0 1");
        let lines = client.search("go mate 3");
        assert!(lines.contains(&"info string no mate in 3".to_string()));
        // There is one, but longer.
        let lines = client.search("go mate 12");
        assert!(
            !lines.iter().any(|line| line.contains("no mate")),
            "{lines:?}"
        );
    }

    #[test]
    fn as_many_lines_as_asked_for() {
        for (mut client, _) in each_game() {
            let moves = client.moves();
            for wanted in [1, 3, 500] {
                client.tell(&format!("setoption name MultiPV value {wanted}"));
                let lines = client.search("go depth 3");
                let last: Vec<_> = scored(&lines)
                    .filter(|line| value(line, "depth") == Some("3"))
                    .collect();
                let count = moves.len().min(wanted);
                assert_eq!(last.len(), count, "{last:#?}");
                let mut firsts: Vec<_> = last.iter().map(|line| pv(line).unwrap()[0]).collect();
                assert_eq!(firsts[0], best(&lines));
                firsts.sort_unstable();
                firsts.dedup();
                assert_eq!(firsts.len(), count);
                let ranks: Vec<_> = last
                    .iter()
                    .filter_map(|line| value(line, "multipv"))
                    .collect();
                let expected: Vec<_> = (1..=count).map(|rank| rank.to_string()).collect();
                assert_eq!(ranks, expected);
                assert!(
                    last.iter()
                        .filter_map(|line| score(line))
                        .is_sorted_by(|a, b| rank(*a) >= rank(*b))
                );
            }
        }
    }

    #[test]
    fn little_skill_looks_less_deep_and_varies() {
        for (mut client, variant) in each_game() {
            for weak in [
                "setoption name Skill Level value 0",
                "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 100",
            ] {
                client.tell(&format!("setoption name Skill Level value 20\n{weak}"));
                let moves = client.moves();
                let mut answers = std::collections::HashSet::new();
                for _ in 0..40 {
                    let lines = client.search("go depth 9");
                    for line in scored(&lines) {
                        assert_eq!(value(line, "depth"), Some("1"), "{line}");
                        assert_eq!(value(line, "multipv"), Some("1"), "{line}");
                    }
                    answers.insert(best(&lines).to_string());
                }
                assert!(answers.iter().all(|mv| moves.contains(mv)), "{answers:?}");
                assert!(
                    (2..=5).contains(&answers.len()),
                    "{}: {answers:?}",
                    variant.name
                );
            }
            client.tell("setoption name UCI_Elo value 2800");
            let lines = client.search("go depth 9");
            assert!(scored(&lines).any(|line| value(line, "depth") == Some("9")));
        }
    }

    #[test]
    fn chances_follow_the_score_where_they_are_wanted() {
        for (mut client, _) in each_game() {
            client.tell("setoption name UCI_ShowWDL value true");
            for line in scored(&client.search("go depth 4")) {
                let words: Vec<_> = line.split(' ').collect();
                let place = words.iter().position(|&word| word == "wdl").expect(line);
                let chances: Vec<u32> = words[place + 1..place + 4]
                    .iter()
                    .map(|word| word.parse().unwrap())
                    .collect();
                assert_eq!(chances.iter().sum::<u32>(), 1000, "{line}");
            }
            client.tell("setoption name UCI_ShowWDL value false");
            let lines = client.search("go depth 4");
            assert!(lines.iter().all(|line| !line.contains("wdl")));
        }
    }

    /// Wins before all else, the shorter the better; losses last, the longer the better.
    fn rank((unit, number): (&str, i32)) -> i32 {
        match (unit, number.signum()) {
            ("mate", 1) => 1_000_000 - number,
            ("mate", _) => -1_000_000 - number,
            _ => number,
        }
    }
}

mod answers {
    use super::*;

    #[test]
    fn every_line_of_play_is_legal() {
        for (mut client, info) in each_game() {
            client.tell("setoption name MultiPV value 2");
            for position in positions(&info) {
                client.tell(&format!("position {position}"));
                let lines = client.search("go depth 7");
                for line in scored(&lines) {
                    let moves = pv(line).unwrap().join(" ");
                    client.tell(&format!("position {position} moves {moves}"));
                }
                let answer = lines.last().unwrap();
                let reply = value(answer, "ponder").unwrap_or_default();
                client.tell(&format!(
                    "position {position} moves {} {reply}",
                    best(&lines)
                ));
            }
        }
    }

    /// Also if the search is cut short just when it has changed its mind.
    #[test]
    fn the_last_line_begins_with_the_answer() {
        for (mut client, info) in each_game() {
            for position in positions(&info) {
                client.tell(&format!("position {position}"));
                for nodes in (100..4000).step_by(100) {
                    client.tell("ucinewgame");
                    let lines = client.search(&format!("go nodes {nodes}"));
                    let last = scored(&lines).next_back().unwrap();
                    assert_eq!(pv(last).unwrap()[0], best(&lines), "{position}: {lines:#?}");
                }
            }
        }
    }

    /// Some clients take a drawn score with a line of a single move for a draw agreed.
    #[test]
    fn a_drawn_score_with_a_single_move_means_a_draw() {
        for (mut client, info) in each_game() {
            for position in positions(&info) {
                for depth in 1..=5 {
                    client.tell(&format!("position {position}"));
                    let lines = client.search(&format!("go depth {depth}"));
                    for line in scored(&lines).filter(|line| score(line) == Some(("cp", 0))) {
                        if let [only] = pv(line).unwrap()[..] {
                            client.tell(&format!("position {position} moves {only}"));
                            assert_eq!(client.query("result"), "draw", "{line}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn perft() {
        for (mut client, _) in each_game() {
            let moves = client.moves();
            client.send("go perft 3");
            let lines = client.lines_to("Nodes searched: ");
            let total: u64 = lines.last().unwrap()["Nodes searched: ".len()..]
                .parse()
                .unwrap();
            let each: Vec<(&str, u64)> = lines
                .iter()
                .filter_map(|line| line.split_once(": "))
                .take(moves.len())
                .map(|(mv, nodes)| (mv, nodes.parse().unwrap()))
                .collect();
            assert!(each.iter().map(|(mv, _)| *mv).eq(moves.iter()), "{lines:?}");
            assert_eq!(each.iter().map(|(_, nodes)| nodes).sum::<u64>(), total);
            client.lines_to("");
            client.tell("position startpos");
        }
    }

    /// The nodes are the program's signature: the same in every run.
    #[test]
    fn a_bench_that_is_stopped_has_no_total() {
        let mut client = Client::start(&[]);
        client.send("bench 60");
        std::thread::sleep(Duration::from_millis(200));
        // The question waits for the end of what runs, as `position` does.
        client.send("stop\nposition startpos\nquery fen");
        let lines = client.lines_to("response");
        assert_eq!(lines.len(), 1, "{lines:?}");
    }

    #[test]
    fn bench_is_deterministic() {
        let nodes = || {
            let text = quadrille(["bench", "4"]).run().stdout;
            text.lines()
                .map(|line| line.split(" nodes ").next().unwrap().to_string())
                .collect::<Vec<_>>()
        };
        let first = nodes();
        assert_eq!(first.len(), VARIANTS.len() + 1);
        assert_eq!(first, nodes());
    }

    /// A politician changes by itself; the letter is understood, and never written.
    #[test]
    fn the_letter_of_a_change_is_optional() {
        let mut client = Client::playing("congress");
        let fen = "3k4/1P2B3/3H4/3h4/1p2b3/4K3 b - - 0 1";
        for spelling in ["d3e5", "d3e5b", "d3e5B"] {
            client.tell(&format!("position fen {fen} moves {spelling}"));
            let after = client.query("fen");
            assert_eq!(after, "3k4/1P2b3/3H4/8/1p2b3/4K3 w - - 0 2");
        }
        client.refused(&format!("position fen {fen} moves d3e5h"));
        client.tell(&format!("position fen {fen}"));
        let lines = client.search("go depth 1 searchmoves d3e5b");
        assert_eq!(best(&lines), "d3e5");
    }

    /// Kings that castle are written as going to their own square, however the client
    /// writes it.
    #[test]
    fn castling_is_read_in_every_spelling() {
        let mut client = Client::playing("gothic");
        let fen = "r4k3r/pppppppppp/10/10/10/10/PPPPPPPPPP/R4K3R w KQkq - 0 1";
        for (spellings, placement) in [
            (["f1i1", "f1j1", "O-O", "0-0"], "R6RK1 b kq"),
            (["f1c1", "f1a1", "O-O-O", "0-0-0"], "2KR5R b kq"),
        ] {
            for spelling in spellings {
                client.tell(&format!("position fen {fen} moves {spelling}"));
                let after = client.query("fen");
                assert!(after.contains(placement), "{spelling}: {after}");
            }
            client.tell(&format!("position fen {fen}"));
            let lines = client.search(&format!("go depth 1 searchmoves {}", spellings[1]));
            assert_eq!(best(&lines), spellings[0]);
        }
        client.tell(&format!("position fen {fen}"));
        let moves = client.moves();
        let own: Vec<_> = moves.iter().filter(|mv| mv.starts_with("f1")).collect();
        assert_eq!(own, ["f1c1", "f1e1", "f1g1", "f1i1"]);
        // Without the right, king takes rook is no castling.
        client.refused(&format!(
            "position fen {} moves f1j1",
            fen.replace("KQkq", "Q")
        ));
        client.refused(&format!(
            "position fen {} moves O-O",
            fen.replace("KQkq", "Q")
        ));
    }
}

mod queries {
    use super::*;

    #[test]
    fn a_game_in_progress() {
        for (mut client, info) in each_game() {
            assert_eq!(client.query("fen"), info.start);
            assert_eq!(client.query("gameover"), "false");
            assert_eq!(client.query("result"), "none");
            assert_eq!(client.query("reason"), "none");
            assert_eq!(client.query("p1turn"), "true");
            let key = client.query("key");
            assert_eq!(key.len(), 16);
            let moves = client.moves();
            assert!(moves.is_sorted() && !moves.is_empty(), "{moves:?}");
            client.tell(&format!("position startpos moves {}", moves[0]));
            assert_eq!(client.query("p1turn"), "false");
            assert_ne!(client.query("key"), key);
            let board = client.ask("d");
            assert!(
                board
                    .iter()
                    .any(|line| *line == format!("Variant: {}", info.name))
            );
            assert!(board.iter().any(|line| line.starts_with("Fen: ")));
            let sides = ["white", "black"].map(|side| format!("Side to move: {side}"));
            assert!(board.iter().any(|line| sides.contains(line)), "{board:?}");
            assert!(!client.ask("eval").is_empty());
        }
    }

    /// Every way in which a game can end on the board.
    #[test]
    fn finished_games() {
        for (variant, position, result, reason, score) in [
            (
                "gothic",
                "9k/7Q2/8K1/10/10/10/10/10 b - - 0 1",
                "draw",
                "stalemate",
                "cp 0",
            ),
            (
                "gothic",
                "9k/8Q1/8K1/10/10/10/10/10 b - - 0 1",
                "p1win",
                "checkmate",
                "mate 0",
            ),
            // The mate comes before the clock.
            (
                "gothic",
                "9k/8Q1/8K1/10/10/10/10/10 b - - 100 90",
                "p1win",
                "checkmate",
                "mate 0",
            ),
            (
                "congress",
                "8/8/8/8/1P6/K6K b - - 0 1",
                "p1win",
                "kings-captured",
                "mate 0",
            ),
            (
                "congress",
                "P6k/2h5/8/5p2/8/K7 w - - 0 28",
                "p2win",
                "no-moves",
                "mate 0",
            ),
            (
                "pressman",
                "8/8/8/8/8/8/8/q7 w - - 0 30",
                "p1win",
                "no-pieces",
                "mate 0",
            ),
            (
                "pressman",
                "8/8/8/8/8/8/8/Q7 b - - 0 30",
                "p2win",
                "no-pieces",
                "mate 0",
            ),
            (
                "crosseyed",
                "****4****/****4****/****4****/***6***/12/12/12/12/***6***/****4****/****4****/****2K1**** b - - 0 1",
                "p1win",
                "kings-captured",
                "mate 0",
            ),
            (
                "crosseyed",
                "****4****/****4****/****4****/***6***/k10k/12/4p7/RR8RR/***6***/****4****/****4****/****2K1**** b - - 0 1",
                "p1win",
                "kings-mated",
                "mate 0",
            ),
            (
                "crosseyed",
                "****2K1****/****4****/****4****/***6***/12/12/12/12/***6***/****4****/****pppp****/****kbbb**** b - - 0 1",
                "draw",
                "stalemate",
                "cp 0",
            ),
        ] {
            let mut client = Client::playing(variant);
            client.tell(&format!("position fen {position}"));
            assert_eq!(client.query("gameover"), "true", "{position}");
            assert_eq!(client.query("result"), result, "{position}");
            assert_eq!(client.query("reason"), reason, "{position}");
            assert_eq!(client.query("moves"), "", "{position}");
            for go in ["go depth 3", "go movetime 10", "go wtime 1000 btime 1000"] {
                assert_eq!(
                    client.search(go),
                    [&format!("info depth 0 score {score}"), "bestmove (none)"],
                    "{position}"
                );
            }
        }
    }

    /// Draws that clients differ in claiming: over for a question, but the moves go on.
    #[test]
    fn claimed_draws() {
        let gothic = "b1c3 b8c6 c3b1 c6b8";
        let pressman = "a7a6 a2a3 a6a7 a3a2";
        let crosseyed = "f2e4 b7d6 e4f2 d6b7";
        let twice = |moves: &str| format!("startpos moves {moves} {moves}");
        for (variant, position, reason) in [
            ("gothic", twice(gothic), "repetition"),
            ("pressman", twice(pressman), "repetition"),
            ("crosseyed", twice(crosseyed), "repetition"),
            ("gothic", "fen 5k4/10/10/10/10/10/10/R4K4 w - - 100 80 moves".into(), "clock"),
            ("gothic", "fen 5k4/10/10/10/10/10/10/1N1K1N4 w - - 100 80 moves".into(), "clock"),
            ("pressman", "fen 7q/7q/8/8/8/8/Q7/8 w - - 100 80 moves".into(), "clock"),
            (
                "crosseyed",
                "fen ****4****/****4****/****4****/***6***/k10k/12/12/12/***6***/****4****/****4****/****2K1**** w - - 100 1 moves"
                    .into(),
                "clock",
            ),
            ("gothic", "fen 5k4/10/10/10/10/10/10/5K4 w - - 0 1 moves".into(), "material"),
            ("gothic", "fen 5k4/10/10/10/10/10/10/1N3K4 b - - 0 1 moves".into(), "material"),
        ] {
            let mut client = Client::playing(variant);
            client.tell(&format!("position {position}"));
            assert_eq!(client.query("gameover"), "true", "{position}");
            assert_eq!(client.query("result"), "draw", "{position}");
            assert_eq!(client.query("reason"), reason, "{position}");
            assert_eq!(client.query("moves"), "", "{position}");
            for go in ["go depth 4", "go nodes 1000"] {
                let lines = client.search(go);
                let scores: Vec<_> = scored(&lines).filter_map(score).collect();
                assert!(!scores.is_empty());
                assert!(scores.iter().all(|&score| score == ("cp", 0)), "{lines:#?}");
                client.tell(&format!("position {position} {}", best(&lines)));
                client.tell(&format!("position {position}"));
            }
        }
    }

    /// In some games the side to move can be the one that has won, by what a FEN says.
    #[test]
    fn won_by_the_side_to_move() {
        let mut client = Client::playing("pressman");
        client.tell("position fen 8/8/8/8/8/8/8/q7 b - - 0 30");
        assert_eq!(client.query("result"), "p1win");
        let lines = client.search("go depth 3");
        assert_eq!(best(&lines), "(none)");
    }
}

/// Endings of few men that a search beside the clock asks for are solved on one thread, in
/// however quick a succession searches come.
#[test]
fn one_thread_solves_endings() {
    let mut client = Client::playing("gothic");
    client.tell("position fen 5k4/1p6p1/10/10/10/10/1P6P1/R4K4 w - - 0 1");
    let before = client.status("Threads");
    let mut most = 0;
    for _ in 0..20 {
        client.search("go movetime 1");
        let mut threads = client.status("Threads");
        if threads > before + 2 {
            // The system may not yet have cleared away the thread of the search before.
            std::thread::sleep(Duration::from_millis(20));
            threads = client.status("Threads");
        }
        most = most.max(threads);
    }
    // One that searches and one that solves.
    assert!(most <= before + 2, "{most} threads, {before} before");
}
