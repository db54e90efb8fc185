//! The accuracy of the moves of a game, in percent, by the result that a side can expect.
//!
//! The formulas are those of lichess (lichess.org/page/accuracy; `AccuracyPercent` of its source), with the expected
//! results of the game that was played in place of those of chess.

use super::json::{Object, string};
use crate::engine::Session;
use crate::games::Side;
use std::ops::RangeInclusive;

/// Moves of each side that are the opening.
const OPENING: usize = 10;
/// The ending begins where at most one of this many men of the first position is left.
const ENDING: usize = 3;

const PHASES: [&str; 3] = ["opening", "middle", "ending"];

/// A position of a game.
#[derive(Clone, Copy)]
pub struct Moment {
    to_move: Side,
    men: usize,
    /// The result that White can expect, from 0 to 1.
    white: f64,
}

impl Moment {
    /// Describes the position of a session, in which the side to move can expect a result.
    pub fn of(session: &dyn Session, expected: f64) -> Self {
        let to_move = session.to_move();
        let fen = session.fen();
        let placement = fen.split(' ').next().unwrap_or_default();
        let men = placement.chars().filter(char::is_ascii_alphabetic).count();
        Self { to_move, men, white: if to_move == Side::White { expected } else { 1.0 - expected } }
    }
}

/// The accuracy of a side: of all its moves, and of those of each phase in which it has any.
struct Accuracy {
    side: Side,
    whole: f64,
    phases: Vec<(&'static str, f64)>,
}

/// The accuracy of each side that has moved.
pub struct Accuracies(Vec<Accuracy>);

impl Accuracies {
    /// Judges the moves between the positions of a game.
    pub fn of(game: &[Moment]) -> Self {
        let white: Vec<_> = game.iter().map(|moment| 100.0 * moment.white).collect();
        let moves: Vec<_> = game
            .windows(2)
            .enumerate()
            .map(|(at, pair)| {
                let gain = 100.0 * (pair[1].white - pair[0].white);
                let loss = if pair[0].to_move == Side::White { -gain } else { gain };
                (pair[0].to_move, of_move(loss), weight(&white, at))
            })
            .collect();
        let first = game.first().map_or(0, |moment| moment.men);
        let is_ending = |moment: &Moment| ENDING * moment.men <= first;
        let ending = game.iter().position(is_ending).unwrap_or(usize::MAX);
        let phase = |at: usize| match at {
            _ if at >= ending => PHASES[2],
            _ if at < 2 * OPENING => PHASES[0],
            _ => PHASES[1],
        };
        let of_side = |side| {
            let mean = |wanted: Option<&str>| {
                let own = moves.iter().enumerate().filter(|(at, (mover, ..))| {
                    *mover == side && wanted.is_none_or(|wanted| phase(*at) == wanted)
                });
                mean(
                    &own.map(|(_, (_, accuracy, weight))| (*accuracy, *weight)).collect::<Vec<_>>(),
                )
            };
            let phases = PHASES.into_iter().filter_map(|phase| Some((phase, mean(Some(phase))?)));
            Some(Accuracy { side, whole: mean(None)?, phases: phases.collect() })
        };
        Self(Side::BOTH.into_iter().filter_map(of_side).collect())
    }

    /// Returns them as JSON, with the words for people.
    pub fn json(&self) -> Object {
        let number = |value: &f64| format!("{value:.1}");
        let all = self.0.iter().fold(Object::new(), |all, side| {
            let whole = Object::new().with("accuracy", number(&side.whole));
            let add = |all: Object, (phase, value): &(&str, f64)| all.with(phase, number(value));
            all.with(&side.side.letter().to_string(), side.phases.iter().fold(whole, add))
        });
        all.with("words", string(&self.words()))
    }

    /// Returns them for people: `Accuracy: White 81 % (opening 92, ending 70), Black 74 % (opening 74).`
    pub fn words(&self) -> String {
        let side = |each: &Accuracy| {
            let phases = each.phases.iter().map(|(phase, value)| format!("{phase} {value:.0}"));
            let phases = phases.collect::<Vec<_>>().join(", ");
            format!("{} {:.0} % ({phases})", each.side.title(), each.whole)
        };
        let sides: Vec<_> = self.0.iter().map(side).collect();
        format!("{BEGINNING}{}.", sides.join(", "))
    }
}

const BEGINNING: &str = "Accuracy: ";

/// Returns a remark without the words of [`Accuracies::words`].
pub fn without_accuracy(remark: &str) -> String {
    let begin = |side: &Side| remark.find(&format!("{BEGINNING}{} ", side.title()));
    let begin = Side::BOTH.iter().filter_map(begin).min();
    let end = |begin| Some((begin, begin + remark[begin..].find(").")? + 2));
    match begin.and_then(end) {
        Some((begin, end)) => {
            format!("{}{}", remark[..begin].trim_end(), &remark[end..]).trim().into()
        }
        None => remark.into(),
    }
}

/// Returns the accuracy of a move after which its side can expect this much less, in percent.
fn of_move(loss: f64) -> f64 {
    let loss = loss.max(0.0);
    (103.1668 * (-0.04354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Returns the weight of a move: how much the expected result moves to and fro in the positions that end with it, or the
/// first ones.
fn weight(white: &[f64], at: usize) -> f64 {
    const LENGTHS: RangeInclusive<usize> = 2..=8;
    // A tenth of the moves.
    let length = ((white.len() - 1) / 10).clamp(*LENGTHS.start(), *LENGTHS.end()).min(white.len());
    let begin = (at + 2).saturating_sub(length);
    let window = &white[begin..begin + length];
    let mean = window.iter().sum::<f64>() / length as f64;
    let variance = window.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / length as f64;
    variance.sqrt().clamp(0.5, 12.0)
}

/// Returns the mean of the weighted and the harmonic mean of accuracies with their weights; `None` without any.
fn mean(moves: &[(f64, f64)]) -> Option<f64> {
    let weights: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / weights;
    // A move without any accuracy would make the whole game one.
    let inverse: f64 = moves.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum();
    (!moves.is_empty()).then(|| f64::midpoint(weighted, moves.len() as f64 / inverse))
}
