//! The sparse network in whole numbers: the same bits with all instructions.
//!
//! Embeddings are 16-bit numbers at a scale of 1024, summed with saturation: the bias, then the
//! features in their order. Activations are 16-bit numbers from 0 to 16384, which stands for 1.
//! Weights of the layers behind are 16-bit numbers at powers of two, one for each output, chosen so
//! that no 32-bit sum overflows: sums are exact in any order, and inputs of 0 can be skipped.

use super::pack::tensor;
use super::product::{Lane, PANEL};
use super::{InstructionSet, sparse_portable};
#[cfg(target_arch = "x86_64")]
use super::{sparse_avx2, sparse_avx512, sparse_vnni};
use crate::{WeightTensor, Weights};
use tablero_env::ActionFeatures;

/// 1, in embeddings and in their sums.
pub(super) const EMBEDDING_ONE: i16 = 1 << 10;
/// 1, in activations.
pub(super) const ACTIVATION_ONE: i16 = 1 << 14;
/// The largest scale of weights.
const MAX_SCALE: f64 = (1 << 14) as f64;
/// The largest sum of the sizes of all weights of an output: times activations of 1 it is below
/// 2^31.
const MAX_SUM: u32 = (1 << 17) - 1;

/// Numbers of a line.
pub(super) const LINE: usize = 32;
/// Pairs of numbers of a line.
pub(super) const PAIRS: usize = LINE / 2;
/// Lines of which a 64-bit mask has a bit for each pair.
pub(super) const LINES_A_GROUP: usize = 64 / PAIRS;

/// A cache line of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Line(pub [i16; LINE]);

impl Line {
    const ZERO: Line = Line([0; LINE]);
}

/// Rows of whole lines, padded with 0.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub lines_a_row: usize,
    /// `[n_rows][lines_a_row]`.
    pub lines: Vec<Line>,
}

/// A dense layer, or several over one input.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    pub n_panels: usize,
    /// `[pairs of inputs][n_panels]`, for whole lines of inputs. A line holds two weights for each
    /// output, those of the two inputs.
    pub weights: Vec<Line>,
    /// What a sum is multiplied with, for each output; a power of two.
    pub units: Vec<Lane>,
    pub bias: Vec<Lane>,
}

/// The kernels in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernels {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Vnni,
}

/// A sparse network, packed for the kernels of some instructions.
#[derive(Debug)]
pub(super) struct Sparse {
    kernels: Kernels,
    embeddings: Table,
    bias: Vec<Line>,
    hidden: Vec<Dense>,
    /// Win, draw, loss, and points in games that have them.
    value: Dense,
    actions: Table,
    /// What a sum of an action is multiplied with.
    action_unit: f32,
}

/// The storage and the results of a forward pass.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// A logit for each action.
    pub policy: Vec<f32>,
    /// The logits of a win, a draw and a loss for the player to move, then the points lead, which
    /// is 0 in games without points.
    pub value: [f32; 4],
    activations: Vec<Line>,
    outputs: Vec<Lane>,
    totals: Vec<i32>,
}

impl Kernels {
    /// All that this machine has, the slowest first.
    #[cfg(test)]
    fn available() -> Vec<Kernels> {
        let mut all = vec![Kernels::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = InstructionSet::Avx2.is_available();
            all.extend(avx2.then_some(Kernels::Avx2));
            all.extend(sparse_avx512::is_available().then_some(Kernels::Avx512));
            all.extend(sparse_vnni::is_available().then_some(Kernels::Vnni));
        }
        all
    }

    /// The fastest that use no more than some instructions, which the machine has.
    fn of(instructions: InstructionSet) -> Kernels {
        match instructions {
            InstructionSet::Portable => Kernels::Portable,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => Kernels::Avx2,
            #[cfg(target_arch = "x86_64")]
            _ if sparse_vnni::is_available() => Kernels::Vnni,
            #[cfg(target_arch = "x86_64")]
            _ if sparse_avx512::is_available() => Kernels::Avx512,
            #[cfg(target_arch = "x86_64")]
            _ if InstructionSet::Avx2.is_available() => Kernels::Avx2,
            _ => Kernels::Portable,
        }
    }
}

/// Calls a kernel, of which the arguments are known to be in bounds.
macro_rules! call {
    ($kernels:expr, $kernel:ident($($argument:expr),*)) => {
        match $kernels {
            Kernels::Portable => sparse_portable::$kernel($($argument),*),
            // SAFETY: the machine has the instructions, or there would be no such network; the
            // caller has checked the arguments.
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx2 => unsafe { sparse_avx2::$kernel($($argument),*) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx512 => unsafe { sparse_avx512::$kernel($($argument),*) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            Kernels::Vnni => unsafe { sparse_vnni::$kernel($($argument),*) },
        }
    };
}

impl Sparse {
    /// From weights that are known to fit, for a game whose actions have at most
    /// `most_active_of_action` features. Of an action that has more the sum may wrap around, with
    /// all instructions alike.
    ///
    /// # Panics
    /// If the machine does not have the instructions.
    pub fn new(
        n_hidden: usize,
        most_active_of_action: usize,
        weights: &Weights,
        instructions: InstructionSet,
    ) -> Sparse {
        assert!(instructions.is_available());
        Self::with_kernels(
            n_hidden,
            most_active_of_action,
            weights,
            Kernels::of(instructions),
        )
    }

    fn with_kernels(
        n_hidden: usize,
        most_active_of_action: usize,
        weights: &Weights,
        kernels: Kernels,
    ) -> Sparse {
        let embedding = |value: f32| round(f64::from(value) * f64::from(EMBEDDING_ONE));
        let bias = Table::new(tensor(weights, "features.bias"), embedding);
        let actions = tensor(weights, "actions.weight");
        let max_sum = MAX_SUM / u32::try_from(most_active_of_action.max(1)).unwrap_or(u32::MAX);
        let row_len = actions.shape[1];
        let scale = scale(actions.values.chunks(row_len).map(<[f32]>::iter), max_sum);
        let embeddings = Table::new(tensor(weights, "features.weight"), embedding);
        assert_eq!(bias.lines.len(), embeddings.lines_a_row);
        Sparse {
            kernels,
            embeddings,
            bias: bias.lines,
            hidden: (0..n_hidden)
                .map(|index| Dense::new(weights, &[&format!("hidden.{index}")]))
                .collect(),
            value: Dense::new(weights, &["wdl", "points"]),
            actions: Table::new(actions, |value| round(f64::from(value) * scale)),
            action_unit: unit(scale),
        }
    }

    /// Evaluates one position.
    ///
    /// # Panics
    /// If the network does not have one of the features or action features.
    pub fn forward(&self, features: &[u32], actions: &ActionFeatures, buffers: &mut Buffers) {
        self.embeddings.check(features);
        self.actions.check(actions.values());
        let Buffers {
            policy,
            value,
            activations,
            outputs,
            totals,
        } = buffers;
        let kernels = self.kernels;
        activations.resize(self.bias.len(), Line::ZERO);
        call!(
            kernels,
            embed(&self.embeddings, &self.bias, features, activations)
        );
        for layer in &self.hidden {
            layer.forward(kernels, activations, outputs);
            activations.resize(layer.n_panels.div_ceil(2), Line::ZERO);
            call!(kernels, activate(outputs, activations));
        }
        self.value.forward(kernels, activations, outputs);
        value.copy_from_slice(&outputs[0].0[..4]);
        totals.resize(actions.len(), 0);
        assert_eq!(activations.len(), self.actions.lines_a_row);
        call!(kernels, score(&self.actions, activations, actions, totals));
        policy.clear();
        policy.extend(totals.iter().map(|&total| total as f32 * self.action_unit));
    }
}

impl Table {
    /// Packs the rows of a tensor, or the one row that it is.
    fn new(tensor: &WeightTensor, pack: impl Fn(f32) -> i16) -> Table {
        let row_len = *tensor.shape.last().expect("a tensor of rows");
        let lines = tensor.values.chunks(row_len).flat_map(|row| {
            row.chunks(LINE).map(|values| {
                let mut line = Line::ZERO;
                for (packed, &value) in line.0.iter_mut().zip(values) {
                    *packed = pack(value);
                }
                line
            })
        });
        Table {
            lines_a_row: row_len.div_ceil(LINE),
            lines: lines.collect(),
        }
    }

    /// # Panics
    /// If there is no such row.
    fn check(&self, rows: &[u32]) {
        let n_rows = self.lines.len() / self.lines_a_row;
        // Without a branch for each, this is vectorized.
        let largest = rows.iter().fold(0, |largest, &row| largest.max(row));
        assert!(
            rows.is_empty() || (largest as usize) < n_rows,
            "feature {largest} of {n_rows}"
        );
    }
}

impl Dense {
    /// Packs the layers that the network has of some, side by side.
    fn new(weights: &Weights, names: &[&str]) -> Dense {
        let mut columns = Vec::new();
        let mut n_inputs = 0;
        for name in names {
            let weight = weights.get(&format!("{name}.weight"));
            let bias = weights.get(&format!("{name}.bias"));
            let (Some(weight), Some(bias)) = (weight, bias) else {
                continue;
            };
            n_inputs = weight.shape[0];
            for (column, &bias) in bias.values.iter().enumerate() {
                let column = weight.values[column..].iter().step_by(weight.shape[1]);
                let scale = scale(std::iter::once(column.clone()), MAX_SUM);
                columns.push((column, scale, bias));
            }
        }
        let n_panels = columns.len().div_ceil(PANEL);
        let n_pairs = n_inputs.div_ceil(LINE) * PAIRS;
        let mut layer = Dense {
            n_panels,
            weights: vec![Line::ZERO; n_pairs * n_panels],
            units: vec![Lane([0.0; PANEL]); n_panels],
            bias: vec![Lane([0.0; PANEL]); n_panels],
        };
        for (output, (column, scale, bias)) in columns.into_iter().enumerate() {
            let (panel, lane) = (output / PANEL, output % PANEL);
            layer.units[panel].0[lane] = unit(scale);
            layer.bias[panel].0[lane] = bias;
            for (input, &weight) in column.enumerate() {
                let line = &mut layer.weights[input / 2 * n_panels + panel];
                line.0[2 * lane + input % 2] = round(f64::from(weight) * scale);
            }
        }
        layer
    }

    fn forward(&self, kernels: Kernels, input: &[Line], outputs: &mut Vec<Lane>) {
        assert_eq!(input.len() * PAIRS * self.n_panels, self.weights.len());
        outputs.resize(self.n_panels, Lane([0.0; PANEL]));
        call!(kernels, dense(self, input, outputs));
    }
}

/// Writes the activations of a layer's outputs. Inlined, it uses the instructions of its caller.
#[inline(always)]
pub(super) fn activate(outputs: &[Lane], out: &mut [Line]) {
    for (outputs, out) in outputs.chunks(2).zip(out) {
        for (outputs, out) in outputs.iter().zip(out.0.chunks_exact_mut(PANEL)) {
            for (out, &output) in out.iter_mut().zip(&outputs.0) {
                let positive = if output > 0.0 { output } else { 0.0 };
                let clamped = if positive < 1.0 { positive } else { 1.0 };
                let activation = clamped * clamped * f32::from(ACTIVATION_ONE) + 0.5;
                // SAFETY: it is from 0.5 to 16384.5, even for what is not a number.
                *out = unsafe { activation.to_int_unchecked::<i32>() } as i16;
            }
        }
    }
}

/// The nearest whole number, half away from 0, and the nearest 16-bit one if it is out of range.
fn round(value: f64) -> i16 {
    value.round() as i16
}

/// The largest power of two at which all weights are 16-bit numbers, and the sizes of no group of
/// them sum up to more than `max_sum`.
fn scale<'a>(
    groups: impl Iterator<Item = impl Iterator<Item = &'a f32> + Clone> + Clone,
    max_sum: u32,
) -> f64 {
    let fits = |scale: f64| {
        groups.clone().all(|group| {
            let sizes = group.map(|&weight| (f64::from(weight) * scale).round().abs());
            let (largest, sum) = sizes.fold((0.0_f64, 0.0), |(largest, sum), size| {
                (largest.max(size), sum + size)
            });
            largest <= f64::from(i16::MAX) && sum <= f64::from(max_sum)
        })
    };
    let mut scale = MAX_SCALE;
    while !fits(scale) {
        scale /= 2.0;
    }
    scale
}

/// What stands for 1 in a sum of products of activations and weights of a scale, inverted.
fn unit(scale: f64) -> f32 {
    (1.0 / (scale * f64::from(ACTIVATION_ONE))) as f32
}

#[cfg(test)]
#[path = "sparse/tests.rs"]
mod tests;
