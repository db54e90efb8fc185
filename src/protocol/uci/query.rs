//! The questions of `query`, in one table.

use super::refusal::{Code, Refusal};
use crate::engine::{Session, read_typed_move};
use crate::games::Side;
use crate::records::json::{Object, array, string};
use Topic::{Line, Position};

enum Topic {
    /// About the position.
    Position(fn(&dyn Session) -> String),
    /// About a line of play from it.
    Line(fn(&dyn Session, &[&str]) -> Result<String, Refusal>),
}

static QUESTIONS: [(&str, Topic); 15] = [
    ("fen", Position(|session| session.fen())),
    ("moves", Position(|session| unless_over(session, |session| session.moves()))),
    ("effects", Position(|session| unless_over(session, |session| session.board_view().effects()))),
    ("gameover", Position(|session| session.outcome().is_some().to_string())),
    ("p1turn", Position(|session| is_p1(session, session.to_move()).to_string())),
    ("result", Position(|session| result(session).into())),
    (
        "reason",
        Position(|session| {
            let outcome = session.outcome();
            outcome.map_or("none", |outcome| outcome.reason.name()).into()
        }),
    ),
    ("check", Position(|session| session.is_check().to_string())),
    ("key", Position(|session| format!("{:016x}", session.key()))),
    ("table", Position(solved)),
    ("san", Line(|session, moves| Ok(session.san_line(&owned(moves))?.join(" ")))),
    ("after", Line(|session, moves| Ok(session.fen_after(&owned(moves))?))),
    ("coordinates", Line(|session, moves| Ok(session.read_line(moves)?.join(" ")))),
    (
        "typed",
        Line(|session, words| {
            let text = words.join(" ");
            Ok(read_typed_move(session, &text)?)
        }),
    ),
    ("node", Line(nodes)),
];

/// Returns true if moves follow a question.
pub fn takes_moves(name: &str) -> bool {
    let mut questions = QUESTIONS.iter();
    questions.any(|(question, answer)| *question == name && matches!(answer, Line(_)))
}

/// Returns the forms of the command for `help`.
pub(super) fn forms() -> String {
    let names = |with_moves| {
        let names = QUESTIONS.iter().map(|(name, _)| *name);
        let names: Vec<_> = names.filter(|name| takes_moves(name) == with_moves).collect();
        names.join("|")
    };
    format!("query {}\nquery {} MOVE ...", names(false), names(true))
}

/// Answers the words after `query`.
pub(super) fn answer(session: &dyn Session, words: &[&str]) -> Result<String, Refusal> {
    let names = || QUESTIONS.each_ref().map(|(name, _)| *name).join(", ");
    let [name, moves @ ..] = words else {
        return Err(Refusal::new(Code::Syntax, format!("one of {} must follow", names())));
    };
    match QUESTIONS.iter().find(|(question, _)| question == name) {
        Some((_, Position(answer))) => Ok(answer(session)),
        Some((_, Line(answer))) => answer(session, moves),
        None => {
            let text = format!("`{name}` is not one of {}", names());
            Err(Refusal::new(Code::UnknownQuestion, text))
        }
    }
}

/// Returns the facts of the position and of those behind each of the moves, which may be in SAN, as JSON.
fn nodes(session: &dyn Session, moves: &[&str]) -> Result<String, Refusal> {
    let mut session = session.fork();
    let node = |session: &dyn Session| {
        let effects = unless_over(session, |session| session.board_view().effects());
        facts(session).with("effects", string(&effects))
    };
    let mut nodes = vec![node(&*session)];
    for mv in session.read_line(moves)? {
        let san = session.san(&mv).map(|san| string(&san));
        session.play(&mv)?;
        nodes.push(node(&*session).with("move", string(&mv)).with_some("san", san));
    }
    Ok(array(nodes))
}

/// Returns the facts of a position, without its moves.
pub fn facts(session: &dyn Session) -> Object {
    let over = session.outcome().map(|outcome| {
        let winner = outcome.winner.map(|side| string(&side.letter().to_string()));
        Object::new().with("reason", string(outcome.reason.name())).with_some("winner", winner)
    });
    Object::new()
        .with("fen", string(&session.fen()))
        .with("check", session.is_check())
        .with("table", string(&solved(session)))
        .with_some("over", over)
}

fn owned(moves: &[&str]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn unless_over(session: &dyn Session, list: fn(&dyn Session) -> Vec<String>) -> String {
    match session.outcome() {
        Some(_) => String::new(),
        None => list(session).join(" "),
    }
}

fn is_p1(session: &dyn Session, side: Side) -> bool {
    side == session.info().first
}

fn result(session: &dyn Session) -> &'static str {
    match session.outcome().map(|outcome| outcome.winner) {
        None => "none",
        Some(None) => "draw",
        Some(Some(winner)) if is_p1(session, winner) => "p1win",
        Some(Some(_)) => "p2win",
    }
}

fn solved(session: &dyn Session) -> String {
    match session.solved() {
        None => "none".into(),
        Some(value) => match value.plies() {
            None => value.name().into(),
            Some(plies) => format!("{} {plies}", value.name()),
        },
    }
}
