//! A layer: convolution, batch norm over the batch, an addition if there is one, relu; and the
//! way back. Boards go through in chunks that stay in a second-level cache.

use super::boards::Boards;
use super::convolution::{Convolution, Kernel, Scratch, WeightGradient};
use super::norm::{Affine, GradientSums, Moments};
use super::pool::{Buffer, Pool};
use crate::leaf::{InstructionSet, PANEL};

/// About how many cells go through together.
const CHUNK_CELLS: usize = 256;

/// A layer and its weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer<'a> {
    pub kernel: Kernel<'a>,
    pub gamma: &'a [f32],
    pub beta: &'a [f32],
    pub epsilon: f64,
    /// The boards that it reads.
    pub from: Boards,
    /// The border of the boards that it writes.
    pub border: usize,
    pub instructions: InstructionSet,
}

/// What the way back needs of the way there.
#[derive(Debug)]
pub(super) struct Memory {
    /// The convolution's results, without border.
    results: Buffer,
    /// Each channel's inverse standard deviation.
    inverse_deviations: Vec<f64>,
    affine: Affine,
}

/// What the way there gives.
pub(super) struct Output {
    pub boards: Buffer,
    /// Mean and variance of each channel's results over the batch.
    pub means: Vec<f32>,
    pub variances: Vec<f32>,
    pub memory: Memory,
}

/// What the way back gives; the gradient of what was added is the masked gradient of the output.
pub(super) struct Gradients {
    pub input: Option<Buffer>,
    pub weights: Vec<f32>,
    pub gamma: Vec<f32>,
    pub beta: Vec<f32>,
}

impl Layer<'_> {
    /// The boards that it writes.
    pub fn to(&self) -> Boards {
        self.from.with(self.kernel.n_stored_outputs(), self.border)
    }

    /// A whole chunk of boards.
    fn chunk_of(&self, boards: Boards) -> Boards {
        let cells = boards.height * boards.width;
        let n = (CHUNK_CELLS / cells).max(1);
        Boards { n, ..boards }
    }

    /// The boards that go through together: the first, and how many.
    fn chunks(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (all, size) = (self.from.n, self.chunk_of(self.from).n);
        (0..all)
            .step_by(size)
            .map(move |first| (first, size.min(all - first)))
    }

    /// The way there. `added` is what is added before the relu, in the form of the output.
    pub fn forward(&self, pool: &Pool, input: &[f32], added: Option<&[f32]>) -> Output {
        let (from, to) = (self.from, self.to());
        let convolution = Convolution::new(self.instructions, &self.kernel, from.channels);
        let plain = to.with(to.channels, 0);
        let mut results = pool.take(plain.len());
        let mut moments = Moments::new(self.instructions, to.channels);
        let channels = [from.channels, to.channels];
        let mut scratch = Scratch::new(pool, self.kernel.side, &self.chunk_of(from), channels);
        for (first, n) in self.chunks() {
            let (part_from, part_plain) = (Boards { n, ..from }, Boards { n, ..plain });
            let input = &input[first * from.board_len()..];
            let results = &mut results.values[first * plain.board_len()..][..part_plain.len()];
            convolution.apply((input, &part_from), (results, &part_plain), &mut scratch);
            moments.add(results);
        }
        let (means, variances) = (moments.means(), moments.variances());
        let inverse_deviations: Vec<f64> = variances
            .iter()
            .map(|&variance| 1.0 / (f64::from(variance) + self.epsilon).sqrt())
            .collect();
        let mut scales = vec![0.0; to.channels];
        for (channel, (scale, &gamma)) in scales.iter_mut().zip(self.gamma).enumerate() {
            *scale = (f64::from(gamma) * inverse_deviations[channel]) as f32;
        }
        let mut shifts = vec![0.0; to.channels];
        shifts[..self.beta.len()].copy_from_slice(self.beta);
        let affine = Affine {
            instructions: self.instructions,
            means: means.clone(),
            scales,
            shifts,
        };
        let mut output = pool.take(to.len());
        to.clear_border(&mut output.values);
        let row_len = to.row_len();
        for (row, results) in to.rows().zip(results.values.chunks_exact(row_len)) {
            let added = added.map(|added| &added[row..][..row_len]);
            affine.apply(results, added, &mut output.values[row..][..row_len]);
        }
        Output {
            boards: output,
            means,
            variances,
            memory: Memory {
                results,
                inverse_deviations,
                affine,
            },
        }
    }

    /// Sets the gradient of `output` to 0 where the relu gave 0, and sums what remains.
    fn mask(&self, memory: &Memory, output: &[f32], gradient: &mut [f32]) -> GradientSums {
        let to = self.to();
        let row_len = to.row_len();
        let mut sums = GradientSums::new(to.channels);
        let mut rows = to.rows();
        let mut results = memory.results.values.chunks_exact(row_len);
        for (_, n) in self.chunks() {
            for (row, results) in rows.by_ref().zip(&mut results).take(n * to.height) {
                let (output, gradient) = (&output[row..], &mut gradient[row..]);
                memory.affine.mask(
                    results,
                    &output[..row_len],
                    &mut gradient[..row_len],
                    &mut sums,
                );
            }
            sums.end_part();
        }
        sums
    }

    /// Whole panels of input channels come out of the way back; the boards may store fewer.
    fn n_computed_inputs(&self) -> usize {
        self.kernel.n_inputs.next_multiple_of(PANEL)
    }

    /// The way back. `gradient` is that of `output`, and is set to 0 where the relu gave 0.
    pub fn backward(
        &self,
        pool: &Pool,
        memory: &Memory,
        input: &[f32],
        output: &[f32],
        gradient: &mut [f32],
        needs_input_gradient: bool,
    ) -> Gradients {
        let (from, to) = (self.from, self.to());
        let row_len = to.row_len();
        let rows: Vec<usize> = to.rows().collect();
        let results = &memory.results.values;

        let sums = self.mask(memory, output, gradient);
        let mean_gradients = sums.mean_gradients(to.n_cells());
        let slopes = sums.slopes(to.n_cells(), &memory.inverse_deviations);

        let mut input_gradient = needs_input_gradient.then(|| InputGradient::new(self, pool));
        let mut weight_gradient =
            WeightGradient::new(self.instructions, pool, &self.kernel, from.channels);
        let within = self.chunk_of(to.with(to.channels, self.kernel.border()));
        let most = from.channels.max(to.channels).max(self.n_computed_inputs());
        let mut scratch = Scratch::new(pool, self.kernel.side, &within, [most, most]);
        // Its border is and stays 0, and that of a board after the last one.
        let back_len = within.len() + within.board_len();
        let mut back = pool.take_to_align(back_len);
        let back = back.aligned(back_len);
        back.fill(0.0);
        for (first, n) in self.chunks() {
            let (part_from, part_within) = (Boards { n, ..from }, Boards { n, ..within });
            for (index, row) in part_within.rows().enumerate() {
                let from_row = first * to.height + index;
                memory.affine.back(
                    &results[from_row * row_len..][..row_len],
                    &gradient[rows[from_row]..][..row_len],
                    &mean_gradients,
                    &slopes,
                    &mut back[row..][..row_len],
                );
            }
            let input = &input[first * from.board_len()..];
            let back = (&*back, &part_within);
            weight_gradient.add(&self.kernel, (input, &part_from), back, &mut scratch);
            if let Some(input_gradient) = &mut input_gradient {
                input_gradient.compute(back, (first, n), &mut scratch);
            }
        }
        let mut gamma = sums.gammas(&memory.inverse_deviations);
        gamma.truncate(self.kernel.n_outputs);
        let mut beta = sums.shifts();
        beta.truncate(self.kernel.n_outputs);
        Gradients {
            input: input_gradient.map(|gradient| gradient.boards),
            weights: weight_gradient.weights(&self.kernel, from.channels),
            gamma,
            beta,
        }
    }
}

/// The gradient of the boards that a layer reads.
struct InputGradient {
    boards: Buffer,
    from: Boards,
    turned: Convolution,
    /// A chunk with the channels that the convolution computes, where the boards store others.
    computed: Option<(Vec<f32>, Boards)>,
}

impl InputGradient {
    fn new(layer: &Layer<'_>, pool: &Pool) -> Self {
        let from = layer.from;
        let mut boards = pool.take(from.len());
        from.clear_border(&mut boards.values);
        let n_computed = layer.n_computed_inputs();
        let chunk = layer.chunk_of(from.with(n_computed, from.border));
        Self {
            boards,
            from,
            turned: Convolution::turned(layer.instructions, &layer.kernel),
            computed: (n_computed != from.channels).then(|| (vec![0.0; chunk.len()], chunk)),
        }
    }

    /// Computes a chunk: the first board, and how many.
    fn compute(
        &mut self,
        back: (&[f32], &Boards),
        (first, n): (usize, usize),
        scratch: &mut Scratch,
    ) {
        let part = Boards { n, ..self.from };
        let target = &mut self.boards.values[first * part.board_len()..][..part.len()];
        let Some((computed, boards)) = &mut self.computed else {
            return self.turned.apply(back, (target, &part), scratch);
        };
        let boards = Boards { n, ..*boards };
        let computed = &mut computed[..boards.len()];
        self.turned.apply(back, (computed, &boards), scratch);
        let cells = computed.chunks_exact(boards.channels);
        for (target, cell) in target.chunks_exact_mut(part.channels).zip(cells) {
            let n_copied = cell.len().min(target.len());
            target[..n_copied].copy_from_slice(&cell[..n_copied]);
            target[n_copied..].fill(0.0);
        }
    }
}
