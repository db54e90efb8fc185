//! Tools that work on one game and need its type.

use super::console::Console;
use super::interrupt::Interrupt;
use crate::engine::{Entry, VARIANTS, find_variant};
use crate::for_all_games;
use std::process::ExitCode;

/// A tool that does the same for every game.
pub trait Tool {
    /// Name on the command line.
    const NAME: &'static str;

    /// Runs the tool for a game. `words` are the rest of the command line.
    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, String>;
}

/// Runs a tool for the game that the first word names.
pub fn run<T: Tool>(
    words: &[&str],
    interrupt: &Interrupt,
    console: &mut dyn Console,
) -> Result<ExitCode, String> {
    let [name, rest @ ..] = words else {
        return Err(format!("{0}: which variant? See {0} --help", T::NAME));
    };
    let variant = find_variant(VARIANTS, name)?;
    macro_rules! dispatch {
        ($($game:ident),*) => { $(
            if variant.info.name == <crate::games::$game as crate::games::Game>::NAME {
                return T::run::<crate::games::$game>(rest, interrupt, console);
            }
        )* };
    }
    for_all_games!(dispatch);
    Err(format!("{}: not for {}", T::NAME, variant.info.name))
}
