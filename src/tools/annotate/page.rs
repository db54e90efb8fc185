//! Annotated games as one page that needs nothing else: a board to step through them, what was said,
//! and a curve.

use super::{Annotated, Ply};
use crate::records::json::{Object, array, string};
use crate::records::page;
use std::collections::BTreeMap;

const TEMPLATE: &str = include_str!("page.html");

/// Writes the page.
pub(super) fn write(games: &[Annotated]) -> String {
    let variants: BTreeMap<_, _> = games
        .iter()
        .map(|game| (game.variant.info.name, game.variant))
        .collect();
    let data = Object::new().with("games", array(games.iter().map(game)));
    page::fill(TEMPLATE, variants.into_values(), data)
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
    let remark = Some(&ply.comment.remark).filter(|remark| !remark.is_empty());
    Object::new()
        .with("fen", string(&ply.fen))
        .with("white", format!("{:.3}", ply.white))
        .with_some("score", ply.eval.map(|eval| string(&eval.text())))
        .with_some("move", text(&ply.mv))
        .with("san", string(&ply.san))
        .with("mark", string(ply.mark))
        .with_some("better", text(&ply.better))
        .with("line", array(ply.line.iter().map(|mv| string(mv))))
        .with_some("remark", remark.map(|remark| string(remark)))
}
