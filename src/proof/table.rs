//! Proof numbers, and the table that keeps them.

use crate::games::Side;
use crate::system::processor::prefetch;
use crate::system::sealed::{Format, SealedFault, SealedReader, SealedWriter, padded};
use std::path::Path;
use std::{fs, io};

/// The number of positions that must still be decided to prove that the side to move wins (`proof`) or loses
/// (`disproof`), estimated (L. V. Allis, "Searching for Solutions in Games and Artificial Intelligence",
/// 1994). In a decided position one is 0 and the other [`INFINITE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub proof: u64,
    pub disproof: u64,
}

/// Stands for what cannot be proven.
pub(super) const INFINITE: u64 = u64::MAX;
/// The greatest finite number: about 2^50.
pub(super) const MOST: u64 = unpack(PACKED_INFINITE - 1);

impl Numbers {
    pub(super) const WON: Self = Self { proof: 0, disproof: INFINITE };
    pub(super) const LOST: Self = Self { proof: INFINITE, disproof: 0 };

    /// Returns the numbers of a decided position.
    pub(super) fn won_by(winner: Side, to_move: Side) -> Self {
        if winner == to_move { Self::WON } else { Self::LOST }
    }

    /// Returns the winner of a decided position.
    pub(super) fn winner(self, to_move: Side) -> Option<Side> {
        match self {
            Self { proof: 0, .. } => Some(to_move),
            Self { disproof: 0, .. } => Some(!to_move),
            _ => None,
        }
    }

    pub(super) fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// Bits of a number in the table. From the lowest they are its leading bits, and how many lower ones
/// were cut off. Numbers below 2^19 are exact.
const NUMBER_BITS: u32 = 24;
const LEADING_BITS: u32 = 19;
const PACKED_INFINITE: u64 = (1 << NUMBER_BITS) - 1;

/// Rounds a number up for the table, so that a node never reads back below a limit that it has
/// reached.
fn pack(number: u64) -> u64 {
    debug_assert!(number <= MOST || number == INFINITE);
    if number == INFINITE {
        return PACKED_INFINITE;
    }
    let (mut leading, mut cut) = (number, 0);
    while leading >> LEADING_BITS != 0 {
        leading = leading.div_ceil(2);
        cut += 1;
    }
    cut << LEADING_BITS | leading
}

const fn unpack(packed: u64) -> u64 {
    match packed {
        PACKED_INFINITE => INFINITE,
        _ => (packed & ((1 << LEADING_BITS) - 1)) << (packed >> LEADING_BITS),
    }
}

/// Bits of a slot's data from the lowest: proof, disproof, and the logarithm of the nodes searched.
const WORK_SHIFT: u32 = 2 * NUMBER_BITS;
/// Steps of that logarithm for each doubling of the nodes.
const WORK_STEPS: f64 = 256.0;

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// 0 if the slot is empty.
    data: u64,
}

impl Slot {
    fn is_of(&self, key: u64) -> bool {
        self.key == key && self.data != 0
    }

    fn numbers(self) -> Numbers {
        Numbers {
            proof: unpack(self.data & PACKED_INFINITE),
            disproof: unpack(self.data >> NUMBER_BITS & PACKED_INFINITE),
        }
    }

    fn work(self) -> u64 {
        self.data >> WORK_SHIFT
    }

    fn nodes(self) -> f64 {
        (self.work() as f64 / WORK_STEPS).exp2() - 1.0
    }
}

/// Slots in a bucket.
const BUCKET: usize = 4;

/// A cache line of slots.
#[repr(align(64))]
#[derive(Clone, Default)]
struct Bucket([Slot; BUCKET]);
const _: () = assert!(size_of::<Bucket>() == 64);

/// A table as a file: the game's name in 24 bytes, the number of buckets in 8, the buckets, and a
/// checksum of all that.
static FORMAT: Format = Format {
    what: "a table of proof numbers",
    magic: b"QUADPRF3",
    remedy: "remove it to start over, or restore a copy",
};
/// Bytes of a file besides the buckets.
const FRAME: u64 = 8 + 24 + 8 + 8;

/// Proof numbers by the keys of positions. A new position takes the slot of its bucket that took
/// the fewest nodes.
pub(super) struct ProofTable {
    buckets: Vec<Bucket>,
}

impl ProofTable {
    /// Creates an empty table of a size in MB, if its memory can be allocated.
    pub(super) fn new(megabytes: usize) -> Option<Self> {
        Self::with_buckets(megabytes.saturating_mul((1 << 20) / size_of::<Bucket>()))
    }

    /// Creates an empty table, if its memory can be allocated.
    fn with_buckets(count: usize) -> Option<Self> {
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        buckets.resize(count, Bucket::default());
        Some(Self { buckets })
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Fetches the memory of a position early.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.buckets[self.place(key)]);
    }

    /// Returns the numbers of a position.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Numbers> {
        let Bucket(slots) = &self.buckets[self.place(key)];
        slots.iter().find(|slot| slot.is_of(key)).map(|slot| slot.numbers())
    }

    /// Stores numbers and adds `nodes` to the work behind them. What is decided stays so.
    #[inline]
    pub(super) fn store(&mut self, key: u64, numbers: Numbers, nodes: u64) {
        let place = self.place(key);
        let Bucket(bucket) = &mut self.buckets[place];
        let same = bucket.iter().position(|slot| slot.is_of(key));
        let least = || (0..BUCKET).min_by_key(|&slot| bucket[slot].work());
        let index = same.or_else(least).unwrap_or(0);
        let before = same.map(|index| bucket[index]);
        let decided = before.map(Slot::numbers).filter(|known| known.is_decided());
        let Numbers { proof, disproof } = decided.unwrap_or(numbers);
        let nodes = before.map_or(0.0, Slot::nodes) + nodes as f64;
        let work = (1.0 + nodes).log2() * WORK_STEPS;
        bucket[index] = Slot {
            key,
            data: pack(proof) | pack(disproof) << NUMBER_BITS | (work.round() as u64) << WORK_SHIFT,
        };
    }

    /// Writes the table of a game to a file, as a whole or not at all.
    pub(super) fn write(&self, game: &str, path: &Path) -> io::Result<()> {
        let mut file = SealedWriter::create(&FORMAT, path)?;
        file.write(&padded::<24>(game))?;
        file.write(&(self.buckets.len() as u64).to_le_bytes())?;
        for Slot { key, data } in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            file.write(&key.to_le_bytes())?;
            file.write(&data.to_le_bytes())?;
        }
        file.finish()
    }

    /// Reads a file that [`write`](Self::write) has written.
    pub(super) fn read(game: &'static str, path: &Path) -> Result<Self, SealedFault> {
        let mut file = SealedReader::open(&FORMAT, path)?;
        FORMAT.check_game(&file.take::<24>()?, game)?;
        let buckets = file.number()?;
        let of_buckets = buckets.checked_mul(size_of::<Bucket>() as u64);
        let length = fs::metadata(path).map_err(SealedFault::Unreadable)?.len();
        if buckets == 0 || of_buckets.and_then(|bytes| bytes.checked_add(FRAME)) != Some(length) {
            return Err(SealedFault::Damaged(&FORMAT));
        }
        let mut table = Self::with_buckets(buckets as usize)
            .ok_or_else(|| SealedFault::Refused("its memory cannot be allocated".into()))?;
        for slot in table.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *slot = Slot { key: file.number()?, data: file.number()? };
        }
        file.rest()?;
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small numbers are exact, and greater ones are rounded up by less than one part in 2^18.
    #[test]
    fn packing_never_rounds_down() {
        assert_eq!(unpack(pack(INFINITE)), INFINITE);
        assert_eq!(unpack(pack(MOST)), MOST);
        for bits in 0..50 {
            for number in [(1 << bits) - 1, 1 << bits, (1 << bits) + 1, (4 << bits) / 3] {
                let found = unpack(pack(number));
                assert!(found >= number, "{number} is found as {found}");
                if number < 1 << LEADING_BITS {
                    assert_eq!(found, number);
                }
                let error = (found - number) << (LEADING_BITS - 1);
                assert!(error <= number, "{number} is found as {found}");
                assert_eq!(unpack(pack(found)), found);
            }
        }
    }
}
