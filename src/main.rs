//! The command line: no argument speaks UCI, the first word names a tool otherwise.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use quadrille::engine::{Engine, VARIANTS, Variant, bench, find_variant};
use quadrille::protocol::uci;
use quadrille::search::Control;
use quadrille::tools::{interrupt, perft, replay, tournament};
use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::ExitCode;
use std::sync::Arc;

const HELP: &str = "\
quadrille [--variant NAME]           speak UCI on standard input and output
quadrille bench [DEPTH]              search fixed positions; the nodes are a signature
quadrille perft VARIANT DEPTH [FEN]  count paths of legal moves
quadrille replay FILE                check games in PGN; - is standard input
quadrille match -engine ... -engine ...
                                     let engines play each other; see match --help
quadrille match --merge PGN ...      count the games of several matches as one
quadrille --help | --version

RUST_LOG=debug writes diagnostics to standard error.";

fn main() -> ExitCode {
    env_logger::init();
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into())
        .collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("quadrille: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str]) -> Result<ExitCode, String> {
    match arguments {
        [] => speak(VARIANTS[0]),
        ["--variant", name] => speak(variant(name)?),
        ["--help" | "-h" | "help"] => {
            let names: Vec<_> = VARIANTS.iter().map(|variant| variant.name).collect();
            say(&format!("{HELP}\nVariants: {}.", names.join(", ")));
        }
        ["--version" | "-V"] => say(uci::NAME),
        ["bench"] => measure(bench::DEFAULT_DEPTH),
        ["bench", depth] => measure(bench::read_depth(depth)?),
        ["perft", name, depth] => count(name, depth, None)?,
        ["perft", name, depth, fen @ ..] => count(name, depth, Some(&fen.join(" ")))?,
        ["replay", file] => return check(file),
        ["match", "--help"] => say(tournament::HELP),
        ["match", "--merge", paths @ ..] => tournament::merge(paths, &mut say)?,
        ["match", ..] => {
            return interrupt::supervise(arguments, |words, interrupt| {
                tournament::run(words, interrupt, &mut say)
            });
        }
        _ => {
            return Err(format!(
                "`{}` is not understood; see --help",
                arguments.join(" ")
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn speak(variant: Variant) {
    uci::run(
        Engine::new(VARIANTS, variant),
        std::io::stdin(),
        std::io::stdout(),
    );
}

fn variant(name: &str) -> Result<Variant, String> {
    find_variant(VARIANTS, name).map_err(|error| format!("the variant {error}"))
}

fn measure(depth: u32) {
    bench::run(VARIANTS, depth, &Arc::new(Control::new(false)), &mut say);
}

fn count(name: &str, depth: &str, fen: Option<&str>) -> Result<(), String> {
    let depth = depth
        .parse()
        .map_err(|_| format!("perft: `{depth}` is not a depth"))?;
    perft::run(variant(name)?, depth, fen, &mut say)
}

/// Replays games; if one has a fault, the exit status is 1.
fn check(file: &str) -> Result<ExitCode, String> {
    let unreadable = |error: &dyn Display| format!("replay: {file}: {error}");
    let input: Box<dyn BufRead> = match file {
        "-" => Box::new(std::io::stdin().lock()),
        _ => Box::new(BufReader::new(
            File::open(file).map_err(|error| unreadable(&error))?,
        )),
    };
    let fine = replay::run(input, &mut say).map_err(|error| unreadable(&error))?;
    Ok(ExitCode::from(u8::from(!fine)))
}

/// Prints a line; if nobody reads any more, ends the program quietly.
fn say(line: &str) {
    if writeln!(std::io::stdout().lock(), "{line}").is_err() {
        std::process::exit(0);
    }
}
