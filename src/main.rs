//! The command line: no argument speaks UCI, the first word names a tool otherwise.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use quadrille::engine::{Engine, VARIANTS, Variant, bench, find_variant};
use quadrille::protocol::uci;
use quadrille::search::Control;
use quadrille::tools::perft;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

const HELP: &str = "\
quadrille [--variant NAME]           speak UCI on standard input and output
quadrille bench [DEPTH]              search fixed positions; the nodes are a signature
quadrille perft VARIANT DEPTH [FEN]  count paths of legal moves
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
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quadrille: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), String> {
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
        _ => {
            return Err(format!(
                "`{}` is not understood; see --help",
                arguments.join(" ")
            ));
        }
    }
    Ok(())
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

/// Prints a line; if nobody reads any more, ends the program quietly.
fn say(line: &str) {
    if writeln!(std::io::stdout().lock(), "{line}").is_err() {
        std::process::exit(0);
    }
}
