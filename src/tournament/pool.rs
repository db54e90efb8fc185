//! The threads that play the games of a match.

use super::engines::engine_log::{EngineLog, MAX_TEXT};
use super::engines::player::{Fault, NoStart, Player};
use super::engines::process::TICK;
use super::engines::start;
use super::event::MatchEvent;
use super::finished_game::{FinishedGame, PlayedGame};
use super::game::{self, Seat};
use super::game_end::GameEnd;
use super::options::MatchOptions;
use super::schedule::{Fixture, Schedule};
use crate::cli::Failure;
use crate::cli::interrupt::Interrupt;
use crate::system::signal::pauses;
use crate::system::sync::lock;
use crate::system::text::shorten_to;
use std::sync::Mutex;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// State that the threads share.
pub(super) struct Pool<'p> {
    options: &'p MatchOptions,
    schedule: Mutex<Schedule>,
    interrupt: &'p Interrupt,
    /// When engine traffic logging began; `None` if off.
    log_since: Option<Instant>,
}

impl<'p> Pool<'p> {
    /// Prepares to play a match, for which the system may have no room.
    pub(super) fn new(
        options: &'p MatchOptions,
        interrupt: &'p Interrupt,
    ) -> Result<Self, Failure> {
        #[cfg(all(unix, target_pointer_width = "64"))]
        check_descriptors(options)?;
        Ok(Self {
            options,
            schedule: Mutex::new(Schedule::new(options)),
            interrupt,
            log_since: (options.debug || options.log.is_some()).then(Instant::now),
        })
    }

    /// Returns the number of games in the match.
    pub(super) fn total(&self) -> u64 {
        lock(&self.schedule).total()
    }

    /// Skips a game played in an earlier run.
    pub(super) fn leave_out(&self, fixture: &Fixture) {
        lock(&self.schedule).leave_out(fixture.number);
    }

    /// Starts each engine once, and ends it again.
    pub(super) fn try_all(&self, events: &Sender<MatchEvent>) -> Result<(), Failure> {
        for index in 0..self.options.engines.len() {
            let mut before = pauses();
            while let Err(error) = self.start(index, events) {
                if !has_paused_since(before) {
                    return Err(match error {
                        NoStart::Refused(why) => Failure::refused(why),
                        NoStart::Interrupted => Failure::Interrupted("no game was played".into()),
                    });
                }
                before = pauses();
            }
        }
        Ok(())
    }

    /// Plays games until none is left. Each thread runs this with engines of its own.
    pub(super) fn play(&self, events: &Sender<MatchEvent>) {
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
            if events.send(MatchEvent::Started(fixture)).is_err() {
                return;
            }
            let before = pauses();
            // An engine in process has no clock.
            let is_timed = |engine: usize| self.options.engines[engine].is_timed();
            let is_timed = fixture.seats.into_iter().any(is_timed);
            let was_suspended = || is_timed && pauses() != before;
            let played = self.play_one(fixture, &mut players, events, &was_suspended);
            let is_slow =
                |game: &FinishedGame| matches!(game.end, GameEnd::Fault(Fault::Time | Fault::Hang));
            let is_failure = played.as_ref().map_or(true, |played| is_slow(&played.game));
            let event = if was_suspended() || is_failure && has_paused_since(before) {
                if self.interrupt.is_set() {
                    return;
                }
                for engine in fixture.seats {
                    players[engine] = None;
                }
                lock(&self.schedule).repeat(fixture.number);
                MatchEvent::Void(fixture)
            } else {
                match played {
                    Ok(played) => MatchEvent::Finished(Box::new(played)),
                    // It is no defeat: a program may be gone, or the machine full.
                    Err(NoStart::Refused(why)) => MatchEvent::Failed(Failure::refused(why)),
                    Err(NoStart::Interrupted) => return,
                }
            };
            if events.send(event).is_err() {
                return;
            }
        }
    }

    /// Returns true once no new games may begin.
    fn is_ending(&self) -> bool {
        self.interrupt.is_set() || self.interrupt.is_requested()
    }

    fn next(&self) -> Option<Fixture> {
        lock(&self.schedule).next().filter(|_| !self.is_ending())
    }

    fn start(
        &self,
        engine: usize,
        events: &Sender<MatchEvent>,
    ) -> Result<Box<dyn Player>, NoStart> {
        let spec = &self.options.engines[engine];
        let log = EngineLog::new(&spec.name, events, self.log_since);
        start(spec, self.options, self.interrupt, log).map_err(|error| match error {
            NoStart::Refused(why) => {
                NoStart::Refused(format!("{}: {}", spec.name, shorten_to(MAX_TEXT, &why)))
            }
            NoStart::Interrupted => error,
        })
    }

    /// Plays a game, unless the match is interrupted or suspended.
    fn play_one(
        &self,
        fixture: Fixture,
        players: &mut [Option<Box<dyn Player>>],
        events: &Sender<MatchEvent>,
        was_suspended: &dyn Fn() -> bool,
    ) -> Result<PlayedGame, NoStart> {
        for engine in fixture.seats {
            if players[engine].is_none() {
                players[engine] = Some(self.start(engine, events)?);
            }
        }
        let Ok([white, black]) = players.get_disjoint_mut(fixture.seats) else {
            unreachable!("an engine plays itself");
        };
        let seat = |player, engine: usize| Seat { player, spec: &self.options.engines[engine] };
        let mut seats = [seat(white, fixture.seats[0]), seat(black, fixture.seats[1])];
        game::play(self.options, fixture, &mut seats, was_suspended)
            .map_err(|_| NoStart::Interrupted)
    }

    /// Waits between two games (`-wait`).
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

/// Returns true if the match was suspended, as by Ctrl-Z, since there were `before` pauses. Engines
/// have process groups of their own and run on meanwhile, so what was late proves nothing. A pause
/// may be counted a little after its effects.
fn has_paused_since(before: u32) -> bool {
    std::thread::sleep(TICK);
    pauses() != before
}

/// Checks that the system lets the match open its files and the pipes of its engines.
#[cfg(all(unix, target_pointer_width = "64"))]
fn check_descriptors(options: &MatchOptions) -> Result<(), Failure> {
    use super::options::{EngineSpec, SELF};
    use crate::system::text::counted;
    /// Number of pipes to an engine.
    const PIPES: u64 = 3;
    /// Number of other files that are open at most, also while an engine starts.
    const FILES: u64 = 24;
    let is_process = |spec: &&EngineSpec| spec.command != SELF;
    let processes = options.engines.iter().filter(is_process).count() as u64;
    let games = (options.concurrency as u64).min(Schedule::new(options).total());
    let needed = FILES + PIPES * processes * games;
    let allowed = crate::system::descriptors::reserve(needed);
    if allowed < needed {
        return Err(Failure::refused(format!(
            "{} at once need {needed} open files, but the system allows {allowed}; \
             raise the limit with `ulimit -n {needed}`, or lower -concurrency",
            counted(games, "game")
        )));
    }
    Ok(())
}
