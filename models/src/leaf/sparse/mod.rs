//! The sparse network in whole numbers: the same bits with all instructions.
//!
//! Embeddings are 16-bit numbers at a scale of 1024, summed with saturation: the bias, then the
//! features in their order. Activations are 16-bit numbers from 0 to 16384, which stands for 1.
//! Weights of the layers behind are 16-bit numbers at powers of two, one for each output, chosen so
//! that no 32-bit sum overflows: sums are exact in any order, and inputs of 0 can be skipped.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod lines;
mod portable;
#[cfg(target_arch = "x86_64")]
mod vector;
#[cfg(target_arch = "x86_64")]
mod vnni;

use super::InstructionSet;
use super::pack::tensor;
use super::panels::{Lane, PANEL};
use crate::Weights;
use lines::{Dense, EMBEDDING_ONE, Line, MAX_SUM, PAIRS, Table, round, scale, unit};
use tablero_env::ActionFeatures;

/// The kernels in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernels {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Vnni,
}

/// A sparse network, packed for the kernels of some instructions.
#[derive(Debug)]
pub(super) struct Sparse {
    kernels: Kernels,
    embeddings: Table,
    bias: Vec<Line>,
    hidden: Vec<Dense>,
    /// Win, draw, loss, and points in games that have them.
    value: Dense,
    actions: Table,
    /// What a sum of an action is multiplied with.
    action_unit: f32,
}

/// The storage and the results of a forward pass.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// A logit for each action.
    pub policy: Vec<f32>,
    /// The logits of a win, a draw and a loss for the player to move, then the points lead, which
    /// is 0 in games without points.
    pub value: [f32; 4],
    activations: Vec<Line>,
    outputs: Vec<Lane>,
    totals: Vec<i32>,
}

impl Kernels {
    /// All that this machine has, the slowest first.
    #[cfg(test)]
    fn available() -> Vec<Kernels> {
        let mut all = vec![Kernels::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = InstructionSet::Avx2.is_available();
            all.extend(avx2.then_some(Kernels::Avx2));
            all.extend(avx512::is_available().then_some(Kernels::Avx512));
            all.extend(vnni::is_available().then_some(Kernels::Vnni));
        }
        all
    }

    /// The fastest that use no more than some instructions, which the machine has.
    fn of(instructions: InstructionSet) -> Kernels {
        match instructions {
            InstructionSet::Portable => Kernels::Portable,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => Kernels::Avx2,
            #[cfg(target_arch = "x86_64")]
            _ if vnni::is_available() => Kernels::Vnni,
            #[cfg(target_arch = "x86_64")]
            _ if avx512::is_available() => Kernels::Avx512,
            #[cfg(target_arch = "x86_64")]
            _ if InstructionSet::Avx2.is_available() => Kernels::Avx2,
            _ => Kernels::Portable,
        }
    }
}

/// Calls a kernel, of which the arguments are known to be in bounds.
macro_rules! call {
    ($kernels:expr, $kernel:ident($($argument:expr),*)) => {
        match $kernels {
            Kernels::Portable => portable::$kernel($($argument),*),
            // SAFETY: the machine has the instructions, or there would be no such network; the
            // caller has checked the arguments.
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx2 => unsafe { avx2::$kernel($($argument),*) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx512 => unsafe { avx512::$kernel($($argument),*) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            Kernels::Vnni => unsafe { vnni::$kernel($($argument),*) },
        }
    };
}

impl Sparse {
    /// From weights that are known to fit, for a game whose actions have at most
    /// `most_active_of_action` features. Of an action that has more the sum may wrap around, with
    /// all instructions alike.
    ///
    /// # Panics
    /// If the machine does not have the instructions.
    pub fn new(
        n_hidden: usize,
        most_active_of_action: usize,
        weights: &Weights,
        instructions: InstructionSet,
    ) -> Sparse {
        assert!(instructions.is_available());
        Self::with_kernels(
            n_hidden,
            most_active_of_action,
            weights,
            Kernels::of(instructions),
        )
    }

    fn with_kernels(
        n_hidden: usize,
        most_active_of_action: usize,
        weights: &Weights,
        kernels: Kernels,
    ) -> Sparse {
        let embedding = |value: f32| round(f64::from(value) * f64::from(EMBEDDING_ONE));
        let bias = Table::new(tensor(weights, "features.bias"), embedding);
        let actions = tensor(weights, "actions.weight");
        let max_sum = MAX_SUM / u32::try_from(most_active_of_action.max(1)).unwrap_or(u32::MAX);
        let row_len = actions.shape[1];
        let scale = scale(actions.values.chunks(row_len).map(<[f32]>::iter), max_sum);
        let embeddings = Table::new(tensor(weights, "features.weight"), embedding);
        assert_eq!(bias.lines.len(), embeddings.lines_a_row);
        Sparse {
            kernels,
            embeddings,
            bias: bias.lines,
            hidden: (0..n_hidden)
                .map(|index| Dense::new(weights, &[&format!("hidden.{index}")]))
                .collect(),
            value: Dense::new(weights, &["wdl", "points"]),
            actions: Table::new(actions, |value| round(f64::from(value) * scale)),
            action_unit: unit(scale),
        }
    }

    /// Evaluates one position.
    ///
    /// # Panics
    /// If the network does not have one of the features or action features.
    pub fn forward(&self, features: &[u32], actions: &ActionFeatures, buffers: &mut Buffers) {
        self.embeddings.check(features);
        self.actions.check(actions.values());
        let Buffers {
            policy,
            value,
            activations,
            outputs,
            totals,
        } = buffers;
        let kernels = self.kernels;
        activations.resize(self.bias.len(), Line::ZERO);
        call!(
            kernels,
            embed(&self.embeddings, &self.bias, features, activations)
        );
        for layer in &self.hidden {
            forward(layer, kernels, activations, outputs);
            activations.resize(layer.n_panels.div_ceil(2), Line::ZERO);
            call!(kernels, activate(outputs, activations));
        }
        forward(&self.value, kernels, activations, outputs);
        value.copy_from_slice(&outputs[0].0[..4]);
        totals.resize(actions.len(), 0);
        assert_eq!(activations.len(), self.actions.lines_a_row);
        call!(kernels, score(&self.actions, activations, actions, totals));
        policy.clear();
        policy.extend(totals.iter().map(|&total| total as f32 * self.action_unit));
    }
}

/// Writes the outputs of a dense layer.
fn forward(layer: &Dense, kernels: Kernels, input: &[Line], outputs: &mut Vec<Lane>) {
    assert_eq!(input.len() * PAIRS * layer.n_panels, layer.weights.len());
    outputs.resize(layer.n_panels, Lane([0.0; PANEL]));
    call!(kernels, dense(layer, input, outputs));
}

#[cfg(test)]
mod tests;
