//! The rules of the games, and nothing else.
//!
//! [`Game`] is what a game promises to everything above it, [`GameExt`] what follows from
//! that. Each game is one file, written to be read beside the rules; a further game is one more
//! such file, and one more entry in the engine's catalogue.

mod checks;
mod congress;
mod crosseyed;
mod ext;
mod fen;
mod gothic;
mod moves;
mod outcome;
mod piece;
mod placement;
mod pressman;
mod zobrist;

pub use checks::{Aim, CheckSquares};
pub use congress::Congress;
pub use crosseyed::CrossEyed;
pub use ext::{GameExt, perft};
pub use fen::{FenError, Field, Fields, letter};
pub use gothic::Gothic;
pub use moves::{Count, Move, MoveClass, MoveSink};
pub use outcome::{Outcome, Reason, is_third_occurrence, result};
pub use piece::{Figure, Kind, KindInfo, MAX_KINDS, Piece, Side};
pub use placement::Placement;
pub use pressman::Pressman;

use crate::board::{Bitboard, Geometry, Square};

/// A position of a game: a small value that is copied before a move is played on it.
///
/// The search, the tools and the protocols are written against this trait alone. What they
/// must do differently in one game and not in another, the game states here as a property
/// of itself.
pub trait Game: Clone + Send + Sync + 'static {
    /// The variant's name in the protocols.
    const NAME: &'static str;
    /// The FEN of the start position.
    const START: &'static str;
    /// The side that moves first from the start: player 1.
    const FIRST: Side;
    /// The board.
    const GEOMETRY: &'static Geometry;
    /// The kinds of piece, at most [`MAX_KINDS`], indexed by [`Kind`].
    const KINDS: &'static [KindInfo];
    /// Whether even exchanges leave a position quiet: true where there are so many that
    /// following them all would never end.
    const EVEN_EXCHANGES_ARE_QUIET: bool = false;
    /// The halfmove clock at which the game is drawn, if there is such a rule.
    const CLOCK_LIMIT: Option<u32> = None;
    /// The reflections of the board besides none under which the game is the same, leaving
    /// aside the start position and castling: whether files and ranks are mirrored.
    const MIRRORS: &'static [(bool, bool)] = &[(true, false)];

    /// Makes a position of what a FEN says.
    ///
    /// # Errors
    ///
    /// The field that is at fault and its fault.
    fn from_fields(fields: Fields<'_>) -> Result<Self, FenError>;

    /// The pieces, the side to move and the numbers of moves.
    fn placement(&self) -> &Placement;

    /// Hands every legal move of a class that starts on one of the squares `from` to
    /// `sink`, each once.
    ///
    /// The position must not be over by [`board_outcome`](Self::board_outcome); where it is,
    /// what comes out are the moves that the pieces could make if it were not.
    fn generate<S: MoveSink>(&self, class: MoveClass, from: Bitboard, sink: &mut S);

    /// Plays a move.
    ///
    /// The move must be legal. Playing another leaves a position without meaning, but does
    /// not panic in a release build.
    fn play(&mut self, mv: Move);

    /// Gives the turn away without a move, for the search's null move. Must not be called
    /// in check.
    fn pass(&mut self);

    /// The end that the board alone shows, before any move is looked for. A position with
    /// such an end has no legal moves.
    fn board_outcome(&self) -> Option<Outcome>;

    /// The end of a game whose side to move has no legal move though it has not
    /// [`board_outcome`](Self::board_outcome).
    fn no_move_outcome(&self) -> Outcome;

    /// The reason for which the position is a draw by the clock or by the material left,
    /// if no win or loss on the board comes before it. Such a position still has moves.
    fn draw_reason(&self) -> Option<Reason>;

    /// Whether the side to move would lose on the board if its opponent moved now. The
    /// search then looks at all moves and prunes none of them unseen.
    fn in_check(&self) -> bool;

    /// Whether the enemy attacks everything that the side to move must not lose: its king,
    /// every king that it has left, or its last piece. False where none is left.
    #[inline(always)]
    fn royals_attacked(&self) -> bool {
        self.in_check()
    }

    /// Where the moves of the side to move give check. A game that does not say has each of
    /// them tried.
    #[inline(always)]
    fn check_squares(&self) -> CheckSquares {
        CheckSquares::UNSURE
    }

    /// What the piece that makes a legal move is after it.
    #[inline(always)]
    fn kind_after(&self, mv: Move) -> Option<Kind> {
        let piece = self.placement().at(mv.from())?;
        Some(mv.promotion().unwrap_or(piece.kind()))
    }

    /// What a piece of a kind is while it stands on a square: itself, unless it changes with
    /// where it stands.
    fn kind_on(kind: Kind, square: Square) -> Kind {
        let _ = square;
        kind
    }

    /// Why what these men can do does not follow from where they stand and who is to move, or
    /// why they can become more: such an ending cannot be solved. `None` if it can.
    fn open_set(men: &[Piece]) -> Option<&'static str> {
        let _ = men;
        None
    }

    /// Whether giving the turn away is no better than the best move, as the null-move
    /// heuristic assumes: false where zugzwang is common.
    fn null_move_is_sound(&self) -> bool;

    /// What a legal move adds to its side's material besides a capture: the growth of a
    /// promoted pawn, a new piece. In the unit of [`KindInfo::value`].
    fn material_gain(&self, mv: Move) -> i32;

    /// The pieces of both sides that attack a square when `occupied` are the squares that
    /// stop sliders. Pieces off `occupied` are left out.
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The third field of the position's FEN.
    fn castling_field(&self) -> String {
        "-".into()
    }

    /// The square on which a legal move can capture en passant.
    fn en_passant(&self) -> Option<Square> {
        None
    }

    /// The Zobrist key: equal for positions that are the same for repetition.
    #[inline(always)]
    fn key(&self) -> u64 {
        self.placement().key()
    }

    /// The enemy piece that a legal move captures, with its square.
    #[inline(always)]
    fn victim(&self, mv: Move) -> Option<(Square, Kind)> {
        let victim = self.placement().at(mv.to())?;
        Some((mv.to(), victim.kind()))
    }

    /// What a square of White's is from Black's perspective: the square in the same place once
    /// the board is reflected so that Black sees it as White does. Its own inverse.
    fn perspective(square: Square) -> Square {
        Self::GEOMETRY.reflect(square, (false, true))
    }

    /// Another way of writing a legal move in the protocols, as the move that it means.
    fn alias(&self, text: &str) -> Option<Move> {
        let _ = text;
        None
    }
}
