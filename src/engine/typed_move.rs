//! Moves as people type them: the legal move meant, or a refusal that names what would be legal.

use super::messages::named;
use super::{IllegalCause, MoveFault, PositionError, Session};
use crate::text::SanError;
use std::fmt;

/// Longer words are no moves.
const LONGEST: usize = 20;

/// The reason why a typed text is no legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypedError {
    /// It does not look like a move. The text is quoted, or `this` if it is too long or not printable.
    NoMove(String),
    /// It looks like one, but is not legal.
    Illegal(String, IllegalCause),
    /// It lacks what the piece becomes; these moves have it.
    Incomplete(String, Vec<String>),
    /// It could be several legal moves.
    Ambiguous(SanError),
}

impl fmt::Display for TypedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMove(text) => write!(f, "{text} is not a move"),
            Self::Illegal(text, cause) => write!(f, "{text} is not legal; {cause}"),
            Self::Incomplete(text, choices) => {
                let choices = named(choices);
                write!(f, "{text} is incomplete; say what the piece becomes: {choices}")
            }
            Self::Ambiguous(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TypedError {}

/// Reads a legal move. Blanks do not matter, nor capitals where the move is clear without them.
///
/// # Errors
///
/// The text is no legal move. The words are for the person who typed it.
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
        return Err(TypedError::Ambiguous(error));
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
    let illegal = |cause| TypedError::Illegal(text.into(), cause);
    if lower.starts_with("o-o") || lower.starts_with("0-0") {
        return illegal(IllegalCause::Castling);
    }
    let squares = lower.trim_end_matches(marks).replace(['-', 'x'], "");
    if let Err(PositionError::Move { fault, .. }) = session.san_line(&[squares]) {
        match fault {
            MoveFault::NeedsLetter { choices } => {
                return TypedError::Incomplete(text.into(), choices);
            }
            MoveFault::Illegal { cause, .. } => return illegal(cause),
            _ => {}
        }
    }
    let SanError::Illegal { there, .. } = error else {
        return TypedError::NoMove(format!("`{text}`"));
    };
    let plain = text.replace(' ', "");
    let begins = |san: &&String| san.starts_with(plain.trim_end_matches(marks));
    let choices: Vec<_> = there.iter().filter(begins).cloned().collect();
    if choices.is_empty() {
        illegal(IllegalCause::OthersThere(there))
    } else {
        TypedError::Incomplete(text.into(), choices)
    }
}
