//! `draw`: a position as a picture.

use crate::cli::sources::is_option;
use crate::draw::View;
use crate::engine::Variant;
use crate::records::play_all;
use crate::system::files;
use crate::system::text::number;
use std::path::Path;

/// How `draw` is called.
pub const HELP: &str = "\
quadrille draw VARIANT [FEN] [OPTION ...]
  FEN             the position; without one, or with `startpos`, the start
  --moves M ...   moves that are played first; the last of them is marked
  --arrows M ...  an arrow for each of these, in turn of the side to move and of the other
  --flip          Black sits below
  --key           names the pieces below the board
  --size N        the width in pixels
  -o FILE         where the picture goes (standard output)
Writes SVG. A disc at the right of the board shows the side to move.
Example: quadrille draw congress --moves Hc3 Hc4 --arrows b2c3 --key -o congress.svg";

/// The greatest width in pixels.
const MAX_WIDTH: usize = 100_000;

/// Draws a position, and says the picture if it is not for a file. `words` are a FEN, none for the
/// start, and options.
///
/// # Errors
///
/// A word is no option or lacks its value, the FEN is refused, a move is illegal, an arrow is no
/// move, or the file cannot be written.
pub fn run(variant: Variant, words: &[&str], say: &mut dyn FnMut(&str)) -> Result<(), String> {
    let (mut fen, mut moves, mut arrows) = (Vec::new(), Vec::new(), Vec::new());
    let (mut view, mut out) = (View::default(), None);
    let mut list = &mut fen;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || {
            let value = words.next();
            value.ok_or_else(|| format!("draw: {word}: its value is missing"))
        };
        match word {
            "--moves" => list = &mut moves,
            "--arrows" => list = &mut arrows,
            "--flip" => view.is_flipped = true,
            "--key" => view.has_key = true,
            "--size" => view.width = Some(number("draw: --size", value()?, 1, MAX_WIDTH)?),
            "-o" => out = Some(value()?),
            _ if is_option(word) => {
                return Err(format!("draw: `{word}` is not understood; see draw --help"));
            }
            _ => list.push(word),
        }
    }
    let fen = Some(fen.join(" ")).filter(|fen| !["", "startpos"].contains(&&**fen));
    let mut session = variant.open();
    session
        .set_position(fen.as_deref(), &[])
        .map_err(|error| format!("draw: {error}"))?;
    play_all(&mut *session, moves).map_err(|error| format!("draw: {error}"))?;
    let picture = session
        .picture(&arrows, view)
        .map_err(|error| format!("draw --arrows: {error}"))?;
    match out {
        None => say(&picture),
        Some(path) => files::write(Path::new(path), format!("{picture}\n").as_bytes())
            .map_err(|error| format!("draw: {path}: {error}"))?,
    }
    Ok(())
}
