//! Random numbers for hash keys (A. L. Zobrist, "A New Hashing Method with Application for Game
//! Playing", 1970), generated at compile time by SplitMix64.

use super::Piece;
use crate::board::Square;

const fn random(index: u64) -> u64 {
    let mut z = (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

static PIECES: [[u64; 128]; Piece::COUNT] = {
    let mut table = [[0; 128]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT * 128 {
        table[index / 128][index % 128] = random(index as u64);
        index += 1;
    }
    table
};

/// Toggled with the side to move.
pub(super) const SIDE: u64 = random(1 << 20);

/// Returns the number of a piece on a square.
#[inline]
pub(super) fn piece(square: Square, piece: Piece) -> u64 {
    PIECES[piece.index()][square.index()]
}

/// Returns the number of a set of castling rights; 0 for none.
#[inline]
pub(super) const fn castling(rights: u8) -> u64 {
    const TABLE: [u64; 16] = {
        let mut table = [0; 16];
        let mut index = 1;
        while index < 16 {
            table[index] = random(1 << 21 | index as u64);
            index += 1;
        }
        table
    };
    TABLE[(rights & 15) as usize]
}

/// Returns the number of an en-passant square.
#[inline]
pub(super) const fn en_passant(square: Square) -> u64 {
    random(1 << 22 | square.index() as u64)
}
