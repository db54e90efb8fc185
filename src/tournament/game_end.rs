//! How a game ended, as a PGN, scripts and people read it.

use super::engines::player::Fault;
use crate::games::{Reason, Side};
use std::fmt;

/// Reason of a draw by `-maxmoves`.
pub(super) const TOO_LONG: &str = "the game is too long";
/// Reason of a draw by `-draw`.
pub(super) const EVEN: &str = "the scores are even";
/// Reason of a loss by `-resign`.
pub(super) const DECISIVE: &str = "the score is decisive";

/// Reason why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum GameEnd {
    Rules(Reason),
    /// One of the match's own rules.
    Adjudication(&'static str),
    /// A fault of the loser.
    Fault(Fault),
    /// Resignation of the loser.
    Resignation,
    /// A claim of a trusted engine.
    Claim,
    /// Anything else in words: an opening that cannot be played, or a tag of another program.
    Other(String),
}

impl GameEnd {
    /// Reads a tag `Reason`, the inverse of [`tag`](Self::tag).
    pub(super) fn of_tag(tag: &str) -> Self {
        let (kind, detail) = tag.split_once(": ").unwrap_or((tag, ""));
        match kind {
            "adjudication" => [TOO_LONG, EVEN, DECISIVE]
                .into_iter()
                .find(|why| *why == detail)
                .map_or(Self::Claim, Self::Adjudication),
            "time forfeit" => Self::Fault(Fault::Time),
            "illegal move" => Self::Fault(Fault::IllegalMove(detail.into())),
            "disconnected" => Self::Fault(Fault::Crash(detail.into())),
            "stalled" => Self::Fault(Fault::Hang),
            "wrong claim" => Self::Fault(Fault::Claim(String::new())),
            "resignation" => Self::Resignation,
            _ => Reason::ALL
                .into_iter()
                .find(|reason| reason.name() == tag)
                .map_or_else(|| Self::Other(tag.into()), Self::Rules),
        }
    }

    /// Returns the loser if it lost by a fault.
    pub(super) fn at_fault(&self, winner: Option<Side>) -> Option<Side> {
        let is_fault = matches!(self, Self::Fault(_));
        winner.filter(|_| is_fault).map(|winner| !winner)
    }

    /// Returns the tag `Reason` of a PGN.
    pub(super) fn tag(&self) -> String {
        match self {
            Self::Rules(reason) => reason.name().into(),
            Self::Adjudication(why) => format!("adjudication: {why}"),
            Self::Fault(Fault::IllegalMove(mv)) => format!("illegal move: {mv}"),
            Self::Fault(Fault::Crash(why)) => format!("disconnected: {why}"),
            Self::Fault(fault) => fault.name().into(),
            Self::Resignation => "resignation".into(),
            Self::Claim => "adjudication: an engine that is trusted says so".into(),
            Self::Other(text) => text.clone(),
        }
    }

    /// Returns the sentence that cutechess-cli prints.
    pub(super) fn sentence(&self, winner: Option<Side>) -> String {
        let name = Side::title;
        if let Self::Other(text) = self {
            return text.clone();
        }
        let Some(winner) = winner else {
            return match self {
                Self::Rules(Reason::Repetition) => "Draw by 3-fold repetition".into(),
                Self::Rules(Reason::Material) => "Draw by insufficient mating material".into(),
                Self::Rules(Reason::Clock) => "Draw by moves rule".into(),
                Self::Rules(reason) => format!("Draw by {}", reason.name()),
                Self::Adjudication(TOO_LONG) => "Draw by adjudication: maximal game length".into(),
                Self::Adjudication(_) | Self::Claim => "Draw by adjudication".into(),
                _ => format!("No result: {}", self.tag()),
            };
        };
        let (winner, loser) = (name(winner), name(!winner));
        match self {
            Self::Rules(Reason::Checkmate) => format!("{winner} mates"),
            Self::Rules(reason) => format!("{winner} wins: {}", reason.name().replace('-', " ")),
            Self::Fault(Fault::Time) => format!("{loser} loses on time"),
            Self::Fault(Fault::IllegalMove(mv)) => format!("{loser} makes an illegal move: {mv}"),
            Self::Fault(Fault::Crash(_)) => format!("{loser} disconnects"),
            Self::Fault(Fault::Hang) => format!("{loser}'s connection stalls"),
            Self::Fault(Fault::Claim(_)) => {
                format!("{winner} wins by adjudication: {loser} makes a wrong result claim")
            }
            Self::Resignation => format!("{loser} resigns"),
            _ => format!("{winner} wins by adjudication"),
        }
    }

    /// Returns the tag `Termination` of a PGN.
    pub(super) fn termination(&self) -> &'static str {
        match self {
            Self::Rules(_) | Self::Resignation => "normal",
            Self::Fault(fault) => fault.name(),
            Self::Adjudication(_) | Self::Claim => "adjudication",
            Self::Other(_) => "unterminated",
        }
    }
}

/// Completes a sentence that begins with the name of the engine at fault.
impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            _ => f.write_str(&self.tag()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_read_as_they_are_written() {
        let mut ends = vec![
            GameEnd::Adjudication(TOO_LONG),
            GameEnd::Adjudication(EVEN),
            GameEnd::Adjudication(DECISIVE),
            GameEnd::Fault(Fault::IllegalMove("a1b7".into())),
            GameEnd::Fault(Fault::Crash("it slept".into())),
            GameEnd::Fault(Fault::Time),
            GameEnd::Fault(Fault::Hang),
            GameEnd::Fault(Fault::Claim(String::new())),
            GameEnd::Resignation,
            GameEnd::Claim,
            GameEnd::Other("boredom".into()),
        ];
        ends.extend(Reason::ALL.map(GameEnd::Rules));
        for end in ends {
            assert_eq!(GameEnd::of_tag(&end.tag()), end);
        }
    }
}
