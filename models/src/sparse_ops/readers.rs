//! Lists turned around: for each row of a table, who reads it.

use super::batch::Lists;
use super::threads::ranges;
use std::ops::Range;

/// The rows that some lists read, and the numbers of the lists that read each.
pub(super) struct Readers {
    /// The rows that are read at all, ascending.
    pub rows: Vec<u32>,
    /// Where the readers of each of them end.
    ends: Vec<u32>,
    readers: Vec<u32>,
}

impl Readers {
    /// Turns lists around, by counting.
    pub fn of(lists: Lists<'_>, n_rows: usize) -> Readers {
        let mut next = vec![0u32; n_rows];
        for &row in lists.values {
            next[row as usize] += 1;
        }
        let (mut rows, mut ends, mut end) = (Vec::new(), Vec::new(), 0);
        for (row, next) in next.iter_mut().enumerate().filter(|(_, n)| **n > 0) {
            let start = end;
            end += *next;
            *next = start;
            rows.push(row as u32);
            ends.push(end);
        }
        let mut readers = vec![0; lists.values.len()];
        for list in 0..lists.len() {
            for &row in lists.get(list) {
                let place = &mut next[row as usize];
                readers[*place as usize] = list as u32;
                *place += 1;
            }
        }
        Readers {
            rows,
            ends,
            readers,
        }
    }

    /// The readers of the row at a place among [`rows`](Readers::rows), ascending.
    #[inline(always)]
    pub fn of_row(&self, index: usize) -> &[u32] {
        let lists = Lists {
            values: &self.readers,
            ends: &self.ends,
        };
        lists.get(index)
    }

    /// At most `n_parts` ranges of rows with about as many readers each.
    pub fn parts(&self, n_parts: usize) -> Vec<Range<usize>> {
        let mut start = 0;
        ranges(self.readers.len(), n_parts)
            .iter()
            .map(|readers| {
                let end = self
                    .ends
                    .partition_point(|&end| end as usize <= readers.end);
                let part = start..end;
                start = end;
                part
            })
            .collect()
    }
}
