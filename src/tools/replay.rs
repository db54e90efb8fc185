//! `replay`: checks games in PGN against the rules, move by move, or writes their positions.
//!
//! Each move must be legal. A game that is over by the rules must end there, with that result and
//! reason, but for draws that a player may claim. Ends that the rules do not decide, such as a loss on
//! time, are taken as stated.

use crate::cli::sources::{self, Source};
use crate::cli::{Args, Command, Console, Failure, missing};
use crate::engine::{Session, VARIANTS, Variant};
use crate::records::pgn::{PgnError, Reader, Record};
use crate::records::{check, open};
use crate::system::Cause;
use crate::system::text::{counted, visible};
use std::process::ExitCode;

pub const COMMAND: Command = Command {
    name: "replay",
    operands: "[--fens] FILE ...",
    summary: "check games in PGN, or write their positions",
    help: "\
quadrille replay [--variant NAME] [--fens] FILE ...
  FILE            games in PGN; - is standard input
  --variant NAME  the game of those that do not name one (none: they are faults)
  --fens          writes all positions of the games, a line each for `analyse`; faults then go to
                  standard error
Checks every move, result and reason. The exit status is 1 if a game has a fault or a file no game.
Example: quadrille replay --fens games.pgn | quadrille analyse --nodes 10000",
    run: |words, console| {
        let options = ReplayOptions::read(VARIANTS, words)?;
        let sources = sources::open(&options.files)?;
        let is_fine = run(&options, sources, console)?;
        Ok(ExitCode::from(u8::from(!is_fine)))
    },
};

#[derive(Clone, Debug, Default)]
pub struct ReplayOptions {
    variants: &'static [Variant],
    /// The game of PGNs without a tag `Variant`.
    default: Option<Variant>,
    /// Prints positions instead of faults and counts.
    fens: bool,
    pub files: Vec<String>,
}

impl ReplayOptions {
    /// Reads the words after `replay`.
    pub fn read(variants: &'static [Variant], words: &[&str]) -> Result<Self, Failure> {
        let mut options = Self { variants, ..Self::default() };
        let mut args = Args::new(words);
        while let Some(word) = args.next() {
            match word {
                "--fens" => options.fens = true,
                "--variant" => options.default = Some(args.variant(variants)?),
                _ => options.files.push(args.operand()?.into()),
            }
        }
        if options.files.is_empty() { Err(missing("FILE")) } else { Ok(options) }
    }
}

#[derive(Default)]
struct ReplayTally {
    games: u64,
    moves: u64,
    faults: u64,
}

/// Replays games. Prints the fault of each that has one, and the numbers of games, legal moves and
/// faults; or the positions, and warns of the faults. Returns true if there is no fault, and a game in
/// each source.
pub fn run(
    options: &ReplayOptions,
    sources: Vec<Source<'_>>,
    console: &mut dyn Console,
) -> Result<bool, Failure> {
    let mut tally = ReplayTally::default();
    let mut has_games = true;
    let are_many = sources.len() > 1;
    for Source { name, input } in sources {
        let mut reader = Reader::new(input);
        let mut number = 0;
        while let Some(game) = reader.next() {
            number += 1;
            let fault = match game {
                Ok(mut record) => check_game(options, &mut record, &mut tally.moves, console)
                    .err()
                    .map(|fault| format!("line {}: {fault}", reader.first_line())),
                Err(error @ PgnError::Malformed { .. }) => Some(error.to_string()),
                Err(error @ PgnError::Unreadable { .. }) => return Err(Failure::file(name)(error)),
            };
            let Some(fault) = fault else { continue };
            tally.faults += 1;
            let file = if are_many { format!("{name}: ") } else { String::new() };
            let line = visible(&format!("{file}game {number}, {fault}"));
            if options.fens { console.warn(&line) } else { console.say(&line) }
        }
        tally.games += number;
        if number == 0 {
            has_games = false;
            console.warn(&format!("{name}: there is no game in it"));
        }
    }
    if !options.fens {
        let ReplayTally { games, moves, faults } = tally;
        let counts = [(games, "game"), (moves, "move"), (faults, "fault")];
        let counts = counts.map(|(number, noun)| counted(number, noun));
        console.say(&counts.join(", "));
    }
    Ok(tally.faults == 0 && has_games)
}

/// Checks a game, counts its legal moves, and prints the positions if that is wanted.
fn check_game(
    options: &ReplayOptions,
    record: &mut Record,
    legal_moves: &mut u64,
    console: &mut dyn Console,
) -> Result<(), Cause> {
    let variant = record.variant(options.variants, options.default)?;
    let mut session = open(record, variant)?;
    let mut tell = |session: &dyn Session| {
        if options.fens {
            console.say(&format!("{} {}", variant.info.name, session.fen()));
        }
    };
    tell(&*session);
    check(record, &mut *session, |session, _| {
        tell(session);
        *legal_moves += 1;
    })
}
