//! `rules`: the rules of a game.

use crate::cli::{Command, refuse_help, variant};
use crate::engine::Variant;
use crate::games::COMMON_RULES;
use std::process::ExitCode;

pub const COMMAND: Command = Command {
    name: "rules",
    operands: "VARIANT",
    summary: "print the rules of a game",
    help: "\
quadrille rules VARIANT
Prints the rules of a game.
Example: quadrille rules congress",
    run: |words, console| {
        refuse_help(words)?;
        let [name] = words else {
            return Err(COMMAND.misuse());
        };
        console.say(&text(variant(name)?));
        Ok(ExitCode::SUCCESS)
    },
};

/// Returns the rules of a game: its own, and those of all games.
pub fn text(variant: Variant) -> String {
    format!("{}\n{}", variant.info.rules, COMMON_RULES.trim_end())
}
