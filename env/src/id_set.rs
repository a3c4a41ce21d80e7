//! A set of action ids below 256, as the boards of Dots and Boxes and of the Queens duel use it.

use crate::bits::{bits_as_bytes, select};

/// A set of action ids below 256, one bit an id, lowest first: edges in Dots and Boxes, cells in
/// the Queens duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct IdSet(pub [u64; 4]);

impl IdSet {
    /// The empty set.
    pub const EMPTY: IdSet = IdSet([0; 4]);

    /// Whether the id is in the set.
    // By reference: a copy of the whole set would wait for an insertion just before it.
    #[inline]
    #[must_use]
    pub const fn contains(&self, id: usize) -> bool {
        self.0[id >> 6] >> (id & 63) & 1 != 0
    }

    /// Adds the id.
    #[inline]
    pub const fn insert(&mut self, id: usize) {
        self.0[id >> 6] |= 1 << (id & 63);
    }

    /// How many ids are in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        (self.0[0].count_ones()
            + self.0[1].count_ones()
            + self.0[2].count_ones()
            + self.0[3].count_ones()) as usize
    }

    /// Whether no id is in the set.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The ids in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: IdSet) -> IdSet {
        let (a, b) = (self.0, other.0);
        IdSet([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    /// The ids in either set.
    #[inline]
    #[must_use]
    pub const fn or(self, other: IdSet) -> IdSet {
        let (a, b) = (self.0, other.0);
        IdSet([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    /// The ids that are not in the other set.
    #[inline]
    #[must_use]
    pub const fn without(self, other: IdSet) -> IdSet {
        let (a, b) = (self.0, other.0);
        IdSet([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2], a[3] & !b[3]])
    }

    /// The ids in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let (mut words, mut word) = (self.0, 0);
        std::iter::from_fn(move || {
            while words[word] == 0 {
                if word == 3 {
                    return None;
                }
                word += 1;
            }
            let bit = words[word].trailing_zeros() as usize;
            words[word] &= words[word] - 1;
            Some(word * 64 + bit)
        })
    }

    /// The `rank`-th smallest id, from 0; `rank` must be below [`len`](IdSet::len).
    #[inline]
    pub(crate) fn nth(self, rank: usize) -> usize {
        let mut rank = rank as u32;
        let mut word = 0;
        loop {
            let count = self.0[word].count_ones();
            if rank < count {
                return word * 64 + select(self.0[word], rank);
            }
            rank -= count;
            word += 1;
        }
    }

    /// Writes 1 where the id is in the set, else 0; `mask` is at most 256 long.
    pub(crate) fn write_mask(self, mask: &mut [i8]) {
        for (word, mask) in self.0.into_iter().zip(mask.chunks_mut(64)) {
            let mut bits = word;
            let (chunks, rest) = mask.as_chunks_mut();
            for chunk in chunks {
                *chunk = bits_as_bytes(bits as u8);
                bits >>= 8;
            }
            for (entry, bit) in rest.iter_mut().zip(bits_as_bytes(bits as u8)) {
                *entry = bit;
            }
        }
    }

    /// Ids `start..start + 128` as bits 0 to 127; `start` must be below 128.
    #[inline]
    pub(crate) fn window(self, start: usize) -> u128 {
        let low = u128::from(self.0[0]) | (u128::from(self.0[1]) << 64);
        let high = u128::from(self.0[2]) | (u128::from(self.0[3]) << 64);
        // Two shifts, as one by 128 would overflow at start 0.
        (low >> start) | ((high << 1) << (127 - start))
    }
}

impl FromIterator<usize> for IdSet {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut set = IdSet::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use rand::Rng;

    /// Sets of every density.
    fn sets() -> impl Iterator<Item = IdSet> {
        (0..200).map(|index| {
            let mut rng = stream(0, "id sets", index);
            IdSet(std::array::from_fn(|_| match index % 4 {
                0 => rng.next_u64(),
                1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
                2 => rng.next_u64() | rng.next_u64() | rng.next_u64(),
                _ => u64::MAX * (rng.next_u64() & 1),
            }))
        })
    }

    #[test]
    fn iter_len_and_nth_agree_with_contains() {
        for set in sets() {
            let ids: Vec<usize> = (0..256).filter(|&id| set.contains(id)).collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), ids);
            assert_eq!(ids.iter().copied().collect::<IdSet>(), set);
            assert_eq!(set.len(), ids.len());
            assert_eq!(set.is_empty(), ids.is_empty());
            for (rank, &id) in ids.iter().enumerate() {
                assert_eq!(set.nth(rank), id);
            }
        }
    }

    #[test]
    fn sets_are_combined_id_by_id() {
        for (a, b) in sets().zip(sets().skip(1)) {
            for id in 0..256 {
                let (in_a, in_b) = (a.contains(id), b.contains(id));
                assert_eq!(a.and(b).contains(id), in_a && in_b);
                assert_eq!(a.or(b).contains(id), in_a || in_b);
                assert_eq!(a.without(b).contains(id), in_a && !in_b);
            }
        }
    }

    #[test]
    fn a_mask_of_any_length_agrees_with_contains() {
        for set in sets() {
            for length in [0, 4, 7, 8, 60, 63, 64, 65, 180, 220] {
                let mut mask = vec![-1; length];
                set.write_mask(&mut mask);
                let expected: Vec<i8> = (0..length).map(|e| set.contains(e) as i8).collect();
                assert_eq!(mask, expected);
            }
        }
    }

    #[test]
    fn a_window_shifts_the_set() {
        for set in sets() {
            for start in [0, 1, 2, 63, 64, 65, 110, 127] {
                let bits = (0..128)
                    .filter(|bit| set.contains(start + bit))
                    .fold(0, |bits, bit| bits | 1u128 << bit);
                assert_eq!(set.window(start), bits);
            }
        }
    }

    #[test]
    fn inserting_adds_one_id() {
        let mut set = IdSet::default();
        for id in [0, 63, 64, 219] {
            assert!(!set.contains(id));
            set.insert(id);
            assert!(set.contains(id));
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 219]);
    }
}
