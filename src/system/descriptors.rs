//! The limit of open files, which the standard library cannot change.

#![allow(unsafe_code)]

/// `RLIMIT_NOFILE` of `<sys/resource.h>`.
const OPEN_FILES: i32 = if cfg!(any(target_os = "linux", target_os = "android")) { 7 } else { 8 };

/// `struct rlimit`.
#[repr(C)]
#[derive(Default)]
struct Limit {
    soft: u64,
    hard: u64,
}

unsafe extern "C" {
    fn getrlimit(resource: i32, limit: *mut Limit) -> i32;
    fn setrlimit(resource: i32, limit: *const Limit) -> i32;
}

/// Raises the limit of open files to a count, if it is lower and the system allows it. Returns the
/// limit.
pub fn reserve(count: u64) -> u64 {
    let mut limit = Limit::default();
    // SAFETY: both take a pointer to a `struct rlimit` that outlives the call.
    unsafe {
        if getrlimit(OPEN_FILES, &mut limit) != 0 {
            return u64::MAX;
        }
        let raised = Limit { soft: limit.hard.min(count), ..limit };
        if limit.soft < count && setrlimit(OPEN_FILES, &raised) == 0 {
            return raised.soft;
        }
    }
    limit.soft
}
