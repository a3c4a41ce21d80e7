//! The transposition table: what is known of positions that were searched before.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
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

impl Bound {
    /// What a score that was found within `alpha` and `beta` says.
    pub(crate) fn of(score: i32, alpha: i32, beta: i32) -> Self {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// The depth of a search that reached the end of the game in every line: no deeper search can
/// say more.
pub(crate) const COMPLETE: u16 = u16::MAX;

/// The result of one search of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// For the player to move in this position.
    pub(crate) score: i32,
    /// The action that gave the score.
    pub(crate) action: ActionId,
    /// Remaining plies of the search, or [`COMPLETE`].
    pub(crate) depth: u16,
    pub(crate) bound: Bound,
}

impl Entry {
    /// Whether a search as deep as `depth` within `alpha` and `beta` need not be made again.
    pub(crate) fn cuts(&self, depth: u16, alpha: i32, beta: i32) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score >= beta,
                Bound::Upper => self.score <= alpha,
            }
    }
}

/// An entry as it is stored: three words, which other threads may read and write one by one. The
/// first is the position's whole hash, the only thing that tells two positions apart, mixed with
/// the other two: where these come from different writers, it belongs to no position (Hyatt and
/// Mann, "A lock-less transposition table implementation for parallel search", 2002).
type Slot = [AtomicU64; N_WORDS];
const N_WORDS: usize = 3;

/// The words of a slot, read one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Words([u64; N_WORDS]);

impl Words {
    fn new(key: u64, entry: Entry, generation: u32) -> Self {
        let score = u64::from(entry.score as u32) << 32 | u64::from(entry.action.0);
        let age = u64::from(generation) << 32 | u64::from(entry.depth) << 8 | entry.bound as u64;
        Words([key ^ mix(score, age), score, age])
    }

    #[inline]
    fn load(slot: &Slot) -> Self {
        Words([0, 1, 2].map(|index| slot[index].load(Relaxed)))
    }

    fn store(self, slot: &Slot) {
        for (word, value) in slot.iter().zip(self.0) {
            word.store(value, Relaxed);
        }
    }

    /// The hash of the position, if all words come from one writer; otherwise of none.
    #[inline]
    fn key(self) -> u64 {
        self.0[0] ^ mix(self.0[1], self.0[2])
    }

    /// The table's generation when this was stored; of an older one it counts as forgotten.
    #[inline]
    fn generation(self) -> u32 {
        (self.0[2] >> 32) as u32
    }

    #[inline]
    fn depth(self) -> u16 {
        (self.0[2] >> 8) as u16
    }

    #[inline]
    fn entry(self) -> Entry {
        Entry {
            score: (self.0[1] >> 32) as i32,
            action: ActionId(self.0[1] as u32),
            depth: self.depth(),
            bound: match self.0[2] as u8 {
                0 => Bound::Lower,
                1 => Bound::Upper,
                _ => Bound::Exact,
            },
        }
    }
}

/// A hash of two words that differ in few bits from others: the halves of a product of 128 bits, of
/// which every bit depends on many. A mere XOR of the words would let two differences cancel out.
#[inline]
fn mix(one: u64, other: u64) -> u64 {
    let product =
        u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

/// A table of fixed size, which threads share without locks. Without buckets it forgets everything
/// at once.
///
/// A bucket has two slots for the positions of one index: the first keeps the deeper search, the
/// second always takes the newer one (Breuker, Uiterwijk and van den Herik, "Replacement Schemes
/// for Transposition Tables", 1994: TwoDeep).
#[derive(Debug)]
pub(crate) struct Table {
    /// `[n_buckets, 2, N_WORDS]`
    words: Vec<AtomicU64>,
    /// Never 0, the generation of slots that were never written.
    generation: u32,
}

const BUCKET_WORDS: usize = 2 * N_WORDS;

impl Table {
    /// The largest table that fits `mib` MiB.
    pub(crate) fn new(mib: usize) -> Self {
        Table::with_buckets((mib << 20) / (BUCKET_WORDS * size_of::<AtomicU64>()))
    }

    fn with_buckets(n_buckets: usize) -> Self {
        // Zeros that the system gives when they are first touched: a large table costs nothing
        // before it is used.
        let words = vec![0; n_buckets * BUCKET_WORDS];
        Table {
            words: words.into_iter().map(AtomicU64::new).collect(),
            generation: 1,
        }
    }

    /// Forgets everything, without touching the entries: a player clears its table before each
    /// move, and writing all of it would take longer than a shallow search.
    pub(crate) fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.words.fill_with(AtomicU64::default);
            self.generation = 1;
        }
    }

    /// The bucket of a key: the key as a fraction of 2^64, times the number of buckets.
    #[inline]
    fn bucket(&self, key: u64) -> Option<&[Slot; 2]> {
        let (buckets, _) = self.words.as_chunks::<BUCKET_WORDS>();
        let index = ((u128::from(key) * buckets.len() as u128) >> 64) as usize;
        let (slots, _) = buckets.get(index)?.as_chunks::<N_WORDS>();
        slots.try_into().ok()
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let words = self.bucket(key)?.each_ref().map(Words::load);
        words
            .into_iter()
            .find(|words| words.generation() == self.generation && words.key() == key)
            .map(Words::entry)
    }

    #[inline]
    pub(crate) fn insert(&self, key: u64, entry: Entry) {
        let Some([deep, recent]) = self.bucket(key) else {
            return;
        };
        let words = Words::new(key, entry, self.generation);
        let kept = Words::load(deep);
        if kept.generation() != self.generation || kept.key() == key {
            words.store(deep);
        } else if kept.depth() > entry.depth {
            words.store(recent);
        } else {
            kept.store(recent);
            words.store(deep);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn entry(score: i32, depth: u16) -> Entry {
        Entry {
            score,
            action: ActionId(7),
            depth,
            bound: Bound::Exact,
        }
    }

    fn score(table: &Table, key: u64) -> Option<i32> {
        table.get(key).map(|entry| entry.score)
    }

    #[test]
    fn an_entry_comes_back_as_it_was() {
        let table = Table::with_buckets(1);
        for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
            for score in [i32::MIN, -1, 0, 1, i32::MAX] {
                for (action, depth) in [(0, 0), (1, COMPLETE), (u32::MAX, 4)] {
                    let entry = Entry {
                        score,
                        action: ActionId(action),
                        depth,
                        bound,
                    };
                    table.insert(9, entry);
                    assert_eq!(table.get(9), Some(entry));
                }
            }
        }
    }

    #[test]
    fn a_cleared_table_knows_nothing_and_makes_room() {
        let mut table = Table::with_buckets(1);
        // The last clear wraps the generation around.
        table.generation = u32::MAX - 2;
        for _ in 0..3 {
            table.insert(1, entry(10, 9));
            table.clear();
            assert!(table.get(1).is_none());
            table.insert(2, entry(20, 1));
            table.insert(3, entry(30, 0));
            assert_eq!(
                score(&table, 2),
                Some(20),
                "not kept out by what is forgotten"
            );
            assert_eq!(score(&table, 3), Some(30));
        }
        assert_eq!(table.generation, 1);
    }

    #[test]
    fn clearing_does_not_touch_the_table() {
        let words = |table: &Table| -> Vec<u64> {
            let words = table.words.iter();
            words.map(|word| word.load(Relaxed)).collect()
        };
        let mut table = Table::with_buckets(3);
        table.insert(1, entry(10, 9));
        let before = words(&table);
        table.clear();
        assert_eq!(words(&table), before);
    }

    #[test]
    fn the_deeper_search_stays_and_the_newer_one_is_never_lost() {
        let table = Table::with_buckets(1);
        table.insert(1, entry(10, 5));
        table.insert(2, entry(20, 3));
        table.insert(3, entry(30, 4));
        assert_eq!(score(&table, 1), Some(10));
        assert!(table.get(2).is_none(), "shallow and older");
        assert_eq!(score(&table, 3), Some(30));
        table.insert(4, entry(40, 9));
        assert_eq!(score(&table, 4), Some(40));
        assert_eq!(score(&table, 1), Some(10), "moved to the second place");
    }

    #[test]
    fn a_key_is_compared_whole() {
        let table = Table::with_buckets(1);
        table.insert(7, entry(1, 1));
        assert!(table.get(7 | 1 << 63).is_none());
        assert!(table.get(7).is_some());
    }

    #[test]
    fn a_table_fits_its_size_and_one_of_no_size_remembers_nothing() {
        let bytes = Table::new(1).words.len() * size_of::<u64>();
        assert!(bytes <= 1 << 20 && bytes > (1 << 20) - BUCKET_WORDS * size_of::<u64>());
        let none = Table::new(0);
        none.insert(1, entry(1, 1));
        assert!(none.get(1).is_none());
    }

    /// The words of three entries of one position, in every mixture: the position is found in
    /// those of one entry alone. In a plain XOR, the differences of these three would cancel out.
    #[test]
    fn words_of_several_writers_belong_to_no_position() {
        let key = 0x0123_4567_89ab_cdef;
        let writers = [(0, 0), (256, 1), (256, 0)].map(|(action, depth)| {
            let action = ActionId(action);
            let entry = Entry {
                action,
                ..entry(5, depth)
            };
            Words::new(key, entry, 1)
        });
        for first in writers {
            for second in writers {
                for third in writers {
                    let mixture = Words([first.0[0], second.0[1], third.0[2]]);
                    let whole = writers.contains(&mixture);
                    assert_eq!(mixture.key() == key, whole);
                }
            }
        }
    }

    /// Four threads write and read two positions in one bucket, as fast as they can. Score, action
    /// and depth of every entry follow from one number, so a mixture would show.
    #[test]
    fn no_thread_reads_what_another_is_writing() {
        let table = Table::with_buckets(1);
        let make = |key: u64, number: u32| Entry {
            score: number as i32,
            action: ActionId(number ^ key as u32),
            depth: number as u16,
            bound: Bound::Exact,
        };
        thread::scope(|scope| {
            for writer in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for number in 0..200_000 {
                        let key = u64::from(number & 1);
                        table.insert(key, make(key, number * 4 + writer));
                        for key in [0, 1] {
                            if let Some(read) = table.get(key) {
                                assert_eq!(read, make(key, read.score as u32));
                            }
                        }
                    }
                });
            }
        });
    }
}
