//! Named weights and gradients from networks.

use crate::{WeightTensor, Weights};
use burn::module::{ModuleVisitor, Param};
use burn::tensor::{Gradients, Tensor, TensorData};

/// The names of the modules around the one visited.
#[derive(Default)]
struct Path(Vec<String>);

impl Path {
    fn name(&self) -> String {
        self.0.join(".")
    }
}

fn tensor_of(data: TensorData) -> WeightTensor {
    WeightTensor {
        shape: data.shape().to_vec(),
        values: data.try_into_vec().expect("weights are 32-bit floats"),
    }
}

#[derive(Default)]
pub(super) struct WeightsCollector {
    path: Path,
    pub weights: Weights,
}

impl ModuleVisitor for WeightsCollector {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.0.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.0.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let tensor = tensor_of(param.val().into_data());
        self.weights.insert(self.path.name(), tensor);
    }
}

pub(super) struct GradientsCollector {
    path: Path,
    gradients: Gradients,
    pub collected: Weights,
}

impl GradientsCollector {
    pub fn new(gradients: Gradients) -> Self {
        GradientsCollector {
            path: Path::default(),
            gradients,
            collected: Weights::default(),
        }
    }
}

impl ModuleVisitor for GradientsCollector {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.0.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.0.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        if let Some(gradient) = param.val().grad_remove(&mut self.gradients) {
            let tensor = tensor_of(gradient.into_data());
            self.collected.insert(self.path.name(), tensor);
        }
    }
}
