//! `match`: engines play each other, and the rules in this program are the referee.
//!
//! The options are cutechess-cli's, so that scripts carry over. Every claim of strength in
//! this project rests on this tool.

mod game;
mod in_process;
mod merge;
mod openings;
mod options;
mod player;
mod process;
mod report;
mod sample;
pub mod sprt;
pub mod statistics;
mod uci;

pub use merge::merge;
pub use options::HELP;

use crate::engine::Variant;
use crate::engine::interrupt::Interrupt;
use crate::games::result;
use crate::notation::pgn;
use crate::system::date;
use game::{Finished, Seat};
use openings::Opening;
use options::Options;
use player::{Fault, NoMove, Player};
use report::{Place, Standing, termination};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

/// A game that is to be played.
#[derive(Clone, Copy)]
struct Fixture {
    /// Its number, from 0.
    number: u64,
    /// The number of its opening.
    opening: u64,
    /// Which of the games with this opening it is.
    repetition: u64,
    /// Its engines, White's first.
    seats: [usize; 2],
    place: Place,
}

/// A game that was played.
struct Played {
    fixture: Fixture,
    opening: Opening,
    game: Finished,
}

/// Runs a match and says how it goes. When interrupted it says the result so far; games
/// that are not finished then do not count.
///
/// # Errors
///
/// The command line is wrong, an engine does not start, or the PGN cannot be written.
pub fn run(
    variants: &'static [Variant],
    arguments: &[&str],
    interrupt: &Interrupt,
    say: &mut dyn FnMut(&str),
) -> Result<ExitCode, String> {
    let options = Options::read(variants, arguments)?;
    let mut pgn = options.pgn.as_deref().map(open_to_append).transpose()?;
    // Engines that cannot play are found out before the first game.
    for spec in &options.engines {
        match player::start(spec, &options, interrupt) {
            Ok(_) => {}
            Err(NoMove::Fault(fault)) => {
                return Err(format!("{}: {}", spec.name, describe(&fault)));
            }
            Err(NoMove::Interrupted) => return Err("match: interrupted".into()),
        }
    }
    let names = options
        .engines
        .iter()
        .map(|spec| spec.name.clone())
        .collect();
    let mut standing = Standing::new(names);
    let next = AtomicU64::new(0);
    let mut stopped_by = None;
    let mut written = Ok(());
    let total = options.total_games();
    std::thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..options.concurrency.min(total as usize) {
            let (sender, options, next) = (sender.clone(), &options, &next);
            let spawned =
                Builder::new().spawn_scoped(scope, move || work(options, next, interrupt, &sender));
            if let Err(error) = spawned {
                log::warn!("match: {error}");
            }
        }
        drop(sender);
        for played in results {
            written = pgn
                .as_mut()
                .map_or(Ok(()), |file| append(file, &options, &played));
            if written.is_err() {
                interrupt.set();
                break;
            }
            let pairing = played.fixture.place.pairing;
            note(&mut standing, &played, say);
            let counts = standing.counts(pairing);
            if counts.games().is_multiple_of(options.rating_interval) {
                standing
                    .rating_lines(pairing, options.sprt.as_ref())
                    .iter()
                    .for_each(|line| say(line));
            }
            let crashed = played
                .game
                .blunder
                .as_ref()
                .is_some_and(|blunder| matches!(blunder.fault, Fault::Crash(_) | Fault::Hang));
            let decided = || {
                let verdict = options.sprt.as_ref()?.verdict(&counts);
                verdict.map(|_| "the test is decided")
            };
            stopped_by = if crashed && !options.recover {
                Some("an engine died; with -recover the match would go on")
            } else {
                decided()
            };
            // What ends now no longer counts, or it could undo the decision.
            if stopped_by.is_some() {
                interrupt.set();
                break;
            }
        }
    });
    match stopped_by {
        Some(why) => say(&format!("The match ends: {why}.")),
        None if written.is_err() => say("The match ends: its games cannot be written."),
        None if interrupt.is_set() => say("The match was interrupted."),
        None => say("The match is over."),
    }
    standing
        .final_lines(options.sprt.as_ref())
        .iter()
        .for_each(|line| say(line));
    let pgn = options.pgn.as_deref().unwrap_or_default();
    written.map_err(|error| format!("-pgnout: {pgn}: {error}"))?;
    Ok(ExitCode::SUCCESS)
}

/// Plays games until there are no more.
fn work(options: &Options, next: &AtomicU64, interrupt: &Interrupt, results: &Sender<Played>) {
    let mut players: Vec<Option<Box<dyn Player>>> = options.engines.iter().map(|_| None).collect();
    loop {
        let number = next.fetch_add(1, Relaxed);
        if number >= options.total_games() || interrupt.is_set() {
            return;
        }
        let fixture = fixture(options, number);
        let opening = options.openings.get(options.variant, fixture.opening);
        for engine in fixture.seats {
            if players[engine].is_none() {
                match player::start(&options.engines[engine], options, interrupt) {
                    Ok(player) => players[engine] = Some(player),
                    // One that does not start loses the game.
                    Err(NoMove::Fault(_)) => {}
                    Err(NoMove::Interrupted) => return,
                }
            }
        }
        let [white, black] = fixture.seats;
        let Ok([white_player, black_player]) = players.get_disjoint_mut([white, black]) else {
            return;
        };
        let mut seats = [
            Seat {
                player: white_player,
                spec: &options.engines[white],
            },
            Seat {
                player: black_player,
                spec: &options.engines[black],
            },
        ];
        let Ok(game) = game::play(options, &opening, &mut seats) else {
            return;
        };
        if results
            .send(Played {
                fixture,
                opening,
                game,
            })
            .is_err()
        {
            return;
        }
    }
}

/// The game with a number: rounds one after the other, in each all pairings, in each
/// pairing its games. The engines of a pairing change colours after each game.
fn fixture(options: &Options, number: u64) -> Fixture {
    let pairings = options.pairings();
    let in_round = number % (pairings.len() as u64 * options.games);
    let round = number / (pairings.len() as u64 * options.games);
    let pairing = pairings[(in_round / options.games) as usize];
    let game = round * options.games + in_round % options.games;
    let (first, second) = pairing;
    let seats = if game.is_multiple_of(2) {
        [first, second]
    } else {
        [second, first]
    };
    let opening = game / options.repeat;
    let pair = (options.repeat == 2).then_some(opening);
    Fixture {
        number,
        opening,
        repetition: game % options.repeat,
        seats,
        place: Place {
            pairing,
            white: seats[0],
            pair,
        },
    }
}

/// Counts a game and says how it ended and what the score is.
fn note(standing: &mut Standing, played: &Played, say: &mut dyn FnMut(&str)) {
    let Played { fixture, game, .. } = played;
    let [white, black] = fixture.seats.map(|engine| standing.names[engine].clone());
    let result = result(game.winner);
    let number = fixture.number + 1;
    say(&format!(
        "Finished game {number} ({white} vs {black}): {result} {{{}}}",
        game.reason
    ));
    standing.add(fixture.place, game.winner);
    if let Some(blunder) = &game.blunder {
        let engine = fixture.seats[blunder.side.index()];
        standing.count_fault(engine, &blunder.fault);
        let name = &standing.names[engine];
        say(&format!(
            "Fault in game {number}: {name}: {} in {}",
            describe(&blunder.fault),
            blunder.fen
        ));
    }
    say(&standing.score_line(fixture.place.pairing));
}

fn describe(fault: &Fault) -> String {
    match fault {
        Fault::Time => "lost on time".into(),
        Fault::IllegalMove(mv) => format!("played `{mv}`, which is illegal,"),
        Fault::Crash(why) => format!("died ({why})"),
        Fault::Hang => "did not answer".into(),
    }
}

/// Opens a PGN, or makes a new one. Behind a game that was cut off a new line begins.
fn open_to_append(path: &str) -> Result<File, String> {
    let open = || -> std::io::Result<File> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if file.metadata()?.is_file() {
            let mut last = [b'\n'];
            let mut written = File::open(path)?;
            if written.seek(SeekFrom::End(-1)).is_ok() {
                written.read_exact(&mut last)?;
            }
            if last != [b'\n'] {
                file.write_all(b"\n\n")?;
            }
        }
        Ok(file)
    };
    open().map_err(|error| format!("-pgnout: {path}: {error}"))
}

/// Appends a game to the PGN with a single write, so that an interrupt leaves whole games. A
/// full disk leaves whole games too: what was written of the last one goes.
fn append(file: &mut File, options: &Options, played: &Played) -> std::io::Result<()> {
    let length = file.metadata()?.len();
    let written = file.write_all(record(options, played).to_string().as_bytes());
    if written.is_err() {
        // What the PGN is written to need not be a file that can be cut off.
        let _ = file.set_len(length);
    }
    written
}

fn record(options: &Options, played: &Played) -> pgn::Record {
    let Played {
        fixture,
        opening,
        game,
    } = played;
    let spec = |side: usize| &options.engines[fixture.seats[side]];
    let round = match options.repeat {
        1 => (fixture.opening + 1).to_string(),
        _ => format!("{}.{}", fixture.opening + 1, fixture.repetition + 1),
    };
    let mut tags = vec![
        ("Event", options.event.clone()),
        ("Site", "?".into()),
        ("Date", date::today()),
        ("Round", round),
        ("White", spec(0).name.clone()),
        ("Black", spec(1).name.clone()),
        ("Result", result(game.winner).into()),
        ("Variant", options.variant.info.name.into()),
    ];
    if let Some(fen) = &opening.fen {
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", fen.clone()));
    }
    tags.push(("PlyCount", game.moves.len().to_string()));
    let controls = [0, 1].map(|side| spec(side).control.tag());
    if controls[0] == controls[1] {
        tags.push(("TimeControl", controls[0].clone()));
    } else {
        let [white, black] = controls;
        tags.extend([("WhiteTimeControl", white), ("BlackTimeControl", black)]);
    }
    tags.push(("Termination", termination(game).into()));
    tags.push(("Reason", game.reason.clone()));
    let mut record = pgn::Record {
        tags: tags
            .into_iter()
            .map(|(name, value)| (name.to_string(), value))
            .collect(),
        moves: game
            .moves
            .iter()
            .map(|(text, comment)| pgn::PlayedMove {
                text: text.clone(),
                comment: comment.clone(),
                ..pgn::PlayedMove::default()
            })
            .collect(),
        result: result(game.winner).into(),
        start: options.variant.info.start.into(),
    };
    if !options.pgn_coordinates
        && let Err(error) = record.write_san(options.variant)
    {
        log::warn!("match: {error}");
    }
    record
}
