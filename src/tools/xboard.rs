//! `xboard`: how XBoard is started for a game, and starting it.

use crate::cli::failure::is_not_installed;
use crate::cli::{Args, Command, Console, Failure, variant};
use crate::engine::{Variant, XBoard};
use crate::protocol::XBOARD_SWITCHES;
use std::process::{self, ExitCode};

pub const COMMAND: Command = Command {
    name: "xboard",
    operands: "VARIANT [--run]",
    summary: "print, and run, the command line of XBoard for a game",
    help: "\
quadrille xboard VARIANT [--run]
  --run  starts XBoard (only prints how)
Prints the command line with which XBoard shows a game and plays it against this program.
Example: quadrille xboard pressman --run",
    run: |words, console| run(words, console),
};

/// Returns the words of the command line that starts XBoard for a game.
fn command_line(variant: Variant) -> Result<Vec<String>, Failure> {
    let name = variant.info.name;
    if variant.info.xboard == XBoard::Unfit {
        let fault = format!("XBoard cannot show the moves of {name}");
        return Err(Failure::refused(fault));
    }
    let program = std::env::current_exe().map_err(Failure::refused)?;
    let words = ["xboard", "-variant", name, "-fcp"];
    let words = words.into_iter().map(str::to_string);
    // XBoard splits the engine's command line at blanks that are not quoted.
    let program = format!("\"{}\"", program.display());
    let switches = XBOARD_SWITCHES.split(' ').map(str::to_string);
    Ok(words.chain([program]).chain(switches).collect())
}

/// Prints the command line, and starts XBoard if the words end with `--run`.
fn run(words: &[&str], console: &mut dyn Console) -> Result<ExitCode, Failure> {
    let [name, words @ ..] = words else {
        return Err(COMMAND.misuse());
    };
    let mut starts = false;
    let mut args = Args::new(words);
    while let Some(word) = args.next() {
        match word {
            "--run" => starts = true,
            _ => return Err(args.unknown()),
        }
    }
    let words = command_line(variant(name)?)?;
    let quoted: Vec<_> = words
        .iter()
        .map(|word| if word.contains(['"', ' ']) { format!("'{word}'") } else { word.clone() })
        .collect();
    console.say(&quoted.join(" "));
    if starts {
        let status = process::Command::new(&words[0]).args(&words[1..]).status();
        let status = status.map_err(|error| {
            if is_not_installed(&error) {
                Failure::refused(
                    "XBoard is not installed or not in PATH (on Debian: apt-get install xboard, \
                     and PATH with /usr/games)",
                )
            } else {
                Failure::refused(error)
            }
        })?;
        if !status.success() {
            return Err(Failure::refused(format!("XBoard ended with {status}")));
        }
    }
    Ok(ExitCode::SUCCESS)
}
