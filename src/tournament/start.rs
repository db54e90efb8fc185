//! Starting an engine, whatever it speaks.

use super::in_process::InProcess;
use super::options::{EngineSpec, Options, Protocol, SELF};
use super::player::{NoStart, Player};
use super::process::Process;
use super::uci::Uci;
use super::voice::Voice;
use super::xboard::XBoard;
use crate::engine::interrupt::Interrupt;

/// Starts one of the engines in the variant of a match.
///
/// # Errors
///
/// It does not start, does not speak its protocol, does not know the variant or has no such
/// option; or the match was interrupted.
pub fn start(
    spec: &EngineSpec,
    options: &Options,
    interrupt: &Interrupt,
    voice: Voice,
) -> Result<Box<dyn Player>, NoStart> {
    if spec.command == SELF {
        let player = InProcess::start(spec, options, interrupt).map_err(NoStart::Refused)?;
        return Ok(Box::new(player));
    }
    let mut process = Process::start(spec, interrupt, voice)?;
    for line in &spec.init {
        process.send(line)?;
    }
    Ok(match spec.protocol {
        Protocol::Uci => Box::new(Uci::start(process, spec, options.variant)?),
        Protocol::XBoard => Box::new(XBoard::start(process, spec, options.variant)?),
    })
}
