//! Cross-Eyed Chess: the rules of `crosseyed.md`, paragraph by paragraph.

use super::checks::{any_attacker, lone_blockers};
use super::fen::{FenError, FenField, Fields};
use super::moves::promotion_gain;
use super::{
    Aim, CheckSquares, Figure, Game, GameExt, Kind, KindInfo, MAX_KINDS, Move, MoveClass, MoveSink,
    Outcome, Piece, Placement, Reason, Side,
};
use crate::board::{Bitboard, Geometry, KING_LEAPS, KNIGHT_LEAPS, Square, SquareTable};

/// The centre d4–i9 with the side-boards north e10–h12, south e1–h3, west a5–c8 and east
/// j5–l8: 84 squares.
static BOARD: Geometry = Geometry::new(&[
    "****....****",
    "****....****",
    "****....****",
    "***......***",
    "............",
    "............",
    "............",
    "............",
    "***......***",
    "****....****",
    "****....****",
    "****....****",
]);

const KING: Kind = Kind::new(0);
const PAWN: Kind = Kind::new(1);
const KNIGHT: Kind = Kind::new(2);
const BISHOP: Kind = Kind::new(3);
const ROOK: Kind = Kind::new(4);
const CAMEL: Kind = Kind::new(5);
const NAHBI: Kind = Kind::new(6);
const PROMOTIONS: &[Kind] = &[ROOK, NAHBI, BISHOP, KNIGHT, CAMEL];

static ORTHOGONALS: SquareTable<Bitboard> = BOARD.orthogonals();
static DIAGONALS: SquareTable<Bitboard> = BOARD.diagonals();
static BETWEEN: SquareTable<SquareTable<Bitboard>> = BOARD.between();
static KING_REACH: SquareTable<Bitboard> = BOARD.leaper(KING_LEAPS);
static KNIGHT_REACH: SquareTable<Bitboard> = BOARD.leaper(KNIGHT_LEAPS);
static CAMEL_REACH: SquareTable<Bitboard> =
    BOARD.leaper(&[(1, 3), (3, 1), (-1, 3), (-3, 1), (1, -3), (3, -1), (-1, -3), (-3, -1)]);

/// A path of a Nahbi: the squares passed, and its end.
#[derive(Clone, Copy)]
struct Path {
    through: Bitboard,
    ends: Bitboard,
}

const NO_PATH: Path = Path { through: Bitboard::EMPTY, ends: Bitboard::EMPTY };

/// The Nahbi's four bent ways: two diagonal squares that must be empty, then one square
/// orthogonally.
static NAHBI_BENDS: SquareTable<[Path; 4]> = {
    let orthogonal = BOARD.leaper(&[(1, 0), (-1, 0), (0, 1), (0, -1)]);
    let mut table = [[NO_PATH; 4]; 128];
    let diagonals = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
    let mut index = 0;
    while index < BOARD.count() {
        let mut way = 0;
        while way < 4 {
            let (file, rank) = diagonals[way];
            if let Some(first) = BOARD.step(Square::new(index as u8), file, rank)
                && let Some(second) = BOARD.step(first, file, rank)
            {
                let through = Bitboard::of(first).union(Bitboard::of(second));
                // The square orthogonally beside both diagonal squares is a target too;
                // no step from the second square leads back onto the first.
                table[index][way] = Path { through, ends: orthogonal[second.index()] };
            }
            way += 1;
        }
        index += 1;
    }
    table
};

/// The Nahbi's four jumps: over an occupied square orthogonally onto an empty one.
static NAHBI_JUMPS: SquareTable<[Path; 4]> = {
    let mut table = [[NO_PATH; 4]; 128];
    let steps = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    let mut index = 0;
    while index < BOARD.count() {
        let mut way = 0;
        while way < 4 {
            let (file, rank) = steps[way];
            if let Some(over) = BOARD.step(Square::new(index as u8), file, rank)
                && let Some(end) = BOARD.step(over, file, rank)
            {
                table[index][way] = Path { through: Bitboard::of(over), ends: Bitboard::of(end) };
            }
            way += 1;
        }
        index += 1;
    }
    table
};

/// By target, the sixteen bent paths on which a Nahbi gets there, each from another square.
static NAHBI_WAYS: SquareTable<[Path; 16]> = {
    let mut table = [[NO_PATH; 16]; 128];
    let mut counts = [0; 128];
    let mut index = 0;
    while index < BOARD.count() {
        let mut way = 0;
        while way < 4 {
            let path = NAHBI_BENDS[index][way];
            let mut left = path.ends;
            while let Some(end) = left.first() {
                let count = &mut counts[end.index()];
                table[end.index()][*count] =
                    Path { through: path.through, ends: Bitboard::of(Square::new(index as u8)) };
                *count += 1;
                left = left.without(Bitboard::of(end));
            }
            way += 1;
        }
        index += 1;
    }
    table
};

/// Returns the ends of the bent paths that are free.
#[inline]
fn open_ends<const N: usize>(ways: &[Path; N], occupied: Bitboard) -> Bitboard {
    ways.iter()
        .filter(|path| (path.through & occupied).is_empty())
        .fold(Bitboard::EMPTY, |set, path| set | path.ends)
}

/// The squares from which a Nahbi could capture on a square if nothing stood in its way:
/// the same as those it could go to.
static NAHBI_ORIGINS: SquareTable<Bitboard> = BOARD.leaper(&[
    (3, 2),
    (3, -2),
    (-3, 2),
    (-3, -2),
    (2, 3),
    (2, -3),
    (-2, 3),
    (-2, -3),
    (1, 2),
    (1, -2),
    (-1, 2),
    (-1, -2),
    (2, 1),
    (2, -1),
    (-2, 1),
    (-2, -1),
]);

/// The pawn moves of one side.
struct PawnReach {
    /// The targets of steps onto empty squares.
    steps: SquareTable<Bitboard>,
    /// The targets of captures.
    captures: SquareTable<Bitboard>,
    /// The squares from which a pawn captures on a square.
    capturers: SquareTable<Bitboard>,
    /// The outer rows of the enemy's side-boards, where it promotes.
    promotion: Bitboard,
    /// The squares from which it promotes.
    before_promotion: Bitboard,
}

static PAWNS: [PawnReach; 2] = [pawn_geometry(Side::White), pawn_geometry(Side::Black)];

/// Returns the moves of pawns by their squares: one way on a side-board, all four in the centre.
const fn pawn_geometry(side: Side) -> PawnReach {
    let mut steps = [Bitboard::EMPTY; 128];
    let mut captures = [Bitboard::EMPTY; 128];
    let mut capturers = [Bitboard::EMPTY; 128];
    let mut index = 0;
    while index < BOARD.count() {
        let square = Square::new(index as u8);
        let (file, rank) = (BOARD.file(square), BOARD.rank(square));
        // Away from the centre, on a side-board; nothing in the centre.
        let (mut files, mut ranks) = (0, 0);
        if file < 3 {
            files = -1;
        } else if file > 8 {
            files = 1;
        } else if rank < 3 {
            ranks = -1;
        } else if rank > 8 {
            ranks = 1;
        }
        // White's own side-boards are north and south, Black's west and east.
        let own = match side {
            Side::White => ranks != 0,
            Side::Black => files != 0,
        };
        if own {
            (files, ranks) = (-files, -ranks);
        }
        let mut direction = 0;
        while direction < 8 {
            let (x, y) = crate::board::DIRECTIONS[direction];
            if let Some(to) = BOARD.step(square, x, y) {
                // Forward has a positive product with the way ahead; the centre has no
                // way ahead, and everything is forward.
                let forward = files == 0 && ranks == 0 || x * files + y * ranks > 0;
                if forward && (x == 0 || y == 0) {
                    steps[index] = steps[index].union(Bitboard::of(to));
                } else if forward {
                    captures[index] = captures[index].union(Bitboard::of(to));
                    capturers[to.index()] = capturers[to.index()].union(Bitboard::of(square));
                }
            }
            direction += 1;
        }
        index += 1;
    }
    let [promotion, before_promotion] = match side {
        Side::White => [
            BOARD.file_set(0, 0).union(BOARD.file_set(11, 11)),
            BOARD.file_set(1, 1).union(BOARD.file_set(10, 10)),
        ],
        Side::Black => [
            BOARD.rank_set(0, 0).union(BOARD.rank_set(11, 11)),
            BOARD.rank_set(1, 1).union(BOARD.rank_set(10, 10)),
        ],
    };
    PawnReach { steps, captures, capturers, promotion, before_promotion }
}

/// A position of Cross-Eyed Chess.
#[derive(Clone)]
pub struct CrossEyed {
    placement: Placement,
}

impl CrossEyed {
    #[inline]
    fn kings(&self, side: Side) -> Bitboard {
        self.placement.of(side, KING)
    }

    /// Returns the squares that a Nahbi may move to or capture on.
    #[inline]
    fn nahbi_bends(from: Square, occupied: Bitboard) -> Bitboard {
        open_ends(&NAHBI_BENDS[from.index()], occupied)
    }

    /// Returns the squares that a Nahbi may jump to without capturing.
    #[inline]
    fn nahbi_jumps(from: Square, occupied: Bitboard) -> Bitboard {
        NAHBI_JUMPS[from.index()]
            .iter()
            .filter(|path| (path.through & occupied).any())
            .fold(Bitboard::EMPTY, |set, path| set | path.ends)
            .without(occupied)
    }

    /// Returns true if `by` could capture on `square`.
    #[inline]
    fn is_attacked(&self, square: Square, by: Side) -> bool {
        let at = square.index();
        let enemy = self.placement.side(by);
        let occupied = self.placement.occupied();
        (enemy
            & (KNIGHT_REACH[at] & self.placement.kind(KNIGHT)
                | CAMEL_REACH[at] & self.placement.kind(CAMEL)
                | KING_REACH[at] & self.placement.kind(KING)
                | PAWNS[by.index()].capturers[at] & self.placement.kind(PAWN)
                | BOARD.rook(square, occupied) & self.placement.kind(ROOK)
                | BOARD.bishop(square, occupied) & self.placement.kind(BISHOP)))
        .any()
            || (NAHBI_ORIGINS[at] & enemy & self.placement.kind(NAHBI))
                .into_iter()
                .any(|from| Self::nahbi_bends(from, occupied).has(square))
    }

    /// Returns the attackers of an enemy king.
    ///
    /// A slider that leaves along a line with the king on it attacked the king before, and a Nahbi
    /// is never in its own way. But a pawn that promotes becomes another piece behind the square
    /// that it left.
    #[inline]
    fn aim(&self, king: Square) -> Aim {
        let us = self.to_move();
        let (own, occupied) = (self.placement.side(us), self.placement.occupied());
        let of = |kind| own & self.placement.kind(kind);
        let (shape, at) = (&PAWNS[us.index()], king.index());
        let mut direct = [Bitboard::EMPTY; MAX_KINDS];
        direct[KING.index()] = KING_REACH[at];
        direct[PAWN.index()] = shape.capturers[at];
        direct[KNIGHT.index()] = KNIGHT_REACH[at];
        direct[BISHOP.index()] = BOARD.bishop(king, occupied);
        direct[ROOK.index()] = BOARD.rook(king, occupied);
        direct[CAMEL.index()] = CAMEL_REACH[at];
        let mut is_attacked = any_attacker(&self.placement, &direct);
        let snipers = ORTHOGONALS[at] & of(ROOK) | DIAGONALS[at] & of(BISHOP);
        let mut lone = lone_blockers(&BETWEEN[at], snipers, occupied);
        for nahbi in NAHBI_ORIGINS[at] & of(NAHBI) {
            let blockers = Self::nahbi_way(nahbi, king) & occupied;
            is_attacked |= blockers.is_empty();
            if !blockers.many() {
                lone |= blockers;
            }
        }
        direct[NAHBI.index()] = self.nahbi_squares(king);
        let promoting = of(PAWN) & shape.before_promotion;
        Aim::new(direct, own & lone | promoting, is_attacked)
    }

    /// Returns the squares from which a Nahbi attacks an enemy king.
    ///
    /// Blockers are ignored where an exact answer would be wasted: without an own Nahbi, and if no
    /// square is near every enemy king. A Nahbi can then attack all of them only if one is attacked
    /// already, and in that case its moves are tried anyway.
    #[inline]
    fn nahbi_squares(&self, king: Square) -> Bitboard {
        let us = self.to_move();
        let near_all = (self.kings(!us).into_iter())
            .fold(NAHBI_ORIGINS[king.index()], |near, king| near & NAHBI_ORIGINS[king.index()]);
        if near_all.is_empty() || self.placement.of(us, NAHBI).is_empty() {
            return NAHBI_ORIGINS[king.index()];
        }
        open_ends(&NAHBI_WAYS[king.index()], self.placement.occupied())
    }

    /// Returns the squares on a Nahbi's bent path from one square to another.
    #[inline]
    fn nahbi_way(from: Square, to: Square) -> Bitboard {
        NAHBI_BENDS[from.index()]
            .iter()
            .filter(|path| path.ends.has(to))
            .fold(Bitboard::EMPTY, |set, path| set | path.through)
    }

    /// Returns true if every king of `side` is attacked.
    #[inline]
    fn all_kings_attacked(&self, side: Side) -> bool {
        self.kings(side).into_iter().all(|king| self.is_attacked(king, !side))
    }

    /// Returns true if every king of the side to move is mated: attacked now, and open to capture
    /// after every legal move.
    ///
    /// "Each king is mated" and "no move saves any king" are the same: a king is saved by a move
    /// after which no enemy attacks it, or by the capture of the enemy's last king.
    fn kings_are_mated(&self) -> bool {
        let us = self.to_move();
        if !self.all_kings_attacked(us) {
            return false;
        }
        let mut escapes = Escapes { position: self, us, found: false };
        self.generate(MoveClass::All, self.kings(us), &mut escapes);
        if !escapes.found {
            self.generate(MoveClass::All, !self.kings(us), &mut escapes);
        }
        !escapes.found
    }
}

/// Searches moves for one that saves a king.
struct Escapes<'p> {
    position: &'p CrossEyed,
    us: Side,
    found: bool,
}

impl MoveSink for Escapes<'_> {
    fn piece(&mut self, from: Square, to: Bitboard) {
        for to in to {
            if self.found {
                return;
            }
            let mut next = self.position.clone();
            next.play(Move::new(from, to));
            self.found = next.kings(!self.us).is_empty()
                || next.kings(self.us).into_iter().any(|king| !next.is_attacked(king, !self.us));
        }
    }

    /// The kind of a promoted pawn does not matter for the safety of its kings.
    fn promoting(&mut self, from: Square, to: Bitboard, _: &[Kind]) {
        self.piece(from, to);
    }
}

impl Game for CrossEyed {
    const NAME: &'static str = "crosseyed";
    const START: &'static str = "****RMKB****/****1NC1****/****PPPP****/***6***/r1p6p1r/\
        mnp6pnm/kcp6pck/b1p6p1b/***6***/****PPPP****/****1NC1****/****RMKB**** w - - 0 1";
    const FIRST: Side = Side::White;
    const GEOMETRY: &'static Geometry = &BOARD;
    const KINDS: &'static [KindInfo] = &[
        KindInfo::new('K', 700, Figure::King),
        KindInfo::new('P', 100, Figure::Pawn),
        KindInfo::new('N', 320, Figure::Knight),
        KindInfo::new('B', 340, Figure::Bishop),
        KindInfo::new('R', 500, Figure::Rook),
        KindInfo::new('C', 260, Figure::Camel),
        KindInfo::new('M', 400, Figure::Nahbi),
    ];

    /// The ruling.
    const CLOCK_LIMIT: Option<u32> = Some(100);
    const MIRRORS: &'static [(bool, bool)] = &[(true, false), (false, true), (true, true)];

    fn from_fields(fields: Fields<'_>) -> Result<Self, FenError> {
        fields.refuse_castling_and_en_passant()?;
        let position = Self { placement: fields.placement };
        let fault = |fault: String| Err(FenError::new(FenField::Placement, fault));
        for side in Side::BOTH {
            let name = side.name();
            let kings = position.kings(side).count();
            if kings > 2 {
                return fault(format!("{kings} {name} kings, but there can be at most two"));
            }
            let pawns = position.placement.of(side, PAWN) & PAWNS[side.index()].promotion;
            if let Some(square) = pawns.first() {
                return fault(format!(
                    "a {name} pawn on {}, where it would have promoted",
                    BOARD.name(square)
                ));
            }
        }
        if position.placement.kind(KING).is_empty() {
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
        let (own, enemy) = (self.placement.side(us), self.placement.side(!us));
        let occupied = own | enemy;
        let wanted = class.targets(own, enemy);
        let movers = own & from;
        let shape = &PAWNS[us.index()];
        for square in movers & self.placement.kind(PAWN) {
            let to = shape.captures[square.index()] & enemy
                | shape.steps[square.index()].without(occupied);
            // Promotions are tactical.
            let to = to & class.targets(own, (enemy | shape.promotion).without(own));
            sink.piece(square, to.without(shape.promotion));
            if (to & shape.promotion).any() {
                sink.promoting(square, to & shape.promotion, PROMOTIONS);
            }
        }
        for square in movers & self.placement.kind(KNIGHT) {
            sink.piece(square, KNIGHT_REACH[square.index()] & wanted);
        }
        for square in movers & self.placement.kind(CAMEL) {
            sink.piece(square, CAMEL_REACH[square.index()] & wanted);
        }
        for square in movers & self.placement.kind(KING) {
            sink.piece(square, KING_REACH[square.index()] & wanted);
        }
        for square in movers & self.placement.kind(BISHOP) {
            sink.piece(square, BOARD.bishop(square, occupied) & wanted);
        }
        for square in movers & self.placement.kind(ROOK) {
            sink.piece(square, BOARD.rook(square, occupied) & wanted);
        }
        for square in movers & self.placement.kind(NAHBI) {
            let to = Self::nahbi_bends(square, occupied) | Self::nahbi_jumps(square, occupied);
            sink.piece(square, to & wanted);
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let us = self.placement.to_move();
        let captured = self.placement.take(mv.to()).is_some();
        let Some(piece) = self.placement.take(mv.from()) else {
            return;
        };
        let promotion = mv.promotion();
        let kind = promotion.unwrap_or(piece.kind());
        self.placement.put(mv.to(), Piece::new(us, kind));
        self.placement.end_turn(captured || promotion.is_some());
    }

    fn pass(&mut self) {
        self.placement.end_turn(false);
    }

    #[inline]
    fn board_outcome(&self) -> Option<Outcome> {
        let us = self.to_move();
        if let Some(loser) = [us, !us].into_iter().find(|&side| self.kings(side).is_empty()) {
            return Some(Outcome::win(!loser, Reason::KingsCaptured));
        }
        self.kings_are_mated().then(|| Outcome::win(!us, Reason::KingsMated))
    }

    fn no_move_outcome(&self) -> Outcome {
        Outcome::draw(Reason::Stalemate)
    }

    /// Returns true if the last king is attacked.
    #[inline]
    fn in_check(&self) -> bool {
        let us = self.to_move();
        !self.kings(us).many() && self.all_kings_attacked(us)
    }

    /// Returns true if every king that is left is attacked.
    #[inline]
    fn royals_attacked(&self) -> bool {
        let us = self.to_move();
        self.kings(us).any() && self.all_kings_attacked(us)
    }

    #[inline]
    fn check_squares(&self) -> CheckSquares {
        let kings = self.kings(!self.to_move());
        CheckSquares::at(kings, |king| self.aim(king))
    }

    /// With only kings and pawns left, having to move can hurt.
    #[inline]
    fn null_move_is_sound(&self) -> bool {
        self.placement.has_other_than(self.to_move(), &[PAWN, KING])
    }

    #[inline]
    fn material_gain(&self, mv: Move) -> i32 {
        promotion_gain(mv, Self::KINDS, PAWN)
    }

    #[inline]
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let at = square.index();
        let [white, black] =
            Side::BOTH.map(|side| PAWNS[side.index()].capturers[at] & self.placement.side(side));
        let nahbis = (NAHBI_ORIGINS[at] & self.placement.kind(NAHBI) & occupied)
            .into_iter()
            .filter(|&from| Self::nahbi_bends(from, occupied).has(square))
            .collect::<Bitboard>();
        ((white | black) & self.placement.kind(PAWN)
            | KNIGHT_REACH[at] & self.placement.kind(KNIGHT)
            | CAMEL_REACH[at] & self.placement.kind(CAMEL)
            | KING_REACH[at] & self.placement.kind(KING)
            | BOARD.rook(square, occupied) & self.placement.kind(ROOK)
            | BOARD.bishop(square, occupied) & self.placement.kind(BISHOP)
            | nahbis)
            & occupied
    }

    /// Reflects in the diagonal from a12 to l1, which brings Black's camps, left and right, to where
    /// White's are, piece by piece. Unlike a quarter turn it is its own inverse, so that exchanging
    /// the sides changes nothing.
    fn perspective(square: Square) -> Square {
        let (file, rank) = (BOARD.file(square) as i8, BOARD.rank(square) as i8);
        let last = BOARD.ranks() as i8 - 1;
        BOARD.at(last - rank, last - file).unwrap_or(square)
    }
}
