//! `match --merge`: the results of several matches as one.

use super::args::{option_name, read_merge};
use super::fixture::Fixture;
use super::game::End;
use super::report::finished_game::{FinishedGame, mark};
use super::report::json::Account;
use super::report::lines::Report;
use super::report::publish::publish;
use super::report::standing::Standing;
use crate::cli::Console;
use crate::games::Side;
use crate::records::pgn::{Reader, Record};
use crate::system::checksum::checksum;
use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::time::Duration;

/// Counts the games of PGN files that `-pgnout` wrote, on one machine or several, and reports
/// what a match of all of them would have reported.
///
/// A game that two files hold, the same in every tag, move and comment, was copied: it is refused.
/// Engines may play the same moves twice, but not at the same time.
///
/// # Errors
///
/// A word is wrong, a file cannot be read or written, a game is broken or was copied.
pub fn merge(arguments: &[&str], console: &mut dyn Console) -> Result<(), String> {
    let files = arguments
        .iter()
        .take_while(|word| option_name(word).is_none());
    let (paths, words) = arguments.split_at(files.count());
    if paths.is_empty() {
        return Err("match --merge: no files".into());
    }
    let (sprt, [json, html]) = read_merge(words)?;
    let mut games = Games::default();
    let mut known = HashMap::new();
    for (file, path) in paths.iter().enumerate() {
        let wrong = |error: &dyn std::fmt::Display| format!("{path}: {error}");
        let opened = File::open(path).map_err(|error| wrong(&error))?;
        let records: Result<Vec<_>, _> = Reader::new(BufReader::new(opened)).collect();
        let mut records = records.map_err(|error| wrong(&error))?;
        // As they began: the first has the first engine as White.
        records.sort_by_key(|record| round(record.tag("Round").unwrap_or_default()));
        for record in &records {
            games.add(record).map_err(|error| wrong(&error))?;
            let mark = checksum(record.to_string().as_bytes());
            let (first, other) = known.entry(mark).or_insert((file, path));
            if *first != file {
                let tag = |name| record.tag(name).unwrap_or_default();
                let [white, black, round] = ["White", "Black", "Round"].map(tag);
                let game = format!("round {round}, {white} against {black}");
                return Err(wrong(&format!("{game}: the same game is in {other}")));
            }
        }
        // The same round of two files is not the same pair.
        games.pairs.clear();
        games.rounds.clear();
    }
    let report = Report::of_games(sprt.as_ref());
    report
        .last(&games.standing)
        .iter()
        .for_each(|line| console.say(line));
    let account = Account {
        variant: &games.variant,
        event: &games.event,
        engines: &[],
        sprt: sprt.as_ref(),
        standing: &games.standing,
        games: &games.games,
        is_over: true,
    };
    publish(&account, json.as_deref(), html.as_deref())
}

/// A round as numbers: `12.2`.
fn round(text: &str) -> (u64, u64) {
    let (pair, repetition) = text.split_once('.').unwrap_or((text, "0"));
    let number = |text: &str| text.parse().unwrap_or(u64::MAX);
    (number(pair), number(repetition))
}

/// The games of all files.
#[derive(Default)]
struct Games {
    variant: String,
    event: String,
    standing: Standing,
    games: Vec<FinishedGame>,
    /// How often each tag `Round` stood in a file: matches may have been added to one another.
    rounds: HashMap<String, usize>,
    /// The pairs of a file, by what stands before the point in that tag and by which match they are
    /// of, and how many there were before.
    pairs: HashMap<(String, usize), u64>,
    known_pairs: u64,
}

impl Games {
    fn add(&mut self, record: &Record) -> Result<(), String> {
        let tag = |name: &str| record.tag(name).unwrap_or_default();
        let name = |tag| {
            record
                .tag(tag)
                .ok_or_else(|| format!("a game without the tag {tag}"))
        };
        let white = self.standing.engine(name("White")?);
        let black = self.standing.engine(name("Black")?);
        if white == black {
            return Err(format!(
                "{} plays against itself",
                self.standing.names[white]
            ));
        }
        let winner = match record.result.as_str() {
            "1-0" => Some(Side::White),
            "0-1" => Some(Side::Black),
            "1/2-1/2" => None,
            // It was not finished.
            _ => return Ok(()),
        };
        self.variant = tag("Variant").into();
        self.event = tag("Event").into();
        let moves = record.moves.iter().map(|mv| mv.text.as_str());
        let game = FinishedGame {
            fixture: Fixture {
                number: self.games.len() as u64,
                opening: 0,
                repetition: 0,
                seats: [white, black],
                pairing: (white.min(black), white.max(black)),
                pair: self.pair(tag("Round")),
            },
            winner,
            end: End::of_tag(tag("Reason")),
            plies: record.moves.len(),
            begun: 0,
            duration: Duration::ZERO,
            mark: mark([white, black], record.tag("FEN"), moves),
        };
        self.standing.count(&game);
        self.games.push(game);
        Ok(())
    }

    /// The number of a game's pair: games of one match are one if their rounds differ only
    /// after the point. A file has the same round once in each match.
    fn pair(&mut self, round: &str) -> Option<u64> {
        let (pair, _) = round.split_once('.')?;
        let matches = self.rounds.entry(round.to_string()).or_default();
        *matches += 1;
        let number = *self
            .pairs
            .entry((pair.to_string(), *matches))
            .or_insert_with(|| {
                self.known_pairs += 1;
                self.known_pairs
            });
        Some(number)
    }
}
