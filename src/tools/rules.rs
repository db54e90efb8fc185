//! `rules`: the rules of a game.

use crate::cli::{Command, refuse_help, variant};
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
        console.say(&variant(name)?.rules());
        Ok(ExitCode::SUCCESS)
    },
};
