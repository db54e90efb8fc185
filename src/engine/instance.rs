//! One engine: a game in progress, options, a transposition table and at most one search at a time.

use super::found::Found;
use super::messages::{PositionError, Request, Time};
use super::node_clock::NodeClock;
use super::options::Options;
use super::session::Session;
use super::transcript::Transcript;
use super::variant::Variant;
use crate::search::{Budget, Control, Limits, Resources, STACK_BYTES, SearchEvent, Skill, Table};
use crate::system::sync::spawn;
use std::sync::Arc;
use std::thread::JoinHandle;

struct Running {
    control: Arc<Control>,
    /// Returns the nodes of the search: those alone, where it ran on the calling thread.
    thread: Result<JoinHandle<u64>, u64>,
    mode: Mode,
    /// True if limits end the search, in the normal mode.
    limited: bool,
    /// True if the search runs down the clock of the game.
    by_clock: bool,
}

/// The mode of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mode {
    /// Searches and answers.
    #[default]
    Normal,
    /// Answers only when it is stopped.
    Infinite,
    /// Searches while the opponent thinks. Its clock starts when the expected move is played, which
    /// makes the mode normal; before that it answers only when it is stopped.
    Ponder,
}

/// An engine.
pub struct Engine {
    pub(super) variants: &'static [Variant],
    pub(super) initial: Variant,
    pub(super) session: Box<dyn Session>,
    pub(super) options: Options,
    pub(super) transcript: Transcript,
    pub(super) table: Arc<Table>,
    pub(super) node_clock: NodeClock,
    running: Option<Running>,
    /// True if there are no options that name files.
    pub(super) is_sealed: bool,
}

impl Engine {
    /// Creates an engine for `variants` that starts in `initial`.
    pub fn new(variants: &'static [Variant], initial: Variant) -> Self {
        let options = Options::default();
        let mut session = initial.open();
        session.prepare(options.threads);
        Self {
            variants,
            initial,
            session,
            table: Arc::new(Table::new(options.hash, options.threads)),
            options,
            transcript: Transcript::default(),
            node_clock: NodeClock::default(),
            running: None,
            is_sealed: false,
        }
    }

    /// Removes the options that name files, for clients that may not touch any.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.is_sealed = true;
        self
    }

    /// Returns the game in progress.
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// Returns the game in progress, for changes. A running search keeps the position that it began
    /// with.
    pub fn session_mut(&mut self) -> &mut dyn Session {
        &mut *self.session
    }

    /// Returns the transcript of the dialogue.
    pub fn transcript(&self) -> Transcript {
        self.transcript.clone()
    }

    /// Returns the variants to choose from.
    pub fn variants(&self) -> &'static [Variant] {
        self.variants
    }

    /// Returns the name of another game, not the one in progress, that has the position of a FEN.
    pub fn game_of(&self, fen: &str) -> Option<&'static str> {
        let is_other = |variant: &&Variant| variant.is_position(fen);
        match self.variants.iter().find(is_other)?.info.name {
            name if name == self.session.info().name => None,
            name => Some(name),
        }
    }

    /// Returns the values of the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the level of play by the options; `None` at full strength.
    pub fn skill(&self) -> Option<Skill> {
        let options = &self.options;
        let known = &self.session.info().skill_elo;
        if options.limit_strength {
            Skill::of_elo(options.elo as f64, known)
        } else {
            Skill::of_level(options.skill_level as f64, known)
        }
    }

    /// Returns the search limits that the options set.
    pub fn limits(&self) -> Limits {
        Limits { multi_pv: self.options.multi_pv, skill: self.skill(), ..Limits::default() }
    }

    /// Forgets everything learned from earlier searches. No search may be running.
    pub fn clear(&mut self) {
        Table::renew(&mut self.table, self.options.threads);
        self.node_clock = NodeClock::default();
        self.session.forget();
    }

    /// Returns the budget of the next move. Where nodes stand for time, the nodes of the game so
    /// far run down its clock.
    pub fn budget(&mut self, time: Time) -> Budget {
        let overhead = self.options.move_overhead();
        match (time, self.options.nodes_per_milli()) {
            (Time::PerMove(time), _) => Budget::exact(time, overhead),
            (Time::Clock(clock), None) => Budget::from_clock(clock, overhead),
            (Time::Clock(clock), Some(nodes)) => {
                Budget::from_clock(self.node_clock.read(clock, nodes), overhead)
            }
        }
    }

    /// Begins to search the position on a new thread, which passes each event to `observe` and at the
    /// very end the findings to `finished`, or `None` if it panicked. No other search may be running.
    /// On a system without threads the search runs before this returns; one that would not end by
    /// itself then stops after the first iteration.
    pub fn go(
        &mut self,
        request: &Request,
        mode: Mode,
        mut observe: impl FnMut(SearchEvent<String>) + Send + 'static,
        finished: impl FnOnce(Option<Found>) + Send + 'static,
    ) -> Result<(), PositionError> {
        let control = Arc::new(Control::new(mode != Mode::Normal));
        let by_clock = (request.limits.time).is_some_and(|budget| budget.flexible);
        let resources = self.resources(Arc::clone(&control));
        let task = self.session.search(request, resources)?;
        log::debug!(
            "search of {}, {} threads, {mode:?}, {:?}",
            self.session.fen(),
            self.options.threads,
            request.limits
        );
        let limits = &request.limits;
        let limited = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some()
            || limits.time.is_some();
        let work = move || Some(task(&mut observe));
        self.run(control, mode, limited, by_clock, work, finished);
        Ok(())
    }

    /// Searches the position on the calling thread, which needs [`STACK_BYTES`] of stack.
    pub fn search(&self, request: &Request, control: Arc<Control>) -> Result<Found, PositionError> {
        let task = self.session.search(request, self.resources(control))?;
        Ok(task(&mut |_| {}))
    }

    fn resources(&self, control: Arc<Control>) -> Resources {
        Resources {
            control,
            threads: self.options.threads,
            nodes_per_milli: self.options.nodes_per_milli(),
            ..Resources::alone(&self.table)
        }
    }

    /// Runs a long task in place of a search.
    pub fn run_task(
        &mut self,
        work: impl FnOnce(&Arc<Control>) + Send + 'static,
        finished: impl FnOnce() + Send + 'static,
    ) {
        let control = Arc::new(Control::new(false));
        let shared = Arc::clone(&control);
        let work = move || {
            work(&shared);
            None
        };
        self.run(control, Mode::Normal, true, false, work, |_| finished());
    }

    fn run(
        &mut self,
        control: Arc<Control>,
        mode: Mode,
        limited: bool,
        by_clock: bool,
        work: impl FnOnce() -> Option<Found> + Send + 'static,
        finished: impl FnOnce(Option<Found>) + Send + 'static,
    ) {
        debug_assert!(self.running.is_none());
        /// Calls back with the findings, even after a panic.
        struct Finish<F: FnOnce(Option<Found>)>(Option<F>, Option<Found>);
        impl<F: FnOnce(Option<Found>)> Drop for Finish<F> {
            fn drop(&mut self) {
                if let Some(finished) = self.0.take() {
                    finished(self.1.take());
                }
            }
        }
        let mut finish = Finish(Some(finished), None);
        let spawned = spawn(STACK_BYTES, move || {
            finish.1 = work();
            finish.1.as_ref().map_or(0, |found| found.answer.nodes)
        });
        let thread = spawned.map_err(|work| {
            if mode != Mode::Normal || !limited {
                // Without threads nobody could stop it later.
                control.stop();
            }
            work()
        });
        self.running = Some(Running { control, thread, mode, limited, by_clock });
    }

    /// Returns true from the beginning of a search until [`join`](Self::join).
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Returns true while a search is running that ends by itself.
    pub fn will_finish(&self) -> bool {
        (self.running.as_ref())
            .is_some_and(|running| running.mode == Mode::Normal && running.limited)
    }

    /// Stops the search.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    /// Informs a search that ponders that the expected move was played. Other searches do not
    /// change.
    pub fn ponder_hit(&mut self) {
        if let Some(running) = &mut self.running
            && running.mode == Mode::Ponder
        {
            running.control.ponder_hit();
            running.mode = Mode::Normal;
        }
    }

    /// Waits until the search has ended; call this when its `finished` was called.
    pub fn join(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        match running.thread.map_or_else(Ok, JoinHandle::join) {
            Ok(nodes) if running.by_clock => self.node_clock.spend(nodes),
            Ok(_) => {}
            Err(_) => log::error!("a search thread panicked"),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.join();
    }
}
