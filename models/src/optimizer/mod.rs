//! Adam with decoupled weight decay, on plain numbers.
//!
//! Written here rather than taken from burn for three reasons: its state is keyed by the names of
//! the weights, so that it can be saved, checked and loaded into a new process; clipping is by
//! the norm of all gradients together; and a step that would not be finite is refused before
//! anything changes. A step costs little beside the backward pass that comes before it: of the
//! tables of a sparse network it touches only the rows that the batch has seen.

mod average;
mod update;

use crate::parameters::Parameter;
use crate::sparse_ops::RowGradients;
use crate::{Network, WeightTensor, Weights, WeightsError};
use average::Average;
use burn::tensor::Gradients;
use serde::{Deserialize, Serialize};
use update::Update;

const FIRST: &str = "first/";
const SECOND: &str = "second/";
const STEPS: &str = "steps";

/// The settings of [`Optimizer`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OptimizerConfig {
    /// Decay of the mean of gradients, 0..1. Default 0.9.
    pub beta_1: f64,
    /// Decay of the mean of squared gradients, 0..1. Default 0.999.
    pub beta_2: f64,
    /// Added to the root of the mean square, above 0. Default 1e-8.
    pub epsilon: f64,
    /// Each step shrinks a weight by this share of the learning rate; matrices and convolutions
    /// only, not biases and norms. Default 1e-4.
    pub weight_decay: f64,
    /// Gradients whose norm, over all weights together, is larger are scaled down to it, above
    /// 0 (Pascanu et al., 2013). Default 1.
    pub max_gradient_norm: f64,
    /// Decay a step of the moving average of the weights, 0..1 (Polyak and Juditsky, 1992). Default
    /// 0.99.
    pub average_decay: f64,
}

impl Default for OptimizerConfig {
    fn default() -> Self {
        OptimizerConfig {
            beta_1: 0.9,
            beta_2: 0.999,
            epsilon: 1e-8,
            weight_decay: 1e-4,
            max_gradient_norm: 1.0,
            average_decay: 0.99,
        }
    }
}

impl OptimizerConfig {
    /// Checks every number against its bounds.
    ///
    /// # Errors
    /// The first number that is out of its bounds or not finite.
    pub fn validate(&self) -> Result<(), OptimizerError> {
        let decay = |x: f64| (0.0..1.0).contains(&x);
        let above_0 = |x: f64| x > 0.0 && x.is_finite();
        for (what, got, fits, expected) in [
            (
                "beta_1",
                self.beta_1,
                decay(self.beta_1),
                "at least 0 and below 1",
            ),
            (
                "beta_2",
                self.beta_2,
                decay(self.beta_2),
                "at least 0 and below 1",
            ),
            ("epsilon", self.epsilon, above_0(self.epsilon), "above 0"),
            (
                "weight_decay",
                self.weight_decay,
                self.weight_decay >= 0.0 && self.weight_decay.is_finite(),
                "at least 0",
            ),
            (
                "max_gradient_norm",
                self.max_gradient_norm,
                above_0(self.max_gradient_norm),
                "above 0",
            ),
            (
                "average_decay",
                self.average_decay,
                decay(self.average_decay),
                "at least 0 and below 1",
            ),
        ] {
            if !fits {
                return Err(OptimizerError::Config {
                    what,
                    expected,
                    got,
                });
            }
        }
        Ok(())
    }
}

/// A step that cannot be made, or a state that cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum OptimizerError {
    /// A setting is out of its bounds.
    #[error("optimizer: {what} must be {expected}, got {got}")]
    Config {
        /// Which setting.
        what: &'static str,
        /// Its bounds.
        expected: &'static str,
        /// The number given.
        got: f64,
    },
    /// The gradients of a step are infinite or not numbers: training has diverged.
    #[error("step {step}: the norm of the gradients is {norm}: training has diverged")]
    Diverged {
        /// The number of the step, from 1.
        step: u64,
        /// The norm of all gradients.
        norm: f64,
    },
    /// The step would lead to weights that are not finite.
    #[error("step {step}: {source}")]
    NotFinite {
        /// The number of the step, from 1.
        step: u64,
        /// The weight.
        source: WeightsError,
    },
    /// The network is not the one that the optimizer was made for.
    #[error(
        "the optimizer belongs to another network: weight {name} has {got} values, expected {expected}"
    )]
    Foreign {
        /// The weight.
        name: String,
        /// How many values the optimizer knows; 0 if it does not know the weight.
        expected: usize,
        /// How many values the network has.
        got: usize,
    },
    /// The saved state is damaged or of another network.
    #[error("optimizer state: {0}")]
    State(#[from] WeightsError),
    /// The saved state does not say how many steps it has made.
    #[error("optimizer state: expected the number of steps, got {got:?}")]
    Steps {
        /// The text in its place.
        got: Option<String>,
    },
}

/// Adam (Kingma and Ba, 2015) with decoupled weight decay (Loshchilov and Hutter, 2019), clipping
/// by global norm, and a moving average of the weights.
///
/// A row of a table changes, moments and decay included, in those steps whose batch has seen it.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimizer {
    config: OptimizerConfig,
    n_steps: u64,
    /// The running mean of each weight's gradient.
    first: Weights,
    /// The running mean of its square.
    second: Weights,
    average: Average,
}

impl Optimizer {
    /// An optimizer that has made no step.
    ///
    /// # Errors
    /// A setting that is out of its bounds.
    pub fn new(config: OptimizerConfig, network: &Network) -> Result<Self, OptimizerError> {
        config.validate()?;
        let mut zeros = Weights::default();
        for parameter in network.trained_parameters() {
            let n_values = parameter.shape.iter().product();
            let tensor = WeightTensor {
                shape: parameter.shape,
                values: vec![0.0; n_values],
            };
            zeros.insert(parameter.name, tensor);
        }
        Ok(Optimizer {
            config,
            n_steps: 0,
            first: zeros.clone(),
            second: zeros,
            average: Average::new(config.average_decay as f32, network.to_weights()),
        })
    }

    /// The number of steps made.
    #[must_use]
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Moves the weights of `network` against the gradients of its loss, and returns the norm of
    /// the gradients before clipping. Weights without a gradient stay as they are.
    ///
    /// # Errors
    /// If the learning rate is not a finite number of at least 0, if the gradients are not
    /// finite, or if the network is not the one that this optimizer was made for: network and
    /// optimizer are then unchanged. If the new weights are not finite: the network is then
    /// unchanged, but the optimizer is of no more use.
    pub fn step(
        &mut self,
        network: &mut Network,
        gradients: Gradients,
        learning_rate: f64,
    ) -> Result<f64, OptimizerError> {
        if !(learning_rate >= 0.0 && learning_rate.is_finite()) {
            return Err(OptimizerError::Config {
                what: "learning rate",
                expected: "at least 0",
                got: learning_rate,
            });
        }
        let gradients = network.gradients(gradients);
        let tables = network.tables().into_iter();
        let rows: Vec<RowGradients> = tables.map(|(_, table)| table.take_gradients()).collect();
        let step = self.n_steps + 1;
        let norm = global_norm(&gradients, &rows);
        if !norm.is_finite() {
            return Err(OptimizerError::Diverged { step, norm });
        }
        self.check_names(&gradients)?;
        let update = Update::new(&self.config, step, norm, learning_rate);
        let mut weights = network.dense_weights();
        for (name, gradient) in gradients.iter() {
            let known = "gradient, weight and moments have the same names";
            let first = self.first.get_mut(name).expect(known);
            let second = self.second.get_mut(name).expect(known);
            let weight = weights.get_mut(name).expect(known);
            update.apply(gradient, first, second, weight);
        }
        self.n_steps = step;
        network
            .load_dense_weights(&weights)
            .map_err(|source| OptimizerError::NotFinite { step, source })?;
        self.average.follow(&weights);
        self.step_rows(&update, network, &rows);
        Ok(norm)
    }

    /// Changes the rows that the batch has seen, and their averages.
    fn step_rows(&mut self, update: &Update, network: &mut Network, gradients: &[RowGradients]) {
        for ((name, table), gradients) in network.tables_mut().into_iter().zip(gradients) {
            let [_, width] = table.dims();
            let known = "tables and moments have the same names";
            let first = self.first.get_mut(name).expect(known);
            let second = self.second.get_mut(name).expect(known);
            let mut average = self.average.table(name, self.n_steps);
            let of_rows = gradients.values.chunks_exact(width);
            for (&row, gradient) in gradients.rows.iter().zip(of_rows) {
                let start = row as usize * width;
                let values = &mut table.values_mut()[start..][..width];
                average.catch_up(row as usize, values);
                let moments = (
                    &mut first.values[start..][..width],
                    &mut second.values[start..][..width],
                );
                update.apply_to_row(gradient, [moments.0, moments.1, values]);
                average.follow(row as usize, values);
            }
        }
    }

    /// The moving average of the weights, from those before the first step or since
    /// [`set_average`](Optimizer::set_average). `network` is the one that it moves.
    #[must_use]
    pub fn average(&mut self, network: &Network) -> Weights {
        self.average.of(network, self.n_steps)
    }

    /// Lets the average start from these weights.
    ///
    /// # Errors
    /// If they are not those of the network.
    pub fn set_average(&mut self, network: &Network, weights: Weights) -> Result<(), WeightsError> {
        weights.check_network(network.config(), network.shape())?;
        self.average = Average::new(self.config.average_decay as f32, weights);
        self.average.start_at(self.n_steps);
        Ok(())
    }

    fn check_names(&self, gradients: &Weights) -> Result<(), OptimizerError> {
        for (name, gradient) in gradients.iter() {
            let expected = self.first.get(name).map_or(0, |tensor| tensor.values.len());
            let got = gradient.values.len();
            if expected != got {
                return Err(OptimizerError::Foreign {
                    name: name.to_owned(),
                    expected,
                    got,
                });
            }
        }
        Ok(())
    }

    /// The state as the bytes of a `.safetensors` file: `first/NAME` and `second/NAME` for each
    /// trained weight, and the number of steps as metadata. Equal states give equal bytes. The
    /// average is not among them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut both = Weights::default();
        for (prefix, moments) in [(FIRST, &self.first), (SECOND, &self.second)] {
            for (name, tensor) in moments.iter() {
                both.insert(format!("{prefix}{name}"), tensor.clone());
            }
        }
        both.serialize(Some((STEPS, self.n_steps.to_string())))
    }

    /// Reads [`to_bytes`](Optimizer::to_bytes) back, for the same network, with the
    /// [average](Optimizer::average) of that moment.
    ///
    /// # Errors
    /// If the bytes are damaged or belong to another network, or a setting is out of its bounds.
    pub fn from_bytes(
        config: OptimizerConfig,
        network: &Network,
        bytes: &[u8],
        average: Weights,
    ) -> Result<Self, OptimizerError> {
        let mut optimizer = Optimizer::new(config, network)?;
        let both = Weights::from_safetensors(bytes)?;
        let steps = Weights::metadata(bytes, STEPS)?;
        optimizer.n_steps = steps
            .as_deref()
            .and_then(|steps| steps.parse().ok())
            .ok_or(OptimizerError::Steps { got: steps })?;
        let parameters = network.trained_parameters();
        let expected = [FIRST, SECOND].iter().flat_map(|prefix| {
            parameters.iter().map(move |parameter| Parameter {
                name: format!("{prefix}{}", parameter.name),
                ..parameter.clone()
            })
        });
        both.check_parameters(&expected.collect::<Vec<_>>())?;
        for (name, tensor) in both.iter() {
            let (moments, name) = match name.strip_prefix(FIRST) {
                Some(name) => (&mut optimizer.first, name),
                None => (&mut optimizer.second, name.trim_start_matches(SECOND)),
            };
            moments.insert(name.to_owned(), tensor.clone());
        }
        optimizer.set_average(network, average)?;
        Ok(optimizer)
    }
}

/// The norm of all values together.
fn global_norm(gradients: &Weights, rows: &[RowGradients]) -> f64 {
    let dense = gradients.iter().map(|(_, tensor)| &tensor.values);
    let rows = rows.iter().map(|rows| &rows.values);
    let squares = dense.chain(rows).map(|values| sum_of_squares(values));
    squares.sum::<f64>().sqrt()
}

/// In lanes, which a processor sums at once.
fn sum_of_squares(values: &[f32]) -> f64 {
    let (lanes, rest) = values.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for values in lanes {
        for (sum, &value) in sums.iter_mut().zip(values) {
            *sum += f64::from(value).powi(2);
        }
    }
    let rest = rest.iter().map(|&value| f64::from(value).powi(2));
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}
