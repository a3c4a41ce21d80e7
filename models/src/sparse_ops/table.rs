use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A row of numbers for each feature, with the gradients of the last backward pass.
pub(crate) struct Table {
    n_rows: usize,
    width: usize,
    values: Arc<Vec<f32>>,
    gradients: Gradients,
}

/// Where a backward pass leaves the gradients of rows.
pub(super) type Gradients = Arc<Mutex<RowGradients>>;

/// The gradients of the rows that were read; all others are 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RowGradients {
    /// The rows, ascending.
    pub rows: Vec<u32>,
    /// Their gradients, one after another.
    pub values: Vec<f32>,
}

impl Table {
    /// # Panics
    /// If there are not `n_rows * width` values.
    pub fn new([n_rows, width]: [usize; 2], values: Vec<f32>) -> Table {
        assert_eq!(values.len(), n_rows * width, "values of all rows");
        Table {
            n_rows,
            width,
            values: Arc::new(values),
            gradients: Gradients::default(),
        }
    }

    /// Rows and their width.
    pub fn dims(&self) -> [usize; 2] {
        [self.n_rows, self.width]
    }

    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The values, to be changed in place: no copy is made once the graph of the last forward pass
    /// is gone.
    pub fn values_mut(&mut self) -> &mut [f32] {
        Arc::<Vec<f32>>::make_mut(&mut self.values)
    }

    /// The gradients of the last backward pass; nothing is left of them.
    pub fn take_gradients(&self) -> RowGradients {
        let mut gradients = self
            .gradients
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *gradients)
    }

    pub(super) fn shared(&self) -> (Arc<Vec<f32>>, Gradients) {
        (self.values.clone(), self.gradients.clone())
    }
}

/// A copy has no gradients.
impl Clone for Table {
    fn clone(&self) -> Self {
        Table {
            n_rows: self.n_rows,
            width: self.width,
            values: self.values.clone(),
            gradients: Gradients::default(),
        }
    }
}

// Not derived: nobody reads a million numbers.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({} x {})", self.n_rows, self.width)
    }
}
