//! `match`: engines play each other, and the rules in this program are the referee.
//!
//! The words and the lines are those of cutechess-cli and fastchess, so that scripts carry
//! over. Every claim of strength in this project rests on this tool.

mod args;
mod collector;
mod engine_args;
mod engines;
mod fixture;
mod game;
mod journal;
mod knockout;
mod merge;
mod openings;
mod options;
mod pool;
mod record_files;
mod report;
mod schedule;

pub use args::HELP;
pub use merge::merge;

use crate::cli::Console;
use crate::cli::interrupt::Interrupt;
use crate::engine::Variant;
use crate::search::STACK_BYTES;
use collector::Collector;
use fixture::Fixture;
use game::Finished;
use openings::Opening;
use pool::Pool;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::thread::Builder;
use std::time::{Duration, SystemTime};

/// A game that was played.
struct Played {
    fixture: Fixture,
    opening: Opening,
    game: Finished,
    /// When it began.
    begun: SystemTime,
    /// How long it took.
    duration: Duration,
}

/// What happens in a match.
enum Event {
    /// A game begins.
    Started(Fixture),
    /// A game has ended.
    Finished(Box<Played>),
    /// There is something to say to who runs the match.
    Remark(String),
    /// A line went to an engine or came from it.
    Traffic(String),
}

/// Runs a match, or resumes one, and reports how it goes. The first interrupt lets the games under
/// way end, the second stops them, and they do not count. Then the result so far is reported.
///
/// # Errors
///
/// The command line is wrong, an engine does not start, or a file cannot be written.
pub fn run(
    variants: &'static [Variant],
    arguments: &[&str],
    interrupt: &Interrupt,
    console: &mut dyn Console,
) -> Result<ExitCode, String> {
    interrupt.be_patient();
    let arguments = journal::whole_command_line(arguments)?;
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let options = args::read(variants, &words)?;
    for warning in &options.warnings {
        console.warn(warning);
    }
    let work = Pool::new(&options, interrupt);
    let (sender, events) = channel();
    // Engines that cannot play are found out before the first game.
    if let Err(error) = work.try_all(&sender) {
        drop(sender);
        // What the engine says of it may come a little later.
        while let Ok(event) = events.recv_timeout(engines::process::TICK) {
            match event {
                Event::Remark(line) => console.warn(&line),
                Event::Traffic(line) if options.debug => console.warn(&line),
                _ => {}
            }
        }
        return Err(error);
    }
    let mut table = Collector::new(&options, &arguments, &work, console)?;
    std::thread::scope(|scope| {
        let mut threads = options.concurrency.min(work.total() as usize);
        if table.is_decided() {
            threads = 0;
        }
        let players: Vec<_> = (0..threads)
            .filter_map(|_| {
                let (sender, work) = (sender.clone(), &work);
                // For searches of engines in this process.
                let builder = Builder::new().stack_size(STACK_BYTES);
                builder
                    .spawn_scoped(scope, move || work.play(&sender))
                    .inspect_err(|error| log::warn!("match: {error}"))
                    .ok()
            })
            .collect();
        drop(sender);
        let is_over = || players.iter().all(|player| player.is_finished());
        table.watch(&events, interrupt, is_over);
    });
    table.close(interrupt)?;
    Ok(ExitCode::SUCCESS)
}

pub const COMMAND: crate::cli::Command = crate::cli::Command {
    name: "match",
    operands: "-engine ... -engine ...",
    summary: "let engines play each other; see match --help",
    help: HELP,
    is_long: true,
    run: |words, interrupt, console| match words {
        ["-version" | "--version" | "-v"] => {
            console.say(crate::protocol::NAME);
            Ok(ExitCode::SUCCESS)
        }
        ["--merge", paths @ ..] => {
            merge(paths, console)?;
            Ok(ExitCode::SUCCESS)
        }
        _ => run(crate::engine::VARIANTS, words, interrupt, console),
    },
};
