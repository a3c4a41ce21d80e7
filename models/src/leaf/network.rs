use super::InstructionSet;
use super::mlp::{self, Mlp};
use super::residual::{self, Residual};
use super::sparse::Sparse;
use crate::{NetworkConfig, NetworkShape, Weights, WeightsError};

/// A network packed for evaluation. It never changes, so all workers share one behind an `Arc`.
#[derive(Debug)]
pub struct LeafNetwork {
    shape: NetworkShape,
    instructions: InstructionSet,
    plan: Plan,
    /// Where the logit of each policy slot stands in a position's policy outputs; empty for a
    /// sparse network, which lists the logits of legal actions.
    slot_offsets: Vec<usize>,
}

#[derive(Debug)]
enum Plan {
    Sparse(Box<Sparse>),
    Mlp(Mlp),
    Residual(Box<Residual>),
}

/// The storage of a forward pass.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    mlp: mlp::Buffers,
    residual: residual::Buffers,
}

/// What the network says about one position, before softmax; the numbers of
/// [`NetworkOutput`](crate::NetworkOutput).
#[derive(Clone, Copy, Debug)]
pub struct Logits<'a> {
    network: &'a LeafNetwork,
    policy: &'a [f32],
    value: &'a [f32],
}

impl LeafNetwork {
    /// Packs weights, for the best instructions of this machine.
    ///
    /// # Errors
    /// If the weights are not those of such a network, or a size is out of bounds.
    pub fn new(
        config: &NetworkConfig,
        shape: &NetworkShape,
        weights: &Weights,
    ) -> Result<LeafNetwork, WeightsError> {
        Self::with_instructions(config, shape, weights, InstructionSet::best())
    }

    /// Packs weights, for chosen instructions.
    ///
    /// # Errors
    /// As [`new`](LeafNetwork::new).
    ///
    /// # Panics
    /// If the machine does not have the instructions.
    pub fn with_instructions(
        config: &NetworkConfig,
        shape: &NetworkShape,
        weights: &Weights,
        instructions: InstructionSet,
    ) -> Result<LeafNetwork, WeightsError> {
        assert!(
            instructions.is_available(),
            "this machine has no {instructions}"
        );
        weights.check_network(config, shape)?;
        let (plan, slot_offsets) = match config {
            NetworkConfig::Sparse { hidden, .. } => {
                let sizes = shape.feature_sizes().expect("the sizes were checked");
                let most = sizes.most_active_of_action;
                let sparse = Sparse::new(hidden.len(), most, weights, instructions);
                (Plan::Sparse(Box::new(sparse)), Vec::new())
            }
            NetworkConfig::Mlp { hidden } => {
                let mlp = Mlp::new(hidden.len(), shape, weights);
                let offsets = mlp.slot_offsets();
                (Plan::Mlp(mlp), offsets)
            }
            NetworkConfig::Residual { blocks, .. } => {
                let residual = Residual::new(*blocks, shape, weights);
                let offsets = residual.slot_offsets();
                (Plan::Residual(Box::new(residual)), offsets)
            }
        };
        Ok(LeafNetwork {
            shape: *shape,
            instructions,
            plan,
            slot_offsets,
        })
    }

    /// The tensors that it reads and writes.
    #[must_use]
    pub fn shape(&self) -> &NetworkShape {
        &self.shape
    }

    /// The instructions that it uses.
    #[must_use]
    pub fn instructions(&self) -> InstructionSet {
        self.instructions
    }

    /// The network of features, if it is one.
    pub(super) fn sparse(&self) -> Option<&Sparse> {
        match &self.plan {
            Plan::Sparse(sparse) => Some(sparse),
            Plan::Mlp(_) | Plan::Residual(_) => None,
        }
    }

    /// How many positions are computed together.
    pub(super) fn chunk(&self) -> usize {
        match &self.plan {
            Plan::Sparse(_) => 1,
            Plan::Mlp(mlp) => mlp.chunk(),
            Plan::Residual(residual) => residual.chunk(),
        }
    }

    /// Evaluates up to [`chunk`](Self::chunk) observations, one after another.
    pub(super) fn forward(&self, observations: &[f32], buffers: &mut Buffers) {
        let n_positions = observations.len() / self.shape.n_inputs();
        match &self.plan {
            Plan::Sparse(_) => panic!("a sparse network reads features, not planes"),
            Plan::Mlp(mlp) => {
                mlp.forward(
                    self.instructions,
                    n_positions,
                    observations,
                    &mut buffers.mlp,
                );
            }
            Plan::Residual(residual) => residual.forward(
                self.instructions,
                n_positions,
                observations,
                &mut buffers.residual,
            ),
        }
    }

    /// What was said about one of the positions evaluated last.
    pub(super) fn logits<'a>(&'a self, position: usize, buffers: &'a Buffers) -> Logits<'a> {
        let (policy, value) = match &self.plan {
            Plan::Sparse(_) => panic!("a sparse network reads features, not planes"),
            Plan::Mlp(mlp) => mlp.outputs(position, &buffers.mlp),
            Plan::Residual(residual) => residual.outputs(position, &buffers.residual),
        };
        Logits {
            network: self,
            policy,
            value,
        }
    }
}

impl Logits<'_> {
    /// The logit of a policy slot.
    ///
    /// # Panics
    /// If the network has no such slot.
    #[inline]
    #[must_use]
    pub fn policy(&self, slot: usize) -> f32 {
        self.policy[self.network.slot_offsets[slot]]
    }

    /// The logits of a win, a draw and a loss for the player to move.
    #[must_use]
    pub fn wdl(&self) -> [f32; 3] {
        [self.value[0], self.value[1], self.value[2]]
    }

    /// The expected final lead of the player to move, in points divided by
    /// [`NetworkShape::points_scale`]; `None` where the game has no points.
    #[must_use]
    pub fn points_lead(&self) -> Option<f32> {
        self.network.shape.points.then(|| self.value[3])
    }
}
