//! Annotated games as one page that needs nothing else: a board to step through them, what was said,
//! and a curve.

use super::{Annotated, Ply};
use crate::engine::Variant;
use crate::records::json::{Object, array, string};
use std::collections::BTreeMap;

const TEMPLATE: &str = include_str!("page.html");

/// The page.
pub(super) fn write(games: &[Annotated]) -> String {
    let variants: BTreeMap<_, _> = games
        .iter()
        .map(|game| (game.variant.info.name, game.variant))
        .collect();
    let sets = variants
        .into_iter()
        .fold(Object::new(), |sets, (name, variant)| {
            sets.with(name, set(variant))
        });
    let data = Object::new()
        .with("sets", sets)
        .with("games", array(games.iter().map(game)));
    // Nothing in it can end the element that it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    TEMPLATE.replacen("@DATA@", &data, 1)
}

/// SVG parts for the boards of a game.
fn set(variant: Variant) -> Object {
    let parts = variant.open().picture_parts();
    let men = parts.men.iter().fold(Object::new(), |men, (letter, man)| {
        men.with(&letter.to_string(), string(man))
    });
    let strings = |texts: &[String; 2]| array(texts.iter().map(|text| string(text)));
    Object::new()
        .with("files", variant.info.files)
        .with("ranks", variant.info.ranks)
        .with("width", parts.size.0)
        .with("height", parts.size.1)
        .with("cell", parts.cell)
        .with("left", parts.corner.0)
        .with("top", parts.corner.1)
        .with("boards", strings(&parts.boards))
        .with("turns", array(parts.turns.iter().map(strings)))
        .with("men", men)
}

fn game(game: &Annotated) -> Object {
    let tag = |name| {
        let value = game.record.tag(name);
        value.filter(|value| !value.is_empty() && !value.starts_with('?'))
    };
    let name = game.variant.info.name;
    let title = match (tag("White"), tag("Black")) {
        (None, None) => name.to_string(),
        (white, black) => format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?")),
    };
    let about = [
        Some(name),
        tag("Event"),
        tag("Site"),
        tag("Date"),
        tag("Round"),
    ];
    let about: Vec<_> = about.into_iter().flatten().collect();
    let end = [Some(&*game.record.result), tag("Reason")];
    let end: Vec<_> = end.into_iter().flatten().collect();
    Object::new()
        .with("variant", string(name))
        .with("title", string(&title))
        .with("about", string(&about.join(", ")))
        .with("end", string(&end.join(" ")))
        .with("plies", array(game.plies.iter().map(ply)))
}

fn ply(ply: &Ply) -> Object {
    let text = |text: &Option<String>| text.as_deref().map(string);
    Object::new()
        .with("fen", string(&ply.fen))
        .with("white", format!("{:.3}", ply.white))
        .with_some("score", ply.eval.map(|eval| string(&eval.text())))
        .with_some("move", text(&ply.mv))
        .with("san", string(&ply.san))
        .with("mark", string(ply.mark))
        .with_some("better", text(&ply.better))
        .with("line", array(ply.line.iter().map(|mv| string(mv))))
        .with_some("remark", text(&ply.remark))
}
