//! Limits of a search, and options that change it.

use super::{best, each_game, positions, scored};
use crate::common::client::{Client, pv, score, value};
use std::time::{Duration, Instant};

/// The nodes of a whole search.
fn nodes_of(lines: &[String]) -> u64 {
    let last = scored(lines).next_back().unwrap();
    value(last, "nodes").unwrap().parse().unwrap()
}

#[test]
fn depth_ends_the_search() {
    for (mut client, _) in each_game() {
        let lines = client.search("go depth 3");
        let depths: Vec<_> = scored(&lines).filter_map(|line| value(line, "depth")).collect();
        assert_eq!(depths, ["1", "2", "3"]);
    }
}

#[test]
fn nodes_are_not_exceeded() {
    for (mut client, _) in each_game() {
        for nodes in [1, 100, 5000] {
            let moves = client.moves();
            let lines = client.search(&format!("go nodes {nodes}"));
            let searched = nodes_of(&lines);
            assert!(searched <= nodes, "{searched} of {nodes}");
            assert!(moves.iter().any(|mv| mv == best(&lines)));
        }
    }
}

#[test]
fn movetime_is_used_up() {
    for (mut client, _) in each_game() {
        let start = Instant::now();
        client.search("go movetime 200");
        let elapsed = start.elapsed();
        assert!(elapsed >= Duration::from_millis(100), "{elapsed:?}");
        assert!(elapsed <= Duration::from_secs(5), "{elapsed:?}");
    }
}

/// With `nodestime` the engine's own clock counts after the first move of a game, and the game is
/// reproducible.
#[test]
fn nodes_can_replace_time() {
    for (mut client, info) in each_game() {
        client.tell("setoption name nodestime value 100");
        let mut game = || {
            client.tell("ucinewgame");
            let mut search = |go| {
                let lines = client.search(go);
                (best(&lines).to_string(), nodes_of(&lines))
            };
            ["go wtime 1000 btime 1000", "go wtime 1 btime 1"].map(&mut search)
        };
        let moves = game();
        let enough = |nodes| (1_000..40_000).contains(&nodes);
        assert!(moves.iter().all(|&(_, nodes)| enough(nodes)), "{}: {moves:?}", info.name);
        assert_eq!(game(), moves, "{}", info.name);
        client.tell("ucinewgame");
        let lines = client.search("go wtime 1 btime 1");
        assert!(nodes_of(&lines) < 1_000, "{}: {lines:?}", info.name);
    }
}

#[test]
fn a_clock_that_has_run_out_gets_an_answer() {
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
    for clock in ["wtime inf", "wtime 1e3", "btime --1", "btime 1..5", "winc ."] {
        let lines = client.search(&format!("go depth 1 {clock}"));
        assert!(lines[0].ends_with("is not a number"), "{lines:?}");
    }
    // Increments alone do not end a search.
    let lines = client.search("go depth 5 winc 100 binc 100");
    assert!(scored(&lines).any(|line| line.starts_with("info depth 5 ")));
}

#[test]
fn searchmoves_alone_are_searched() {
    for (mut client, _) in each_game() {
        for mv in client.moves().iter().take(3) {
            let lines = client.search(&format!("go searchmoves {mv} depth 3"));
            assert_eq!(best(&lines), mv);
            assert!(scored(&lines).all(|line| pv(line).unwrap()[0] == mv), "{lines:?}");
        }
    }
}

#[test]
fn mate_is_found() {
    let mut client = Client::playing("pressman");
    client.tell("position fen 8/8/8/8/8/8/8/Q6q w - - 0 1");
    let lines = client.search("go mate 1");
    assert_eq!(score(scored(&lines).next_back().unwrap()), Some(("mate", 1)));
}

/// The other side has no move left, which no leaf of the search asks.
#[test]
fn a_win_with_the_next_move_is_seen_at_every_depth() {
    let mut client = Client::playing("congress");
    for fen in ["7k/8/2pH4/H7/4Pp2/3H1K2 w - - 0 60", "k1H5/p7/p7/6B1/2H3B1/2H1K3 w - - 0 60"] {
        client.tell(&format!("position fen {fen}"));
        for limit in ["depth 1", "depth 2", "nodes 3", "nodes 20", "nodes 40", "nodes 900"] {
            client.tell("setoption name Clear Hash");
            let lines = client.search(&format!("go {limit}"));
            let last = score(scored(&lines).next_back().unwrap());
            assert_eq!(last, Some(("mate", 1)), "{fen}, {limit}: {lines:#?}");
        }
    }
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
    assert!(!lines.iter().any(|line| line.contains("no mate")), "{lines:?}");
}

#[test]
fn as_many_lines_as_asked_for() {
    for (mut client, _) in each_game() {
        let moves = client.moves();
        for wanted in [1, 3, 500] {
            client.tell(&format!("setoption name MultiPV value {wanted}"));
            let lines = client.search("go depth 3");
            let last: Vec<_> =
                scored(&lines).filter(|line| value(line, "depth") == Some("3")).collect();
            let count = moves.len().min(wanted);
            assert_eq!(last.len(), count, "{last:#?}");
            let mut firsts: Vec<_> = last.iter().map(|line| pv(line).unwrap()[0]).collect();
            assert_eq!(firsts[0], best(&lines));
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), count);
            let ranks: Vec<_> = last.iter().filter_map(|line| value(line, "multipv")).collect();
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

/// A client keeps the last line of each rank.
#[test]
fn each_move_stands_in_one_line_after_an_interruption() {
    const LINES: usize = 3;
    for (mut client, info) in each_game() {
        client.tell(&format!("setoption name MultiPV value {LINES}"));
        for position in positions(info) {
            for limit in (300..4000).step_by(170) {
                client.tell(&format!("ucinewgame\nposition {position}"));
                let lines = client.search(&format!("go nodes {limit}"));
                let mut firsts = [""; LINES];
                for line in scored(&lines) {
                    let rank: usize = value(line, "multipv").unwrap().parse().unwrap();
                    firsts[rank - 1] = pv(line).unwrap()[0];
                }
                let context = format!("{position}, {limit} nodes: {lines:#?}");
                assert_eq!(firsts[0], best(&lines), "{context}");
                let mut sent: Vec<_> = firsts.into_iter().filter(|mv| !mv.is_empty()).collect();
                sent.sort_unstable();
                let count = sent.len();
                sent.dedup();
                assert_eq!(sent.len(), count, "{context}");
            }
        }
    }
}

#[test]
fn little_skill_searches_less_deep_and_varies() {
    for (mut client, variant) in each_game() {
        for weak in [
            "setoption name Skill Level value 0",
            "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 400",
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
            assert!(answers.len() > 1, "{}: {answers:?}", variant.name);
        }
        client.tell("setoption name UCI_Elo value 4200");
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
            let chances: Vec<u32> =
                words[place + 1..place + 4].iter().map(|word| word.parse().unwrap()).collect();
            assert_eq!(chances.iter().sum::<u32>(), 1000, "{line}");
        }
        client.tell("setoption name UCI_ShowWDL value false");
        let lines = client.search("go depth 4");
        assert!(lines.iter().all(|line| !line.contains("wdl")));
    }
}

/// Order of scores: the shortest win first, the longest loss last.
fn rank((unit, number): (&str, i32)) -> i32 {
    match (unit, number.signum()) {
        ("mate", 1) => 1_000_000 - number,
        ("mate", _) => -1_000_000 - number,
        _ => number,
    }
}

/// A search under a clock has endings with few pieces solved on one thread, however quickly
/// searches follow each other.
#[cfg(target_os = "linux")]
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
            // The system may not yet have removed the thread of the search before.
            std::thread::sleep(Duration::from_millis(20));
            threads = client.status("Threads");
        }
        most = most.max(threads);
    }
    // One thread searches and one solves.
    assert!(most <= before + 2, "{most} threads, {before} before");
}
