//! Moves as people type them: what is meant, and if nothing is, why not, and what would be
//! legal.

use crate::engine::Session;
use crate::games::Side;
use crate::text::SanError;

/// How many legal moves are named.
const MOST_NAMED: usize = 12;
/// Longer words are no moves.
const LONGEST: usize = 20;

/// The legal move that a text means, as the engine writes it. Blanks do not matter, nor capitals
/// where the move is clear without them.
///
/// # Errors
///
/// What is wrong with it, for people.
pub fn read(session: &dyn Session, text: &str) -> Result<String, String> {
    let text: String = text.split_whitespace().collect();
    if text.chars().count() > LONGEST || text.contains(char::is_control) {
        return Err("this is neither a move nor a command; `help` lists them".into());
    }
    let error = match session.read_san(&text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    if matches!(error, SanError::Ambiguous(..)) {
        return Err(error.to_string());
    }
    let lower = text.to_ascii_lowercase();
    spelling(session, &lower)
        .and_then(|text| session.read_san(&text).ok())
        .ok_or_else(|| refusal(session, &text, &lower, &error))
}

/// A text in lower case with the capitals that a move has, where it can be but one: `bxc3` is not
/// one of a bishop.
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

/// What is wrong with a text that means no legal move.
fn refusal(session: &dyn Session, text: &str, lower: &str, error: &SanError) -> String {
    let view = session.board_view();
    if let Some([from, to]) = view.read_squares(&lower.replace(['-', 'x'], "")) {
        let fault = fault_of_squares(session, &from, &to);
        return format!("{text} is not legal; {fault}");
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
        return format!("{text} is not all; say what the piece becomes: {choices}");
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
    format!("{text} is not legal; there go {there}")
}

/// Why no legal move leads from one square to another, or why it is not clear which.
fn fault_of_squares(session: &dyn Session, from: &str, to: &str) -> String {
    let view = session.board_view();
    let us = session.to_move();
    match view.owner(from) {
        None => return format!("no piece stands on {from}"),
        Some(side) if side != us => return format!("the piece on {from} is {}'s", called(side)),
        Some(_) => {}
    }
    let moves = session.moves();
    let goes = |mv: &str, wanted: &[&str]| {
        let squares = view.read_squares(mv);
        squares.is_some_and(|squares| squares.iter().zip(wanted).all(|(one, other)| one == other))
    };
    let choices = named(&moves, |mv| goes(mv, &[from, to]));
    if !choices.is_empty() {
        return format!("say what the piece becomes: {choices}");
    }
    let from_there = named(&moves, |mv| goes(mv, &[from]));
    if !from_there.is_empty() {
        return format!("from {from} there are {from_there}");
    }
    let mut text = format!("the piece on {from} cannot move");
    if moves.len() <= MOST_NAMED {
        text += &format!("; there are {}", moves.join(" "));
    }
    text
}

/// Some of the moves.
fn named(moves: &[String], wanted: impl Fn(&str) -> bool) -> String {
    let mut moves = moves.iter().map(String::as_str).filter(|mv| wanted(mv));
    let mut text: Vec<_> = moves.by_ref().take(MOST_NAMED).collect();
    if moves.next().is_some() {
        text.push("…");
    }
    text.join(" ")
}

/// A side, for people.
pub fn called(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}
