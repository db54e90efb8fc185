//! Greetings, options and the files that they name.

use crate::common::client::Client;
use crate::common::program::scratch;
use quadrille::engine::VARIANTS;

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
            assert!(lines.iter().any(|line| line == option), "{option}: {lines:#?}");
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
fn setoption_is_read_in_every_spelling() {
    let mut client = Client::start(&[]);
    let lines = "setoption name Hash value 8; setoption name hash value 8; \
                 setoption name Clear Hash; setoption name clear hash value true; \
                 setoption  name  Move   Overhead  value  10; setoption name NodesTime value 5; \
                 setoption name Ponder value true; setoption name UCI_AnalyseMode value false; \
                 setoption name UCI_ShowWDL value TRUE; setoption name EvalFile value <Material>; \
                 setoption name evalfile value <INTERNAL>; \
                 setoption name EndgamePath value <Empty>; setoption name Skill Level value 3; \
                 setoption name UCI_LimitStrength value true; setoption name UCI_Elo value 1000; \
                 setoption name Threads value 1; setoption name MultiPV value 3; ucinewgame; \
                 debug off";
    for line in lines.split("; ") {
        client.tell(line);
    }
}

#[test]
fn a_bad_value_is_told_what_is_allowed() {
    let mut client = Client::start(&[]);
    let names: Vec<_> = VARIANTS.iter().map(|variant| variant.info.name).collect();
    for (option, values, allowed) in [
        ("Hash", &["0", "-1", "x", "99999999999999999999", "1.5"][..], "from 1 to "),
        ("Threads", &["0", "257"], "from 1 to 256"),
        ("MultiPV", &["0", "501"], "from 1 to 500"),
        ("Move Overhead", &["-1", "5001"], "from 0 to 5000"),
        ("nodestime", &["-1", "10001"], "from 0 to 10000"),
        ("Skill Level", &["-1", "21"], "from 0 to 20"),
        ("UCI_Elo", &["399", "4201"], "from 400 to 4200"),
        ("UCI_LimitStrength", &["on"], "`true` or `false`"),
        ("UCI_ShowWDL", &["on"], "`true` or `false`"),
        ("Ponder", &["1", "yes"], "`true` or `false`"),
        ("UCI_Variant", &["chess", "gothics", "gothic congress"], &names.join(", ")),
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

/// A search that waits for memory from the system reads no `stop`.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_taken_before_a_search_and_within_bounds() {
    use crate::common::client::value;

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
    assert!(reason.ends_with("MB of memory cannot be allocated"), "{reason}");
    client.search("go nodes 1000");
    assert!(client.status("VmRSS") - before < taken + (16 << 10));
}

#[test]
fn a_file_that_is_no_network_is_refused_and_the_old_one_kept() {
    let mut client = Client::playing("congress");
    let value = |client: &mut Client| client.ask("eval").pop();
    let internal = value(&mut client);
    for (file, fault) in [
        ("/nonexistent/file", "/nonexistent/file"),
        ("README.md", "it is not a network"),
        ("tests", "it is not a file"),
        ("src/eval/networks/gothic.net", "it is a network of `gothic`, not of congress"),
    ] {
        let reason = client.refused(&format!("setoption name EvalFile value {file}"));
        assert!(reason.contains("option EvalFile: ") && reason.contains(fault), "{reason}");
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

/// A line is in the file before the next `readyok`; later would be too late for a client.
#[test]
fn the_dialogue_is_noted_in_a_file() {
    let path = scratch("uci/log").join("dialogue.log");
    let name = path.display();
    let mut client = Client::start(&[]);
    let reason = client.refused("setoption name Debug Log File value /nonexistent/file");
    assert!(reason.contains("option Debug Log File: /nonexistent/file"), "{reason}");
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
    // Later lines are appended.
    client.tell(&format!("setoption name Debug Log File value {name}"));
    client.query("key");
    let longer = std::fs::read_to_string(&path).unwrap();
    assert!(longer.starts_with(&noted) && longer.len() > noted.len());
}

#[cfg(unix)]
#[test]
fn the_dialogue_can_be_watched() {
    use crate::common::program::{Run, quadrille};

    let lines = "setoption name Debug Log File value /dev/stderr\nquery gameover\n";
    let noted = quadrille([""; 0]).run_with(lines).stderr;
    assert!(noted.ends_with(" < response false\n"), "{noted}");
}

#[test]
fn threads_without_processors_are_noted() {
    let processors = std::thread::available_parallelism().unwrap().get();
    let mut client = Client::start(&[]);
    client.tell(&format!("setoption name Threads value {processors}"));
    let threads = processors + 1;
    let lines = client.ask(&format!("setoption name Threads value {threads}"));
    let noun = if processors == 1 { "" } else { "s" };
    let note = format!("info string {threads} threads on {processors} processor{noun}: ");
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
