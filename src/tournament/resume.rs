//! `-resume`: the match that a PGN holds.
//!
//! A line with its command line comes first, and its games follow, each written at once when it
//! ends. What the score needs of them is in their tags. A game that was torn by the end of the
//! process is cut off, and played again.

use super::args::{groups, is_free, option_name};
use super::finished_game::{FinishedGame, describe};
use super::openings::Openings;
use super::options::{EngineSpec, MatchOptions};
use super::report::is_result;
use super::schedule::{Fixture, Schedule};
use crate::cli::Failure;
use crate::records::check;
use crate::records::pgn::{Reader, Record, tag_line};
use crate::system::Cause;
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
/// Byte-order mark, with which some editors begin a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Words with which a game can end.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// The last match of a PGN.
struct SavedMatch<'t> {
    words: Vec<String>,
    /// Length of the file of last positions when the match began.
    positions: u64,
    /// The text after its head.
    games: &'t [u8],
    /// The same text with blanks in place of comments.
    plain: Vec<u8>,
    /// Number of lines before the games.
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
    /// Length of the torn game that follows them.
    pub torn: usize,
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
    let kept = fixed_options(&saved.words)?;
    let is_path =
        |word: &str| files::is_same(word.trim_start_matches("file=").as_ref(), path.as_ref());
    let is_kept = |group: &Vec<&str>| {
        let is_moved = path_of_pgn(group).is_some_and(|at| !is_path(group[at]));
        is_free(group[0]) || kept.contains(&without_path(group)) && !is_moved
    };
    if let Some(other) = given.iter().find(|group| !is_kept(group)) {
        let other = other.join(" ");
        let fault = format!("`{other}` would change the match; leave it out");
        return Err(Failure::file(&name)(fault));
    }
    // The file may have been renamed or moved.
    let pgn = format!("file={path}");
    let words: Vec<_> = saved.words.iter().map(String::as_str).collect();
    let mut whole = groups(&words)?;
    for group in &mut whole {
        if let Some(at) = path_of_pgn(group) {
            group[at] = &pgn;
        }
    }
    whole.extend(given.into_iter().filter(|group| is_free(group[0])));
    Ok(whole.concat().into_iter().map(str::to_string).collect())
}

/// Checks what the file of a resumed match says before any program starts: its games and, where the
/// file alone names them, the results that the match would replace. Without a finished game it may
/// name no program either. Returns true if the file alone names the programs.
pub(super) fn check_file(
    options: &MatchOptions,
    words: &[String],
    given: &[&str],
) -> Result<bool, Failure> {
    let path = options.resume.as_deref();
    let Some(path) = path.filter(|path| Path::new(path).exists()) else {
        return Ok(false);
    };
    let fault = |fault: Cause| Failure::file(format!("-resume: {path}"))(fault);
    let text = files::read(Path::new(path), u64::MAX).map_err(|error| fault(error.into()))?;
    let earlier = EarlierGames::read(options, words, &text).map_err(fault)?;
    let is_given = |option| given.iter().any(|word| option_name(word) == Some(option));
    if is_given("-engine") {
        return Ok(false);
    }
    if earlier.is_none_or(|earlier| earlier.games.is_empty()) {
        return Err(fault("no game is finished; repeat the whole command line".into()));
    }
    for (option, path) in [("-json", &options.json), ("-html", &options.html)] {
        let path = path.as_deref().filter(|_| !is_given(option));
        let old = path.map(|path| files::read(Path::new(path), u64::MAX).unwrap_or_default());
        let old = old.filter(|old| !old.is_empty() && !is_result(options, old));
        if old.is_some() {
            let fault = "it is not the result of this match; move it, or give this option again";
            return Err(Failure::file(format!("{option}: {}", path.unwrap_or_default()))(fault));
        }
    }
    Ok(true)
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
    /// Finds the last head outside comments and tags.
    fn find(text: &'t [u8]) -> Option<Self> {
        let (plain, _) = without_comments(text);
        let (mut found, mut length, mut in_tag) = (None, 0, false);
        for (lines, line) in (1..).zip(plain.split_inclusive(|&byte| byte == b'\n')) {
            length += line.len();
            // A torn line is none.
            let whole = line.strip_suffix(b"\n").unwrap_or_default();
            let whole = whole.strip_suffix(b"\r").unwrap_or(whole);
            let words = whole.trim_ascii_start().strip_prefix(HEAD.as_bytes());
            if let Some(words) = words.filter(|_| !in_tag) {
                found = Some((words, length, lines));
            }
            in_tag = whole.starts_with(b"[") && !whole.trim_ascii_end().ends_with(b"]");
        }
        let (words, length, lines) = found?;
        let words = String::from_utf8_lossy(words);
        let mut words: Vec<_> = words.split(' ').map(unescape).collect();
        let positions = words[0].parse().ok();
        words.drain(..usize::from(positions.is_some()));
        Some(Self {
            words,
            positions: positions.unwrap_or(0),
            games: &text[length..],
            plain: plain[length..].to_vec(),
            lines,
        })
    }

    /// Splits the text into the games that are whole and what follows them.
    fn split(&self) -> (&'t [u8], &'t [u8]) {
        let (mut length, mut end) = (0, 0);
        for line in self.plain.split_inclusive(|&byte| byte == b'\n') {
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
            return if is_new { Ok(None) } else { Err(NO_MATCH.into()) };
        };
        let kept = fixed_options(&saved.words)?;
        if let Some(difference) = difference(&kept, &fixed_options(words)?) {
            let kept = kept.concat().join(" ");
            return Err(format!("it is the file of another match: {kept}; {difference}").into());
        }
        let (whole, rest) = saved.split();
        let mut earlier = Self {
            lengths: [(text.len() - rest.len()) as u64, saved.positions],
            torn: rest.len(),
            ..Self::default()
        };
        let mut schedule = Schedule::new(options);
        // Faults are named by their lines in the file.
        let before = b"\n".repeat(saved.lines);
        let mut reader = Reader::new(before.chain(whole));
        while let Some(record) = reader.next() {
            let record = record?;
            let read = read_game(options, &mut schedule, &record, earlier.games.is_empty());
            let (game, position) = read.map_err(|fault| {
                let (line, game) = (reader.first_line(), describe(&record));
                format!("line {line}: {game}: {fault}")
            })?;
            earlier.games.push(game);
            earlier.positions += &format!("{position}\n");
        }
        // A power cut can leave zeros.
        let torn = String::from_utf8_lossy(rest);
        let torn = torn.trim_end_matches('\0').replace("\r\n", "\n");
        if !is_torn(options, &mut schedule, &torn) {
            let line = shorten(torn.lines().next().unwrap_or_default());
            return Err(format!("`{line}` begins no unfinished game of the match").into());
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

/// Returns the place of a game in the match by its tags.
fn fixture_of(options: &MatchOptions, schedule: &Schedule, record: &Record) -> Option<Fixture> {
    let seat = |name| {
        let tag = record.tag(name)?;
        // As a PGN has it.
        let named = |engine: &EngineSpec| engine.name.replace(char::is_control, " ") == tag;
        options.engines.iter().position(named)
    };
    schedule.game_of(record.tag("Round")?, [seat("White")?, seat("Black")?])
}

/// Returns true for the beginning of a game that is still to be played, as `match` writes it.
fn is_torn(options: &MatchOptions, schedule: &mut Schedule, text: &str) -> bool {
    let lines = text.split_inclusive('\n');
    let tags: String = lines.take_while(|line| line.ends_with("]\n")).collect();
    let first = tag_line("Event", &options.event);
    let Some(Ok(record)) = Reader::new(tags.as_bytes()).next() else {
        return first.starts_with(text);
    };
    let fixture = fixture_of(options, schedule, &record);
    let is_open = fixture.is_some_and(|fixture| schedule.leave_out(fixture.number));
    let is_cut_in_tags = record.tag("Black").is_none() && !text[tags.len()..].contains('\n');
    tags.starts_with(&first) && (is_open || is_cut_in_tags)
}

/// Reads a game of a match, and its last position. Checks its opening.
fn read_game(
    options: &MatchOptions,
    schedule: &mut Schedule,
    record: &Record,
    is_first: bool,
) -> Result<(FinishedGame, String), Cause> {
    let fixture = fixture_of(options, schedule, record)
        .filter(|_| options.variant.is_called(record.tag("Variant").unwrap_or_default()))
        .ok_or("it is not a game of the match")?;
    if !schedule.leave_out(fixture.number) {
        return Err("it is there twice".into());
    }
    let mut session = record.open(options.variant)?;
    let mut moves = Vec::new();
    check(record, &mut *session, |_, mv| moves.push(mv))?;
    // Random openings are slow to find, but one shows whether the words that determine them are the
    // same.
    if is_first || !matches!(options.openings, Openings::Random { .. }) {
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
    Ok(options.iter().map(|group| without_path(group)).collect())
}

/// Returns an option without the path of the games, which stand in the file that is resumed, whatever
/// its name is now.
fn without_path<'w>(group: &[&'w str]) -> Vec<&'w str> {
    let mut words = group.to_vec();
    if let Some(at) = path_of_pgn(group) {
        words.remove(at);
    }
    words
}

/// Returns the index of the path among the words of `-pgnout`.
fn path_of_pgn(group: &[&str]) -> Option<usize> {
    let named = group.iter().position(|word| word.starts_with("file="));
    (group[0] == "-pgnout").then(|| named.unwrap_or(1)).filter(|&at| at < group.len())
}

/// Place in a PGN.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Moves,
    Tag,
    /// The value of a tag, and the same after a backslash.
    Value,
    Escape,
    Comment,
    /// A comment to the end of the line.
    Remark,
    /// A line that begins with `%`.
    Percent,
}

/// Returns a text in which comments are blank, and true if it ends within one.
fn without_comments(text: &[u8]) -> (Vec<u8>, bool) {
    let mut plain = text.to_vec();
    if text.starts_with(BYTE_ORDER_MARK) {
        plain[..BYTE_ORDER_MARK.len()].fill(b' ');
    }
    let (mut place, mut begins_line) = (Place::Moves, true);
    for byte in &mut plain {
        let next = match (place, *byte) {
            (Place::Comment, b'}') => Place::Moves,
            (Place::Comment, _) => Place::Comment,
            (_, b'\n') => Place::Moves,
            (Place::Moves, b'%') if begins_line => Place::Percent,
            (Place::Moves, b'{') => Place::Comment,
            (Place::Moves, b';') => Place::Remark,
            (Place::Moves, b'[') => Place::Tag,
            (Place::Tag, b']') => Place::Moves,
            (Place::Tag, b'"') | (Place::Escape, _) => Place::Value,
            (Place::Value, b'"') => Place::Tag,
            (Place::Value, b'\\') => Place::Escape,
            (place, _) => place,
        };
        begins_line = *byte == b'\n' || begins_line && byte.is_ascii_whitespace();
        if *byte != b'\n'
            && [place, next].iter().any(|at| [Place::Comment, Place::Remark].contains(at))
        {
            *byte = b' ';
        }
        place = next;
    }
    (plain, place == Place::Comment)
}

/// Returns true for a PGN whose last comment is open.
pub(super) fn ends_in_comment(text: &[u8]) -> bool {
    without_comments(text).1
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
        escapes.fold(part.to_string(), |part, (plain, escaped)| part.replace(escaped, plain))
    };
    word.split("\\\\").map(plain).collect::<Vec<_>>().join("\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_read_as_it_was_written() {
        for words in [
            &["-engine", "cmd=a b", "", "args=\"x  y\" 'z'", "c:\\n\\", "\\ "][..],
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
}
