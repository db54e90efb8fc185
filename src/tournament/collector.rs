//! Where the results of the games come together: they are counted, written and said.

use super::engines::player::Fault;
use super::engines::process::TICK;
use super::game::End;
use super::journal::Journal;
use super::options::{Options, Target};
use super::pool::Pool;
use super::record_files::{Sink, record};
use super::report::finished_game::FinishedGame;
use super::report::json::Account;
use super::report::lines::Report;
use super::report::publish::publish;
use super::report::standing::Standing;
use super::{Event, Played};
use crate::cli::Console;
use crate::cli::interrupt::Interrupt;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

/// A match as it is seen from outside.
pub struct Collector<'o, 's> {
    options: &'o Options,
    work: &'o Pool<'o>,
    console: &'s mut dyn Console,
    report: Report<'o>,
    standing: Standing,
    games: Vec<FinishedGame>,
    pgn: Option<Sink>,
    epd: Option<Sink>,
    log: Option<Sink>,
    state: Option<Journal>,
    /// Games that have begun and not ended.
    under_way: usize,
    /// When this run began, and how many games were finished then.
    begun: (Instant, usize),
    /// Why the match ends before its last game.
    stopped_by: Option<&'static str>,
    /// What cannot be written.
    unwritten: Option<String>,
}

impl<'o, 's> Collector<'o, 's> {
    /// Opens what is to be written, and notes the games of an earlier run.
    ///
    /// # Errors
    ///
    /// Something cannot be opened, or does not fit.
    pub fn new(
        options: &'o Options,
        arguments: &[String],
        work: &'o Pool<'o>,
        console: &'s mut dyn Console,
    ) -> Result<Self, String> {
        let openings = options.openings.mark();
        let opened = match kept_in(options) {
            None => None,
            Some((path, false)) => Some(Journal::open(&path, arguments, openings, false)?),
            Some((path, true)) => {
                if std::fs::metadata(&path).is_ok_and(|data| data.len() > 0) {
                    console.warn(&format!(
                        "{path}: the unfinished match there is given up; -resume would go on with it"
                    ));
                }
                // Nobody has asked for it.
                let opened = Journal::open(&path, arguments, openings, true);
                opened
                    .map_err(|error| console.warn(&format!("the match is not kept: {error}")))
                    .ok()
            }
        };
        let (mut state, earlier) = opened.unzip();
        let mut earlier = earlier.flatten();
        let path = |target: &'o Option<Target>| target.as_ref().map(|target| target.path.as_str());
        if let Some(earlier) = &mut earlier {
            earlier.restore([path(&options.pgn), path(&options.epd)])?;
        }
        // What an earlier run has written stays.
        let open = |option, target: &Option<Target>| {
            let target = target.clone().map(|target| Target {
                append: target.append || earlier.is_some(),
                ..target
            });
            target.map(|target| Sink::open(option, &target)).transpose()
        };
        let (pgn, epd) = (
            open("-pgnout", &options.pgn)?,
            open("-epdout", &options.epd)?,
        );
        if let Some(state) = state.as_mut().filter(|_| earlier.is_none()) {
            state.begin(arguments, openings, [pgn.as_ref(), epd.as_ref()])?;
        }
        let names = options.engines.iter().map(|spec| spec.name.clone());
        let mut standing = Standing::new(names.collect());
        standing.without_pairs = !options.counts_pairs;
        let mut table = Self {
            options,
            work,
            console,
            report: Report::of(options),
            standing,
            games: Vec::new(),
            pgn,
            epd,
            log: open("-log", &options.log)?,
            state,
            under_way: 0,
            begun: (Instant::now(), 0),
            stopped_by: None,
            unwritten: None,
        };
        if let Some(earlier) = earlier {
            table.count_earlier(earlier.games);
        }
        Ok(table)
    }

    /// Counts the games of an earlier run.
    fn count_earlier(&mut self, games: Vec<FinishedGame>) {
        let (played, total) = (games.len(), self.work.total());
        self.console
            .warn(&format!("{played} of {total} games are played already"));
        self.begun.1 = played;
        for game in games {
            self.work.finished(&game.fixture, game.winner);
            self.count(game);
        }
        self.see_whether_decided();
    }

    /// Whether there is nothing to play any more.
    pub fn is_decided(&self) -> bool {
        self.stopped_by.is_some()
    }

    /// Notes what happens until nothing more does, or the match is to end. `is_over` is true once
    /// no more games are played; a process that an engine has left behind may hold on to its
    /// standard error even then.
    pub fn watch(
        &mut self,
        events: &Receiver<Event>,
        interrupt: &Interrupt,
        is_over: impl Fn() -> bool,
    ) {
        let mut is_told = false;
        loop {
            let was_over = is_over();
            let noted = match events.recv_timeout(TICK) {
                Ok(event) => self.note(event),
                Err(RecvTimeoutError::Timeout) if !was_over => Ok(()),
                Err(_) => break,
            };
            if interrupt.is_requested() && !std::mem::replace(&mut is_told, true) {
                let ending = "the games under way are played to their end";
                let line = format!("interrupted: {ending}; the next Ctrl-C stops them at once");
                self.console.warn(&line);
            }
            self.unwritten = noted.err();
            // What ends now no longer counts, or it could undo the decision.
            if self.stopped_by.is_some() || self.unwritten.is_some() {
                interrupt.set();
                break;
            }
            self.show_progress();
        }
        self.console.progress("");
    }

    fn note(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Started(fixture) => {
                self.under_way += 1;
                let total = self.work.total();
                let line = self.report.started(&self.standing, &fixture, total);
                self.say([line]);
            }
            Event::Finished(played) => {
                self.under_way -= 1;
                let game = FinishedGame::of(&played);
                self.write(&played, &game)?;
                self.work.finished(&game.fixture, game.winner);
                self.tell(&played, &game);
                let pairing = game.fixture.pairing;
                self.count(game);
                self.say_standing(pairing);
                self.see_whether_decided();
            }
            Event::Remark(line) => self.console.warn(&line),
            Event::Traffic(line) => {
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

    fn write(&mut self, played: &Played, game: &FinishedGame) -> Result<(), String> {
        if let (Some(pgn), Some(target)) = (&mut self.pgn, &self.options.pgn) {
            pgn.append(&record(self.options, played, target).to_string())?;
        }
        if let Some(epd) = &mut self.epd {
            epd.append(&format!("{}\n", played.game.fen))?;
        }
        match &mut self.state {
            None => Ok(()),
            Some(state) => state.add(game, [self.pgn.as_ref(), self.epd.as_ref()]),
        }
    }

    fn say(&mut self, lines: impl IntoIterator<Item = String>) {
        lines.into_iter().for_each(|line| self.console.say(&line));
    }

    /// Says how a game ended, and what was wrong with it.
    fn tell(&mut self, played: &Played, game: &FinishedGame) {
        let line = self.report.finished(&self.standing, game);
        self.say([line]);
        let number = game.fixture.number + 1;
        if let Some(side) = game.at_fault() {
            let name = &self.standing.names[game.fixture.seats[side.index()]];
            let (end, fen) = (&played.game.end, &played.game.fen);
            let line = format!("Fault in game {number}: {name}: {end} in {fen}");
            self.say([line]);
        }
    }

    /// Counts a game.
    fn count(&mut self, game: FinishedGame) {
        let before = self.standing.count(&game);
        if let Some(before) = before
            && self.standing.repeated == 1
        {
            self.console.warn(&format!(
                "game {} is game {} again, move for move, and tells nothing new; \
                 -openings gives each pair of games a beginning of its own",
                game.fixture.number + 1,
                before + 1
            ));
        }
        self.games.push(game);
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

    /// Sees whether the last game was the last of the match.
    fn see_whether_decided(&mut self) {
        let last = self.games.last();
        let end = last.map(|game| &game.end);
        if matches!(end, Some(End::Fault(Fault::Crash(_) | Fault::Hang)))
            && !self.options.recover
            && self.under_way_or_new()
        {
            self.stopped_by = Some("an engine died; with -recover the match would go on");
        } else if let Some(sprt) = &self.options.sprt
            && let Some(game) = last
            && sprt
                .verdict(&self.standing.counts(game.fixture.pairing))
                .is_some()
        {
            self.stopped_by = Some("the test is decided");
        }
    }

    /// Whether the last game is one of this run: an engine that died in an earlier one may
    /// live now.
    fn under_way_or_new(&self) -> bool {
        self.games.len() > self.begun.1
    }

    fn show_progress(&mut self) {
        let (begin, before) = self.begun;
        let (finished, total) = (self.games.len(), self.work.total());
        let mut text = format!("{finished} of {total} games, {} under way", self.under_way);
        let seconds = begin.elapsed().as_secs_f64();
        if finished > before {
            let left = total.saturating_sub(finished as u64) as f64;
            let rest = seconds / (finished - before) as f64 * left;
            text += &format!(", {} to go", duration(rest));
        }
        if let [pairing] = self.standing.pairings()[..] {
            let counts = self.standing.counts(pairing);
            text += &format!(
                "; {:.1} - {:.1}",
                counts.points(),
                counts.games() as f64 - counts.points()
            );
        }
        self.console.progress(&text);
    }

    /// Writes the result for programs and for people.
    fn publish(&self, is_over: bool) -> Result<(), String> {
        let account = Account {
            variant: self.options.variant.info.name,
            event: &self.options.event,
            engines: &self.options.engines,
            sprt: self.options.sprt.as_ref(),
            standing: &self.standing,
            games: &self.games,
            is_over,
        };
        publish(
            &account,
            self.options.json.as_deref(),
            self.options.html.as_deref(),
        )
    }

    /// Says everything, at the end.
    ///
    /// # Errors
    ///
    /// Something could not be written.
    pub fn close(mut self, interrupt: &Interrupt) -> Result<(), String> {
        let is_interrupted = interrupt.is_set()
            || interrupt.is_requested() && (self.games.len() as u64) < self.work.total();
        let is_whole = self.stopped_by == Some("the test is decided")
            || (self.stopped_by.is_none() && self.unwritten.is_none() && !is_interrupted);
        let why = match self.stopped_by {
            Some(why) => Some(format!("The match ends: {why}.")),
            None if self.unwritten.is_some() => {
                Some("The match ends: its games cannot be written.".into())
            }
            None if is_interrupted => Some("The match was interrupted.".into()),
            None => None,
        };
        self.say(why);
        let lines = self.report.last(&self.standing);
        self.say(lines);
        let lines = self.report.matches(&self.standing, &self.work.matches());
        self.say(lines);
        self.publish(is_whole)?;
        let over = self.report.over();
        self.say([over.to_string()]);
        if let Some(state) = self.state.take() {
            if !is_whole {
                let (path, _) = kept_in(self.options).unwrap_or_default();
                self.console
                    .warn(&format!("-resume {path} goes on with the match"));
            } else if self.options.state.is_none() {
                state.remove();
            }
        }
        self.unwritten.map_or(Ok(()), Err)
    }
}

/// Where a match is kept, and whether only this run of it: where the command line says, or
/// beside the PGN.
fn kept_in(options: &Options) -> Option<(String, bool)> {
    match (&options.state, &options.pgn) {
        (Some(path), _) => Some((path.clone(), false)),
        (None, Some(pgn)) => {
            // What is no file, as a pipe, has nothing beside it.
            let data = std::fs::metadata(&pgn.path);
            let is_file = data.map_or(true, |data| data.is_file());
            is_file.then(|| (format!("{}.match", pgn.path), true))
        }
        (None, None) => None,
    }
}

/// `1:02:03`, or `2:03`.
fn duration(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}
