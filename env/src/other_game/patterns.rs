//! Groups of cells that a sparse network sees as one fact each.

/// Where the features of each pattern start. A pattern with nothing on its cells has no feature.
#[derive(Debug)]
pub(super) struct Patterns {
    cells: Vec<Vec<usize>>,
    starts: Vec<usize>,
    shape: [usize; 3],
    end: usize,
}

impl Patterns {
    /// Patterns over the cells of these planes; their features follow `first` others.
    ///
    /// # Errors
    /// Which pattern is wrong, and why.
    pub(super) fn new(
        cells: Vec<Vec<usize>>,
        shape: [usize; 3],
        first: usize,
    ) -> Result<Self, String> {
        let [planes, height, width] = shape;
        let mut starts = Vec::new();
        let mut end = first;
        for pattern in &cells {
            let on_board = pattern.iter().all(|&cell| cell < height * width);
            if pattern.is_empty() || !on_board {
                return Err(format!(
                    "a pattern: expected one or more cells below {}, got {pattern:?}",
                    height * width
                ));
            }
            starts.push(end);
            let contents = u32::try_from(pattern.len())
                .ok()
                .and_then(|length| (planes + 1).checked_pow(length));
            end = contents
                .and_then(|contents| end.checked_add(contents - 1))
                .filter(|&end| end <= MOST)
                .ok_or_else(|| {
                    format!("patterns: more than {MOST} features; shorter ones have fewer")
                })?;
        }
        Ok(Patterns {
            cells,
            starts,
            shape,
            end,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The number of features with those before the patterns' own.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Appends a feature for each pattern with something on its cells: what stands on a cell is the
    /// first plane that is not 0 there.
    pub(super) fn write(&self, planes: &[f32], out: &mut Vec<u32>) {
        if self.cells.is_empty() {
            return;
        }
        let [n_planes, height, width] = self.shape;
        let area = height * width;
        let content = |cell: usize| {
            let mut at = (0..n_planes).map(|plane| planes[plane * area + cell]);
            at.position(|value| value != 0.0)
                .map_or(0, |plane| plane + 1)
        };
        let contents: Vec<usize> = (0..area).map(content).collect();
        for (pattern, start) in self.cells.iter().zip(&self.starts) {
            let digits = pattern.iter().map(|&cell| contents[cell]);
            let number = digits.fold(0, |number, digit| number * (n_planes + 1) + digit);
            if number > 0 {
                out.push((start + number - 1) as u32);
            }
        }
    }
}

/// The most features of all patterns: a table of some gigabytes.
const MOST: usize = 4_000_000;

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn a_pattern_has_a_feature_for_each_content_but_nothing() {
        // A row of three cells, two planes; the patterns are its neighbours.
        let patterns = Patterns::new(vec![vec![0, 1], vec![1, 2]], [2, 1, 3], 10).unwrap();
        assert_eq!(patterns.end(), 10 + 2 * 8);
        let mut out = Vec::new();
        let mut see = |planes: [f32; 6]| {
            out.clear();
            patterns.write(&planes, &mut out);
            out.clone()
        };
        assert!(see([0.0; 6]).is_empty());
        assert_eq!(see([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]), [10 + 3 - 1]);
        assert_eq!(see([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]), [10, 18 + 3 - 1]);
        assert_eq!(see([0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), [10, 18 + 3 + 2 - 1]);
    }

    /// Connect Four has 69, tic-tac-toe 8. Policies depend on the order.
    #[test]
    fn lines_are_all_straight_lines_of_a_board() {
        assert_eq!(lines(6, 7, 4).len(), 69);
        assert_eq!(lines(3, 3, 3).len(), 8);
        assert!(lines(3, 3, 4).is_empty());
        let rows = [[0, 1], [1, 2], [3, 4], [4, 5]];
        let columns = [[0, 3], [1, 4], [2, 5]];
        let diagonals = [[0, 4], [1, 5], [1, 3], [2, 4]];
        let expected = [&rows[..], &columns[..], &diagonals[..]].concat();
        assert_eq!(lines(2, 3, 2), expected);
    }

    #[test]
    fn a_pattern_outside_the_board_or_beyond_all_memory_is_refused() {
        let refused = |cells| Patterns::new(cells, [2, 3, 3], 0).unwrap_err();
        assert!(refused(vec![vec![0, 9]]).contains("below 9, got [0, 9]"));
        assert!(refused(vec![vec![]]).contains("got []"));
        assert!(refused(vec![vec![0; 40]]).contains("more than 4000000"));
        assert!(refused(vec![vec![0; 9]; 300]).contains("more than 4000000"));
    }
}
