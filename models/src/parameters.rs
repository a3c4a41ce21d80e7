//! The tensors of a network, by name: the one list that initialisation, loading, the optimizer
//! and leaf evaluation agree on.

use crate::config::{MAX_TABLE, block_pools, within};
use crate::{ConfigError, NetworkConfig, NetworkShape};
use tablero_env::PolicyForm;

/// Channels of the policy head's hidden 1x1 convolution.
pub(crate) const POLICY_CHANNELS: usize = 32;
/// Features of a place that a move comes from, and of one that it goes to.
pub(crate) const MOVE_FEATURES: usize = 32;
/// Channels of the value head's 1x1 convolution.
pub(crate) const VALUE_CHANNELS: usize = 16;
/// What batch norm adds to a variance before its square root (Ioffe and Szegedy, 2015).
pub(crate) const NORM_EPSILON: f64 = 1e-5;

/// The middle of the range in which the activation of a sparse network has a slope.
const MIDDLE: Initial = Initial::Constant(0.5);

/// The tensor's values in a new network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Initial {
    /// Normal with mean 0 and variance 2 / fan-in (He et al., 2015).
    He { fan_in: usize },
    /// The first half of the values as `He`, the second 0.
    HeThenZeros { fan_in: usize },
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
    /// Whether the first and the last place of each 3x3 convolution have weight 0.
    pub hexagonal: bool,
}

/// The cells that a convolution sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Window {
    Cell,
    Square,
    Hexagon,
}

impl Window {
    fn of_network(hexagonal: bool) -> Window {
        if hexagonal {
            Window::Hexagon
        } else {
            Window::Square
        }
    }

    fn side(self) -> usize {
        match self {
            Window::Cell => 1,
            Window::Square | Window::Hexagon => 3,
        }
    }

    fn n_cells(self) -> usize {
        match self {
            Window::Cell => 1,
            Window::Square => 9,
            Window::Hexagon => 7,
        }
    }
}

impl Parameter {
    /// The values that have to be 0, by number.
    pub fn zeros(&self) -> impl Iterator<Item = usize> {
        let n_windows = if self.hexagonal {
            self.shape[0] * self.shape[1]
        } else {
            0
        };
        (0..n_windows).flat_map(|window| [9 * window, 9 * window + 8])
    }

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
        &NetworkConfig::Residual {
            blocks,
            channels,
            value_hidden,
            hexagonal,
            global_pooling,
        } => {
            let window = Window::of_network(hexagonal);
            list.convolution(
                "stem",
                shape.observation[0],
                channels,
                window,
                Initial::ONES,
            );
            for block in 0..blocks {
                let pools = global_pooling && block_pools(block);
                list.block(block, channels, window, pools);
            }
            list.heads(channels, value_hidden, shape);
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
            hexagonal: false,
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
            hexagonal: false,
        });
    }

    fn block(&mut self, block: usize, channels: usize, window: Window, pools: bool) {
        let first = format!("blocks.{block}.first");
        self.convolution(&first, channels, channels, window, Initial::ONES);
        // A last scale of 0 makes each new block the identity (Goyal et al., 2017).
        let second = format!("blocks.{block}.second");
        self.convolution(&second, channels, channels, window, Initial::ZEROS);
        if pools {
            let name = format!("blocks.{block}.pooled");
            self.dense(&name, 2 * channels, channels, true);
        }
    }

    /// The heads of a residual network.
    fn heads(&mut self, channels: usize, value_hidden: usize, shape: &NetworkShape) {
        let (cell, ones) = (Window::Cell, Initial::ONES);
        self.convolution("policy_hidden", channels, POLICY_CHANNELS, cell, ones);
        self.policy(shape);
        self.convolution("value_cells", channels, VALUE_CHANNELS, cell, ones);
        let n_flat = VALUE_CHANNELS * shape.n_cells();
        self.dense("value_hidden", n_flat, value_hidden, false);
        self.value(value_hidden, shape);
    }

    /// A dense layer. The heads' last layers start at 0, so that a new network says nothing:
    /// uniform priors, equal chances; and so do those of global pooling.
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

    /// The last convolution of the policy head, and the features of sources off the board.
    fn policy(&mut self, shape: &NetworkShape) {
        let fan_in = POLICY_CHANNELS;
        let (n_outputs, initial) = match shape.policy_form {
            PolicyForm::Ways => (shape.policy_planes, Initial::ZEROS),
            // Sources, then destinations. The destinations start at 0, so that all logits do, and
            // learn from the sources, which do not.
            PolicyForm::Moves { .. } => (2 * MOVE_FEATURES, Initial::HeThenZeros { fan_in }),
        };
        self.push("policy.weight", vec![n_outputs, fan_in, 1, 1], initial);
        self.push("policy.bias", vec![n_outputs], Initial::ZEROS);
        if let PolicyForm::Moves { off_board } = shape.policy_form {
            // As large as the features of cells: variance 1.
            let initial = Initial::He { fan_in: 2 };
            let sizes = vec![off_board, MOVE_FEATURES];
            self.push("policy_off_board", sizes, initial);
        }
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
        window: Window,
        scale: Initial,
    ) {
        let (side, fan_in) = (window.side(), n_inputs * window.n_cells());
        self.0.push(Parameter {
            name: format!("{name}.convolution.weight"),
            shape: vec![n_outputs, n_inputs, side, side],
            initial: Initial::He { fan_in },
            updated: Updated::WithGradient,
            hexagonal: window == Window::Hexagon,
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
                hexagonal: false,
            });
        }
    }
}
