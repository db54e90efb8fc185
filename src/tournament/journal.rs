//! A match that can go on: its command line and the games that it has finished, in a file that
//! grows by a line with each game.
//!
//! The line of a game is written after the game itself, and says how long the PGN was then. So
//! of a match that ends in between, however hard, the game counts as not played, and what there
//! is of it in the PGN is cut off.

use super::args::option_name;
use super::fixture::Fixture;
use super::game::End;
use super::record_files::Sink;
use super::report::finished_game::FinishedGame;
use crate::games::Side;
use crate::system::checksum::checksum;
use crate::system::files;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The first line of such a file.
const TITLE: &str = "quadrille match 2";
/// How long another process may take to end that still writes to the file.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often what was written is made safe against a power cut.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// Words whose options a match may go on with other values of.
const FREE: [&str; 6] = [
    "-resume",
    "-concurrency",
    "-debug",
    "-log",
    "-json",
    "-html",
];

/// The file of a match.
pub struct Journal {
    file: File,
    path: String,
    /// Its name in errors, with the option that gave it if there was one.
    name: String,
    synced: Instant,
}

/// What a match goes on from.
#[derive(Default)]
pub struct Past {
    /// The games that are finished.
    pub games: Vec<FinishedGame>,
    /// How long PGN and EPD were when the match began, and after each of the games.
    lengths: Vec<[u64; 2]>,
    /// Whether there is a match at all.
    is_some: bool,
}

/// The command line of a match that goes on: if it names no engines, that of the file is put
/// before it.
///
/// # Errors
///
/// The file cannot be read, or is not one of a match.
pub fn whole_command_line(arguments: &[&str]) -> Result<Vec<String>, String> {
    let given = arguments.iter().map(|word| word.to_string());
    let path = arguments
        .iter()
        .position(|word| *word == "-resume")
        .and_then(|at| arguments.get(at + 1));
    let Some(path) = path.filter(|_| !arguments.contains(&"-engine")) else {
        return Ok(given.collect());
    };
    let (saved, _) = read(path)?;
    Ok(saved.into_iter().chain(given).collect())
}

/// The words that must be the same for a match to go on.
fn fixed_words(arguments: &[String]) -> Vec<&str> {
    let mut is_free = false;
    let words = arguments.iter().map(String::as_str).filter(|word| {
        if let Some(name) = option_name(word) {
            is_free = FREE.contains(&name);
        }
        !is_free
    });
    words.collect()
}

/// What is in a file: the command line of the match, and the rest.
fn read(path: &str) -> Result<(Vec<String>, Vec<String>), String> {
    const MOST: u64 = 1 << 30;
    let bytes = files::read(Path::new(path), MOST);
    let bytes = bytes.map_err(|error| format!("-resume: {path}: {error}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.split_inclusive('\n');
    if lines.next() != Some(&format!("{TITLE}\n")) {
        return Err(format!("-resume: {path}: it is not of a match"));
    }
    let (mut arguments, mut rest) = (Vec::new(), Vec::new());
    for line in lines {
        // The last line may be cut off.
        let Some(line) = line.strip_suffix('\n') else {
            break;
        };
        match line.strip_prefix("word ") {
            Some(word) => arguments.push(unescape(word)),
            None => rest.push(line.to_string()),
        }
    }
    Ok((arguments, rest))
}

impl Journal {
    /// Opens the file of a match, or makes a new one, and tells what there is to go on from.
    /// `openings` tells the openings from others.
    ///
    /// # Errors
    ///
    /// It cannot be used, another process uses it, or it is of another match.
    pub fn open(
        path: &str,
        arguments: &[String],
        openings: &str,
        anew: bool,
    ) -> Result<(Self, Past), String> {
        let name = if anew {
            path.into()
        } else {
            format!("-resume: {path}")
        };
        let wrong = |error: &dyn std::fmt::Display| format!("{name}: {error}");
        files::check(Path::new(path)).map_err(|error| wrong(&error))?;
        let file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .map_err(|error| wrong(&error))?;
        lock(&file).map_err(|error| wrong(&error))?;
        let state = Self {
            file,
            path: path.into(),
            name: name.clone(),
            synced: Instant::now(),
        };
        let is_new = anew || state.file.metadata().map_err(|error| wrong(&error))?.len() == 0;
        if is_new {
            state.file.set_len(0).map_err(|error| wrong(&error))?;
            return Ok((state, Past::default()));
        }
        let (saved, rest) = read(path)?;
        if fixed_words(&saved) != fixed_words(arguments) {
            return Err(wrong(&format!(
                "it is of another match: {}",
                fixed_words(&saved).join(" ")
            )));
        }
        let mut past = Past {
            is_some: true,
            ..Past::default()
        };
        let mark = checksum(openings.as_bytes());
        for line in &rest {
            let fields: Vec<_> = line.split('\t').collect();
            match fields[..] {
                ["openings", value] if value != format!("{mark:016x}") => {
                    return Err(wrong(&"the openings have changed since"));
                }
                ["openings", _] => {}
                ["lengths", pgn, epd] => past.lengths = vec![[pgn, epd].map(length)],
                ["game", pgn, epd, ..] if !past.lengths.is_empty() => {
                    let game = read_game(&fields[3..]);
                    let game = game.ok_or_else(|| wrong(&format!("`{line}` is not a game")))?;
                    past.forget_from(|known| known.fixture.number == game.fixture.number);
                    past.games.push(game);
                    past.lengths.push([pgn, epd].map(length));
                }
                _ => return Err(wrong(&format!("`{line}` is not understood"))),
            }
        }
        Ok((state, past))
    }

    /// Writes the beginning of a new file.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn begin(
        &mut self,
        arguments: &[String],
        openings: &str,
        sinks: [Option<&Sink>; 2],
    ) -> Result<(), String> {
        let mut text = format!("{TITLE}\n");
        for word in fixed_words(arguments) {
            text.push_str(&format!("word {}\n", escape(word)));
        }
        let [pgn, epd] = sinks.map(|sink| sink.map_or(0, Sink::length));
        let mark = checksum(openings.as_bytes());
        text.push_str(&format!("openings\t{mark:016x}\nlengths\t{pgn}\t{epd}\n"));
        self.write(&text)
    }

    /// Notes a game that is finished and written.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn add(&mut self, game: &FinishedGame, sinks: [Option<&Sink>; 2]) -> Result<(), String> {
        let [pgn, epd] = sinks.map(|sink| sink.map_or(0, Sink::length));
        self.write(&format!("game\t{pgn}\t{epd}\t{}\n", game_line(game)))?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            sinks.into_iter().flatten().for_each(Sink::sync);
            // It is a help, not a promise.
            let _ = self.file.sync_data();
            self.synced = Instant::now();
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), String> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| format!("{}: {error}", self.name))
    }

    /// Takes the file away, once there is nothing left to go on with.
    pub fn remove(self) {
        // It is of no more use; that it stays does no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Past {
    /// Whether there is a match to go on with.
    pub const fn is_some(&self) -> bool {
        self.is_some
    }

    /// Forgets the games from the first of some kind on.
    fn forget_from(&mut self, is_wrong: impl FnMut(&FinishedGame) -> bool) {
        if let Some(first) = self.games.iter().position(is_wrong) {
            self.games.truncate(first);
            self.lengths.truncate(first + 1);
        }
    }

    /// Makes PGN and EPD what they were after the last game that counts: what there is of the
    /// next one goes. Games that a power cut took out of them do not count.
    ///
    /// # Errors
    ///
    /// They hold more than one game that was not finished.
    pub fn restore(&mut self, paths: [Option<&str>; 2]) -> Result<(), String> {
        let actual = paths.map(|path| {
            let data = path.and_then(|path| std::fs::metadata(path).ok());
            data.filter(|data| data.is_file()).map(|data| data.len())
        });
        let is_there = |lengths: &[u64; 2]| {
            let mut both = lengths.iter().zip(actual).zip(paths);
            both.all(|((&wanted, actual), path)| {
                path.is_none() || actual.is_none_or(|actual| actual >= wanted)
            })
        };
        let kept = self.lengths.iter().take_while(|lengths| is_there(lengths));
        let kept = kept.count().saturating_sub(1);
        self.games.truncate(kept);
        self.lengths.truncate(kept + 1);
        let lengths = self.lengths.last().copied().unwrap_or_default();
        for (path, length) in paths.into_iter().zip(lengths) {
            if let Some(path) = path {
                cut_off(path, length).map_err(|error| format!("-resume: {path}: {error}"))?;
            }
        }
        Ok(())
    }
}

fn cut_off(path: &str, length: u64) -> Result<(), String> {
    const BEGINNING: &str = "[Event \"";
    let text = |error: std::io::Error| error.to_string();
    let data = match std::fs::metadata(path) {
        Err(_) => return Ok(()),
        Ok(data) if !data.is_file() || data.len() <= length => return Ok(()),
        Ok(data) => data,
    };
    log::debug!("{path}: from {} to {length} bytes", data.len());
    let opened = OpenOptions::new().read(true).write(true).open(path);
    let mut file = opened.map_err(text)?;
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(length)).map_err(text)?;
    file.read_to_end(&mut tail).map_err(text)?;
    let tail = String::from_utf8_lossy(&tail);
    if tail.matches(BEGINNING).count() > 1 || tail.lines().count() > 1 && !tail.contains(BEGINNING)
    {
        return Err("other games have been added since; move it away".into());
    }
    file.set_len(length).map_err(text)
}

/// Waits for the file; its last user may still be ending.
fn lock(file: &File) -> Result<(), String> {
    let begin = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            // Where there are no locks, nobody is kept out.
            Err(TryLockError::Error(_)) => return Ok(()),
            Err(TryLockError::WouldBlock) if begin.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err("another match uses it".into()),
        }
    }
}

fn length(text: &str) -> u64 {
    text.parse().unwrap_or(0)
}

fn game_line(game: &FinishedGame) -> String {
    let fixture = &game.fixture;
    let [white, black] = fixture.seats;
    let (first, second) = fixture.pairing;
    let pair = fixture.pair.map_or("-".into(), |pair| pair.to_string());
    let winner = game
        .winner
        .map_or("-".into(), |side| side.index().to_string());
    [
        fixture.number.to_string(),
        fixture.opening.to_string(),
        fixture.repetition.to_string(),
        white.to_string(),
        black.to_string(),
        first.to_string(),
        second.to_string(),
        pair,
        winner,
        game.plies.to_string(),
        game.begun.to_string(),
        game.duration.as_millis().to_string(),
        format!("{:016x}", game.mark),
        escape(&game.end.tag()),
    ]
    .join("\t")
}

fn read_game(fields: &[&str]) -> Option<FinishedGame> {
    let &[
        number,
        opening,
        repetition,
        white,
        black,
        first,
        second,
        pair,
        winner,
        plies,
        begun,
        duration,
        mark,
        reason,
    ] = fields
    else {
        return None;
    };
    Some(FinishedGame {
        fixture: Fixture {
            number: number.parse().ok()?,
            opening: opening.parse().ok()?,
            repetition: repetition.parse().ok()?,
            seats: [white.parse().ok()?, black.parse().ok()?],
            pairing: (first.parse().ok()?, second.parse().ok()?),
            pair: pair.parse().ok(),
        },
        winner: match winner {
            "-" => None,
            "0" => Some(Side::White),
            "1" => Some(Side::Black),
            _ => return None,
        },
        end: End::of_tag(&unescape(reason)),
        plies: plies.parse().ok()?,
        begun: begun.parse().ok()?,
        duration: Duration::from_millis(duration.parse().ok()?),
        mark: u64::from_str_radix(mark, 16).ok()?,
    })
}

/// A text on one line and in one field.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
        .replace('\r', "\\r")
}

fn unescape(text: &str) -> String {
    let mut letters = text.chars();
    let mut whole = String::new();
    while let Some(letter) = letters.next() {
        whole.push(match letter {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => break,
            },
            _ => letter,
        });
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Reason;

    #[test]
    fn games_are_read_as_they_were_written() {
        let mut game = FinishedGame {
            fixture: Fixture {
                number: 7,
                opening: 3,
                repetition: 1,
                seats: [1, 0],
                pairing: (0, 1),
                pair: Some(3),
            },
            winner: Some(Side::Black),
            end: End::Rules(Reason::Checkmate),
            plies: 80,
            begun: 1_700_000_000,
            duration: Duration::from_millis(1234),
            mark: 0xABCD,
        };
        let read = |game: &FinishedGame| {
            let line = game_line(game);
            assert!(!line.contains('\n'));
            read_game(&line.split('\t').collect::<Vec<_>>())
        };
        assert_eq!(read(&game), Some(game.clone()));
        (game.winner, game.fixture.pair) = (None, None);
        game.end = End::Other("a\tb\\c\nd".into());
        assert_eq!(read(&game), Some(game));
        assert_eq!(read_game(&["1", "2"]), None);
    }

    #[test]
    fn words_that_may_change() {
        let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        let one = words("-engine cmd=a -concurrency 2 -resume x -games 4");
        let other = words("-engine cmd=a -games 4 -log file=y level=z");
        assert_eq!(fixed_words(&one), fixed_words(&other));
        assert_ne!(
            fixed_words(&one),
            fixed_words(&words("-engine cmd=b -games 4"))
        );
        // A number below zero is not an option.
        assert_eq!(fixed_words(&words("-concurrency -1 -x -2")), ["-x", "-2"]);
    }
}
