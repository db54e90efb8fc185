//! `perft`: counts the paths of legal moves, move by move.

use crate::cli::{Command, Console, Failure, refuse_help, variant};
use crate::engine::{MAX_PERFT, Variant};
use crate::search::Control;
use crate::system::text::number;
use std::process::ExitCode;
use std::time::Instant;

pub const COMMAND: Command = Command {
    name: "perft",
    operands: "VARIANT DEPTH [FEN]",
    summary: "count paths of legal moves",
    help: "\
quadrille perft VARIANT DEPTH [FEN]
  DEPTH  how many moves a path has, from 0 to 30
  FEN    where the paths begin (startpos)
Counts the paths of legal moves, for each first move and all together.
Example: quadrille perft congress 6",
    run: |words, console| {
        refuse_help(words)?;
        let [name, depth, fen @ ..] = words else {
            return Err(COMMAND.misuse());
        };
        let depth = number("DEPTH", depth, 0, MAX_PERFT)?;
        let fen = Some(fen.join(" ")).filter(|fen| !fen.is_empty());
        run(variant(name)?, depth, fen.as_deref(), console)?;
        Ok(ExitCode::SUCCESS)
    },
};

/// Counts from a position, the start if `fen` is `None`. Prints each first move with its count, then
/// the total and the speed.
pub fn run(
    variant: Variant,
    depth: u32,
    fen: Option<&str>,
    console: &mut dyn Console,
) -> Result<(), Failure> {
    let mut session = variant.open();
    session.set_position(fen.filter(|&fen| fen != "startpos"), &[])?;
    let start = Instant::now();
    let mut each = |mv: &str, nodes: u64| console.say(&format!("{mv}: {nodes}"));
    let total = session.perft(depth, &Control::new(false), &mut each).unwrap_or(0);
    let seconds = start.elapsed().as_secs_f64();
    console.say(&format!(
        "\ntotal {total} in {seconds:.3} s, {:.1} million nodes a second",
        total as f64 / seconds.max(1e-6) / 1e6
    ));
    Ok(())
}
