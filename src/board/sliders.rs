//! The squares that sliding pieces see.
//!
//! A line is at most 12 squares long. Its occupancy fits in ten bits, since the ends do not matter,
//! and the squares seen fit in twelve. Two `pext` gather the occupancy from the halves of the
//! bitboard, one look-up finds the answer in a table that all squares of all boards share and that
//! stays in the first-level cache, two `pdep` scatter it again. Without BMI2 the classical
//! first-blocker rays do the same.

use super::{Bitboard, Geometry, Square};
use crate::system::processor;

/// For each position on a line and each occupancy of the line's positions 1 to 10, the
/// positions that a slider sees.
static SEEN: [[u16; 1024]; 16] = seen();

const fn seen() -> [[u16; 1024]; 16] {
    let mut table = [[0; 1024]; 16];
    let mut position = 0;
    while position < 12 {
        let mut occupancy = 0;
        while occupancy < 1024 {
            let blockers = (occupancy as u16) << 1;
            let mut set = 0;
            let mut up = position + 1;
            while up < 12 {
                set |= 1 << up;
                if blockers >> up & 1 != 0 {
                    break;
                }
                up += 1;
            }
            let mut down = position;
            while down > 0 {
                down -= 1;
                set |= 1 << down;
                if blockers >> down & 1 != 0 {
                    break;
                }
            }
            table[position][occupancy] = set;
            occupancy += 1;
        }
        position += 1;
    }
    table
}

/// True in a build that reads the lines with BMI2.
const WITH_BMI2: bool = cfg!(all(target_arch = "x86_64", target_feature = "bmi2"));

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use processor::portable::{pdep, pext};
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use processor::{pdep, pext};

impl Geometry {
    /// Returns the squares that a slider on `square` sees along one of the first four directions,
    /// both ways.
    #[inline]
    fn along(&self, square: Square, axis: usize, occupied: Bitboard) -> Bitboard {
        if WITH_BMI2 {
            self.along_by_table(square, axis, occupied)
        } else {
            self.along_by_rays(square, axis, occupied)
        }
    }

    #[inline]
    fn along_by_table(&self, square: Square, axis: usize, occupied: Bitboard) -> Bitboard {
        let line = self.line(square, axis);
        let low = pext(occupied.0 as u64, line.inner[0]);
        let high = pext((occupied.0 >> 64) as u64, line.inner[1]);
        let occupancy = low | high << (line.inner_low & 63);
        let seen = SEEN[(line.position & 15) as usize][(occupancy & 1023) as usize] as u64;
        let low = pdep(seen, line.full[0]);
        let high = pdep(seen >> (line.full_low & 63), line.full[1]);
        Bitboard(low as u128 | (high as u128) << 64)
    }

    #[inline]
    fn along_by_rays(&self, square: Square, axis: usize, occupied: Bitboard) -> Bitboard {
        let mut up = self.ray(square, axis);
        if let Some(blocker) = (up & occupied).first() {
            up ^= self.ray(blocker, axis);
        }
        let mut down = self.ray(square, axis + 4);
        let blockers = (down & occupied).0;
        if blockers != 0 {
            down ^= self.ray(Square::new(127 - blockers.leading_zeros() as u8), axis + 4);
        }
        up | down
    }

    /// Returns the squares that a rook on `square` sees: empty ones and the first occupied one in
    /// each direction.
    #[inline]
    pub fn rook(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.along(square, 0, occupied) | self.along(square, 1, occupied)
    }

    /// Returns the squares that a bishop on `square` sees.
    #[inline]
    pub fn bishop(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.along(square, 2, occupied) | self.along(square, 3, occupied)
    }

    /// Returns the squares that a queen on `square` sees.
    #[inline]
    pub fn queen(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::random::Random;

    static CROSS: Geometry = Geometry::new(&[
        "***...***",
        "***...***",
        ".........",
        ".........",
        ".........",
        "***...***",
        "***...***",
    ]);
    static WIDE: Geometry = Geometry::new(&[".........."; 8]);
    static LONG: Geometry = Geometry::new(&["........"; 12]);

    #[test]
    fn table_and_rays_see_the_same() {
        let mut random = Random::new(1, 0);
        for geometry in [&CROSS, &WIDE, &LONG] {
            for square in geometry.squares() {
                for _ in 0..200 {
                    let bits = (random.next() as u128) << 64 | random.next() as u128;
                    let thin = bits & bits.rotate_left(37);
                    for occupied in [Bitboard(bits), Bitboard(thin)] {
                        for axis in 0..4 {
                            assert_eq!(
                                geometry.along_by_table(square, axis, occupied),
                                geometry.along_by_rays(square, axis, occupied),
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_hole_ends_a_line() {
        let Some((b3, "")) = CROSS.read_square("b3") else { unreachable!() };
        // c2 is a hole and d1 beyond it is not reached; c4 is a square and d6 is not on the line.
        let names: Vec<_> = CROSS
            .bishop(b3, Bitboard::EMPTY)
            .into_iter()
            .map(|s| CROSS.name(s).to_string())
            .collect();
        assert_eq!(names, ["a4", "c4", "d5", "e6", "f7"]);
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[test]
    fn instructions_and_portable_twins_agree() {
        let mut random = Random::new(7, 0);
        for _ in 0..10_000 {
            let (value, mask) = (random.next(), random.next());
            let mask = mask & random.next();
            assert_eq!(processor::pext(value, mask), processor::portable::pext(value, mask));
            assert_eq!(processor::pdep(value, mask), processor::portable::pdep(value, mask));
        }
    }
}
