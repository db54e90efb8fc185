//! Processor and system functions that need `unsafe`, with a safe twin for each.
//!
//! `pext` gathers the bits of `value` selected by `mask` into the low end of the result, `pdep`
//! scatters the low bits of `value` to the places selected by `mask`. A test compares them with
//! their twins in [`portable`], as it does [`sum_of_squares`], the last step of a network. The rest
//! has no result to compare: the twins of [`prefetch`] and [`ask_for_large_pages`] do nothing, and
//! that of [`with_widest_vectors`] runs the same code.

#![allow(unsafe_code)]

/// Returns the target of this build: architecture, system, and the processor's instructions that
/// matter for speed.
pub fn built_for() -> String {
    let instructions = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512bw", cfg!(target_feature = "avx512bw")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    let used = instructions.iter().filter(|(_, used)| *used);
    let used: String = used.map(|(name, _)| format!(" {name}")).collect();
    let (architecture, system) = (std::env::consts::ARCH, std::env::consts::OS);
    let profile = if cfg!(debug_assertions) { ", debug" } else { "" };
    format!("{architecture} {system}{used}{profile}")
}

/// Gathers the bits of `value` under `mask` (BMI2 `PEXT`).
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline]
pub fn pext(value: u64, mask: u64) -> u64 {
    // SAFETY: this function exists only in builds whose target has BMI2.
    unsafe { core::arch::x86_64::_pext_u64(value, mask) }
}

/// Scatters the low bits of `value` to the places under `mask` (BMI2 `PDEP`).
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline]
pub fn pdep(value: u64, mask: u64) -> u64 {
    // SAFETY: as for `pext`.
    unsafe { core::arch::x86_64::_pdep_u64(value, mask) }
}

/// Returns the sum of `clamp(value, 0, top)² · weight` over rows of values and weights, in 32 bits
/// that wrap. Each `clamp(value, 0, top) · weight` must fit 16 bits.
///
/// From the portable version the compiler builds vectors of half the width, and adds up the lanes
/// of each row.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn sum_of_squares<'r, const N: usize>(
    rows: impl Iterator<Item = (&'r [i16; N], &'r [i16; N])>,
    top: i16,
) -> i32 {
    if has_avx2() {
        // SAFETY: the processor has AVX2.
        unsafe { avx2::sum_of_squares(rows, top) }
    } else {
        portable::sum_of_squares(rows, top)
    }
}

/// Runs work whose loops are vectors of AVX2 where the processor has it, whatever the target of the
/// build.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn with_widest_vectors(work: impl FnOnce()) {
    if has_avx2() && !cfg!(target_feature = "avx2") {
        // SAFETY: the processor has AVX2.
        unsafe { avx2::run(work) }
    } else {
        work();
    }
}

/// Returns true if the processor has AVX2: a constant in a build for such processors, else found
/// out once.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use core::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn run(work: impl FnOnce()) {
        work();
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(lanes: &[i16; 16]) -> __m256i {
        let &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = lanes;
        _mm256_setr_epi16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn sum_of_squares<'r, const N: usize>(
        rows: impl Iterator<Item = (&'r [i16; N], &'r [i16; N])>,
        top: i16,
    ) -> i32 {
        const { assert!(N.is_multiple_of(16)) };
        let (zero, top) = (_mm256_setzero_si256(), _mm256_set1_epi16(top));
        // Four sums, so that an addition need not wait for the one before.
        let mut sums = [zero; 4];
        for (values, weights) in rows {
            let (values, _) = values.as_chunks();
            let (weights, _) = weights.as_chunks();
            for (index, (values, weights)) in values.iter().zip(weights).enumerate() {
                let clipped = _mm256_min_epi16(_mm256_max_epi16(load(values), zero), top);
                let products = _mm256_mullo_epi16(clipped, load(weights));
                let sum = &mut sums[index % 4];
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(clipped, products));
            }
        }
        let sums = _mm256_add_epi32(
            _mm256_add_epi32(sums[0], sums[1]),
            _mm256_add_epi32(sums[2], sums[3]),
        );
        let halves = (_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let sums = _mm_add_epi32(halves.0, halves.1);
        let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b01_00_11_10>(sums));
        let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b10_11_00_01>(sums));
        _mm_cvtsi128_si32(sums)
    }
}

/// Asks for the cache line of a value before it is needed.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn prefetch<T>(value: &T) {
    // SAFETY: every x86-64 processor has SSE, and a prefetch reads nothing.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(
            std::ptr::from_ref(value).cast(),
        );
    }
}

/// Does nothing on this processor.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn prefetch<T>(_: &T) {}

/// Asks the system to back a large piece of memory with large pages, so that scattered reads miss
/// fewer address translations. The system may refuse: nothing depends on it.
#[cfg(all(target_os = "linux", not(miri)))]
pub fn ask_for_large_pages<T>(memory: &[T]) {
    use std::ffi::{c_int, c_void};
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    /// Of `<sys/mman.h>`.
    const MADV_HUGEPAGE: c_int = 14;
    /// Advice is given for whole pages; no system has larger ones of the usual kind.
    const PAGE: usize = 1 << 16;

    let bytes = memory.as_ptr_range();
    let begin = (bytes.start as usize).next_multiple_of(PAGE);
    let end = bytes.end as usize / PAGE * PAGE;
    if begin < end {
        // SAFETY: the pages from `begin` to `end` lie within `memory`, and this advice
        // changes neither what is in them nor who may read and write it.
        unsafe { madvise(begin as *mut c_void, end - begin, MADV_HUGEPAGE) };
    }
}

/// Does nothing on this system.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub fn ask_for_large_pages<T>(_: &[T]) {}

/// As the portable version, which the compiler does not turn into `i32x4.dot_i16x8_s`. `tests/wasm`
/// compares it: the module must search the nodes that the program searches.
#[cfg(target_feature = "simd128")]
#[inline]
pub fn sum_of_squares<'r, const N: usize>(
    rows: impl Iterator<Item = (&'r [i16; N], &'r [i16; N])>,
    top: i16,
) -> i32 {
    use core::arch::wasm32::*;
    const { assert!(N.is_multiple_of(8)) };
    let load = |&[a, b, c, d, e, f, g, h]: &[i16; 8]| i16x8(a, b, c, d, e, f, g, h);
    let (zero, top) = (i16x8_splat(0), i16x8_splat(top));
    // Two sums, so that an addition need not wait for the one before.
    let mut sums = [i32x4_splat(0); 2];
    for (values, weights) in rows {
        let (values, _) = values.as_chunks();
        let (weights, _) = weights.as_chunks();
        for (index, (values, weights)) in values.iter().zip(weights).enumerate() {
            let clipped = i16x8_min(i16x8_max(load(values), zero), top);
            let products = i16x8_mul(clipped, load(weights));
            sums[index % 2] = i32x4_add(sums[index % 2], i32x4_dot_i16x8(clipped, products));
        }
    }
    let sums = i32x4_add(sums[0], sums[1]);
    let sums = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
    i32x4_extract_lane::<0>(sums).wrapping_add(i32x4_extract_lane::<1>(sums))
}

#[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
pub use portable::sum_of_squares;

/// Runs work with the vectors of the build.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn with_widest_vectors(work: impl FnOnce()) {
    work();
}

/// The functions without the instructions: for builds that lack them, and for the tests.
pub mod portable {
    /// Returns the sum of `clamp(value, 0, top)² · weight` over rows of values and weights, in 32
    /// bits that wrap. Each `clamp(value, 0, top) · weight` must fit 16 bits.
    #[inline]
    pub fn sum_of_squares<'r, const N: usize>(
        rows: impl Iterator<Item = (&'r [i16; N], &'r [i16; N])>,
        top: i16,
    ) -> i32 {
        rows.flat_map(|(values, weights)| values.iter().zip(weights))
            .map(|(&value, &weight)| {
                let clipped = value.clamp(0, top);
                i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped)
            })
            .fold(0, i32::wrapping_add)
    }

    /// Gathers the bits of `value` under `mask`.
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
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
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::random::Random;

    #[test]
    fn sums_of_squares_agree() {
        let mut random = Random::new(7, 0);
        for rows in 0..9 {
            let mut row = |size: u64| {
                std::array::from_fn::<i16, 64, _>(|_| {
                    (random.next() % size) as i16 - size as i16 / 2
                })
            };
            let rows: Vec<_> = (0..rows).map(|_| (row(1200), row(254))).collect();
            let pairs = || rows.iter().map(|(values, weights)| (values, weights));
            let sum = sum_of_squares(pairs(), 255);
            assert_eq!(sum, portable::sum_of_squares(pairs(), 255));
            assert_eq!(sum == 0, rows.is_empty());
        }
    }
}
