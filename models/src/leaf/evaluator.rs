use super::network::{Buffers, LeafNetwork, Logits};
use super::softmax::softmax;
use super::sparse;
use std::sync::Arc;
use tablero_env::{ActionFeatures, ActionId, Encode, ForMover};
use tablero_mcts::{Evaluations, Evaluator, Request, Wdl};

/// Evaluates leaves with a network. Each worker has its own, with its own buffers; the network is
/// shared.
///
/// The answer to a request is the same, bit for bit, whatever else is in the batch.
#[derive(Debug)]
pub struct LeafEvaluator {
    network: Arc<LeafNetwork>,
    observations: Vec<f32>,
    buffers: Buffers,
    features: Vec<u32>,
    actions: ActionFeatures,
    sparse: sparse::Buffers,
}

/// What the network says about one position and its legal actions, before softmax.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PositionLogits {
    /// The logit of each legal action.
    pub policy: Vec<f32>,
    /// The logits of a win, a draw and a loss for the player to move.
    pub wdl: [f32; 3],
    /// The expected final lead of the player to move, in points divided by
    /// [`NetworkShape::points_scale`](crate::NetworkShape::points_scale); `None` where the game has
    /// no points.
    pub points_lead: Option<f32>,
}

impl LeafEvaluator {
    /// An evaluator for one worker.
    #[must_use]
    pub fn new(network: Arc<LeafNetwork>) -> Self {
        LeafEvaluator {
            network,
            observations: Vec::new(),
            buffers: Buffers::default(),
            features: Vec::new(),
            actions: ActionFeatures::new(),
            sparse: sparse::Buffers::default(),
        }
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Arc<LeafNetwork> {
        &self.network
    }

    /// Evaluates a position with its legal actions.
    ///
    /// # Panics
    /// If the game has other tensors than the network.
    pub fn position<G: Encode>(
        &mut self,
        game: &G,
        state: &G::State,
        legal: &[ActionId],
    ) -> PositionLogits {
        let points = self.network.shape().points;
        if self.forward_sparse(game, state, legal) {
            let [win, draw, loss, lead] = self.sparse.value;
            return PositionLogits {
                policy: self.sparse.policy.clone(),
                wdl: [win, draw, loss],
                points_lead: points.then_some(lead),
            };
        }
        let mut observation = vec![0.0; self.network.shape().n_inputs()];
        game.write_observation_knowing(state, legal, &mut observation);
        let mut answer = PositionLogits::default();
        self.logits(&observation, |_, logits| {
            let slots = legal.iter().map(|&action| game.policy_slot(state, action));
            answer.policy = slots.map(|slot| logits.policy(slot)).collect();
            answer.wdl = logits.wdl();
            answer.points_lead = logits.points_lead();
        });
        answer
    }

    /// Evaluates a position if the network reads features; tells whether it does.
    fn forward_sparse<G: Encode>(
        &mut self,
        game: &G,
        state: &G::State,
        legal: &[ActionId],
    ) -> bool {
        let Some(sparse) = self.network.sparse() else {
            return false;
        };
        game.write_features(state, legal, &mut self.features, &mut self.actions);
        sparse.forward(&self.features, &self.actions, &mut self.sparse);
        true
    }

    /// Evaluates observations `[B, C, H, W]` and hands each position's number and logits to
    /// `each`, in order.
    ///
    /// # Panics
    /// If `observations` is not a whole number of observations, or the network reads features.
    pub fn logits(&mut self, observations: &[f32], mut each: impl FnMut(usize, Logits<'_>)) {
        let n_inputs = self.network.shape().n_inputs();
        assert_eq!(observations.len() % n_inputs, 0, "whole observations");
        let mut position = 0;
        for chunk in observations.chunks(self.network.chunk() * n_inputs) {
            self.network.forward(chunk, &mut self.buffers);
            for index in 0..chunk.len() / n_inputs {
                each(position, self.network.logits(index, &self.buffers));
                position += 1;
            }
        }
    }
}

impl<G: Encode> Evaluator<G> for LeafEvaluator {
    /// # Panics
    /// If the game has other tensors than the network: compare
    /// [`NetworkShape::of_network`](crate::NetworkShape::of_network) before.
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        if self.network.sparse().is_some() {
            for request in requests {
                self.forward_sparse(game, request.state, request.legal);
                let [win, draw, loss, lead] = self.sparse.value;
                let priors = self.push([win, draw, loss], lead, request.legal.len(), out);
                priors.copy_from_slice(&self.sparse.policy);
                softmax(priors);
            }
            return;
        }
        let n_inputs = self.network.shape().n_inputs();
        for chunk in requests.chunks(self.network.chunk()) {
            self.observations.resize(chunk.len() * n_inputs, 0.0);
            let observations = self.observations.chunks_exact_mut(n_inputs);
            for (request, observation) in chunk.iter().zip(observations) {
                game.write_observation_knowing(request.state, request.legal, observation);
            }
            self.network.forward(&self.observations, &mut self.buffers);
            for (index, request) in chunk.iter().enumerate() {
                let logits = self.network.logits(index, &self.buffers);
                let lead = logits.points_lead().unwrap_or_default();
                let priors = self.push(logits.wdl(), lead, request.legal.len(), out);
                for (prior, &action) in priors.iter_mut().zip(request.legal) {
                    *prior = logits.policy(game.policy_slot(request.state, action));
                }
                softmax(priors);
            }
        }
    }
}

impl LeafEvaluator {
    /// Adds an evaluation, and returns its priors to be filled.
    fn push<'a>(
        &self,
        mut wdl: [f32; 3],
        lead: f32,
        n_actions: usize,
        out: &'a mut Evaluations,
    ) -> &'a mut [f32] {
        let shape = self.network.shape();
        softmax(&mut wdl);
        let [win, draw, loss] = wdl;
        let lead = shape.points.then(|| shape.points_scale() * lead);
        let lead = lead.filter(|lead| lead.is_finite()).map(ForMover);
        out.push(n_actions, ForMover(Wdl { win, draw, loss }), lead)
    }
}
