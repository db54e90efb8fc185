//! The command line: no argument speaks UCI, the first word names a tool otherwise.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use quadrille::cli::{interrupt, sources, tool};
use quadrille::engine::{Engine, MAX_PERFT, VARIANTS, Variant, bench, find_variant};
use quadrille::learning::datagen::{self, Datagen};
use quadrille::learning::learn::{self, Learn};
use quadrille::learning::train::{self, Train};
use quadrille::learning::tune::{self, Tune};
use quadrille::protocol::{self, XBOARD_SWITCHES};
use quadrille::search::Control;
use quadrille::system::text::{number, read_line};
use quadrille::system::{built_for, terminal};
use quadrille::tools::solve::{self, Solve};
use quadrille::tools::{analyse, annotate, draw, perft, play, replay, rules, xboard};
use quadrille::tournament;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

const HELP: &str = "\
quadrille [--variant NAME]           speak UCI, UGI or CECP on standard input and output
quadrille go LIMIT ...               search the start of a game; see go --help
quadrille d [VARIANT [FEN]]          display a position
quadrille eval [VARIANT [FEN]]       evaluate a position
quadrille query QUESTION [VARIANT [FEN]]
                                     ask about a position; see query --help
quadrille play VARIANT [OPTION ...]  a game against you; see play --help
quadrille rules VARIANT              print the rules of a game
quadrille xboard VARIANT [--run]     print, and run, the command line of XBoard for a game
quadrille bench [DEPTH]              search fixed positions; the nodes are a signature
quadrille perft VARIANT DEPTH [FEN]  count paths of legal moves
quadrille draw VARIANT [FEN] [OPTION ...]
                                     a picture of a position; see draw --help
quadrille replay [--fens] FILE ...   check games in PGN, or write their positions
quadrille match -engine ... -engine ...
                                     let engines play each other; see match --help
quadrille match --merge PGN ...      count the games of several matches as one
quadrille analyse [OPTION ...] [FILE ...]
                                     search FENs and EPDs; see analyse --help
quadrille annotate [OPTION ...] FILE ...
                                     write games with scores; see annotate --help
quadrille solve VARIANT MEN ...      solve endings with few men; see solve --help
quadrille datagen VARIANT --out FILE play games to learn from; see datagen --help
quadrille train VARIANT DATA ... --out NETWORK
                                     make a network of them; see train --help
quadrille learn VARIANT --dir DIR    do both, round after round; see learn --help
quadrille tune VARIANT               look for better search parameters; see tune --help
quadrille --help | --version

Each has a --help of its own, as in quadrille perft --help.
RUST_LOG=debug writes diagnostics to standard error.";

const D_HELP: &str = "\
quadrille d [VARIANT [FEN]]
Displays a position; without a FEN, the start.
Example: quadrille d congress";

const EVAL_HELP: &str = "\
quadrille eval [VARIANT [FEN]]
Displays the material and the static value of a position; without a FEN, of the start.
Example: quadrille eval congress k7/6p1/2p5/2P5/1P6/K7 w - - 0 1";

const GO_HELP: &str = "\
quadrille go [depth N] [nodes N] [movetime MS] [mate N] [searchmoves M ...]
quadrille go perft N
Searches the start of a game until the first limit is reached, or counts. --variant NAME before `go`
chooses the game.
Example: quadrille --variant congress go depth 10";

const QUERY_HELP: &str = "\
quadrille query fen|moves|gameover|p1turn|result|reason|check|key|table [VARIANT [FEN]]
quadrille query san MOVE ...
Answers a question about a position; without a FEN, about the start.
Example: quadrille query moves congress";

fn main() -> ExitCode {
    env_logger::init();
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into())
        .collect();
    let arguments = arguments.iter().flat_map(|argument| {
        // In one word or in two.
        match argument.as_str().strip_prefix("--variant=") {
            Some(name) => vec!["--variant", name],
            None => vec![argument.as_str()],
        }
    });
    let arguments: Vec<&str> = arguments.collect();
    match run(&arguments) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("quadrille: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str]) -> Result<ExitCode, String> {
    if let [name, "--help" | "-help" | "-h"] | ["--help" | "-help" | "help", name] = arguments
        && let Some(text) = help(name)
    {
        say(text);
        return Ok(ExitCode::SUCCESS);
    }
    match arguments {
        ["--help" | "-help" | "-h" | "help"]
        | [
            "help" | "version" | "uci" | "ugi",
            "--help" | "-help" | "-h",
        ] => {
            let names: Vec<_> = VARIANTS.iter().map(|variant| variant.info.name).collect();
            say(&format!("{HELP}\nVariants: {}.", names.join(", ")));
            say(&format!(
                "XBoard needs: -variant VARIANT -fcp quadrille {XBOARD_SWITCHES}"
            ));
        }
        [] => speak(VARIANTS[0]),
        ["--variant", name] => speak(variant(name)?),
        ["--variant", name, words @ ..] if is_command(words) => obey(variant(name)?, words)?,
        ["--variant", ..] => return Err("--variant: one NAME must follow; see --help".into()),
        // A game that is chosen here would be chosen too late.
        [command, words @ ..] if is_command(arguments) && words.contains(&"--variant") => {
            return Err(format!(
                "{command}: --variant NAME stands before it, as in: quadrille --variant NAME {command}"
            ));
        }
        words if is_command(words) => obey(VARIANTS[0], words)?,
        ["--version" | "-version" | "-V" | "-v" | "version"] => {
            say(&format!("{} ({})", protocol::NAME, built_for()));
        }
        ["bench"] => measure(bench::DEFAULT_DEPTH),
        ["bench", depth] => measure(bench::read_depth(depth)?),
        ["perft", name, depth] => count(name, depth, None)?,
        ["perft", name, depth, fen @ ..] => count(name, depth, Some(&fen.join(" ")))?,
        ["draw", name, words @ ..] => draw::run(variant(name)?, words, &mut say)?,
        ["play", words @ ..] => play_games(words)?,
        ["rules", name] => say(&rules::text(variant(name)?)?),
        ["replay", words @ ..] => return check(words),
        ["xboard", name, words @ ..] => return xboard::run(variant(name)?, words, &mut say),
        ["datagen", ..] => {
            return interrupt::supervise(arguments, |words, interrupt| {
                tool::run::<Datagen>(words, interrupt, &mut say)
            });
        }
        ["solve", ..] => {
            return interrupt::supervise(arguments, |words, interrupt| {
                tool::run::<Solve>(words, interrupt, &mut say)
            });
        }
        ["train", ..] => {
            return interrupt::supervise(arguments, |words, interrupt| {
                tool::run::<Train>(words, interrupt, &mut say)
            });
        }
        ["learn", ..] => {
            return interrupt::supervise(arguments, |words, interrupt| {
                tool::run::<Learn>(words, interrupt, &mut say)
            });
        }
        ["tune", ..] => {
            return interrupt::supervise(arguments, |words, interrupt| {
                tool::run::<Tune>(words, interrupt, &mut say)
            });
        }
        ["match", "-version" | "--version" | "-v"] => say(protocol::NAME),
        ["match", "--merge", paths @ ..] => tournament::merge(paths, &mut say)?,
        ["match", ..] => {
            return interrupt::supervise(arguments, |words, interrupt| {
                let speech = tournament::Speech {
                    say: &mut say_over_progress,
                    warn: &mut warn,
                    progress: &mut tell_progress,
                };
                tournament::run(VARIANTS, words, interrupt, speech)
            });
        }
        ["annotate", words @ ..] => return annotate_games(words),
        ["analyse" | "analyze", options @ ..] => return analyse_lines(options),
        [name, ..] => {
            return Err(match help(name).and_then(|text| text.lines().next()) {
                Some(usage) => format!("{name}: it is called as {usage}; see {name} --help"),
                None => format!("`{name}` is not a command; see --help"),
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The help of a command.
fn help(name: &str) -> Option<&'static str> {
    Some(match name {
        "analyse" | "analyze" => analyse::HELP,
        "annotate" => annotate::HELP,
        "bench" => bench::HELP,
        "d" => D_HELP,
        "datagen" => datagen::HELP,
        "draw" => draw::HELP,
        "eval" => EVAL_HELP,
        "go" => GO_HELP,
        "learn" => learn::HELP,
        "match" => tournament::HELP,
        "perft" => perft::HELP,
        "play" => play::HELP,
        "query" => QUERY_HELP,
        "replay" => replay::HELP,
        "rules" => rules::HELP,
        "solve" => solve::HELP,
        "train" => train::HELP,
        "tune" => tune::HELP,
        "xboard" => xboard::HELP,
        _ => return None,
    })
}

/// Speaks with whoever is at the other end of standard input, and greets a person.
fn speak(variant: Variant) {
    if io::stdin().is_terminal() {
        let names: Vec<_> = VARIANTS.iter().map(|variant| variant.info.name).collect();
        // Nothing is lost if this fails.
        let _ = writeln!(
            io::stderr(),
            "{}: {}. Type help, or quit and see quadrille --help.",
            protocol::NAME,
            names.join(", ")
        );
    }
    let engine = Engine::new(VARIANTS, variant);
    check_written(protocol::run(engine, io::stdin(), io::stdout()));
}

/// Whether words are a command of a dialogue that can stand alone.
fn is_command(words: &[&str]) -> bool {
    matches!(words, ["go" | "d" | "eval" | "query" | "uci" | "ugi", ..])
}

/// Obeys one command of a dialogue, about the start of a game. `d`, `eval` and `query QUESTION` may be
/// followed by another game and a FEN.
///
/// # Errors
///
/// The command, the game or the FEN is refused.
fn obey(default: Variant, words: &[&str]) -> Result<(), String> {
    let (command, position) = match words {
        ["d" | "eval", ..] => words.split_at(1),
        ["query", question, ..] if *question != "san" => words.split_at(2),
        _ => (words, &[][..]),
    };
    let (variant, fen) = match position {
        [] => (default, String::new()),
        [name, fen @ ..] => (variant(name)?, fen.join(" ")),
    };
    let mut lines = command.join(" ");
    if !["", "startpos"].contains(&&*fen) {
        lines = format!("position fen {fen}\n{lines}");
    }
    let engine = Engine::new(VARIANTS, variant);
    match protocol::run(engine, io::Cursor::new(lines), OneCommand) {
        Err(error) if error.kind() == ErrorKind::InvalidInput => Err(error.to_string()),
        written => {
            check_written(written);
            Ok(())
        }
    }
}

/// Standard output for a single command; it is closed by a line that reports an error.
struct OneCommand;

impl Write for OneCommand {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.strip_prefix(b"info string error: ") {
            None => io::stdout().write(bytes),
            Some(fault) => {
                let fault = String::from_utf8_lossy(fault).trim_end().to_string();
                Err(io::Error::new(ErrorKind::InvalidInput, fault))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

fn variant(name: &str) -> Result<Variant, String> {
    find_variant(VARIANTS, name).map_err(|error| format!("the variant {error}"))
}

fn measure(depth: u32) {
    bench::run(VARIANTS, depth, &Arc::new(Control::new(false)), &mut say);
}

fn count(name: &str, depth: &str, fen: Option<&str>) -> Result<(), String> {
    let depth = number("perft", depth, 0, MAX_PERFT)?;
    perft::run(variant(name)?, depth, fen, &mut say)
}

fn play_games(words: &[&str]) -> Result<(), String> {
    let fault = |error| format!("play: {error}");
    let options = play::Options::read(VARIANTS, words).map_err(fault)?;
    let is_interactive = terminal::is_interactive();
    let mut input = io::stdin().lock();
    let mut ask = |prompt: &str| {
        if is_interactive {
            // Who does not see it can type all the same.
            let mut output = io::stdout();
            let _ = output.write_all(prompt.as_bytes());
            let _ = output.flush();
        }
        let line = read_line(&mut input)?;
        if is_interactive && line.is_none() {
            say("");
        }
        Ok(line)
    };
    play::run(options, play::symbols(), &mut ask, &mut say).map_err(fault)
}

/// Replays games; if one has a fault, the exit status is 1.
fn check(words: &[&str]) -> Result<ExitCode, String> {
    let fault = |error| format!("replay: {error}");
    let options = replay::Options::read(VARIANTS, words).map_err(fault)?;
    let sources = sources::open(&options.files).map_err(fault)?;
    let mut complain = |line: &str| eprintln!("{line}");
    let fine = replay::run(&options, sources, &mut say, &mut complain).map_err(fault)?;
    Ok(ExitCode::from(u8::from(!fine)))
}

/// Annotates games; if one has a fault, the exit status is 1.
fn annotate_games(words: &[&str]) -> Result<ExitCode, String> {
    let fault = |error| format!("annotate: {error}");
    let options = annotate::Options::read(VARIANTS, words).map_err(fault)?;
    let sources = sources::open(&options.files).map_err(fault)?;
    let mut complain = |line: &str| eprintln!("quadrille: annotate: {line}");
    let fine = annotate::run(
        &options,
        sources,
        &mut say,
        &mut complain,
        &mut tell_progress,
    )
    .map_err(fault)?;
    Ok(ExitCode::from(u8::from(!fine)))
}

/// Shows how far a tool is, if somebody watches.
fn tell_progress(text: &str) {
    if io::stderr().is_terminal() {
        // Nothing is lost if this fails.
        let _ = write!(io::stderr(), "\r\x1b[K{text}");
    }
}

/// Prints a line in place of how far a tool is.
fn say_over_progress(line: &str) {
    if io::stdout().is_terminal() {
        tell_progress("");
    }
    say(line);
}

fn analyse_lines(words: &[&str]) -> Result<ExitCode, String> {
    let fault = |error| format!("analyse: {error}");
    let options = analyse::Options::read(VARIANTS, words).map_err(fault)?;
    let sources = sources::open(&options.files).map_err(fault)?;
    let all_in_order = analyse::run(
        &options,
        sources,
        &mut say_over_progress,
        &mut tell_progress,
    )
    .map_err(fault)?;
    Ok(ExitCode::from(u8::from(!all_in_order)))
}

/// Prints a line on standard error; that nobody may see it changes nothing.
fn warn(line: &str) {
    tell_progress("");
    let _ = io::stderr().write_all(format!("quadrille: {line}\n").as_bytes());
}

/// Prints a line.
fn say(line: &str) {
    // At once, so that the lines of programs that share a pipe stay whole.
    check_written(io::stdout().write_all(format!("{line}\n").as_bytes()));
}

/// Ends the program if its output could not be written: quietly, if nobody reads it any more.
fn check_written(written: io::Result<()>) {
    let Err(error) = written else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    eprintln!("quadrille: the output cannot be written: {error}");
    std::process::exit(1);
}
