//! This program as one of the engines of a match.

use super::option_spec::{self, Announced};
use super::player::{Answer, Choice, Clocks, Fault, NewGame, NoMove, Player};
use super::process::TICK;
use crate::cli::interrupt::Interrupt;
use crate::engine::{Engine, Mode, SearchEvent};
use crate::search::Limits;
use crate::tournament::openings::Line;
use crate::tournament::options::{EngineSpec, Options, TimeControl};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Instant;

/// This program, playing at a fixed depth or number of nodes.
pub struct InProcess {
    engine: Engine,
    control: TimeControl,
    interrupt: Interrupt,
}

impl InProcess {
    /// Begins in the variant of a match.
    ///
    /// # Errors
    ///
    /// An option is wrong.
    pub fn start(
        spec: &EngineSpec,
        options: &Options,
        interrupt: &Interrupt,
    ) -> Result<Self, String> {
        let mut engine = Engine::new(options.variants, options.variant);
        let announced: Vec<_> = engine.option_specs().iter().map(Announced::of).collect();
        for (name, value) in &spec.options {
            option_spec::find(&announced, name, value)?;
            engine
                .set_option(name, value)
                .map_err(|error| error.to_string())?;
        }
        Ok(Self {
            engine,
            control: spec.control.clone(),
            interrupt: interrupt.clone(),
        })
    }
}

impl Player for InProcess {
    fn new_game(&mut self, _game: &NewGame<'_>) -> Result<(), NoMove> {
        self.engine.clear();
        Ok(())
    }

    fn choose(&mut self, line: Line<'_>, _clocks: &Clocks) -> Result<Answer, NoMove> {
        let start = Instant::now();
        let moves: Vec<_> = line.moves.iter().map(String::as_str).collect();
        let refused = |error: crate::engine::PositionError| Fault::Crash(error.to_string());
        self.engine
            .session_mut()
            .set_position(line.fen, &moves)
            .map_err(refused)?;
        let limits = Limits {
            nodes: self.control.nodes,
            depth: self.control.depth,
            ..Limits::default()
        };
        let (events, received) = channel();
        let done = || {};
        self.engine
            .go(
                &limits.into(),
                Mode::Normal,
                move |event| drop(events.send(event)),
                done,
            )
            .map_err(refused)?;
        let mut choice = Choice::default();
        loop {
            match received.recv_timeout(TICK) {
                Ok(SearchEvent::Line(line)) if line.multi_pv == 1 => {
                    (choice.score, choice.depth) = (Some(line.score), line.depth);
                }
                Ok(SearchEvent::Best { mv, .. }) => choice.mv = mv.unwrap_or_default(),
                Err(RecvTimeoutError::Timeout) if self.interrupt.is_set() => {
                    self.engine.stop();
                    self.engine.join();
                    return Err(NoMove::Interrupted);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
        self.engine.join();
        choice.time = start.elapsed();
        Ok(Answer::Move(choice))
    }
}
