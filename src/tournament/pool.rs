//! The threads that play the games of a match.

use super::engines::engine_log::{EngineLog, shorten};
use super::engines::player::{NoStart, Player};
use super::engines::process::TICK;
use super::engines::start::start;
use super::fixture::Fixture;
use super::game::{self, Seat};
use super::options::Options;
use super::schedule::{Next, Schedule};
use super::{Event, Played};
use crate::cli::interrupt::Interrupt;
use crate::games::Side;
use crate::system::sync::lock;
use std::sync::mpsc::Sender;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// What the threads share.
pub struct Pool<'w> {
    options: &'w Options,
    schedule: Mutex<Schedule>,
    /// Told when a game has ended.
    changed: Condvar,
    interrupt: &'w Interrupt,
    /// Since when what passes between match and engines is wanted.
    log_since: Option<Instant>,
}

impl<'w> Pool<'w> {
    /// The work of a match.
    pub fn new(options: &'w Options, interrupt: &'w Interrupt) -> Self {
        Self {
            options,
            schedule: Mutex::new(Schedule::new(options)),
            changed: Condvar::new(),
            interrupt,
            log_since: (options.debug || options.log.is_some()).then(Instant::now),
        }
    }

    /// How many games there will be at most, unless a knockout goes on.
    pub fn total(&self) -> u64 {
        lock(&self.schedule).total()
    }

    /// Notes the end of a game.
    pub fn finished(&self, fixture: &Fixture, winner: Option<Side>) {
        lock(&self.schedule).finished(fixture, winner);
        self.changed.notify_all();
    }

    /// What became of the matches of a knockout.
    pub fn matches(&self) -> Vec<([usize; 2], Option<usize>)> {
        lock(&self.schedule).matches()
    }

    /// Whether all engines can play.
    ///
    /// # Errors
    ///
    /// Which cannot, and why; or the match was interrupted.
    pub fn try_all(&self, events: &Sender<Event>) -> Result<(), String> {
        for (index, spec) in self.options.engines.iter().enumerate() {
            match self.start(index, events) {
                Ok(_) => {}
                Err(NoStart::Refused(why)) => {
                    return Err(format!("{}: {}", spec.name, shorten(&why)));
                }
                Err(NoStart::Interrupted) => return Err("match: interrupted".into()),
            }
        }
        Ok(())
    }

    /// Plays games until there are no more.
    pub fn play(&self, events: &Sender<Event>) {
        let engines = self.options.engines.iter();
        let mut players: Vec<Option<Box<dyn Player>>> = engines.map(|_| None).collect();
        let mut is_first = true;
        while let Some(fixture) = self.next() {
            if !std::mem::take(&mut is_first) {
                self.pause();
                if self.is_ending() {
                    return;
                }
            }
            let Some(played) = self.play_one(fixture, &mut players, events) else {
                return;
            };
            if events.send(Event::Finished(Box::new(played))).is_err() {
                return;
            }
        }
    }

    /// True once no new games are to begin.
    fn is_ending(&self) -> bool {
        self.interrupt.is_set() || self.interrupt.is_requested()
    }

    /// The next game, as soon as it is known; `None` if there are no more.
    fn next(&self) -> Option<Fixture> {
        let mut schedule = lock(&self.schedule);
        while !self.is_ending() {
            match schedule.next() {
                Next::Play(fixture) => return Some(fixture),
                Next::Done => return None,
                Next::Wait => {
                    let waited = self.changed.wait_timeout(schedule, TICK);
                    schedule = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        None
    }

    /// Starts an engine.
    fn start(&self, engine: usize, events: &Sender<Event>) -> Result<Box<dyn Player>, NoStart> {
        let spec = &self.options.engines[engine];
        let voice = EngineLog::new(&spec.name, events, self.log_since);
        start(spec, self.options, self.interrupt, voice)
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
        let [white, black] = players.get_disjoint_mut(fixture.seats).ok()?;
        let seat = |player, engine: usize| Seat {
            player,
            spec: &self.options.engines[engine],
        };
        let mut seats = [seat(white, fixture.seats[0]), seat(black, fixture.seats[1])];
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
    fn pause(&self) {
        let end = Instant::now() + self.options.wait;
        while !self.is_ending() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(Duration::from_millis(20)));
        }
    }
}
