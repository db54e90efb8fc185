//! Pages in HTML with boards, and what they share: the pictures of the games, styles, and the script that
//! draws the board, the list of moves and the curve.

use crate::engine::Variant;
use crate::records::json::{Object, array, string};

/// The colours and letters of every page.
pub const BASE_STYLE: &str = include_str!("base.css");
const STYLE: &str = include_str!("board.css");
const SCRIPTS: [&str; 4] = [
    include_str!("tree.js"),
    include_str!("board.js"),
    include_str!("moves.js"),
    include_str!("steps.js"),
];

/// Fills a page: `@STYLE@` and `@SCRIPT@` with the shared ones, `@DATA@` with an object, which
/// gets the pictures of games as `sets`.
pub fn fill(template: &str, variants: impl IntoIterator<Item = Variant>, data: Object) -> String {
    let sets = (variants.into_iter())
        .fold(Object::new(), |sets, variant| sets.with(variant.info.name, set(variant)));
    // Nothing in it can end the element that it stands in.
    let data = data.with("sets", sets).to_string();
    let data = data.replace('<', "\\u003c");
    let page = template.replacen("@STYLE@", &[BASE_STYLE, STYLE].concat(), 1);
    let page = page.replacen("@SCRIPT@", &SCRIPTS.concat(), 1);
    page.replacen("@DATA@", &data, 1)
}

/// Builds the SVG parts for the boards of a game.
fn set(variant: Variant) -> Object {
    let parts = variant.open().picture_parts();
    let model = variant.info.score_model;
    let men = parts
        .men
        .iter()
        .fold(Object::new(), |men, (letter, man)| men.with(&letter.to_string(), string(man)));
    let names = (parts.names.iter())
        .fold(Object::new(), |names, (letter, name)| names.with(&letter.to_string(), string(name)));
    let (files, ranks) = (variant.info.files, variant.info.ranks);
    Object::new()
        .with("files", files)
        .with("ranks", ranks)
        .with("start", string(variant.info.start))
        .with("starts", array(variant.info.other_starts.iter().map(|name| string(name))))
        .with("lead", model.lead)
        .with("spread", model.spread)
        .with("pawn", model.pawn())
        .with("width", files * parts.cell)
        .with("height", ranks * parts.cell)
        .with("cell", parts.cell)
        .with_some("wing", variant.info.second_wing)
        .with("men", men)
        .with("names", names)
}
