//! Helpers that test files share.

pub mod checks;
pub mod client;
pub mod console;
pub mod endings;
pub mod finishing;
pub mod matches;
pub mod positions;
pub mod program;
pub mod spoil;
#[cfg(unix)]
pub mod xboard;

use quadrille::engine::{Session, VARIANTS, find_variant};
use quadrille::games::{Game, Outcome, result};
use quadrille::system::random::Random;
use std::path::{MAIN_SEPARATOR, Path};
use std::sync::OnceLock;

/// Opens a session of a game in the catalogue, with the networks that the program was built with.
pub fn session<G: Game>() -> Box<dyn Session> {
    find_variant(VARIANTS, G::NAME).unwrap().open()
}

/// Number of random trials of `count` that are drawn: an eighth, `QUADRILLE_TIMES` times.
pub fn drawn(count: usize) -> usize {
    static TIMES: OnceLock<usize> = OnceLock::new();
    let times = TIMES.get_or_init(|| {
        std::env::var("QUADRILLE_TIMES")
            .map_or(1, |text| text.parse().expect("QUADRILLE_TIMES is a whole number of times"))
    });
    (count * times).div_ceil(8)
}

/// Parses the rows of a data file, each of `N` fields.
pub fn rows<const N: usize>(data: &str) -> impl Iterator<Item = [&str; N]> {
    data.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<_> = line.split('|').collect();
        fields.try_into().unwrap_or_else(|_| panic!("not {N} fields: {line}"))
    })
}

/// Plays a random move, unless the game is over.
pub fn play_random(session: &mut dyn Session, random: &mut Random) -> Option<String> {
    let mv = random.pick(&session.moves())?.clone();
    session.play(&mv).unwrap();
    Some(mv)
}

/// The end of a game as CECP writes it: `1-0 {REASON}`.
pub fn claim(outcome: Outcome) -> String {
    format!("{} {{{}}}", result(outcome.winner), outcome.reason.name())
}

/// A FEN with another word in place of one of its fields.
pub fn with_field(fen: &str, index: usize, word: &str) -> String {
    let mut fields: Vec<_> = fen.split(' ').collect();
    fields[index] = word;
    fields.join(" ")
}

/// A figure of a process, `None` on a system other than Linux.
pub fn process_figure(process: &str, name: &str) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let figure = line.strip_prefix(':')?.split_whitespace().next()?;
    Some(figure.parse().unwrap())
}

/// Names of the files with an extension below a folder of the repository, as from its root.
pub fn files(folder: &str, extension: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root.join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_str().unwrap();
        let name = name.replace(MAIN_SEPARATOR, "/");
        if path.is_dir() {
            names.extend(files(&name, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            names.push(name);
        }
    }
    names
}
