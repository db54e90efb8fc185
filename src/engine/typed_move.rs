//! Moves as people type them: the legal move meant, or a refusal that names what would be legal.

use super::{IllegalCause, MoveFault, PositionError, Session};
use crate::text::SanError;
use std::fmt;

/// Legal moves named in a refusal.
const MOST_NAMED: usize = 12;
/// Longer words are no moves.
const LONGEST: usize = 20;

/// The reason why a typed text is no legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypedError {
    /// It does not look like a move. The text is quoted, or `this` if it is too long or not printable.
    NoMove(String),
    /// It looks like one; the sentence says why it is not legal, and what would be.
    Refused(String),
}

impl fmt::Display for TypedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMove(text) => write!(f, "{text} is not a move"),
            Self::Refused(sentence) => f.write_str(sentence),
        }
    }
}

impl std::error::Error for TypedError {}

/// Reads a legal move. Blanks do not matter, nor capitals where the move is clear without them.
///
/// # Errors
///
/// The text is no legal move, in words for the person who typed it.
pub fn read_typed_move(session: &dyn Session, text: &str) -> Result<String, TypedError> {
    let typed = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = typed.replace(' ', "");
    if text.chars().count() > LONGEST || text.contains(char::is_control) {
        return Err(TypedError::NoMove("this".into()));
    }
    let error = match session.read_san(&text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    if matches!(error, SanError::Ambiguous(..)) {
        return Err(TypedError::Refused(error.to_string()));
    }
    let lower = text.to_ascii_lowercase();
    spelling(session, &lower)
        .and_then(|text| session.read_san(&text).ok())
        .ok_or_else(|| refusal(session, &typed, &lower, error))
}

/// Adds the capitals of a move to a text in lower case, unless they are ambiguous: `bxc3` is no move
/// of a bishop.
fn spelling(session: &dyn Session, lower: &str) -> Option<String> {
    let mut rest = lower.chars();
    let first = rest.next()?;
    let is_file =
        |letter: char| (letter as usize).wrapping_sub('a' as usize) < session.info().files;
    match rest.clone().next()? {
        '0'..='9' => Some(lower.into()),
        '-' => Some(lower.to_ascii_uppercase()),
        _ if is_file(first) => None,
        _ => Some(format!("{}{}", first.to_ascii_uppercase(), rest.as_str())),
    }
}

/// Explains a text that means no legal move.
fn refusal(session: &dyn Session, text: &str, lower: &str, error: SanError) -> TypedError {
    let marks = ['+', '#', '!', '?'];
    if lower.starts_with("o-o") || lower.starts_with("0-0") {
        return TypedError::Refused(format!("{text} is not legal; castling is not possible now"));
    }
    let squares = lower.trim_end_matches(marks).replace(['-', 'x'], "");
    if let Err(PositionError::Move { fault, .. }) = session.san_line(&[squares]) {
        match fault {
            MoveFault::NeedsLetter { choices } => {
                return TypedError::Refused(incomplete(text, &choices));
            }
            MoveFault::Illegal { from, cause, .. } => {
                return TypedError::Refused(format!(
                    "{text} is not legal; {}",
                    worded(&from, &cause)
                ));
            }
            _ => {}
        }
    }
    let SanError::Illegal { there, .. } = error else {
        return TypedError::NoMove(format!("`{text}`"));
    };
    let plain = text.replace(' ', "");
    let begins = |san: &String| san.starts_with(plain.trim_end_matches(marks));
    let choices: Vec<_> = there.iter().filter(|san| begins(san)).cloned().collect();
    let sentence = match (&there[..], &choices[..]) {
        ([], _) => format!("{text} is not legal; no move goes there"),
        (_, []) => format!("{text} is not legal; moves to that square: {}", named(&there)),
        _ => incomplete(text, &choices),
    };
    TypedError::Refused(sentence)
}

fn incomplete(text: &str, choices: &[String]) -> String {
    let choices = named(choices);
    format!("{text} is incomplete; say what the piece becomes: {choices}")
}

/// Returns the reason why no move leads between two squares, as a person reads it.
fn worded(from: &str, cause: &IllegalCause) -> String {
    match cause {
        IllegalCause::NoPiece => format!("no piece stands on {from}"),
        IllegalCause::PieceOf(side) => format!("the piece on {from} is {}'s", side.title()),
        IllegalCause::Elsewhere(moves) => format!("moves from {from}: {}", named(moves)),
        IllegalCause::Immobile(moves) if moves.len() <= MOST_NAMED => {
            format!("the piece on {from} cannot move; legal moves: {}", moves.join(" "))
        }
        IllegalCause::Immobile(_) => format!("the piece on {from} cannot move"),
    }
}

fn named(moves: &[String]) -> String {
    match moves.get(..MOST_NAMED) {
        Some(first) if first.len() < moves.len() => format!("{} …", first.join(" ")),
        _ => moves.join(" "),
    }
}
