//! Annotated games as one page that needs nothing else: a board to step through them, what was said,
//! and a curve.

use super::{Annotated, Eval, Ply};
use crate::engine::Session;
use crate::records::json::{Object, array, string};
use crate::records::page;
use std::collections::BTreeMap;

const TEMPLATE: &str = include_str!("page.html");

/// Writes the page.
pub(super) fn write(games: &[Annotated]) -> String {
    let variants: BTreeMap<_, _> =
        games.iter().map(|game| (game.variant.info.name, game.variant)).collect();
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
    let about = [Some(name), tag("Event"), tag("Site"), tag("Date"), tag("Round")];
    let about: Vec<_> = about.into_iter().flatten().collect();
    let end = [Some(&*game.record.result), tag("Reason")];
    let end: Vec<_> = end.into_iter().flatten().collect();
    let mut session = game.variant.open();
    let fens = std::iter::once("").chain(game.plies.iter().map(|ply| &*ply.fen));
    let plies = (game.plies.iter().zip(fens)).map(|(each, before)| {
        ply(each, better_line(&mut *session, before, each).unwrap_or_default())
    });
    Object::new()
        .with("variant", string(name))
        .with("title", string(&title))
        .with("about", string(&about.join(", ")))
        .with("end", string(&end.join(" ")))
        .with_some("w", tag("White").map(string))
        .with_some("b", tag("Black").map(string))
        .with("plies", array(plies))
}

/// Returns the moves of a better line with the positions after them, if there is one.
fn better_line(session: &mut dyn Session, fen: &str, ply: &Ply) -> Option<Vec<Object>> {
    let texts: Vec<_> = ply.line.iter().map(String::as_str).collect();
    session.set_position(Some(fen), &[]).ok()?;
    let moves = session.read_line(&texts).ok()?;
    let after = |(mv, san): (&String, &&str)| {
        session.play(mv).ok()?;
        let object = Object::new().with("move", string(mv));
        Some((object.with("san", string(san))).with("fen", string(&session.fen())))
    };
    moves.iter().zip(&texts).map(after).collect()
}

fn ply(ply: &Ply, line: Vec<Object>) -> Object {
    let text = |text: &Option<String>| text.as_deref().map(string);
    let eval = ply.eval.map(Eval::comment).unwrap_or_default();
    let said = format!("{eval} {}", ply.comment.remark);
    Object::new()
        .with("fen", string(&ply.fen))
        .with("white", format!("{:.3}", ply.white))
        .with_some("move", text(&ply.mv))
        .with("san", string(&ply.san))
        .with("mark", string(ply.mark))
        .with("line", array(line))
        .with("said", string(said.trim()))
}
