//! A set of edges, one bit an action id.

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
        let mut rank = rank as u64;
        let mut word = 0;
        loop {
            let counts = prefix_counts(self.0[word]);
            let count = counts >> 56;
            if rank < count {
                return word * 64 + select(self.0[word], counts, rank);
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

/// Bytes of ones: multiplied with a byte they repeat it.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x80 * ONES;

/// Byte i of the result counts the set bits in bytes `0..=i`: the sideways addition of Knuth,
/// TAOCP 7.1.3. It needs no population-count instruction, which a portable x86-64 binary lacks.
#[inline]
const fn prefix_counts(bits: u64) -> u64 {
    let pairs = bits - ((bits >> 1) & (0x55 * ONES));
    let nibbles = (pairs & (0x33 * ONES)) + ((pairs >> 2) & (0x33 * ONES));
    let bytes = (nibbles + (nibbles >> 4)) & (0x0f * ONES);
    bytes.wrapping_mul(ONES)
}

/// The position of the `rank`-th set bit (from 0) of `bits`, given its prefix counts (Vigna,
/// Broadword implementation of rank/select queries, 2008). Without a branch, as a random rank
/// would be mispredicted.
#[inline]
fn select(bits: u64, prefix_counts: u64, rank: u64) -> usize {
    // The byte holds the bit if it is the first whose count exceeds the rank: count the others.
    let not_exceeding = (((rank * ONES) | HIGH_BITS) - prefix_counts) & HIGH_BITS;
    let shift = ((not_exceeding >> 7).wrapping_mul(ONES) >> 56) * 8;
    let below = ((prefix_counts << 8) >> shift) & 0xff;
    let byte = (bits >> shift) & 0xff;
    shift as usize + SELECT_IN_BYTE[byte as usize][(rank - below) as usize & 7] as usize
}

/// The bits of a byte as eight bytes, lowest first.
#[inline]
fn bits_as_bytes(byte: u8) -> [i8; 8] {
    // Byte i of the product keeps bit i alone; adding 0x7f carries it into the high bit.
    let spread = (u64::from(byte) * ONES) & 0x8040_2010_0804_0201;
    let ones = ((spread + 0x7f * ONES) >> 7) & ONES;
    ones.to_le_bytes().map(|bit| bit as i8)
}

/// `[byte][rank]`: the position of the `rank`-th set bit of the byte; 0 where it has fewer.
static SELECT_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][rank] = bit;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

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
