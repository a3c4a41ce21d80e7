//! Batch norm (Ioffe and Szegedy, 2015), an addition and a relu, in as few passes as can be.
//!
//! A cell's channels come in whole panels, each of which is a vector.

use crate::leaf::{InstructionSet, PANEL};
use crate::vectorized::{panels, panels_mut, vectorized};

/// The mean and the variance of each channel, gathered part by part.
#[derive(Debug)]
pub(super) struct Moments {
    instructions: InstructionSet,
    n: f64,
    means: Vec<f64>,
    /// Sums of squared deviations from the mean.
    squares: Vec<f64>,
    part_means: Vec<f32>,
    part_deviations: Vec<f32>,
    part_squares: Vec<f32>,
}

impl Moments {
    /// Those of no cells.
    pub fn new(instructions: InstructionSet, channels: usize) -> Moments {
        Moments {
            instructions,
            n: 0.0,
            means: vec![0.0; channels],
            squares: vec![0.0; channels],
            part_means: vec![0.0; channels],
            part_deviations: vec![0.0; channels],
            part_squares: vec![0.0; channels],
        }
    }

    /// Adds some cells, `[cells][channels]`. Within a part deviations are from the part's own
    /// mean, and what its rounding leaves of their sum corrects it; parts are joined as Chan,
    /// Golub and LeVeque (1983) do. So large means cost no digits of small variances.
    pub fn add(&mut self, values: &[f32]) {
        let n_part = (values.len() / self.means.len()) as f64;
        sum(self.instructions, values, &mut self.part_means);
        for mean in &mut self.part_means {
            *mean /= n_part as f32;
        }
        sum_deviations(
            self.instructions,
            values,
            &self.part_means,
            &mut self.part_deviations,
            &mut self.part_squares,
        );
        let n = self.n + n_part;
        for channel in 0..self.means.len() {
            let deviation = f64::from(self.part_deviations[channel]) / n_part;
            let part_mean = f64::from(self.part_means[channel]) + deviation;
            let part_squares =
                f64::from(self.part_squares[channel]) - deviation * deviation * n_part;
            let difference = part_mean - self.means[channel];
            self.means[channel] += difference * n_part / n;
            self.squares[channel] +=
                part_squares.max(0.0) + difference * difference * self.n * n_part / n;
        }
        self.n = n;
    }

    /// The mean of each channel.
    pub fn means(&self) -> Vec<f32> {
        self.means.iter().map(|&mean| mean as f32).collect()
    }

    /// The variance of each channel, over the number of cells.
    pub fn variances(&self) -> Vec<f32> {
        let variances = self.squares.iter().map(|squares| squares / self.n);
        variances.map(|variance| variance as f32).collect()
    }
}

vectorized! {
    fn sum(values: &[f32], sums: &mut [f32]) {
        let (values, sums) = (panels(values), panels_mut(sums));
        let n_panels = sums.len();
        for (panel, sum) in sums.iter_mut().enumerate() {
            let mut total = [0.0; PANEL];
            for values in values.iter().skip(panel).step_by(n_panels) {
                for lane in 0..PANEL {
                    total[lane] += values[lane];
                }
            }
            *sum = total;
        }
    }
}

vectorized! {
    fn sum_deviations(
        values: &[f32],
        means: &[f32],
        deviations: &mut [f32],
        squares: &mut [f32],
    ) {
        let (values, means) = (panels(values), panels(means));
        let (deviations, squares) = (panels_mut(deviations), panels_mut(squares));
        let n_panels = means.len();
        for panel in 0..n_panels {
            let mean = means[panel];
            let (mut sum, mut sum_of_squares) = ([0.0; PANEL], [0.0; PANEL]);
            for values in values.iter().skip(panel).step_by(n_panels) {
                for lane in 0..PANEL {
                    let deviation = values[lane] - mean[lane];
                    sum[lane] += deviation;
                    sum_of_squares[lane] += deviation * deviation;
                }
            }
            deviations[panel] = sum;
            squares[panel] = sum_of_squares;
        }
    }
}

/// What makes a channel's outputs from a convolution's results: `(x - mean) * scale + shift`.
#[derive(Clone, Debug)]
pub(super) struct Affine {
    pub instructions: InstructionSet,
    pub means: Vec<f32>,
    pub scales: Vec<f32>,
    pub shifts: Vec<f32>,
}

impl Affine {
    /// `relu((x - mean) * scale + shift [+ added])` of a row of cells.
    pub fn apply(&self, x: &[f32], added: Option<&[f32]>, output: &mut [f32]) {
        match added {
            None => apply(self.instructions, self, x, output),
            Some(added) => apply_added(self.instructions, self, x, added, output),
        }
    }

    /// The way back through the relu: sets the gradient of a row of cells to 0 where their
    /// output is 0, and adds it to `sums`.
    pub fn mask(&self, x: &[f32], output: &[f32], gradient: &mut [f32], sums: &mut GradientSums) {
        mask(
            self.instructions,
            x,
            &self.means,
            output,
            gradient,
            &mut sums.part_plain,
            &mut sums.part_by_deviation,
        );
    }

    /// The way back through the norm: the gradient of a row's results from that of its outputs.
    /// `mean_gradients` and `slopes` are [`GradientSums::mean_gradients`] and
    /// [`GradientSums::slopes`].
    pub fn back(
        &self,
        x: &[f32],
        gradient: &[f32],
        mean_gradients: &[f32],
        slopes: &[f32],
        result: &mut [f32],
    ) {
        back(
            self.instructions,
            self,
            x,
            gradient,
            mean_gradients,
            slopes,
            result,
        );
    }
}

vectorized! {
    fn apply(affine: &Affine, x: &[f32], output: &mut [f32]) {
        let (means, scales) = (panels(&affine.means), panels(&affine.scales));
        let shifts = panels(&affine.shifts);
        let n_panels = means.len();
        for panel in 0..n_panels {
            let (mean, scale, shift) = (means[panel], scales[panel], shifts[panel]);
            let x = panels(x).iter().skip(panel).step_by(n_panels);
            let output = panels_mut(output).iter_mut().skip(panel).step_by(n_panels);
            for (x, output) in x.zip(output) {
                for lane in 0..PANEL {
                    let y = (x[lane] - mean[lane]) * scale[lane] + shift[lane];
                    output[lane] = y.max(0.0);
                }
            }
        }
    }
}

vectorized! {
    fn apply_added(affine: &Affine, x: &[f32], added: &[f32], output: &mut [f32]) {
        let (means, scales) = (panels(&affine.means), panels(&affine.scales));
        let shifts = panels(&affine.shifts);
        let n_panels = means.len();
        for panel in 0..n_panels {
            let (mean, scale, shift) = (means[panel], scales[panel], shifts[panel]);
            let x = panels(x).iter().skip(panel).step_by(n_panels);
            let added = panels(added).iter().skip(panel).step_by(n_panels);
            let output = panels_mut(output).iter_mut().skip(panel).step_by(n_panels);
            for ((x, added), output) in x.zip(added).zip(output) {
                for lane in 0..PANEL {
                    let y = (x[lane] - mean[lane]) * scale[lane] + shift[lane];
                    output[lane] = (y + added[lane]).max(0.0);
                }
            }
        }
    }
}

vectorized! {
    fn mask(
        x: &[f32],
        means: &[f32],
        output: &[f32],
        gradient: &mut [f32],
        plain: &mut [f32],
        by_deviation: &mut [f32],
    ) {
        let (plain, by_deviation) = (panels_mut(plain), panels_mut(by_deviation));
        let n_panels = plain.len();
        for panel in 0..n_panels {
            let mean = panels(means)[panel];
            let (mut sum, mut sum_by_deviation) = (plain[panel], by_deviation[panel]);
            let x = panels(x).iter().skip(panel).step_by(n_panels);
            let output = panels(output).iter().skip(panel).step_by(n_panels);
            let gradient = panels_mut(gradient).iter_mut().skip(panel).step_by(n_panels);
            for ((x, output), gradient) in x.zip(output).zip(gradient) {
                for lane in 0..PANEL {
                    let kept = if output[lane] > 0.0 { gradient[lane] } else { 0.0 };
                    gradient[lane] = kept;
                    sum[lane] += kept;
                    sum_by_deviation[lane] += kept * (x[lane] - mean[lane]);
                }
            }
            plain[panel] = sum;
            by_deviation[panel] = sum_by_deviation;
        }
    }
}

vectorized! {
    fn back(
        affine: &Affine,
        x: &[f32],
        gradient: &[f32],
        mean_gradients: &[f32],
        slopes: &[f32],
        result: &mut [f32],
    ) {
        let (means, scales) = (panels(&affine.means), panels(&affine.scales));
        let n_panels = means.len();
        for panel in 0..n_panels {
            let (mean, scale) = (means[panel], scales[panel]);
            let mean_gradient = panels(mean_gradients)[panel];
            let slope = panels(slopes)[panel];
            let x = panels(x).iter().skip(panel).step_by(n_panels);
            let gradient = panels(gradient).iter().skip(panel).step_by(n_panels);
            let result = panels_mut(result).iter_mut().skip(panel).step_by(n_panels);
            for ((x, gradient), result) in x.zip(gradient).zip(result) {
                for lane in 0..PANEL {
                    let centred = gradient[lane] - mean_gradient[lane];
                    let deviation = x[lane] - mean[lane];
                    result[lane] = (centred - deviation * slope[lane]) * scale[lane];
                }
            }
        }
    }
}

/// Sums over cells, for each channel: of the outputs' gradients, and of their products with the
/// deviations of the results from the mean.
#[derive(Debug)]
pub(super) struct GradientSums {
    plain: Vec<f64>,
    by_deviation: Vec<f64>,
    part_plain: Vec<f32>,
    part_by_deviation: Vec<f32>,
}

impl GradientSums {
    /// Those of no cells.
    pub fn new(channels: usize) -> GradientSums {
        GradientSums {
            plain: vec![0.0; channels],
            by_deviation: vec![0.0; channels],
            part_plain: vec![0.0; channels],
            part_by_deviation: vec![0.0; channels],
        }
    }

    /// Adds what was summed since the last call, in double precision.
    pub fn end_part(&mut self) {
        for (sums, parts) in [
            (&mut self.plain, &mut self.part_plain),
            (&mut self.by_deviation, &mut self.part_by_deviation),
        ] {
            for (sum, part) in sums.iter_mut().zip(parts) {
                *sum += f64::from(std::mem::take(part));
            }
        }
    }

    /// The gradient of each channel's shift.
    pub fn shifts(&self) -> Vec<f32> {
        self.plain.iter().map(|&sum| sum as f32).collect()
    }

    /// The gradient of each channel's gamma, with the inverses of the deviations.
    pub fn gammas(&self, inverse_deviations: &[f64]) -> Vec<f32> {
        let sums = self.by_deviation.iter().zip(inverse_deviations);
        sums.map(|(sum, inverse)| (sum * inverse) as f32).collect()
    }

    /// The mean gradient of each channel over so many cells.
    pub fn mean_gradients(&self, n_cells: usize) -> Vec<f32> {
        let means = self.plain.iter().map(|sum| sum / n_cells as f64);
        means.map(|mean| mean as f32).collect()
    }

    /// How much of a deviation from the mean goes back, for each channel.
    pub fn slopes(&self, n_cells: usize, inverse_deviations: &[f64]) -> Vec<f32> {
        let sums = self.by_deviation.iter().zip(inverse_deviations);
        sums.map(|(sum, inverse)| (sum * inverse * inverse / n_cells as f64) as f32)
            .collect()
    }
}
