//! The calendar.

use std::time::{Duration, SystemTime};

/// Returns the date in UTC, as in PGN: `2026.11.22`.
pub fn today() -> String {
    date_and_time(SystemTime::now()).0
}

/// Returns the date and the time of day in UTC, as in PGN: `2024.02.29`, `13:05:59`.
pub fn date_and_time(when: SystemTime) -> (String, String) {
    const DAY: u64 = 24 * 3600;
    let seconds = when.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    // Days since 1 March of the year 0, where a leap day is the last of its year; 400 years
    // have 146097 days.
    let days = seconds / DAY + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March have 31, 30, 31, 30, 31 days, repeatedly.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) =
        if month < 10 { (400 * era + year, month + 3) } else { (400 * era + year + 1, month - 9) };
    (format!("{year:04}.{month:02}.{day:02}"), clock(seconds % DAY))
}

/// Formats seconds as hours, minutes and seconds: `13:05:59`.
pub fn clock(seconds: u64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Reads hours, minutes and seconds, the inverse of [`clock`].
pub fn read_clock(text: &str) -> Option<u64> {
    text.split(':')
        .try_fold(0_u64, |sum, part| sum.checked_mul(60)?.checked_add(part.parse().ok()?))
}
