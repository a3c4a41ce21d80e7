//! What proof-number search remembers of positions.

use super::numbers::Numbers;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) numbers: Numbers,
    /// The plies in which a proven win is won.
    pub(super) plies: u16,
    /// The nodes spent on the numbers.
    work: u32,
}

/// A table of limited size that never forgets a proof, so that the whole strategy that wins is
/// there in the end.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: FxHashMap<u64, Entry>,
    max_entries: usize,
    is_full: bool,
}

impl Table {
    /// The largest table that fits `mib` MiB, of at least a few hundred entries.
    pub(super) fn new(mib: usize) -> Table {
        // The map allots a power of two of slots, a byte each beside the entry itself, and fills
        // seven eighths of them.
        let slots = (mib << 20) / (size_of::<(u64, Entry)>() + 1);
        let slots = match slots.checked_ilog2() {
            Some(log) => (1 << log).max(512),
            None => 512,
        };
        Table {
            entries: FxHashMap::with_capacity_and_hasher(slots / 8 * 7, FxBuildHasher),
            max_entries: slots / 8 * 7,
            is_full: false,
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.is_full = false;
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Entry> {
        self.entries.get(&key)
    }

    /// Remembers what `work` more nodes have found. A full table forgets first what cost the
    /// least work (Nagai, 1999: SmallTreeGC), proofs excepted.
    pub(super) fn insert(&mut self, key: u64, numbers: Numbers, plies: u16, work: u64) {
        if self.entries.len() >= self.max_entries {
            self.make_room();
        }
        let before = self.entries.get(&key).map_or(0, |entry| entry.work);
        let work = before.saturating_add(u32::try_from(work).unwrap_or(u32::MAX));
        let entry = Entry {
            numbers,
            plies,
            work,
        };
        self.entries.insert(key, entry);
    }

    fn make_room(&mut self) {
        let mut least = 2;
        while self.entries.len() > self.max_entries / 2 && least < u32::MAX / 2 {
            self.entries
                .retain(|_, entry| entry.numbers.is_proven() || entry.work >= least);
            least *= 2;
        }
        self.is_full = self.entries.len() > self.max_entries / 4 * 3;
    }

    /// Whether proofs have filled the table so far that there is no room left for a search.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }
}
