//! The transposition table: what is known of positions that were searched before.

use tablero_env::ActionId;

/// What a stored score says about the true one, both for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The true score is at least the stored one.
    Lower,
    /// The true score is at most the stored one.
    Upper,
    /// The true score is the stored one.
    Exact,
}

/// The depth of a search that reached the end of the game in every line: no deeper search can
/// say more.
pub(crate) const COMPLETE: u16 = u16::MAX;

/// The result of one search of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The position's hash, whole: the only thing that tells two positions apart.
    key: u64,
    /// For the player to move in this position.
    pub(crate) score: i32,
    /// The action that gave the score.
    pub(crate) action: ActionId,
    /// Remaining plies of the search, or [`COMPLETE`].
    pub(crate) depth: u16,
    pub(crate) bound: Bound,
    /// The table's generation when this was stored; of an older one it counts as forgotten.
    generation: u32,
}

/// Two places for the positions of one index: the first keeps the deeper search, the second
/// always takes the newer one (Breuker, Uiterwijk and van den Herik, "Replacement Schemes for
/// Transposition Tables", 1994: TwoDeep).
type Bucket = [Option<Entry>; 2];

/// A table of fixed size. Without buckets it forgets everything at once.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    generation: u32,
}

impl Table {
    /// The largest table that fits `mib` MiB.
    pub(crate) fn new(mib: usize) -> Self {
        let n_buckets = (mib << 20) / size_of::<Bucket>();
        Table {
            buckets: vec![[None; 2]; n_buckets],
            generation: 0,
        }
    }

    /// Forgets everything, without touching the entries: a player clears its table before each
    /// move, and writing all of it would take longer than a shallow search.
    pub(crate) fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.buckets.fill([None; 2]);
        }
    }

    /// The bucket of a key: the key as a fraction of 2^64, times the number of buckets.
    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.get(self.index(key))?;
        bucket
            .iter()
            .flatten()
            .find(|entry| entry.key == key && entry.generation == self.generation)
            .copied()
    }

    #[inline]
    pub(crate) fn insert(
        &mut self,
        key: u64,
        depth: u16,
        score: i32,
        bound: Bound,
        action: ActionId,
    ) {
        let index = self.index(key);
        let generation = self.generation;
        let Some([deep, recent]) = self.buckets.get_mut(index) else {
            return;
        };
        *deep = deep.filter(|kept| kept.generation == generation);
        let entry = Entry {
            key,
            score,
            action,
            depth,
            bound,
            generation,
        };
        match deep {
            Some(kept) if kept.key != key && kept.depth > depth => *recent = Some(entry),
            Some(kept) if kept.key != key => {
                *recent = Some(*kept);
                *kept = entry;
            }
            _ => *deep = Some(entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest table in which keys can collide by accident: one bucket.
    fn one_bucket() -> Table {
        Table {
            buckets: vec![[None; 2]],
            generation: 0,
        }
    }

    #[test]
    fn a_cleared_table_knows_nothing_and_makes_room() {
        let mut table = one_bucket();
        // The last clear wraps the generation around.
        table.generation = u32::MAX - 1;
        for _ in 0..3 {
            table.insert(1, 9, 10, Bound::Exact, ActionId(0));
            table.clear();
            assert!(table.get(1).is_none());
            table.insert(2, 1, 20, Bound::Exact, ActionId(0));
            table.insert(3, 0, 30, Bound::Exact, ActionId(0));
            assert_eq!(
                table.get(2).unwrap().score,
                20,
                "not kept out by what is forgotten"
            );
            assert_eq!(table.get(3).unwrap().score, 30);
        }
    }

    #[test]
    fn the_deeper_search_stays_and_the_newer_one_is_never_lost() {
        let mut table = one_bucket();
        table.insert(1, 5, 10, Bound::Exact, ActionId(0));
        table.insert(2, 3, 20, Bound::Lower, ActionId(1));
        table.insert(3, 4, 30, Bound::Upper, ActionId(2));
        assert_eq!(table.get(1).unwrap().score, 10);
        assert!(table.get(2).is_none(), "shallow and older");
        assert_eq!(table.get(3).unwrap().score, 30);
        table.insert(4, 9, 40, Bound::Exact, ActionId(3));
        assert_eq!(table.get(4).unwrap().score, 40);
        assert_eq!(table.get(1).unwrap().score, 10, "moved to the second place");
    }

    #[test]
    fn a_key_is_compared_whole() {
        let mut table = one_bucket();
        table.insert(7, 1, 1, Bound::Exact, ActionId(0));
        assert!(table.get(7 | 1 << 63).is_none());
        assert!(table.get(7).is_some());
    }

    #[test]
    fn a_table_fits_its_size_and_one_of_no_size_remembers_nothing() {
        let table = Table::new(1);
        let bytes = table.buckets.len() * size_of::<Bucket>();
        assert!(bytes <= 1 << 20 && bytes > (1 << 20) - size_of::<Bucket>());
        let mut none = Table::new(0);
        none.insert(1, 1, 1, Bound::Exact, ActionId(0));
        assert!(none.get(1).is_none());
    }
}
