//! `match`: engines play each other, and the rules in this program are the referee.
//!
//! The words and the lines are those of cutechess-cli and fastchess, so that scripts carry
//! over. Every claim of strength in this project rests on this tool.

mod announced;
mod engine_words;
mod game;
mod in_process;
mod merge;
mod openings;
mod options;
mod player;
mod process;
mod record;
mod report;
mod sample;
mod schedule;
pub mod sprt;
mod standing;
pub mod statistics;
mod uci;
mod voice;
mod words;
mod xboard;

pub use merge::merge;
pub use words::HELP;

use crate::engine::Variant;
use crate::engine::interrupt::Interrupt;
use crate::system::checksum::checksum;
use game::{Finished, Seat};
use openings::Opening;
use options::Options;
use player::{Fault, NoStart, Player};
use process::TICK;
use record::{Sink, record};
use report::Report;
use schedule::{Fixture, Schedule};
use standing::{Place, Standing};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;
use std::time::{Duration, Instant, SystemTime};
use voice::Voice;

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

/// Where a match says what: its lines, and what else there is to say.
pub struct Speech<'s> {
    /// The lines of the match.
    pub say: &'s mut dyn FnMut(&str),
    /// What is to be seen apart from them.
    pub warn: &'s mut dyn FnMut(&str),
}

/// Runs a match and says how it goes. When interrupted it says the result so far; games
/// that are not finished then do not count.
///
/// # Errors
///
/// The command line is wrong, an engine does not start, or a file cannot be written.
pub fn run(
    variants: &'static [Variant],
    arguments: &[&str],
    interrupt: &Interrupt,
    speech: Speech<'_>,
) -> Result<ExitCode, String> {
    let options = words::read(variants, arguments)?;
    for warning in &options.warnings {
        (speech.warn)(warning);
    }
    let (sender, events) = channel();
    let log_since = (options.debug || options.log.is_some()).then(Instant::now);
    let work = Work {
        schedule: Schedule::new(&options),
        next: AtomicU64::new(0),
        options: &options,
        interrupt,
        log_since,
    };
    let mut table = Table::new(&options, work.schedule.total(), speech)?;
    // Engines that cannot play are found out before the first game.
    for (index, spec) in options.engines.iter().enumerate() {
        match work.start(index, &sender) {
            Ok(_) => {}
            Err(NoStart::Refused(why)) => return Err(format!("{}: {why}", spec.name)),
            Err(NoStart::Interrupted) => return Err("match: interrupted".into()),
        }
    }
    std::thread::scope(|scope| {
        for _ in 0..options.concurrency.min(work.schedule.total() as usize) {
            let (sender, work) = (sender.clone(), &work);
            let spawned = Builder::new().spawn_scoped(scope, move || work.play(&sender));
            if let Err(error) = spawned {
                log::warn!("match: {error}");
            }
        }
        drop(sender);
        table.watch(&events, interrupt);
    });
    table.close(interrupt)?;
    Ok(ExitCode::SUCCESS)
}

/// What the threads that play share.
struct Work<'w> {
    options: &'w Options,
    schedule: Schedule,
    /// The number of the game that begins next.
    next: AtomicU64,
    interrupt: &'w Interrupt,
    /// Since when what passes between match and engines is wanted.
    log_since: Option<Instant>,
}

impl Work<'_> {
    /// Starts an engine.
    fn start(&self, engine: usize, events: &Sender<Event>) -> Result<Box<dyn Player>, NoStart> {
        let spec = &self.options.engines[engine];
        let voice = Voice::new(&spec.name, events, self.log_since);
        player::start(spec, self.options, self.interrupt, voice)
    }

    /// Plays games until there are no more.
    fn play(&self, events: &Sender<Event>) {
        let engines = self.options.engines.iter();
        let mut players: Vec<Option<Box<dyn Player>>> = engines.map(|_| None).collect();
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.schedule.total() || self.interrupt.is_set() {
                return;
            }
            if number > 0 {
                self.wait();
            }
            let fixture = self.schedule.fixture(number);
            let Some(played) = self.play_one(fixture, &mut players, events) else {
                return;
            };
            if events.send(Event::Finished(Box::new(played))).is_err() {
                return;
            }
        }
    }

    /// Plays a game; `None` if the match is interrupted.
    fn play_one(
        &self,
        fixture: Fixture,
        players: &mut [Option<Box<dyn Player>>],
        events: &Sender<Event>,
    ) -> Option<Played> {
        for engine in fixture.seats {
            if players[engine].is_none() {
                match self.start(engine, events) {
                    Ok(player) => players[engine] = Some(player),
                    // One that does not start loses the game.
                    Err(NoStart::Refused(_)) => {}
                    Err(NoStart::Interrupted) => return None,
                }
            }
        }
        events.send(Event::Started(fixture)).ok()?;
        let (begun, begin) = (SystemTime::now(), Instant::now());
        let openings = &self.options.openings;
        let opening = openings.get(self.options.variant, fixture.opening);
        let mut seats = players.get_disjoint_mut(fixture.seats).ok()?;
        let mut engines = fixture
            .seats
            .iter()
            .map(|&seat| &self.options.engines[seat]);
        let mut seat = |player| {
            Some(Seat {
                player,
                spec: engines.next()?,
            })
        };
        let [white, black] = &mut seats;
        let mut seats = [seat(white)?, seat(black)?];
        let game = game::play(self.options, &opening, &mut seats).ok()?;
        Some(Played {
            fixture,
            opening,
            game,
            begun,
            duration: begin.elapsed(),
        })
    }

    /// Waits as long as wanted between games.
    fn wait(&self) {
        let end = Instant::now() + self.options.wait;
        while !self.interrupt.is_set() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(TICK));
        }
    }
}

/// Where the results of the games come together: they are counted, written and said.
struct Table<'o, 's> {
    options: &'o Options,
    total: u64,
    speech: Speech<'s>,
    report: Report<'o>,
    standing: Standing,
    pgn: Option<Sink>,
    epd: Option<Sink>,
    log: Option<Sink>,
    /// Why the match ends before its last game.
    stopped_by: Option<&'static str>,
    /// What cannot be written.
    unwritten: Option<String>,
}

impl<'o, 's> Table<'o, 's> {
    fn new(options: &'o Options, total: u64, speech: Speech<'s>) -> Result<Self, String> {
        let names = options.engines.iter().map(|spec| spec.name.clone());
        let mut standing = Standing::new(names.collect());
        standing.without_pairs = !options.counts_pairs;
        let open = |option, target: &Option<_>| {
            target
                .as_ref()
                .map(|target| Sink::open(option, target))
                .transpose()
        };
        Ok(Self {
            options,
            total,
            speech,
            report: Report::of(options),
            standing,
            pgn: open("-pgnout", &options.pgn)?,
            epd: open("-epdout", &options.epd)?,
            log: open("-log", &options.log)?,
            stopped_by: None,
            unwritten: None,
        })
    }

    fn say(&mut self, lines: impl IntoIterator<Item = String>) {
        lines.into_iter().for_each(|line| (self.speech.say)(&line));
    }

    /// Notes what happens until nothing more does, or the match is to end.
    fn watch(&mut self, events: &Receiver<Event>, interrupt: &Interrupt) {
        for event in events {
            let noted = self.note(event);
            self.unwritten = noted.err();
            // What ends now no longer counts, or it could undo the decision.
            if self.stopped_by.is_some() || self.unwritten.is_some() {
                interrupt.set();
                return;
            }
        }
    }

    fn note(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Started(fixture) => {
                let line = self.report.started(&self.standing, &fixture, self.total);
                self.say([line]);
            }
            Event::Finished(played) => {
                self.write(&played)?;
                self.count(&played);
            }
            Event::Remark(line) => (self.speech.warn)(&line),
            Event::Traffic(line) => {
                if self.options.debug {
                    (self.speech.warn)(&line);
                }
                if let Some(log) = &mut self.log {
                    log.append(&format!("{line}\n"))?;
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, played: &Played) -> Result<(), String> {
        if let (Some(pgn), Some(target)) = (&mut self.pgn, &self.options.pgn) {
            pgn.append(&record(self.options, played, target).to_string())?;
        }
        if let Some(epd) = &mut self.epd {
            epd.append(&format!("{}\n", played.game.fen))?;
        }
        Ok(())
    }

    /// Counts a game, says how it ended and what the score is, and sees whether it was the
    /// last.
    fn count(&mut self, played: &Played) {
        let Played {
            fixture,
            opening,
            game,
            ..
        } = played;
        let line = self.report.finished(&self.standing, fixture, game);
        self.say([line]);
        let place = Place {
            pairing: fixture.pairing,
            white: fixture.seats[0],
            pair: fixture.pair,
        };
        self.standing.add(place, game.winner);
        self.count_outcome(fixture, game);
        if let (Some(side), game::End::Fault(fault)) = (game.at_fault, &game.end) {
            let engine = fixture.seats[side.index()];
            self.standing.count_fault(engine, fault);
            let (number, name) = (fixture.number + 1, &self.standing.names[engine]);
            let line = format!("Fault in game {number}: {name}: {fault} in {}", game.fen);
            self.say([line]);
            if matches!(fault, Fault::Crash(_) | Fault::Hang) && !self.options.recover {
                self.stopped_by = Some("an engine died; with -recover the match would go on");
            }
        }
        self.look_for_repeated(fixture, opening, game);
        self.say_standing(fixture.pairing);
        if let Some(sprt) = &self.options.sprt
            && sprt
                .verdict(&self.standing.counts(fixture.pairing))
                .is_some()
            && self.stopped_by.is_none()
        {
            self.stopped_by = Some("the test is decided");
        }
    }

    fn count_outcome(&mut self, fixture: &Fixture, game: &Finished) {
        let sentence = game.end.sentence(game.winner);
        for (side, engine) in fixture.seats.into_iter().enumerate() {
            let how = match game.winner {
                None => sentence.clone(),
                Some(winner) if winner.index() == side => format!("Win: {sentence}"),
                Some(_) => format!("Loss: {sentence}"),
            };
            self.standing.count_outcome(engine, how);
        }
    }

    /// Says so, the first time, if a game was played before move for move.
    fn look_for_repeated(&mut self, fixture: &Fixture, opening: &Opening, game: &Finished) {
        let moves: Vec<_> = game.moves.iter().map(|(mv, _)| mv.as_str()).collect();
        let text = format!("{:?} {:?} {moves:?}", fixture.seats, opening.fen);
        let before = self
            .standing
            .find_repeated(fixture.number, checksum(text.as_bytes()));
        if let Some(before) = before
            && self.standing.repeated == 1
        {
            (self.speech.warn)(&format!(
                "game {} is game {} again, move for move, and tells nothing new; \
                 -openings gives each pair of games a beginning of its own",
                fixture.number + 1,
                before + 1
            ));
        }
    }

    fn say_standing(&mut self, pairing: (usize, usize)) {
        let finished = self.standing.finished();
        let is_due = |interval: u64| interval > 0 && finished.is_multiple_of(interval);
        if is_due(self.options.score_interval) {
            let line = self.report.score(&self.standing, pairing);
            self.say(line);
        }
        if is_due(self.options.rating_interval) {
            let lines = self.report.ratings(&self.standing);
            self.say(lines);
        }
        if is_due(self.options.outcome_interval) {
            let lines = self.report.outcomes(&self.standing);
            self.say(lines);
        }
    }

    /// Says everything, at the end.
    fn close(mut self, interrupt: &Interrupt) -> Result<(), String> {
        let why = match self.stopped_by {
            Some(why) => Some(format!("The match ends: {why}.")),
            None if self.unwritten.is_some() => {
                Some("The match ends: its games cannot be written.".into())
            }
            None if interrupt.is_set() => Some("The match was interrupted.".into()),
            None => None,
        };
        self.say(why);
        let lines = self.report.last(&self.standing);
        self.say(lines);
        let over = self.report.over();
        self.say([over.to_string()]);
        self.unwritten.map_or(Ok(()), Err)
    }
}
