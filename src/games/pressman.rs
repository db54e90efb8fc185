//! Pressman: the rules of `pressman.md`, paragraph by paragraph.

use super::checks::any_attacker;
use super::fen::{FenError, FenField, Fields};
use super::{
    Aim, CheckSquares, Figure, Game, GameExt, Kind, KindInfo, MAX_KINDS, Move, MoveClass, MoveSink,
    Outcome, Piece, Placement, Reason, Side,
};
use crate::board::{Bitboard, Geometry, Square};

static BOARD: Geometry = Geometry::new(&["........"; 8]);

const QUEEN: Kind = Kind::new(0);

/// White's home row and Black's.
static HOME: [Bitboard; 2] = [BOARD.rank_set(0, 0), BOARD.rank_set(7, 7)];

/// Returns the square of the same file on the other home row.
#[inline]
fn opposite(square: Square) -> Square {
    Square::new(square.index() as u8 ^ 56)
}

/// A position of Pressman.
#[derive(Clone)]
pub struct Pressman {
    placement: Placement,
}

impl Pressman {
    /// Returns the enemy home squares where a move gains a piece because the opposite square is
    /// empty. A move that itself empties the opposite square is left out.
    #[inline]
    fn gaining_squares(&self, us: Side) -> Bitboard {
        let empty_home = HOME[us.index()].without(self.placement.occupied());
        match us {
            Side::White => empty_home.shifted(56),
            Side::Black => empty_home.shifted(-56),
        }
    }

    /// Returns the squares where a move of the piece on `from` gains a new piece. A piece that
    /// leaves the opposite square empties it.
    #[inline]
    fn gains_from(from: Square, gaining: Bitboard, us: Side) -> Bitboard {
        gaining
            | if HOME[us.index()].has(from) {
                Bitboard::of(opposite(from))
            } else {
                Bitboard::EMPTY
            }
    }

    /// Returns the attackers of the enemy's last piece. Until it is attacked nothing stands on its
    /// lines, and so no piece can open one for another.
    #[inline]
    fn aim(&self, last: Square) -> Aim {
        let mut direct = [Bitboard::EMPTY; MAX_KINDS];
        direct[QUEEN.index()] = BOARD.queen(last, self.placement.occupied());
        let is_attacked = any_attacker(&self.placement, &direct);
        Aim::new(direct, Bitboard::EMPTY, is_attacked)
    }

    #[inline]
    fn gains_piece(&self, mv: Move) -> bool {
        let us = self.to_move();
        Self::gains_from(mv.from(), self.gaining_squares(us), us).has(mv.to())
    }
}

impl Game for Pressman {
    const NAME: &'static str = "pressman";
    const START: &'static str = "qqqqqqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQQ b - - 0 1";
    const FIRST: Side = Side::Black;
    const GEOMETRY: &'static Geometry = &BOARD;
    const KINDS: &'static [KindInfo] = &[KindInfo::new('Q', 300, Figure::Queen)];

    /// The ruling.
    const CLOCK_LIMIT: Option<u32> = Some(100);
    /// Even exchanges would make quiescence explode: all pieces have the same value, and up to
    /// thirty-two of them are in contact.
    const EVEN_EXCHANGES_ARE_QUIET: bool = true;
    const NETWORK_SEES_PAIRS: bool = true;
    const NEURONS_ARE_TIED: bool = true;

    fn from_fields(fields: Fields<'_>) -> Result<Self, FenError> {
        fields.refuse_castling_and_en_passant()?;
        if fields.placement.occupied().is_empty() {
            return Err(FenError::new(FenField::Placement, "neither side has a piece"));
        }
        Ok(Self { placement: fields.placement })
    }

    #[inline]
    fn placement(&self) -> &Placement {
        &self.placement
    }

    #[inline]
    fn generate<S: MoveSink>(&self, class: MoveClass, from: Bitboard, sink: &mut S) {
        let us = self.placement.to_move();
        let (own, enemy) = (self.placement.side(us), self.placement.side(!us));
        let occupied = own | enemy;
        let gaining = self.gaining_squares(us);
        for square in own & from {
            let tactical = enemy | Self::gains_from(square, gaining, us);
            let wanted = class.targets(own, tactical.without(own));
            sink.piece(square, BOARD.queen(square, occupied) & wanted);
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let us = self.placement.to_move();
        let mut irreversible = self.placement.take(mv.to()).is_some();
        let Some(piece) = self.placement.take(mv.from()) else {
            return;
        };
        self.placement.put(mv.to(), piece);
        if HOME[(!us).index()].has(mv.to()) && self.placement.at(opposite(mv.to())).is_none() {
            self.placement.put(opposite(mv.to()), piece);
            irreversible = true;
        }
        self.placement.end_turn(irreversible);
    }

    fn pass(&mut self) {
        self.placement.end_turn(false);
    }

    #[inline]
    fn board_outcome(&self) -> Option<Outcome> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.placement.side(side).is_empty())
            .map(|loser| Outcome::win(!loser, Reason::NoPieces))
    }

    /// Returns a draw, which cannot happen while both sides have a piece: somewhere an own one
    /// stands beside an empty square or an enemy.
    fn no_move_outcome(&self) -> Outcome {
        Outcome::draw(Reason::Stalemate)
    }

    /// Returns true if the last piece is attacked.
    #[inline]
    fn in_check(&self) -> bool {
        let us = self.to_move();
        let own = self.placement.side(us);
        !own.many()
            && own.first().is_some_and(|square| {
                let seen = BOARD.queen(square, self.placement.occupied());
                (seen & self.placement.side(!us)).any()
            })
    }

    /// "A side with no piece left has lost": only a last piece is royal. A new piece can
    /// attack it too.
    #[inline]
    fn check_squares(&self) -> CheckSquares {
        let us = self.to_move();
        let enemy = self.placement.side(!us);
        match enemy.count() {
            0 | 1 => CheckSquares::at(enemy, |last| self.aim(last))
                .with_unsure_to(self.gaining_squares(us)),
            // The capture of one of two leaves the last one.
            2 => CheckSquares::NONE.with_unsure_to(enemy),
            _ => CheckSquares::NONE,
        }
    }

    fn unsolvable_reason(_: &[Piece]) -> Option<&'static str> {
        Some("a piece on the far home row brings in a new one, without end")
    }

    #[inline]
    fn null_move_is_sound(&self) -> bool {
        self.placement.side(self.to_move()).count() > 2
    }

    #[inline]
    fn material_gain(&self, mv: Move) -> i32 {
        if self.gains_piece(mv) { Self::KINDS[QUEEN.index()].value } else { 0 }
    }

    #[inline]
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        BOARD.queen(square, occupied) & self.placement.occupied() & occupied
    }
}
