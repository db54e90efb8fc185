//! `replay`: checks games in PGN against the rules, move by move, or writes their positions.
//!
//! Each move must be legal. A game that is over by the rules must end there, with that result and
//! reason. Ends that the rules do not decide, such as a loss on time, are taken as stated.

use crate::cli::sources::{self, Source};
use crate::cli::{Args, Command, Console};
use crate::engine::{VARIANTS, Variant};
use crate::games::{Outcome, Reason, result};
use crate::records::pgn::{PgnError, Reader, Record};
use crate::records::{open, play};
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
Checks every move, result and reason. The exit status is 1 if a game has a fault.
Example: quadrille replay --fens games.pgn | quadrille analyse --nodes 10000",
    is_long: false,
    run: |words, _, console| {
        let fault = |error| format!("replay: {error}");
        let options = ReplayOptions::read(VARIANTS, words)?;
        let sources = sources::open(&options.files).map_err(fault)?;
        let is_fine = run(&options, sources, console).map_err(fault)?;
        Ok(ExitCode::from(u8::from(!is_fine)))
    },
};

#[derive(Clone, Debug)]
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
    pub fn read(variants: &'static [Variant], words: &[&str]) -> Result<Self, String> {
        let mut options = Self {
            variants,
            default: None,
            fens: false,
            files: Vec::new(),
        };
        let mut args = Args::new("replay", words);
        while let Some(word) = args.next() {
            match word {
                "--fens" => options.fens = true,
                "--variant" => options.default = Some(args.variant(variants)?),
                _ => options.files.push(args.operand()?.into()),
            }
        }
        match options.files.is_empty() {
            true => Err(args.missing("FILE")),
            false => Ok(options),
        }
    }
}

#[derive(Default)]
struct Tally {
    games: u64,
    moves: u64,
    faults: u64,
}

/// Replays games. Prints the fault of each that has one, and the numbers of games, legal moves and
/// faults; or the positions, and warns of the faults. Returns true if there is no fault.
pub fn run(
    options: &ReplayOptions,
    sources: Vec<Source<'_>>,
    console: &mut dyn Console,
) -> Result<bool, String> {
    let mut tally = Tally::default();
    let are_many = sources.len() > 1;
    for Source { name, input } in sources {
        let mut reader = Reader::new(input);
        let mut number = 0;
        while let Some(game) = reader.next() {
            number += 1;
            let fault = match game {
                Ok(mut record) => check(options, &mut record, &mut tally.moves, console)
                    .err()
                    .map(|fault| format!("line {}: {fault}", reader.first_line())),
                Err(error @ PgnError::Malformed { .. }) => Some(error.to_string()),
                Err(error @ PgnError::Unreadable { .. }) => {
                    return Err(format!("{name}: {error}"));
                }
            };
            let Some(fault) = fault else { continue };
            tally.faults += 1;
            let file = if are_many {
                format!("{name}: ")
            } else {
                String::new()
            };
            let line = visible(&format!("{file}game {number}, {fault}"));
            match options.fens {
                true => console.warn(&format!("replay: {line}")),
                false => console.say(&line),
            }
        }
        tally.games += number;
    }
    if !options.fens {
        let Tally {
            games,
            moves,
            faults,
        } = tally;
        let counts = [(games, "game"), (moves, "move"), (faults, "fault")];
        let counts = counts.map(|(number, noun)| counted(number, noun));
        console.say(&counts.join(", "));
    }
    Ok(tally.faults == 0)
}

/// The first fault of a game. Adds to the number of legal moves.
fn check(
    options: &ReplayOptions,
    record: &mut Record,
    legal_moves: &mut u64,
    console: &mut dyn Console,
) -> Result<(), String> {
    let outcome = play_game(options, record, legal_moves, console)?;
    check_counts(record)?;
    match outcome {
        Some(outcome) => check_end(record, outcome),
        None => check_no_end(record),
    }
}

/// Plays the moves, and says the positions if that is what is wanted. Returns the outcome if the
/// game is over then.
fn play_game(
    options: &ReplayOptions,
    record: &mut Record,
    legal_moves: &mut u64,
    console: &mut dyn Console,
) -> Result<Option<Outcome>, String> {
    let variant = record.variant(options.variants, options.default)?;
    let mut session = open(record, variant)?;
    let mut tell = |fen: String| {
        if options.fens {
            console.say(&format!("{} {fen}", variant.info.name));
        }
    };
    tell(session.fen());
    for (number, mv) in (1..).zip(&record.moves) {
        let text = &mv.text;
        // After a draw by repetition, clock or material there still are legal moves.
        if let Some(Outcome { reason, .. }) = session.outcome() {
            let reason = reason.name();
            return Err(format!(
                "move {number}, `{text}`, follows the end of the game by {reason}"
            ));
        }
        play(&mut *session, number, text)?;
        tell(session.fen());
        *legal_moves += 1;
    }
    Ok(session.outcome())
}

/// Checks that the tags agree with the text of the moves.
fn check_counts(record: &Record) -> Result<(), String> {
    let (result, plies) = (&record.result, record.moves.len());
    match (record.tag("Result"), record.tag("PlyCount")) {
        (Some(tag), _) if tag != result => Err(format!(
            "the tag Result says `{tag}`, but `{result}` follows the moves"
        )),
        (_, Some(tag)) if tag.parse() != Ok(plies) => Err(format!(
            "the tag PlyCount says `{tag}`, but there are {plies}"
        )),
        _ => Ok(()),
    }
}

/// Checks that the stated end is the end by the rules.
fn check_end(record: &Record, outcome: Outcome) -> Result<(), String> {
    let (result, reason) = (result(outcome.winner), outcome.reason.name());
    let stated = &record.result;
    if stated != result {
        return Err(format!(
            "the result is {result} by {reason}, but `{stated}` is stated"
        ));
    }
    match record.tag("Reason") {
        Some(stated) if stated != reason => {
            Err(format!("the reason is {reason}, but `{stated}` is stated"))
        }
        _ => Ok(()),
    }
}

/// Checks that no end by the rules is stated.
fn check_no_end(record: &Record) -> Result<(), String> {
    let stated = record.tag("Reason").unwrap_or_default();
    if Reason::ALL.iter().any(|reason| reason.name() == stated) {
        return Err(format!(
            "the reason `{stated}` is stated, but the game is not over"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines printed for games.
    fn replay(text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let mut say = |line: &str| lines.push(line.to_string());
        let options = ReplayOptions::read(VARIANTS, &["-"]).unwrap();
        let sources = vec![Source::new(text.as_bytes())];
        let fine = run(&options, sources, &mut say).unwrap();
        assert_eq!(fine, lines.len() == 1, "{lines:?}");
        lines
    }

    /// A game from a position of Gothic Chess.
    fn gothic(fen: &str, tags: &str, moves: &str) -> String {
        format!("[Variant \"gothic\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n{tags}\n{moves}\n\n")
    }

    /// White mates with a1a8.
    const MATE: &str = "9k/10/8K1/10/10/10/10/Q9 w - - 0 1";
    /// White takes the last rook.
    const BARE: &str = "9k/10/10/10/10/10/10/rK8 w - - 0 1";

    #[test]
    fn good_games() {
        for (fen, tags, moves) in [
            (MATE, "[Reason \"checkmate\"]\n", "1. a1a8 1-0"),
            (MATE, "[Result \"1-0\"]\n[PlyCount \"1\"]\n", "1. a1a8"),
            (MATE, "", "1. a1a2 *"),
            (MATE, "[Reason \"time forfeit\"]\n", "1. a1a2 0-1"),
            (MATE, "[Reason \"adjudication: material\"]\n", "1/2-1/2"),
            (BARE, "[Reason \"material\"]\n", "1. b1a1 1/2-1/2"),
        ] {
            let text = gothic(fen, tags, moves);
            let lines = replay(&text);
            assert!(lines[0].ends_with(", 0 faults"), "{text}{lines:?}");
        }
        assert_eq!(replay(""), ["0 games, 0 moves, 0 faults"]);
    }

    #[test]
    fn faults() {
        for (text, fault) in [
            ("1. e2e4 *", "there is no tag Variant"),
            (
                "[Variant \"chess\"]\n\n*",
                "the variant `chess` is not one of gothic, congress, pressman, crosseyed",
            ),
            (
                "[Variant \"gothic\"]\n[SetUp \"1\"]\n\n*",
                "there is a tag SetUp, but no tag FEN",
            ),
            (
                &gothic("9k/K9 w - - 0 1", "", "*"),
                "FEN, placement: 2 ranks",
            ),
            (
                "[Variant \"congress\"]\n\n1. b1c3 b1c3 *",
                "move 2: `b1c3` is illegal in hh1kk1bb/1pppppp1/8/2H5/1PPPPPP1/H2KK1BB",
            ),
            (
                "[Variant \"gothic\"]\n\n1. e2\u{1b}e4 *",
                "move 1: `e2\u{fffd}e4` is illegal in rnbqckabnr/",
            ),
            (
                &gothic(MATE, "", "1. a1a8 j8i8 1-0"),
                "move 2, `j8i8`, follows the end of the game by checkmate",
            ),
            (
                &gothic(BARE, "", "1. b1a1 j8i8 1/2-1/2"),
                "move 2, `j8i8`, follows the end of the game by material",
            ),
            (
                &gothic(MATE, "", "1. a1a8 *"),
                "the result is 1-0 by checkmate, but `*` is stated",
            ),
            (
                &gothic(BARE, "", "1. b1a1 0-1"),
                "the result is 1/2-1/2 by material, but `0-1` is stated",
            ),
            (
                &gothic(MATE, "[Reason \"time forfeit\"]\n", "1. a1a8 1-0"),
                "the reason is checkmate, but `time forfeit` is stated",
            ),
            (
                &gothic(MATE, "[Reason \"checkmate\"]\n", "1. a1a2 1-0"),
                "the reason `checkmate` is stated, but the game is not over",
            ),
            (
                &gothic(MATE, "[Result \"0-1\"]\n", "1. a1a2 1-0"),
                "the tag Result says `0-1`, but `1-0` follows the moves",
            ),
            (
                &gothic(MATE, "[PlyCount \"2\"]\n", "1. a1a2 1-0"),
                "the tag PlyCount says `2`, but there are 1",
            ),
        ] {
            let lines = replay(text);
            assert_eq!(lines.len(), 2, "{text}{lines:?}");
            let start = format!("game 1, line 1: {fault}");
            assert!(lines[0].starts_with(&start), "{text}{lines:?}");
            assert!(lines[1].starts_with("1 game, "), "{lines:?}");
            assert!(lines[1].ends_with(", 1 fault"), "{lines:?}");
        }
    }
}
