//! This program as an engine of a match.

use super::option_spec::{OptionCommand, setting};
use super::player::{Choice, Clocks, EngineReply, Fault, NoMove, Player, Thinking};
use crate::cli::interrupt::Interrupt;
use crate::engine::{Engine, OptionError};
use crate::search::{Bound, Limits, Line, ScoreModel};
use crate::tournament::openings::GameLine;
use crate::tournament::options::{EngineSpec, MatchOptions, TimeControl};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// An engine in this process, with a fixed depth or number of nodes.
pub struct InProcess {
    engine: Engine,
    control: TimeControl,
    interrupt: Interrupt,
}

impl InProcess {
    /// Creates an engine for the variant of a match.
    pub fn start(
        spec: &EngineSpec,
        options: &MatchOptions,
        interrupt: &Interrupt,
    ) -> Result<Self, OptionError> {
        let mut engine = Engine::new(options.variants, options.variant);
        let announced = engine.option_specs();
        for (name, value) in &spec.options {
            let (name, value) = match setting(&announced, name, value)? {
                None => continue,
                Some(OptionCommand::Press(name)) => (name, ""),
                Some(OptionCommand::Check(name, _)) => (name, &**value),
                Some(OptionCommand::Set(name, value)) => (name, value),
            };
            engine.set_option(name, value)?;
        }
        Ok(Self { engine, control: spec.control.clone(), interrupt: interrupt.clone() })
    }
}

impl Player for InProcess {
    fn new_game(&mut self, _fen: Option<&str>, _opponent: &str) -> Result<(), NoMove> {
        self.engine.clear();
        Ok(())
    }

    fn choose(&mut self, game: &GameLine, _clocks: &Clocks) -> Result<EngineReply, NoMove> {
        let start = Instant::now();
        let set_up = game.set_up(self.engine.session_mut());
        set_up.map_err(|error| Fault::Crash(error.to_string()))?;
        let limits =
            Limits { nodes: self.control.nodes, depth: self.control.depth, ..self.engine.limits() };
        // A panic loses the game, not the match.
        let search = || self.engine.search(&limits.into(), self.interrupt.control());
        let found = catch_unwind(AssertUnwindSafe(search))
            .map_err(|_| Fault::Crash("the search panicked".into()))?
            .map_err(|error| Fault::Crash(error.to_string()))?;
        if self.interrupt.is_set() {
            return Err(NoMove::Interrupted);
        }
        let model = self.engine.session().info().score_model;
        let best = found.lines.first();
        let thinking = best.map_or_else(Thinking::default, |line| thinking(line, model));
        Ok(EngineReply::Move(Choice {
            thinking: Thinking { nodes: Some(found.answer.nodes), ..thinking },
            mv: found.answer.best.unwrap_or_default(),
            time: start.elapsed(),
            ..Choice::default()
        }))
    }
}

/// Reports on the best line of a search. The score of a search that was interrupted may be a bound.
fn thinking(line: &Line<String>, model: ScoreModel) -> Thinking {
    let millis = line.time.as_millis().max(1) as u64;
    Thinking {
        score: (line.bound == Bound::Exact).then(|| model.score(line.value)),
        depth: line.depth,
        seldepth: Some(line.seldepth),
        pv: line.pv.join(" "),
        nodes: Some(line.nodes),
        nps: Some(line.nodes.saturating_mul(1000) / millis),
        hashfull: Some(line.hashfull as u64),
        tbhits: Some(line.tbhits),
        time: Some(line.time),
    }
}
