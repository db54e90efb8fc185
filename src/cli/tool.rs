//! Tools that work on one game and need its type.

use super::args::{missing, variant};
use super::console::Console;
use super::failure::Failure;
use super::interrupt::Interrupt;
use crate::engine::Entry;
use crate::for_all_games;
use std::process::ExitCode;

/// A tool that does the same for every game.
pub trait Tool {
    /// Runs the tool for a game. `words` are the rest of the command line.
    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, Failure>;
}

/// Runs a tool for the game that the first word names.
pub fn run<T: Tool>(
    words: &[&str],
    interrupt: &Interrupt,
    console: &mut dyn Console,
) -> Result<ExitCode, Failure> {
    let [name, rest @ ..] = words else {
        return Err(missing("VARIANT"));
    };
    let variant = variant(name)?;
    macro_rules! dispatch {
        ($($game:ident),*) => { $(
            if variant.info.name == <crate::games::$game as crate::games::Game>::NAME {
                return T::run::<crate::games::$game>(rest, interrupt, console);
            }
        )* };
    }
    for_all_games!(dispatch);
    Err(Failure::refused(format!("not for {}", variant.info.name)))
}
