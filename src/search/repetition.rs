//! Positions that stood on the board before the current one.

use crate::games::is_third_occurrence;

/// Entries of the filter, a power of two.
const FILTER: usize = 1 << 12;

/// The keys of the positions before the current one, from the beginning of the game.
///
/// The rules count an earlier occurrence even across captures and gains, so the whole game is
/// searched. A counting filter (L. Fan and others, "Summary Cache", 1998) recognises nearly all new
/// positions without a search.
pub(super) struct PastKeys {
    keys: Vec<u64>,
    /// Number of keys in each entry; a full one stays full.
    counts: Box<[u8; FILTER]>,
}

impl PastKeys {
    pub(super) fn new() -> Self {
        Self { keys: Vec::new(), counts: Box::new([0; FILTER]) }
    }

    /// Replaces the list by the positions of a game, in order.
    pub(super) fn set(&mut self, keys: &[u64]) {
        self.keys.clear();
        self.counts.fill(0);
        for &key in keys {
            self.push(key);
        }
    }

    #[inline]
    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
        let count = &mut self.counts[key as usize % FILTER];
        *count = count.saturating_add(1);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            let count = &mut self.counts[key as usize % FILTER];
            *count -= u8::from(*count < u8::MAX);
        }
    }

    /// Returns the number of earlier occurrences of a position.
    pub(super) fn count(&self, key: u64) -> usize {
        self.keys.iter().filter(|&&before| before == key).count()
    }

    /// Returns true if a position occurs for the third time.
    pub(super) fn is_third_occurrence(&self, key: u64) -> bool {
        is_third_occurrence(&self.keys, key)
    }

    /// Returns true if a position `ply` plies from the root stood on the board once since the root,
    /// or twice before. Inside the search a first repetition already shows that nothing is gained.
    /// Only the last `plies` positions count.
    #[inline]
    pub(super) fn is_repetition(&self, key: u64, ply: usize, plies: usize) -> bool {
        self.counts[key as usize % FILTER] != 0 && self.is_among(key, ply, plies)
    }

    #[cold]
    fn is_among(&self, key: u64, ply: usize, plies: usize) -> bool {
        // The same side is to move after every second ply.
        let same_side = self.keys.iter().rev().skip(1).step_by(2);
        let mut seen = 0;
        for (distance, &before) in (2..=plies).step_by(2).zip(same_side) {
            if before == key {
                seen += 1;
                if distance < ply || seen == 2 {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position that stood once since the root, or twice before, is a repetition, within the
    /// plies that count.
    #[test]
    fn occurrences_are_counted_from_the_root() {
        let mut past = PastKeys::new();
        // The last four positions belong to the search, the root first.
        past.set(&[1, 2, 3, 4, 1, 2, 5, 6, 7, 8]);
        let is_repetition = |key, plies| past.is_repetition(key, 4, plies);
        assert!(is_repetition(1, 10), "twice in the game");
        assert!(!is_repetition(1, 9), "once within the plies");
        assert!(!is_repetition(3, 10), "once in the game");
        assert!(!is_repetition(5, 10), "the root itself");
        assert!(is_repetition(7, 10), "once since the root");
        assert!(!is_repetition(7, 1));
        assert!(!is_repetition(8, 10), "with the other side to move");
        assert!(!is_repetition(1 + FILTER as u64, 10), "another on the same entry");
        assert_eq!([1, 3, 9].map(|key| past.count(key)), [2, 1, 0]);
    }

    #[test]
    fn a_full_entry_stays_full() {
        let mut past = PastKeys::new();
        past.set(&[7; 300]);
        for left in (0..300).rev() {
            past.pop();
            assert_eq!(past.is_repetition(7, 0, 1000), left >= 4, "{left}");
        }
        assert!(!past.is_repetition(7, 0, 1000));
    }

    #[test]
    fn what_is_taken_away_is_forgotten() {
        let mut past = PastKeys::new();
        past.set(&[1, 2]);
        past.push(3);
        past.push(4);
        assert!(past.is_repetition(3, 3, 2));
        past.pop();
        past.pop();
        past.push(5);
        past.push(6);
        assert!(!past.is_repetition(3, 3, 4));
        past.set(&[]);
        assert!(past.counts.iter().all(|&count| count == 0));
    }
}
