//! Parallel bit extract and deposit: the only `unsafe` code of the crate.
//!
//! [`pext`] gathers the bits of `value` selected by `mask` into the low end of the result,
//! [`pdep`] scatters the low bits of `value` to the places selected by `mask`. On a
//! processor with BMI2 each is one instruction; [`sliders`](super::sliders) is built on
//! them. Their safe twins in [`portable`] compute the same bit by bit, and a test compares
//! the two.

/// Gathers the bits of `value` under `mask` (BMI2 `PEXT`).
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
pub fn pext(value: u64, mask: u64) -> u64 {
    // SAFETY: this function exists only in builds whose target has BMI2.
    unsafe { core::arch::x86_64::_pext_u64(value, mask) }
}

/// Scatters the low bits of `value` to the places under `mask` (BMI2 `PDEP`).
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
pub fn pdep(value: u64, mask: u64) -> u64 {
    // SAFETY: as for `pext`.
    unsafe { core::arch::x86_64::_pdep_u64(value, mask) }
}

/// The same two functions without the instructions.
pub mod portable {
    /// Gathers the bits of `value` under `mask`.
    pub fn pext(value: u64, mut mask: u64) -> u64 {
        let mut result = 0;
        let mut place = 1;
        while mask != 0 {
            if value & mask & mask.wrapping_neg() != 0 {
                result |= place;
            }
            place <<= 1;
            mask &= mask - 1;
        }
        result
    }

    /// Scatters the low bits of `value` to the places under `mask`.
    pub fn pdep(mut value: u64, mut mask: u64) -> u64 {
        let mut result = 0;
        while mask != 0 {
            if value & 1 != 0 {
                result |= mask & mask.wrapping_neg();
            }
            value >>= 1;
            mask &= mask - 1;
        }
        result
    }
}
