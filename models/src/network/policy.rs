//! The policy of a batch, of which only the logits of legal actions are ever computed.

use burn::tensor::{Int, Tensor};

/// The logits of actions of B positions.
// Handles of tensors, one a forward pass: nothing is gained by a box.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum PolicyLogits {
    /// `[B, L]`: one for each action that the batch lists.
    Listed(Tensor<2>),
    /// `[B, P * H * W]`: one for each policy slot.
    Slots(Tensor<2>),
    /// One for each slot, a pair of a source and a destination, computed where it is asked for: the
    /// product of their features over the root of d, the number of features.
    Moves {
        /// `[B, P, d]`: the cells of the grid, then the sources off the board.
        sources: Tensor<3>,
        /// `[B, H * W, d]`.
        destinations: Tensor<3>,
    },
}

impl PolicyLogits {
    /// From features of cells `[B, H * W, 2 d]`, first those as a source, and of sources off the
    /// board `[K, d]`.
    pub(super) fn of_moves(cells: Tensor<3>, off_board: Tensor<2>) -> PolicyLogits {
        let [n, ..] = cells.dims();
        let [n_off_board, n_features] = off_board.dims();
        let on_board = cells.clone().narrow(2, 0, n_features);
        let off_board = off_board.unsqueeze::<3>();
        let off_board = off_board.expand([n, n_off_board, n_features]);
        PolicyLogits::Moves {
            sources: Tensor::cat(vec![on_board, off_board], 1),
            destinations: cells.narrow(2, n_features, n_features),
        }
    }

    /// The logits at some slots of each position.
    ///
    /// # Shapes
    /// `slots` is `[B, L]`, numbers below `P * H * W`; so is the result, `[B, L]`.
    ///
    /// # Panics
    /// If `slots` has another number of rows than there are positions, there is no such slot, or
    /// the logits are [listed](PolicyLogits::Listed) and have no slots.
    #[must_use]
    pub fn at(&self, slots: Tensor<2, Int>) -> Tensor<2> {
        match self {
            PolicyLogits::Listed(_) => panic!("the logits of listed actions have no slots"),
            PolicyLogits::Slots(logits) => logits.clone().gather(1, slots),
            PolicyLogits::Moves {
                sources,
                destinations,
            } => products(sources, destinations, slots),
        }
    }
}

fn products(sources: &Tensor<3>, destinations: &Tensor<3>, slots: Tensor<2, Int>) -> Tensor<2> {
    let [n, n_cells, n_features] = destinations.dims();
    let [n_rows, n_slots] = slots.dims();
    assert_eq!(n_rows, n, "slots of as many positions");
    let positions = Tensor::<1, Int>::arange(0..n as i64, &slots.device());
    // The features of all these places, from those of all positions in one list.
    let features_of = |places: &Tensor<3>, numbers: Tensor<2, Int>| {
        let [_, n_places, _] = places.dims();
        let first = positions.clone().mul_scalar(n_places as i64);
        let places = places.clone().reshape([n * n_places, n_features]);
        places.select(0, (numbers + first.unsqueeze_dim(1)).flatten(0, 1))
    };
    let source = slots.clone().div_scalar(n_cells as i64);
    let destination = slots - source.clone().mul_scalar(n_cells as i64);
    features_of(sources, source)
        .mul(features_of(destinations, destination))
        .sum_dim(1)
        .reshape([n, n_slots])
        .div_scalar((n_features as f32).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::{Device, TensorData};
    use rand::RngExt;
    use tablero_env::random::stream;

    #[test]
    fn logits_of_moves_are_products_of_features() {
        const SIZES: [usize; 4] = [3, 6, 2, 4];
        let [n, n_cells, n_off_board, n_features] = SIZES;
        let mut rng = stream(1, "features", 0);
        let mut random =
            |n: usize| -> Vec<f32> { (0..n).map(|_| rng.random_range(-1.0..1.0)).collect() };
        let cells = random(n * n_cells * 2 * n_features);
        let off_board = random(n_off_board * n_features);
        let device = Device::flex();
        let policy = PolicyLogits::of_moves(
            Tensor::from_data(
                TensorData::new(cells.clone(), [n, n_cells, 2 * n_features]),
                &device,
            ),
            Tensor::from_data(
                TensorData::new(off_board.clone(), [n_off_board, n_features]),
                &device,
            ),
        );
        let n_slots = (n_cells + n_off_board) * n_cells;
        let slots = Tensor::<1, Int>::arange(0..n_slots as i64, &device);
        let logits = policy.at(slots.unsqueeze::<2>().repeat_dim(0, n));
        let logits: Vec<f32> = logits.into_data().try_into_vec().unwrap();
        for (index, logit) in logits.into_iter().enumerate() {
            let (position, slot) = (index / n_slots, index % n_slots);
            let (source, destination) = (slot / n_cells, slot % n_cells);
            let cell = |cell: usize| &cells[(position * n_cells + cell) * 2 * n_features..];
            let from = match source.checked_sub(n_cells) {
                None => cell(source),
                Some(number) => &off_board[number * n_features..],
            };
            let to = &cell(destination)[n_features..];
            let products = from.iter().zip(to).take(n_features).map(|(a, b)| a * b);
            let expected = products.sum::<f32>() / 2.0;
            assert!((logit - expected).abs() < 1e-6, "{position}: {slot}");
        }
    }
}
