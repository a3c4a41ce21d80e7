//! The tensors of a network, by name: the one list that initialisation, loading, the optimizer
//! and leaf evaluation agree on.

use crate::{ConfigError, NetworkConfig, NetworkShape};

/// Channels of the policy head's hidden 1x1 convolution.
pub(crate) const POLICY_CHANNELS: usize = 32;
/// Channels of the value head's 1x1 convolution.
pub(crate) const VALUE_CHANNELS: usize = 16;
/// What batch norm adds to a variance before its square root (Ioffe and Szegedy, 2015).
pub(crate) const NORM_EPSILON: f64 = 1e-5;

/// The tensor's values in a new network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Initial {
    /// Normal with mean 0 and variance 2 / fan-in (He et al., 2015).
    He {
        fan_in: usize,
    },
    Zeros,
    Ones,
}

/// Who changes the tensor in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Updated {
    ByGradient,
    /// The running statistics of batch norm, moved by the forward pass.
    ByForward,
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
        self.updated == Updated::ByForward && self.initial == Initial::Ones
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
        NetworkConfig::Mlp { hidden } => {
            let mut n_inputs = shape.n_inputs();
            for (index, &width) in hidden.iter().enumerate() {
                list.dense(&format!("hidden.{index}"), n_inputs, width, false);
                n_inputs = width;
            }
            list.dense("policy", n_inputs, shape.n_slots(), true);
            list.value(n_inputs, shape);
        }
        &NetworkConfig::Residual {
            blocks,
            channels,
            value_hidden,
        } => {
            list.convolution("stem", shape.observation[0], channels, 3, Initial::Ones);
            for block in 0..blocks {
                let first = format!("blocks.{block}.first");
                list.convolution(&first, channels, channels, 3, Initial::Ones);
                // A last scale of 0 makes each new block the identity (Goyal et al., 2017).
                let second = format!("blocks.{block}.second");
                list.convolution(&second, channels, channels, 3, Initial::Zeros);
            }
            list.convolution("policy_hidden", channels, POLICY_CHANNELS, 1, Initial::Ones);
            let policy = vec![shape.policy_planes, POLICY_CHANNELS, 1, 1];
            list.push("policy.weight", policy, Initial::Zeros);
            list.push("policy.bias", vec![shape.policy_planes], Initial::Zeros);
            list.convolution("value_cells", channels, VALUE_CHANNELS, 1, Initial::Ones);
            let n_flat = VALUE_CHANNELS * shape.n_cells();
            list.dense("value_hidden", n_flat, value_hidden, false);
            list.value(value_hidden, shape);
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
            updated: Updated::ByGradient,
        });
    }

    /// A dense layer. The heads' last layers start at 0, so that a new network says nothing:
    /// uniform priors, equal chances.
    fn dense(&mut self, name: &str, n_inputs: usize, n_outputs: usize, last: bool) {
        let initial = if last {
            Initial::Zeros
        } else {
            Initial::He { fan_in: n_inputs }
        };
        self.push(
            &format!("{name}.weight"),
            vec![n_inputs, n_outputs],
            initial,
        );
        self.push(&format!("{name}.bias"), vec![n_outputs], Initial::Zeros);
    }

    fn value(&mut self, n_inputs: usize, shape: &NetworkShape) {
        self.dense("wdl", n_inputs, 3, true);
        if shape.points {
            self.dense("points", n_inputs, 1, true);
        }
    }

    /// A square convolution without bias and its batch norm.
    fn convolution(
        &mut self,
        name: &str,
        n_inputs: usize,
        n_outputs: usize,
        side: usize,
        scale: Initial,
    ) {
        let fan_in = n_inputs * side * side;
        self.push(
            &format!("{name}.convolution.weight"),
            vec![n_outputs, n_inputs, side, side],
            Initial::He { fan_in },
        );
        self.push(&format!("{name}.norm.gamma"), vec![n_outputs], scale);
        self.push(
            &format!("{name}.norm.beta"),
            vec![n_outputs],
            Initial::Zeros,
        );
        for (statistic, initial) in [
            ("running_mean", Initial::Zeros),
            ("running_var", Initial::Ones),
        ] {
            self.0.push(Parameter {
                name: format!("{name}.norm.{statistic}"),
                shape: vec![n_outputs],
                initial,
                updated: Updated::ByForward,
            });
        }
    }
}
