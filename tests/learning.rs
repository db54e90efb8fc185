//! `datagen`, `train`, `learn` and `tune`: from an empty folder to a network that plays better than
//! material, with interruptions.

use crate::common::drawn;
use crate::common::matches::run_match;
use crate::common::program::{Program, Run, interruptible, length, quadrille, scratch, wait_for};
use quadrille::engine::{Entry, shipped};
use quadrille::eval::{Network, evaluate};
use quadrille::games::{Congress, Game, GameExt, Pressman};
use quadrille::system::random::Random;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time limit for a file to grow, and for an interrupted program to end.
const SOON: Duration = Duration::from_secs(60);

/// The program in a folder, with its words.
fn command(folder: &Path, words: &str) -> Command {
    let mut command = quadrille(words.split(' '));
    command.current_dir(folder);
    command
}

/// The output of a command that must succeed.
#[track_caller]
fn run(folder: &Path, words: &str) -> String {
    command(folder, words).run().succeeded().said()
}

#[track_caller]
fn refused(folder: &Path, words: &str) -> String {
    command(folder, words).run().refused()
}

/// Generates data of Congress Chess. `more` begins with the number of positions.
#[track_caller]
fn datagen(folder: &Path, file: &str, more: &str) -> String {
    run(folder, &format!("datagen congress --out {file} --nodes 60 --positions {more}"))
}

/// Asserts that real scores follow the predicted ones: the table is sorted, and the two agree in
/// the tenths with many positions.
fn assert_predictions_come_true(said: &str) {
    let share = |line: &str, before| -> f64 {
        let text = line.split(before).nth(1).unwrap();
        text.split([',', ' ']).next().unwrap().parse().unwrap()
    };
    let table = said.lines().filter(|line| line.starts_with("predicted "));
    let table: Vec<_> = table
        .map(|line| (share(line, "predicted "), share(line, "real "), share(line, " in ")))
        .collect();
    assert!(table.len() >= 5 && table.is_sorted_by_key(|row| row.0), "{said}");
    let often = table.iter().filter(|(_, _, positions)| *positions >= 200.0);
    for (predicted, real, _) in often {
        assert!((predicted - real).abs() < 0.15, "{said}");
    }
}

#[test]
fn a_network_from_nothing_beats_material() {
    let folder = scratch("learning/nothing");
    datagen(&folder, "congress.dat", "150000 --eval <material>");
    let said = run(
        &folder,
        "train congress congress.dat --out congress.net --hidden 64 --epochs 30 --batch 4096 \
         --rate 0.003",
    );
    assert!(said.contains("positions a second"), "{said}");
    assert!(said.contains("the quantised network differs by "), "{said}");
    assert_predictions_come_true(&said);
    let said = run_match(
        &folder,
        "-variant congress -openings random seed=5 -games 2 -rounds 100 -concurrency 2 \
         -each nodes=300 -engine name=net cmd=self option.EvalFile=congress.net \
         -engine name=material cmd=self 'option.EvalFile=<material>' -sprt elo0=0 elo1=60",
    )
    .stdout;
    assert!(said.contains("H1 was accepted"), "{said}");
}

#[test]
fn datagen_continues_where_it_was() {
    let folder = scratch("learning/whole");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    datagen(&folder, "whole.dat", "3000 --threads 1");
    let said = datagen(&folder, "parts.dat", "1000 --threads 1");
    assert!(said.contains(" positions in "), "{said}");
    let said = datagen(&folder, "parts.dat", "3000 --threads 1");
    assert!(said.contains("exist already"), "{said}");
    assert!(read("whole.dat") == read("parts.dat"));
    datagen(&folder, "other-seed.dat", "1000 --threads 1 --seed 2");
    assert_ne!(read("other-seed.dat")[64..256], read("whole.dat")[64..256]);
    // Neither another game nor other settings are mixed in.
    let error = refused(&folder, "datagen gothic --out whole.dat --nodes 60");
    assert!(error.contains("congress, not gothic"), "{error}");
    let error = refused(&folder, "datagen congress --out whole.dat --nodes 61");
    assert!(error.ends_with("it holds other games: nodes 60, not 61\n"), "{error}");
    let error = refused(&folder, "datagen congress --out whole.dat --nodes 60 --growth");
    assert!(error.ends_with("it holds other games: growth false, not true\n"), "{error}");
    datagen(&folder, "growth.dat", "1000 --threads 1 --growth");
    assert_ne!(read("growth.dat")[64..], read("parts.dat")[64..]);
    let error = refused(&folder, "datagen congress --out whole.dat --nodes 60 --eval <material>");
    assert!(
        error.contains("games: network ") && error.ends_with(", not 0000000000000000\n"),
        "{error}"
    );
    let error = refused(&folder, "train gothic whole.dat --out never.net");
    assert!(error.contains("training data of `congress`, not of gothic"), "{error}");
}

/// Offsets of the games in a file, and its end.
fn offsets(data: &[u8]) -> Vec<usize> {
    let mut offsets = vec![64];
    while let Some(head) = data.get(*offsets.last().unwrap()..).filter(|rest| !rest.is_empty()) {
        let count = u32::from_le_bytes(head[4..8].try_into().unwrap()) as usize;
        offsets.push(offsets.last().unwrap() + 32 + 32 * count);
    }
    offsets
}

#[test]
fn damage_is_named_and_the_other_games_are_kept() {
    let folder = scratch("learning/damage");
    let file = |name: &str| folder.join(name);
    datagen(&folder, "whole.dat", "3000 --threads 1");
    let whole = std::fs::read(file("whole.dat")).unwrap();
    let games = offsets(&whole);
    let (third, last) = (games[2], games[games.len() - 2]);
    let train = || command(&folder, "train congress damaged.dat --out never.net").run();
    // A flipped bit of the mark, the count, the number, both checksums, and a position; games of
    // other settings; a repeated game; a hole.
    let flips = [0, 4, 8, 16, 24, 40].map(|at| {
        let mut bytes = whole.clone();
        bytes[third + at] ^= 1;
        (third, bytes)
    });
    let other = [&whole[..third], &whole[64..]].concat();
    let double = [&whole[..], &whole].concat();
    let hole = [&whole[..third + 40], &whole[third + 47..]].concat();
    let spoiled = [(third, other), (whole.len(), double), (third, hole)];
    for (at, bytes) in flips.into_iter().chain(spoiled) {
        std::fs::write(file("damaged.dat"), &bytes).unwrap();
        let said = train().refused();
        let fault = format!("damaged.dat: the game at byte {at} is damaged or repeated; ");
        assert!(said.contains(&fault), "{said}");
        let _ = std::fs::remove_file(file("saved.dat"));
        run(&folder, "datagen congress --out saved.dat --salvage damaged.dat");
        let saved = std::fs::read(file("saved.dat")).unwrap();
        let without = [&whole[..third], &whole[games[3]..]].concat();
        assert!(saved == whole || saved == without, "byte {at}");
    }
    // What a crash or a power cut leaves of the last game.
    let cuts = [last + 1, last + 31, last + 32, whole.len() - 1].map(|end| (end, 0));
    let zeros = [last, last + 32, whole.len() - 32].map(|end| (end, 4096));
    for (end, zeros) in cuts.into_iter().chain(zeros) {
        let bytes = [&whole[..end], &vec![0; zeros]].concat();
        std::fs::write(file("damaged.dat"), &bytes).unwrap();
        let count = bytes.len() - last;
        let lost = format!("damaged.dat: its last {count} bytes, an unfinished game, are dropped");
        let said = train().said();
        assert!(said.contains(&lost), "{end}: {said}");
    }
}

/// Waits until a file has `bytes` bytes.
#[track_caller]
fn wait_for_bytes(file: &Path, bytes: u64) {
    let what = format!("{bytes} bytes in {}", file.display());
    wait_for(&what, SOON, || length(file) >= bytes);
}

/// Starts the program, waits until a file has `bytes` bytes, ends it by a signal and returns its
/// output.
fn interrupted(folder: &Path, words: &str, grown: &str, bytes: u64, signal: &str) -> String {
    let mut command = interruptible();
    command.args(words.split(' ')).current_dir(folder);
    let program = Program::piped(&mut command, 2 * SOON);
    wait_for_bytes(&folder.join(grown), bytes);
    program.signal(signal);
    let ended = program.output();
    assert!(!ended.status.success());
    ended.stdout
}

/// Words that generate data until a signal comes.
const ENDLESS: &str = "datagen congress --out games.dat --positions 100000000 --nodes 60";

#[test]
fn an_interrupt_loses_no_finished_game() {
    for signal in ["INT", "TERM", "KILL"] {
        let folder = scratch(&format!("learning/interrupted-{signal}"));
        let said = interrupted(&folder, ENDLESS, "games.dat", 2_000, signal);
        let again = datagen(&folder, "games.dat", "1");
        assert!(again.contains(" exist already"), "{again}");
        if cfg!(unix) && signal != "KILL" {
            let last = said.lines().last().unwrap();
            let there = last.strip_suffix(" in games.dat").unwrap();
            // The count printed is the count on disk.
            assert!(again.starts_with(&format!("{there} exist already")), "{last}\n{again}");
        }
    }
}

#[test]
fn two_processes_do_not_mix_their_games() {
    let folder = scratch("learning/two");
    let data = folder.join("games.dat");
    let begin = |bytes| {
        let first = start(&folder, ENDLESS);
        wait_for_bytes(&data, bytes);
        first
    };
    let mut first = begin(2_000);
    let error = refused(&folder, ENDLESS);
    assert!(error.contains("another process writes to it"), "{error}");
    // The first process may still wind up when the next begins.
    for _ in 0..drawn(5) {
        first.signal("TERM");
        let again = datagen(&folder, "games.dat", "1");
        assert!(again.contains(" exist already"), "{again}");
        first = begin(length(&data) + 1);
    }
}

#[cfg(unix)]
#[test]
fn only_files_are_read_and_written() {
    let folder = scratch("learning/plain");
    let pipe = Command::new("mkfifo").arg(folder.join("pipe")).run();
    assert!(pipe.status.success());
    datagen(&folder, "plain.dat", "12000");
    let train = "train congress plain.dat --hidden 64 --epochs 0.2 --out";
    for words in [
        "datagen congress --out pipe",
        "datagen congress --out plain.dat --eval pipe",
        "train congress pipe --out x",
        &format!("{train} pipe"),
        &format!("{train} /dev/null"),
        &format!("{train} x --checkpoint pipe"),
    ] {
        let error = refused(&folder, words);
        assert!(error.contains("it is not a file"), "{words}: {error}");
    }
    std::fs::hard_link(folder.join("plain.dat"), folder.join("linked.dat")).unwrap();
    let read = || std::fs::read(folder.join("plain.dat")).unwrap();
    let before = read();
    for (out, fault) in [
        ("plain.dat", "DATA and --out have the same file, plain.dat"),
        ("x --checkpoint ./x", "--checkpoint and --out have the same file, x"),
        ("x linked.dat", "linked.dat: it has games of plain.dat"),
    ] {
        let error = refused(&folder, &format!("{train} {out}"));
        assert!(error.contains(fault), "{error}");
    }
    assert!(before == read());
    // A link stays one, and what it names is replaced.
    let (link, net) = (folder.join("link.net"), folder.join("linked.net"));
    std::fs::write(&net, "").unwrap();
    std::os::unix::fs::symlink(&net, &link).unwrap();
    run(&folder, &format!("{train} link.net"));
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(length(&net) > 10_000);
}

/// The shipped network is better than one that was hardly trained, on labels of either.
#[test]
fn a_test_set_orders_networks() {
    let folder = scratch("learning/test-set");
    ignorant_network(&folder);
    datagen(&folder, "deep.dat", "400 --label-nodes 600 --seed 7");
    let other = "400 --label-nodes 600 --seed 8 --eval ignorant.net";
    datagen(&folder, "other.dat", other);
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/networks/congress.net");
    let sets = "--test deep.dat --test other.dat";
    let said = run(&folder, &format!("train congress {sets} --out {shipped} --from ignorant.net"));
    let figures = said.strip_prefix("test: error ").unwrap();
    let difference = figures.split(" positions, ").nth(1).unwrap();
    let mut words = difference.split(' ');
    let mut figure = || words.find_map(|word| word.parse::<f64>().ok()).unwrap();
    let (mean, error) = (figure(), figure());
    assert!(mean < -3.0 * error && error > 0.0, "{said}");
    let resumed = command(&folder, "datagen congress --out deep.dat --nodes 60 --positions 400");
    assert!({ resumed }.run().refused().contains("label nodes 600, not 0"));
}

/// No game counts twice, whether its file is a copy, a part, torn, or labelled by other searches; and
/// no game that is learned from tests the network.
#[test]
fn each_file_is_what_it_is_used_for() {
    let folder = scratch("learning/owners");
    datagen(&folder, "few.dat", "2000 --eval <material>");
    std::fs::copy(folder.join("few.dat"), folder.join("all.dat")).unwrap();
    datagen(&folder, "all.dat", "5000 --eval <material>");
    let all = std::fs::read(folder.join("all.dat")).unwrap();
    std::fs::write(folder.join("torn.dat"), &all[..all.len() / 2 + 7]).unwrap();
    datagen(&folder, "deep.dat", "100 --label-nodes 90 --eval <material>");
    datagen(&folder, "seed.dat", "100 --label-nodes 90 --seed 2");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/networks/congress.net");
    for (words, fault) in [
        ("few.dat all.dat", "all.dat: it has games of few.dat"),
        ("all.dat few.dat", "few.dat: it has games of all.dat"),
        ("few.dat seed.dat torn.dat", "torn.dat: it has games of few.dat"),
        ("all.dat deep.dat", "deep.dat: it has games of all.dat"),
        ("all.dat --test deep.dat", "all.dat: it has games of deep.dat"),
        ("seed.dat --test seed.dat", "seed.dat: it has games of seed.dat"),
        ("all.dat --test all.dat", "all.dat: it is no test set"),
        ("seed.dat --test few.dat", "few.dat: it is no test set"),
        ("seed.dat", "seed.dat: it is a test set, and is trained on"),
    ] {
        let error = refused(&folder, &format!("train congress {words} --out x.net"));
        assert!(error.contains(fault), "{words}: {error}");
        assert!(!folder.join("x.net").exists());
    }
    let test = format!("train congress --test all.dat --out {shipped}");
    let error = refused(&folder, &test);
    assert!(error.contains("all.dat: it is no test set"), "{error}");
}

/// The folder of another game stays as it is, whichever rounds it has kept.
#[test]
fn learn_leaves_the_folder_of_another_game() {
    let folder = scratch("learning/foreign");
    for name in ["0001.dat", "0012.dat"] {
        let lab = folder.join("lab");
        let _ = std::fs::remove_dir_all(&lab);
        std::fs::create_dir(&lab).unwrap();
        datagen(&folder, &format!("lab/{name}"), "300");
        let before = made(&lab);
        for game in ["gothic", "pressman"] {
            let words = learn("lab", "<material>", 1).replace("congress", game);
            let error = refused(&folder, &words);
            assert!(error.contains("lab: it has a run of congress"), "{error}");
            assert!(made(&lab) == before);
        }
    }
}

#[test]
fn a_network_that_has_learned_nothing_is_remarked() {
    let folder = scratch("learning/rate");
    datagen(&folder, "games.dat", "12000 --threads 1 --seed 3");
    let train = |rate_and_epochs: &str| {
        let words = "train congress games.dat --hidden 64 --out x.net --rate";
        run(&folder, &format!("{words} {rate_and_epochs}"))
    };
    let remark = "the network predicts the games held out worse than calling every position even; train longer or at a lower --rate";
    for (rate, is_remarked) in [("0.003 --epochs 40", false), ("1 --epochs 3", true)] {
        let said = train(rate);
        assert_eq!(said.contains(remark), is_remarked, "{rate}: {said}");
    }
}

#[test]
fn training_resumes_from_its_checkpoint() {
    let folder = scratch("learning/checkpoint");
    datagen(&folder, "games.dat", "20000");
    let train = |name: &str, threads: u32| {
        format!(
            "train congress games.dat --out {name}.net --hidden 128 --epochs 100 \
             --checkpoint {name}.checkpoint --threads {threads}"
        )
    };
    run(&folder, &train("whole", 1));
    let two = train("parts", 2);
    interrupted(&folder, &two, "parts.checkpoint", 2_000, "INT");
    let [whole, parts] = ["whole.net", "parts.net"].map(|name| folder.join(name));
    assert!(!parts.exists());
    let said = run(&folder, &two);
    assert!(said.contains("resumes after step "), "{said}");
    assert!(std::fs::read(whole).unwrap() == std::fs::read(parts).unwrap());
    let other = format!("{two} --seed 2");
    assert!(refused(&folder, &other).contains("other data or settings"));
}

/// Trains a network of Congress Chess that knows nothing: `ignorant.net`.
fn ignorant_network(folder: &Path) {
    datagen(folder, "ignorant.dat", "12000");
    run(
        folder,
        "train congress ignorant.dat --out ignorant.net --hidden 64 --epochs 0.1 \
         --rate 0.000000001",
    );
}

#[test]
fn results_weigh_less_in_a_network_that_continues() {
    let folder = scratch("learning/lambda");
    ignorant_network(&folder);
    let trained = |options: &str| {
        let train = "train congress ignorant.dat --out x.net --hidden 64 --epochs 1";
        run(&folder, &[train, options].concat());
        std::fs::read(folder.join("x.net")).unwrap()
    };
    assert_eq!(trained(""), trained(" --lambda 0.2:0.4"));
    let continued = trained(" --from ignorant.net");
    assert_eq!(continued, trained(" --from ignorant.net --lambda 0:0.1"));
    assert_ne!(continued, trained(" --from ignorant.net --lambda 0.2:0.4"));
}

/// The margins of the search fit the values of the game's own network.
#[test]
fn a_new_network_is_as_loud_as_the_one_before() {
    let folder = scratch("learning/loud");
    datagen(&folder, "congress.dat", "30000");
    let own = shipped::<Congress>().unwrap();
    let [scale, bias] = own.scales_and_biases();
    let weights: Vec<_> = own.weights().collect();
    let loud = Network::new(own.shape(), &weights, scale.map(|scale| scale / 3), bias).unwrap();
    std::fs::write(folder.join("loud.net"), loud.to_bytes(Congress::NAME)).unwrap();
    run(
        &folder,
        "train congress congress.dat --from loud.net --out new.net --epochs 0.1 --rate 0.000000001",
    );
    let new = std::fs::read(folder.join("new.net")).unwrap();
    let new = Arc::new(Network::from_bytes::<Congress>(&new).unwrap());
    let loudness = |network: Arc<Network>| -> i32 {
        let network = Some(network);
        let value = |fen: &&str| evaluate(network.as_ref(), &Congress::from_fen(fen).unwrap());
        Congress::SHEET.samples.iter().map(value).map(i32::abs).sum()
    };
    let [own, loud, new] = [own, Arc::new(loud), new].map(loudness);
    assert!(loud > 2 * own, "{loud} {own}");
    assert!((new - own).abs() < own / 20, "{new} {own}");
}

/// Half of the neurons of Pressman mirror the others; a mean of both would be another network.
#[test]
fn a_network_without_mirror_images_is_refused() {
    let folder = scratch("learning/untied");
    run(&folder, "datagen pressman --out games.dat --positions 12000 --nodes 30");
    let own = shipped::<Pressman>().unwrap();
    let [scale, bias] = own.scales_and_biases();
    let mut weights: Vec<_> = own.weights().collect();
    weights[0] += 1;
    let untied = Network::new(own.shape(), &weights, scale, bias).unwrap();
    std::fs::write(folder.join("untied.net"), untied.to_bytes(Pressman::NAME)).unwrap();
    let error = refused(&folder, "train pressman games.dat --from untied.net --out new.net");
    assert!(error.contains("its neurons are not mirror images of each other"), "{error}");
}

/// Words for rounds of `learn` with few games.
fn learn(folder: &str, from: &str, rounds: u32) -> String {
    format!(
        "learn congress --dir {folder} --from {from} --rounds {rounds} --positions 12000 \
         --nodes 30 --hidden 64 --epochs 60 --rate 0.003 --pairs 20 --gate-nodes 720 --threads 1"
    )
}

/// Files of `learn` with their contents, the log without its times.
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
                bytes = lines.map(Option::unwrap).collect::<Vec<_>>().join("\n").into();
            }
            (name, bytes)
        })
        .collect();
    files.sort();
    files
}

#[test]
fn learn_killed_at_any_moment_resumes() {
    let folder = scratch("learning/learn");
    ignorant_network(&folder);
    let begun = Instant::now();
    let said = command(&folder, &learn("whole", "ignorant.net", 2)).run().succeeded().stdout;
    let time = begun.elapsed();
    assert!(said.ends_with("\ndone after 2 rounds\n"), "{said}");
    assert!(said.contains("promoted=yes"), "{said}");
    assert!(said.contains("\nbest.net: round "), "{said}");
    let whole = made(&folder.join("whole"));
    let names: Vec<_> = whole.iter().map(|(name, _)| name.as_str()).collect();
    let expected =
        "0000.net 0001.dat 0001.net 0001.pairs 0002.dat 0002.net 0002.pairs best.net log";
    assert_eq!(names.join(" "), expected);
    let parts = folder.join("parts");
    let words = learn("parts", "ignorant.net", 2);
    let mut random = Random::new(1, 0);
    let (mut kills, mut ends) = (0, 0);
    while kills < drawn(5) {
        let mut child = start(&folder, &words);
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
    run(&folder, &words);
    let parts = made(&parts);
    for (one, other) in parts.iter().zip(&whole) {
        assert!(one == other, "{} and {} differ", one.0, other.0);
    }
    assert_eq!(parts.len(), whole.len());
}

/// Starts the program without its output.
fn start(folder: &Path, words: &str) -> Program {
    Program::start(command(folder, words).stdout(Stdio::null()))
}

#[test]
fn learn_takes_data_of_others_and_no_other_beginning() {
    let folder = scratch("learning/others");
    let others = folder.join("others");
    std::fs::create_dir(&others).unwrap();
    datagen(&folder, "others/0001-other.dat", "3000 --seed 9");
    std::fs::write(others.join("nonsense.dat"), "nonsense").unwrap();
    let words = learn("others", "<material>", 1);
    let said = run(&folder, &words);
    assert!(said.contains("stage=train from=nothing files=2 "), "{said}");
    assert!(
        said.contains("/nonsense.dat: it is not training data; training leaves it out"),
        "{said}"
    );
    assert!(!others.join("0000.net").exists());
    let said = run(&folder, &words);
    assert!(said.ends_with("\ndone after 1 round\n"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
    let log = std::fs::read(others.join("log")).unwrap();
    ignorant_network(&folder);
    let words = learn("others", "ignorant.net", 1);
    let error = refused(&folder, &words);
    assert!(error.contains("it began with another network"), "{error}");
    assert!(log == std::fs::read(others.join("log")).unwrap());
    // The lines of the log must follow each other.
    std::fs::write(others.join("log"), "round=1\tstage=gate\tpromoted=yes\n").unwrap();
    let error = refused(&folder, &words);
    assert!(error.contains("line 1 does not continue the log"), "{error}");
}

#[test]
fn tune_reports_its_parameters() {
    let words = "tune congress --pairs 6 --nodes 60 --threads 2";
    let said = run(&scratch("learning/tune"), words);
    assert!(said.contains("after 6 pairs:"), "{said}");
    assert!(said.contains("reduction_base: "), "{said}");
}

#[test]
fn tune_changes_only_chosen_parameters() {
    let folder = scratch("learning/tune-only");
    let said = run(
        &folder,
        "tune congress --pairs 32 --nodes 100 --threads 1 --only quiescence_moves,delta \
         --state only.tune",
    );
    let (_, found) = said.split_once("after 32 pairs:\n").unwrap();
    let names: Vec<_> = found.lines().map(|line| line.split(':').next()).collect();
    assert_eq!(names, [Some("delta"), Some("quiescence_moves")]);
    let noted = std::fs::read_to_string(folder.join("only.tune")).unwrap();
    let lines: Vec<_> = noted.lines().collect();
    let [settings, head, after_16, after_32] = lines[..] else { panic!("{noted}") };
    assert!(settings.ends_with(", only delta,quiescence_moves"), "{noted}");
    let columns = head.split('\t').zip(after_16.split('\t').zip(after_32.split('\t')));
    let changed = columns.filter(|(_, (before, after))| before != after);
    let changed: Vec<_> = changed.map(|(name, _)| name).collect();
    assert_eq!(changed, ["pairs", "opening", "delta", "quiescence_moves"]);
}

#[test]
fn tune_resumes_from_its_state() {
    let folder = scratch("learning/tune-state");
    let tune = |state: &str, pairs: u32| {
        format!("tune congress --pairs {pairs} --nodes 30 --threads 1 --state {state}.tune")
    };
    let [whole, parts] = ["whole.tune", "parts.tune"].map(|name| folder.join(name));
    let said = run(&folder, &tune("whole", 40));
    assert!(said.contains("after 40 pairs:"), "{said}");
    run(&folder, &tune("parts", 5));
    let begun = length(&parts);
    let mut child = start(&folder, &tune("parts", 1_000_000));
    wait_for_bytes(&parts, begun + 100);
    child.kill();
    // The run continues after the last whole line.
    let noted = std::fs::read_to_string(&parts).unwrap();
    let (whole_lines, _) = noted.rsplit_once('\n').unwrap();
    let last = whole_lines.lines().last().unwrap();
    let (pairs, _) = last.split_once('\t').unwrap();
    assert!(pairs.parse::<u32>().unwrap() > 5, "{pairs}");
    let said = run(&folder, &tune("parts", 40));
    assert!(said.starts_with(&format!("resumes after {pairs} pairs\n")), "{said}");
    let last = |path| {
        let text = std::fs::read_to_string(path).unwrap();
        // Its checksum is over the lines before it too, and one run has saved more of them.
        let values = text.lines().last().and_then(|line| line.rsplit_once('\t'));
        values.map(|(values, _)| values.to_string())
    };
    assert_eq!(last(&whole), last(&parts));
    let error = refused(&folder, &format!("{} --seed 2", tune("parts", 40)));
    assert!(error.contains("a run with other settings"), "{error}");
}
