//! `match --merge`: the results of several matches as one.

use super::player::Fault;
use super::report::Report;
use super::standing::{Place, Standing};
use crate::games::Side;
use crate::notation::pgn::{Reader, Record};
use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;

/// Counts the games of PGN files that `-pgnout` wrote, on one machine or several, and says
/// what a match of all of them would have said.
///
/// # Errors
///
/// A file cannot be read, or which game is broken.
pub fn merge(paths: &[&str], say: &mut dyn FnMut(&str)) -> Result<(), String> {
    if paths.is_empty() {
        return Err("match --merge: no files".into());
    }
    let mut standing = Standing::default();
    let mut pairs = Pairs::default();
    for (file, path) in paths.iter().enumerate() {
        let wrong = |error: &dyn std::fmt::Display| format!("{path}: {error}");
        let opened = File::open(path).map_err(|error| wrong(&error))?;
        for record in Reader::new(BufReader::new(opened)) {
            let record = record.map_err(|error| wrong(&error))?;
            count(&mut standing, &mut pairs, file, &record).map_err(|error| wrong(&error))?;
        }
    }
    Report::of_games()
        .last(&standing)
        .iter()
        .for_each(|line| say(line));
    Ok(())
}

/// Numbers for the pairs of all files: the same round of two files is not the same pair.
#[derive(Default)]
struct Pairs(HashMap<(usize, String), u64>);

impl Pairs {
    /// The number of a game's pair: games of one file are one if their rounds differ only
    /// after the point.
    fn number(&mut self, file: usize, round: &str) -> Option<u64> {
        let (pair, _) = round.split_once('.')?;
        let next = self.0.len() as u64;
        Some(*self.0.entry((file, pair.to_string())).or_insert(next))
    }
}

fn count(
    standing: &mut Standing,
    pairs: &mut Pairs,
    file: usize,
    record: &Record,
) -> Result<(), String> {
    let name = |tag| {
        record
            .tag(tag)
            .ok_or_else(|| format!("a game without the tag {tag}"))
    };
    let white = standing.engine(name("White")?);
    let black = standing.engine(name("Black")?);
    if white == black {
        return Err(format!("{} plays against itself", standing.names[white]));
    }
    let winner = match record.result.as_str() {
        "1-0" => Some(Side::White),
        "0-1" => Some(Side::Black),
        "1/2-1/2" => None,
        // It was not finished.
        _ => return Ok(()),
    };
    let pairing = (white.min(black), white.max(black));
    let pair = record
        .tag("Round")
        .and_then(|round| pairs.number(file, round));
    standing.add(
        Place {
            pairing,
            white,
            pair,
        },
        winner,
    );
    if let Some(fault) = record.tag("Termination").and_then(Fault::named) {
        let loser = if winner == Some(Side::White) {
            black
        } else {
            white
        };
        standing.count_fault(loser, &fault);
    }
    Ok(())
}
