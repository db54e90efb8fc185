//! `bench`: the fixed searches whose nodes are the program's signature.

use crate::cli::{Command, refuse_help};
use crate::engine::{VARIANTS, bench};
use crate::search::Control;
use std::process::ExitCode;
use std::sync::Arc;

pub const COMMAND: Command = Command {
    name: "bench",
    operands: "[DEPTH]",
    summary: "search fixed positions; the nodes are a signature",
    help: "\
quadrille bench [DEPTH]
  DEPTH  how deep to search, from 1 to 100 (9)
Searches fixed positions of all games with one thread and prints the nodes and the speed. The nodes
depend on nothing but the depth: as long as they stay the same, the program plays the same.
Example: quadrille bench 5",
    run: |words, console| {
        refuse_help(words)?;
        let depth = match words {
            [] => bench::DEFAULT_DEPTH,
            [depth] => bench::read_depth("DEPTH", depth)?,
            _ => return Err(COMMAND.misuse()),
        };
        let control = Arc::new(Control::new(false));
        bench::run(VARIANTS, depth, &control, &mut |line| console.say(line));
        Ok(ExitCode::SUCCESS)
    },
};
