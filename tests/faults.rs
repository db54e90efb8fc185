//! What the world does to a program: it closes its input and output, kills it, and has no
//! more room on the disk.

#![cfg(unix)]

use crate::common::client::Client;
use crate::common::program::{InTime, Program, interruptible};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const QUADRILLE: &str = env!("CARGO_BIN_EXE_quadrille");
/// How long the end of the program may take on a busy machine.
const SOON: Duration = Duration::from_secs(10);
/// How long a dialogue may take to come into a state, and to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lines that bring a dialogue into each of its states, and the line that then comes.
const STATES: &[(&str, &str)] = &[
    ("isready", "readyok"),
    ("go infinite", "info depth 4 "),
    ("go depth 100", "info depth 4 "),
    ("go ponder wtime 60000 btime 60000", "info depth 4 "),
    ("go wtime 600000 btime 600000", "info depth 4 "),
    (
        "go infinite\nposition startpos moves e2e4\ngo infinite",
        "bestmove",
    ),
    ("go perft 6", "a2"),
    ("bench 12", "gothic "),
    ("xboard\nprotover 2", "feature done=1"),
    ("xboard\nnew\nforce\npost\nanalyze", "4 "),
    ("xboard\nnew\npost\nlevel 0 5 0\nusermove e2e4", "4 "),
    ("xboard\nnew\nst 0.1\nhard\npost\nusermove e2e4", "move "),
];

fn start(lines: &str, until: &str) -> Program {
    let mut command = interruptible();
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = Program::start_for(&mut command, PATIENCE);
    let input = child.stdin.as_mut().unwrap();
    writeln!(input, "{lines}").unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.trim_start().starts_with(until) {
        line.clear();
        assert!(
            output.read_line(&mut line).unwrap() > 0,
            "`{until}` of {lines}"
        );
    }
    child.stdout = Some(output.into_inner());
    child
}

fn wait(child: &mut Program, of: &str) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.status() {
            return status;
        }
        assert!(begun.elapsed() < SOON, "it goes on after {of}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn complaint(child: &mut Program) -> String {
    std::io::read_to_string(child.stderr.take().unwrap()).unwrap()
}

#[test]
fn a_closed_output_ends_it_quietly_in_every_state() {
    for &(lines, until) in STATES {
        let mut child = start(lines, until);
        drop(child.stdout.take());
        let input = child.stdin.as_mut().unwrap();
        // It may have ended before it reads this.
        let _ = input.write_all(b"isready\nd\nping 1\n.\nusermove x\n");
        assert!(wait(&mut child, lines).success(), "{lines}");
        assert_eq!(complaint(&mut child), "", "{lines}");
    }
}

#[test]
fn a_closed_input_ends_it_quietly_in_every_state() {
    for &(lines, until) in STATES {
        let mut child = start(lines, until);
        // What ends by itself is still finished, but not within this test.
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
        assert!(wait(&mut child, lines).success(), "{lines}");
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
            let status = wait(&mut child, lines);
            assert_eq!(status.signal(), Some(number), "{lines}: {status}");
            assert_eq!(complaint(&mut child), "", "{lines}");
        }
    }
}

/// What the tests rely on: none of them waits for ever for a program.
#[test]
fn a_test_has_an_end_where_a_program_has_none() {
    let mut endless = Command::new("sleep");
    let endless = endless.arg("600").stdout(Stdio::piped());
    let mut program = Program::start_for(endless, Duration::from_millis(100));
    let read = std::io::read_to_string(program.stdout.take().unwrap());
    assert_eq!(read.unwrap(), "");
    assert_eq!(wait(&mut program, "its limit").signal(), Some(9));
}

/// Where a script begins it in the background, ctrl-C is not for it: so the custom of Unix has it.
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

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{name}"));
    // It need not be there.
    let _ = std::fs::remove_file(&path);
    path
}

/// Runs a command line where no file may grow beyond some kilobytes, which is what a full
/// disk looks like. Returns whether it ended well, and all that it said.
fn on_a_small_disk(kilobytes: usize, words: &str) -> (bool, String) {
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec {QUADRILLE} {words}",
        2 * kilobytes
    );
    // The unit of `ulimit -f` is 512 bytes in the shell of the standard, 1024 in others.
    let output = Command::new("sh")
        .args(["-c", &script])
        .env("POSIXLY_CORRECT", "1")
        .output_in_time();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

fn run(words: &str) -> (bool, String) {
    on_a_small_disk(1 << 30, words)
}

#[test]
fn a_full_disk_keeps_the_games_of_datagen() {
    let data = scratch("full.dat");
    let name = data.display();
    let words = format!("datagen congress --out {name} --nodes 20 --eval '<material>'");
    let (fine, said) = on_a_small_disk(64, &format!("{words} --positions 100000"));
    assert!(!fine, "{said}");
    let fault = said.lines().last().unwrap();
    assert!(fault.contains(&name.to_string()), "{said}");
    assert!(said.contains("File too large"), "{said}");
    // The games before are whole, and the same command goes on.
    let (fine, said) = run(&format!("{words} --positions 10000"));
    assert!(fine, "{said}");
    assert!(said.contains(" are there already"), "{said}");
}

#[test]
fn a_dialogue_on_a_full_disk_is_no_success() {
    for words in ["query fen", "d", "go depth 3", "", "--variant congress"] {
        let script = format!("printf 'go depth 3\nquit\n' | {QUADRILLE} {words} >/dev/full");
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{words}: {said}");
        assert!(
            said.starts_with("quadrille: the output cannot be written: "),
            "{words}: {said}"
        );
    }
}

#[test]
fn a_folder_without_tables_is_noticed() {
    let tell = format!("echo 'setoption name EndgamePath value src' | {QUADRILLE}");
    let output = Command::new("sh").args(["-c", &tell]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "info string 0 tables of gothic\n");
}

#[test]
fn a_full_disk_keeps_the_games_that_were_annotated() {
    let (games, old) = (scratch("some.pgn"), scratch("annotated.pgn"));
    std::fs::write(
        &games,
        "[Variant \"gothic\"]\n\n1. e4 e5 2. d4 d5 *\n".repeat(9),
    )
    .unwrap();
    std::fs::write(&old, "old").unwrap();
    let words = format!(
        "annotate --nodes 5 {} --out {}",
        games.display(),
        old.display()
    );
    let (fine, said) = on_a_small_disk(1, &words);
    assert!(!fine && said.contains("File too large"), "{said}");
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
    let (fine, said) = run(&words);
    assert!(fine, "{said}");
    assert!(std::fs::read_to_string(&old).unwrap().contains("[%eval "));
    let (fine, said) = run(&format!("{words} --html {}", old.display()));
    assert!(
        !fine && said.contains("it is to be written twice"),
        "{said}"
    );
}

#[test]
fn a_full_disk_keeps_the_games_of_a_match() {
    let pgn = scratch("full.pgn");
    let name = pgn.display();
    let (fine, said) = on_a_small_disk(
        16,
        &format!(
            "match -variant congress -engine name=A cmd=self -engine name=B cmd=self \
             -each nodes=50 -openings random seed=3 -games 200 -pgnout {name}"
        ),
    );
    assert!(!fine, "{said}");
    assert!(
        said.contains(&name.to_string()) && said.contains("File too large"),
        "{said}"
    );
    let (fine, said) = run(&format!("replay {name}"));
    assert!(fine, "{said}");
    assert!(!said.starts_with("0 games"), "{said}");
}

#[test]
fn a_full_disk_leaves_no_half_of_the_first_game() {
    let pgn = scratch("first.pgn");
    let name = pgn.display();
    let (fine, said) = on_a_small_disk(
        1,
        &format!(
            "match -variant gothic -engine name=A cmd=self -engine name=B cmd=self \
             -each nodes=50 -openings random seed=3 -games 2 -pgnout {name}"
        ),
    );
    assert!(
        !fine && said.contains("its games cannot be written"),
        "{said}"
    );
    assert_eq!(std::fs::metadata(&pgn).unwrap().len(), 0, "{said}");
}

#[test]
fn a_full_disk_keeps_the_network_that_was_there() {
    let (data, net) = (scratch("sound.dat"), scratch("sound.net"));
    let (data, net) = (data.display(), net.display());
    let (fine, said) = run(&format!(
        "datagen congress --out {data} --nodes 20 --eval '<material>' --positions 12000"
    ));
    assert!(fine, "{said}");
    let train = format!("train congress {data} --out {net} --hidden 64 --epochs 1 --batch 1024");
    let (fine, said) = run(&train);
    assert!(fine, "{said}");
    let before = std::fs::read(net.to_string()).unwrap();
    let (fine, said) = on_a_small_disk(8, &format!("{train} --seed 2"));
    assert!(!fine, "{said}");
    assert!(
        said.contains(&net.to_string()) && said.contains("File too large"),
        "{said}"
    );
    assert_eq!(std::fs::read(net.to_string()).unwrap(), before);
}

#[test]
fn a_full_disk_ends_the_transcript_and_not_the_dialogue() {
    let path = scratch("full.log");
    let name = path.display();
    let script = format!(
        "(echo 'setoption name Debug Log File value {name}'; \
         for i in 1 2 3 4 5 6 7 8; do echo uci; done; echo quit) | \
         (trap '' XFSZ; ulimit -f 2; exec {QUADRILLE})"
    );
    let output = Command::new("sh").args(["-c", &script]).output_in_time();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.matches("uciok").count(), 8);
    let length = std::fs::metadata(&path).unwrap().len();
    assert!((1..=2048).contains(&length), "{length}");
}

#[test]
fn what_is_no_training_data_is_left_as_it_is() {
    let path = scratch("letter.txt");
    std::fs::write(&path, "Dear Sir").unwrap();
    let (fine, said) = run(&format!(
        "datagen congress --out {} --positions 10",
        path.display()
    ));
    assert!(!fine, "{said}");
    assert!(said.contains("no training data"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "Dear Sir");
}

/// A folder of a test's own, which is not there yet.
fn scratch_folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn a_full_disk_leaves_no_half_of_a_table() {
    let folder = scratch_folder("endings");
    let name = folder.display();
    let words = format!("solve congress KHk --out {name}");
    let (fine, said) = on_a_small_disk(8, &words);
    assert!(!fine, "{said}");
    assert!(
        said.contains("congress-KHvK.end: ") && said.contains("File too large"),
        "{said}"
    );
    // The smaller set before it is whole.
    let files = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(files(&folder), ["congress-KvK.end"]);
    let (fine, said) = run(&words);
    assert!(fine, "{said}");
    assert_eq!(files(&folder), ["congress-KHvK.end", "congress-KvK.end"]);
}

#[test]
fn broken_tables_are_named() {
    let folder = scratch_folder("broken-endings");
    let name = folder.display();
    let words = format!("solve congress KPk --out {name}");
    let (fine, first) = run(&words);
    assert!(fine, "{first}");
    let (fine, again) = run(&words);
    assert!(fine, "{again}");
    assert!(first.contains("KPk: 221184 placements") && !again.contains("placements"));
    let result = |said: &str| {
        said.lines()
            .find(|line| line.starts_with("congress KPk: "))
            .map(String::from)
    };
    assert!(
        result(&first).is_some() && result(&first) == result(&again),
        "{first}{again}"
    );
    let tell = format!(
        "(echo 'setoption name EndgamePath value {name}'; \
         echo 'setoption name UCI_Variant value congress'; echo quit) | {QUADRILLE}"
    );
    let hear = || {
        let output = Command::new("sh").args(["-c", &tell]).output_in_time();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!hear().contains("error"), "{}", hear());
    let path = folder.join("congress-KPvK.end");
    let whole = std::fs::read(&path).unwrap();
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 4;
    let mut foreign = whole.clone();
    foreign[..4].copy_from_slice(b"PNG!");
    for (bytes, fault) in [
        (&whole[..whole.len() - 5], "its checksum is wrong"),
        (&changed[..], "its checksum is wrong"),
        (&foreign[..], "it is no table of endings"),
        (&[][..], "it is cut off"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let (fine, said) = run(&words);
        assert!(
            !fine && said.contains("congress-KPvK.end: ") && said.contains(fault),
            "{said}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        let said = hear();
        assert!(
            said.contains("info string error: option EndgamePath: ")
                && said.contains("congress-KPvK.end: ")
                && said.contains(fault),
            "{said}"
        );
    }
}

#[test]
fn what_cannot_be_solved_is_named() {
    for (words, fault) in [
        ("gothic", "which men?"),
        ("gothic KXk", "KXk: `X` is no piece of this game"),
        ("gothic KR", "KR: black has no king"),
        ("gothic kr", "kr: white has no king"),
        ("gothic KQRBNk", "KQRBNk: 6 men, but at most 4"),
        ("gothic 7", "7: 7 men, but at most 4"),
        (
            "gothic KPkp",
            "KPkp: it cannot be solved: with pawns of both sides",
        ),
        ("gothic KKk", "KKk: no position of this game has these men"),
        (
            "crosseyed KKKk",
            "KKKk: no position of this game has these men",
        ),
        ("pressman QQq", "QQq: it cannot be solved"),
        ("gothic KRk --fast", "`--fast` is not understood"),
        ("gothic KRk --out", "--out: its value is missing"),
        ("gothic KRk --threads 0", "--threads"),
        ("gothic KRk --out /proc/endings", "/proc/endings: "),
        ("gothic KRk --out /dev/null", "/dev/null: "),
        ("chess KRk", "`chess` is not one of"),
    ] {
        let (fine, said) = run(&format!("solve {words}"));
        assert!(!fine && said.contains(fault), "{words}: {said}");
        assert!(
            said.lines().last().unwrap().starts_with("quadrille: "),
            "{said}"
        );
    }
    for (path, fault) in [
        ("/nonexistent", "No such file"),
        ("README.md", "Not a directory"),
    ] {
        let tell = format!("echo 'setoption name EndgamePath value {path}' | {QUADRILLE}");
        let output = Command::new("sh").args(["-c", &tell]).output_in_time();
        let said = String::from_utf8(output.stdout).unwrap();
        let expected = format!("info string error: option EndgamePath: {path}: {fault}");
        assert!(said.contains(&expected), "{said}");
    }
}
