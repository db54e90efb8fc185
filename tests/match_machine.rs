//! What the machine does to a `match` is no fault of its engines.

#![cfg(unix)]

use crate::common::drawn;
use crate::common::matches::{last, run_match, start_match};
use crate::common::program::{Ended, Run, quadrille, scratch, shell, wait_for};
use quadrille::system::random::Random;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(60);
const SIGINT: i32 = 2;

/// A match by the clock, of this program with itself.
const CLOCKED: &str = "-variant congress -engine name=A cmd=quadrille -engine name=B cmd=quadrille \
                       -each tc=1+0.02 -games 2 -pgnout g.pgn";

/// The tags of a name in a PGN, sorted.
fn tags(pgn: &Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(pgn).unwrap_or_default();
    let tags = text.lines().filter_map(|line| {
        let value = line.strip_prefix(&format!("[{name} \""))?;
        value.strip_suffix("\"]").map(str::to_string)
    });
    let mut tags: Vec<_> = tags.collect();
    tags.sort();
    tags
}

/// Engines have process groups of their own, and go on while Ctrl-Z stops the match.
#[test]
fn a_game_during_which_the_match_stood_still_is_played_again() {
    let folder = scratch("match_machine/still");
    let pgn = folder.join("g.pgn");
    let mut random = Random::new(u64::from(std::process::id()), 0);
    for number in 0..drawn(8) {
        let _ = std::fs::remove_file(&pgn);
        let words = format!("{CLOCKED} -openings random seed={number}");
        let program = start_match(&folder, &words);
        sleep(Duration::from_millis(20 + random.below(800) as u64));
        program.signal("STOP");
        sleep(Duration::from_millis(1000 + random.below(2500) as u64));
        // `kill %1` after Ctrl-Z ends the match, and what stood still does not count either.
        let is_ended = number % 2 == 1;
        if is_ended {
            program.signal("TERM");
        }
        program.signal("CONT");
        let ended = program.output();
        if !is_ended {
            assert!(ended.stdout.ends_with("Finished match\n"), "{ended:#?}");
            assert_eq!(tags(&pgn, "Round"), ["1.1", "1.2"], "{ended:#?}");
        }
        for termination in tags(&pgn, "Termination") {
            assert_eq!(termination, "normal", "{ended:#?}");
        }
    }
}

/// However short it is: a machine that is slow is no match that stands still.
#[test]
fn only_a_pause_by_a_signal_counts_as_one() {
    let folder = scratch("match_machine/short");
    let pause = |words: &str, millis: u64| {
        let mut program = start_match(&folder, words);
        let lines = program.lines();
        lines.recv_timeout(SOON).unwrap();
        for _ in 0..3 {
            sleep(Duration::from_millis(100));
            program.signal("STOP");
            sleep(Duration::from_millis(millis));
            program.signal("CONT");
        }
        assert_eq!(lines.iter().last().as_deref(), Some("Finished match"));
        let mut said = String::new();
        let mut stderr = program.stderr.take().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        said
    };
    let said = pause(&format!("{CLOCKED} -openings random seed=1"), 200);
    assert!(said.contains("the match was suspended: game "), "{said}");
    // No clock runs.
    let words = "-variant congress -engine name=A cmd=quadrille -engine name=B cmd=quadrille \
                 -each nodes=3000 -games 2 -rounds 3 -openings random seed=1";
    let said = pause(words, 1000);
    assert!(!said.contains("suspended"), "{said}");
}

#[test]
fn descriptors_are_counted_before_the_first_game() {
    let folder = scratch("match_machine/descriptors");
    let words = "quadrille match -variant congress -engine name=A cmd=quadrille -engine name=B \
                 cmd=quadrille -each nodes=20 -openings random -games 2 -rounds 8 -recover \
                 -concurrency 16 -pgnout g.pgn";
    let refused = shell(&folder, &format!("ulimit -n 40; {words}")).refused();
    let wanted = "16 games at once need 120 open files, but the system allows 40; raise the limit \
                  with `ulimit -n 120`, or lower -concurrency\n";
    assert!(refused.ends_with(wanted), "{refused}");
    assert!(!folder.join("g.pgn").exists());
    // What the system allows is taken.
    let ended = shell(&folder, &format!("ulimit -S -n 40; {words}")).succeeded();
    assert!(last(&ended.stdout, "Faults of A").ends_with(" 0 crashes, 0 hangs"));
    assert_eq!(tags(&folder.join("g.pgn"), "Termination"), ["normal"; 16]);
}

/// The limit falls while the match runs, as if other programs had taken the rest.
#[test]
#[ignore = "needs prlimit"]
fn an_engine_that_the_system_does_not_start_loses_no_game() {
    let folder = scratch("match_machine/scarce");
    let words = "-variant congress -engine name=A cmd=quadrille restart=on -engine name=B cmd=self \
                 -each nodes=20 -openings random -games 2 -rounds 5000 -recover -pgnout g.pgn";
    let mut program = start_match(&folder, words);
    let pgn = folder.join("g.pgn");
    wait_for("a game", SOON, || !tags(&pgn, "Round").is_empty());
    let id = program.id().to_string();
    let limited = Command::new("prlimit").args(["--pid", &id, "--nofile=8:8"]).run();
    limited.succeeded();
    let status = program.wait();
    let ended = program.output();
    assert_eq!(status.code(), Some(2), "{ended:#?}");
    let wanted = "A: cannot be started: quadrille: Too many open files (os error 24)";
    assert!(ended.stdout.contains(&format!("The match ends: {wanted}.")), "{ended:#?}");
    assert!(ended.stderr.contains(wanted), "{ended:#?}");
    let faults = "Faults of A: 0 time losses, 0 illegal moves, 0 crashes, 0 hangs";
    assert_eq!(last(&ended.stdout, "Faults of A"), faults);
    assert!(tags(&pgn, "Termination").iter().all(|how| how == "normal"));
}

#[test]
fn more_clocks_than_processors_are_warned_of() {
    let folder = scratch("match_machine/processors");
    let warned = |more: &str| {
        let words = format!("{CLOCKED} -rounds 40 -maxmoves 1 -concurrency 40 {more}");
        let mut program = start_match(&folder, &words);
        program.lines().recv_timeout(SOON).unwrap();
        let mut stderr = program.stderr.take().unwrap();
        program.signal("INT");
        program.signal("INT");
        program.kill();
        let mut said = String::new();
        stderr.read_to_string(&mut said).unwrap();
        said
    };
    let said = warned("");
    assert!(said.contains("40 engines think at once on "), "{said}");
    let said = warned("-force-concurrency");
    assert!(!said.contains("think at once"), "{said}");
}

/// What has no clock in process says so.
#[test]
fn words_without_effect_in_process_are_warned_of() {
    let folder = scratch("match_machine/in-process");
    let words = "-variant congress -engine name=A cmd=self ponder debug -engine name=B cmd=self \
                 -each tc=1 nodes=10 -games 1";
    let Ended { stderr, .. } = run_match(&folder, words);
    for word in ["1: ponder", "1: debug", "1: tc= or st=", "2: tc= or st="] {
        let wanted = format!("quadrille: match: engine {word} has no effect on cmd=self\n");
        assert!(stderr.contains(&wanted), "{wanted}: {stderr}");
    }
}

/// Nothing is in progress yet that could be finished.
#[test]
fn the_first_interrupt_ends_a_match_that_has_not_begun() {
    let folder = scratch("match_machine/mute");
    let words = "-variant congress -engine cmd=sleep arg=100 -engine cmd=self -each nodes=1";
    let mut program = start_match(&folder, words);
    sleep(Duration::from_millis(300));
    program.signal("INT");
    let status = program.wait_within(Duration::from_secs(5));
    assert_eq!(status.signal(), Some(SIGINT));
}

/// An engine that does not read its input does not see that it has ended.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_ends_with_a_match_that_is_killed() {
    let folder = scratch("match_machine/killed");
    let script =
        "read -r word; echo uciok; read -r word; echo $$ >id; echo readyok; exec sleep 300";
    std::fs::write(folder.join("deaf.sh"), script).unwrap();
    let words = "-variant congress -engine cmd=sh arg=deaf.sh -engine cmd=self -each nodes=1";
    let mut program = start_match(&folder, words);
    let id = || std::fs::read_to_string(folder.join("id")).unwrap_or_default();
    wait_for("the engine", SOON, || id().ends_with('\n'));
    program.kill();
    let process = Path::new("/proc").join(id().trim()).join("cmdline");
    let is_alive = || std::fs::read(&process).is_ok_and(|command| !command.is_empty());
    wait_for("the end of the engine", SOON, || !is_alive());
}

/// A resumed match has the result of one that was not interrupted, also where engines were at fault.
#[test]
fn faults_are_resumed() {
    let folder = scratch("match_machine/faults");
    // Later games of the engine begin it anew.
    let fake = "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
                go) n=$(cat n); echo $((n + 1)) >n; case $n in 0) echo bestmove a1a9;; \
                1) exit 3;; 2) sleep 2; echo bestmove a1a1;; *) echo 'bestmove }\"\\[x';; esac;; \
                quit) exit;; esac; done";
    std::fs::write(folder.join("fake.sh"), fake).unwrap();
    std::fs::write(folder.join("n"), "0\n").unwrap();
    let words = "-variant congress -engine name=fake cmd=sh arg=fake.sh st=0.5 -engine name=real \
                 cmd=self nodes=5 -games 5 -recover -pgnout g.pgn -json r.json";
    let whole = run_match(&folder, words);
    let read = || std::fs::read_to_string(folder.join("r.json")).unwrap();
    let result = read();
    std::fs::remove_file(folder.join("r.json")).unwrap();
    let again = run_match(&folder, &format!("{words} -resume"));
    let figures = |ended: &Ended| {
        let (_, report) = ended.stdout.split_once("Elo difference").unwrap();
        report.to_string()
    };
    assert_eq!(figures(&whole), figures(&again));
    let times = ["\"seconds\": "];
    let timeless = |text: &str| {
        let fields = text.split(", ");
        let kept = fields.filter(|field| !times.iter().any(|time| field.starts_with(time)));
        kept.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(timeless(&result), timeless(&read()));
    for kind in ["\"time\": 1", "\"illegal\": 3", "\"crashes\": 1"] {
        assert!(result.contains(kind), "{kind}: {result}");
    }
    let replayed = quadrille(["replay", "g.pgn"]).current_dir(&folder).run();
    assert!(replayed.stdout.starts_with("5 games, "), "{replayed:#?}");
}
