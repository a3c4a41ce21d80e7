//! Networks from named weights.

use super::sparse::{Embedding, Sparse};
use super::{Block, Body, Mlp, Network, NormedConvolution, Residual};
use crate::board_ops::Pool;
use crate::parameters::NORM_EPSILON;
use crate::sparse_ops::{RETURN_SLOPE, Table};
use crate::{NetworkConfig, NetworkShape, Weights};
use burn::module::{Param, RunningState};
use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::nn::{BatchNormConfig, Linear, PaddingConfig2d};
use burn::tensor::{Device, Tensor, TensorData};

/// Builds from weights that are known to fit.
pub(super) fn build(
    config: &NetworkConfig,
    shape: &NetworkShape,
    weights: &Weights,
    device: &Device,
) -> Network {
    let from = Builder { weights, device };
    let points = shape.points.then(|| from.dense("points"));
    let body = match config {
        NetworkConfig::Sparse { hidden, .. } => Body::Sparse(Sparse {
            features: Embedding {
                weight: from.table("features.weight"),
                bias: from.parameter("features.bias"),
            },
            hidden: (0..hidden.len())
                .map(|index| from.dense(&format!("hidden.{index}")))
                .collect(),
            actions: from.table("actions.weight"),
            wdl: from.dense("wdl"),
            points,
        }),
        NetworkConfig::Mlp { hidden } => Body::Mlp(Mlp {
            hidden: (0..hidden.len())
                .map(|index| from.dense(&format!("hidden.{index}")))
                .collect(),
            policy: from.dense("policy"),
            wdl: from.dense("wdl"),
            points,
        }),
        NetworkConfig::Residual { blocks, .. } => Body::Residual(Residual {
            stem: from.normed_convolution("stem"),
            blocks: (0..*blocks)
                .map(|block| Block {
                    first: from.normed_convolution(&format!("blocks.{block}.first")),
                    second: from.normed_convolution(&format!("blocks.{block}.second")),
                })
                .collect(),
            policy_hidden: from.normed_convolution("policy_hidden"),
            policy: from.convolution("policy", true),
            value_cells: from.normed_convolution("value_cells"),
            value_hidden: from.dense("value_hidden"),
            wdl: from.dense("wdl"),
            points,
            pool: Pool::default(),
        }),
    };
    Network {
        body,
        config: config.clone(),
        shape: *shape,
        n_threads: 1,
        return_slope: RETURN_SLOPE,
    }
}

/// Takes all weights but those of tables from some that are known to fit.
pub(super) fn rebuild(body: &mut Sparse, weights: &Weights, device: &Device) {
    let from = Builder { weights, device };
    body.features.bias = from.parameter("features.bias");
    for (index, layer) in body.hidden.iter_mut().enumerate() {
        *layer = from.dense(&format!("hidden.{index}"));
    }
    body.wdl = from.dense("wdl");
    if let Some(points) = &mut body.points {
        *points = from.dense("points");
    }
}

struct Builder<'a> {
    weights: &'a Weights,
    device: &'a Device,
}

impl Builder<'_> {
    fn data(&self, name: &str) -> TensorData {
        let tensor = self.weights.get(name).expect("the weights were checked");
        TensorData::new(tensor.values.clone(), tensor.shape.clone())
    }

    fn table(&self, name: &str) -> Table {
        let tensor = self.weights.get(name).expect("the weights were checked");
        Table::new([tensor.shape[0], tensor.shape[1]], tensor.values.clone())
    }

    fn parameter<const D: usize>(&self, name: &str) -> Param<Tensor<D>> {
        Param::from_data(self.data(name), self.device)
    }

    fn statistic(&self, name: &str) -> RunningState<Tensor<1>> {
        RunningState::new(Tensor::from_data(self.data(name), self.device))
    }

    fn dense(&self, name: &str) -> Linear {
        Linear {
            weight: self.parameter(&format!("{name}.weight")),
            bias: Some(self.parameter(&format!("{name}.bias"))),
        }
    }

    fn convolution(&self, name: &str, bias: bool) -> Conv2d {
        let weight: Param<Tensor<4>> = self.parameter(&format!("{name}.weight"));
        let [n_outputs, n_inputs, height, width] = weight.dims();
        let padding = PaddingConfig2d::Explicit(height / 2, width / 2, height / 2, width / 2);
        let mut convolution = Conv2dConfig::new([n_inputs, n_outputs], [height, width])
            .with_padding(padding)
            .with_bias(false)
            .init(self.device);
        convolution.weight = weight;
        convolution.bias = bias.then(|| self.parameter(&format!("{name}.bias")));
        convolution
    }

    fn normed_convolution(&self, name: &str) -> NormedConvolution {
        let gamma: Param<Tensor<1>> = self.parameter(&format!("{name}.norm.gamma"));
        let [n_features] = gamma.dims();
        let mut norm = BatchNormConfig::new(n_features)
            .with_epsilon(NORM_EPSILON)
            .init(self.device);
        norm.gamma = gamma;
        norm.beta = self.parameter(&format!("{name}.norm.beta"));
        norm.running_mean = self.statistic(&format!("{name}.norm.running_mean"));
        norm.running_var = self.statistic(&format!("{name}.norm.running_var"));
        NormedConvolution {
            convolution: self.convolution(&format!("{name}.convolution"), false),
            norm,
        }
    }
}
