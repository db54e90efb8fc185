//! Checksums of files.

/// FNV-1a (G. Fowler, L. Noll, K.-P. Vo, 1991), of bytes that come piece by piece.
pub struct Checksum(u64);

/// The checksum of no bytes.
impl Default for Checksum {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Checksum {
    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0 = bytes
            .iter()
            .fold(self.0, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    }

    /// Returns the checksum of the bytes so far.
    pub const fn value(&self) -> u64 {
        self.0
    }
}

/// Returns the checksum of bytes.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut checksum = Checksum::default();
    checksum.add(bytes);
    checksum.value()
}
