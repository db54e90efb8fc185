//! The game that is played: its moves, its clocks, how it ended, and its PGN.

use super::pace::Pace;
use crate::engine::{Engine, PositionError, Variant};
use crate::games::{Outcome, Side, result};
use crate::protocol::NAME;
use crate::records::pgn::{PlayedMove, Record};
use crate::system::date;
use std::time::Duration;

/// A game, but for its position, which is the engine's.
pub(super) struct CasualGame {
    /// The game that is played.
    pub variant: Variant,
    /// The position that it began with; `None` for the start.
    pub fen: Option<String>,
    pub person: Side,
    /// Time control.
    pub pace: Pace,
    /// Clocks of White and Black.
    pub clocks: [Duration; 2],
    /// Turns so far.
    pub turns: Vec<Turn>,
    /// The end, once the game is over.
    pub end: Option<End>,
}

/// A move that was played.
pub(super) struct Turn {
    /// The move as the engine writes it.
    mv: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The clocks before it.
    clocks: [Duration; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Rules(Outcome),
    /// A side has resigned.
    Resigned(Side),
    /// A side has no time left.
    Time(Side),
    /// Both agreed on a draw.
    Agreed,
}

impl End {
    fn winner(self) -> Option<Side> {
        match self {
            Self::Rules(outcome) => outcome.winner,
            Self::Resigned(loser) | Self::Time(loser) => Some(!loser),
            Self::Agreed => None,
        }
    }

    /// Returns the reason for the end, in the words of PGN.
    fn reason(self) -> &'static str {
        match self {
            Self::Rules(outcome) => outcome.reason.name(),
            Self::Resigned(_) => "resignation",
            Self::Time(_) => "time forfeit",
            Self::Agreed => "agreement",
        }
    }

    /// Describes winner and reason, for people.
    pub(super) fn sentence(self) -> String {
        let winner = match self.winner() {
            Some(side) => format!("{} has won", side.title()),
            None => "a draw".into(),
        };
        let reason = match self {
            Self::Rules(Outcome { reason, .. }) => {
                format!("{} ({})", reason.meaning(), reason.name())
            }
            Self::Resigned(side) => format!("{} has resigned", side.title()),
            Self::Time(side) => format!("{} has no time left", side.title()),
            Self::Agreed => "both have agreed".into(),
        };
        format!("{}, {winner}: {reason}.", result(self.winner()))
    }
}

impl CasualGame {
    /// Begins another game on the engine's board.
    pub(super) fn begin(&mut self, engine: &mut Engine) -> Result<(), PositionError> {
        engine.session_mut().set_position(self.fen.as_deref(), &[])?;
        self.turns.clear();
        self.clocks = [self.pace.begin(); 2];
        self.end = engine.session().outcome().map(End::Rules);
        Ok(())
    }

    /// Begins the clocks anew with another time control. What is taken back later, even from before,
    /// leaves at least these.
    pub(super) fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
        self.clocks = [pace.begin(); 2];
        for turn in &mut self.turns {
            turn.clocks = self.clocks;
        }
    }

    /// Plays a legal move after so much thought. It is not played if that took all the time.
    pub(super) fn play(
        &mut self,
        engine: &mut Engine,
        mv: &str,
        thought: Duration,
    ) -> Result<(), PositionError> {
        let side = engine.session().to_move();
        let clocks = self.clocks;
        if let Pace::Clock { increment, .. } = self.pace {
            let Some(left) = clocks[side.index()].checked_sub(thought) else {
                self.end = Some(End::Time(side));
                return Ok(());
            };
            self.clocks[side.index()] = left + increment;
        }
        let session = engine.session_mut();
        let san = session.san(mv).unwrap_or_default();
        if let Err(error) = session.play(mv) {
            self.clocks = clocks;
            return Err(error);
        }
        self.end = session.outcome().map(End::Rules);
        self.turns.push(Turn { mv: mv.to_string(), san, clocks });
        Ok(())
    }

    /// Takes back what ended the game if it was no move, or else the person's last move and what
    /// followed it. Returns whether there was anything.
    pub(super) fn undo(&mut self, engine: &mut Engine) -> bool {
        if matches!(self.end, Some(End::Resigned(_) | End::Time(_) | End::Agreed)) {
            self.end = None;
            return true;
        }
        let persons_turn = engine.session().to_move() == self.person;
        let back = if persons_turn { 2 } else { 1 };
        let Some(left) = self.turns.len().checked_sub(back) else {
            return false;
        };
        self.clocks = self.turns[left].clocks;
        self.turns.truncate(left);
        self.end = None;
        let moves: Vec<_> = self.turns.iter().map(|turn| turn.mv.as_str()).collect();
        let session = engine.session_mut();
        let played = session.set_position(self.fen.as_deref(), &moves);
        debug_assert!(played.is_ok(), "what was played can be played again");
        true
    }

    /// Returns the game so far in PGN; nothing if nothing has happened.
    pub(super) fn pgn(&self, level: usize) -> String {
        if self.turns.is_empty() {
            return String::new();
        }
        let score = self.end.map_or("*", |end| result(end.winner()));
        let player = |side| {
            if side == self.person { "Human".to_string() } else { format!("{NAME}, level {level}") }
        };
        let mut tags = vec![
            ("Event", "Casual game".to_string()),
            ("Site", "?".into()),
            ("Date", date::today()),
            ("Round", "-".into()),
            ("White", player(Side::White)),
            ("Black", player(Side::Black)),
            ("Result", score.into()),
            ("Variant", self.variant.info.name.into()),
        ];
        if let Some(fen) = &self.fen {
            tags.extend([("SetUp", "1".into()), ("FEN", fen.clone())]);
        }
        tags.push(("PlyCount", self.turns.len().to_string()));
        tags.push(("TimeControl", self.pace.tag()));
        tags.extend(self.end.map(|end| ("Reason", end.reason().into())));
        let moves = self.turns.iter().map(|turn| PlayedMove::new(&turn.san));
        let record = Record {
            tags: (tags.into_iter()).map(|(name, value)| (name.to_string(), value)).collect(),
            moves: moves.collect(),
            result: score.into(),
            start: self.variant.info.start.into(),
            ..Record::default()
        };
        record.to_string()
    }
}
