//! A checksum for files.

/// FNV-1a (G. Fowler, L. Noll, K.-P. Vo, 1991).
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
