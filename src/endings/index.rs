//! Placements of a material set as numbers.

use super::material::{Material, anywhere};
use crate::board::{Bitboard, Square, SquareTable};
use crate::games::{Game, GameExt, Piece, Placement, Side};

/// Numbers the placements of a material set, with one number for all reflections of a placement.
///
/// The number has for each piece its square, the first piece the most significant, and then the
/// side to move. A placement is reflected so that the first piece stands on the first image of its
/// square.
pub(super) struct Index {
    pieces: Vec<Piece>,
    squares: usize,
    /// By reflection, the image of each square; the first reflection changes nothing.
    reflections: Vec<SquareTable<Square>>,
    /// By square of the first piece, its number and the reflection that maps it there.
    firsts: SquareTable<(usize, usize)>,
    /// The squares of the first piece that have a number.
    numbered: Vec<Square>,
}

/// The squares of the pieces, in the order of the set.
pub(super) type Places = [Square; super::MAX_PIECES];

impl Index {
    /// Numbers the placements of a set.
    pub(super) fn new<G: Game>(material: &Material) -> Self {
        let squares = G::GEOMETRY.squares().count();
        let reflected = |reflection| {
            let mut table = [Square::new(0); 128];
            for square in G::GEOMETRY.squares() {
                table[square.index()] = G::GEOMETRY.reflect(square, reflection);
            }
            table
        };
        // Reflections are used only if no square is its own image.
        let reflections: Vec<_> = std::iter::once((false, false))
            .chain(G::MIRRORS.iter().copied())
            .map(reflected)
            .collect();
        let is_free = G::GEOMETRY.squares().all(|square| {
            let mut others = reflections.iter().skip(1);
            others.all(|table| table[square.index()] != square)
        });
        let reflections = if is_free { reflections } else { reflections[..1].to_vec() };
        let mut firsts = [(0, 0); 128];
        let mut numbered = Vec::new();
        for square in G::GEOMETRY.squares() {
            let images = reflections.iter().map(|table| table[square.index()]);
            let (reflection, first) =
                images.enumerate().min_by_key(|&(_, image)| image).unwrap_or((0, square));
            if first == square {
                numbered.push(square);
            }
            // The first image has its number already: it comes before all others.
            let number = numbered.iter().position(|&other| other == first);
            firsts[square.index()] = (number.unwrap_or(0), reflection);
        }
        Self { pieces: material.pieces().to_vec(), squares, reflections, firsts, numbered }
    }

    /// Returns the count of numbers.
    pub(super) fn len(&self) -> usize {
        2 * self.numbered.len() * self.squares.pow(self.pieces.len() as u32 - 1)
    }

    /// Returns the count of placements with the same number.
    pub(super) fn images(&self) -> usize {
        self.reflections.len()
    }

    /// Returns the pieces, in the order of their squares.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the images of a move between two squares under all reflections.
    pub(super) fn images_of(
        &self,
        from: Square,
        to: Square,
    ) -> impl Iterator<Item = (Square, Square)> {
        self.reflections.iter().map(move |table| (table[from.index()], table[to.index()]))
    }

    /// Returns the number of a placement.
    #[inline]
    pub(super) fn of(&self, places: &Places, to_move: Side) -> usize {
        let (first, reflection) = self.firsts[places[0].index()];
        let reflect = &self.reflections[reflection];
        let others = places[1..self.pieces.len()].iter();
        let number = others
            .fold(first, |number, place| number * self.squares + reflect[place.index()].index());
        2 * number + to_move.index()
    }

    /// Returns the placement of a number. Pieces may share a square.
    #[inline]
    pub(super) fn places(&self, number: usize) -> (Places, Side) {
        let mut places = [Square::new(0); super::MAX_PIECES];
        let to_move = Side::BOTH[number % 2];
        let mut rest = number / 2;
        for place in places[1..self.pieces.len()].iter_mut().rev() {
            *place = Square::new((rest % self.squares) as u8);
            rest /= self.squares;
        }
        places[0] = self.numbered[rest];
        (places, to_move)
    }

    /// Places the pieces; `None` if that is not a position of the game.
    #[inline]
    pub(super) fn position<G: Game>(&self, places: &Places, to_move: Side) -> Option<G> {
        let mut placement = Placement::empty(to_move);
        let mut occupied = Bitboard::EMPTY;
        for (piece, &place) in self.pieces.iter().zip(places) {
            if occupied.has(place) {
                return None;
            }
            occupied |= Bitboard::of(place);
            let kind = G::kind_on(piece.kind(), place);
            placement.put(place, Piece::new(piece.side(), kind));
        }
        G::from_placement(placement).ok()
    }

    /// Returns the number of a position with exactly these pieces. `flipped` exchanges the sides
    /// first.
    pub(super) fn of_position<G: Game>(&self, position: &G, flipped: bool) -> usize {
        let placement = position.placement();
        let mut places = [Square::new(0); super::MAX_PIECES];
        let mut left = placement.occupied();
        for (piece, place) in self.pieces.iter().zip(&mut places) {
            let side = if flipped { !piece.side() } else { piece.side() };
            let is_it = |square: &Square| {
                placement.at(*square).is_some_and(|other| {
                    other.side() == side && anywhere::<G>(other.kind()) == piece.kind()
                })
            };
            if let Some(square) = left.into_iter().find(is_it) {
                left = left.without(Bitboard::of(square));
                *place = if flipped { G::perspective(square) } else { square };
            }
        }
        let to_move = placement.to_move();
        self.of(&places, if flipped { !to_move } else { to_move })
    }
}
