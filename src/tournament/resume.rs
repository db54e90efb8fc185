//! `-resume`: the match that a PGN holds.
//!
//! A line with its command line comes first, and its games follow, each written at once when it
//! ends. What the score needs of them is in their tags. A game that was torn by the end of the
//! process is cut off, and played again.

use super::args::{groups, is_free};
use super::openings::Openings;
use super::options::{EngineSpec, MatchOptions};
use super::report::finished_game::{FinishedGame, describe};
use super::schedule::Schedule;
use crate::cli::Failure;
use crate::cli::failure::Cause;
use crate::records::check;
use crate::records::pgn::{Reader, Record};
use crate::system::files;
use crate::system::text::shorten;
use std::io::Read;
use std::path::Path;

/// Begins the line before the games of a match. The length of the file of `-epdout` at this moment,
/// if there is one, and the words of the command line follow. Readers of PGN skip a line that begins
/// with `%`.
const HEAD: &str = "% quadrille match ";
/// Fault of a file without such a line.
const NO_MATCH: &str = "it is not the file of a match: no line begins with `% quadrille match`";
/// Characters that would end a word or the line, and their escapes. A `\` is doubled.
const ESCAPES: [(&str, &str); 3] = [(" ", "\\s"), ("\n", "\\n"), ("\r", "\\r")];
/// Beginning of each game.
const BEGINNING: &str = "[Event \"";
/// Words with which a game can end.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// The last match of a PGN.
struct SavedMatch<'t> {
    words: Vec<String>,
    /// Length of the file of last positions when the match began.
    positions: u64,
    /// The text after its head.
    games: &'t [u8],
    /// Number of lines before them.
    lines: usize,
}

/// Games of earlier runs of a match.
#[derive(Default)]
pub(super) struct EarlierGames {
    pub games: Vec<FinishedGame>,
    /// Their last positions, a line each.
    pub positions: String,
    /// Lengths of the PGN up to their end, and of the file of positions before their beginning.
    pub lengths: [u64; 2],
}

/// Completes the command line of a resumed match: if it names no engines, the words in the PGN
/// precede it.
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
    let name = format!("-resume: {path}");
    let text = files::read(Path::new(path), u64::MAX).map_err(Failure::file(&name))?;
    let saved = SavedMatch::find(&text).ok_or_else(|| Failure::file(&name)(NO_MATCH))?;
    let mut whole = saved.words;
    let (free, fixed): (Vec<_>, Vec<_>) = given.into_iter().partition(|group| is_free(group[0]));
    let kept = fixed_options(&whole)?;
    if let Some(other) = fixed.iter().find(|group| !kept.contains(group)) {
        let other = other.join(" ");
        let fault = format!("`{other}` would change the match; leave it out");
        return Err(Failure::file(&name)(fault));
    }
    whole.extend(free.concat().into_iter().map(str::to_string));
    Ok(whole)
}

/// Returns the line that stands before the games of a match. `positions` is the length of the file
/// of last positions.
pub(super) fn head(words: &[String], positions: Option<u64>) -> String {
    let length = positions.map(|length| length.to_string());
    let words = words.iter().map(|word| escape(word));
    let words: Vec<_> = length.into_iter().chain(words).collect();
    format!("{HEAD}{}\n", words.join(" "))
}

/// Counts the games in a PGN if its last match has this command line.
pub(super) fn count_games(words: &[String], text: &[u8]) -> Option<u64> {
    let saved = SavedMatch::find(text)?;
    let is_same = fixed_options(&saved.words).ok() == fixed_options(words).ok();
    is_same.then(|| Reader::new(saved.split().0).count() as u64)
}

impl<'t> SavedMatch<'t> {
    fn find(text: &'t [u8]) -> Option<Self> {
        let (mut found, mut length) = (None, 0);
        for (lines, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
            length += line.len();
            // A torn line is none.
            let whole = line.strip_suffix(b"\n").unwrap_or_default();
            let whole = whole.strip_suffix(b"\r").unwrap_or(whole);
            if let Some(words) = whole.strip_prefix(HEAD.as_bytes()) {
                let words = String::from_utf8_lossy(words);
                let mut words: Vec<_> = words.split(' ').map(unescape).collect();
                let positions = words[0].parse().ok();
                words.drain(..usize::from(positions.is_some()));
                found = Some(Self {
                    words,
                    positions: positions.unwrap_or(0),
                    games: &text[length..],
                    lines,
                });
            }
        }
        found
    }

    /// Splits the text into the games that are whole and what follows them.
    fn split(&self) -> (&'t [u8], &'t [u8]) {
        let (mut length, mut end) = (0, 0);
        for line in self.games.split_inclusive(|&byte| byte == b'\n') {
            length += line.len();
            let mut words = line.trim_ascii().rsplit(u8::is_ascii_whitespace);
            let is_last = words.next().is_some_and(|word| RESULTS.contains(&word));
            let is_empty = line.trim_ascii().is_empty();
            if is_last && !line.starts_with(b"[") || is_empty && end + line.len() == length {
                end = length;
            }
        }
        self.games.split_at(end)
    }
}

impl EarlierGames {
    /// Reads the games of a match from its PGN; `None` if it has not begun.
    pub(super) fn read(
        options: &MatchOptions,
        words: &[String],
        text: &[u8],
    ) -> Result<Option<Self>, Cause> {
        let Some(saved) = SavedMatch::find(text) else {
            // The first line may be torn.
            let is_new = text.starts_with(HEAD.as_bytes()) || HEAD.as_bytes().starts_with(text);
            return if is_new {
                Ok(None)
            } else {
                Err(NO_MATCH.into())
            };
        };
        let kept = fixed_options(&saved.words)?;
        if let Some(difference) = difference(&kept, &fixed_options(words)?) {
            let kept = kept.concat().join(" ");
            return Err(format!("it is the file of another match: {kept}; {difference}").into());
        }
        let (whole, rest) = saved.split();
        let torn = String::from_utf8_lossy(rest);
        // A power cut can leave zeros.
        let torn = torn.trim_end_matches('\0');
        let is_one = torn.rfind(BEGINNING) == Some(0);
        if !is_one && !BEGINNING.starts_with(torn) {
            let line = shorten(torn.lines().next().unwrap_or_default());
            return Err(format!("`{line}` does not begin the last game").into());
        }
        let mut earlier = Self {
            lengths: [(text.len() - rest.len()) as u64, saved.positions],
            ..Self::default()
        };
        let mut schedule = Schedule::new(options);
        // Faults are named by their lines in the file.
        let before = b"\n".repeat(saved.lines);
        let mut reader = Reader::new(before.chain(whole));
        while let Some(record) = reader.next() {
            let record = record?;
            let read = read_game(options, &mut schedule, &record);
            let (game, position) = read.map_err(|fault| {
                let (line, game) = (reader.first_line(), describe(&record));
                format!("line {line}: {game}: {fault}")
            })?;
            earlier.games.push(game);
            earlier.positions += &format!("{position}\n");
        }
        Ok(Some(earlier))
    }

    /// Finds where the positions begin in their file, which may have been replaced since. Some may
    /// be missing there, and that of a lost game may follow; `None` if others do.
    pub(super) fn begin_of_positions(&self, text: &[u8]) -> Option<u64> {
        let known = self.positions.as_bytes();
        let are_own = |found: &[u8]| {
            let more = found.strip_prefix(known).map(<[u8]>::trim_ascii_end);
            known.starts_with(found) || more.is_some_and(|more| !more.contains(&b'\n'))
        };
        let mut begins = [self.lengths[1], 0].into_iter();
        begins.find(|&begin| text.get(begin as usize..).is_some_and(are_own))
    }
}

/// Reads a game of a match, and its last position.
fn read_game(
    options: &MatchOptions,
    schedule: &mut Schedule,
    record: &Record,
) -> Result<(FinishedGame, String), Cause> {
    let tag = |name| record.tag(name).unwrap_or_default();
    let engines = options.engines.iter();
    let seat = |name| {
        // As a PGN has it.
        let named = |engine: &EngineSpec| engine.name.replace(char::is_control, " ") == tag(name);
        engines.clone().position(named)
    };
    let fixture = seat("White")
        .zip(seat("Black"))
        .and_then(|(white, black)| schedule.game_of(tag("Round"), [white, black]))
        .filter(|_| options.variant.is_called(tag("Variant")))
        .ok_or("it is not a game of the match")?;
    if !schedule.leave_out(fixture.number) {
        return Err("it is there twice".into());
    }
    let mut session = record.open(options.variant)?;
    let mut moves = Vec::new();
    check(record, &mut *session, |_, mv| moves.push(mv))?;
    // Random openings are slow to find, and the command line determines them.
    if !matches!(options.openings, Openings::Random { .. }) {
        let opening = options.openings.get(options.variant, fixture.opening);
        if record.fen() != opening.fen.as_deref() || !moves.starts_with(&opening.moves) {
            return Err("the openings have changed since".into());
        }
    }
    let game = FinishedGame::read(record, fixture, moves.iter().map(String::as_str));
    Ok((game.ok_or("it has no result")?, session.fen()))
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
    match (extra(given, saved), extra(saved, given)) {
        (Some(extra), _) => Some(format!("it has no `{extra}`")),
        (None, Some(missing)) => Some(format!("`{missing}` is missing here")),
        (None, None) => (saved != given).then(|| "the order differs here".into()),
    }
}

/// Escapes what would end a word or the line.
fn escape(word: &str) -> String {
    let word = word.replace('\\', "\\\\");
    let escapes = ESCAPES.into_iter();
    escapes.fold(word, |word, (plain, escaped)| word.replace(plain, escaped))
}

/// Reads a word, the inverse of [`escape`].
fn unescape(word: &str) -> String {
    let plain = |part: &str| {
        let escapes = ESCAPES.into_iter();
        escapes.fold(part.to_string(), |part, (plain, escaped)| {
            part.replace(escaped, plain)
        })
    };
    word.split("\\\\").map(plain).collect::<Vec<_>>().join("\\")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::VARIANTS;
    use crate::games::{Reason, Side};
    use crate::tournament::args::read;
    use crate::tournament::engines::player::Fault;
    use crate::tournament::game::{GameEnd, Scoresheet};
    use crate::tournament::openings::Opening;
    use crate::tournament::output::record;
    use crate::tournament::played::PlayedGame;
    use std::time::{Duration, SystemTime};

    #[test]
    fn a_command_line_is_read_as_it_was_written() {
        for words in [
            &[
                "-engine",
                "cmd=a b",
                "",
                "args=\"x  y\" 'z'",
                "c:\\n\\",
                "\\ ",
            ][..],
            &["-event", "one\ntwo\r\n", "ä\tö", ""],
        ] {
            let words: Vec<_> = words.iter().map(|word| word.to_string()).collect();
            let line = head(&words, Some(7));
            assert_eq!(line.find(['\n', '\r']), Some(line.len() - 1), "{line:?}");
            let text = format!("{line}[Event \"x\"]\n");
            let saved = SavedMatch::find(text.as_bytes()).unwrap();
            assert_eq!((saved.words, saved.positions), (words, 7), "{line:?}");
        }
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let words = "-engine name=A cmd=self -engine name=B cmd=self -each nodes=1 \
                     -pgnout x notation=uci";
        let words: Vec<_> = words.split_ascii_whitespace().collect();
        let options = read(VARIANTS, &words).unwrap();
        let faults = ["a\tb\\c \"d\"]", "it \"slept\""].map(str::to_string);
        let [mv, why] = faults;
        for (winner, end) in [
            (Some(Side::White), GameEnd::Rules(Reason::Checkmate)),
            (
                Some(Side::Black),
                GameEnd::Fault(Fault::IllegalMove(mv.replace('\t', " "))),
            ),
            (Some(Side::White), GameEnd::Fault(Fault::Crash(why))),
            (Some(Side::Black), GameEnd::Fault(Fault::Time)),
            (None, GameEnd::Other(mv.replace('\t', " "))),
        ] {
            let played = PlayedGame {
                fixture: Schedule::new(&options).next().unwrap(),
                opening: Opening::default(),
                sheet: Scoresheet {
                    winner,
                    end,
                    fen: String::new(),
                    moves: vec![("e2e4".into(), Some("+0.10/1 0.001s".into())); 9],
                },
                begun: SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000),
                duration: Duration::from_secs(3661),
            };
            let written = record(&options, &played, options.pgn.as_ref().unwrap()).to_string();
            let record = Reader::new(written.as_bytes()).next().unwrap().unwrap();
            let moves = record.moves.iter().map(|mv| mv.text.as_str());
            let read = FinishedGame::read(&record, played.fixture, moves);
            assert_eq!(read, Some(FinishedGame::of(&played)));
        }
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
