//! The game in progress: its moves, and the same in XBoard's plies.

use super::plies::Plies;
use crate::engine::{MAX_GAME, Session};
use crate::games::Side;

/// The record of a game. The session is at its end, except while the engine ponders.
pub(super) struct GameRecord {
    /// The first position, if it is not the start.
    start: Option<String>,
    moves: Vec<String>,
    /// The same game on XBoard's board.
    pub(super) plies: Plies,
}

impl GameRecord {
    /// Begins a game from a FEN or the start, and brings the session there.
    pub(super) fn begin(session: &mut dyn Session, fen: Option<String>) -> Self {
        set_up(session, fen.as_deref(), &[]);
        Self { plies: Plies::begin(session, fen.is_none()), start: fen, moves: Vec::new() }
    }

    /// Brings the session to the position after the moves.
    pub(super) fn set_up(&self, session: &mut dyn Session) {
        set_up(session, self.start.as_deref(), &self.moves);
    }

    /// Returns the side to move on XBoard's board.
    pub(super) fn turn(&self, session: &dyn Session) -> Side {
        self.plies.turn(session.to_move())
    }

    /// Returns true if there is no room for another move.
    pub(super) fn is_full(&self) -> bool {
        self.moves.len() + 1 >= MAX_GAME
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, session: &mut dyn Session, mv: String) {
        let dropped_piece = session.board_view().dropped_piece(&mv);
        if let Err(error) = session.play(&mv) {
            log::error!("a move that was legal before: {error}");
            return;
        }
        self.plies.add_move(session, dropped_piece);
        self.moves.push(mv);
    }

    /// Takes plies back. `still_known`: XBoard can replay them.
    pub(super) fn take_back(&mut self, session: &mut dyn Session, plies: usize, still_known: bool) {
        for _ in 0..plies {
            if self.plies.take_back(still_known) {
                self.moves.pop();
            }
        }
        self.set_up(session);
    }
}

fn set_up(session: &mut dyn Session, start: Option<&str>, moves: &[String]) {
    let moves: Vec<_> = moves.iter().map(String::as_str).collect();
    if let Err(error) = session.set_position(start, &moves) {
        log::error!("a position that was legal before: {error}");
    }
}
