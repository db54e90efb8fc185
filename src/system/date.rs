//! The calendar.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_A_DAY: u64 = 24 * 3600;

/// The date in Greenwich, as PGN writes it: `2026.11.22`.
pub fn today() -> String {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    let days = since_1970.map_or(0, |time| time.as_secs() / SECONDS_A_DAY);
    let (year, month, day) = date(days);
    format!("{year:04}.{month:02}.{day:02}")
}

/// The year, month and day so many days after the beginning of 1970.
fn date(mut days: u64) -> (u64, usize, u64) {
    let mut year = 1970;
    while days >= days_of(year) {
        days -= days_of(year);
        year += 1;
    }
    let february = if days_of(year) == 366 { 29 } else { 28 };
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

const fn days_of(year: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if is_leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (364, (1970, 12, 31)),
            (365, (1971, 1, 1)),
            (11_015, (2000, 2, 28)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_779, (2026, 11, 22)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }
}
