//! Gothic Chess: the rules of `gothic.md`, paragraph by paragraph.

use super::checks::lone_blockers;
use super::fen::{FenError, FenField, Fields};
use super::moves::promotion_gain;
use super::{
    Aim, CheckSquares, Figure, Game, GameExt, Kind, KindInfo, MAX_KINDS, Move, MoveClass, MoveSink,
    Outcome, Piece, Placement, Reason, Side, zobrist,
};
use crate::board::{Bitboard, Geometry, KING_LEAPS, KNIGHT_LEAPS, Square, SquareTable};
use crate::system::text::shorten;

static BOARD: Geometry = Geometry::new(&[".........."; 8]);

const KING: Kind = Kind::new(0);
const PAWN: Kind = Kind::new(1);
const KNIGHT: Kind = Kind::new(2);
const BISHOP: Kind = Kind::new(3);
const ROOK: Kind = Kind::new(4);
const ARCHBISHOP: Kind = Kind::new(5);
const CHANCELLOR: Kind = Kind::new(6);
const QUEEN: Kind = Kind::new(7);
const PROMOTIONS: &[Kind] = &[QUEEN, CHANCELLOR, ARCHBISHOP, ROOK, BISHOP, KNIGHT];

static KING_REACH: SquareTable<Bitboard> = BOARD.leaper(KING_LEAPS);
static KNIGHT_REACH: SquareTable<Bitboard> = BOARD.leaper(KNIGHT_LEAPS);
static PAWN_CAPTURES: [SquareTable<Bitboard>; 2] =
    [BOARD.leaper(&[(-1, 1), (1, 1)]), BOARD.leaper(&[(-1, -1), (1, -1)])];
static BETWEEN: SquareTable<SquareTable<Bitboard>> = BOARD.between();
static ORTHOGONALS: SquareTable<Bitboard> = BOARD.orthogonals();
static DIAGONALS: SquareTable<Bitboard> = BOARD.diagonals();

/// Geometry of one side's pawns.
struct PawnGeometry {
    /// Index difference of a step forward, and of the captures towards file a and j.
    forward: i8,
    captures: [i8; 2],
    /// The rank that a pawn has passed after its first single step.
    third: Bitboard,
    /// The last rank, where it promotes.
    last: Bitboard,
    /// The fifth of its own ranks, where an enemy's double step ends, and the sixth.
    passed: Bitboard,
    /// The rank from which it promotes.
    seventh: Bitboard,
}

static PAWNS: [PawnGeometry; 2] = [
    PawnGeometry {
        forward: 10,
        captures: [9, 11],
        third: BOARD.rank_set(2, 2),
        last: BOARD.rank_set(7, 7),
        passed: BOARD.rank_set(5, 5),
        seventh: BOARD.rank_set(6, 6),
    },
    PawnGeometry {
        forward: -10,
        captures: [-11, -9],
        third: BOARD.rank_set(5, 5),
        last: BOARD.rank_set(0, 0),
        passed: BOARD.rank_set(2, 2),
        seventh: BOARD.rank_set(1, 1),
    },
];
/// The squares that a capture towards file a, or towards file j, can end on.
static CAPTURE_ENDS: [Bitboard; 2] = [BOARD.file_set(0, 8), BOARD.file_set(1, 9)];

/// One of the four castlings.
struct Castling {
    right: u8,
    letter: char,
    king: [Square; 2],
    rook: [Square; 2],
    /// Between king and rook: must be empty.
    path: Bitboard,
    /// Crossed or reached by the king: must not be attacked.
    safe: Bitboard,
}

const fn castling(right: u8, letter: char, rank: i8, files: [i8; 4]) -> Castling {
    const fn at(file: i8, rank: i8) -> Square {
        match BOARD.at(file, rank) {
            Some(square) => square,
            None => unreachable!(),
        }
    }
    let (king, rook) =
        ([at(files[0], rank), at(files[1], rank)], [at(files[2], rank), at(files[3], rank)]);
    let path = BETWEEN[king[0].index()][rook[0].index()];
    let safe = BETWEEN[king[0].index()][king[1].index()].union(Bitboard::of(king[1]));
    Castling { right: 1 << right, letter, king, rook, path, safe }
}

/// King f→i with rook j→h, and king f→c with rook a→d, for White and for Black.
static CASTLINGS: [[Castling; 2]; 2] = [
    [castling(0, 'K', 0, [5, 8, 9, 7]), castling(1, 'Q', 0, [5, 2, 0, 3])],
    [castling(2, 'k', 7, [5, 8, 9, 7]), castling(3, 'q', 7, [5, 2, 0, 3])],
];

/// The castling rights that a move from or to a square ends.
static RIGHTS_LOST: SquareTable<u8> = {
    let mut table = [0; 128];
    let mut side = 0;
    while side < 2 {
        let mut wing = 0;
        while wing < 2 {
            let castling = &CASTLINGS[side][wing];
            table[castling.king[0].index()] |= castling.right;
            table[castling.rook[0].index()] |= castling.right;
            wing += 1;
        }
        side += 1;
    }
    table
};

/// A position of Gothic Chess.
#[derive(Clone)]
pub struct Gothic {
    placement: Placement,
    castling: u8,
    /// Set only when an en-passant capture is legal.
    en_passant: Option<Square>,
    /// The enemy pieces that give check.
    checkers: Bitboard,
}

impl Gothic {
    #[inline(always)]
    fn of(&self, side: Side, kind: Kind) -> Bitboard {
        self.placement.of(side, kind)
    }

    #[inline(always)]
    fn king(&self, side: Side) -> Option<Square> {
        self.of(side, KING).first()
    }

    #[inline(always)]
    fn diagonal_sliders(&self) -> Bitboard {
        self.placement.kind(BISHOP) | self.placement.kind(ARCHBISHOP) | self.placement.kind(QUEEN)
    }

    #[inline(always)]
    fn orthogonal_sliders(&self) -> Bitboard {
        self.placement.kind(ROOK) | self.placement.kind(CHANCELLOR) | self.placement.kind(QUEEN)
    }

    #[inline(always)]
    fn knights(&self) -> Bitboard {
        self.placement.kind(KNIGHT)
            | self.placement.kind(ARCHBISHOP)
            | self.placement.kind(CHANCELLOR)
    }

    /// Returns true if a piece of `by` attacks a square. Sliders stop at `occupied`, pieces off
    /// `occupied` are left out.
    #[inline(always)]
    fn is_attacked(&self, square: Square, by: Side, occupied: Bitboard) -> bool {
        let enemy = self.placement.side(by) & occupied;
        let at = square.index();
        if (KNIGHT_REACH[at] & enemy & self.knights()
            | PAWN_CAPTURES[(!by).index()][at] & enemy & self.placement.kind(PAWN)
            | KING_REACH[at] & enemy & self.placement.kind(KING))
        .any()
        {
            return true;
        }
        let orthogonal = enemy & self.orthogonal_sliders();
        let diagonal = enemy & self.diagonal_sliders();
        (ORTHOGONALS[at] & orthogonal).any() && (BOARD.rook(square, occupied) & orthogonal).any()
            || (DIAGONALS[at] & diagonal).any() && (BOARD.bishop(square, occupied) & diagonal).any()
    }

    /// Returns true if the side to move may capture en passant on `square` with the pawn on `from`:
    /// its king must not be attacked afterwards.
    fn en_passant_is_legal(&self, from: Square, square: Square) -> bool {
        let us = self.placement.to_move();
        let Some(king) = self.king(us) else {
            return false;
        };
        let captured = square.offset(-PAWNS[us.index()].forward);
        let occupied = (self.placement.occupied() ^ Bitboard::of(from) ^ Bitboard::of(captured))
            | Bitboard::of(square);
        !self.is_attacked(king, !us, occupied)
    }

    /// Returns the pawns of the side to move that may capture en passant on `square`.
    fn en_passant_capturers(&self, square: Square) -> Bitboard {
        let us = self.placement.to_move();
        let candidates = PAWN_CAPTURES[(!us).index()][square.index()] & self.of(us, PAWN);
        candidates.into_iter().filter(|&from| self.en_passant_is_legal(from, square)).collect()
    }

    /// Returns the enemy pieces that give check to the side to move.
    #[inline(always)]
    fn find_checkers(&self) -> Bitboard {
        let us = self.placement.to_move();
        let Some(king) = self.king(us) else {
            return Bitboard::EMPTY;
        };
        let (enemy, occupied, at) =
            (self.placement.side(!us), self.placement.occupied(), king.index());
        let mut checkers = KNIGHT_REACH[at] & enemy & self.knights()
            | PAWN_CAPTURES[us.index()][at] & enemy & self.placement.kind(PAWN);
        for sniper in self.snipers(king, enemy) {
            if (BETWEEN[at][sniper.index()] & occupied).is_empty() {
                checkers |= Bitboard::of(sniper);
            }
        }
        checkers
    }

    /// Returns the sliders of `enemy` on a line with the king, with or without blockers.
    #[inline(always)]
    fn snipers(&self, king: Square, enemy: Bitboard) -> Bitboard {
        enemy
            & (ORTHOGONALS[king.index()] & self.orthogonal_sliders()
                | DIAGONALS[king.index()] & self.diagonal_sliders())
    }

    /// Returns the pinned own pieces with the squares that each may still move to.
    #[inline(always)]
    fn pins(&self, king: Square, us: Side) -> (Bitboard, [(Square, Bitboard); 8]) {
        let (own, enemy) = (self.placement.side(us), self.placement.side(!us));
        let occupied = own | enemy;
        let mut pinned = Bitboard::EMPTY;
        let mut pins = [(king, Bitboard::EMPTY); 8];
        let mut count = 0;
        for sniper in self.snipers(king, enemy) {
            let between = BETWEEN[king.index()][sniper.index()];
            let blockers = between & occupied;
            if let Some(blocker) = (blockers & own).first()
                && !blockers.many()
            {
                pinned |= blockers;
                pins[count & 7] = (blocker, between | Bitboard::of(sniper));
                count += 1;
            }
        }
        (pinned, pins)
    }

    /// Pawns of `pawns` moving to squares of `allowed`, without en passant.
    #[inline(always)]
    fn pawn_moves<S: MoveSink>(
        &self,
        pawns: Bitboard,
        allowed: Bitboard,
        class: MoveClass,
        sink: &mut S,
    ) {
        let us = self.placement.to_move();
        let shape = &PAWNS[us.index()];
        let empty = !self.placement.occupied();
        let enemy = self.placement.side(!us);
        let single = pawns.shifted(shape.forward) & empty;
        if class != MoveClass::Tactical {
            sink.shifted((single & allowed).without(shape.last), shape.forward);
            let double = (single & shape.third).shifted(shape.forward) & empty;
            sink.shifted(double & allowed, 2 * shape.forward);
        }
        if class != MoveClass::Quiet {
            for (by, ends) in
                [(shape.captures[0], CAPTURE_ENDS[0]), (shape.captures[1], CAPTURE_ENDS[1])]
            {
                let captures = pawns.shifted(by) & ends & enemy & allowed;
                sink.shifted(captures.without(shape.last), by);
                for to in captures & shape.last {
                    sink.promoting(to.offset(-by), Bitboard::of(to), PROMOTIONS);
                }
            }
            for to in single & shape.last & allowed {
                sink.promoting(to.offset(-shape.forward), Bitboard::of(to), PROMOTIONS);
            }
        }
    }

    /// Generates the moves of the pieces of `from` that are neither pawns nor kings to squares of
    /// `allowed`.
    #[inline(always)]
    fn piece_moves<S: MoveSink>(&self, from: Bitboard, allowed: Bitboard, sink: &mut S) {
        let occupied = self.placement.occupied();
        for square in from & self.orthogonal_sliders() {
            sink.piece(square, BOARD.rook(square, occupied) & allowed);
        }
        for square in from & self.diagonal_sliders() {
            sink.piece(square, BOARD.bishop(square, occupied) & allowed);
        }
        for square in from & self.knights() {
            sink.piece(square, KNIGHT_REACH[square.index()] & allowed);
        }
    }

    /// Generates castling: king and rook unmoved, the way between them empty, the king not in
    /// check, and no square that it crosses or lands on attacked.
    #[inline(always)]
    fn castling_moves<S: MoveSink>(&self, us: Side, sink: &mut S) {
        let occupied = self.placement.occupied();
        for castling in &CASTLINGS[us.index()] {
            if self.castling & castling.right != 0
                && (castling.path & occupied).is_empty()
                && castling.safe.into_iter().all(|square| !self.is_attacked(square, !us, occupied))
            {
                sink.piece(castling.king[0], Bitboard::of(castling.king[1]));
            }
        }
    }

    /// Returns the attackers of the enemy king.
    ///
    /// A slider cannot leave along a line with the king on it: it attacked the king before. But a
    /// pawn that promotes becomes another piece behind the square that it left.
    #[inline(always)]
    fn check_squares(&self, king: Square) -> Aim {
        let us = self.to_move();
        let (own, occupied) = (self.placement.side(us), self.placement.occupied());
        let (rook, bishop) = (BOARD.rook(king, occupied), BOARD.bishop(king, occupied));
        let knight = KNIGHT_REACH[king.index()];
        let mut direct = [Bitboard::EMPTY; MAX_KINDS];
        direct[PAWN.index()] = PAWN_CAPTURES[(!us).index()][king.index()];
        direct[KNIGHT.index()] = knight;
        direct[BISHOP.index()] = bishop;
        direct[ROOK.index()] = rook;
        direct[ARCHBISHOP.index()] = bishop | knight;
        direct[CHANCELLOR.index()] = rook | knight;
        direct[QUEEN.index()] = rook | bishop;
        let lone = lone_blockers(&BETWEEN[king.index()], self.snipers(king, own), occupied);
        let promoting = (rook | bishop) & PAWNS[us.index()].seventh & self.placement.kind(PAWN);
        Aim::new(direct, own & (lone | promoting), false)
    }

    /// Returns the king's targets in castlings with an empty path, which move the rook too.
    #[inline(always)]
    fn castling_ends(&self, us: Side) -> Bitboard {
        let occupied = self.placement.occupied();
        CASTLINGS[us.index()]
            .iter()
            .filter(|castling| self.castling & castling.right != 0)
            .filter(|castling| (castling.path & occupied).is_empty())
            .fold(Bitboard::EMPTY, |ends, castling| ends | Bitboard::of(castling.king[1]))
    }

    /// Returns true for K–K, KN–K, KB–K, KN–KN, KB–KN, KB–KB and KNN–K, either way round.
    fn is_material_draw(&self) -> bool {
        let occupied = self.placement.occupied();
        if occupied.count() > 4 {
            return false;
        }
        let (knights, bishops) = (self.placement.kind(KNIGHT), self.placement.kind(BISHOP));
        let minors = knights | bishops;
        let [white, black] = Side::BOTH.map(|side| (minors & self.placement.side(side)).count());
        occupied == minors | self.placement.kind(KING)
            && (white <= 1 && black <= 1 || white + black == 2 && bishops.is_empty())
    }

    fn read_castling(text: &str, placement: &Placement) -> Result<u8, FenError> {
        let fault = |fault: String| FenError::new(FenField::Castling, fault);
        let mut rights = 0;
        if text == "-" {
            return Ok(0);
        }
        for letter in text.chars() {
            let (side, castling) = Side::BOTH
                .into_iter()
                .flat_map(|side| CASTLINGS[side.index()].iter().map(move |c| (side, c)))
                .find(|(_, castling)| {
                    // X-FEN and Shredder-FEN may name the file of the rook.
                    let file = char::from(b'a' + BOARD.file(castling.rook[0]));
                    let is_white = castling.letter.is_ascii_uppercase();
                    castling.letter == letter
                        || letter.is_ascii_uppercase() == is_white
                            && letter.to_ascii_lowercase() == file
                })
                .ok_or_else(|| fault(format!("`{letter}` is not one of K, Q, k, q")))?;
            if rights & castling.right != 0 {
                return Err(fault(format!("`{letter}` occurs twice")));
            }
            if placement.at(castling.king[0]) != Some(Piece::new(side, KING))
                || placement.at(castling.rook[0]) != Some(Piece::new(side, ROOK))
            {
                return Err(fault(format!("`{letter}`, but king and rook are not at home")));
            }
            rights |= castling.right;
        }
        Ok(rights)
    }

    /// Parses the square behind a pawn that may have made its double step on the last move.
    fn read_en_passant(text: &str, placement: &Placement) -> Result<Option<Square>, FenError> {
        if text == "-" {
            return Ok(None);
        }
        let fault = |fault: &str| {
            FenError::new(FenField::EnPassant, format!("`{}` {fault}", shorten(text)))
        };
        let Some((square, "")) = BOARD.read_square(text) else {
            return Err(fault("is not a square"));
        };
        let us = placement.to_move();
        let shape = &PAWNS[us.index()];
        let (start, end) = (square.offset(shape.forward), square.offset(-shape.forward));
        if !shape.passed.has(square)
            || placement.at(square).is_some()
            || placement.at(start).is_some()
            || placement.at(end) != Some(Piece::new(!us, PAWN))
        {
            return Err(fault("is not behind a pawn that could have just made its double step"));
        }
        Ok(Some(square))
    }
}

impl Game for Gothic {
    const NAME: &'static str = "gothic";
    const START: &'static str =
        "rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1";
    const FIRST: Side = Side::White;
    const GEOMETRY: &'static Geometry = &BOARD;
    const KINDS: &'static [KindInfo] = &[
        KindInfo::new('K', 0, Figure::King),
        KindInfo::new('P', 100, Figure::Pawn),
        KindInfo::new('N', 300, Figure::Knight),
        KindInfo::new('B', 340, Figure::Bishop),
        KindInfo::new('R', 500, Figure::Rook),
        KindInfo::new('A', 820, Figure::Archbishop),
        KindInfo::new('C', 870, Figure::Chancellor),
        KindInfo::new('Q', 930, Figure::Queen),
    ];

    /// 50 moves by each side.
    const CLOCK_LIMIT: Option<u32> = Some(100);

    fn from_fields(fields: Fields<'_>) -> Result<Self, FenError> {
        let placement = fields.placement;
        let fault = |fault: String| FenError::new(FenField::Placement, fault);
        for side in Side::BOTH {
            let name = side.name();
            match placement.of(side, KING).count() {
                1 => {}
                kings => {
                    return Err(fault(format!("{kings} {name} kings, but there must be one")));
                }
            }
        }
        if let Some(square) = (placement.kind(PAWN) & (PAWNS[0].last | PAWNS[1].last)).first() {
            return Err(fault(format!(
                "a pawn on {}, but none can stand on ranks 1 and 8",
                BOARD.name(square)
            )));
        }
        let castling = Self::read_castling(fields.castling, &placement)?;
        let en_passant = Self::read_en_passant(fields.en_passant, &placement)?;
        let mut position =
            Self { placement, castling, en_passant: None, checkers: Bitboard::EMPTY };
        let us = position.to_move();
        if position
            .king(!us)
            .is_some_and(|king| position.is_attacked(king, us, position.placement.occupied()))
        {
            return Err(FenError::new(FenField::Side, "the side that is not to move is in check"));
        }
        position.checkers = position.find_checkers();
        // Dropped when no capture is legal.
        position.en_passant =
            en_passant.filter(|&square| position.en_passant_capturers(square).any());
        Ok(position)
    }

    fn castling_field(&self) -> String {
        if self.castling == 0 {
            return "-".into();
        }
        let castlings = CASTLINGS.iter().flatten();
        castlings
            .filter(|castling| self.castling & castling.right != 0)
            .map(|castling| castling.letter)
            .collect()
    }

    fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    #[inline(always)]
    fn placement(&self) -> &Placement {
        &self.placement
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.placement.key()
            ^ zobrist::castling(self.castling)
            ^ self.en_passant.map_or(0, zobrist::en_passant)
    }

    #[inline(always)]
    fn generate<S: MoveSink>(&self, class: MoveClass, from: Bitboard, sink: &mut S) {
        let us = self.placement.to_move();
        let (own, enemy) = (self.placement.side(us), self.placement.side(!us));
        let occupied = own | enemy;
        let Some(king) = self.king(us) else { return };
        let checkers = self.checkers;
        let (pinned, pins) = self.pins(king, us);
        let wanted = class.targets(own, enemy);

        if from.has(king) {
            let without_king = occupied ^ Bitboard::of(king);
            let targets = KING_REACH[king.index()] & wanted;
            sink.piece(
                king,
                targets
                    .into_iter()
                    .filter(|&to| !self.is_attacked(to, !us, without_king))
                    .collect(),
            );
            if class != MoveClass::Tactical && checkers.is_empty() && self.castling != 0 {
                self.castling_moves(us, sink);
            }
        }

        // Out of check: capture the checker or step between. Out of double check: the king.
        let resolving = match checkers.first() {
            None => Bitboard::ALL,
            Some(checker) if !checkers.many() => BETWEEN[king.index()][checker.index()] | checkers,
            Some(_) => return,
        };
        let pawns = own & self.placement.kind(PAWN) & from;
        let pieces = (own & from).without(self.placement.kind(PAWN) | Bitboard::of(king));
        self.pawn_moves(pawns.without(pinned), resolving, class, sink);
        self.piece_moves(pieces.without(pinned), wanted & resolving, sink);
        if checkers.is_empty() && pinned.any() {
            for (square, line) in pins.into_iter().take_while(|(_, line)| line.any()) {
                let bit = Bitboard::of(square);
                self.pawn_moves(pawns & bit, line, class, sink);
                self.piece_moves(pieces & bit, wanted & line, sink);
            }
        }
        if class != MoveClass::Quiet
            && let Some(square) = self.en_passant
        {
            for from in self.en_passant_capturers(square) & from {
                sink.piece(from, Bitboard::of(square));
            }
        }
    }

    #[inline(always)]
    fn play(&mut self, mv: Move) {
        let (us, from, to) = (self.placement.to_move(), mv.from(), mv.to());
        let en_passant = self.en_passant.take();
        self.castling &= !(RIGHTS_LOST[from.index()] | RIGHTS_LOST[to.index()]);
        let mut irreversible = self.placement.take(to).is_some();
        let Some(piece) = self.placement.take(from) else {
            return;
        };
        let mut double_step = None;
        if piece.kind() == PAWN {
            irreversible = true;
            let shape = &PAWNS[us.index()];
            self.placement.put(to, mv.promotion().map_or(piece, |kind| Piece::new(us, kind)));
            if en_passant == Some(to) {
                self.placement.take(to.offset(-shape.forward));
            } else if to == from.offset(shape.forward).offset(shape.forward) {
                double_step = Some(from.offset(shape.forward));
            }
        } else {
            self.placement.put(to, piece);
            if piece.kind() == KING
                && let Some(castling) =
                    CASTLINGS[us.index()].iter().find(|castling| castling.king == [from, to])
                && let Some(rook) = self.placement.take(castling.rook[0])
            {
                self.placement.put(castling.rook[1], rook);
                irreversible = true;
            }
        }
        self.placement.end_turn(irreversible);
        self.checkers = self.find_checkers();
        if let Some(square) = double_step
            && self.en_passant_capturers(square).any()
        {
            self.en_passant = Some(square);
        }
    }

    fn pass(&mut self) {
        self.en_passant = None;
        self.placement.end_turn(false);
        self.checkers = Bitboard::EMPTY;
    }

    #[inline(always)]
    fn board_outcome(&self) -> Option<Outcome> {
        None
    }

    fn no_move_outcome(&self) -> Outcome {
        if self.in_check() {
            Outcome::win(!self.to_move(), Reason::Checkmate)
        } else {
            Outcome::draw(Reason::Stalemate)
        }
    }

    #[inline]
    fn draw_reason(&self) -> Option<Reason> {
        if self.clock_has_run_out() {
            Some(Reason::Clock)
        } else if self.is_material_draw() {
            Some(Reason::Material)
        } else {
            None
        }
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        self.checkers.any()
    }

    #[inline]
    fn check_squares(&self) -> CheckSquares {
        let us = self.to_move();
        CheckSquares::at(self.of(!us, KING), |king| self.check_squares(king))
            .with_unsure_to(self.castling_ends(us))
            // The captured pawn stood on neither square of the move.
            .with_unsure_to(self.en_passant.map_or(Bitboard::EMPTY, Bitboard::of))
    }

    fn unsolvable_reason(pieces: &[Piece]) -> Option<&'static str> {
        let has_pawn = |side| pieces.contains(&Piece::new(side, PAWN));
        let both = Side::BOTH.into_iter().all(has_pawn);
        both.then_some("with pawns of both sides, the placement does not show en passant")
    }

    /// Zugzwang is the rule only where a side has nothing but king and pawns.
    #[inline(always)]
    fn null_move_is_sound(&self) -> bool {
        self.placement.has_other_than(self.to_move(), &[PAWN, KING])
    }

    #[inline(always)]
    fn victim(&self, mv: Move) -> Option<(Square, Kind)> {
        if let Some(piece) = self.placement.at(mv.to()) {
            return Some((mv.to(), piece.kind()));
        }
        let us = self.to_move();
        (self.en_passant == Some(mv.to()) && self.of(us, PAWN).has(mv.from()))
            .then(|| (mv.to().offset(-PAWNS[us.index()].forward), PAWN))
    }

    #[inline(always)]
    fn material_gain(&self, mv: Move) -> i32 {
        promotion_gain(mv, Self::KINDS, PAWN)
    }

    #[inline]
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let at = square.index();
        let [white, black] = [self.placement.side(Side::White), self.placement.side(Side::Black)];
        let pawns = PAWN_CAPTURES[1][at] & white | PAWN_CAPTURES[0][at] & black;
        (pawns & self.placement.kind(PAWN)
            | KNIGHT_REACH[at] & self.knights()
            | KING_REACH[at] & self.placement.kind(KING)
            | BOARD.rook(square, occupied) & self.orthogonal_sliders()
            | BOARD.bishop(square, occupied) & self.diagonal_sliders())
            & occupied
    }

    /// Reads castling written as king takes own rook (`f1j1`) or as `O-O` and `O-O-O`.
    fn alias(&self, text: &str) -> Option<Move> {
        let us = self.to_move();
        let home = CASTLINGS[us.index()][0].king[0];
        if self.king(us) != Some(home) {
            return None;
        }
        CASTLINGS[us.index()]
            .iter()
            .zip([["O-O", "0-0"], ["O-O-O", "0-0-0"]])
            .find(|(castling, words)| {
                words.contains(&text)
                    || text == format!("{}{}", BOARD.name(home), BOARD.name(castling.rook[0]))
                        && self.placement.at(castling.rook[0]) == Some(Piece::new(us, ROOK))
            })
            .map(|(castling, _)| Move::new(castling.king[0], castling.king[1]))
            .filter(|&mv| self.is_legal(mv))
    }
}
