//! What the solver remembers: two bounds for each position, eight bytes in all.

use super::lines::Open;
use tablero_env::random::mix;

/// A net number of boxes lies between the two, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Bounds {
    pub(super) const fn exactly(net: i32) -> Self {
        Bounds {
            lower: net,
            upper: net,
        }
    }

    /// Whether the number is at least `goal`, where the bounds tell.
    #[inline]
    pub(super) fn reach(self, goal: i32) -> Option<bool> {
        if self.lower >= goal {
            Some(true)
        } else if self.upper < goal {
            Some(false)
        } else {
            None
        }
    }
}

/// One cache line: eight places, the newest first, each a tag of 48 bits over two bytes of
/// bounds, or [`EMPTY`].
type Bucket = [u64; 8];

const EMPTY: u64 = 0;

/// Added to a bound to make it a positive byte, so that no place in use is [`EMPTY`].
const OFFSET: i32 = 128;

/// With fewer buckets the tag would need more than 48 bits.
const MIN_INDEX_BITS: u32 = 16;

/// A transposition table of fixed size that cannot confuse two positions: a position is mixed by
/// a bijection into an index and a tag. The position not used for the longest time makes room.
#[derive(Clone, Debug)]
pub(super) struct BoundsTable {
    buckets: Vec<Bucket>,
    index_bits: u32,
    /// The buckets in use, some of them more than once; only so many as make it quicker to empty
    /// them than all.
    used: Vec<u32>,
}

impl BoundsTable {
    /// The largest table within `mib` MiB whose number of buckets is a power of two; at least
    /// 4 MiB.
    pub(super) fn new(mib: usize) -> Self {
        let n_buckets = (mib << 20) / size_of::<Bucket>();
        let index_bits = n_buckets.checked_ilog2().unwrap_or(0).max(MIN_INDEX_BITS);
        BoundsTable {
            buckets: vec![[EMPTY; 8]; 1 << index_bits],
            index_bits,
            used: Vec::new(),
        }
    }

    /// Forgets all positions.
    pub(super) fn clear(&mut self) {
        if self.used.len() < self.max_used() {
            for &index in &self.used {
                self.buckets[index as usize] = [EMPTY; 8];
            }
        } else {
            self.buckets.fill([EMPTY; 8]);
        }
        self.used.clear();
    }

    fn max_used(&self) -> usize {
        self.buckets.len() / 16
    }

    #[inline]
    fn locate(&self, open: Open) -> (usize, u64) {
        let mixed = mix(open);
        let index = mixed >> (64 - self.index_bits);
        let tag = mixed & (u64::MAX >> self.index_bits);
        (index as usize, tag)
    }

    /// Any word of the bucket of a position. Reading those of many positions one after the other
    /// lets the memory answer them all at once; later calls of [`get`](Self::get) find them in
    /// the cache.
    #[inline]
    pub(super) fn touch(&self, open: Open) -> u64 {
        self.buckets[self.locate(open).0][0]
    }

    #[inline]
    pub(super) fn get(&self, open: Open) -> Option<Bounds> {
        let (index, tag) = self.locate(open);
        let place = self.buckets[index]
            .iter()
            .find(|&&place| place >> 16 == tag && place != EMPTY)?;
        let [upper, lower, ..] = place.to_le_bytes();
        Some(Bounds {
            lower: i32::from(lower) - OFFSET,
            upper: i32::from(upper) - OFFSET,
        })
    }

    /// # Panics
    /// If a bound is not within -127..=127.
    #[inline]
    pub(super) fn insert(&mut self, open: Open, bounds: Bounds) {
        let (index, tag) = self.locate(open);
        if self.used.len() < self.max_used() {
            self.used.push(index as u32);
        }
        let bucket = &mut self.buckets[index];
        let old = bucket
            .iter()
            .position(|&place| place >> 16 == tag && place != EMPTY)
            .unwrap_or(bucket.len() - 1);
        bucket.copy_within(..old, 1);
        let byte = |bound: i32| {
            u64::from(u8::try_from(bound + OFFSET).expect("a bound is smaller than the board"))
        };
        bucket[0] = tag << 16 | byte(bounds.lower) << 8 | byte(bounds.upper);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out_and_nothing_else() {
        let mut table = BoundsTable::new(0);
        let positions = (0..2000).map(|i| mix(i) >> (i % 60));
        let bounds = |open: Open| Bounds {
            lower: -((open % 33) as i32),
            upper: (open % 29) as i32,
        };
        assert_eq!(table.get(0), None, "an empty place is no position");
        for open in positions.clone() {
            table.insert(open, bounds(open));
        }
        for open in positions.clone() {
            assert_eq!(table.get(open), Some(bounds(open)));
            let known = positions.clone().any(|other| other == open ^ 1 << 63);
            assert_eq!(table.get(open ^ 1 << 63).is_some(), known);
        }
    }

    /// Also when more was put in than is kept track of.
    #[test]
    fn a_cleared_table_is_empty() {
        let mut table = BoundsTable::new(0);
        for n in [1, 100, 20_000] {
            let positions = (0..n).map(|i| mix(i) >> 4);
            for open in positions.clone() {
                table.insert(open, Bounds::exactly(3));
            }
            table.clear();
            assert!(table.buckets.iter().flatten().all(|&place| place == EMPTY));
            assert!(positions.clone().all(|open| table.get(open).is_none()));
        }
    }

    #[test]
    fn a_full_bucket_forgets_the_oldest() {
        let mut table = BoundsTable::new(0);
        let home = table.locate(1).0;
        let same: Vec<Open> = (1..)
            .filter(|&open| table.locate(open).0 == home)
            .take(9)
            .collect();
        for &open in &same {
            table.insert(open, Bounds::exactly(3));
        }
        assert_eq!(table.get(same[0]), None);
        assert!(same[1..].iter().all(|&open| table.get(open).is_some()));
        // A position that is stored again is the newest, and takes no second place.
        table.insert(same[1], Bounds::exactly(5));
        assert_eq!(table.get(same[1]), Some(Bounds::exactly(5)));
        assert!(same[2..].iter().all(|&open| table.get(open).is_some()));
    }
}
