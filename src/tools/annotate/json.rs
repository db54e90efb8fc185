//! Annotated games as JSON, a line each.

use super::{Annotated, MARKS};
use crate::records::json::{Object, array, string};
use crate::records::pgn::PlayedMove;

/// Returns a game with the accuracy of both sides, and of each move its score, mark, price and better line.
pub(super) fn json(game: &Annotated) -> Object {
    let Annotated { variant, record, accuracies, .. } = game;
    let tag = |name: &str| record.tag(name).map(string);
    Object::new()
        .with("variant", string(variant.info.name))
        .with_some("white", tag("White"))
        .with_some("black", tag("Black"))
        .with("result", string(&record.result))
        .with("accuracy", accuracies.json())
        .with("moves", array(record.moves.iter().map(of_move)))
}

fn of_move(played: &PlayedMove) -> Object {
    let mark = played.marks.iter().find(|mark| MARKS.iter().any(|(_, own)| mark == own));
    let better = played.variations.first().filter(|_| mark.is_some());
    let why = better.and_then(|line| line.comment.as_deref());
    let said = played.comment.as_deref().unwrap_or_default();
    let eval = said.split_once("[%eval ").and_then(|(_, rest)| rest.split([',', ']']).next());
    Object::new()
        .with("san", string(&played.text))
        .with_some("eval", eval.map(string))
        .with_some("mark", mark.map(|mark| string(mark)))
        .with_some("why", why.map(string))
        .with_some("better", better.map(|line| array(line.moves.iter().map(|mv| string(&mv.text)))))
}
