//! A set of edges, one bit an action id.

use crate::bits::{bits_as_bytes, select};

/// A set of edges of one board, one bit an action id, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct EdgeSet(pub [u64; 4]);

impl EdgeSet {
    /// Whether the edge is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(&self, edge: usize) -> bool {
        self.0[edge >> 6] >> (edge & 63) & 1 != 0
    }

    /// Adds the edge.
    #[inline]
    pub const fn insert(&mut self, edge: usize) {
        self.0[edge >> 6] |= 1 << (edge & 63);
    }

    /// How many edges are in the set.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        (self.0[0].count_ones()
            + self.0[1].count_ones()
            + self.0[2].count_ones()
            + self.0[3].count_ones()) as usize
    }

    /// Whether no edge is in the set.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The edges in ascending order.
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

    /// The `rank`-th smallest edge, from 0; `rank` must be below [`len`](EdgeSet::len).
    #[inline]
    pub(super) fn nth(self, rank: usize) -> usize {
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

    /// Writes 1 where the edge is in the set, else 0; `mask` is at most 256 long.
    pub(super) fn write_mask(self, mask: &mut [i8]) {
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

    /// Edges `start..start + 128` as bits 0 to 127; `start` must be below 128.
    #[inline]
    pub(super) fn window(self, start: usize) -> u128 {
        let low = u128::from(self.0[0]) | (u128::from(self.0[1]) << 64);
        let high = u128::from(self.0[2]) | (u128::from(self.0[3]) << 64);
        // Two shifts, as one by 128 would overflow at start 0.
        (low >> start) | ((high << 1) << (127 - start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use rand::Rng;

    /// Sets of every density.
    fn sets() -> impl Iterator<Item = EdgeSet> {
        (0..200).map(|index| {
            let mut rng = stream(0, "edge sets", index);
            EdgeSet(std::array::from_fn(|_| match index % 4 {
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
            let edges: Vec<usize> = (0..256).filter(|&edge| set.contains(edge)).collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), edges);
            assert_eq!(set.len(), edges.len());
            assert_eq!(set.is_empty(), edges.is_empty());
            for (rank, &edge) in edges.iter().enumerate() {
                assert_eq!(set.nth(rank), edge);
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
    fn inserting_adds_one_edge() {
        let mut set = EdgeSet::default();
        for edge in [0, 63, 64, 219] {
            assert!(!set.contains(edge));
            set.insert(edge);
            assert!(set.contains(edge));
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 219]);
    }
}
