//! History tables: scores of moves, by their success at other nodes.

use super::params::HISTORY_LIMIT;
use crate::games::{MAX_KINDS, Move, Piece, Side};
use crate::system::processor::ask_for_large_pages;

/// A piece and the square it moved to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo {
    /// The piece before the move.
    pub piece: Piece,
    pub mv: Move,
}

impl PieceTo {
    /// Returns a number below [`PIECE_TO`].
    #[inline]
    pub(super) fn index(self) -> usize {
        self.piece.index() << 7 | self.mv.to().index()
    }
}

/// Number of pairs of a piece and a square.
pub(super) const PIECE_TO: usize = Piece::COUNT * 128;

/// The scores after no move.
static NOTHING: [i16; PIECE_TO] = [0; PIECE_TO];

/// Scores of quiet moves by their squares (J. Schaeffer, "The History Heuristic", 1983; D.
/// Hartmann, "Butterfly Boards", 1988) and by the moves before (J. Uiterwijk, "The Countermove
/// Heuristic", 1992; Stockfish's continuation histories); scores of captures by the captured kind
/// (Stockfish's capture history).
pub(super) struct Histories {
    /// By side, from and to.
    butterfly: Box<[[[i16; 128]; 128]; 2]>,
    /// By piece, to, and kind captured.
    captures: Vec<[i16; MAX_KINDS]>,
    /// By the move before, piece and to.
    continuation: Vec<i16>,
    /// Marks the written rows of `continuation`. A short search writes few, and clearing them all
    /// would take longer than the search.
    written: Vec<bool>,
}

/// Returns the index into `continuation` of a move after another one.
#[inline]
fn continuation_index(before: PieceTo, moved: PieceTo) -> usize {
    before.index() * PIECE_TO + moved.index()
}

/// Adds a bonus, scaled down as the entry approaches ±[`HISTORY_LIMIT`], which it never leaves:
/// Stockfish's "gravity".
#[inline]
fn update(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16;
}

impl Histories {
    pub(super) fn new() -> Self {
        let mut continuation = vec![0; PIECE_TO * PIECE_TO];
        ask_for_large_pages(&continuation);
        // Written now, since the system takes its time to provide a page, and a search has none to
        // lose.
        continuation.fill(0);
        Self {
            butterfly: Box::new([[[0; 128]; 128]; 2]),
            captures: vec![[0; MAX_KINDS]; PIECE_TO],
            continuation,
            written: vec![false; PIECE_TO],
        }
    }

    /// Clears all tables, at a cost proportional to the rows written.
    pub(super) fn clear(&mut self) {
        self.butterfly.as_flattened_mut().fill([0; 128]);
        self.captures.fill([0; MAX_KINDS]);
        for (row, written) in self.continuation.chunks_exact_mut(PIECE_TO).zip(&mut self.written) {
            if std::mem::take(written) {
                row.fill(0);
            }
        }
    }

    /// Returns a function that scores quiet moves, alone and after each of the moves before.
    #[inline]
    pub(super) fn quiets(
        &self,
        side: Side,
        before: [Option<PieceTo>; 3],
    ) -> impl Fn(PieceTo) -> i32 + use<'_> {
        let alone = &self.butterfly[side.index()];
        let (rows, _) = self.continuation.as_chunks::<PIECE_TO>();
        let rows = before.map(|before| before.map_or(&NOTHING, |before| &rows[before.index()]));
        move |moved| {
            let alone = alone[moved.mv.from().index()][moved.mv.to().index()];
            let index = moved.index() % PIECE_TO;
            rows.iter().fold(i32::from(alone), |sum, row| sum + i32::from(row[index]))
        }
    }

    /// Returns the score of a quiet move, alone and after each of the moves before.
    #[inline]
    pub(super) fn quiet(&self, side: Side, moved: PieceTo, before: [Option<PieceTo>; 3]) -> i32 {
        self.quiets(side, before)(moved)
    }

    #[inline]
    pub(super) fn capture(&self, moved: PieceTo, captured: usize) -> i32 {
        i32::from(self.captures[moved.index()][captured % MAX_KINDS])
    }

    /// Rewards or punishes a quiet move.
    pub(super) fn update_quiet(
        &mut self,
        side: Side,
        moved: PieceTo,
        before: [Option<PieceTo>; 3],
        bonus: i32,
    ) {
        self.update_butterfly(side, moved.mv, bonus);
        self.update_continuation(moved, before, bonus);
    }

    /// Rewards or punishes a quiet move by the moves before it alone.
    pub(super) fn update_continuation(
        &mut self,
        moved: PieceTo,
        before: [Option<PieceTo>; 3],
        bonus: i32,
    ) {
        for before in before.into_iter().flatten() {
            update(&mut self.continuation[continuation_index(before, moved)], bonus);
            self.written[before.index()] = true;
        }
    }

    /// Rewards or punishes a quiet move by its squares alone.
    pub(super) fn update_butterfly(&mut self, side: Side, mv: Move, bonus: i32) {
        update(&mut self.butterfly[side.index()][mv.from().index()][mv.to().index()], bonus);
    }

    /// Rewards or punishes a capture.
    pub(super) fn update_capture(&mut self, moved: PieceTo, captured: usize, bonus: i32) {
        update(&mut self.captures[moved.index()][captured % MAX_KINDS], bonus);
    }
}
