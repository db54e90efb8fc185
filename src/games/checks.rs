//! Moves that give check, found before any of them is played.
//!
//! A piece is *royal* if its side must not lose it: Gothic's king, the kings of Congress and
//! Cross-Eyed, of which a side can have two and must keep one, and the last piece of a side in
//! Pressman. A move gives check if it leaves every royal piece of the enemy attacked.

use super::{Game, Kind, MAX_KINDS, Move, Placement};
use crate::board::{Bitboard, Square, SquareTable};

/// The squares from which the side to move attacks one royal piece of the enemy.
pub struct Aim {
    /// By kind, the squares from which a piece attacks it.
    direct: [Bitboard; MAX_KINDS],
    /// The own pieces whose moves may attack it from elsewhere.
    unsure_from: Bitboard,
    /// True if it is attacked already.
    is_attacked: bool,
}

impl Aim {
    /// Creates an aim. `direct` has for each kind the squares from which a piece of the side to
    /// move would attack the royal piece as the board is now. `unsure_from` has every own piece
    /// that may attack it by a move that does not end on one of these: by opening a line to another
    /// one, or along a line that the piece itself closes now.
    #[inline(always)]
    pub fn new(direct: [Bitboard; MAX_KINDS], unsure_from: Bitboard, is_attacked: bool) -> Self {
        Self { direct, unsure_from, is_attacked }
    }
}

/// Returns true if a piece of the side to move stands on a square from which its kind attacks.
#[inline(always)]
pub(super) fn any_attacker(placement: &Placement, direct: &[Bitboard; MAX_KINDS]) -> bool {
    let kinds = (0..MAX_KINDS as u8).map(Kind::new);
    let attackers = kinds.fold(Bitboard::EMPTY, |attackers, kind| {
        attackers | direct[kind.index()] & placement.kind(kind)
    });
    (attackers & placement.side(placement.to_move())).any()
}

/// Returns the pieces that are alone between a square and one of the `snipers` on a line with it.
/// `between` has the squares between that square and each other one.
#[inline(always)]
pub(super) fn lone_blockers(
    between: &SquareTable<Bitboard>,
    snipers: Bitboard,
    occupied: Bitboard,
) -> Bitboard {
    let blockers = snipers.into_iter().map(|sniper| between[sniper.index()] & occupied);
    blockers.filter(|blockers| !blockers.many()).fold(Bitboard::EMPTY, |all, blocker| all | blocker)
}

/// The squares of a position from and to which moves give check, computed once for all its moves.
#[derive(Clone)]
pub struct CheckSquares {
    /// By kind, the squares from which a piece of the side to move attacks every royal
    /// piece of the enemy.
    direct: [Bitboard; MAX_KINDS],
    /// Moves that start here, or end there, are to be tried.
    unsure_from: Bitboard,
    unsure_to: Bitboard,
    /// All squares where a move from elsewhere can end and give check.
    ends: Bitboard,
    /// True if a move to one of the direct squares gives check for certain.
    is_certain: bool,
}

impl CheckSquares {
    /// No move gives check.
    pub const NONE: Self =
        Self { direct: [Bitboard::EMPTY; MAX_KINDS], ends: Bitboard::EMPTY, ..Self::UNSURE };

    /// Nothing is known: every move is to be tried.
    pub const UNSURE: Self = Self {
        direct: [Bitboard::ALL; MAX_KINDS],
        unsure_from: Bitboard::EMPTY,
        unsure_to: Bitboard::EMPTY,
        ends: Bitboard::ALL,
        is_certain: false,
    };

    /// Returns the checks to royal pieces on `royals`, each attacked by its `aim`.
    #[inline(always)]
    pub fn at(royals: Bitboard, aim: impl Fn(Square) -> Aim) -> Self {
        let mut squares = Self { is_certain: royals.any(), ..Self::UNSURE };
        for aim in royals.into_iter().map(aim) {
            // After most moves it will still be attacked, or captured. If there is no other,
            // nothing is sure.
            if aim.is_attacked {
                squares.is_certain = false;
                continue;
            }
            for (all, one) in squares.direct.iter_mut().zip(aim.direct) {
                *all &= one;
            }
            squares.unsure_from |= aim.unsure_from;
        }
        squares.ends = (squares.direct.into_iter()).fold(Bitboard::EMPTY, |all, one| all | one);
        squares
    }

    /// Marks moves to `squares` as unsure: they must be tried.
    #[inline(always)]
    #[must_use]
    pub fn with_unsure_to(mut self, squares: Bitboard) -> Self {
        self.unsure_to |= squares;
        self.ends |= squares;
        self
    }

    /// Returns true if no move gives check.
    #[inline(always)]
    pub fn are_none(&self) -> bool {
        self.ends.is_empty() && self.unsure_from.is_empty()
    }

    /// Returns true if a move can give check at all. Most moves cannot, whatever piece makes them.
    #[inline(always)]
    pub fn may_have(&self, mv: Move) -> bool {
        self.ends.has(mv.to()) || self.unsure_from.has(mv.from())
    }

    /// Returns whether a legal move gives check; `None` if that must be tried. `kind` is the kind
    /// of the piece after the move.
    #[inline(always)]
    pub fn verdict(&self, mv: Move, kind: Kind) -> Option<bool> {
        if self.unsure_from.has(mv.from()) || self.unsure_to.has(mv.to()) {
            None
        } else if self.direct[kind.index()].has(mv.to()) {
            self.is_certain.then_some(true)
        } else {
            Some(false)
        }
    }
}

/// Plays a legal move and returns true if it gives check.
#[inline(never)]
pub(super) fn tried<G: Game>(position: &G, mv: Move) -> bool {
    let mut next = position.clone();
    next.play(mv);
    next.royals_attacked()
}
