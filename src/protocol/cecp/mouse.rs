//! The mouse of a person at XBoard's board. It lifts a piece and puts it down again; XBoard asks
//! the engine where the piece can go (`highlight`) and what it becomes there (`choice`), and then
//! sends the move, if it was started with the right switches.

use crate::engine::Session;
use crate::text::Target;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The switches of XBoard without which an engine cannot play games that XBoard does not
/// know: it must not judge moves itself, must ask which squares a piece can go to and what a
/// pawn becomes, must let the engine click, and must not declare draws.
pub const XBOARD_SWITCHES: &str = "-testLegality false -showTargetSquares true \
                                   -sweepPromotions true -oneClickMove true -ruleMoves 0 \
                                   -repeatsToDraw 0";
/// XBoard plays a move at once when the person has clicked where the lifted piece can go;
/// after this long it never will.
const HELD_BACK: Duration = Duration::from_secs(5);

/// Where the mouse is.
#[derive(Default)]
pub(super) struct Mouse {
    /// The square of the piece that was lifted; empty if there is none.
    lifted: String,
    /// Since when XBoard should have sent the move of the piece that was put down.
    put: Option<Instant>,
    /// Whether the client was told how to start XBoard.
    has_advised: bool,
}

impl Mouse {
    /// Lifts the piece on a square.
    pub(super) fn lift(&mut self, from: &str) {
        self.lifted = from.to_string();
    }

    /// Lets go of the piece. Returns whether a move is one of it.
    pub(super) fn release(&mut self, mv: &str) -> bool {
        let lifted = std::mem::take(&mut self.lifted);
        !lifted.is_empty() && mv.starts_with(&lifted)
    }

    /// The lifted piece was put on a square: the letters of what it can become there, if it
    /// becomes anything.
    pub(super) fn put(&mut self, session: &dyn Session, to: &str) -> Option<String> {
        let targets = self.targets(session);
        let target = targets.into_iter().find(|target| target.square == to)?;
        // A person may take time to choose.
        self.put = (target.becomes.len() < 2).then(Instant::now);
        (!target.becomes.is_empty()).then(|| target.becomes.into_iter().collect())
    }

    /// The squares that the lifted piece can go to; none when the game is over.
    fn targets(&self, session: &dyn Session) -> Vec<Target> {
        match session.outcome() {
            Some(_) => Vec::new(),
            None => session.board_view().targets(&self.lifted),
        }
    }

    /// How long XBoard has left to send the move of the piece that was put down; nothing if it
    /// owes none.
    pub(super) fn held_back(&self) -> Option<Duration> {
        Some(HELD_BACK.saturating_sub(self.put?.elapsed()))
    }

    /// XBoard has gone on: it owes no move.
    pub(super) fn gone_on(&mut self) {
        self.put = None;
    }

    /// Tells once how XBoard is to be started, which holds a move back or leaves out what a
    /// piece becomes.
    pub(super) fn advice(&mut self, session: &dyn Session) -> Option<String> {
        self.put = None;
        if std::mem::replace(&mut self.has_advised, true) {
            return None;
        }
        let variant = session.info().name;
        Some(format!(
            "XBoard cannot go on with these settings. Start it with -variant {variant} \
             {XBOARD_SWITCHES}"
        ))
    }

    /// The squares that the lifted piece can go to, as XBoard marks them: quiet moves, captures,
    /// and squares where it becomes another, by itself or one of several as the person wishes.
    /// There are none on a board that is not the true one.
    pub(super) fn marks(&self, session: &dyn Session, board_is_true: bool) -> String {
        let info = session.info();
        let targets = match board_is_true {
            true => self.targets(session),
            false => Vec::new(),
        };
        let mut ranks = Vec::new();
        for rank in (1..=info.ranks).rev() {
            let (mut row, mut empty) = (String::new(), 0);
            for file in 0..info.files {
                let square = format!("{}{rank}", (b'a' + file as u8) as char);
                let mark = targets
                    .iter()
                    .find(|target| target.square == square)
                    .map(|target| match target.becomes.len() {
                        0 if target.captures => 'R',
                        0 => 'Y',
                        1 => 'B',
                        _ => 'M',
                    });
                if let Some(mark) = mark {
                    if empty > 0 {
                        let _ = write!(row, "{empty}");
                    }
                    empty = 0;
                    row.push(mark);
                } else {
                    empty += 1;
                }
            }
            if empty > 0 {
                let _ = write!(row, "{empty}");
            }
            ranks.push(row);
        }
        ranks.join("/")
    }
}
