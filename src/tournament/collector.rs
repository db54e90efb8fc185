//! The collector: counts, writes and reports finished games.

use super::engines::player::Fault;
use super::engines::process::TICK;
use super::event::MatchEvent;
use super::finished_game::{FinishedGame, PlayedGame};
use super::game_end::GameEnd;
use super::options::{MatchOptions, OutputSpec};
use super::output::{OutputFile, record};
use super::pool::Pool;
use super::report::MatchResult;
use super::report::lines::{self, Printer};
use super::report::printer;
use super::report::standing::Standing;
use super::resume::{EarlierGames, count_games, head, marked};
use crate::cli::interrupt::Interrupt;
use crate::cli::{Console, Failure};
use crate::records::pgn::Reader;
use crate::system::date::clock;
use crate::system::files::Replacement;
use crate::system::text::{counted, visible};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

/// Reason to end regularly before the last game.
const DECIDED: &str = "the test is decided";

/// The main thread of a match: it alone counts, writes and prints.
pub(super) struct Collector<'c> {
    options: &'c MatchOptions,
    pool: &'c Pool<'c>,
    console: &'c mut dyn Console,
    printer: Box<dyn Printer + 'c>,
    standing: Standing,
    games: Vec<FinishedGame>,
    pgn: Option<OutputFile>,
    epd: Option<OutputFile>,
    log: Option<OutputFile>,
    in_progress: usize,
    begun: Instant,
    /// Number of games of earlier runs.
    played_before: usize,
    /// Reason why the match ends before its last game.
    stopped_by: Option<&'static str>,
    failure: Option<Failure>,
    /// True after a warning or a fault of an engine.
    has_warned: bool,
}

impl<'c> Collector<'c> {
    /// Opens the output files, and counts the games of earlier runs.
    pub(super) fn new(
        options: &'c MatchOptions,
        pool: &'c Pool<'c>,
        console: &'c mut dyn Console,
    ) -> Result<Self, Failure> {
        // Nothing is changed, and nothing said, before it is sure that the match can begin.
        let [mut pgn, mut epd, mut log] = open_outputs(options)?;
        let text = pgn.as_mut().map(OutputFile::read).transpose()?.flatten();
        let is_file = text.is_some();
        let text = text.unwrap_or_default();
        let mut earlier = None;
        let path = options.pgn.as_ref().map_or("", |spec| &spec.path);
        if options.resume {
            earlier = EarlierGames::read(options, &text)
                .map_err(Failure::file(format!("-resume: {path}")))?;
        } else if let total = pool.total()
            && let Some(count) =
                count_games(options, &text).filter(|count| (1..total).contains(count))
        {
            console.warn(&format!(
                "{path} has {count} of {total} games already; -resume would play the others"
            ));
        }
        // The open comment of a broken game would hide the new match.
        let is_unclosed = earlier.is_none()
            && text.iter().rfind(|byte| b"{}".contains(byte)) == Some(&b'{')
            && matches!(Reader::new(&*text).last(), Some(Err(_)));
        drop(text);
        if let Some(earlier) = &earlier {
            if earlier.torn > 0 {
                console.warn(&format!(
                    "{path}: the last game is torn, {}: it is dropped, and played again",
                    counted(earlier.torn as u64, "byte")
                ));
            }
            if let (Some(epd), Some(OutputSpec { path, .. })) = (&mut epd, &options.epd)
                && let Some(text) = epd.read()?
            {
                let begin = earlier.begin_of_positions(&text).ok_or_else(|| {
                    let fault = "other positions have been added since; move it away";
                    Failure::file(format!("-epdout: {path}"))(fault)
                })?;
                epd.restore(begin, &earlier.positions)?;
            }
            if let Some(pgn) = &mut pgn {
                pgn.restore(earlier.lengths[0], "")?;
            }
        }
        if let Some(pgn) = pgn.as_mut().filter(|_| is_unclosed) {
            pgn.append("}")?;
        }
        for file in [&mut pgn, &mut epd, &mut log].into_iter().flatten() {
            file.begin(earlier.is_some())?;
        }
        if let Some(pgn) = pgn.as_mut().filter(|_| is_file && earlier.is_none()) {
            let positions = epd.as_ref().and_then(OutputFile::length);
            pgn.append(&head(options, positions))?;
        }
        let names = options.engines.iter().map(|spec| spec.name.clone());
        let mut standing = Standing::new(names.collect());
        standing.without_pairs = !options.counts_pairs;
        let mut collector = Self {
            options,
            pool,
            console,
            printer: printer(options),
            standing,
            games: Vec::new(),
            pgn,
            epd,
            log,
            in_progress: 0,
            begun: Instant::now(),
            played_before: 0,
            stopped_by: None,
            failure: None,
            has_warned: false,
        };
        if let Some(earlier) = earlier {
            collector.count_earlier(earlier.games);
        }
        collector.check_strictness();
        Ok(collector)
    }

    fn warn(&mut self, line: &str) {
        self.console.warn(line);
        self.has_warned = true;
    }

    /// Stops the match after a warning if it is strict.
    fn check_strictness(&mut self) {
        if self.options.strict && self.has_warned {
            self.stopped_by.get_or_insert("-strict allows no warning");
        }
    }

    fn count_earlier(&mut self, games: Vec<FinishedGame>) {
        let (played, total) = (games.len(), self.pool.total());
        self.console.warn(&format!("{played} of {total} games are played already"));
        self.played_before = played;
        for game in games {
            self.pool.leave_out(&game.fixture);
            self.count(game);
        }
        self.check_decision();
    }

    /// Returns true if nothing is left to play.
    pub(super) fn is_decided(&self) -> bool {
        self.stopped_by.is_some()
    }

    /// Handles events until the match ends. `is_over` returns true once the playing threads have
    /// ended; a process that an engine has left behind may hold its standard error open even then.
    pub(super) fn collect(
        &mut self,
        events: &Receiver<MatchEvent>,
        interrupt: &Interrupt,
        is_over: impl Fn() -> bool,
    ) {
        let mut has_warned = false;
        loop {
            let was_over = is_over();
            let handled = match events.recv_timeout(TICK) {
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) if !was_over => Ok(()),
                Err(_) => break,
            };
            if interrupt.is_requested() && !std::mem::replace(&mut has_warned, true) {
                self.console.warn(
                    "interrupted: finishing the games in progress; the next Ctrl-C \
                     stops them at once",
                );
            }
            self.failure = handled.err();
            self.check_strictness();
            // A game that ends from now on could undo the decision, and does not count.
            if self.stopped_by.is_some() || self.failure.is_some() {
                interrupt.set();
                break;
            }
            self.show_progress();
        }
        self.console.progress("");
    }

    fn handle(&mut self, event: MatchEvent) -> Result<(), Failure> {
        match event {
            MatchEvent::Started(fixture) => {
                self.in_progress += 1;
                let total = self.pool.total();
                self.say([lines::started(&self.standing, &fixture, total)]);
            }
            MatchEvent::Finished(played) => {
                self.in_progress -= 1;
                self.write(&played)?;
                self.report(&played);
                let pairing = played.game.fixture.pairing;
                self.count(played.game);
                self.say_standing(pairing);
                self.check_decision();
            }
            MatchEvent::Void(fixture) => {
                self.in_progress -= 1;
                let game = fixture.number + 1;
                self.console.warn(&format!(
                    "the match was suspended: game {game} does not count, and is played again \
                     unless the match ends"
                ));
            }
            MatchEvent::Failed(failure) => return Err(failure),
            MatchEvent::Warning(line) => self.warn(&line),
            MatchEvent::Traffic(line) => {
                if self.options.debug {
                    self.console.warn(&line);
                }
                if let Some(log) = &mut self.log {
                    log.append(&format!("{line}\n"))?;
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, played: &PlayedGame) -> Result<(), Failure> {
        if let (Some(pgn), Some(spec)) = (&mut self.pgn, &self.options.pgn) {
            let record = record(self.options, played, spec);
            // A pipe or a device holds no match.
            let is_file = pgn.length().is_some();
            let marked = is_file.then(|| marked(&played.game.fixture, &record));
            pgn.append(&marked.unwrap_or_else(|| record.to_string()))?;
        }
        if let Some(epd) = &mut self.epd {
            epd.append(&format!("{}\n", played.last))?;
        }
        Ok(())
    }

    fn say(&mut self, lines: impl IntoIterator<Item = String>) {
        let mut say = |line: String| self.console.say(&visible(&line));
        lines.into_iter().for_each(&mut say);
    }

    /// Reports the end of a game, and the fault that ended it.
    fn report(&mut self, PlayedGame { game, last, .. }: &PlayedGame) {
        self.say([lines::finished(&self.standing, game)]);
        let number = game.fixture.number + 1;
        if let Some(side) = game.at_fault() {
            let name = &self.standing.names[game.fixture.seats[side.index()]];
            let line = format!("Fault in game {number}: {name}: {} in {last}", game.end);
            self.say([line]);
            self.has_warned = true;
        }
    }

    fn count(&mut self, game: FinishedGame) {
        let repeated = self.standing.count(&game);
        if let Some(repeated) = repeated
            && self.standing.repeated == 1
        {
            self.warn(&format!(
                "game {} repeats game {}, move for move, and adds no information; \
                 -openings gives each pair of games an opening of its own",
                game.fixture.number + 1,
                repeated + 1
            ));
        }
        self.games.push(game);
    }

    fn say_standing(&mut self, pairing: (usize, usize)) {
        let finished = self.standing.finished();
        let is_due = |interval: u64| interval > 0 && finished.is_multiple_of(interval);
        if is_due(self.options.score_interval) {
            self.say(self.printer.score(&self.standing, pairing));
        }
        if is_due(self.options.rating_interval) {
            self.say(self.printer.ratings(&self.standing));
        }
        if is_due(self.options.outcome_interval) {
            self.say(self.printer.outcomes(&self.standing));
        }
    }

    /// Stops the match if its last finished game decides that no more are played.
    fn check_decision(&mut self) {
        let Some(game) = self.games.last() else {
            return;
        };
        // An engine that died in an earlier run may live now.
        let is_new = self.games.len() > self.played_before;
        if matches!(game.end, GameEnd::Fault(Fault::Crash(_) | Fault::Hang))
            && !self.options.recover
            && is_new
        {
            self.stopped_by =
                Some("an engine died or hung; with -recover the match would continue");
        } else if let Some(sprt) = &self.options.sprt
            && sprt.verdict(&self.standing.counts(game.fixture.pairing)).is_some()
        {
            self.stopped_by = Some(DECIDED);
        }
    }

    fn show_progress(&mut self) {
        let (finished, total) = (self.games.len(), self.pool.total());
        let mut text = format!("{finished} of {total} games, {} in progress", self.in_progress);
        let seconds = self.begun.elapsed().as_secs();
        if finished > self.played_before {
            let left = total.saturating_sub(finished as u64);
            let rest = seconds.saturating_mul(left) / (finished - self.played_before) as u64;
            text += &format!(", {} to go", clock(rest));
        }
        if let [pairing] = self.standing.pairings()[..] {
            let counts = self.standing.counts(pairing);
            let (points, games) = (counts.points(), counts.games() as f64);
            text += &format!("; {points:.1} - {:.1}", games - points);
        }
        self.console.progress(&text);
    }

    /// Prints the final report, and writes the result. Returns the exit status.
    pub(super) fn close(mut self, interrupt: &Interrupt) -> Result<ExitCode, Failure> {
        let is_interrupted = interrupt.is_set()
            || interrupt.is_requested() && (self.games.len() as u64) < self.pool.total();
        let is_over = self.stopped_by == Some(DECIDED)
            || (self.stopped_by.is_none() && self.failure.is_none() && !is_interrupted);
        let why = match (self.stopped_by, &self.failure) {
            (Some(why), _) => Some(format!("The match ends: {why}.")),
            (None, Some(failure)) => Some(format!("The match ends: {failure}.")),
            _ if is_interrupted => Some("The match was interrupted.".into()),
            _ => None,
        };
        self.say(why);
        self.say(lines::final_report(&*self.printer, &self.standing));
        let result = MatchResult {
            variant: self.options.variant.info.name,
            event: &self.options.event,
            engines: &self.options.engines,
            openings: self.options.openings.name(),
            sprt: self.options.sprt.as_ref(),
            standing: &self.standing,
            games: &self.games,
            is_over,
        };
        let written = result.write(self.options.json.as_deref(), self.options.html.as_deref());
        self.say([self.printer.over().to_string()]);
        if self.pgn.as_ref().and_then(OutputFile::length).is_some()
            && !is_over
            && !self.games.is_empty()
        {
            self.console.warn("the same command with -resume continues the match");
        }
        let is_refused = self.options.strict && self.has_warned;
        let status = ExitCode::from(u8::from(is_refused));
        if let (Some(_), Err(other)) = (&self.failure, &written) {
            self.console.warn(&other.to_string());
        }
        self.failure.map_or(written.map(|()| status), Err)
    }
}

/// Opens the files for games, positions and traffic.
fn open_outputs(options: &MatchOptions) -> Result<[Option<OutputFile>; 3], Failure> {
    // They are written at the end.
    for (option, path) in [("-json", &options.json), ("-html", &options.html)] {
        if let Some(path) = path {
            let begun = Replacement::create(Path::new(path));
            begun.map_err(Failure::file(format!("{option}: {path}")))?;
        }
    }
    let open = |option, spec: &Option<OutputSpec>| {
        let spec = spec.as_ref();
        spec.map(|spec| OutputFile::open(option, spec)).transpose()
    };
    // A file that cannot be opened leaves no new PGN, which comes last.
    let [log, epd] = [open("-log", &options.log)?, open("-epdout", &options.epd)?];
    Ok([open("-pgnout", &options.pgn)?, epd, log])
}
