//! The mouse of a person at XBoard's board. It lifts a piece and puts it down again. XBoard asks
//! the engine for the piece's targets (`highlight`) and promotions (`choice`). If it was started
//! with the right switches, it then sends the move.

use crate::engine::Session;
use crate::games::rank_text;
use crate::text::Target;
use std::time::{Duration, Instant};

/// The switches that XBoard needs for games that it does not know. With them it does not judge
/// moves, asks for a piece's targets and promotions, lets the engine click, and declares no draws.
pub const XBOARD_SWITCHES: &str = "-testLegality false -showTargetSquares true \
                                   -sweepPromotions true -oneClickMove true -ruleMoves 0 \
                                   -repeatsToDraw 0";
/// XBoard sends a move as soon as a person clicks a target; after this time it never will.
const HELD_BACK: Duration = Duration::from_secs(5);

/// The state of the mouse.
#[derive(Default)]
pub(super) struct Mouse {
    /// The square of the lifted piece; empty if there is none.
    lifted: String,
    /// The time when the piece was put down, if XBoard still owes its move.
    put: Option<Instant>,
    /// True once the client was advised how to start XBoard.
    has_advised: bool,
}

impl Mouse {
    /// Lifts the piece on a square.
    pub(super) fn lift(&mut self, from: &str) {
        self.lifted = from.to_string();
    }

    /// Lets go of the piece. Returns true if a move begins on its square.
    pub(super) fn release(&mut self, mv: &str) -> bool {
        let lifted = std::mem::take(&mut self.lifted);
        !lifted.is_empty() && mv.starts_with(&lifted)
    }

    /// Puts the lifted piece on a square. Returns the letters of its promotions there, if it has any.
    pub(super) fn put(&mut self, session: &dyn Session, to: &str) -> Option<String> {
        let targets = self.targets(session);
        let target = targets.into_iter().find(|target| target.square == to)?;
        // A person may take time to choose.
        self.put = (target.becomes.len() < 2).then(Instant::now);
        (!target.becomes.is_empty()).then(|| target.becomes.into_iter().collect())
    }

    /// Returns the targets of the lifted piece; none when the game is over.
    fn targets(&self, session: &dyn Session) -> Vec<Target> {
        match session.outcome() {
            Some(_) => Vec::new(),
            None => session.board_view().targets(&self.lifted),
        }
    }

    /// Returns the time left for XBoard to send the move that it owes; `None` if it owes none.
    pub(super) fn held_back(&self) -> Option<Duration> {
        Some(HELD_BACK.saturating_sub(self.put?.elapsed()))
    }

    /// Notes that XBoard owes no move.
    pub(super) fn settle(&mut self) {
        self.put = None;
    }

    /// Advises once how to start XBoard, when it holds a move back or leaves out a promotion.
    pub(super) fn advice(&mut self, session: &dyn Session) -> Option<String> {
        self.put = None;
        if std::mem::replace(&mut self.has_advised, true) {
            return None;
        }
        let variant = session.info().name;
        Some(format!(
            "XBoard cannot continue with these settings. Start it with -variant {variant} \
             {XBOARD_SWITCHES}"
        ))
    }

    /// Returns the targets of the lifted piece as marks of XBoard: `Y` for quiet moves, `R` for
    /// captures, `B` where the piece changes by itself, `M` where the person chooses. There are
    /// none on a board that is not the true one.
    pub(super) fn marks(&self, session: &dyn Session, is_board_in_sync: bool) -> String {
        let info = session.info();
        let targets = if is_board_in_sync { self.targets(session) } else { Vec::new() };
        let mark = |square: String| {
            let target = targets.iter().find(|target| target.square == square)?;
            Some(match target.becomes.len() {
                0 if target.captures => 'R',
                0 => 'Y',
                1 => 'B',
                _ => 'M',
            })
        };
        let files = (b'a'..).take(info.files).map(char::from);
        let ranks = (1..=info.ranks).rev();
        let ranks =
            ranks.map(|rank| rank_text(files.clone().map(|file| mark(format!("{file}{rank}")))));
        ranks.collect::<Vec<_>>().join("/")
    }
}
