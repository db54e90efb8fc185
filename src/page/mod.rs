//! The page: a board in one file of HTML. `board` serves it, and saves it with the engine inside; `annotate` saves it
//! with games inside.

mod help;
mod inside;

pub use inside::{engine_inside, without_engine};

use crate::engine::Variant;
use crate::records::json::{Object, array, string};

/// The colours and letters of every page.
pub const BASE_STYLE: &str = include_str!("base.css");
const TEMPLATE: &str = include_str!("page.html");
/// The script of the page, a file a subject, each with one name: data and words first, the wiring last.
const SCRIPTS: [&str; 38] = [
    include_str!("tree.js"),
    include_str!("picture.js"),
    include_str!("moves.js"),
    include_str!("pgn.js"),
    include_str!("game_file.js"),
    include_str!("dialogs.js"),
    include_str!("dialogue.js"),
    include_str!("clock.js"),
    include_str!("record.js"),
    include_str!("kept.js"),
    include_str!("modes.js"),
    include_str!("state.js"),
    include_str!("words.js"),
    include_str!("findings.js"),
    include_str!("targets.js"),
    include_str!("control.js"),
    include_str!("hints.js"),
    include_str!("steps.js"),
    include_str!("sound.js"),
    include_str!("motion.js"),
    include_str!("settings.js"),
    include_str!("rules.js"),
    include_str!("analysis.js"),
    include_str!("lessons.js"),
    include_str!("best_lines.js"),
    include_str!("whole_game.js"),
    include_str!("practice.js"),
    include_str!("games.js"),
    include_str!("lasts.js"),
    include_str!("strength.js"),
    include_str!("begin.js"),
    include_str!("result.js"),
    include_str!("learn.js"),
    include_str!("share.js"),
    include_str!("set_up.js"),
    include_str!("files.js"),
    include_str!("board.js"),
    include_str!("page.js"),
];

/// Fills the page. `program` has facts that the scripts know by this name: of the program, and the games inside. `head`
/// is that of a file, or empty: then `@NONCE@` stays, for the answer of a server.
pub fn page(variants: &[Variant], program: Object, head: &str) -> String {
    let of_each = |facts: fn(Variant) -> Object| {
        let add = |all: Object, variant: &Variant| all.with(variant.info.name, facts(*variant));
        variants.iter().fold(Object::new(), add)
    };
    let data = Object::new().with("sets", of_each(set)).with("help", of_each(help::help));
    // Nothing in it can end the element that it stands in.
    let data = data.with("program", program).to_string().replace('<', "\\u003c");
    let style = [BASE_STYLE, include_str!("board.css"), include_str!("page.css")].concat();
    let nonce = if head.is_empty() { " nonce=\"@NONCE@\"" } else { "" };
    let page = TEMPLATE.replace(" nonce", nonce);
    let parts =
        [("@HEAD@", head), ("@STYLE@", &style), ("@SCRIPT@", &SCRIPTS.concat()), ("@DATA@", &data)];
    // The data, in which any text may stand, come last.
    parts.into_iter().fold(page, |page, (name, text)| page.replacen(name, text, 1))
}

/// Returns the SVG parts for the boards of a game.
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
        .with("draws", variant.info.has_draws)
        .with("men", men)
        .with("names", names)
}
