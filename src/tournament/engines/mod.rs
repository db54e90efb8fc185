//! The engines of a match: this program, and processes that speak UCI or CECP.

// The folder above keeps this module to itself, and with it what is public here.
#![allow(unreachable_pub)]

mod cecp;
pub mod engine_log;
mod in_process;
mod option_spec;
pub mod player;
pub mod process;
mod uci;

use crate::cli::interrupt::Interrupt;
use crate::tournament::options::{EngineSpec, MatchOptions, Protocol, SELF};
use cecp::Cecp;
use engine_log::EngineLog;
use in_process::InProcess;
use player::{NoStart, Player};
use process::Process;
use uci::Uci;

/// Starts an engine of a match.
pub fn start(
    spec: &EngineSpec,
    options: &MatchOptions,
    interrupt: &Interrupt,
    log: EngineLog,
) -> Result<Box<dyn Player>, NoStart> {
    if spec.command == SELF {
        let player = InProcess::start(spec, options, interrupt)?;
        return Ok(Box::new(player));
    }
    let mut process = Process::start(spec, interrupt, log)?;
    for line in &spec.init {
        process.send(line)?;
    }
    Ok(match spec.protocol {
        Protocol::Uci => Box::new(Uci::start(process, spec, options.variant)?),
        Protocol::XBoard => Box::new(Cecp::start(process, spec, options.variant)?),
    })
}
