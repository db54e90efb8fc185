//! The questions of `query`, in one table.

use super::refusal::{Code, Refusal};
use crate::engine::{PositionError, Session, read_typed_move};
use crate::games::Side;
use crate::records::json::{Object, array, string};
use crate::records::{Accuracies, Moment};
use crate::search::Score;
use crate::system::text::shorten;
use Topic::{Line, Position, Scores};

enum Topic {
    /// About the position.
    Position(fn(&dyn Session) -> String),
    /// About a line of play from it.
    Line(fn(&dyn Session, &[&str]) -> Result<String, Refusal>),
    /// About lines with scores, in this form.
    Scores(&'static str, fn(&dyn Session, &[&str]) -> Result<String, Refusal>),
}

static QUESTIONS: [(&str, Topic); 17] = [
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
    ("accuracy", Scores(" SCORE MOVE SCORE ...", accuracy)),
    ("why", Scores(" SCORE MOVE ... instead SCORE MOVE ...", why)),
];

/// Returns true if moves follow a question.
pub fn takes_moves(name: &str) -> bool {
    let mut questions = QUESTIONS.iter();
    questions.any(|(question, topic)| *question == name && !matches!(topic, Position(_)))
}

/// Returns the forms of the command for `help`.
pub(super) fn forms() -> String {
    let form = |topic: &Topic| match topic {
        Position(_) => "",
        Line(_) => " MOVE ...",
        Scores(form, _) => form,
    };
    let line = |alike: &[(&str, Topic)]| {
        let names: Vec<_> = alike.iter().map(|(name, _)| *name).collect();
        format!("query {}{}", names.join("|"), form(&alike[0].1))
    };
    let lines = QUESTIONS.chunk_by(|(_, one), (_, next)| form(one) == form(next));
    lines.map(line).collect::<Vec<_>>().join("\n")
}

/// Answers the words after `query`.
pub(super) fn answer(session: &dyn Session, words: &[&str]) -> Result<String, Refusal> {
    let names = || QUESTIONS.each_ref().map(|(name, _)| *name).join(", ");
    let [name, moves @ ..] = words else {
        return Err(Refusal::new(Code::Syntax, format!("one of {} must follow", names())));
    };
    match QUESTIONS.iter().find(|(question, _)| question == name) {
        Some((_, Position(answer))) => Ok(answer(session)),
        Some((_, Line(answer) | Scores(_, answer))) => answer(session, moves),
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

/// Returns in words what the first move of a line gives away, against a better line; `none` if nothing is certain.
fn why(session: &dyn Session, words: &[&str]) -> Result<String, Refusal> {
    let form = "SCORE MOVE ... instead SCORE MOVE ... must follow";
    let refused = || Refusal::new(Code::Syntax, form);
    let parts: Vec<_> = words.split(|word| *word == "instead").collect();
    let [[played_score, played @ ..], [better_score, better @ ..]] = parts[..] else {
        return Err(refused());
    };
    if played.is_empty() || better.is_empty() {
        return Err(refused());
    }
    let [played_score, better_score] = [score(played_score)?, score(better_score)?];
    let line = session.read_line(played)?;
    let other = session.read_line(better).map_err(|fault| match fault {
        PositionError::San { number, fault } => {
            PositionError::San { number: number + played.len(), fault }
        }
        other => other,
    })?;
    let phrase = session.why((played_score, &line), (better_score, &other))?;
    Ok(phrase.unwrap_or_else(|| "none".into()))
}

/// Returns the accuracy of each side in a line of moves with the scores before and behind each, as JSON. In a position
/// that is over the result counts.
fn accuracy(session: &dyn Session, words: &[&str]) -> Result<String, Refusal> {
    if words.len().is_multiple_of(2) {
        return Err(Refusal::new(Code::Syntax, "SCORE MOVE SCORE ... must follow"));
    }
    let moves: Vec<_> = words.iter().skip(1).step_by(2).copied().collect();
    let mut moves = session.read_line(&moves)?.into_iter();
    let mut session = session.fork();
    let mut game = Vec::new();
    for word in words.iter().step_by(2) {
        let white = score(word)?;
        let to_move = session.to_move();
        let own = if to_move == Side::White { white } else { white.negated() };
        let expected = match session.outcome() {
            Some(outcome) => outcome.expected(to_move),
            None => session.info().score_model.expected_of(own),
        };
        game.push(Moment::of(&*session, expected));
        if let Some(mv) = moves.next() {
            session.play(&mv)?;
        }
    }
    Ok(Accuracies::of(&game).json().to_string())
}

/// Reads a score as `[%eval]` has it: `0.35` or `#-3`, with or without a depth behind it.
fn score(text: &str) -> Result<Score, Refusal> {
    let plain = text.split(',').next().unwrap_or_default();
    let score = match plain.strip_prefix('#') {
        Some(moves) => moves.parse::<i16>().ok().map(|moves| Score::Mate(moves.into())),
        None => {
            let pawns = plain.parse().ok().filter(|pawns: &f64| pawns.abs() < 1e6);
            pawns.map(|pawns| Score::Centipawns((100.0 * pawns).round() as i32))
        }
    };
    let fault = || format!("`{}` is not a score, such as 0.35 or #-3", shorten(text));
    score.ok_or_else(|| Refusal::new(Code::Value, fault()))
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
