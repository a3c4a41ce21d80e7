//! A set of cells, one bit an action id.

use crate::bits::select;

/// A set of cells of one board, one bit an action id, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct CellSet(pub [u64; 4]);

impl CellSet {
    /// The set without cells.
    pub const EMPTY: CellSet = CellSet([0; 4]);

    /// Whether the cell is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, cell: usize) -> bool {
        self.0[cell >> 6] >> (cell & 63) & 1 != 0
    }

    /// Adds the cell.
    #[inline]
    pub const fn insert(&mut self, cell: usize) {
        self.0[cell >> 6] |= 1 << (cell & 63);
    }

    /// How many cells are in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        (self.0[0].count_ones()
            + self.0[1].count_ones()
            + self.0[2].count_ones()
            + self.0[3].count_ones()) as usize
    }

    /// Whether no cell is in the set.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The cells in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: CellSet) -> CellSet {
        let (a, b) = (self.0, other.0);
        CellSet([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    /// The cells in either set.
    #[inline]
    #[must_use]
    pub const fn or(self, other: CellSet) -> CellSet {
        let (a, b) = (self.0, other.0);
        CellSet([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    /// The cells that are not in the other set.
    #[inline]
    #[must_use]
    pub const fn without(self, other: CellSet) -> CellSet {
        let (a, b) = (self.0, other.0);
        CellSet([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2], a[3] & !b[3]])
    }

    /// The cells in ascending order.
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

    /// The `rank`-th smallest cell, from 0; `rank` must be below [`len`](CellSet::len).
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
}

impl FromIterator<usize> for CellSet {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut set = CellSet::EMPTY;
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
    fn sets() -> impl Iterator<Item = CellSet> {
        (0..200).map(|index| {
            let mut rng = stream(0, "cell sets", index);
            CellSet(std::array::from_fn(|_| match index % 4 {
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
            let cells: Vec<usize> = (0..256).filter(|&cell| set.contains(cell)).collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), cells);
            assert_eq!(cells.iter().copied().collect::<CellSet>(), set);
            assert_eq!(set.len(), cells.len());
            assert_eq!(set.is_empty(), cells.is_empty());
            for (rank, &cell) in cells.iter().enumerate() {
                assert_eq!(set.nth(rank), cell);
            }
        }
    }

    #[test]
    fn sets_are_combined_cell_by_cell() {
        for (a, b) in sets().zip(sets().skip(1)) {
            for cell in 0..256 {
                let (in_a, in_b) = (a.contains(cell), b.contains(cell));
                assert_eq!(a.and(b).contains(cell), in_a && in_b);
                assert_eq!(a.or(b).contains(cell), in_a || in_b);
                assert_eq!(a.without(b).contains(cell), in_a && !in_b);
            }
        }
    }
}
