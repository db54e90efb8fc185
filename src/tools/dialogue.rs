//! The program's dialogue with a client, and single commands of it: `go`, `d`, `eval`, `query`.

use crate::cli::console::check_written;
use crate::cli::interrupt::Interrupt;
use crate::cli::{Command, Failure, refuse_help, variant};
use crate::engine::{Engine, VARIANTS, Variant};
use crate::protocol;
use crate::system::patient::Patient;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::time::Duration;

pub const GO: Command = Command {
    name: "go",
    operands: "LIMIT ...",
    summary: "search the start of a game; see go --help",
    help: "\
quadrille go [depth N] [nodes N] [movetime MS] [mate N] [searchmoves M ...]
quadrille go perft N
Searches the start of a game until the first limit is reached or Ctrl-C stops it, or counts.
--variant NAME before `go` chooses the game.
Example: quadrille --variant congress go depth 10",
    run: |words, _| command_of("go", words),
};

pub const D: Command = Command {
    name: "d",
    operands: "[VARIANT [FEN]]",
    summary: "display a position",
    help: "\
quadrille d [VARIANT [FEN]]
Displays a position; without a FEN, the start.
Example: quadrille d congress",
    run: |words, _| command_of("d", words),
};

pub const EVAL: Command = Command {
    name: "eval",
    operands: "[VARIANT [FEN]]",
    summary: "evaluate a position",
    help: "\
quadrille eval [VARIANT [FEN]]
Displays the material and the static value of a position; without a FEN, of the start.
Example: quadrille eval congress k7/6p1/2p5/2P5/1P6/K7 w - - 0 1",
    run: |words, _| command_of("eval", words),
};

pub const QUERY: Command = Command {
    name: "query",
    operands: "QUESTION [VARIANT [FEN]]",
    summary: "ask about a position; see query --help",
    help: "\
quadrille query QUESTION [VARIANT [FEN]]
quadrille query QUESTION MOVE ...
Answers a question about a position; without a FEN, about the start. `quadrille query` lists the
questions; some are about moves.
Example: quadrille query moves congress",
    run: |words, _| command_of("query", words),
};

/// Runs the dialogue on standard input and output, and greets a person.
pub fn run(variant: Variant) -> ExitCode {
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
    let (input, output) = (Patient(io::stdin()), Patient(io::stdout()));
    check_written(protocol::run(engine, input, output));
    ExitCode::SUCCESS
}

fn command_of(name: &str, words: &[&str]) -> Result<ExitCode, Failure> {
    // A game that is chosen after the command would be chosen too late.
    if words.contains(&"--variant") {
        return Err(Failure::Usage(format!(
            "--variant NAME must come before it, as in: quadrille --variant NAME {name}"
        )));
    }
    run_command(VARIANTS[0], &[&[name], words].concat())
}

/// Returns true if words are a command of the dialogue that can stand alone.
pub fn is_command(words: &[&str]) -> bool {
    matches!(words, ["go" | "d" | "eval" | "query" | "uci" | "ugi", ..])
}

/// Runs one command of the dialogue, in the start of a game. `d`, `eval` and `query QUESTION` may be
/// followed by another game and a FEN.
pub fn run_command(default: Variant, words: &[&str]) -> Result<ExitCode, Failure> {
    refuse_help(words)?;
    let (command, position) = match words {
        ["d" | "eval", ..] => words.split_at(1),
        ["query", question, ..] if !protocol::takes_moves(question) => words.split_at(2),
        _ => (words, &[][..]),
    };
    let (variant, fen) = match position {
        [] => (default, String::new()),
        [name, fen @ ..] => (variant(name)?, fen.join(" ")),
    };
    let mut lines = command.join(" ") + "\n";
    if !["", "startpos"].contains(&&*fen) {
        lines = format!("position fen {fen}\n{lines}");
    }
    let engine = Engine::new(VARIANTS, variant);
    let searches = words[0] == "go" && words.get(1) != Some(&"perft");
    let end = OneCommand(searches.then(Interrupt::by_signals));
    match protocol::run(engine, io::Cursor::new(lines).chain(end.clone()), end) {
        Err(error) if error.kind() == ErrorKind::InvalidInput => {
            Err(Failure::Usage(error.to_string()))
        }
        written => {
            check_written(written);
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Output and rest of the input of a single command. A line that reports an error closes the output.
/// The answer of a search ends the wait for Ctrl-C, which is the wait for more input.
#[derive(Clone)]
struct OneCommand(Option<Interrupt>);

impl Read for OneCommand {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(search) = self.0.take() else {
            return Ok(0);
        };
        while !search.is_set() {
            std::thread::sleep(Duration::from_millis(5));
        }
        (&b"stop"[..]).read(buffer)
    }
}

impl Write for OneCommand {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(search) = self.0.take_if(|_| bytes.starts_with(b"bestmove ")) {
            search.set();
        }
        let line = String::from_utf8_lossy(bytes);
        match line.strip_prefix("info string error ").and_then(|error| error.split_once(": ")) {
            None => Patient(io::stdout()).write(bytes),
            Some((_, text)) => Err(io::Error::new(ErrorKind::InvalidInput, text.trim_end())),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Patient(io::stdout()).flush()
    }
}
