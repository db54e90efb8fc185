//! Material sets: the pieces on the board, on any squares.

use crate::board::Square;
use crate::games::{Figure, Game, Kind, MAX_KINDS, Piece, Placement, Side, letter, piece_of};
use std::fmt;

/// The most pieces of a set.
pub const MAX_PIECES: usize = 4;

/// The reason why a set has no table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MaterialError {
    /// No piece of the game has this letter.
    Unknown(char),
    /// A side lacks a king, or in a game without kings a piece.
    Without(Side, &'static str),
    /// There are more than [`MAX_PIECES`].
    TooMany(usize),
    /// No position of the game has these pieces.
    NoPosition,
    /// The squares do not determine the moves; with the reason.
    Open(&'static str),
}

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(letter) => write!(f, "`{letter}` is not a piece of this game"),
            Self::Without(side, what) => write!(
                f,
                "{} has no {what}; its pieces are the {} letters",
                side.name(),
                match side {
                    Side::White => "upper-case",
                    Side::Black => "lower-case",
                }
            ),
            Self::TooMany(count) => {
                write!(f, "{count} pieces, but at most {MAX_PIECES} can be solved")
            }
            Self::NoPosition => f.write_str("no position of this game has these pieces"),
            Self::Open(why) => write!(f, "it cannot be solved: {why}"),
        }
    }
}

impl std::error::Error for MaterialError {}

/// A material set: White's pieces first, each side's king first and then by value.
///
/// The kind of a piece may depend on its square; in the set it has the kind of the first square of
/// the board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Material(Vec<Piece>);

/// A set as a number: the count of each piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signature(u64);

/// Returns the kind that stands in a set for a piece whose kind may change with its square.
pub(super) fn anywhere<G: Game>(kind: Kind) -> Kind {
    G::kind_on(kind, Square::new(0))
}

impl Signature {
    /// Returns the signature of a position, if it has no piece more than 15 times.
    #[inline]
    pub fn of<G: Game>(placement: &Placement) -> Option<Self> {
        let mut signature = Self(0);
        for side in Side::BOTH {
            for kind in (0..G::KINDS.len() as u8).map(Kind::new) {
                for _ in placement.of(side, kind) {
                    signature = signature.and(Piece::new(side, anywhere::<G>(kind)))?;
                }
            }
        }
        Some(signature)
    }

    fn and(self, piece: Piece) -> Option<Self> {
        const BITS: usize = 4;
        const MOST: u64 = (1 << BITS) - 1;
        const {
            assert!(
                BITS * Piece::COUNT <= u64::BITS as usize,
                "a signature has no room for so many kinds"
            );
        }
        let shift = BITS * piece.index();
        ((self.0 >> shift) & MOST < MOST).then_some(Self(self.0 + (1 << shift)))
    }
}

impl Material {
    /// Builds a set from pieces in any order.
    fn sorted<G: Game>(pieces: impl IntoIterator<Item = Piece>) -> Self {
        let whole = |piece: Piece| Piece::new(piece.side(), anywhere::<G>(piece.kind()));
        let mut pieces: Vec<_> = pieces.into_iter().map(whole).collect();
        pieces.sort_by_key(place_in_set::<G>);
        Self(pieces)
    }

    /// Parses letters as in a FEN, upper case for White. Returns the set, and the kinds as written,
    /// in the order of the set.
    pub fn read<G: Game>(text: &str) -> Result<(Self, Vec<Kind>), MaterialError> {
        let read = |letter| piece_of(letter, G::KINDS).ok_or(MaterialError::Unknown(letter));
        let mut pieces = text.chars().map(read).collect::<Result<Vec<_>, _>>()?;
        if pieces.len() > MAX_PIECES {
            return Err(MaterialError::TooMany(pieces.len()));
        }
        pieces.sort_by_key(place_in_set::<G>);
        let set = Self::sorted::<G>(pieces.iter().copied());
        match Side::BOTH.into_iter().find(|&side| !set.has_king::<G>(side)) {
            Some(side) => {
                Err(MaterialError::Without(side, if has_kings::<G>() { "king" } else { "piece" }))
            }
            None => Ok((set, pieces.iter().map(|piece| piece.kind()).collect())),
        }
    }

    /// Returns all sets of `count` pieces with kings, in the form in which they are solved.
    pub fn all<G: Game>(count: usize) -> Vec<Self> {
        let pieces =
            |side| (0..G::KINDS.len() as u8).map(move |kind| Piece::new(side, Kind::new(kind)));
        let pieces: Vec<_> = Side::BOTH.into_iter().flat_map(pieces).collect();
        let mut sets = vec![Self(Vec::new())];
        for _ in 0..count {
            let longer = sets.iter().flat_map(|set| {
                pieces.iter().map(|&piece| Self::sorted::<G>(set.0.iter().copied().chain([piece])))
            });
            let mut longer: Vec<_> = longer.collect();
            longer.sort_by_cached_key(|set| {
                let places = set.0.iter().map(place_in_set::<G>);
                places.collect::<Vec<_>>()
            });
            longer.dedup();
            sets = longer;
        }
        sets.retain(|set| {
            set.is_solved_so::<G>() && Side::BOTH.into_iter().all(|side| set.has_king::<G>(side))
        });
        sets
    }

    /// Returns the set of a position.
    pub fn of<G: Game>(placement: &Placement) -> Self {
        Self::sorted::<G>(
            placement.occupied().into_iter().filter_map(|square| placement.at(square)),
        )
    }

    /// Returns true if a side has a king, or a piece in a game without kings.
    fn has_king<G: Game>(&self, side: Side) -> bool {
        let is_king =
            |kind: Kind| !has_kings::<G>() || G::KINDS[kind.index()].figure == Figure::King;
        (self.0.iter()).any(|piece| piece.side() == side && is_king(piece.kind()))
    }

    /// Returns the pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// Returns the set as a number.
    pub fn signature(&self) -> Signature {
        let add = |signature: Signature, &piece: &Piece| signature.and(piece);
        self.0.iter().try_fold(Signature(0), add).unwrap_or(Signature(u64::MAX))
    }

    /// Returns the set with the sides exchanged.
    pub fn flipped<G: Game>(&self) -> Self {
        Self::sorted::<G>(self.0.iter().map(|piece| Piece::new(!piece.side(), piece.kind())))
    }

    /// Returns true if this set is solved and not its [`flipped`](Self::flipped) twin: White has
    /// more pieces, or as many and better ones.
    fn is_solved_so<G: Game>(&self) -> bool {
        let ranks = |side| -> Vec<usize> {
            let own = self.0.iter().filter(|piece| piece.side() == side);
            own.map(|piece| rank::<G>(piece.kind())).collect()
        };
        let (white, black) = (ranks(Side::White), ranks(Side::Black));
        white.len() > black.len() || white.len() == black.len() && white <= black
    }

    /// Returns the set, with the sides exchanged if only that form is solved.
    pub fn as_solved<G: Game>(self) -> Self {
        if self.is_solved_so::<G>() { self } else { self.flipped::<G>() }
    }

    /// Returns the sets after a capture, in the form in which they are solved.
    pub fn after_captures<G: Game>(&self) -> Vec<Self> {
        let mut sets = Vec::new();
        for index in 0..self.0.len() {
            let mut set = self.clone();
            set.0.remove(index);
            let set = set.as_solved::<G>();
            if Side::BOTH.into_iter().all(|side| set.has_king::<G>(side)) && !sets.contains(&set) {
                sets.push(set);
            }
        }
        sets
    }

    /// Returns the name of its table's file.
    pub fn file_name<G: Game>(&self) -> String {
        let side = |side| -> String {
            let own = self.0.iter().filter(|piece| piece.side() == side);
            own.map(|piece| G::KINDS[piece.kind().index()].letter).collect()
        };
        format!("{}-{}v{}.end", G::NAME, side(Side::White), side(Side::Black))
    }

    /// Returns the subsets of at most `most` pieces that have kings, the smallest first, in the
    /// form in which they are solved.
    pub fn parts<G: Game>(&self, most: usize) -> Vec<Self> {
        let mut parts = vec![Self(Vec::new())];
        for &piece in &self.0 {
            let with = |part: &Self| Self(part.0.iter().copied().chain([piece]).collect());
            let longer: Vec<_> =
                parts.iter().filter(|part| part.0.len() < most).map(with).collect();
            parts.extend(
                longer.into_iter().filter(|part| !parts.contains(part)).collect::<Vec<_>>(),
            );
        }
        parts.retain(|part| Side::BOTH.into_iter().all(|side| part.has_king::<G>(side)));
        parts.sort_by_key(|part| part.0.len());
        parts.into_iter().map(Self::as_solved::<G>).collect()
    }

    /// Returns the letters, upper case for White.
    pub fn name<G: Game>(&self) -> String {
        self.0.iter().map(|&piece| letter(piece, G::KINDS)).collect()
    }
}

fn has_kings<G: Game>() -> bool {
    G::KINDS.iter().any(|kind| kind.figure == Figure::King)
}

/// Returns the sort key of a piece in its set.
fn place_in_set<G: Game>(piece: &Piece) -> (usize, usize) {
    (piece.side().index(), rank::<G>(anywhere::<G>(piece.kind())))
}

/// Returns the rank of a kind in sets: kings first, then by value.
fn rank<G: Game>(kind: Kind) -> usize {
    let mut order = [(false, 0, 0); MAX_KINDS];
    for (index, (entry, info)) in order.iter_mut().zip(G::KINDS).enumerate() {
        *entry = (info.figure != Figure::King, -info.value, index);
    }
    let own = order[kind.index()];
    order[..G::KINDS.len()].iter().filter(|&&other| other < own).count()
}
