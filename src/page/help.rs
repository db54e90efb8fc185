//! The rules on the page: the text that `rules` prints, examples of each piece's moves, and first steps.

use crate::engine::Variant;
use crate::records::json::{Object, array, string};
use crate::search::{FULL_SKILL, elo_of_level};

/// Returns the page's help for a game: its rules, in short too, first steps, a position for each piece
/// with its moves there and their effects, an example of a typed move, and the Elo of the lowest and the
/// full level.
pub(super) fn help(variant: Variant) -> Object {
    let mut session = variant.open();
    let typed = session.moves().into_iter().filter_map(|mv| {
        let san = session.san(&mv)?;
        Some(format!("{san}, {mv}"))
    });
    // A piece's letter says more than a pawn's move.
    let typed = typed.min_by_key(|text| !text.starts_with(char::is_uppercase));
    let examples: Vec<_> = (variant.info.examples.iter())
        .map(|&(name, square, fen)| {
            // A test plays them all.
            let _ = session.set_position(Some(fen), &[]);
            let view = session.board_view();
            let begins =
                |effect: &str| view.read_squares(effect).is_some_and(|[from, _]| from == square);
            let mut moves = view.effects();
            moves.retain(|effect| begins(effect));
            let texts = [name, square, fen].map(string).into_iter();
            array(texts.chain([string(&moves.join(" "))]))
        })
        .collect();
    let elo = [0, FULL_SKILL].map(|level| elo_of_level(level.into(), &variant.info.skill_elo));
    Object::new()
        .with("elo", array(elo))
        .with("rules", string(&variant.rules()))
        .with("short", blocks(variant.info.in_short))
        .with("steps", blocks(variant.info.first_steps))
        .with("typed", string(&typed.unwrap_or_default()))
        .with("examples", array(examples))
}

/// Returns blocks of lines `name: text`, parted by empty lines, as objects.
fn blocks(text: &str) -> String {
    let object = |block: &str| {
        let lines = block.lines().filter_map(|line| line.split_once(": "));
        lines.fold(Object::new(), |all, (name, text)| all.with(name, string(text)))
    };
    array(text.split("\n\n").map(object))
}
