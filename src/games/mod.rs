//! The rules of the games.
//!
//! [`Game`] is the interface of a game, [`GameExt`] the functions derived from it. Each game is one
//! file, written to be read beside its rules, `gothic.rs` beside `gothic.md`; a further game is one
//! more such pair, and one more entry in the engine's catalogue.

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
pub use fen::{FenError, FenField, Fields, letter, piece_of, rank_text};
pub use gothic::Gothic;
pub use moves::{Count, Move, MoveClass, MoveSink};
pub use outcome::{Outcome, Reason, is_third_occurrence, result};
pub use piece::{Figure, Kind, KindInfo, MAX_KINDS, Piece, Side};
pub use placement::Placement;
pub use pressman::Pressman;

use crate::board::{Bitboard, Geometry, Square};

/// Rules that all games share, for people.
pub const COMMON_RULES: &str = include_str!("common.md");

/// A position of a game: a small value, copied before a move is played on it.
///
/// The search, the tools and the protocols are written against this trait alone. Differences
/// between games are properties that the game states here.
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
    /// True if even exchanges leave a position quiet: in a game with too many of them to follow
    /// all.
    const EVEN_EXCHANGES_ARE_QUIET: bool = false;
    /// True if the network has a feature for each pair of pieces with nothing between them on a rank, file or diagonal:
    /// in a game of queens alone these are the attacks and protections. The board has at most 64 squares.
    const NETWORK_SEES_PAIRS: bool = false;
    /// True if half of a network's neurons are mirror images of the others, so that a position with its files
    /// mirrored has the same value; [`MIRRORS`](Self::MIRRORS) must have that reflection.
    const NEURONS_ARE_TIED: bool = false;
    /// The halfmove clock that draws the game, if there is such a rule.
    const CLOCK_LIMIT: Option<u32> = None;
    /// True if no game can be drawn and no position can come again, so that every line of play ends
    /// with a winner.
    const IS_ACYCLIC: bool = false;
    /// The reflections of the board, as mirrored files and ranks, that leave the rules the same;
    /// start position and castling do not count.
    const MIRRORS: &'static [(bool, bool)] = &[(true, false)];

    /// Builds a position from a FEN.
    fn from_fields(fields: Fields<'_>) -> Result<Self, FenError>;

    /// Returns the pieces, the side to move and the numbers of moves.
    fn placement(&self) -> &Placement;

    /// Hands every legal move of a class that starts on one of the squares `from` to `sink`, each
    /// once.
    ///
    /// If the position is over by [`board_outcome`](Self::board_outcome), the moves generated are
    /// those that the pieces could make otherwise.
    fn generate<S: MoveSink>(&self, class: MoveClass, from: Bitboard, sink: &mut S);

    /// Plays a move.
    ///
    /// The move must be legal. Playing another leaves a position without meaning, but does
    /// not panic in a release build.
    fn play(&mut self, mv: Move);

    /// Passes the turn, for the search's null move. Must not be called in check.
    fn pass(&mut self);

    /// Returns the end of the game shown by the board, before any move is generated. A position
    /// with such an end has no legal moves.
    fn board_outcome(&self) -> Option<Outcome>;

    /// Returns the end of a game whose side to move has no legal move though it has not
    /// [`board_outcome`](Self::board_outcome).
    fn no_move_outcome(&self) -> Outcome;

    /// Returns the reason for a draw by the clock or by the material left, if no win or loss on the
    /// board comes before it. Such a position still has moves. The default knows the clock alone.
    #[inline]
    fn draw_reason(&self) -> Option<Reason> {
        self.clock_has_run_out().then_some(Reason::Clock)
    }

    /// Returns true if the opponent could win at once if it were to move, as after a check in
    /// chess. Quiescence then searches all moves.
    fn in_check(&self) -> bool;

    /// Returns true if the enemy attacks every royal piece of the side to move: its king, every
    /// king that it has left, or its last piece. False if there is none.
    #[inline]
    fn royals_attacked(&self) -> bool {
        self.in_check()
    }

    /// Returns the moves that give check. The default has each of them tried.
    #[inline]
    fn check_squares(&self) -> CheckSquares {
        CheckSquares::UNSURE
    }

    /// Returns the kind of the moving piece after a legal move.
    #[inline]
    fn kind_after(&self, mv: Move) -> Option<Kind> {
        let piece = self.placement().at(mv.from())?;
        Some(mv.promotion().unwrap_or(piece.kind()))
    }

    /// Returns the kind of a piece on a square: the same kind, unless the piece changes with its
    /// square.
    fn kind_on(kind: Kind, square: Square) -> Kind {
        let _ = square;
        kind
    }

    /// Returns the reason why endings with these pieces cannot be solved, `None` if they can: their
    /// moves do not follow from their squares and the side to move, or pieces are added.
    fn unsolvable_reason(pieces: &[Piece]) -> Option<&'static str> {
        let _ = pieces;
        None
    }

    /// Returns true if passing is no better than the best move, as the null-move heuristic assumes;
    /// false where zugzwang is common.
    fn null_move_is_sound(&self) -> bool;

    /// Returns the material that a legal move adds to its side by other means than capture: the
    /// growth of a promoted pawn, a new piece. In the unit of [`KindInfo::value`].
    fn material_gain(&self, mv: Move) -> i32;

    /// Returns the pieces of both sides that attack a square. Sliders stop at `occupied`, pieces
    /// off `occupied` are left out.
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard;

    /// Returns the third field of the position's FEN.
    fn castling_field(&self) -> String {
        "-".into()
    }

    /// Returns the square on which a legal move can capture en passant.
    fn en_passant(&self) -> Option<Square> {
        None
    }

    /// Returns the Zobrist key: equal for positions that are the same for repetition.
    #[inline]
    fn key(&self) -> u64 {
        self.placement().key()
    }

    /// Returns the enemy piece that a legal move captures, with its square.
    #[inline]
    fn victim(&self, mv: Move) -> Option<(Square, Kind)> {
        let victim = self.placement().at(mv.to())?;
        Some((mv.to(), victim.kind()))
    }

    /// Returns the image of a square from the other side: the board is reflected so that Black sees
    /// it as White does. Its own inverse.
    fn perspective(square: Square) -> Square {
        Self::GEOMETRY.reflect(square, (false, true))
    }

    /// Parses another notation of a legal move in the protocols.
    fn alias(&self, text: &str) -> Option<Move> {
        let _ = text;
        None
    }
}
