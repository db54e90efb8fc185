//! Congress Chess: the rules of `congress.md`, paragraph by paragraph.

use super::checks::{any_attacker, lone_blockers};
use super::fen::{FenError, FenField, Fields};
use super::{
    Aim, CheckSquares, Figure, Game, GameExt, Kind, KindInfo, MAX_KINDS, Move, MoveClass, MoveSink,
    Outcome, Piece, Placement, Reason, Side,
};
use crate::board::{Bitboard, Geometry, Square, SquareTable};

static BOARD: Geometry = Geometry::new(&["........"; 6]);

const KING: Kind = Kind::new(0);
const PAWN: Kind = Kind::new(1);
const HORSE: Kind = Kind::new(2);
const BISHOP: Kind = Kind::new(3);

/// The left wing, files a to d.
const LEFT: Bitboard = BOARD.file_set(0, 3);

static DIAGONALS: SquareTable<Bitboard> = BOARD.diagonals();
static BETWEEN: SquareTable<SquareTable<Bitboard>> = BOARD.between();

/// Directions and ranks from the view of one side.
struct SideGeometry {
    /// The index difference of a step straight forward.
    forward: i8,
    pawn_captures: SquareTable<Bitboard>,
    horse_forward: SquareTable<Bitboard>,
    horse_back: SquareTable<Bitboard>,
    /// The squares further forward than each square, and those further back.
    ahead: SquareTable<Bitboard>,
    behind: SquareTable<Bitboard>,
    /// The three ranks where politicians are senior.
    senior: Bitboard,
    /// The own first rank, where the kings are.
    home: Bitboard,
}

static SIDES: [SideGeometry; 2] = [
    SideGeometry {
        forward: 8,
        pawn_captures: BOARD.leaper(&[(-1, 1), (1, 1)]),
        horse_forward: HORSE_UP,
        horse_back: HORSE_DOWN,
        ahead: ABOVE,
        behind: BELOW,
        senior: BOARD.rank_set(3, 5),
        home: BOARD.rank_set(0, 0),
    },
    SideGeometry {
        forward: -8,
        pawn_captures: BOARD.leaper(&[(-1, -1), (1, -1)]),
        horse_forward: HORSE_DOWN,
        horse_back: HORSE_UP,
        ahead: BELOW,
        behind: ABOVE,
        senior: BOARD.rank_set(0, 2),
        home: BOARD.rank_set(5, 5),
    },
];

const HORSE_UP: SquareTable<Bitboard> = BOARD.leaper(&[(-2, 1), (-1, 2), (1, 2), (2, 1)]);
const HORSE_DOWN: SquareTable<Bitboard> = BOARD.leaper(&[(-2, -1), (-1, -2), (1, -2), (2, -1)]);
const ABOVE: SquareTable<Bitboard> = ranks_beyond(true);
const BELOW: SquareTable<Bitboard> = ranks_beyond(false);

const fn ranks_beyond(above: bool) -> SquareTable<Bitboard> {
    let mut table = [Bitboard::EMPTY; 128];
    let mut index = 0;
    while index < BOARD.count() {
        let rank = BOARD.rank(Square::new(index as u8));
        table[index] = match (above, rank) {
            (true, rank) => BOARD.rank_set(rank + 1, 5),
            (false, 0) => Bitboard::EMPTY,
            (false, rank) => BOARD.rank_set(0, rank - 1),
        };
        index += 1;
    }
    table
}

/// The squares that a king can go to: one step away from the other wing.
static KING_REACH: SquareTable<Bitboard> = {
    let (left, right) = (BOARD.leaper(&[(-1, 0)]), BOARD.leaper(&[(1, 0)]));
    let mut table = [Bitboard::EMPTY; 128];
    let mut index = 0;
    while index < BOARD.count() {
        table[index] = if LEFT.has(Square::new(index as u8)) { left[index] } else { right[index] };
        index += 1;
    }
    table
};

/// The squares to the left and right of each.
static BESIDE: SquareTable<Bitboard> = BOARD.leaper(&[(-1, 0), (1, 0)]);

/// Returns the kind of a politician on a square.
#[inline]
fn politician(square: Square) -> Kind {
    if LEFT.has(square) { HORSE } else { BISHOP }
}

/// Returns the kind of a piece that lands on a square: a politician changes with its wing.
#[inline]
fn landed(kind: Kind, square: Square) -> Kind {
    match kind {
        HORSE | BISHOP => politician(square),
        other => other,
    }
}

/// A position of Congress Chess.
#[derive(Clone)]
pub struct Congress {
    placement: Placement,
}

impl Congress {
    /// Returns the squares that a politician moves or captures forward to, and those that a senior
    /// one captures backward on.
    #[inline]
    fn politician_reach(from: Square, side: Side, kind: Kind, occupied: Bitboard) -> [Bitboard; 2] {
        let (shape, at) = (&SIDES[side.index()], from.index());
        let [ahead, behind] = if kind == HORSE {
            [shape.horse_forward[at], shape.horse_back[at]]
        } else {
            let seen = BOARD.bishop(from, occupied);
            [seen & shape.ahead[at], seen & shape.behind[at]]
        };
        [ahead, if shape.senior.has(from) { behind } else { Bitboard::EMPTY }]
    }

    /// Returns the attackers of an enemy king. Kings stay on their own first rank, the other side's
    /// last: so no king attacks it, and a politician only forward, senior or junior.
    #[inline]
    fn aim(&self, king: Square) -> Aim {
        let us = self.to_move();
        let (own, occupied) = (self.placement.side(us), self.placement.occupied());
        let (shape, at) = (&SIDES[us.index()], king.index());
        let mut direct = [Bitboard::EMPTY; MAX_KINDS];
        direct[PAWN.index()] = SIDES[(!us).index()].pawn_captures[at];
        direct[HORSE.index()] = shape.horse_back[at];
        direct[BISHOP.index()] = BOARD.bishop(king, occupied);
        let is_attacked = any_attacker(&self.placement, &direct);
        let snipers = DIAGONALS[at] & own & self.placement.kind(BISHOP);
        let lone = lone_blockers(&BETWEEN[at], snipers, occupied);
        Aim::new(direct, own & lone, is_attacked)
    }

    #[inline]
    fn kings(&self, side: Side) -> Bitboard {
        self.placement.of(side, KING)
    }
}

impl Game for Congress {
    const NAME: &'static str = "congress";
    const START: &'static str = "hh1kk1bb/1pppppp1/8/8/1PPPPPP1/HH1KK1BB w - - 0 1";
    const FIRST: Side = Side::White;
    const GEOMETRY: &'static Geometry = &BOARD;
    const KINDS: &'static [KindInfo] = &[
        KindInfo::new('K', 400, Figure::King),
        KindInfo::new('P', 100, Figure::Pawn),
        KindInfo::new('H', 220, Figure::Knight).called("horse"),
        KindInfo::new('B', 220, Figure::Bishop),
    ];

    /// "There is no draw. Every move is a step that cannot be taken back, so no position comes
    /// again" (The end).
    const IS_ACYCLIC: bool = true;

    /// A politician is another piece in the other wing.
    const MIRRORS: &'static [(bool, bool)] = &[];

    fn from_fields(fields: Fields<'_>) -> Result<Self, FenError> {
        fields.refuse_castling_and_en_passant()?;
        let mut position = Self { placement: fields.placement };
        // Every move is irreversible.
        let fullmove = position.placement.fullmove();
        position.placement.set_numbers(0, fullmove);
        let fault = |fault: String| Err(FenError::new(FenField::Placement, fault));
        let placement = &position.placement;
        let misplaced = placement.kind(HORSE).without(LEFT) | placement.kind(BISHOP) & LEFT;
        if let Some(square) = misplaced.first() {
            let name = BOARD.name(square);
            return fault(format!("the politician on {name}: files a to d have H, e to h have B"));
        }
        for side in Side::BOTH {
            let name = side.name();
            let kings = position.kings(side);
            if let Some(square) = kings.without(SIDES[side.index()].home).first() {
                return fault(format!(
                    "a {name} king on {}, off its own first rank",
                    BOARD.name(square)
                ));
            }
            if (kings & LEFT).many() || kings.without(LEFT).many() {
                return fault(format!("two {name} kings in one wing"));
            }
        }
        if placement.kind(KING).is_empty() {
            return fault("neither side has a king".into());
        }
        Ok(position)
    }

    #[inline]
    fn placement(&self) -> &Placement {
        &self.placement
    }

    #[inline]
    fn generate<S: MoveSink>(&self, class: MoveClass, from: Bitboard, sink: &mut S) {
        let us = self.placement.to_move();
        let shape = &SIDES[us.index()];
        let (own, enemy) = (self.placement.side(us), self.placement.side(!us));
        let occupied = own | enemy;
        let wanted = class.targets(own, enemy);
        let movers = own & from;
        let pawns = movers & self.placement.kind(PAWN);
        if class != MoveClass::Tactical {
            let steps = pawns.shifted(shape.forward) & BOARD.all();
            sink.shifted(steps.without(occupied), shape.forward);
        }
        if class != MoveClass::Quiet {
            for square in pawns {
                sink.piece(square, shape.pawn_captures[square.index()] & enemy);
            }
        }
        for square in movers & self.placement.kind(KING) {
            sink.piece(square, KING_REACH[square.index()] & wanted);
        }
        for kind in [HORSE, BISHOP] {
            for square in movers & self.placement.kind(kind) {
                let [ahead, behind] = Self::politician_reach(square, us, kind, occupied);
                sink.piece(square, (ahead | behind & enemy) & wanted);
            }
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let us = self.placement.to_move();
        self.placement.take(mv.to());
        let Some(piece) = self.placement.take(mv.from()) else {
            return;
        };
        let kind = landed(piece.kind(), mv.to());
        self.placement.put(mv.to(), Piece::new(us, kind));
        self.placement.end_turn(true);
    }

    fn pass(&mut self) {
        self.placement.end_turn(true);
    }

    #[inline]
    fn board_outcome(&self) -> Option<Outcome> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.kings(side).is_empty())
            .map(|loser| Outcome::win(!loser, Reason::KingsCaptured))
    }

    fn no_move_outcome(&self) -> Outcome {
        Outcome::win(!self.to_move(), Reason::NoMoves)
    }

    /// Returns true if the last king is attacked.
    #[inline]
    fn in_check(&self) -> bool {
        !self.kings(self.to_move()).many() && self.royals_attacked()
    }

    /// Returns true if every king that is left is attacked.
    #[inline]
    fn royals_attacked(&self) -> bool {
        let us = self.to_move();
        let (enemy, occupied) = (self.placement.side(!us), self.placement.occupied());
        self.kings(us).any()
            && (self.kings(us).into_iter())
                .all(|king| (self.attackers(king, occupied) & enemy).any())
    }

    #[inline]
    fn check_squares(&self) -> CheckSquares {
        let kings = self.kings(!self.to_move());
        CheckSquares::at(kings, |king| self.aim(king))
    }

    #[inline]
    fn kind_after(&self, mv: Move) -> Option<Kind> {
        let piece = self.placement.at(mv.from())?;
        Some(landed(piece.kind(), mv.to()))
    }

    fn kind_on(kind: Kind, square: Square) -> Kind {
        landed(kind, square)
    }

    /// Moves run out and a side without one loses: passing would often help.
    #[inline]
    fn null_move_is_sound(&self) -> bool {
        false
    }

    #[inline]
    fn material_gain(&self, _: Move) -> i32 {
        0
    }

    #[inline]
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let at = square.index();
        let mut attackers = Bitboard::EMPTY;
        let seen = BOARD.bishop(square, occupied);
        for side in Side::BOTH {
            // Seen from the square attacked, ahead and behind change places.
            let shape = &SIDES[side.index()];
            let own = self.placement.side(side);
            let senior = own & shape.senior;
            attackers |= SIDES[(!side).index()].pawn_captures[at] & own & self.placement.kind(PAWN);
            attackers |= self.placement.kind(HORSE)
                & (shape.horse_back[at] & own | shape.horse_forward[at] & senior);
            attackers |= self.placement.kind(BISHOP)
                & seen
                & (shape.behind[at] & own | shape.ahead[at] & senior);
        }
        // A king beside the square attacks it if the step leads away from the other wing.
        let beside = BESIDE[at] & self.placement.kind(KING);
        for king in beside {
            if KING_REACH[king.index()].has(square) {
                attackers |= Bitboard::of(king);
            }
        }
        attackers & occupied
    }
}
