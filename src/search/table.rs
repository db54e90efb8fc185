//! The transposition table (R. Greenblatt, D. Eastlake and S. Crocker, "The Greenblatt Chess
//! Program", 1967): shared by all threads, without locks and without `unsafe`.
//!
//! An entry is two relaxed atomic words, the data and the key XOR the data: an entry torn
//! by two threads no longer matches its key (R. Hyatt and T. Mann, "A Lockless
//! Transposition Table Implementation for Parallel Search", 2002). Four entries fill a
//! cache line. A move read here is checked for legality before it is played.

use super::params::{TT_AGE_WEIGHT, TT_DEEPER};
use super::value::{INFINITE, MATE_IN_MAX_PLY, is_decisive};
use crate::games::Move;
use crate::system::processor::{ask_for_large_pages, prefetch};
use crate::system::sync::lock;
use std::hint::black_box;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::Builder;

/// The relation of a stored value to the true one, in two bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Bound {
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// The true value.
    #[default]
    Exact = 3,
}

impl Bound {
    /// Returns the bound of a search with the window `alpha` to `beta` whose best value is `value`.
    pub const fn of(value: i32, alpha: i32, beta: i32) -> Self {
        if value >= beta {
            Self::Lower
        } else if value > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }

    const fn from_bits(bits: u64) -> Self {
        match bits & 3 {
            1 => Self::Upper,
            2 => Self::Lower,
            _ => Self::Exact,
        }
    }
}

/// A search result for a position.
#[derive(Clone, Copy, Debug)]
pub struct TtEntry {
    /// The best move, or the one that caused a cut-off.
    pub mv: Option<Move>,
    /// The value, with wins and losses counted from the root.
    pub value: i32,
    /// The depth of the search behind the value.
    pub depth: i32,
    /// The relation of the value to the true one.
    pub bound: Bound,
    /// True if the position lies or lay on a principal variation.
    pub pv: bool,
}

impl TtEntry {
    /// Returns the value, if it cuts off a search with the window `alpha` to `beta`.
    #[inline]
    pub fn tt_cutoff(&self, alpha: i32, beta: i32) -> Option<i32> {
        let cuts_off = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        };
        cuts_off.then_some(self.value)
    }

    /// Returns true if the value proves a win or a loss, whatever the depth of its search.
    #[inline]
    pub fn is_proof(&self) -> bool {
        proves(self.value, self.bound)
    }

    /// Returns the entry reduced to its move, with a bound that never cuts off.
    pub fn without_value(self) -> Self {
        Self { value: -INFINITE, bound: Bound::Lower, ..self }
    }
}

/// Bits of an entry's data from the lowest: move 18, value 16, depth 8, bound 2, generation 4,
/// principal variation 1.
const VALUE_SHIFT: u32 = Move::BITS;
const DEPTH_SHIFT: u32 = VALUE_SHIFT + 16;
const BOUND_SHIFT: u32 = DEPTH_SHIFT + 8;
const GENERATION_SHIFT: u32 = BOUND_SHIFT + 2;
const PV_SHIFT: u32 = GENERATION_SHIFT + 4;
const _: () = assert!(PV_SHIFT < 64);

/// Added to stored depths, so that depths of the quiescence search are not negative.
const DEPTH_OFFSET: i32 = 8;
/// Entries in a bucket, and words in one.
const BUCKET: usize = 4;
const BUCKET_WORDS: usize = 2 * BUCKET;

/// Returns true if a bound on a value proves a win or a loss.
#[inline]
fn proves(value: i32, bound: Bound) -> bool {
    match bound {
        Bound::Exact => is_decisive(value),
        Bound::Lower => value >= MATE_IN_MAX_PLY,
        Bound::Upper => value <= -MATE_IN_MAX_PLY,
    }
}

/// Converts a value to its stored form, where wins and losses count from the position itself.
#[inline]
fn to_storage(value: i32, ply: usize) -> i16 {
    let value = match value {
        _ if value >= MATE_IN_MAX_PLY => value + ply as i32,
        _ if value <= -MATE_IN_MAX_PLY => value - ply as i32,
        _ => value,
    };
    value as i16
}

/// Converts a stored value to one seen from the root, `ply` plies away.
#[inline]
fn from_storage(value: i16, ply: usize) -> i32 {
    let value = i32::from(value);
    match value {
        _ if value >= MATE_IN_MAX_PLY => value - ply as i32,
        _ if value <= -MATE_IN_MAX_PLY => value + ply as i32,
        _ => value,
    }
}

/// Words that a thread clears at a time, 32 MB.
const SHARE_WORDS: usize = 4 << 20;

/// The transposition table.
pub struct Table {
    megabytes: usize,
    words: Vec<AtomicU64>,
    /// Words before the first bucket, so that buckets begin on cache lines.
    skip: usize,
    buckets: u64,
    generation: AtomicU8,
}

impl Table {
    /// The greatest size in MB: beyond the address space of today's processors.
    pub const MAX_MEGABYTES: usize = 1 << 28;

    /// Creates an empty table, cleared on `threads` threads.
    ///
    /// The system clears a page when it is first written, and a thread that waits for one misses
    /// `stop` and the clock: so all of the memory is written here, before any search.
    pub fn new(megabytes: usize, threads: usize) -> Self {
        let megabytes = megabytes.max(1);
        let buckets = (megabytes << 20) / (BUCKET_WORDS * size_of::<u64>());
        let words: Vec<AtomicU64> =
            vec![0u64; (buckets + 1) * BUCKET_WORDS].into_iter().map(AtomicU64::new).collect();
        ask_for_large_pages(&words);
        let misaligned = words.as_ptr() as usize / size_of::<u64>() % BUCKET_WORDS;
        let skip = (BUCKET_WORDS - misaligned) % BUCKET_WORDS;
        let mut table =
            Self { megabytes, words, skip, buckets: buckets as u64, generation: AtomicU8::new(0) };
        table.clear(threads);
        table
    }

    /// Tries to allocate that much memory. Some systems promise more than they have.
    pub fn fits(megabytes: usize) -> bool {
        let mut memory = Vec::<u8>::new();
        let result = memory.try_reserve_exact(megabytes.saturating_mul(1 << 20));
        // The compiler may leave out an allocation that nothing uses, and call it a success.
        black_box(&mut memory);
        result.is_ok()
    }

    fn clear(&mut self, threads: usize) {
        *self.generation.get_mut() = 0;
        empty(&mut self.words, SHARE_WORDS, threads);
    }

    /// Clears a table on `threads` threads, in place if nothing else holds it.
    pub fn renew(table: &mut Arc<Self>, threads: usize) {
        match Arc::get_mut(table) {
            Some(table) => table.clear(threads),
            None => *table = Arc::new(Self::new(table.megabytes, threads)),
        }
    }

    /// Marks what is stored so far as one search older.
    pub fn age(&self) {
        self.generation.store(self.generation.load(Relaxed).wrapping_add(1) & 15, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let bucket = (u128::from(key) * u128::from(self.buckets)) >> 64;
        let start = self.skip + bucket as usize * BUCKET_WORDS;
        &self.words[start..start + BUCKET_WORDS]
    }

    /// Begins to fetch what is stored for a key, to be probed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.bucket(key)[0]);
    }

    /// Returns the entry for the key of a position `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        for entry in self.bucket(key).chunks_exact(2) {
            let data = entry[1].load(Relaxed);
            if entry[0].load(Relaxed) ^ data == key && data != 0 {
                return Some(TtEntry {
                    mv: Move::from_bits(data as u32),
                    value: from_storage((data >> VALUE_SHIFT) as i16, ply),
                    depth: (data >> DEPTH_SHIFT & 255) as i32 - DEPTH_OFFSET,
                    bound: Bound::from_bits(data >> BOUND_SHIFT),
                    pv: data >> PV_SHIFT & 1 != 0,
                });
            }
        }
        None
    }

    /// Stores a result of a search at `ply`. An earlier entry keeps its move if there is no new
    /// one. It is kept altogether if it is much deeper, or proves a win or a loss where the new one
    /// does not.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, found: TtEntry) {
        let TtEntry { mv, value, depth, bound, pv } = found;
        let generation = u64::from(self.generation.load(Relaxed));
        let bucket = self.bucket(key);
        let (mut slot, mut worst, mut mv) = (0, i32::MAX, mv);
        for (index, entry) in bucket.chunks_exact(2).enumerate() {
            let data = entry[1].load(Relaxed);
            let stored_depth = (data >> DEPTH_SHIFT & 255) as i32 - DEPTH_OFFSET;
            let age = (generation.wrapping_sub(data >> GENERATION_SHIFT) & 15) as i32;
            if entry[0].load(Relaxed) ^ data == key && data != 0 {
                let stored_value = from_storage((data >> VALUE_SHIFT) as i16, ply);
                let is_proven = proves(stored_value, Bound::from_bits(data >> BOUND_SHIFT));
                if is_proven && !proves(value, bound) {
                    // Kept, as young as a new entry.
                    let data = data & !(15 << GENERATION_SHIFT) | generation << GENERATION_SHIFT;
                    entry[0].store(key ^ data, Relaxed);
                    entry[1].store(data, Relaxed);
                    return;
                }
                if bound != Bound::Exact
                    && age == 0
                    && stored_depth > depth + TT_DEEPER
                    && !proves(value, bound)
                {
                    return;
                }
                mv = mv.or(Move::from_bits(data as u32));
                slot = index;
                break;
            }
            let worth = if data == 0 { i32::MIN } else { stored_depth - TT_AGE_WEIGHT * age };
            if worth < worst {
                (slot, worst) = (index, worth);
            }
        }
        let data = u64::from(mv.map_or(0, Move::bits))
            | u64::from(to_storage(value, ply) as u16) << VALUE_SHIFT
            | ((depth + DEPTH_OFFSET).clamp(0, 255) as u64) << DEPTH_SHIFT
            | (bound as u64) << BOUND_SHIFT
            | generation << GENERATION_SHIFT
            | u64::from(pv) << PV_SHIFT;
        bucket[2 * slot].store(key ^ data, Relaxed);
        bucket[2 * slot + 1].store(data, Relaxed);
    }

    /// Returns the share of the table filled by this search, in thousandths.
    pub fn fullness(&self) -> usize {
        let generation = u64::from(self.generation.load(Relaxed));
        let sample = &self.words[self.skip..];
        sample
            .chunks_exact(2)
            .take(1000)
            .filter(|entry| {
                let data = entry[1].load(Relaxed);
                data != 0 && data >> GENERATION_SHIFT & 15 == generation
            })
            .count()
    }
}

/// Zeroes `words` on up to `threads` threads, `share` words at a time.
fn empty(words: &mut [AtomicU64], share: usize, threads: usize) {
    let helpers = threads.min(words.len().div_ceil(share)).saturating_sub(1);
    let shares = Mutex::new(words.chunks_mut(share));
    let next = || {
        let mut shares = lock(&shares);
        shares.next()
    };
    let work = || {
        while let Some(share) = next() {
            for word in share {
                *word.get_mut() = 0;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..helpers {
            if Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::search::value::{mate_in, mated_in};

    fn found(mv: Option<Move>, value: i32, depth: i32, bound: Bound) -> TtEntry {
        TtEntry { mv, value, depth, bound, pv: true }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1, 1);
        let mv = Move::new(Square::new(83), Square::new(5));
        for (index, value) in [-250, 0, 17, mate_in(7), mated_in(8)].into_iter().enumerate() {
            let key = 0x1234_5678_9ABC_DEF0 + ((index as u64) << 40);
            table.store(key, 3, found(Some(mv), value, 9, Bound::Lower));
            let entry = table.probe(key, 3).expect("just stored");
            assert_eq!((entry.mv, entry.value), (Some(mv), value));
            assert_eq!((entry.depth, entry.bound), (9, Bound::Lower));
            assert!(entry.pv);
        }
        assert!(table.probe(1, 0).is_none());
    }

    #[test]
    fn a_win_is_counted_from_the_position() {
        let table = Table::new(1, 1);
        table.store(99, 4, found(None, mate_in(6), 1, Bound::Exact));
        assert_eq!(table.probe(99, 10).expect("just stored").value, mate_in(12));
    }

    #[test]
    fn every_word_is_emptied() {
        for threads in [0, 1, 2, 3, 100] {
            for length in [0, 1, 99, 100, 101, 1000] {
                let mut words: Vec<_> = (1..=length).map(AtomicU64::new).collect();
                empty(&mut words, 100, threads);
                assert!(words.iter().all(|word| word.load(Relaxed) == 0));
            }
        }
    }

    #[test]
    fn a_renewed_table_is_empty_and_as_large() {
        let mut table = Arc::new(Table::new(2, 1));
        for shared in [false, true] {
            table.store(99, 0, found(None, 1, 1, Bound::Exact));
            let other = shared.then(|| Arc::clone(&table));
            Table::renew(&mut table, 2);
            assert!(table.probe(99, 0).is_none());
            assert_eq!((table.words.len() * size_of::<u64>()) >> 21, 1);
            assert!(other.is_none_or(|other| other.probe(99, 0).is_some()));
        }
    }

    #[test]
    fn memory_is_tried() {
        assert!(Table::fits(1));
        assert!(!Table::fits(Table::MAX_MEGABYTES) && !Table::fits(usize::MAX));
    }

    #[test]
    fn buckets_begin_on_cache_lines() {
        let table = Table::new(3, 1);
        assert_eq!(table.bucket(u64::MAX).as_ptr() as usize % 64, 0);
        assert_eq!(table.bucket(0).as_ptr() as usize % 64, 0);
    }
}
