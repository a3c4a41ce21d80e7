/// The features of B positions and of L actions each, as lists one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparseBatch {
    /// L: how many actions each position has; those with fewer are filled up with actions without
    /// features, whose logit is 0.
    pub n_actions: usize,
    /// The features of all positions.
    pub features: Vec<u32>,
    /// `[B]`: where the features of each position end.
    pub ends: Vec<u32>,
    /// The features of all actions.
    pub action_features: Vec<u32>,
    /// `[B, L]`: where the features of each action end.
    pub action_ends: Vec<u32>,
}

impl SparseBatch {
    /// B: the number of positions.
    #[must_use]
    pub fn n_positions(&self) -> usize {
        self.ends.len()
    }

    /// The lists of the positions' features.
    pub(super) fn positions(&self) -> Lists<'_> {
        Lists {
            values: &self.features,
            ends: &self.ends,
        }
    }

    /// The lists of the actions' features.
    pub(super) fn actions(&self) -> Lists<'_> {
        Lists {
            values: &self.action_features,
            ends: &self.action_ends,
        }
    }
}

/// Lists one after another.
#[derive(Clone, Copy)]
pub(super) struct Lists<'a> {
    pub values: &'a [u32],
    pub ends: &'a [u32],
}

impl<'a> Lists<'a> {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> &'a [u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start as usize..self.ends[index] as usize]
    }

    /// # Panics
    /// If the lists do not end where the values do, or a value is not below `n_rows`.
    pub fn check(&self, n_rows: usize) {
        let end = self.ends.last().map_or(0, |&end| end as usize);
        assert_eq!(end, self.values.len(), "the last list ends with the values");
        assert!(self.ends.is_sorted(), "lists one after another");
        let largest = self.values.iter().max().map_or(0, |&row| row as usize + 1);
        assert!(largest <= n_rows, "feature {largest} of {n_rows}");
    }
}
