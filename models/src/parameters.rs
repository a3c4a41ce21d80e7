//! The tensors of a network, by name: the one list that initialisation, loading, the optimizer
//! and leaf evaluation agree on.

use crate::config::{MAX_TABLE, within};
use crate::{ConfigError, NetworkConfig, NetworkShape};

/// Channels of the policy head's hidden 1x1 convolution.
pub(crate) const POLICY_CHANNELS: usize = 32;
/// Channels of the value head's 1x1 convolution.
pub(crate) const VALUE_CHANNELS: usize = 16;
/// Width of the value head's hidden dense layer.
const VALUE_HIDDEN: usize = 64;
/// What batch norm adds to a variance before its square root (Ioffe and Szegedy, 2015).
pub(crate) const NORM_EPSILON: f64 = 1e-5;

/// The middle of the range in which the activation of a sparse network has a slope.
const MIDDLE: Initial = Initial::Constant(0.5);

/// The tensor's values in a new network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Initial {
    /// Normal with mean 0 and variance 2 / fan-in (He et al., 2015).
    He { fan_in: usize },
    /// Normal with mean 0.
    Normal { deviation: f32 },
    /// All the same.
    Constant(f32),
}

impl Initial {
    const ZEROS: Initial = Initial::Constant(0.0);
    const ONES: Initial = Initial::Constant(1.0);
}

/// Who changes the tensor in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Updated {
    /// By its gradient.
    WithGradient,
    /// By the gradients of those rows that a batch has seen.
    RowByRow,
    /// By the forward pass: the running statistics of batch norm.
    Forward,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: String,
    pub shape: Vec<usize>,
    pub initial: Initial,
    pub updated: Updated,
}

impl Parameter {
    /// Whether it is a running variance of batch norm.
    pub fn is_variance(&self) -> bool {
        self.updated == Updated::Forward && self.initial == Initial::ONES
    }
}

/// Every tensor of the network. Dense weights are `[in, out]`, convolutions `[out, in, 3, 3]` or
/// `[out, in, 1, 1]`.
pub(crate) fn parameters(
    config: &NetworkConfig,
    shape: &NetworkShape,
) -> Result<Vec<Parameter>, ConfigError> {
    config.validate()?;
    shape.validate()?;
    let mut list = List::default();
    match config {
        NetworkConfig::Sparse { width, hidden } => list.sparse(*width, hidden, shape)?,
        NetworkConfig::Mlp { hidden } => {
            let mut n_inputs = shape.n_inputs();
            for (index, &width) in hidden.iter().enumerate() {
                list.dense(&format!("hidden.{index}"), n_inputs, width, false);
                n_inputs = width;
            }
            list.dense("policy", n_inputs, shape.n_slots(), true);
            list.value(n_inputs, shape);
        }
        &NetworkConfig::Residual { blocks, channels } => {
            list.convolution("stem", [shape.observation[0], channels], 3, Initial::ONES);
            for block in 0..blocks {
                list.block(block, channels);
            }
            list.heads(channels, shape);
        }
    }
    Ok(list.0)
}

#[derive(Default)]
struct List(Vec<Parameter>);

impl List {
    fn push(&mut self, name: &str, shape: Vec<usize>, initial: Initial) {
        self.0.push(Parameter {
            name: name.to_owned(),
            shape,
            initial,
            updated: Updated::WithGradient,
        });
    }

    /// A sum of embeddings and the layers over it.
    fn sparse(
        &mut self,
        width: usize,
        hidden: &[usize],
        shape: &NetworkShape,
    ) -> Result<(), ConfigError> {
        let sizes = shape.feature_sizes()?;
        let n_weights = sizes.features.saturating_mul(width);
        within("weights of embeddings", 1, MAX_TABLE, n_weights)?;
        self.table("features", sizes.features, width, {
            // Sums that mostly lie where the activation has a slope, in 0..1 about the bias.
            let deviation = 0.5 / (sizes.most_active as f32).sqrt();
            Initial::Normal { deviation }
        });
        self.push("features.bias", vec![width], MIDDLE);
        let mut n_inputs = width;
        for (index, &n_outputs) in hidden.iter().enumerate() {
            // Of x in 0..=1 the square is 1/5 in the mean square.
            let deviation = (1.0 / n_inputs as f32).sqrt();
            let weight = Initial::Normal { deviation };
            let name = format!("hidden.{index}.weight");
            self.push(&name, vec![n_inputs, n_outputs], weight);
            self.push(&format!("hidden.{index}.bias"), vec![n_outputs], MIDDLE);
            n_inputs = n_outputs;
        }
        self.table("actions", sizes.action_features, n_inputs, Initial::ZEROS);
        self.value(n_inputs, shape);
        Ok(())
    }

    /// A row for each feature.
    fn table(&mut self, name: &str, n_rows: usize, width: usize, initial: Initial) {
        self.0.push(Parameter {
            name: format!("{name}.weight"),
            shape: vec![n_rows, width],
            initial,
            updated: Updated::RowByRow,
        });
    }

    fn block(&mut self, block: usize, channels: usize) {
        let first = format!("blocks.{block}.first");
        self.convolution(&first, [channels; 2], 3, Initial::ONES);
        // A last scale of 0 makes each new block the identity (Goyal et al., 2017).
        let second = format!("blocks.{block}.second");
        self.convolution(&second, [channels; 2], 3, Initial::ZEROS);
    }

    /// The heads of a residual network.
    fn heads(&mut self, channels: usize, shape: &NetworkShape) {
        let sizes = [channels, POLICY_CHANNELS];
        self.convolution("policy_hidden", sizes, 1, Initial::ONES);
        let n_planes = shape.policy_planes;
        let sizes = vec![n_planes, POLICY_CHANNELS, 1, 1];
        self.push("policy.weight", sizes, Initial::ZEROS);
        self.push("policy.bias", vec![n_planes], Initial::ZEROS);
        self.convolution("value_cells", [channels, VALUE_CHANNELS], 1, Initial::ONES);
        let n_flat = VALUE_CHANNELS * shape.n_cells();
        self.dense("value_hidden", n_flat, VALUE_HIDDEN, false);
        self.value(VALUE_HIDDEN, shape);
    }

    /// A dense layer. The heads' last layers start at 0, so that a new network says nothing:
    /// uniform priors, equal chances.
    fn dense(&mut self, name: &str, n_inputs: usize, n_outputs: usize, last: bool) {
        let initial = if last {
            Initial::ZEROS
        } else {
            Initial::He { fan_in: n_inputs }
        };
        self.push(
            &format!("{name}.weight"),
            vec![n_inputs, n_outputs],
            initial,
        );
        self.push(&format!("{name}.bias"), vec![n_outputs], Initial::ZEROS);
    }

    fn value(&mut self, n_inputs: usize, shape: &NetworkShape) {
        self.dense("wdl", n_inputs, 3, true);
        if shape.points {
            self.dense("points", n_inputs, 1, true);
        }
    }

    /// A square convolution without bias, from inputs to outputs, and its batch norm.
    fn convolution(
        &mut self,
        name: &str,
        [n_inputs, n_outputs]: [usize; 2],
        side: usize,
        scale: Initial,
    ) {
        let fan_in = n_inputs * side * side;
        self.0.push(Parameter {
            name: format!("{name}.convolution.weight"),
            shape: vec![n_outputs, n_inputs, side, side],
            initial: Initial::He { fan_in },
            updated: Updated::WithGradient,
        });
        self.push(&format!("{name}.norm.gamma"), vec![n_outputs], scale);
        self.push(
            &format!("{name}.norm.beta"),
            vec![n_outputs],
            Initial::ZEROS,
        );
        for (statistic, initial) in [
            ("running_mean", Initial::ZEROS),
            ("running_var", Initial::ONES),
        ] {
            self.0.push(Parameter {
                name: format!("{name}.norm.{statistic}"),
                shape: vec![n_outputs],
                initial,
                updated: Updated::Forward,
            });
        }
    }
}
