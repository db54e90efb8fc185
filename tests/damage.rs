//! Every kind of file that the program resumes from or reads back, spoiled in every way. The fault is
//! named and the file left as it is; only an end that was not written whole is dropped, and named too.
//! In small files, and those of `fuzz::files` and `endings`, every bit is spoiled.
//!
//! `QUADRILLE_TIMES=N` spoils the files in N times as many places.

use crate::common::drawn;
use crate::common::program::{Ended, Run, quadrille, scratch};
use crate::common::spoil::{damaged, garbage};
use quadrille::system::checksum::checksum;
use quadrille::system::random::Random;
use quadrille::system::sealed::{Format, SealedFault, SealedReader, SealedWriter};
use std::fs;
use std::path::Path;

/// Places in which each file is spoiled in each way.
const PLACES: usize = 2;

#[derive(Clone, Copy)]
enum Promise {
    /// Every change is found.
    Whole,
    /// So is every change but the loss of the last records: an earlier state of the file.
    Grows,
    /// It has no checksums, since people write it too. A change that leaves it legal is not found.
    Plain,
}

/// Forges numbers under a right checksum.
type Forge = fn(&[u8]) -> Vec<u8>;

struct Kind {
    file: &'static str,
    /// Commands that read it.
    readers: &'static [&'static str],
    promise: Promise,
    forge: Option<Forge>,
    /// Lines in the log of the interrupted `learn` that reads the file.
    log: usize,
}

impl Kind {
    const fn new(file: &'static str, readers: &'static [&'static str], promise: Promise) -> Self {
        Self { file, readers, promise, forge: None, log: 3 }
    }
}

const TEST: &str = "train congress --test few.dat --out trained.net";
const DATAGEN: &str = "datagen congress --out few.dat --positions 300 --nodes 10 --label-nodes 20 --threads 1 --eval <material>";
const GAMES: &str =
    "datagen congress --out games.dat --positions 16000 --nodes 10 --threads 1 --eval <material>";
const TRAIN: &str = "train congress games.dat --out trained.net --hidden 64 --epochs 0.2 \
                     --checkpoint trained.state --threads 1";
const TUNE: &str =
    "tune congress --pairs 80 --nodes 10 --threads 1 --eval <material> --state tuned.tsv";
const LEARN: &str = "learn congress --dir lab --from <material> --rounds 1 --positions 16000 \
                     --nodes 10 --hidden 64 --epochs 0.2 --pairs 8 --threads 1";
const SOLVE: &str = "solve congress KHk --out tables --threads 1";
/// A blank within a word is written `_`.
const PROVE: &str =
    "prove congress 1k3k2/5Pb1/2P3P1/1Hh2B2/2P5/3KK3_w_-_- --hash 1 --out proof.epd";
const CHECK: &str = "prove congress 1k3k2/5Pb1/2P3P1/1Hh2B2/2P5/3KK3_w_-_- --check proof.epd";
const WITH: &str =
    "prove congress 1k3k2/5Pb1/2P3P1/1Hh2B2/2P5/3KK3_w_-_- --hash 1 --with proof.epd";
const NUMBERS: &str =
    "prove congress 1k3k2/5Pb1/2P3P1/1Hh2B2/2P5/3KK3_w_-_- --hash 1 --table numbers";
const MATCH: &str = "match -variant congress -engine name=a cmd=self -engine name=b cmd=self \
                     -each nodes=20 -openings random -games 2 -rounds 2 -pgnout match.pgn";

const KINDS: [Kind; 12] = [
    Kind::new("few.dat", &[TEST, DATAGEN], Promise::Grows),
    Kind { forge: Some(forge_network), ..Kind::new("trained.net", &[TEST], Promise::Whole) },
    Kind { forge: Some(forge_checkpoint), ..Kind::new("trained.state", &[TRAIN], Promise::Whole) },
    Kind { forge: Some(forge_parameters), ..Kind::new("tuned.tsv", &[TUNE], Promise::Grows) },
    Kind::new("lab/log", &[LEARN], Promise::Grows),
    Kind { log: 1, ..Kind::new("lab/0001.dat", &[LEARN], Promise::Grows) },
    Kind {
        log: 2,
        forge: Some(forge_network),
        ..Kind::new("lab/0001.net", &[LEARN], Promise::Whole)
    },
    Kind { log: 2, ..Kind::new("lab/0001.pairs", &[LEARN], Promise::Grows) },
    Kind::new("tables/congress-KHvK.end", &[SOLVE], Promise::Whole),
    Kind::new("proof.epd", &[CHECK, WITH, PROVE], Promise::Plain),
    Kind::new("numbers", &[NUMBERS], Promise::Whole),
    Kind::new("match.pgn", &["replay match.pgn", "annotate --nodes 1 match.pgn"], Promise::Plain),
];

/// Biases that are too large for their scales.
fn forge_network(sound: &[u8]) -> Vec<u8> {
    let (header, payload) = sound.split_at(48);
    let (weights, _) = payload.split_at(payload.len() - 64);
    let numbers = [1, i32::MAX].map(|number| number.to_le_bytes().repeat(8));
    let payload = [weights, &numbers.concat()].concat();
    let sum = checksum(&payload).to_le_bytes();
    [&header[..40], &sum, &payload].concat()
}

/// A weight that is not a number.
fn forge_checkpoint(sound: &[u8]) -> Vec<u8> {
    let content = [&sound[..sound.len() - 12], &f32::NAN.to_le_bytes()].concat();
    let sum = checksum(&content).to_le_bytes();
    [&content[..], &sum].concat()
}

/// A parameter that is not a number, in the first line with a checksum.
fn forge_parameters(sound: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(sound).unwrap();
    let lines: Vec<_> = text.lines().take(3).collect();
    let content = lines[2].rsplitn(3, '\t').nth(2).unwrap().to_string() + "\tNaN";
    let sum = checksum(content.as_bytes());
    format!("{}\n{}\n{content}\t{sum:016x}\n", lines[0], lines[1]).into()
}

/// Wherever the checksum is, every truncation and every flipped bit is found.
#[test]
fn a_seal_shows_every_change() {
    static FORMAT: Format = Format { what: "a test", magic: b"test1", remedy: "repeat it" };
    const CONTENT: &[u8] = b"The quick brown fox";
    let path = scratch("damage/seal").join("file");
    let mut file = SealedWriter::create(&FORMAT, &path).unwrap();
    file.write(CONTENT).unwrap();
    file.finish().unwrap();
    let read = |bytes: &[u8], seal_is_first: bool| -> Result<Vec<u8>, SealedFault> {
        let mut file = SealedReader::new(&FORMAT, bytes)?;
        if seal_is_first {
            file.take_seal()?;
        }
        file.rest()
    };
    let files = [(fs::read(&path).unwrap(), false), (FORMAT.seal(&[], CONTENT), true)];
    for (sound, seal_is_first) in files {
        assert_eq!(read(&sound, seal_is_first).unwrap(), CONTENT);
        for bytes in damaged(&mut Random::new(1, 0), &sound, 0) {
            let expected = match bytes.strip_prefix(b"test") {
                Some([b'1', ..]) => "it is damaged; repeat it",
                Some([_, ..]) => "it is a test of another version",
                _ => "it is not a test",
            };
            let fault = read(&bytes, seal_is_first).unwrap_err().to_string();
            assert_eq!(fault, expected, "{bytes:?}");
        }
    }
}

fn run(folder: &Path, words: &str) -> Ended {
    let words = words.split(' ').filter(|word| !word.is_empty());
    let words = words.map(|word| word.replace('_', " "));
    quadrille(words).current_dir(folder).run()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copied = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &copied);
        } else {
            fs::copy(path, copied).unwrap();
        }
    }
}

/// The bytes of a file, spoiled in every way, each with its name.
fn spoiled(random: &mut Random, sound: &[u8], foreign: Vec<u8>) -> Vec<(&'static str, Vec<u8>)> {
    let mut all = vec![("emptied", Vec::new()), ("foreign", foreign), ("doubled", sound.repeat(2))];
    let lines: Vec<_> = sound.split_inclusive(|&byte| byte == b'\n').collect();
    for _ in 0..drawn(PLACES) {
        let mut flipped = sound.to_vec();
        flipped[random.below(sound.len())] ^= 1 << random.below(8);
        all.push(("flipped", flipped));
        let cut = &sound[..random.below(sound.len())];
        all.push(("cut", cut.to_vec()));
        all.push(("zeros", [cut, &[0; 4096]].concat()));
        all.push(("longer", [sound, b"x", &garbage(random, 60)].concat()));
        let (from, length) = (random.below(sound.len() - 32), 1 + random.below(31));
        let hole = [&sound[..from], &sound[from + length..]].concat();
        all.push(("hole", hole));
        let (before, after) = lines.split_at(random.below(lines.len()));
        all.push(("without", [before, &after[1..]].concat().concat()));
        all.push(("repeated", [before, &after[..1], after].concat().concat()));
    }
    all
}

/// Asserts that a reader has kept the promise of a file with these bytes, and returns true if it has
/// refused it.
fn is_refused(
    kind: &Kind,
    sound: &[u8],
    bytes: &[u8],
    ended: &Ended,
    after: &[u8],
    what: &str,
) -> bool {
    assert!(!ended.said().contains("panicked"), "{what}");
    let lines = ended.stderr.lines();
    let torn = lines.filter_map(|line| line.split_once(&format!("{}: its last ", kind.file)));
    let torn = torn.map(|(_, line)| line.split(' ').next().unwrap().parse::<usize>().unwrap());
    let whole = &bytes[..bytes.len() - torn.max().unwrap_or(0)];
    assert!(after.starts_with(whole), "it is shorter: {what}");
    let is_kept = match (kind.promise, ended.code()) {
        (Promise::Plain, code) => matches!(code, Some(0..=2)),
        (_, Some(2)) => ended.stderr.contains(kind.file) && after == bytes,
        (Promise::Grows, code) => code == Some(0) && sound.starts_with(whole),
        (Promise::Whole, code) => code == Some(0) && sound == bytes,
    };
    assert!(is_kept, "{what}");
    ended.code() == Some(2)
}

#[test]
fn no_damage_is_passed_over() {
    let folder = scratch("damage/sound");
    for words in [DATAGEN, GAMES, TRAIN, TUNE, LEARN, SOLVE, PROVE, NUMBERS, MATCH] {
        run(&folder, words).succeeded();
    }
    let mut random = Random::new(31, 0);
    for (index, kind) in KINDS.iter().enumerate() {
        let sound = fs::read(folder.join(kind.file)).unwrap();
        let other = &KINDS[(index + 1) % KINDS.len()];
        let foreign = fs::read(folder.join(other.file)).unwrap();
        let mut all = spoiled(&mut random, &sound, foreign);
        if let Some(forge) = kind.forge {
            all.push(("forged", forge(&sound)));
        }
        let (mut refused, mut tried) = (0, 0);
        for (way, bytes) in all {
            for words in kind.readers {
                let trial = scratch("damage/trial");
                copy(&folder, &trial);
                let log = fs::read_to_string(trial.join("lab/log")).unwrap();
                let log: String = log.split_inclusive('\n').take(kind.log).collect();
                fs::write(trial.join("lab/log"), log).unwrap();
                fs::write(trial.join(kind.file), &bytes).unwrap();
                let ended = run(&trial, words);
                let after = fs::read(trial.join(kind.file)).unwrap();
                let what = format!("{}, {way}, {words}: {ended:#?}", kind.file);
                let is_refused = is_refused(kind, &sound, &bytes, &ended, &after, &what);
                let is_plain = matches!(kind.promise, Promise::Plain);
                let must_be = way == "foreign" || way == "forged" || way == "doubled";
                assert!(is_refused || is_plain || !must_be, "{what}");
                refused += usize::from(is_refused);
                tried += 1;
            }
        }
        println!("{}: {refused} of {tried} refused", kind.file);
    }
}
