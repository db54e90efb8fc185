//! `-resume`: the games of a match that its PGN holds.
//!
//! A line identifies the match, and its games follow, each written at once when it ends, between two
//! lines of its own. What follows the last of them was torn by the end of the process. It is cut
//! off, and played again.

use super::finished_game::{FinishedGame, describe};
use super::openings::Openings;
use super::options::MatchOptions;
use super::schedule::{Fixture, Schedule};
use crate::records::check;
use crate::records::pgn::{Reader, Record};
use crate::system::Cause;
use crate::system::text::shorten;
use std::io::Read;

/// Begins the line before the games of a match. The checksum of its command and the length of the
/// file of `-epdout` at this moment follow. Readers of PGN skip a line that begins with `%`.
const HEAD: &str = "% quadrille match ";
/// Begins the line before a game. Its number follows.
const GAME: &str = "% game ";
/// The line behind a game.
const END: &str = "% end";

/// The last match of a PGN.
struct SavedMatch<'t> {
    /// The words of its first line.
    head: String,
    /// Number of lines before its games.
    lines: usize,
    games: &'t [u8],
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

/// Returns the words that identify a match in its first line.
fn checksum(options: &MatchOptions) -> String {
    format!("{:016x}", options.checksum)
}

/// Returns the line that stands before the games of a match. `positions` is the length of the file
/// of last positions.
pub(super) fn head(options: &MatchOptions, positions: Option<u64>) -> String {
    format!("{HEAD}{} {}\n", checksum(options), positions.unwrap_or(0))
}

/// Returns a game between its lines.
pub(super) fn marked(fixture: &Fixture, record: &Record) -> String {
    format!("{GAME}{}\n{record}{END}\n", fixture.number + 1)
}

/// Counts the games in a PGN if its last match is this one.
pub(super) fn count_games(options: &MatchOptions, text: &[u8]) -> Option<u64> {
    let saved = SavedMatch::find(text)?;
    let is_same = saved.head.starts_with(&checksum(options));
    is_same
        .then(|| std::iter::successors(split(saved.games), |(_, rest)| split(rest)).count() as u64)
}

impl<'t> SavedMatch<'t> {
    fn find(text: &'t [u8]) -> Option<Self> {
        let (mut found, mut length) = (None, 0);
        for (lines, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
            length += line.len();
            // Some editors begin a text with a byte-order mark. A torn line is none.
            let line = String::from_utf8_lossy(line);
            let words = line.trim_start_matches('\u{feff}').strip_prefix(HEAD);
            if let Some(words) = words.filter(|words| words.ends_with('\n')) {
                found = Some(Self { head: words.trim_end().into(), lines, games: &text[length..] });
            }
        }
        found
    }

    /// Returns the length of the file of positions when the match began. Refuses another match.
    fn check(&self, options: &MatchOptions) -> Result<u64, Cause> {
        let words = self.head.split_once(' ');
        let words = words.and_then(|(sum, length)| Some((sum, length.parse().ok()?)));
        match words {
            Some((sum, length)) if sum == checksum(options) => Ok(length),
            Some(_) => Err("its match was begun by another command; with -resume only what does \
                            not touch the games may differ"
                .into()),
            None => Err("an earlier version of Quadrille began this match; finish it with that \
                         version"
                .into()),
        }
    }
}

/// Splits a text behind its first game.
fn split(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut length = 0;
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    lines.find(|line| {
        length += line.len();
        line.trim_ascii() == END.as_bytes()
    })?;
    Some(text.split_at(length))
}

impl EarlierGames {
    /// Reads the games of a match from its PGN; `None` if it has not begun.
    pub(super) fn read(options: &MatchOptions, text: &[u8]) -> Result<Option<Self>, Cause> {
        let Some(saved) = SavedMatch::find(text) else {
            // The first line may be torn.
            if text.starts_with(HEAD.as_bytes()) || HEAD.as_bytes().starts_with(text) {
                return Ok(None);
            }
            let fault = "it is not the file of a match: no line begins with `% quadrille match`";
            return Err(fault.into());
        };
        let mut earlier = Self { lengths: [0, saved.check(options)?], ..Self::default() };
        let mut schedule = Schedule::new(options);
        let (mut rest, mut lines) = (saved.games, saved.lines);
        while let Some((text, after)) = split(rest) {
            // Faults are named by their lines in the file.
            let before = b"\n".repeat(lines);
            let mut reader = Reader::new(before.chain(text));
            let record =
                reader.next().ok_or_else(|| format!("line {lines}: a game is missing"))??;
            let line = reader.first_line();
            let number = number_of(text).filter(|_| reader.next().is_none());
            let fixture = number.and_then(|number| schedule.get(number));
            let is_first = earlier.games.is_empty();
            let read = fixture.map_or(Err("it is not a game of the match".into()), |fixture| {
                let is_new = schedule.leave_out(fixture.number);
                if is_new {
                    read_game(options, fixture, &record, is_first)
                } else {
                    Err("it is there twice".into())
                }
            });
            let (game, position) =
                read.map_err(|fault| format!("line {line}: {}: {fault}", describe(&record)))?;
            earlier.games.push(game);
            earlier.positions += &format!("{position}\n");
            lines += text.iter().filter(|&&byte| byte == b'\n').count();
            rest = after;
        }
        // A power cut can leave zeros.
        let torn = String::from_utf8_lossy(rest);
        let torn = torn.trim().trim_end_matches('\0');
        let is_cut = GAME.starts_with(torn)
            || torn.starts_with(GAME)
                && torn.matches("[Event ").count() < 2
                && Reader::new(torn.as_bytes()).nth(1).is_none();
        if !is_cut {
            let line = shorten(torn.lines().next().unwrap_or_default());
            return Err(format!("`{line}` begins no unfinished game of the match").into());
        }
        earlier.lengths[0] = (text.len() - rest.len()) as u64;
        earlier.torn = if rest.trim_ascii().is_empty() { 0 } else { rest.len() };
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

/// Returns the index of a game that begins with its line.
fn number_of(text: &[u8]) -> Option<u64> {
    let line = text.trim_ascii_start().split(|&byte| byte == b'\n').next()?;
    let number = std::str::from_utf8(line.strip_prefix(GAME.as_bytes())?).ok()?;
    number.trim().parse::<u64>().ok()?.checked_sub(1)
}

/// Reads a game of a match, and its last position. Checks its players and its opening.
fn read_game(
    options: &MatchOptions,
    fixture: Fixture,
    record: &Record,
    is_first: bool,
) -> Result<(FinishedGame, String), Cause> {
    let is_tag = |name, value: &str| record.tag(name) == Some(value);
    // As a PGN has it.
    let named = |seat: usize| options.engines[seat].name.replace(char::is_control, " ");
    let [white, black] = fixture.seats.map(named);
    if !is_tag("Round", &fixture.round())
        || !is_tag("White", &white)
        || !is_tag("Black", &black)
        || !options.variant.is_called(record.tag("Variant").unwrap_or_default())
    {
        return Err("it is not a game of the match".into());
    }
    let mut session = record.open(options.variant)?;
    let mut moves = Vec::new();
    check(record, &mut *session, |_, mv| moves.push(mv))?;
    // Random openings are slow to find, but one shows whether the program that finds them is the
    // same.
    if is_first || !matches!(options.openings, Openings::Random { .. }) {
        let opening = options.openings.get(options.variant, fixture.opening);
        if record.fen() != opening.fen.as_deref() || !moves.starts_with(&opening.moves) {
            return Err("its opening is not the one that -openings gives now".into());
        }
    }
    let game = FinishedGame::read(record, fixture, moves.iter().map(String::as_str));
    Ok((game.ok_or("it has no result")?, session.fen()))
}
