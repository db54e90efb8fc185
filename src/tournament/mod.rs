//! `match`: engines play each other, and the rules in this program are the referee.
//!
//! Options and printed lines are those of cutechess-cli and fastchess, so that scripts carry over.
//! Every claim of strength in this project rests on this tool.

mod args;
mod collector;
mod comment;
mod engine_args;
mod engines;
mod event;
mod finished_game;
mod game;
mod game_end;
mod merge;
mod numbers;
mod openings;
mod options;
mod output;
mod pool;
mod report;
mod resume;
mod schedule;

use crate::cli::interrupt::Interrupt;
use crate::cli::{Command, Console, Failure};
use crate::engine::{VARIANTS, Variant};
use crate::protocol;
use crate::search::STACK_BYTES;
use crate::system::sync::cores;
use crate::system::text::counted;
use args::HELP;
pub use args::numbers;
use collector::Collector;
use event::MatchEvent;
use merge::merge;
pub use numbers::Range;
use options::{EngineSpec, MatchOptions, SELF};
use pool::Pool;
use schedule::Schedule;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::thread::Builder;

pub static COMMAND: Command = Command {
    name: "match",
    operands: "-engine ... -engine ...",
    summary: "let engines play each other; see match --help",
    help: HELP,
    run: |words, console| match words {
        ["-version" | "--version" | "-v"] => {
            console.say(protocol::NAME);
            Ok(ExitCode::SUCCESS)
        }
        ["--merge", ..] => merge(words, console),
        _ => run(VARIANTS, words, &Interrupt::by_signals(), console),
    },
};

/// Runs or resumes a match and reports its result. The first interrupt lets the games in progress
/// finish. The second stops them, and they do not count. Either way the result so far is reported.
pub fn run(
    variants: &'static [Variant],
    words: &[&str],
    interrupt: &Interrupt,
    console: &mut dyn Console,
) -> Result<ExitCode, Failure> {
    let mut options = args::read(variants, words)?;
    warn(&mut options);
    for warning in &options.warnings {
        console.warn(warning);
    }
    if options.strict && !options.warnings.is_empty() {
        console.warn("-strict allows no warning: the match does not begin");
        return Ok(ExitCode::FAILURE);
    }
    let pool = Pool::new(&options, interrupt)?;
    let (sender, events) = channel();
    // Engines that cannot play are found before the first game.
    if let Err(error) = pool.try_all(&sender) {
        drop(sender);
        // Its standard error may come a little later.
        while let Ok(event) = events.recv_timeout(engines::process::TICK) {
            match event {
                MatchEvent::Warning(line) => console.warn(&line),
                MatchEvent::Traffic(line) if options.debug => console.warn(&line),
                _ => {}
            }
        }
        return Err(error);
    }
    let mut collector = Collector::new(&options, &pool, console)?;
    interrupt.be_patient();
    std::thread::scope(|scope| {
        let threads =
            if collector.is_decided() { 0 } else { options.concurrency.min(pool.total() as usize) };
        let mut players = Vec::new();
        for _ in 0..threads {
            let (of_player, pool) = (sender.clone(), &pool);
            // For searches of engines in this process.
            let builder = Builder::new().stack_size(STACK_BYTES);
            match builder.spawn_scoped(scope, move || pool.play(&of_player)) {
                Ok(player) => players.push(player),
                // Those that have started can play all games.
                Err(error) => {
                    let failure = Failure::no_thread(error);
                    let _ = sender.send(match players.len() {
                        0 => MatchEvent::Failed(failure),
                        count => {
                            let games = counted(count as u64, "game");
                            MatchEvent::Warning(format!("only {games} at once: {failure}"))
                        }
                    });
                    break;
                }
            }
        }
        drop(sender);
        let is_over = || players.iter().all(|player| player.is_finished());
        collector.collect(&events, interrupt, is_over);
    });
    collector.close(interrupt)
}

/// Warns of clocks that the machine is too small for, and of words about an engine in process
/// that change nothing.
fn warn(options: &mut MatchOptions) {
    // In a game one engine thinks at a time, unless they ponder.
    let thinking = 1 + u64::from(options.engines.iter().any(|engine| engine.ponders));
    let games = (options.concurrency as u64).min(Schedule::new(options).total());
    let (needed, cores) = (games * thinking, cores() as u64);
    if needed > cores
        && !options.forces_concurrency
        && options.engines.iter().any(EngineSpec::is_timed)
    {
        options.warnings.push(format!(
            "{needed} engines think at once on {}: clocks run while they wait; \
             lower -concurrency, or write -force-concurrency",
            counted(cores, "processor")
        ));
    }
    let plies = options.openings.plies();
    if let Some(most) = options.max_moves.filter(|most| plies >= 2 * most) {
        options.warnings.push(format!(
            "-maxmoves {most} ends games without a move: an opening has {plies} plies"
        ));
    }
    for (number, engine) in (1..).zip(&options.engines) {
        let is_clocked = engine.control.time.is_some() || engine.control.per_move.is_some();
        for (word, is_given) in
            [("ponder", engine.ponders), ("debug", engine.debug), ("tc= or st=", is_clocked)]
        {
            if engine.command == SELF && is_given {
                let warning = format!("engine {number}: {word} has no effect on cmd={SELF}");
                options.warnings.push(warning);
            }
        }
    }
}
