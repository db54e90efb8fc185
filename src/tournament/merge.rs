//! `match --merge`: the results of several matches as one.

use super::args::{option_name, read_merge};
use super::finished_game::{FinishedGame, describe};
use super::report::MatchResult;
use super::report::cutechess::Cutechess;
use super::report::lines::final_report;
use super::report::standing::Standing;
use super::schedule::Fixture;
use crate::cli::{Access, Args, Console, Failure, check_distinct};
use crate::records::check_counts;
use crate::records::pgn::{PlayedMove, Reader, Record};
use crate::system::Cause;
use crate::system::checksum::checksum;
use crate::system::text::visible;
use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;

/// Counts the games of PGN files that `-pgnout` wrote, on one machine or several, and reports
/// what one match of all of them would have reported. `words` begin with `--merge`.
///
/// A game in two files that is the same in every tag, move and comment was copied, and is refused.
/// Engines may play the same moves twice, but not at the same time.
pub(super) fn merge(words: &[&str], console: &mut dyn Console) -> Result<ExitCode, Failure> {
    let mut args = Args::new(words);
    args.next();
    let paths: Vec<_> = args.clone().take_while(|word| option_name(word).is_none()).collect();
    let (sprt, [json, html]) = read_merge(&words[1 + paths.len()..])?;
    if paths.is_empty() {
        return Err(args.refuse("no files"));
    }
    let read = paths.iter().map(|path| ("--merge", Some(*path), Access::Read));
    check_distinct(read.chain([
        ("-json", json.as_deref(), Access::Replace),
        ("-html", html.as_deref(), Access::Replace),
    ]))?;
    let mut games = MergedGames::default();
    let mut known = HashMap::new();
    let mut left_out = Vec::new();
    for (file, path) in paths.iter().enumerate() {
        let opened = File::open(path).map_err(Failure::file(path))?;
        let mut records: Vec<_> = Reader::new(BufReader::new(opened)).collect();
        // A file may be cut off anywhere in its last game.
        if records.len() > 1
            && let Some(Err(fault)) = records.pop_if(|last| last.is_err())
        {
            left_out.push(format!("{path}: {fault}: the game is torn, and does not count"));
        }
        let records: Result<Vec<_>, _> = records.into_iter().collect();
        let mut records = records.map_err(Failure::file(path))?;
        // In the order in which they began: the first has the first engine as White.
        records.sort_by_key(|record| round(record.tag("Round").unwrap_or_default()));
        let counted = games.games.len();
        let mut pairs = Pairs::default();
        for record in &records {
            if record.is_torn {
                let game = describe(record);
                left_out.push(format!("{path}: {game}: the game is torn, and does not count"));
                continue;
            }
            check_counts(record)
                .map_err(Cause::from)
                .and_then(|()| games.add(record, pairs.of(file, record)))
                .map_err(|fault| Failure::file(path)(format!("{}: {fault}", describe(record))))?;
            let mark = checksum(record.to_string().as_bytes());
            let (first, other) = known.entry(mark).or_insert((file, path));
            if *first != file {
                let game = describe(record);
                let fault = format!("{game}: the same game is in {other}");
                return Err(Failure::file(path)(fault));
            }
        }
        if games.games.len() == counted {
            left_out.push(format!("{path}: no finished game"));
        }
    }
    if games.games.is_empty() {
        let files = paths.join(", ");
        return Err(Failure::refused(format!("--merge: no finished game in {files}")));
    }
    for warning in left_out {
        console.warn(&warning);
    }
    let sprt = sprt.as_ref();
    for line in final_report(&Cutechess { sprt }, &games.standing) {
        console.say(&visible(&line));
    }
    let result = MatchResult {
        variant: &games.variant,
        event: &games.event,
        engines: &[],
        openings: String::new(),
        sprt,
        standing: &games.standing,
        games: &games.games,
        is_over: true,
    };
    result.write(json.as_deref(), html.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

/// Splits a round into numbers: `12.2`.
fn round(text: &str) -> (u64, u64) {
    let (pair, repetition) = text.split_once('.').unwrap_or((text, "0"));
    let number = |text: &str| text.parse().unwrap_or(u64::MAX);
    (number(pair), number(repetition))
}

/// Tells which games of a file are a pair.
#[derive(Default)]
struct Pairs {
    /// Number of games with each tag `Round`. Matches that share a file repeat it.
    rounds: HashMap<String, usize>,
    /// First games whose second has not come.
    halves: HashMap<String, u64>,
}

impl Pairs {
    /// Identifies the pair of a game; `None` if it belongs to none. In files of `match` the round
    /// names it, up to the point. Other programs give both games one round: there it is the same
    /// opening, a position or the moves from a book, with the names swapped.
    fn of(&mut self, file: usize, record: &Record) -> Option<u64> {
        let tag = |name| record.tag(name).unwrap_or_default();
        let round = tag("Round");
        let count = self.rounds.entry(round.into()).or_default();
        *count += 1;
        if let Some((pair, _)) = round.split_once('.') {
            return Some(checksum(format!("{file} {count} {pair}").as_bytes()));
        }
        let is_book = |mv: &&PlayedMove| mv.comment.as_deref() == Some("book");
        let book = record.moves.iter().take_while(is_book);
        let book: Vec<_> = book.map(|mv| mv.text.as_str()).collect();
        if book.is_empty() && record.fen().is_none() {
            return None;
        }
        let game = |names: [&str; 2]| format!("{names:?} {round} {} {book:?}", tag("FEN"));
        let [white, black] = ["White", "Black"].map(tag);
        self.halves.remove(&game([black, white])).or_else(|| {
            let game = game([white, black]);
            let pair = checksum(format!("{file} {count} {game}").as_bytes());
            self.halves.insert(game, pair);
            Some(pair)
        })
    }
}

/// The games of all files.
#[derive(Default)]
struct MergedGames {
    variant: String,
    event: String,
    standing: Standing,
    games: Vec<FinishedGame>,
}

impl MergedGames {
    fn add(&mut self, record: &Record, pair: Option<u64>) -> Result<(), Cause> {
        let tag = |name: &str| record.tag(name).unwrap_or_default();
        let name = |tag| record.tag(tag).ok_or_else(|| format!("a game without the tag {tag}"));
        let white = self.standing.engine(name("White")?);
        let black = self.standing.engine(name("Black")?);
        if white == black {
            return Err(format!("{} plays against itself", self.standing.names[white]).into());
        }
        let fixture = Fixture {
            number: self.games.len() as u64,
            opening: 0,
            repetition: 0,
            seats: [white, black],
            pairing: (white.min(black), white.max(black)),
            pair,
        };
        let moves = record.moves.iter().map(|mv| mv.text.as_str());
        let Some(game) = FinishedGame::read(record, fixture, moves) else {
            return Ok(());
        };
        let variant = tag("Variant");
        if !self.games.is_empty() && !variant.eq_ignore_ascii_case(&self.variant) {
            let known = &self.variant;
            return Err(format!("a game of {variant}, but the others are of {known}").into());
        }
        self.variant = variant.into();
        self.event = tag("Event").into();
        self.standing.count(&game);
        self.games.push(game);
        Ok(())
    }
}
