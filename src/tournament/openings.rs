//! The openings of a match.

use crate::cli::Failure;
use crate::engine::{PositionError, Session, VARIANTS, Variant, find_variant};
use crate::records::epd;
use crate::records::{open, pgn};
use crate::search::{Limits, Resources, Table};
use crate::system::Cause;
use crate::system::random::Random;
use crate::system::text::shorten;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

/// The beginning of a game: an opening, or all moves so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GameLine {
    /// FEN of the first position; `None` for the start position.
    pub fen: Option<String>,
    /// Moves from there, in coordinates.
    pub moves: Vec<String>,
}

/// Source of the openings of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Openings {
    /// The start position.
    #[default]
    Start,
    /// Random moves from the start position.
    Random {
        plies: usize,
        seed: u64,
        /// Largest distance of a quick search's score from 0, in centipawns.
        balance: i32,
        /// Number of openings to skip.
        first: u64,
    },
    /// The openings of a file, in the order of their use.
    List { path: String, openings: Vec<GameLine> },
}

/// Nodes of the search that judges a random opening.
const JUDGE_NODES: u64 = 5_000;
/// Number of random openings that are tried before the most even one is taken.
const TRIES: u64 = 200;

impl Openings {
    /// Reads a file: PGN if `is_pgn`, otherwise lines of FEN or EPD. At most `plies` moves of each
    /// game of a PGN are taken.
    pub(super) fn read(
        variant: Variant,
        path: &str,
        is_pgn: bool,
        plies: usize,
    ) -> Result<Vec<GameLine>, Failure> {
        let file = File::open(path).map_err(Failure::file(path))?;
        let input = BufReader::new(file);
        let list = if is_pgn {
            let games = (1..).zip(pgn::Reader::new(input));
            let read = |(number, record): (u64, Result<_, _>)| {
                let opening = record
                    .map_err(Cause::from)
                    .and_then(|record| GameLine::of_game(variant, record, plies));
                opening.map_err(|error| format!("number {number}: {error}").into())
            };
            games.map(read).collect()
        } else {
            epd::read_all(input, |line| GameLine::of_line(variant, line))
        };
        let list = list.map_err(Failure::file(path))?;
        if list.is_empty() {
            return Err(Failure::refused(format!("{path} has none")));
        }
        Ok(list)
    }

    /// Returns the name of the file, or `random`.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Start => String::new(),
            Self::Random { .. } => "random".into(),
            Self::List { path, .. } => {
                let name = Path::new(path).file_name().unwrap_or_default();
                name.to_string_lossy().into_owned()
            }
        }
    }

    /// Returns the greatest number of moves in an opening.
    pub(super) fn plies(&self) -> usize {
        match self {
            Self::Start => 0,
            Self::Random { plies, .. } => *plies,
            Self::List { openings, .. } => {
                let plies = openings.iter().map(|opening| opening.moves.len());
                plies.max().unwrap_or(0)
            }
        }
    }

    /// Returns the opening with a number; a list that is used up begins anew.
    pub(super) fn get(&self, variant: Variant, number: u64) -> GameLine {
        match self {
            Self::Start => GameLine::default(),
            Self::List { openings, .. } => {
                openings[(number % openings.len().max(1) as u64) as usize].clone()
            }
            &Self::Random { plies, seed, balance, first } => {
                random(variant, plies, seed, balance, first.wrapping_add(number))
            }
        }
    }
}

impl GameLine {
    /// Reads a FEN or EPD, with the moves that follow it.
    fn of_line(variant: Variant, line: &str) -> Result<Self, Cause> {
        let record = epd::EpdRecord::read(line)?;
        if let Some(name) = record.variant.filter(|name| !variant.is_called(name))
            && (record.fen.is_none() || !variant.has_start(name))
        {
            let name_of = shorten(name);
            let fault = match find_variant(VARIANTS, name) {
                Ok(_) => format!("it is for `{name_of}`"),
                Err(_) => format!("`{name_of}` is neither a FEN, `startpos` nor a game"),
            };
            return Err(fault.into());
        }
        let mut session = variant.open();
        session.set_position(record.fen.as_deref(), &[])?;
        Self::play(&mut *session, record.fen.is_some(), record.moves)
    }

    /// Takes the first moves of a game, at most `plies`.
    fn of_game(variant: Variant, mut record: pgn::Record, plies: usize) -> Result<Self, Cause> {
        if let Some(name) = record
            .tag("Variant")
            .filter(|name| !variant.is_called(name))
            .filter(|name| record.fen().is_none() || !variant.has_start(name))
        {
            return Err(format!("it is for `{}`", shorten(name)).into());
        }
        let mut session = open(&mut record, variant)?;
        let moves = record.moves.iter().take(plies).map(|mv| &*mv.text);
        let opening = Self::play(&mut *session, record.fen().is_some(), moves);
        opening.map_err(|fault| match session.outcome() {
            Some(_) => format!("{fault}; take fewer moves with plies=").into(),
            None => fault,
        })
    }

    /// Plays the moves of an opening in a session. The game must not be over then.
    fn play<'t>(
        session: &mut dyn Session,
        has_fen: bool,
        moves: impl IntoIterator<Item = &'t str>,
    ) -> Result<Self, Cause> {
        // Engines and PGN get all six fields.
        let fen = has_fen.then(|| session.fen());
        let moves =
            moves.into_iter().map(|text| session.play_san(text)).collect::<Result<_, _>>()?;
        session.outcome().map_or(Ok(Self { fen, moves }), |outcome| {
            Err(format!("the game is over: {}", outcome.reason.name()).into())
        })
    }

    /// Sets up the position.
    pub(super) fn set_up(&self, session: &mut dyn Session) -> Result<(), PositionError> {
        let moves: Vec<_> = self.moves.iter().map(String::as_str).collect();
        session.set_position(self.fen.as_deref(), &moves)
    }
}

/// Plays random moves, determined by seed and number, until the game is about even and not over.
/// After many tries the most even opening is taken.
fn random(variant: Variant, plies: usize, seed: u64, balance: i32, number: u64) -> GameLine {
    let mut random = Random::new(seed, number);
    let mut session = variant.open();
    let mut most_even = (i32::MAX, GameLine::default());
    for _ in 0..TRIES {
        let Some(opening) = random_line(&mut *session, plies, &mut random) else {
            continue;
        };
        let size = judge(&mut *session).abs();
        if size <= balance {
            return opening;
        }
        if size < most_even.0 {
            most_even = (size, opening);
        }
    }
    most_even.1
}

/// Plays random moves in a session; `None` if they end the game.
fn random_line(session: &mut dyn Session, plies: usize, random: &mut Random) -> Option<GameLine> {
    session.set_position(None, &[]).ok()?;
    let mut moves = Vec::with_capacity(plies);
    for _ in 0..plies {
        let legal = session.moves();
        let mv = random.pick(&legal)?;
        session.play(mv).ok()?;
        if session.outcome().is_some() {
            return None;
        }
        moves.push(mv.clone());
    }
    Some(GameLine { fen: None, moves })
}

/// Returns the value of the session's position for the side to move, by a quick search that knows
/// of no search before it.
fn judge(session: &mut dyn Session) -> i32 {
    let limits = Limits { nodes: Some(JUDGE_NODES), ..Limits::default() };
    let resources = Resources::alone(&Arc::new(Table::new(1, 1)));
    session.forget();
    let task = session.search(&limits.into(), resources).ok();
    let value = task.and_then(|task| task(&mut |_| {}).value());
    let score = value.map(|value| session.info().score_model.score(value));
    score.map_or(i32::MAX, |score| score.clamped_centipawns(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_in_any_notation_are_openings_in_coordinates() {
        let gothic = find_variant(VARIANTS, "gothic").unwrap();
        let read = |text: &str, plies| {
            let record = pgn::Reader::new(text.as_bytes()).next();
            GameLine::of_game(gothic, record.unwrap().unwrap(), plies)
        };
        let opening = |moves: &str| GameLine {
            fen: None,
            moves: moves.split(' ').map(str::to_string).collect(),
        };
        let text = "[Variant \"Gothic\"]\n\n1. e4 f5 2. exf5 b8c6 *";
        assert_eq!(read(text, 99).unwrap(), opening("e2e4 f7f5 e4f5 b8c6"));
        assert_eq!(read(text, 2).unwrap(), opening("e2e4 f7f5"));
        // cutegames writes the start so.
        let text = "[FEN \"startpos\"]\n[SetUp \"1\"]\n\n1. e4 f5 *";
        assert_eq!(read(text, 2).unwrap(), opening("e2e4 f7f5"));
        for (text, fault) in [
            ("1. e4 e4 *", "move 2: `e4` is illegal in "),
            ("1. e4 hm *", "move 2: `hm` is not a move"),
            ("[Variant \"congress\"]\n\n*", "it is for `congress`"),
            ("[SetUp \"1\"]\n\n*", "there is a tag SetUp, but no tag FEN"),
        ] {
            let error = read(text, 99).unwrap_err().to_string();
            assert!(error.starts_with(fault), "{error}");
        }
    }
}
