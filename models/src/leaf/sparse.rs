//! A sparse network's forward pass, in floats.

use super::InstructionSet;
use crate::Weights;
use tablero_env::ActionFeatures;

#[derive(Debug)]
pub(super) struct Sparse {
    n_hidden: usize,
    weights: Weights,
}

#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub policy: Vec<f32>,
    pub value: [f32; 4],
}

impl Sparse {
    pub fn new(n_hidden: usize, weights: &Weights, _instructions: InstructionSet) -> Sparse {
        Sparse {
            n_hidden,
            weights: weights.clone(),
        }
    }

    fn get(&self, name: &str) -> &[f32] {
        &self.weights.get(name).expect("checked").values
    }

    fn dense(&self, name: &str, x: &[f32]) -> Vec<f32> {
        let weight = self.get(&format!("{name}.weight"));
        let mut out = self.get(&format!("{name}.bias")).to_vec();
        let n = out.len();
        for (i, x) in x.iter().enumerate() {
            for (o, w) in out.iter_mut().zip(&weight[i * n..]) {
                *o += x * w;
            }
        }
        out
    }

    pub fn forward(&self, features: &[u32], actions: &ActionFeatures, buffers: &mut Buffers) {
        let act =
            |x: Vec<f32>| -> Vec<f32> { x.iter().map(|x| x.clamp(0.0, 1.0).powi(2)).collect() };
        let mut x = self.get("features.bias").to_vec();
        let width = x.len();
        let table = self.get("features.weight");
        for &f in features {
            for (o, w) in x.iter_mut().zip(&table[f as usize * width..]) {
                *o += w;
            }
        }
        let mut x = act(x);
        for index in 0..self.n_hidden {
            x = act(self.dense(&format!("hidden.{index}"), &x));
        }
        let wdl = self.dense("wdl", &x);
        buffers.value[..3].copy_from_slice(&wdl);
        if self.weights.get("points.weight").is_some() {
            buffers.value[3] = self.dense("points", &x)[0];
        }
        let table = self.get("actions.weight");
        buffers.policy.clear();
        for rows in actions.iter() {
            let dot = |&f: &u32| -> f32 {
                let row = &table[f as usize * x.len()..][..x.len()];
                row.iter().zip(&x).map(|(a, b)| a * b).sum()
            };
            buffers.policy.push(rows.iter().map(dot).sum());
        }
    }
}
