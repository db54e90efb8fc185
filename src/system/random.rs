//! Random numbers from a seed: the same on every machine, for reproducible openings and games.

/// The generator SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom
/// Number Generators", 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates the `stream`th generator of a seed, independent of the others.
    pub const fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed);
        let mixed = random.next();
        Self(mixed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    /// Returns 64 random bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Returns a number below `bound`, which is not 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next() as u128 * bound as u128) >> 64) as usize
    }

    /// Returns a number from 0, included, to 1, excluded.
    pub const fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Returns one of `things`; `None` if there are none.
    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> Option<&'t T> {
        if things.is_empty() {
            return None;
        }
        things.get(self.below(things.len()))
    }

    /// Puts things into a random order (R. Fisher and F. Yates, 1938).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
