//! What the processor and the system offer only as `unsafe`: the only `unsafe` code of the
//! crate, with a safe twin for each.
//!
//! [`pext`] gathers the bits of `value` selected by `mask` into the low end of the result,
//! [`pdep`] scatters the low bits of `value` to the places selected by `mask`; a test
//! compares them with their twins in [`portable`]. [`prefetch`] and [`ask_for_large_pages`]
//! have no result to compare: their twins do nothing.

#![allow(unsafe_code)]

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

/// Asks for the cache line of a value before it is needed.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    // SAFETY: every x86-64 processor has SSE, and a prefetch reads nothing.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(
            std::ptr::from_ref(value).cast(),
        );
    }
}

/// Asks for the cache line of a value before it is needed: not on this processor.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn prefetch<T>(_: &T) {}

/// Asks the system to back a large piece of memory with large pages, so that reading it all
/// over the place misses fewer translations of addresses. It may not: nothing depends on it.
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

/// Asks the system for large pages: not on this one.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub fn ask_for_large_pages<T>(_: &[T]) {}

/// The bit functions without the instructions: for builds that lack them, and for the test.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
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
