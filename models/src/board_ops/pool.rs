//! Buffers that are used again: a training step needs the same large ones as the step before,
//! and asking the system for memory anew costs a tenth of the step.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Values on a line of the cache.
const LINE: usize = 16;

/// Buffers by length, for whoever needs them next. Copies share them.
#[derive(Clone, Default)]
pub(crate) struct Pool(Arc<Mutex<HashMap<usize, Shelf>>>);

/// The buffers of one length.
#[derive(Default)]
struct Shelf {
    free: Vec<Vec<f32>>,
    n_lent: usize,
}

impl Pool {
    /// A buffer of a length, with any values, from which to take [aligned](Buffer::aligned) ones.
    pub fn take_to_align(&self, length: usize) -> Buffer {
        self.take(length + LINE)
    }

    /// A buffer of a length, with any values.
    pub fn take(&self, length: usize) -> Buffer {
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shelf = shelves.entry(length).or_default();
        shelf.n_lent += 1;
        Buffer {
            values: shelf.free.pop().unwrap_or_else(|| vec![0.0; length]),
            pool: self.clone(),
        }
    }

    /// Keeps a buffer for later, its own or one in its place; never more than were lent.
    pub fn give(&self, values: Vec<f32>) {
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shelf) = shelves.get_mut(&values.len())
            && shelf.n_lent > 0
        {
            shelf.n_lent -= 1;
            shelf.free.push(values);
        }
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pool")
    }
}

/// A buffer that goes back to its pool.
#[derive(Debug)]
pub(crate) struct Buffer {
    pub values: Vec<f32>,
    pool: Pool,
}

impl Buffer {
    /// So many of the values, from the start of a line of the cache.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn aligned(&mut self, length: usize) -> &mut [f32] {
        let start = self.values.as_ptr().align_offset(size_of::<[f32; LINE]>());
        &mut self.values[start..][..length]
    }

    /// The values, for good.
    pub fn into_values(mut self) -> Vec<f32> {
        std::mem::take(&mut self.values)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if !self.values.is_empty() {
            self.pool.give(std::mem::take(&mut self.values));
        }
    }
}
