//! The logits of moves: products of the features of two places, for the moves asked for.

use crate::parameters::MOVE_FEATURES;
use crate::{NetworkShape, Weights};

/// Sums that run side by side, so that the compiler can use vector instructions.
const LANES: usize = 16;

type Features = [f32; MOVE_FEATURES];

/// What it takes to read logits from the features of a position's cells.
#[derive(Debug)]
pub(super) struct Moves {
    n_cells: usize,
    /// Of each source off the board.
    off_board: Vec<Features>,
}

impl Moves {
    /// From weights that are known to fit.
    pub fn new(shape: &NetworkShape, weights: &Weights) -> Moves {
        let tensor = weights.get("policy_off_board");
        let (off_board, _) = tensor.expect("the weights were checked").values.as_chunks();
        Moves {
            n_cells: shape.n_cells(),
            off_board: off_board.to_vec(),
        }
    }

    /// The logit of a slot, from `[H * W]` times the features as a source and as a destination.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn logit(&self, cells: &[f32], slot: usize) -> f32 {
        let (features, _) = cells.as_chunks::<MOVE_FEATURES>();
        let (source, destination) = (slot / self.n_cells, slot % self.n_cells);
        let source = match source.checked_sub(self.n_cells) {
            None => &features[2 * source],
            Some(off_board) => &self.off_board[off_board],
        };
        dot(source, &features[2 * destination + 1]) / (MOVE_FEATURES as f32).sqrt()
    }
}

/// The sum of products, in one order whatever the machine: lane by lane, then the lanes in halves.
fn dot(a: &Features, b: &Features) -> f32 {
    let mut sums = [0.0; LANES];
    let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let mut n = LANES;
    while n > 1 {
        n /= 2;
        for lane in 0..n {
            sums[lane] += sums[lane + n];
        }
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use tablero_env::random::stream;

    #[test]
    fn the_product_is_that_of_the_definition() {
        let mut rng = stream(1, "features", 0);
        let mut features = || -> Features { std::array::from_fn(|_| rng.random_range(-1.0..1.0)) };
        for _ in 0..100 {
            let (a, b) = (features(), features());
            let products = a.iter().zip(&b).map(|(&a, &b)| f64::from(a) * f64::from(b));
            let expected: f64 = products.sum();
            assert!((f64::from(dot(&a, &b)) - expected).abs() < 1e-6);
        }
    }
}
