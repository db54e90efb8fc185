//! A position of the training data, packed in 32 bytes.
//!
//! From the lowest bit: score 16 (for the side to move, clamped), result 2 (0 lost, 1 drawn,
//! 2 won, for the side to move, 3 a leaf of a search, without a result), side to move 1,
//! quiet 1; then a bit for each square of the board, set if a piece stands there; then for each
//! piece, in the order of the squares, a bit for its side and its kind: a 0 for the kind that is most frequent in the start
//! position, a 1 and the number of the kind otherwise. 252 bits hold Cross-Eyed Chess's 84
//! squares with forty pieces. Castling rights, clocks and all else that the network does not
//! see is left out.

use crate::board::Square;
use crate::games::{Game, GameExt, Kind, Piece, Placement, Side};

/// Size of a packed position.
pub(super) const BYTES: usize = 32;

/// A position with its label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedPosition([u8; BYTES]);

impl PackedPosition {
    /// Takes any bytes; the codec of a game reads some position from them.
    pub(super) const fn from_bytes(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
    }

    pub(super) const fn to_bytes(self) -> [u8; BYTES] {
        self.0
    }

    /// Replaces the score.
    #[must_use]
    pub(super) fn with_score(mut self, score: i32) -> Self {
        let score = score.clamp(-MAX_SCORE, MAX_SCORE) as i16;
        self.0[..2].copy_from_slice(&score.to_le_bytes());
        self
    }

    /// Unpacks the facts besides the pieces.
    pub(super) fn label(&self) -> Label {
        let mut bits = BitReader::new(self);
        let score = i32::from(bits.take(16) as u16 as i16);
        let result = bits.take(2) as u8;
        let side = Side::BOTH[bits.take(1) as usize];
        let quiet = bits.take(1) == 1;
        Label {
            side,
            score,
            result: if result == LEAF { 1 } else { result },
            quiet,
            leaf: result == LEAF,
        }
    }
}

/// Facts of a position besides its pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// Side to move.
    pub side: Side,
    /// Score of the search for the side to move, in centipawns.
    pub score: i32,
    /// Result of the game for the side to move: 0 lost, 1 drawn, 2 won.
    pub result: u8,
    /// True in a quiet position: not in check, and the best move wins no material.
    pub quiet: bool,
    /// True for a leaf of a search: no game has this position, and `result` is 1.
    pub leaf: bool,
}

/// The bits of the result that stand for a leaf.
const LEAF: u8 = 3;

/// Scores are clamped to ±this.
pub(super) const MAX_SCORE: i32 = 30_000;

/// Packs and unpacks the positions of a game.
pub(super) struct Codec {
    squares: Vec<Square>,
    frequent: Kind,
    kind_bits: u32,
}

impl Codec {
    pub(super) fn of<G: Game>() -> Self {
        Self {
            squares: G::GEOMETRY.squares().collect(),
            frequent: G::start().placement().most_frequent_kind(),
            kind_bits: usize::BITS - (G::KINDS.len() - 1).leading_zeros(),
        }
    }

    /// Packs a position; `None` if it does not fit because too many pieces are rare.
    pub(super) fn pack(&self, placement: &Placement, label: Label) -> Option<PackedPosition> {
        let mut bits = BitWriter::default();
        let score = label.score.clamp(-MAX_SCORE, MAX_SCORE) as i16;
        bits.put(u64::from(score as u16), 16)?;
        let result = if label.leaf { LEAF } else { label.result };
        bits.put(u64::from(result & 3), 2)?;
        bits.put(label.side as u64, 1)?;
        bits.put(u64::from(label.quiet), 1)?;
        for &square in &self.squares {
            bits.put(u64::from(placement.at(square).is_some()), 1)?;
        }
        for piece in self.squares.iter().filter_map(|&square| placement.at(square)) {
            bits.put(piece.side() as u64, 1)?;
            if piece.kind() == self.frequent {
                bits.put(0, 1)?;
            } else {
                bits.put(1 | (piece.kind().index() as u64) << 1, 1 + self.kind_bits)?;
            }
        }
        Some(PackedPosition::from_bytes(bits.bytes()))
    }

    pub(super) fn pieces<'r>(
        &'r self,
        record: &'r PackedPosition,
    ) -> impl Iterator<Item = (Square, Piece)> + 'r {
        let mut occupied = BitReader::new(record);
        occupied.skip(20);
        let mut pieces = BitReader::new(record);
        pieces.skip(20 + self.squares.len() as u32);
        self.squares.iter().filter_map(move |&square| {
            if occupied.take(1) == 0 {
                return None;
            }
            let side = Side::BOTH[pieces.take(1) as usize];
            let kind = if pieces.take(1) == 0 {
                self.frequent
            } else {
                Kind::new(pieces.take(self.kind_bits) as u8)
            };
            Some((square, Piece::new(side, kind)))
        })
    }
}

/// Writes bits from the lowest up.
#[derive(Default)]
struct BitWriter {
    words: [u64; BYTES / 8],
    length: u32,
}

impl BitWriter {
    /// Appends the lowest `count` bits of `value`; `None` if there is no room.
    fn put(&mut self, value: u64, count: u32) -> Option<()> {
        let (word, shift) = ((self.length / 64) as usize, self.length % 64);
        if self.length + count > 8 * BYTES as u32 {
            return None;
        }
        self.words[word] |= value << shift;
        if shift + count > 64 {
            self.words[word + 1] |= value >> (64 - shift);
        }
        self.length += count;
        Some(())
    }

    fn bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        for (bytes, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(self.words) {
            *bytes = word.to_le_bytes();
        }
        bytes
    }
}

/// Reads bits from the lowest up; zeros after the end.
struct BitReader {
    words: [u64; BYTES / 8],
    at: u32,
}

impl BitReader {
    fn new(record: &PackedPosition) -> Self {
        let mut words = [0; BYTES / 8];
        for (word, bytes) in words.iter_mut().zip(record.0.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Self { words, at: 0 }
    }

    fn skip(&mut self, count: u32) {
        self.at += count;
    }

    /// Takes the next `count` bits, fewer than 64.
    fn take(&mut self, count: u32) -> u64 {
        let (word, shift) = ((self.at / 64) as usize, self.at % 64);
        self.at += count;
        let word_at = |index: usize| self.words.get(index).copied().unwrap_or(0);
        let mut value = word_at(word) >> shift;
        if shift + count > 64 {
            value |= word_at(word + 1) << (64 - shift);
        }
        value & ((1 << count) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::*;
    use crate::positions::{random_positions, test_all_games};

    fn what_is_packed_comes_out<G: Game>() {
        let codec = Codec::of::<G>();
        let mut label =
            Label { side: Side::White, score: -1234, result: 0, quiet: false, leaf: false };
        for position in random_positions::<G>(300).chain([G::start()]) {
            label = Label {
                side: position.to_move(),
                score: -label.score + 7,
                result: (label.result + 1) % 3,
                quiet: !label.quiet,
                leaf: false,
            };
            let record = codec.pack(position.placement(), label).expect("it fits");
            assert_eq!(record.label(), label);
            let score = label.score / 2;
            let other = record.with_score(score).label();
            assert_eq!(other, Label { score, ..label });
            let leaf = Label { result: 1, leaf: true, ..label };
            let packed = codec.pack(position.placement(), leaf).expect("it fits");
            assert_eq!(packed.label(), leaf);
            let mut placement = Placement::empty(position.to_move());
            for (square, piece) in codec.pieces(&record) {
                placement.put(square, piece);
            }
            assert_eq!(placement.key(), position.placement().key());
            let difference = placement.difference(position.placement());
            assert!(difference.is_empty(), "{}", position.fen());
        }
    }

    fn scores_are_clamped<G: Game>() {
        let codec = Codec::of::<G>();
        let label = Label { side: Side::White, score: 99_999, result: 2, quiet: true, leaf: false };
        let record = codec.pack(G::start().placement(), label).expect("it fits");
        assert_eq!(record.label().score, MAX_SCORE);
    }

    test_all_games! {
        what_is_packed_comes_out
        scores_are_clamped
    }
}
