//! What the network is made of: lines of 16-bit numbers and how weights become them.

use crate::leaf::panels::{Lane, PANEL};
use crate::{WeightTensor, Weights};

/// 1, in embeddings and in their sums.
pub(super) const EMBEDDING_ONE: i16 = 1 << 10;
/// 1, in activations.
pub(super) const ACTIVATION_ONE: i16 = 1 << 14;
/// The largest scale of weights.
const MAX_SCALE: f64 = (1 << 14) as f64;
/// The largest sum of the sizes of all weights of an output: times activations of 1 it is below
/// 2^31.
pub(super) const MAX_SUM: u32 = (1 << 17) - 1;

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
    pub const ZERO: Line = Line([0; LINE]);
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

impl Table {
    /// Packs the rows of a tensor, or the one row that it is.
    pub fn new(tensor: &WeightTensor, pack: impl Fn(f32) -> i16) -> Table {
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
    pub fn check(&self, rows: &[u32]) {
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
    pub fn new(weights: &Weights, names: &[&str]) -> Dense {
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
pub(super) fn round(value: f64) -> i16 {
    value.round() as i16
}

/// The largest power of two at which all weights are 16-bit numbers, and the sizes of no group of
/// them sum up to more than `max_sum`.
pub(super) fn scale<'a>(
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
pub(super) fn unit(scale: f64) -> f32 {
    (1.0 / (scale * f64::from(ACTIVATION_ONE))) as f32
}
