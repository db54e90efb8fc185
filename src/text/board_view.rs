//! The board of a client that does not know the rules, such as XBoard: a piece's targets, changes
//! and drops, and passes.

use super::coordinates::{kind_after_change, move_text, new_piece, read_move, read_squares};
use crate::board::Square;
use crate::games::{Game, GameExt, Move, Side};

/// A square that a piece can go to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The name of the square.
    pub square: String,
    /// True for a capture.
    pub captures: bool,
    /// The letters of the kinds that the piece can become there; none if it does not change.
    pub becomes: Vec<char>,
}

/// A position for a client that draws its board without the rules.
pub trait BoardView {
    /// Returns the targets of the piece on a square; none if there is no such square or piece, or
    /// the game is over.
    fn targets(&self, from: &str) -> Vec<Target>;

    /// Returns the legal moves in alphabetical order, each with its effects behind a colon, if it
    /// has any: `x` for a capture, `=L` for a piece that becomes one of the kind L, `+L@SQUARE` for
    /// a new piece.
    fn effects(&self) -> Vec<String>;

    /// Returns the two squares that a text begins with.
    fn read_squares(&self, text: &str) -> Option<[String; 2]>;

    /// Returns the letter, in lower case, of the kind that a piece changes to by a legal move that
    /// is no promotion.
    fn changed_letter(&self, mv: &str) -> Option<char>;

    /// Returns the new piece that a legal move brings in, as a drop: `Q@a1`.
    fn dropped_piece(&self, mv: &str) -> Option<String>;

    /// Returns a piece of a side and the empty square nearest to it, as squares, if there are both.
    fn pass_move(&self, side: Side) -> Option<(String, String)>;
}

impl<G: Game> BoardView for G {
    fn targets(&self, from: &str) -> Vec<Target> {
        let Some((from, "")) = G::GEOMETRY.read_square(from) else {
            return Vec::new();
        };
        let mut targets: Vec<Target> = Vec::new();
        if self.outcome().is_some() {
            return targets;
        }
        for mv in self.legal_moves() {
            if mv.from() != from {
                continue;
            }
            let square = G::GEOMETRY.name(mv.to()).to_string();
            let becomes = match mv.promotion() {
                Some(kind) => Some(kind),
                None => kind_after_change(self, mv),
            };
            let letter = becomes.map(|kind| G::KINDS[kind.index()].letter);
            match targets.iter_mut().find(|target| target.square == square) {
                Some(target) => target.becomes.extend(letter),
                None => targets.push(Target {
                    square,
                    captures: self.victim(mv).is_some(),
                    becomes: letter.into_iter().collect(),
                }),
            }
        }
        targets
    }

    fn effects(&self) -> Vec<String> {
        let with_effects = |mv: Move| {
            let text = move_text::<G>(mv);
            let mut effects = String::new();
            if self.victim(mv).is_some() {
                effects.push('x');
            }
            if let Some(kind) = mv.promotion().or_else(|| kind_after_change(self, mv)) {
                effects.extend(['=', G::KINDS[kind.index()].letter]);
            }
            if let Some(drop) = self.dropped_piece(&text) {
                effects.extend(["+", &drop]);
            }
            if effects.is_empty() { text } else { format!("{text}:{effects}") }
        };
        let mut moves: Vec<_> = self.legal_moves().into_iter().map(with_effects).collect();
        moves.sort_unstable();
        moves
    }

    fn read_squares(&self, text: &str) -> Option<[String; 2]> {
        let (from, to, _) = read_squares::<G>(text)?;
        Some([from, to].map(|square| G::GEOMETRY.name(square).to_string()))
    }

    fn changed_letter(&self, mv: &str) -> Option<char> {
        let mv = read_move(self, mv)?;
        let kind = kind_after_change(self, mv)?;
        Some(G::KINDS[kind.index()].letter.to_ascii_lowercase())
    }

    fn dropped_piece(&self, mv: &str) -> Option<String> {
        let (square, kind) = new_piece(self, read_move(self, mv)?)?;
        let letter = G::KINDS[kind.index()].letter;
        Some(format!("{letter}@{}", G::GEOMETRY.name(square)))
    }

    fn pass_move(&self, side: Side) -> Option<(String, String)> {
        let placement = self.placement();
        let distance = |&(from, to): &(Square, Square)| {
            let files = G::GEOMETRY.file(from).abs_diff(G::GEOMETRY.file(to));
            let ranks = G::GEOMETRY.rank(from).abs_diff(G::GEOMETRY.rank(to));
            files.max(ranks)
        };
        let empty = || {
            let all = G::GEOMETRY.squares();
            all.filter(|&square| placement.at(square).is_none())
        };
        let pieces = placement.side(side).into_iter();
        let pairs = pieces.flat_map(|from| empty().map(move |to| (from, to)));
        let (from, to) = pairs.min_by_key(distance)?;
        let name = |square| G::GEOMETRY.name(square).to_string();
        Some((name(from), name(to)))
    }
}
