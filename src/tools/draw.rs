//! `draw`: a position as a picture.

use crate::engine::Variant;

/// The picture of a position in SVG. `words` are a FEN (none for the start), then `--moves`
/// and the moves played from there, then `--arrows` and moves to be shown.
///
/// # Errors
///
/// A word is no option, the FEN is refused, a move is illegal, or an arrow is no move.
pub fn run(variant: Variant, words: &[&str]) -> Result<String, String> {
    let (rest, arrows) = split(words, "--arrows");
    let (fen, moves) = split(rest, "--moves");
    if let Some(other) = fen.iter().find(|word| word.starts_with("--")) {
        return Err(format!("draw: `{other}` is not understood"));
    }
    let fen = (!fen.is_empty()).then(|| fen.join(" "));
    let mut session = variant.open();
    session
        .set_position(fen.as_deref(), moves)
        .map_err(|error| format!("draw: {error}"))?;
    session
        .picture(arrows)
        .map_err(|error| format!("draw --arrows: {error}"))
}

/// What stands before a word and what after it.
fn split<'w>(words: &'w [&'w str], at: &str) -> (&'w [&'w str], &'w [&'w str]) {
    match words.iter().position(|&word| word == at) {
        Some(place) => (&words[..place], &words[place + 1..]),
        None => (words, &[]),
    }
}
