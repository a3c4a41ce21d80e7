//! A sum of embeddings, and the layers over it.

use super::{NetworkOutput, PolicyLogits, single_output};
use crate::dense::dense;
use crate::sparse_ops::{SparseBatch, Table, action_logits, activated, embedded};
use burn::module::{Module, Param};
use burn::nn::Linear;
use burn::tensor::Tensor;
use std::sync::Arc;

#[derive(Module, Debug)]
pub(super) struct Sparse {
    pub features: Embedding,
    pub hidden: Vec<Linear>,
    #[module(skip)]
    pub actions: Table,
    pub wdl: Linear,
    pub points: Option<Linear>,
}

#[derive(Module, Debug)]
pub(super) struct Embedding {
    #[module(skip)]
    pub weight: Table,
    pub bias: Param<Tensor<1>>,
}

impl Sparse {
    /// The tables with the names of their weights.
    pub fn tables(&self) -> [(&'static str, &Table); 2] {
        [
            ("features.weight", &self.features.weight),
            ("actions.weight", &self.actions),
        ]
    }

    /// The same, to be changed.
    pub fn tables_mut(&mut self) -> [(&'static str, &mut Table); 2] {
        [
            ("features.weight", &mut self.features.weight),
            ("actions.weight", &mut self.actions),
        ]
    }

    pub fn forward(
        &self,
        batch: &Arc<SparseBatch>,
        return_slope: f32,
        n_threads: usize,
    ) -> NetworkOutput {
        let Embedding { weight, bias } = &self.features;
        let mut values = embedded(weight, bias.val(), batch, return_slope, n_threads);
        for layer in &self.hidden {
            values = activated(dense(layer, values), return_slope);
        }
        let logits = action_logits(&self.actions, values.clone(), batch, n_threads);
        NetworkOutput {
            policy: PolicyLogits::Listed(logits),
            wdl_logits: dense(&self.wdl, values.clone()),
            points_lead: single_output(self.points.as_ref(), &values),
        }
    }
}
