//! The networks as burn modules, for training.

mod build;
mod collect;
mod policy;
mod sparse;

use crate::board_ops::{self, NormedConvolutionOutput, Pool, normed_convolution};
use crate::dense::{dense, with_bias};
use crate::flex::has_gradients;
use crate::parameters::{Parameter, Updated, parameters};
use crate::relu::relu;
use crate::sparse_ops::Table;
use crate::{
    ConfigError, NetworkConfig, NetworkShape, SparseBatch, WeightTensor, Weights, WeightsError,
};
use build::{build, rebuild};
use burn::module::Module;
use burn::nn::conv::Conv2d;
use burn::nn::{BatchNorm, Linear};
use burn::tensor::activation;
use burn::tensor::module::conv2d;
use burn::tensor::ops::{ConvOptions, PadMode};
use burn::tensor::{Device, Gradients, Tensor};
use collect::{GradientsCollector, WeightsCollector};
pub use policy::PolicyLogits;
use sparse::Sparse;
use std::sync::Arc;

/// What a network says about a batch of B positions, each for its player to move.
#[derive(Clone, Debug)]
pub struct NetworkOutput {
    /// The logits of actions. Only those of legal ones have a meaning.
    pub policy: PolicyLogits,
    /// `[B, 3]`: logits of a win, a draw and a loss.
    pub wdl_logits: Tensor<2>,
    /// `[B]`: the expected final lead in points, divided by
    /// [`NetworkShape::points_scale`]; `None` where the game has no points.
    pub points_lead: Option<Tensor<1>>,
}

/// A trainable network.
///
/// On an autodiff device it trains: each [`forward`](Network::forward) is for one `backward`,
/// without which its graph stays in memory. To evaluate use [`valid`](Module::valid), a copy on
/// the plain device, or better the exact and faster [`LeafNetwork`](crate::LeafNetwork).
#[derive(Module, Debug)]
pub struct Network {
    body: Body,
    #[module(skip)]
    config: NetworkConfig,
    #[module(skip)]
    shape: NetworkShape,
    #[module(skip)]
    n_threads: usize,
    #[module(skip)]
    return_slope: f32,
}

// A module cannot be boxed, and there is one `Body` a network.
#[allow(clippy::large_enum_variant)]
#[derive(Module, Debug)]
enum Body {
    Sparse(Sparse),
    Mlp(Mlp),
    Residual(Residual),
}

#[derive(Module, Debug)]
struct Mlp {
    hidden: Vec<Linear>,
    policy: Linear,
    wdl: Linear,
    points: Option<Linear>,
}

#[derive(Module, Debug)]
struct Residual {
    stem: NormedConvolution,
    blocks: Vec<Block>,
    policy_hidden: NormedConvolution,
    policy: Conv2d,
    value_cells: NormedConvolution,
    value_hidden: Linear,
    wdl: Linear,
    points: Option<Linear>,
    #[module(skip)]
    pool: Pool,
}

#[derive(Module, Debug)]
struct NormedConvolution {
    convolution: Conv2d,
    norm: BatchNorm,
}

#[derive(Module, Debug)]
struct Block {
    first: NormedConvolution,
    second: NormedConvolution,
}

impl NetworkConfig {
    /// A new network on a device, with the weights of [`Weights::init`].
    ///
    /// # Errors
    /// A size that is out of bounds.
    pub fn init(
        &self,
        shape: &NetworkShape,
        seed: u64,
        device: &Device,
    ) -> Result<Network, ConfigError> {
        let weights = Weights::init(self, shape, seed)?;
        Ok(build(self, shape, &weights, device))
    }
}

impl Network {
    /// The network with these weights.
    ///
    /// # Errors
    /// If the weights are not those of such a network, or a size is out of bounds.
    pub fn from_weights(
        config: &NetworkConfig,
        shape: &NetworkShape,
        weights: &Weights,
        device: &Device,
    ) -> Result<Network, WeightsError> {
        weights.check_network(config, shape)?;
        Ok(build(config, shape, weights, device))
    }

    /// Replaces all weights.
    ///
    /// # Errors
    /// If the weights are not those of such a network; it is then unchanged.
    pub fn load_weights(&mut self, weights: &Weights) -> Result<(), WeightsError> {
        let device = self.device();
        // Built anew rather than mapped: batch norm's running statistics live behind a shared
        // pointer and may have a pending update that would overwrite the loaded values.
        let mut network = Network::from_weights(&self.config, &self.shape, weights, &device)?;
        if let (Body::Residual(new), Body::Residual(old)) = (&mut network.body, &self.body) {
            new.pool = old.pool.clone();
        }
        network.n_threads = self.n_threads;
        network.return_slope = self.return_slope;
        *self = network;
        Ok(())
    }

    /// A copy of all weights, those of the last forward pass's batch statistics included.
    #[must_use]
    pub fn to_weights(&self) -> Weights {
        let mut weights = self.dense_weights();
        for (name, table) in self.tables() {
            let tensor = WeightTensor {
                shape: table.dims().to_vec(),
                values: table.values().to_vec(),
            };
            weights.insert(name.to_owned(), tensor);
        }
        weights
    }

    /// All weights but those of tables.
    pub(crate) fn dense_weights(&self) -> Weights {
        let mut collector = WeightsCollector::default();
        // `valid` also applies the pending update of batch norm's running statistics.
        match self.body.valid() {
            Body::Sparse(body) => body.visit(&mut collector),
            Body::Mlp(body) => body.visit(&mut collector),
            Body::Residual(body) => body.visit(&mut collector),
        }
        collector.weights
    }

    /// Replaces all weights but those of tables.
    ///
    /// # Errors
    /// As [`load_weights`](Network::load_weights).
    pub(crate) fn load_dense_weights(&mut self, weights: &Weights) -> Result<(), WeightsError> {
        let device = self.device();
        match &mut self.body {
            Body::Sparse(body) => {
                let mut dense = parameters(&self.config, &self.shape)?;
                dense.retain(|parameter| parameter.updated != Updated::RowByRow);
                weights.check_parameters(&dense)?;
                rebuild(body, weights, &device);
                Ok(())
            }
            Body::Mlp(_) | Body::Residual(_) => self.load_weights(weights),
        }
    }

    /// The tables of a sparse network, with the names of their weights.
    pub(crate) fn tables(&self) -> Vec<(&'static str, &Table)> {
        match &self.body {
            Body::Sparse(body) => body.tables().into(),
            Body::Mlp(_) | Body::Residual(_) => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub(crate) fn tables_mut(&mut self) -> Vec<(&'static str, &mut Table)> {
        match &mut self.body {
            Body::Sparse(body) => body.tables_mut().into(),
            Body::Mlp(_) | Body::Residual(_) => Vec::new(),
        }
    }

    /// The gradient of every weight that took part in the loss, by name; those of a sparse network's
    /// tables are not among them, of which the optimizer sees only rows.
    #[must_use]
    pub fn gradients(&self, gradients: Gradients) -> Weights {
        let mut collector = GradientsCollector::new(gradients);
        match &self.body {
            Body::Sparse(body) => body.visit(&mut collector),
            Body::Mlp(body) => body.visit(&mut collector),
            Body::Residual(body) => body.visit(&mut collector),
        }
        collector.collected
    }

    /// Evaluates a batch of positions by their planes.
    ///
    /// # Shapes
    /// `observations` is `[B, C, H, W]` on the network's device.
    ///
    /// # Panics
    /// If the observations do not have the network's shape, or the network is a sparse one.
    #[must_use]
    pub fn forward(&self, observations: Tensor<4>) -> NetworkOutput {
        let [_, observation @ ..] = observations.dims();
        assert_eq!(
            observation, self.shape.observation,
            "observations [C, H, W]"
        );
        match &self.body {
            Body::Sparse(_) => panic!("a sparse network reads features, not planes"),
            Body::Mlp(body) => body.forward(observations),
            Body::Residual(body) => body.forward(observations),
        }
    }

    /// Evaluates a batch of positions by their features. The policy is
    /// [`Listed`](PolicyLogits::Listed).
    ///
    /// # Panics
    /// If the network is not a sparse one, or the batch has other features than its
    /// [shape](Network::shape).
    #[must_use]
    pub fn forward_sparse(&self, batch: SparseBatch) -> NetworkOutput {
        match &self.body {
            Body::Sparse(body) => body.forward(&Arc::new(batch), self.return_slope, self.n_threads),
            Body::Mlp(_) | Body::Residual(_) => panic!("the network reads planes, not features"),
        }
    }

    /// The same network, whose tables are read by `n_threads` threads, 1 at first; 0 counts as 1. The
    /// results are the same.
    #[must_use]
    pub fn with_threads(self, n_threads: usize) -> Network {
        let n_threads = n_threads.max(1);
        Network { n_threads, ..self }
    }

    /// Sets the slope of a sparse network's activation outside of 0..1 in training, for gradients that
    /// lead back inside; [`RETURN_SLOPE`](crate::RETURN_SLOPE) at first.
    pub fn set_return_slope(&mut self, slope: f32) {
        self.return_slope = slope;
    }

    /// The architecture.
    #[must_use]
    pub fn config(&self) -> &NetworkConfig {
        &self.config
    }

    /// The tensors that it reads and writes.
    #[must_use]
    pub fn shape(&self) -> &NetworkShape {
        &self.shape
    }

    /// Where the weights are; with autodiff for a network that trains.
    #[must_use]
    pub fn device(&self) -> Device {
        match &self.body {
            Body::Sparse(body) => body.wdl.weight.device(),
            Body::Mlp(body) => body.wdl.weight.device(),
            Body::Residual(body) => body.wdl.weight.device(),
        }
    }

    /// The weights that gradients change; batch norm's running statistics are not among them.
    pub(crate) fn trained_parameters(&self) -> Vec<Parameter> {
        let mut all = parameters(&self.config, &self.shape).expect("a network has valid sizes");
        all.retain(|parameter| parameter.updated != Updated::Forward);
        all
    }
}

impl Mlp {
    fn forward(&self, observations: Tensor<4>) -> NetworkOutput {
        let mut features: Tensor<2> = observations.flatten(1, 3);
        for layer in &self.hidden {
            features = relu(dense(layer, features));
        }
        NetworkOutput {
            policy: PolicyLogits::Slots(dense(&self.policy, features.clone())),
            wdl_logits: dense(&self.wdl, features.clone()),
            points_lead: single_output(self.points.as_ref(), &features),
        }
    }
}

impl Residual {
    fn forward(&self, observations: Tensor<4>) -> NetworkOutput {
        let (policy, value) = if has_gradients(&observations.device()) {
            self.cells_on_boards(observations)
        } else {
            self.cells_on_planes(observations)
        };
        let value = relu(dense(&self.value_hidden, value));
        NetworkOutput {
            policy: PolicyLogits::Slots(policy),
            wdl_logits: dense(&self.wdl, value.clone()),
            points_lead: single_output(self.points.as_ref(), &value),
        }
    }

    /// The logits of policy slots, `[B, P * H * W]`, and the value head's cells, channel by
    /// channel, with burn's own operations.
    fn cells_on_planes(&self, observations: Tensor<4>) -> (Tensor<2>, Tensor<2>) {
        let mut cells = activation::relu(self.stem.forward(observations));
        for block in &self.blocks {
            let change = activation::relu(block.first.forward(cells.clone()));
            cells = activation::relu(block.second.forward(change) + cells);
        }
        let policy = activation::relu(self.policy_hidden.forward(cells.clone()));
        let value = activation::relu(self.value_cells.forward(cells));
        (
            self.policy.forward(policy).flatten(1, 3),
            value.flatten(1, 3),
        )
    }

    /// The same with ours, for training.
    fn cells_on_boards(&self, observations: Tensor<4>) -> (Tensor<2>, Tensor<2>) {
        let [n, _, height, width] = observations.dims();
        let boards = observations
            .pad((1, 0, 1, 0), PadMode::Constant(0.0))
            .permute([0, 2, 3, 1]);
        let mut cells = self.stem.on_boards(&self.pool, boards, None, 1);
        for block in &self.blocks {
            let change = block.first.on_boards(&self.pool, cells.clone(), None, 1);
            cells = block.second.on_boards(&self.pool, change, Some(cells), 1);
        }
        let policy = self
            .policy_hidden
            .on_boards(&self.pool, cells.clone(), None, 0);
        let value = self.value_cells.on_boards(&self.pool, cells, None, 0);

        let n_cells = height * width;
        let [n_outputs, n_channels, ..] = self.policy.weight.dims();
        let weight = self.policy.weight.val().reshape([n_outputs, n_channels]);
        let bias = self.policy.bias.as_ref().expect("the policy has a bias");
        let policy = policy.reshape([n * n_cells, n_channels]);
        let policy = with_bias(policy.matmul(weight.transpose()), bias.val());
        let by_channel = |cells: Tensor<3>| cells.swap_dims(1, 2).flatten(1, 2);
        let [n_value_channels] = self.value_cells.norm.gamma.dims();
        (
            by_channel(policy.reshape([n, n_cells, n_outputs])),
            by_channel(value.reshape([n, n_cells, n_value_channels])),
        )
    }
}

impl NormedConvolution {
    fn forward(&self, cells: Tensor<4>) -> Tensor<4> {
        let weight = self.convolution.weight.val();
        let [.., side] = weight.dims();
        let padding = [side / 2; 2];
        let options = ConvOptions::new([1, 1], padding, [1, 1], 1);
        self.norm.forward(conv2d(cells, weight, None, options))
    }

    /// The relu of the layer with the statistics of the batch, which it remembers as
    /// [`BatchNorm`] does.
    fn on_boards(
        &self,
        pool: &Pool,
        cells: Tensor<4>,
        added: Option<Tensor<4>>,
        border: usize,
    ) -> Tensor<4> {
        let layer = board_ops::NormedConvolution {
            weight: self.convolution.weight.val(),
            gamma: self.norm.gamma.val(),
            beta: self.norm.beta.val(),
            epsilon: self.norm.epsilon,
        };
        let NormedConvolutionOutput {
            boards,
            means,
            variances,
        } = normed_convolution(pool, layer, (cells, 1), added, border);
        let momentum = self.norm.momentum;
        for (state, batch) in [
            (&self.norm.running_mean, means),
            (&self.norm.running_var, variances),
        ] {
            let old = state.value_sync();
            let new = old.mul_scalar(1.0 - momentum) + batch.mul_scalar(momentum);
            state.update(new.detach());
        }
        boards
    }
}

fn single_output(head: Option<&Linear>, features: &Tensor<2>) -> Option<Tensor<1>> {
    head.map(|head| dense(head, features.clone()).squeeze_dim(1))
}
