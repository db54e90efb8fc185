//! The game in the plies of XBoard.
//!
//! XBoard gives the first turn to White, and no move on its board brings in a new piece. So the
//! engine plays further plies on XBoard's board for both sides: *fillers*, which are no moves of the
//! game. Where Black begins, White passes first. After a move that brings in a piece, the opponent
//! passes, and the piece is dropped. XBoard then shows the true board with the true side to move.

use crate::engine::Session;
use crate::games::Side;

/// The null move of XBoard, for a side without pieces. XBoard sends another engine the position
/// after it instead.
const NULL_MOVE: &str = "@@@@";

/// The plies of a game on XBoard's board: the fillers among the moves.
pub(super) struct Plies {
    /// The fillers that belong to the start and to each move since.
    fillers: Vec<Vec<String>>,
    /// Number of the last fillers that are still to come.
    awaited: usize,
    /// Fillers of the move before the last that had not come when it was answered.
    late: Vec<String>,
    /// True if XBoard has taken back plies that it can play again.
    rewound: bool,
}

impl Plies {
    /// Begins with a position of XBoard or, if `from_start`, with the start of the game.
    pub(super) fn begin(session: &dyn Session, from_start: bool) -> Self {
        let black_begins = from_start && session.to_move() == Side::Black;
        let lead = black_begins.then(|| pass(session, Side::White));
        let mut plies = Self { fillers: Vec::new(), awaited: 0, late: Vec::new(), rewound: false };
        plies.add(lead.into_iter().collect());
        plies
    }

    /// Adds a move that was played, and the drop of the piece that it brought in.
    pub(super) fn add_move(&mut self, session: &dyn Session, drop: Option<String>) {
        let fillers = drop.map(|drop| vec![pass(session, session.to_move()), drop]);
        self.add(fillers.unwrap_or_default());
    }

    fn add(&mut self, fillers: Vec<String>) {
        // A client with a true board leaves them out; from another engine they may come late.
        if let Some(last) = self.fillers.last_mut() {
            self.late = last.split_off(last.len() - self.awaited);
        }
        self.awaited = fillers.len();
        self.fillers.push(fillers);
    }

    /// Returns the number of plies that XBoard has played.
    pub(super) fn count(&self) -> usize {
        let fillers: usize = self.fillers.iter().map(Vec::len).sum();
        self.fillers.len() - 1 + fillers - self.awaited
    }

    /// Returns true if XBoard's board is the true one.
    pub(super) fn are_complete(&self) -> bool {
        self.awaited == 0
    }

    /// Returns the side to move on XBoard's board, when it is truly `side`'s turn.
    pub(super) fn turn(&self, side: Side) -> Side {
        if self.awaited.is_multiple_of(2) { side } else { !side }
    }

    /// Accepts a text of XBoard as the next filler, if it is one. XBoard writes a pass in two ways.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let fits = |filler: &String| filler == text || filler.contains(',') && text.contains(',');
        if self.next().is_some_and(fits) {
            self.awaited -= 1;
        } else if self.late.first().is_some_and(fits) {
            let answered = self.fillers.len() - 2;
            self.fillers[answered].push(self.late.remove(0));
        } else {
            return false;
        }
        true
    }

    /// Accepts a position of a game that is over as the null move, if that is the next filler.
    pub(super) fn take_null_move(&mut self) -> bool {
        let taken = self.next().is_some_and(|filler| filler == NULL_MOVE);
        self.awaited -= usize::from(taken);
        taken
    }

    fn next(&self) -> Option<&String> {
        let last = self.fillers.last()?;
        last.get(last.len() - self.awaited)
    }

    /// Returns true if fillers are still to come that XBoard cannot play again itself.
    pub(super) fn can_be_filled(&self) -> bool {
        self.awaited > 0 && !self.rewound
    }

    /// Returns the fillers that the engine must play now.
    pub(super) fn fill(&mut self) -> Vec<String> {
        if !self.can_be_filled() {
            return Vec::new();
        }
        let missing = std::mem::take(&mut self.awaited);
        let last = self.fillers.last().map_or(&[][..], Vec::as_slice);
        last[last.len() - missing..].to_vec()
    }

    /// Notes that XBoard continues from the present ply.
    pub(super) fn forget_rewound(&mut self) {
        self.rewound = false;
    }

    /// Takes back a ply, which XBoard may still know. Returns true if it was a move.
    pub(super) fn take_back(&mut self, still_known: bool) -> bool {
        self.rewound = still_known;
        self.late.clear();
        let last = self.fillers.last().map_or(0, Vec::len);
        if self.awaited < last {
            self.awaited += 1;
            return false;
        }
        self.fillers.pop();
        self.awaited = 0;
        true
    }
}

/// Returns a move that changes nothing: a piece goes to an empty square and back.
fn pass(session: &dyn Session, side: Side) -> String {
    session
        .board_view()
        .pass_move(side)
        .map_or(NULL_MOVE.into(), |(from, to)| format!("{from}{to},{to}{from}"))
}
