//! `perft`: counts the paths of legal moves, move by move.

use crate::engine::Variant;
use crate::search::Control;
use std::time::Instant;

/// How `perft` is called.
pub const HELP: &str = "\
quadrille perft VARIANT DEPTH [FEN]
  DEPTH  how many moves a path has, from 0 to 30
  FEN    where the paths begin (startpos)
Counts the paths of legal moves, for each first move and all together.
Example: quadrille perft congress 6";

/// Counts from a position, the start if `fen` is `None`, and says each first move with its
/// count, then the total and the speed.
///
/// # Errors
///
/// The FEN is refused.
pub fn run(
    variant: Variant,
    depth: u32,
    fen: Option<&str>,
    say: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let mut session = variant.open();
    session
        .set_position(fen.filter(|&fen| fen != "startpos"), &[])
        .map_err(|error| format!("perft: {error}"))?;
    let start = Instant::now();
    let mut each = |mv: &str, nodes: u64| say(&format!("{mv}: {nodes}"));
    let total = session
        .perft(depth, &Control::new(false), &mut each)
        .unwrap_or(0);
    let seconds = start.elapsed().as_secs_f64();
    say(&format!(
        "\ntotal {total} in {seconds:.3} s, {:.1} million nodes a second",
        total as f64 / seconds.max(1e-6) / 1e6
    ));
    Ok(())
}
