//! The journal of a match: its command line and its finished games. Each game appends a line.
//!
//! The line of a game is written after the game itself, with the lengths of PGN and EPD at that
//! moment. If the process dies between the two writes, the game counts as unplayed, and resuming
//! truncates its partial PGN.

use super::args::{groups, is_free};
use super::game::GameEnd;
use super::output::OutputFile;
use super::report::finished_game::FinishedGame;
use super::schedule::Fixture;
use crate::cli::Failure;
use crate::games::Side;
use crate::system::files::{self, Lines, LockedFile};
use std::path::Path;
use std::time::{Duration, Instant};

/// First line of a journal.
const TITLE: &str = "quadrille match 2";
/// Longest journal that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// Interval at which the files are flushed to the disk, against a power cut.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A journal that is open for writing.
pub(super) struct Journal {
    lines: Lines,
    path: String,
    /// Its name in errors, with `-resume` if that gave it.
    name: String,
    /// True if the file was empty, or not there.
    is_new: bool,
    synced: Instant,
}

/// Games of earlier runs of a match.
#[derive(Default)]
pub(super) struct EarlierGames {
    pub games: Vec<FinishedGame>,
    /// Lengths of PGN and EPD when the match began, and after each of the games.
    lengths: Vec<[u64; 2]>,
}

/// Completes the command line of a resumed match: if it names no engines, the words in the
/// journal precede it.
pub(super) fn whole_command_line(words: &[&str]) -> Result<Vec<String>, Failure> {
    let given = groups(words)?;
    let path = given.iter().rev().find_map(|group| match group[..] {
        ["-resume", path, ..] => Some(path),
        _ => None,
    });
    let has_engines = given.iter().any(|group| group[0] == "-engine");
    let Some(path) = path.filter(|_| !has_engines) else {
        return Ok(words.iter().map(|word| word.to_string()).collect());
    };
    let wrong = |error: &dyn std::fmt::Display| format!("-resume: {path}: {error}");
    let bytes = files::read(Path::new(path), MAX_BYTES).map_err(|error| wrong(&error))?;
    let text = String::from_utf8_lossy(&bytes);
    // A torn last line is none.
    let lines: Vec<_> = text[..text.rfind('\n').unwrap_or(0)].lines().collect();
    let (mut whole, _) = split(&lines).map_err(|error| wrong(&error))?;
    let (free, fixed): (Vec<_>, Vec<_>) = given.into_iter().partition(|group| is_free(group[0]));
    let kept = fixed_options(&whole)?;
    if let Some(other) = fixed.iter().find(|group| !kept.contains(group)) {
        let other = other.join(" ");
        return Err(Failure::refused(wrong(&format!(
            "`{other}` would change the match; leave it out"
        ))));
    }
    whole.extend(free.concat().into_iter().map(str::to_string));
    Ok(whole)
}

/// Returns the options that must be the same when a match is resumed, with their words.
fn fixed_options(words: &[String]) -> Result<Vec<Vec<&str>>, Failure> {
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let mut options = groups(&words)?;
    options.retain(|group| !is_free(group[0]));
    Ok(options)
}

/// Describes how a command line differs from that of a match; `None` if the match is the same.
fn difference(saved: &[Vec<&str>], given: &[Vec<&str>]) -> Option<String> {
    let extra = |some: &[Vec<&str>], others: &[Vec<&str>]| {
        let extra = some.iter().find(|group| !others.contains(group));
        extra.map(|group| group.join(" "))
    };
    if saved == given {
        None
    } else if let Some(extra) = extra(given, saved) {
        Some(format!("it has no `{extra}`"))
    } else if let Some(missing) = extra(saved, given) {
        Some(format!("`{missing}` is missing here"))
    } else {
        Some("the order differs here".into())
    }
}

/// Splits a journal into the words of the command line and the lines after them.
fn split<L: AsRef<str>>(lines: &[L]) -> Result<(Vec<String>, &[L]), &'static str> {
    let rest = match lines {
        [title, rest @ ..] if title.as_ref() == TITLE => rest,
        _ => return Err("it is not the file of a match"),
    };
    let words = rest
        .iter()
        .map_while(|line| line.as_ref().strip_prefix("word ").map(unescape));
    let words: Vec<_> = words.collect();
    let rest = &rest[words.len()..];
    Ok((words, rest))
}

impl Journal {
    /// Opens a journal, or creates it, and reads the games of earlier runs; `None` if the match is
    /// new. `openings` identifies the openings of the match. With `anew` an old match there stays
    /// until this one [begins](Self::begin).
    pub(super) fn open(
        path: &str,
        words: &[String],
        openings: u64,
        anew: bool,
    ) -> Result<(Self, Option<EarlierGames>), Failure> {
        let name = if anew {
            path.into()
        } else {
            format!("-resume: {path}")
        };
        let wrong = |error: &dyn std::fmt::Display| format!("{name}: {error}");
        let mut lines = Lines::open(Path::new(path)).map_err(|error| wrong(&error))?;
        let before = std::mem::take(&mut lines.before);
        let journal = Self {
            lines,
            path: path.into(),
            name: name.clone(),
            is_new: before.is_empty(),
            synced: Instant::now(),
        };
        if anew || before.is_empty() {
            return Ok((journal, None));
        }
        let (saved, rest) = split(&before).map_err(|error| wrong(&error))?;
        let kept = fixed_options(&saved)?;
        if let Some(difference) = difference(&kept, &fixed_options(words)?) {
            let kept = kept.concat().join(" ");
            return Err(Failure::refused(wrong(&format!(
                "it is the file of another match: {kept}; {difference}"
            ))));
        }
        let mut earlier = EarlierGames::default();
        for line in rest {
            let fields: Vec<_> = line.split('\t').collect();
            match fields[..] {
                ["openings", mark] if mark != format!("{openings:016x}") => {
                    return Err(wrong(&"the openings have changed since").into());
                }
                ["openings", _] => {}
                ["lengths", pgn, epd] => earlier.lengths = vec![[pgn, epd].map(length)],
                ["game", pgn, epd, ..] if !earlier.lengths.is_empty() => {
                    let game = read_game(&fields[3..]);
                    let game = game.ok_or_else(|| wrong(&format!("`{line}` is not a game")))?;
                    earlier.truncate_at(game.fixture.number);
                    earlier.games.push(game);
                    earlier.lengths.push([pgn, epd].map(length));
                }
                _ => return Err(wrong(&format!("`{line}` is not understood")).into()),
            }
        }
        Ok((journal, Some(earlier)))
    }

    /// Returns the path if another match is there, which a new one replaces.
    pub(super) fn replaces(&self) -> Option<&str> {
        (!self.is_new).then_some(&self.path)
    }

    /// Writes the beginning of a new journal, in the place of all that is there.
    pub(super) fn begin(
        &mut self,
        words: &[String],
        openings: u64,
        files: [Option<&OutputFile>; 2],
    ) -> Result<(), String> {
        let mut text = format!("{TITLE}\n");
        for word in words {
            text.push_str(&format!("word {}\n", escape(word)));
        }
        let [pgn, epd] = files.map(|file| file.map_or(0, OutputFile::length));
        let cleared = self.lines.clear();
        cleared.map_err(|error| format!("{}: {error}", self.name))?;
        self.write(&format!(
            "{text}openings\t{openings:016x}\nlengths\t{pgn}\t{epd}"
        ))
    }

    /// Adds a game that is finished and written.
    pub(super) fn add(
        &mut self,
        game: &FinishedGame,
        files: [Option<&OutputFile>; 2],
    ) -> Result<(), String> {
        let [pgn, epd] = files.map(|file| file.map_or(0, OutputFile::length));
        self.write(&format!("game\t{pgn}\t{epd}\t{}", game_line(game)))?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            files.into_iter().flatten().for_each(OutputFile::sync);
            self.lines.sync();
            self.synced = Instant::now();
        }
        Ok(())
    }

    fn write(&mut self, lines: &str) -> Result<(), String> {
        let written = self.lines.append(lines);
        written.map_err(|error| format!("{}: {error}", self.name))
    }

    /// Leaves a match that cannot begin.
    pub(super) fn abandon(self) {
        if self.is_new {
            self.remove();
        }
    }

    /// Removes the file of a match that is over.
    pub(super) fn remove(self) {
        // On Windows nobody can remove an open file.
        drop(self.lines);
        // A file that stays does no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl EarlierGames {
    /// Drops the game with a number and all after it.
    fn truncate_at(&mut self, number: u64) {
        let mut games = self.games.iter();
        if let Some(first) = games.position(|game| game.fixture.number == number) {
            self.games.truncate(first);
            self.lengths.truncate(first + 1);
        }
    }

    /// Truncates PGN and EPD to the last game that counts. Games that they have lost, as in a power
    /// cut, do not count.
    pub(super) fn restore(&mut self, paths: [Option<&str>; 2]) -> Result<(), String> {
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
                truncate(path, length).map_err(|error| format!("-resume: {path}: {error}"))?;
            }
        }
        Ok(())
    }
}

/// Truncates a file, if at most one game is lost.
fn truncate(path: &str, length: u64) -> Result<(), String> {
    const BEGINNING: &str = "[Event \"";
    let text = |error: std::io::Error| error.to_string();
    let data = match std::fs::metadata(path) {
        Err(_) => return Ok(()),
        Ok(data) if !data.is_file() || data.len() <= length => return Ok(()),
        Ok(data) => data,
    };
    log::debug!("{path}: from {} to {length} bytes", data.len());
    let mut file = LockedFile::open(Path::new(path)).map_err(text)?;
    let tail = file.read(length).map_err(text)?;
    let tail = String::from_utf8_lossy(&tail);
    if tail.matches(BEGINNING).count() > 1 || tail.lines().count() > 1 && !tail.contains(BEGINNING)
    {
        return Err("other games have been added since; move it away".into());
    }
    file.truncate(length).map_err(text)
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
        end: GameEnd::of_tag(&unescape(reason)),
        plies: plies.parse().ok()?,
        begun: begun.parse().ok()?,
        duration: Duration::from_millis(duration.parse().ok()?),
        mark: u64::from_str_radix(mark, 16).ok()?,
    })
}

/// Escapes line ends and tabs.
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
            end: GameEnd::Rules(Reason::Checkmate),
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
        game.end = GameEnd::Other("a\tb\\c\nd".into());
        assert_eq!(read(&game), Some(game));
        assert_eq!(read_game(&["1", "2"]), None);
    }

    #[test]
    fn words_that_may_change() {
        let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        let one = words("-engine cmd=a -concurrency 2 -resume x -games 4");
        let one = fixed_options(&one).unwrap();
        for (other, wanted) in [
            ("-engine cmd=a -games 4 -log file=y level=z", None),
            ("--engine cmd=a -tb x -games 4 -strict", None),
            ("-engine cmd=b -games 4", Some("it has no `-engine cmd=b`")),
            ("-engine cmd=a", Some("`-games 4` is missing here")),
            ("-games 4 -engine cmd=a", Some("the order differs here")),
        ] {
            let other = words(other);
            let difference = difference(&one, &fixed_options(&other).unwrap());
            assert_eq!(difference.as_deref(), wanted, "{other:?}");
        }
        // A number below zero is not an option.
        let negative = words("-concurrency -1 -x -2");
        assert_eq!(fixed_options(&negative).unwrap(), [["-x", "-2"]]);
    }
}
