//! Starts an engine, independent of its protocol.

use super::cecp::Cecp;
use super::engine_log::EngineLog;
use super::in_process::InProcess;
use super::player::{NoStart, Player};
use super::process::Process;
use super::uci::Uci;
use crate::cli::interrupt::Interrupt;
use crate::tournament::options::{EngineSpec, MatchOptions, Protocol, SELF};

/// Starts an engine of a match.
pub(in crate::tournament) fn start(
    spec: &EngineSpec,
    options: &MatchOptions,
    interrupt: &Interrupt,
    log: EngineLog,
) -> Result<Box<dyn Player>, NoStart> {
    if spec.command == SELF {
        let player = InProcess::start(spec, options, interrupt).map_err(NoStart::Refused)?;
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
