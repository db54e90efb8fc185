//! The check of a recorded game: legal moves, to the stated end.

use super::pgn::{Record, read_result};
use crate::engine::{PositionError, Session};
use crate::games::{Outcome, Reason, result};
use crate::system::Cause;
use crate::system::text::shorten;

/// Plays the moves of a game in a session that is at its beginning, and checks the end that is
/// stated. `each` gets every move in coordinates, once it is played.
///
/// A draw that a player may claim, by repetition or the clock, ends a game only if it is its end.
pub fn check(
    record: &Record,
    session: &mut dyn Session,
    mut each: impl FnMut(&dyn Session, String),
) -> Result<(), Cause> {
    let mut was_claimable = false;
    for (number, mv) in (1..).zip(&record.moves) {
        let follows = |outcome: Outcome| {
            let (text, reason) = (shorten(&mv.text), outcome.reason.name());
            format!("move {number}, `{text}`, follows the end of the game by {reason}")
        };
        let outcome = session.outcome();
        if let Some(outcome) = outcome {
            if !matches!(outcome.reason, Reason::Repetition | Reason::Clock) {
                return Err(follows(outcome).into());
            }
            was_claimable = true;
        }
        let mv = match (session.play_san(&mv.text), outcome) {
            (Err(PositionError::San { .. }), Some(outcome)) => return Err(follows(outcome).into()),
            (played, _) => played?,
        };
        each(session, mv);
    }
    check_counts(record)?;
    let stated = record.tag("Reason").unwrap_or_default();
    let ends = |outcome: &Outcome| {
        // Who has played on may have ended the game in another way.
        !was_claimable || !outcome.reason.is_claimed() || outcome.reason.name() == stated
    };
    match session.outcome().filter(ends) {
        Some(outcome) => check_end(record, outcome)?,
        None => check_no_end(record)?,
    }
    Ok(())
}

/// Checks that the tags agree with the text of the moves, without playing them.
///
/// # Errors
///
/// They do not, as in a game that is torn. One that `match` wrote has a result behind its moves.
pub fn check_counts(record: &Record) -> Result<(), String> {
    let (result, plies) = (&record.result, record.moves.len());
    match (record.tag("Result"), record.tag("PlyCount")) {
        (Some(tag), _) if read_result(tag) != Some(result) => {
            Err(format!("the tag Result says `{}`, but `{result}` follows the moves", shorten(tag)))
        }
        (_, Some(tag)) if tag.parse() != Ok(plies) => {
            Err(format!("the tag PlyCount says `{}`, but there are {plies}", shorten(tag)))
        }
        _ if record.is_torn && record.tag("Reason").is_some() => {
            Err("no result follows the moves".into())
        }
        _ => Ok(()),
    }
}

/// Checks that the stated end is the end by the rules.
fn check_end(record: &Record, outcome: Outcome) -> Result<(), String> {
    let (result, reason) = (result(outcome.winner), outcome.reason.name());
    let stated = &record.result;
    if stated != result {
        return Err(format!("the result is {result} by {reason}, but `{stated}` is stated"));
    }
    match record.tag("Reason") {
        Some(stated) if stated != reason => {
            Err(format!("the game ends by {reason}, but its tag Reason says `{}`", shorten(stated)))
        }
        _ => Ok(()),
    }
}

/// Checks that no end by the rules is stated.
fn check_no_end(record: &Record) -> Result<(), String> {
    let stated = record.tag("Reason").unwrap_or_default();
    if Reason::ALL.iter().any(|reason| reason.name() == stated) {
        return Err(format!("the reason `{stated}` is stated, but the game is not over"));
    }
    Ok(())
}
