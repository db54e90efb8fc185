//! Moves as people type them: the legal move meant, or why there is none, and what would be legal.

use crate::engine::{IllegalCause, MoveFault, PositionError, Session};
use crate::records::pgn::without_number;
use crate::text::SanError;

/// Legal moves named in a refusal.
const MOST_NAMED: usize = 12;
/// Longer words are no moves.
const LONGEST: usize = 20;

/// Reads a legal move. Blanks do not matter, nor capitals where the move is clear without them.
pub(super) fn read(session: &dyn Session, text: &str) -> Result<String, String> {
    let text: String = text.split_whitespace().collect();
    let text = without_number(&text);
    if text.chars().count() > LONGEST || text.contains(char::is_control) {
        return Err("this is neither a move nor a command; `help` lists them".into());
    }
    let error = match session.read_san(text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    if matches!(error, SanError::Ambiguous(..)) {
        return Err(error.to_string());
    }
    let lower = text.to_ascii_lowercase();
    spelling(session, &lower)
        .and_then(|text| session.read_san(&text).ok())
        .ok_or_else(|| refusal(session, text, &lower, &error))
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
fn refusal(session: &dyn Session, text: &str, lower: &str, error: &SanError) -> String {
    let view = session.board_view();
    if let Some(squares) = view.read_squares(&lower.replace(['-', 'x'], ""))
        && let Err(PositionError::Move { fault, .. }) = session.san_line(&[squares.concat()])
    {
        return match fault {
            MoveFault::NeedsLetter { choices } => incomplete(text, &named(&choices, |_| true)),
            fault => format!("{text} is not legal; {}", worded(&fault)),
        };
    }
    if matches!(error, SanError::NotAMove(_)) {
        return format!("`{text}` is neither a move nor a command; `help` lists them");
    }
    let moves = session.moves();
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let sans_of = |wanted: &dyn Fn(&str) -> bool| {
        let moves = moves.iter().filter(|mv| wanted(mv));
        moves.filter_map(|mv| session.san(mv)).collect::<Vec<_>>()
    };
    let choices = named(&sans_of(&|_| true), |san| san.starts_with(bare));
    if !choices.is_empty() {
        return incomplete(text, &choices);
    }
    // Without what the piece becomes.
    let bare = bare.split('=').next().unwrap_or(bare);
    let goes_there = |mv: &str| {
        let squares = view.read_squares(mv);
        squares.is_some_and(|[_, to]| bare.ends_with(&to))
    };
    let there = named(&sans_of(&goes_there), |_| true);
    if there.is_empty() {
        return format!("{text} is not legal; no move goes there");
    }
    format!("{text} is not legal; moves to that square: {there}")
}

fn incomplete(text: &str, choices: &str) -> String {
    format!("{text} is incomplete; say what the piece becomes: {choices}")
}

/// The fault of two squares, as a person reads it.
fn worded(fault: &MoveFault) -> String {
    let all = |moves: &[String]| named(moves, |_| true);
    let (from, cause) = match fault {
        MoveFault::NeedsLetter { .. }
        | MoveFault::Misspelt { .. }
        | MoveFault::Castling
        | MoveFault::Unreadable { .. } => return fault.to_string(),
        MoveFault::Illegal { from, cause, .. } => (from, cause),
    };
    match cause {
        IllegalCause::NoPiece => format!("no piece stands on {from}"),
        IllegalCause::PieceOf(side) => format!("the piece on {from} is {}'s", side.title()),
        IllegalCause::Elsewhere(moves) => format!("moves from {from}: {}", all(moves)),
        IllegalCause::Immobile(moves) if moves.len() <= MOST_NAMED => {
            format!(
                "the piece on {from} cannot move; legal moves: {}",
                moves.join(" ")
            )
        }
        IllegalCause::Immobile(_) => format!("the piece on {from} cannot move"),
    }
}

fn named(moves: &[String], wanted: impl Fn(&str) -> bool) -> String {
    let mut moves = moves.iter().map(String::as_str).filter(|mv| wanted(mv));
    let mut text: Vec<_> = moves.by_ref().take(MOST_NAMED).collect();
    if moves.next().is_some() {
        text.push("…");
    }
    text.join(" ")
}
