//! Faults of the world around a program: closed input and output, signals, and a full disk.

#![cfg(unix)]

use crate::common::client::Client;
#[cfg(target_os = "linux")]
use crate::common::program::wait_for;
use crate::common::program::{
    Ended, Program, QUADRILLE, Run, interruptible, length, scratch, shell,
};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Time limit for the end of the program on a busy machine.
const SOON: Duration = Duration::from_secs(30);
/// Time limit for a dialogue to reach a state, and to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lines that bring a dialogue into each of its states, and the line that follows.
const STATES: &[(&str, &str)] = &[
    ("isready", "readyok"),
    ("go infinite", "info depth 4 "),
    ("go depth 100", "info depth 4 "),
    ("go ponder wtime 60000 btime 60000", "info depth 4 "),
    ("go wtime 600000 btime 600000", "info depth 4 "),
    ("go infinite\nposition startpos moves e2e4\ngo infinite", "bestmove"),
    ("go perft 6", "a2"),
    ("bench 12", "gothic "),
    ("xboard\nprotover 2", "feature done=1"),
    ("xboard\nnew\nforce\npost\nanalyze", "4 "),
    ("xboard\nnew\npost\nlevel 0 5 0\nusermove e2e4", "4 "),
    ("xboard\nnew\nst 0.1\nhard\npost\nusermove e2e4", "move "),
];

/// Begins a dialogue, and prints the lines, which a test that fails shows.
fn start(lines: &str, until: &str) -> Program {
    println!("{lines}");
    let mut child = Program::piped(&mut interruptible(), PATIENCE);
    let input = child.stdin.as_mut().unwrap();
    writeln!(input, "{lines}").unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.trim_start().starts_with(until) {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "`{until}` of {lines}");
    }
    child.stdout = Some(output.into_inner());
    child
}

fn complaint(child: &mut Program) -> String {
    std::io::read_to_string(child.stderr.take().unwrap()).unwrap()
}

#[test]
fn a_closed_output_ends_it_quietly_in_every_state() {
    for &(lines, until) in STATES {
        let mut child = start(lines, until);
        let status = child.end_without_reader("isready\nd\nping 1\n.\nusermove x\n", SOON);
        assert!(status.success(), "{lines}: {status}");
        assert_eq!(complaint(&mut child), "", "{lines}");
    }
}

#[test]
fn a_closed_input_ends_it_quietly_in_every_state() {
    for &(lines, until) in STATES {
        let mut child = start(lines, until);
        // Searches that end by themselves are finished, but not within this test.
        let end = match lines {
            _ if lines.contains("level") => "?",
            _ if ["go depth", "go wtime", "go perft", "bench"]
                .iter()
                .any(|limited| lines.starts_with(limited)) =>
            {
                "stop"
            }
            _ => "",
        };
        writeln!(child.stdin.as_mut().unwrap(), "{end}").unwrap();
        drop(child.stdin.take());
        let output = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || std::io::read_to_string(output).unwrap());
        assert!(child.wait_within(SOON).success(), "{lines}");
        assert_eq!(complaint(&mut child), "", "{lines}");
        reader.join().unwrap();
    }
}

#[test]
fn a_signal_ends_it_at_once_in_every_state() {
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        for &(lines, until) in STATES {
            let mut child = start(lines, until);
            child.signal(signal);
            let status = child.wait_within(SOON);
            assert_eq!(status.signal(), Some(number), "{lines}: {status}");
            assert_eq!(complaint(&mut child), "", "{lines}");
        }
    }
}

/// The tests rely on this: none waits for a program for ever.
#[test]
fn a_test_has_an_end_where_a_program_has_none() {
    let mut endless = Command::new("sleep");
    let endless = endless.arg("600").stdout(Stdio::piped());
    let mut program = Program::start_for(endless, Duration::from_millis(100));
    let read = std::io::read_to_string(program.stdout.take().unwrap());
    assert_eq!(read.unwrap(), "");
    assert_eq!(program.wait_within(SOON).signal(), Some(9));
}

/// A script begins background jobs with ctrl-C ignored, and by the custom of Unix it stays ignored.
#[test]
fn an_ignored_interrupt_stays_ignored() {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("trap '' INT; exec {QUADRILLE}")]);
    let mut client = Client::run(&mut command);
    client.send("go infinite");
    client.expect_line("info depth 4 ");
    client.signal("INT");
    client.send("isready");
    client.expect_line("readyok");
    client.signal("TERM");
    assert_eq!(client.wait(SOON).signal(), Some(15));
}

/// Tools that run for long, with work for long.
#[cfg(target_os = "linux")]
const LONG: &[&str] = &[
    "datagen congress --out games.dat --nodes 60 --positions 100000000",
    "datagen congress --out games.dat --nodes 18446744073709551615",
    "learn congress --dir learned",
    "tune congress --state state",
    "prove congress --hash 16 --out proof.epd",
    "prove congress --hash 16 --table proof.table",
    "solve gothic 4",
    "match -variant congress -engine cmd=self -engine cmd=self -each nodes=60 -games 1000000",
];

/// Returns true if a process has a handler of SIGTERM, which is the last that it sets.
#[cfg(target_os = "linux")]
fn catches_sigterm(process: impl std::fmt::Display) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & 1 << (15 - 1) != 0)
}

/// Starts a tool that runs for long, until it catches signals.
#[cfg(target_os = "linux")]
fn start_long(folder: &Path, command: &mut Command, words: &str) -> Program {
    println!("{words}");
    command.args(words.split(' ')).current_dir(folder);
    let program =
        Program::start_for(command.stdout(Stdio::null()).stderr(Stdio::null()), 4 * PATIENCE);
    wait_for("a handler of SIGTERM", PATIENCE, || catches_sigterm(program.id()));
    program
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_winds_a_long_tool_up() {
    for words in LONG {
        for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3)] {
            let folder = scratch("faults/long");
            let mut program = start_long(&folder, &mut interruptible(), words);
            program.signal(signal);
            // None of them has an end of its own. Other tests may hold the processors for long.
            let status = program.wait_within(2 * PATIENCE);
            assert_eq!(status.signal(), Some(number), "{words}: {status}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_winds_no_tool_up() {
    for words in LONG {
        let folder = scratch("faults/ignored");
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' INT HUP; exec \"$0\" \"$@\"", QUADRILLE]);
        let mut program = start_long(&folder, &mut command, words);
        for _ in 0..2 {
            program.signal("INT");
            program.signal("HUP");
            std::thread::sleep(Duration::from_millis(200));
        }
        assert!(program.is_running());
        program.signal("TERM");
        assert_eq!(program.wait_within(SOON).signal(), Some(15));
    }
}

/// With less and less memory, which stacks of threads need too, first threads fail to start.
#[cfg(target_os = "linux")]
#[test]
fn a_success_has_answered_every_search_however_little_memory_there_is() {
    let three = "setoption name Hash value 64\nsetoption name Threads value 3\ngo depth 3\nisready\n\
                 go infinite\nd\nposition startpos moves e2e4\ngo nodes 900\n";
    for (lines, answer, count) in [
        ("go depth 3\n", "bestmove ", 1),
        ("go depth 3\nquit\n", "bestmove ", 1),
        (three, "bestmove ", 3),
        ("xboard\nnew\nsd 3\ngo\nping 1\n", "move ", 1),
    ] {
        let mut ends = [0, 0];
        for kilobytes in (16_000..160_000).step_by(6_000) {
            let limit = format!("ulimit -v {kilobytes}; exec {QUADRILLE}");
            let mut command = Command::new("sh");
            let ended = command.args(["-c", &limit]).run_with(lines);
            let is_answer = |line: &&str| line.starts_with(answer);
            let answers = ended.stdout.lines().filter(is_answer).count();
            let is_success = ended.status.success();
            let is_right = if is_success { answers == count } else { !ended.stderr.is_empty() };
            assert!(is_right, "{kilobytes} KB, {lines}: {ended:#?}");
            ends[usize::from(is_success)] += 1;
        }
        assert!(ends[0] > 0 && ends[1] > 10, "{lines}: {ends:?}");
    }
}

/// As in a container without an init: what process 1 does not catch does nothing.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs unshare"]
fn a_signal_ends_process_1() {
    for words in [&[][..], &["analyse"], &["prove", "congress"]] {
        for (signal, number) in [("TERM", 15), ("INT", 2), ("QUIT", 3)] {
            let inside = interruptible();
            let mut outside = Command::new("unshare");
            let outside = outside.args(["-rpf", "--mount-proc"]);
            let outside = outside.arg(inside.get_program()).args(inside.get_args());
            let outside = outside.args(words);
            let mut program = Program::piped(outside, PATIENCE);
            let children = format!("/proc/{0}/task/{0}/children", program.id());
            let mut child = String::new();
            wait_for("process 1 with its handlers", SOON, || {
                child = std::fs::read_to_string(&children).unwrap().trim().to_string();
                catches_sigterm(&child)
            });
            let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {child}")]).run();
            sent.succeeded();
            // `unshare` returns the status of the program.
            assert_eq!(program.wait_within(SOON).code(), Some(128 + number), "{words:?}");
        }
    }
}

/// A search from the command line ends by Ctrl-C, with its move.
#[test]
fn an_interrupted_search_of_the_command_line_answers() {
    for words in [&["go", "infinite"][..], &["go"], &["go", "depth", "100"]] {
        let mut program = Program::piped(interruptible().args(words), PATIENCE);
        program.stdin = None;
        let lines = program.lines();
        let is_deep = |line: &String| line.starts_with("info depth 4 ");
        assert!(lines.iter().any(|line| is_deep(&line)), "{words:?}");
        program.signal("INT");
        assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{words:?}");
        assert_eq!(program.wait_within(SOON).signal(), Some(2));
    }
}

/// Runs a command line in a folder where no file may grow beyond some kilobytes, as on a full disk.
fn on_a_small_disk(folder: &Path, kilobytes: usize, words: &str) -> Ended {
    // The unit of `ulimit -f` is 512 bytes in the shell of the standard, 1024 in others.
    let blocks = 2 * kilobytes;
    let line = format!(
        "POSIXLY_CORRECT=1; export POSIXLY_CORRECT; trap '' XFSZ; ulimit -f {blocks}; \
         exec quadrille {words}"
    );
    shell(folder, &line)
}

/// Asserts that a command line fails for want of room in a file.
#[track_caller]
fn fails_on_a_small_disk(folder: &Path, kilobytes: usize, words: &str, file: &str) {
    let ended = on_a_small_disk(folder, kilobytes, words);
    let said = ended.said();
    assert!(!ended.status.success(), "{said}");
    assert!(said.contains(file) && said.contains("File too large"), "{said}");
}

/// The output of a command line that must succeed.
#[track_caller]
fn run(folder: &Path, words: &str) -> String {
    let line = format!("exec quadrille {words}");
    shell(folder, &line).succeeded().said()
}

#[test]
fn a_full_disk_keeps_the_games_of_datagen() {
    let folder = scratch("faults/datagen");
    let words = "datagen congress --out full.dat --nodes 20 --eval '<material>'";
    let endless = format!("{words} --positions 100000");
    fails_on_a_small_disk(&folder, 64, &endless, "full.dat");
    // The games before are whole, and the same command continues.
    let said = run(&folder, &format!("{words} --positions 10000"));
    assert!(said.contains(" exist already"), "{said}");
}

#[test]
fn a_dialogue_on_a_full_disk_is_no_success() {
    for words in ["query fen", "d", "go depth 3", "", "--variant congress"] {
        let line = format!("printf 'go depth 3\nquit\n' | quadrille {words} >/dev/full");
        let ended = shell(Path::new("."), &line);
        assert_eq!(ended.code(), Some(1), "{words}: {ended:?}");
        let said = ended.stderr;
        assert!(said.starts_with("quadrille: the output cannot be written: "), "{words}: {said}");
    }
}

/// Sends lines to the program in a folder, and returns its output.
fn dialogue(folder: &Path, lines: &str) -> String {
    let mut command = Command::new(QUADRILLE);
    command.current_dir(folder).run_with(lines).stdout
}

#[test]
fn a_folder_without_tables_is_noticed() {
    let said = dialogue(Path::new("."), "setoption name EndgamePath value src\n");
    assert_eq!(said, "info string 0 tables of gothic\n");
}

#[test]
fn a_full_disk_keeps_the_games_that_were_annotated() {
    let folder = scratch("faults/annotated");
    let old = folder.join("old.pgn");
    std::fs::write(
        folder.join("some.pgn"),
        "[Variant \"gothic\"]\n\n1. e4 e5 2. d4 d5 *\n".repeat(9),
    )
    .unwrap();
    std::fs::write(&old, "old").unwrap();
    let words = "annotate --nodes 5 some.pgn --out old.pgn";
    fails_on_a_small_disk(&folder, 1, words, "old.pgn");
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
    run(&folder, words);
    assert!(std::fs::read_to_string(&old).unwrap().contains("[%eval "));
}

#[test]
fn a_full_disk_leaves_no_half_of_the_first_game() {
    let folder = scratch("faults/first-game");
    // No game of Cross-Eyed Chess is over soon.
    let words = "match -variant crosseyed -engine name=A cmd=self -engine name=B cmd=self \
                 -each nodes=50 -openings random seed=3 -games 2 -pgnout first.pgn";
    fails_on_a_small_disk(&folder, 1, words, "The match ends: -pgnout: first.pgn: ");
    let text = std::fs::read_to_string(folder.join("first.pgn")).unwrap();
    assert!(text.starts_with("% quadrille match ") && text.lines().count() == 1, "{text}");
}

#[test]
fn a_full_disk_keeps_the_network_that_was_there() {
    let folder = scratch("faults/network");
    run(
        &folder,
        "datagen congress --out sound.dat --nodes 20 --eval '<material>' --positions 12000",
    );
    let words = "train congress sound.dat --out sound.net --hidden 64 --epochs 1 --batch 1024";
    run(&folder, words);
    let net = folder.join("sound.net");
    let before = std::fs::read(&net).unwrap();
    fails_on_a_small_disk(&folder, 8, &format!("{words} --seed 2"), "sound.net");
    assert!(std::fs::read(&net).unwrap() == before);
}

/// What was saved stays, also where the system would end the program for a file that is too large.
#[test]
fn a_full_disk_keeps_the_game_that_is_played() {
    let earlier = "[Variant \"gothic\"]\n\n1. e4 *\n\n";
    let moves = ('a'..='j').map(|file| format!("{file}2{file}3\n{file}3{file}4\n"));
    let moves = moves.collect::<String>();
    for trap in ["trap '' XFSZ", ":"] {
        // From a few bytes beside the game to the most of it.
        for room in [40, 180, 250] {
            let folder = scratch("faults/played");
            let file = folder.join("played.pgn");
            let filler = "\n".repeat(512 - room - earlier.len());
            std::fs::write(&file, format!("{earlier}{filler}")).unwrap();
            std::fs::write(folder.join("moves"), &moves).unwrap();
            let line = format!(
                "POSIXLY_CORRECT=1; export POSIXLY_CORRECT; {trap}; ulimit -c 0; ulimit -f 1; \
                 exec quadrille play gothic --level 0 --time 0.01 --save played.pgn <moves"
            );
            let ended = shell(&folder, &line);
            assert_eq!(ended.code(), Some(2), "{room}: {ended:?}");
            let fault = "Error: played.pgn: File too large";
            assert!(ended.stdout.contains(fault), "{room}: {ended:?}");
            let said = run(&folder, "replay played.pgn");
            let games = if room < 200 { "1 game, 1 move" } else { "2 games, " };
            assert!(said.starts_with(games), "{room}: {said}");
            assert!(length(&file) <= 512);
            // Another run goes on behind it.
            run(&folder, "play gothic --level 0 --time 0.01 --save played.pgn <moves");
            run(&folder, "replay played.pgn");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_does_not_block_is_waited_for() {
    use std::fs::OpenOptions;
    use std::os::unix::fs::OpenOptionsExt;
    const O_NONBLOCK: i32 = 0o4000;
    let folder = scratch("faults/nonblock");
    let start = "rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1\n";
    let game = "[Variant \"gothic\"]\n\n1. e4 e5 *\n\n";
    for (words, asked, answer) in [
        ("--variant gothic", "d\n", "Legal moves: "),
        ("analyse --nodes 1 --jobs 1 -", start, "bestmove"),
        ("replay --fens -", game, "w KQkq - 0 1"),
    ] {
        let [from, to] = ["in", "out"].map(|name| folder.join(name));
        let made = Command::new("mkfifo").args([&from, &to]).run();
        assert!(made.status.success());
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(O_NONBLOCK);
        let reader = options.open(&from).unwrap();
        let writer = options.write(true).open(&to).unwrap();
        // A pipe of a name that nobody writes to is at its end.
        let mut input = OpenOptions::new().write(true).open(&from).unwrap();
        let mut command = Command::new(QUADRILLE);
        command.args(words.split(' ')).stdin(reader).stdout(writer);
        let mut program = Program::start_for(&mut command, PATIENCE);
        let mut output = BufReader::new(std::fs::File::open(&to).unwrap());
        drop(command);
        let lines = asked.repeat(500);
        let writer = std::thread::spawn(move || {
            // In the middle of a line.
            let (first, rest) = lines.split_at(lines.len() / 2 + 1);
            for part in [first, rest] {
                std::thread::sleep(Duration::from_millis(300));
                input.write_all(part.as_bytes()).unwrap();
            }
        });
        // The pipe is full by now.
        std::thread::sleep(Duration::from_secs(1));
        let mut said = String::new();
        std::io::Read::read_to_string(&mut output, &mut said).unwrap();
        writer.join().unwrap();
        assert!(program.wait().success(), "{words}");
        assert_eq!(said.matches(answer).count(), 500, "{words}");
        for name in ["in", "out"] {
            std::fs::remove_file(folder.join(name)).unwrap();
        }
    }
}

#[test]
fn a_full_disk_ends_the_transcript_and_not_the_dialogue() {
    let folder = scratch("faults/transcript");
    let ended = shell(
        &folder,
        "(echo 'setoption name Debug Log File value full.log'; \
         for i in 1 2 3 4 5 6 7 8; do echo uci; done; echo quit) | \
         (trap '' XFSZ; ulimit -f 2; exec quadrille)",
    )
    .succeeded();
    assert_eq!(ended.stdout.matches("uciok").count(), 8);
    assert_eq!(ended.stderr.matches("Debug Log File is closed").count(), 1);
    let length = length(&folder.join("full.log"));
    assert!((1..=2048).contains(&length), "{length}");
}

#[test]
fn a_full_disk_leaves_no_half_of_a_table() {
    let folder = scratch("faults/tables");
    let words = "solve congress KHk --out tables";
    fails_on_a_small_disk(&folder, 8, words, "congress-KHvK.end: ");
    // The smaller set before it is whole.
    let files = || {
        let entries = std::fs::read_dir(folder.join("tables")).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(files(), ["congress-KvK.end"]);
    run(&folder, words);
    assert_eq!(files(), ["congress-KHvK.end", "congress-KvK.end"]);
}

#[test]
fn tables_are_read_from_their_folder() {
    let folder = scratch("faults/broken-tables");
    let words = "solve congress KPk --out tables";
    let (first, again) = (run(&folder, words), run(&folder, words));
    assert!(first.contains("KPk: 221184 placements") && !again.contains("placements"));
    let result =
        |said: &str| said.lines().find(|line| line.starts_with("congress KPk: ")).map(String::from);
    assert!(result(&first).is_some() && result(&first) == result(&again), "{first}{again}");
    let lines = "setoption name EndgamePath value tables\n\
                 setoption name UCI_Variant value congress\nquit\n";
    let hear = || dialogue(&folder, lines);
    assert!(!hear().contains("error"), "{}", hear());
    std::fs::write(folder.join("tables/congress-KPvK.end"), "PNG!").unwrap();
    let fault = "congress-KPvK.end: it is not a table of endings";
    let said = hear();
    assert!(said.contains(&format!(" setoption: option EndgamePath: tables: {fault}")), "{said}");
}

#[test]
fn a_folder_that_cannot_be_read_is_named() {
    for (path, fault) in [("/nonexistent", "No such file"), ("README.md", "Not a directory")] {
        let line = format!("setoption name EndgamePath value {path}\n");
        let said = dialogue(Path::new("."), &line);
        let expected =
            format!("info string error value setoption: option EndgamePath: {path}: {fault}");
        assert!(said.contains(&expected), "{said}");
    }
}
