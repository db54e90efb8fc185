//! The command line: no argument speaks UCI, the first word names a command otherwise.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use quadrille::cli::console::Standard;
use quadrille::cli::{Command, Console, Failure, is_help, variant};
use quadrille::engine::VARIANTS;
use quadrille::protocol::{self, XBOARD_SWITCHES};
use quadrille::system::{built_for, signal};
use quadrille::tools::dialogue;
use quadrille::{browser, learning, proof, tools, tournament};
use std::process::ExitCode;
use std::slice::from_ref;

// Statics, also where they are defined: what a constant names is compiled again in each crate that uses it.
static COMMANDS: [&[Command]; 5] = [
    from_ref(&browser::COMMAND),
    &tools::COMMANDS,
    from_ref(&proof::COMMAND),
    from_ref(&tournament::COMMAND),
    &learning::COMMANDS,
];

fn main() -> ExitCode {
    env_logger::init();
    #[cfg(unix)]
    signal::set_defaults();
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let words = words.iter().flat_map(|word| match word.strip_prefix("--variant=") {
        Some(name) => vec!["--variant", name],
        None => vec![&**word],
    });
    let mut console = Standard::default();
    let status = run(&words.collect::<Vec<_>>(), &mut console);
    let status = status.unwrap_or_else(|failure| {
        let help = match (&failure, console.command) {
            (Failure::Help, name) => {
                let of_command = command(name).map(|command| command.help.to_string());
                console.say(&of_command.unwrap_or_else(|_| help()));
                return ExitCode::SUCCESS;
            }
            (Failure::Usage(_), "") => "; see --help".into(),
            (Failure::Usage(_), command) => format!("; see {command} --help"),
            _ => String::new(),
        };
        console.warn(&format!("{failure}{help}"));
        ExitCode::from(2)
    });
    signal::end();
    status
}

fn run(words: &[&str], console: &mut Standard) -> Result<ExitCode, Failure> {
    match words {
        [] => return Ok(dialogue::run(VARIANTS[0])),
        ["--variant", name] => return Ok(dialogue::run(variant(name)?)),
        ["--variant", name, words @ ..] if dialogue::is_command(words) => {
            console.command = command(words[0]).map_or("", |command| command.name);
            return dialogue::run_command(variant(name)?, words);
        }
        ["--variant", _, word, ..] if !is_help(word) => {
            let name = command(word)?.name;
            let fault = format!("`{name}` takes no --variant before it");
            return Err(Failure::Usage(fault));
        }
        ["--variant"] => return Err(Failure::Usage("--variant: one NAME must follow".into())),
        ["uci" | "ugi"] => return dialogue::run_command(VARIANTS[0], words),
        ["--version" | "-version" | "-V" | "-v" | "version"] => {
            console.say(&format!("{} ({})", protocol::NAME, built_for()));
        }
        ["--help" | "-help" | "-h" | "help"]
        | ["help" | "version" | "uci" | "ugi", "--help" | "-help" | "-h"]
        | ["--variant", ..] => console.say(&help()),
        [name @ ("--version" | "-version" | "-V" | "-v" | "version"), word, ..] => {
            let fault = format!("`{word}`: {name} takes no arguments");
            return Err(Failure::Usage(fault));
        }
        [name, "--help" | "-help" | "-h", ..] | ["--help" | "-help" | "help", name] => {
            console.say(command(name)?.help);
        }
        [name, words @ ..] => {
            let command = command(name)?;
            console.command = command.name;
            return (command.run)(words, console);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn command(name: &str) -> Result<&'static Command, Failure> {
    let name = if name == "analyze" { "analyse" } else { name };
    let mut commands = COMMANDS.into_iter().flatten();
    let command = commands.find(|command| command.name == name);
    command.ok_or_else(|| Failure::Usage(format!("`{name}` is not a command")))
}

fn help() -> String {
    let names: Vec<_> = VARIANTS.iter().map(|variant| variant.info.name).collect();
    format!(
        "quadrille [--variant NAME]           speak UCI, UGI or CECP on standard input and output\n\
         {}quadrille --help | --version\n\nEach has a --help of its own, as in quadrille perft --help.\n\
         RUST_LOG=debug writes diagnostics to standard error.\nVariants: {}.\n\
         XBoard needs: -variant VARIANT -fcp quadrille {XBOARD_SWITCHES}",
        COMMANDS.map(Command::list).concat(),
        names.join(", ")
    )
}
