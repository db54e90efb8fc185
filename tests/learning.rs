//! `datagen` and `train`: from an empty folder to a network that plays better than counting
//! pieces, and what happens when they are interrupted.

#[cfg(unix)]
use crate::common::program::interruptible;
use crate::common::program::{InTime, Program};
use quadrille::system::random::Random;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const QUADRILLE: &str = env!("CARGO_BIN_EXE_quadrille");

/// How long it may take until a file grows, and until an interrupted program ends.
const SOON: Duration = Duration::from_secs(60);

/// A file of a test's own.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("learning-{name}"));
    // It need not be there.
    let _ = std::fs::remove_file(&path);
    path
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(QUADRILLE);
    command.args(words).stdin(Stdio::null());
    command
}

fn output(words: &[&str]) -> (bool, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command(words).output_in_time();
    let text = [stdout, stderr].concat();
    (status.success(), String::from_utf8(text).unwrap())
}

/// What the program says; it must end well.
fn run(words: &[&str]) -> String {
    let (success, text) = output(words);
    assert!(success, "{words:?}: {text}");
    text
}

fn refused(words: &[&str]) -> String {
    let (success, text) = output(words);
    assert!(!success, "{words:?}: {text}");
    text
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Makes data of Congress Chess.
fn datagen(path: &Path, positions: &str, more: &[&str]) -> String {
    let mut words = vec!["datagen", "congress", "--out", text(path)];
    words.extend(["--positions", positions, "--nodes", "60"]);
    words.extend(more);
    run(&words)
}

/// The table of what was promised and what was made of it goes up, and in the tenths with many
/// positions the two are near each other.
fn what_it_promises_comes_true(said: &str) {
    let share = |line: &str, before| -> f64 {
        let text = line.split(before).nth(1).unwrap();
        text.split([',', ' ']).next().unwrap().parse().unwrap()
    };
    let table = said.lines().filter(|line| line.starts_with("predicted "));
    let table: Vec<_> = table
        .map(|line| {
            (
                share(line, "predicted "),
                share(line, "real "),
                share(line, " in "),
            )
        })
        .collect();
    assert!(
        table.len() >= 5 && table.is_sorted_by_key(|row| row.0),
        "{said}"
    );
    let often = table.iter().filter(|(_, _, positions)| *positions >= 200.0);
    for (predicted, real, _) in often {
        assert!((predicted - real).abs() < 0.15, "{said}");
    }
}

#[test]
fn a_short_file_is_no_training_data() {
    let path = scratch("short.dat");
    std::fs::write(&path, [7; 50]).unwrap();
    let net = scratch("never.net");
    let error = refused(&["train", "gothic", text(&path), "--out", text(&net)]);
    assert!(error.ends_with(": it is no training data\n"), "{error}");
}

#[test]
fn a_network_from_nothing_beats_material() {
    let (data, net) = (scratch("congress.dat"), scratch("congress.net"));
    datagen(&data, "150000", &["--eval", "<material>"]);
    let said = run(&[
        "train",
        "congress",
        text(&data),
        "--out",
        text(&net),
        "--hidden",
        "64",
        "--epochs",
        "30",
        "--batch",
        "4096",
        "--rate",
        "0.003",
    ]);
    assert!(said.contains("positions a second"), "{said}");
    assert!(
        said.contains("the network in integers differs by "),
        "{said}"
    );
    what_it_promises_comes_true(&said);
    let said = run(&[
        "match",
        "-variant",
        "congress",
        "-openings",
        "random",
        "seed=5",
        "-games",
        "2",
        "-rounds",
        "100",
        "-concurrency",
        "2",
        "-each",
        "nodes=300",
        "-engine",
        "name=net",
        "cmd=self",
        &format!("option.EvalFile={}", text(&net)),
        "-engine",
        "name=material",
        "cmd=self",
        "option.EvalFile=<material>",
        "-sprt",
        "elo0=0",
        "elo1=60",
    ]);
    assert!(said.contains("H1 was accepted"), "{said}");
}

#[test]
fn datagen_goes_on_where_it_was() {
    let (whole, parts) = (scratch("whole.dat"), scratch("parts.dat"));
    datagen(&whole, "3000", &["--threads", "1"]);
    let said = datagen(&parts, "1000", &["--threads", "1"]);
    assert!(said.contains(" positions in "), "{said}");
    let said = datagen(&parts, "3000", &["--threads", "1"]);
    assert!(said.contains("are there already"), "{said}");
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&parts).unwrap());
    let other = scratch("other-seed.dat");
    datagen(&other, "1000", &["--threads", "1", "--seed", "2"]);
    let bytes = std::fs::read(&other).unwrap();
    assert_ne!(bytes[64..256], std::fs::read(&whole).unwrap()[64..256]);
    // Neither another game nor other settings are mixed in.
    let error = refused(&["datagen", "gothic", "--out", text(&whole), "--nodes", "60"]);
    assert!(error.contains("congress, not gothic"), "{error}");
    let error = refused(&[
        "datagen",
        "congress",
        "--out",
        text(&whole),
        "--nodes",
        "61",
    ]);
    assert!(
        error.ends_with("it holds other games: nodes 60, not 61\n"),
        "{error}"
    );
    let net = scratch("never.net");
    let error = refused(&["train", "gothic", text(&whole), "--out", text(&net)]);
    assert!(error.contains("games of congress"), "{error}");
}

/// Waits until a file has that many bytes.
fn wait_for(path: &Path, bytes: u64) {
    let start = Instant::now();
    while std::fs::metadata(path).map_or(0, |data| data.len()) < bytes {
        assert!(start.elapsed() < SOON, "{} stays short", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts the program, waits until a file has so many bytes, ends it by a signal and returns what
/// it said.
#[cfg(unix)]
fn interrupted(words: &[&str], grown: &Path, bytes: u64, signal: &str) -> String {
    let mut command = interruptible();
    command
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let program = Program::start_for(&mut command, 2 * SOON);
    wait_for(grown, bytes);
    program.signal(signal);
    let Output { status, stdout, .. } = program.output();
    assert!(!status.success());
    String::from_utf8(stdout).unwrap()
}

/// Words to make data until something ends it.
fn endless_datagen(path: &Path) -> [&str; 8] {
    [
        "datagen",
        "congress",
        "--out",
        text(path),
        "--nodes",
        "60",
        "--positions",
        "100000000",
    ]
}

#[cfg(unix)]
#[test]
fn an_interrupt_loses_no_finished_game() {
    for signal in ["INT", "TERM", "KILL"] {
        let data = scratch(&format!("interrupted-{signal}.dat"));
        let words = endless_datagen(&data);
        let said = interrupted(&words, &data, 2_000, signal);
        let last = said.lines().last().unwrap();
        assert!(
            last.contains(" games with ") && last.ends_with(text(&data)),
            "{said}"
        );
        // What it says is what is there.
        let again = datagen(&data, "1", &[]);
        let there = last.split(" in ").next().unwrap();
        assert!(
            again.starts_with(&format!("{there} are there already")),
            "{last}\n{again}"
        );
    }
}

/// Begun in a script's background it makes data until it is ended by another signal.
#[cfg(unix)]
#[test]
fn an_ignored_interrupt_ends_nothing() {
    let data = scratch("ignored.dat");
    let words = endless_datagen(&data);
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' INT; exec \"$0\" \"$@\"", QUADRILLE])
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut program = Program::start_for(&mut command, 3 * SOON);
    wait_for(&data, 2_000);
    program.signal("INT");
    let bytes = std::fs::metadata(&data).unwrap().len();
    wait_for(&data, bytes + 2_000);
    assert!(program.is_running());
    program.signal("TERM");
    let said = String::from_utf8(program.output().stdout).unwrap();
    assert!(said.contains(" games with "), "{said}");
}

#[test]
fn two_processes_do_not_mix_their_games() {
    let data = scratch("two.dat");
    let words = endless_datagen(&data);
    let begin = |bytes| {
        let first = Program::start(command(&words).stdout(Stdio::null()));
        wait_for(&data, bytes);
        first
    };
    let mut first = begin(2_000);
    let error = refused(&words);
    assert!(error.contains("another process writes to it"), "{error}");
    // One that was just ended still winds up when the next begins.
    for _ in 0..10 {
        drop(first);
        let again = datagen(&data, "1", &[]);
        assert!(again.contains(" are there already"), "{again}");
        first = begin(std::fs::metadata(&data).unwrap().len() + 1);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_long_search() {
    let data = scratch("long.dat");
    let mut words = endless_datagen(&data);
    words[5] = "18446744073709551615";
    // The header of the file is there before the first game.
    let begun = Instant::now();
    let said = interrupted(&words, &data, 64, "TERM");
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    assert!(said.starts_with("0 games with 0 positions"), "{said}");
}

#[cfg(unix)]
#[test]
fn only_files_are_read_and_written() {
    let pipe = scratch("pipe");
    let made = Command::new("mkfifo").arg(&pipe).output_in_time();
    assert!(made.status.success());
    let pipe = text(&pipe);
    let data = scratch("plain.dat");
    datagen(&data, "12000", &[]);
    let data = text(&data);
    let train = [
        "train", "congress", data, "--hidden", "64", "--epochs", "0.2", "--out",
    ];
    for words in [
        vec!["datagen", "congress", "--out", pipe],
        vec!["datagen", "congress", "--out", data, "--eval", pipe],
        vec!["train", "congress", pipe, "--out", "x"],
        [&train[..], &[pipe]].concat(),
        [&train[..], &["/dev/null"]].concat(),
        [&train[..], &["x", "--checkpoint", pipe]].concat(),
    ] {
        let error = refused(&words);
        assert!(error.contains("it is not a file"), "{words:?}: {error}");
    }
    let before = std::fs::read(data).unwrap();
    let error = refused(&[&train[..], &[data]].concat());
    assert!(
        error.contains("--out would take the place of DATA"),
        "{error}"
    );
    let error = refused(&[&train[..], &["x", "--checkpoint", "./x"]].concat());
    assert!(
        error.contains("--out would take the place of the checkpoint"),
        "{error}"
    );
    assert!(before == std::fs::read(data).unwrap());
    // A link stays one, and what it names is replaced.
    let (link, net) = (scratch("link.net"), scratch("linked.net"));
    std::fs::write(&net, "").unwrap();
    std::os::unix::fs::symlink(&net, &link).unwrap();
    run(&[&train[..], &[text(&link)]].concat());
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(std::fs::metadata(&net).unwrap().len() > 10_000);
}

#[cfg(unix)]
#[test]
fn training_goes_on_from_its_checkpoint() {
    let data = scratch("checkpoint.dat");
    datagen(&data, "20000", &[]);
    let train = |net: &Path, checkpoint: &Path, threads: &str| {
        [
            "train",
            "congress",
            text(&data),
            "--out",
            text(net),
            "--hidden",
            "128",
            "--epochs",
            "300",
        ]
        .into_iter()
        .chain(["--checkpoint", text(checkpoint), "--threads", threads])
        .map(str::to_string)
        .collect::<Vec<_>>()
    };
    let (net, checkpoint) = (scratch("one-go.net"), scratch("one-go.checkpoint"));
    let one_go = train(&net, &checkpoint, "1");
    run(&one_go.iter().map(String::as_str).collect::<Vec<_>>());
    let (parts, checkpoint) = (scratch("parts.net"), scratch("parts.checkpoint"));
    let two = train(&parts, &checkpoint, "2");
    let two: Vec<&str> = two.iter().map(String::as_str).collect();
    interrupted(&two, &checkpoint, 2_000, "INT");
    assert!(!parts.exists());
    let said = run(&two);
    assert!(said.contains("goes on after step "), "{said}");
    assert!(std::fs::read(&net).unwrap() == std::fs::read(&parts).unwrap());
    // A checkpoint of another run, or none at all, is not taken.
    let mut other = two.clone();
    other.extend(["--seed", "2"]);
    assert!(refused(&other).contains("other data or settings"));
    std::fs::write(&checkpoint, "nonsense").unwrap();
    assert!(refused(&two).contains("it is no checkpoint"));
}

/// A folder of a test's own.
fn scratch_folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("learning-{name}"));
    // It need not be there.
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// A network of Congress Chess that knows nothing.
fn ignorant_network(name: &str) -> PathBuf {
    let (data, net) = (
        scratch(&format!("{name}.dat")),
        scratch(&format!("{name}.net")),
    );
    datagen(&data, "12000", &[]);
    let train = ["train", "congress", text(&data), "--out", text(&net)];
    let little = ["--hidden", "64", "--epochs", "0.1", "--rate", "0.000000001"];
    run(&[&train[..], &little].concat());
    net
}

/// Two rounds of `learn` with few games.
fn learn<'w>(folder: &'w Path, from: &'w Path) -> Vec<&'w str> {
    let mut words = vec!["learn", "congress", "--dir", text(folder)];
    words.extend([
        "--from",
        text(from),
        "--rounds",
        "2",
        "--positions",
        "12000",
    ]);
    words.extend(["--nodes", "30", "--hidden", "64", "--epochs", "20"]);
    words.extend(["--pairs", "20", "--threads", "1"]);
    words
}

/// What `learn` made: each file with what it holds, the log without the times.
fn made(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            let mut bytes = std::fs::read(&path).unwrap();
            if name == "log" {
                let text = String::from_utf8(bytes).unwrap();
                let lines = text.lines().map(|line| line.split("\tseconds=").next());
                bytes = lines
                    .map(Option::unwrap)
                    .collect::<Vec<_>>()
                    .join("\n")
                    .into();
            }
            (name, bytes)
        })
        .collect();
    files.sort();
    files
}

#[test]
fn learn_ended_at_any_moment_goes_on() {
    let from = ignorant_network("from");
    let (whole, parts) = (scratch_folder("whole"), scratch_folder("parts"));
    let begun = Instant::now();
    let said = run(&learn(&whole, &from));
    let time = begun.elapsed();
    assert!(said.ends_with("2 rounds are done\n"), "{said}");
    assert!(said.contains("promoted=yes"), "{said}");
    let whole = made(&whole);
    let names: Vec<_> = whole.iter().map(|(name, _)| name.as_str()).collect();
    let expected = "0000.net 0001.dat 0001.net 0001.pairs 0002.dat 0002.net 0002.pairs best.net log score_model";
    assert_eq!(names.join(" "), expected);
    // The process that works is killed itself, and so has no moment to save anything.
    let mut words = learn(&parts, &from);
    words.push("--supervised");
    let begin = || {
        let mut command = command(&words);
        Program::start(command.stdin(Stdio::piped()).stdout(Stdio::null()))
    };
    let mut random = Random::new(1, 0);
    let (mut kills, mut ends) = (0, 0);
    while kills < 10 {
        let mut child = begin();
        std::thread::sleep(time.mul_f32(0.6 * random.unit()));
        if child.is_running() {
            child.kill();
            kills += 1;
        } else {
            ends += 1;
            assert!(ends < 30, "it ends before it can be killed");
            assert!(made(&parts) == whole, "after {kills} kills");
            std::fs::remove_dir_all(&parts).unwrap();
        }
    }
    run(&learn(&parts, &from));
    let parts = made(&parts);
    for (one, other) in parts.iter().zip(&whole) {
        assert!(one == other, "{} and {} differ", one.0, other.0);
    }
    assert_eq!(parts.len(), whole.len());
}

#[test]
fn learn_takes_data_of_others_and_no_other_beginning() {
    let folder = scratch_folder("others");
    std::fs::create_dir(&folder).unwrap();
    datagen(&folder.join("0001-other.dat"), "3000", &["--seed", "9"]);
    std::fs::write(folder.join("nonsense.dat"), "nonsense").unwrap();
    let from = Path::new("<material>");
    let mut words = learn(&folder, from);
    words[7] = "1";
    let said = run(&words);
    assert!(said.contains("stage=train from=nothing files=2 "), "{said}");
    assert!(!folder.join("0000.net").exists());
    let again = run(&words);
    assert_eq!(again, "1 rounds are done\n");
    let log = std::fs::read(folder.join("log")).unwrap();
    let other = ignorant_network("another");
    words[5] = text(&other);
    let error = refused(&words);
    assert!(error.contains("it began with another network"), "{error}");
    assert!(log == std::fs::read(folder.join("log")).unwrap());
    // What the log says must follow.
    std::fs::write(folder.join("log"), "round=1\tstage=gate\tpromoted=yes\n").unwrap();
    let error = refused(&words);
    assert!(error.contains("line 1 does not follow"), "{error}");
}

#[test]
fn tune_says_what_it_found() {
    let said = run(&[
        "tune",
        "congress",
        "--pairs",
        "6",
        "--nodes",
        "60",
        "--threads",
        "2",
    ]);
    assert!(said.contains("after 6 pairs:"), "{said}");
    assert!(said.contains("reduction_base: "), "{said}");
}

#[test]
fn tune_changes_only_what_it_is_told() {
    let state = scratch("only.tune");
    let mut words = vec!["tune", "congress", "--pairs", "32", "--nodes", "30"];
    words.extend([
        "--threads",
        "1",
        "--only",
        "quiescence_moves,delta",
        "--state",
    ]);
    words.push(text(&state));
    let said = run(&words);
    let (_, found) = said.split_once("after 32 pairs:\n").unwrap();
    let names: Vec<_> = found.lines().map(|line| line.split(':').next()).collect();
    assert_eq!(names, [Some("delta"), Some("quiescence_moves")]);
    let noted = std::fs::read_to_string(&state).unwrap();
    let lines: Vec<_> = noted.lines().collect();
    let [settings, head, after_16, after_32] = lines[..] else {
        panic!("{noted}");
    };
    assert!(
        settings.ends_with(", only delta,quiescence_moves"),
        "{noted}"
    );
    let columns = head
        .split('\t')
        .zip(after_16.split('\t').zip(after_32.split('\t')));
    let changed = columns.filter(|(_, (before, after))| before != after);
    let changed: Vec<_> = changed.map(|(name, _)| name).collect();
    assert_eq!(changed, ["pairs", "opening", "delta", "quiescence_moves"]);
}

#[cfg(unix)]
#[test]
fn tune_goes_on_from_its_state() {
    let tune = |state: &Path, pairs: &str| {
        let mut words = vec!["tune", "congress", "--pairs", pairs, "--nodes", "30"];
        words.extend(["--threads", "1", "--state"]);
        let mut words: Vec<_> = words.into_iter().map(str::to_string).collect();
        words.push(text(state).to_string());
        words
    };
    let say = |all: &[String]| run(&all.iter().map(String::as_str).collect::<Vec<_>>());
    let (whole, parts) = (scratch("whole.tune"), scratch("parts.tune"));
    let said = say(&tune(&whole, "40"));
    assert!(said.contains("after 40 pairs:"), "{said}");
    say(&tune(&parts, "5"));
    let begun = std::fs::metadata(&parts).unwrap().len();
    // The process that works is killed itself, and so has no moment to save anything.
    let mut endless = tune(&parts, "1000000");
    endless.push("--supervised".into());
    let endless: Vec<_> = endless.iter().map(String::as_str).collect();
    let mut command = command(&endless);
    let mut child = Program::start(command.stdin(Stdio::piped()).stdout(Stdio::null()));
    wait_for(&parts, begun + 100);
    child.kill();
    // The last whole line is where it was; what came after that is played again.
    let noted = std::fs::read_to_string(&parts).unwrap();
    let (whole_lines, _) = noted.rsplit_once('\n').unwrap();
    let (pairs, _) = whole_lines
        .lines()
        .last()
        .unwrap()
        .split_once('\t')
        .unwrap();
    assert!(pairs.parse::<u32>().unwrap() > 5, "{pairs}");
    let said = say(&tune(&parts, "40"));
    assert!(
        said.starts_with(&format!("goes on after {pairs} pairs\n")),
        "{said}"
    );
    let last = |path| {
        std::fs::read_to_string(path)
            .unwrap()
            .lines()
            .last()
            .map(str::to_string)
    };
    assert_eq!(last(&whole), last(&parts));
    let mut other = tune(&parts, "40");
    other.extend(["--seed".into(), "2".into()]);
    let error = refused(&other.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(error.contains("a run with other settings"), "{error}");
}

#[test]
fn wrong_words_are_named() {
    for (words, fault) in [
        (vec!["datagen"], "which variant?"),
        (vec!["datagen", "chess"], "`chess` is not one of"),
        (vec!["datagen", "gothic"], "--out FILE is missing"),
        (
            vec!["datagen", "gothic", "--out"],
            "--out: its value is missing; see datagen --help",
        ),
        (
            vec!["datagen", "gothic", "--nodes", "x"],
            "`x` is not a whole number from 1 to",
        ),
        (
            vec!["datagen", "gothic", "--frob", "1"],
            "--frob: there is no such option",
        ),
        (
            vec!["datagen", "gothic", "--out", "/nonexistent/x"],
            "/nonexistent/x",
        ),
        (
            vec![
                "datagen",
                "gothic",
                "--out",
                "/tmp/x",
                "--eval",
                "/nonexistent",
            ],
            "/nonexistent",
        ),
        (vec!["learn"], "which variant?"),
        (vec!["learn", "gothic"], "--dir DIR is missing"),
        (
            vec!["learn", "gothic", "--eval", "x"],
            "--eval: there is no such option",
        ),
        (
            vec!["learn", "gothic", "--dir", "x", "--hidden", "100"],
            "--hidden: `100` is not a multiple of 64",
        ),
        (vec!["learn", "gothic", "--dir", "README.md"], "README.md: "),
        (vec!["tune"], "which variant?"),
        (
            vec!["tune", "gothic", "--pairs"],
            "--pairs: its value is missing",
        ),
        (
            vec!["tune", "gothic", "--pairs", "x"],
            "`x` is not a whole number from 1 to",
        ),
        (
            vec!["tune", "gothic", "--only", "singular,plural"],
            "there is no search parameter `plural`",
        ),
        (
            vec!["tune", "gothic", "--frob", "1"],
            "--frob: there is no such option",
        ),
        (vec!["train", "gothic"], "DATA is missing"),
        (vec!["train", "gothic", "x.dat"], "--out FILE is missing"),
        (
            vec!["train", "gothic", "/nonexistent", "--out", "x"],
            "/nonexistent",
        ),
        (
            vec!["train", "gothic", "x", "--out", "y", "--hidden", "100"],
            "--hidden: `100` is not a multiple of 64",
        ),
        (
            vec!["train", "gothic", "x", "--out", "y", "--lambda", "2"],
            "is not a number from 0 to 1",
        ),
        (
            vec!["train", "gothic", "x", "--out", "y", "--lambda", "0.2:x"],
            "--lambda: `x` is not a number from 0 to 1",
        ),
        (
            vec!["train", "gothic", "x", "--out", "y", "--rate", "-1"],
            "--rate: `-1` is not a number from",
        ),
        (
            vec!["train", "gothic", "README.md", "--out", "y"],
            "it is no training data",
        ),
    ] {
        let error = refused(&words);
        assert!(error.contains(fault), "{words:?}: {error}");
    }
}
