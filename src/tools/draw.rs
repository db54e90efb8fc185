//! `draw`: a position as a picture.

use crate::cli::{Args, Command, Console, Failure, variant};
use crate::draw::View;
use crate::system::files;
use std::path::Path;
use std::process::ExitCode;

pub const COMMAND: Command = Command {
    name: "draw",
    operands: "VARIANT [FEN] [OPTION ...]",
    summary: "a picture of a position; see draw --help",
    help: "\
quadrille draw VARIANT [FEN] [OPTION ...]
  FEN             the position; without one, or with `startpos`, the start
  --moves M ...   moves that are played first; the last of them is marked
  --arrows M ...  an arrow for each of these, in turn of the side to move and of the other
  --flip          Black sits below
  --key           names the pieces below the board
  --size N        the width in pixels
  -o FILE         where the picture goes (standard output)
Writes SVG. A disc at the right of the board shows the side to move.
Example: quadrille draw congress --moves Hc3 Hc4 --arrows b2c3 --key -o congress.svg",
    run: |words, console| run(words, console),
};

/// The greatest width in pixels.
const MAX_WIDTH: usize = 100_000;

/// Draws a position, and prints the picture if it is not for a file.
fn run(words: &[&str], console: &mut dyn Console) -> Result<ExitCode, Failure> {
    let [name, words @ ..] = words else {
        return Err(COMMAND.misuse());
    };
    let mut session = variant(name)?.open();
    let (mut fen, mut moves, mut arrows) = (Vec::new(), Vec::new(), Vec::new());
    let (mut view, mut out) = (View::default(), None);
    let mut list = &mut fen;
    let mut args = Args::new(words);
    while let Some(word) = args.next() {
        match word {
            "--moves" => list = &mut moves,
            "--arrows" => list = &mut arrows,
            "--flip" => view.is_flipped = true,
            "--key" => view.has_key = true,
            "--size" => view.width = Some(args.number(1, MAX_WIDTH)?),
            "-o" => out = Some(args.value()?),
            _ => list.push(args.operand()?),
        }
    }
    let fen = Some(fen.join(" ")).filter(|fen| !["", "startpos"].contains(&&**fen));
    session.set_position(fen.as_deref(), &[])?;
    for text in moves {
        session.play_san(text)?;
    }
    let picture = session
        .picture(&arrows, view)
        .map_err(|error| Failure::Usage(format!("--arrows: {error}")))?;
    match out {
        None => console.say(&picture),
        Some(path)
            if Path::new(path).extension().is_some_and(|end| !end.eq_ignore_ascii_case("svg")) =>
        {
            return Err(Failure::file(path)("the picture is SVG: its name must end in .svg"));
        }
        Some(path) => files::write(Path::new(path), format!("{picture}\n").as_bytes())
            .map_err(Failure::file(path))?,
    }
    Ok(ExitCode::SUCCESS)
}
