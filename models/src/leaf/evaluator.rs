use super::network::{Buffers, LeafNetwork, Logits};
use super::softmax::softmax;
use std::sync::Arc;
use tablero_env::{Encode, ForMover};
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
}

impl LeafEvaluator {
    /// An evaluator for one worker.
    #[must_use]
    pub fn new(network: Arc<LeafNetwork>) -> Self {
        LeafEvaluator {
            network,
            observations: Vec::new(),
            buffers: Buffers::default(),
        }
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Arc<LeafNetwork> {
        &self.network
    }

    /// Evaluates observations `[B, C, H, W]` and hands each position's number and logits to
    /// `each`, in order.
    ///
    /// # Panics
    /// If `observations` is not a whole number of observations.
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
    /// [`NetworkShape::of`](crate::NetworkShape::of) before.
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        let n_inputs = self.network.shape().n_inputs();
        let points_scale = self.network.shape().points_scale();
        for chunk in requests.chunks(self.network.chunk()) {
            self.observations.resize(chunk.len() * n_inputs, 0.0);
            let observations = self.observations.chunks_exact_mut(n_inputs);
            for (request, observation) in chunk.iter().zip(observations) {
                game.write_observation_knowing(request.state, request.legal, observation);
            }
            self.network.forward(&self.observations, &mut self.buffers);
            for (index, request) in chunk.iter().enumerate() {
                let logits = self.network.logits(index, &self.buffers);
                let mut wdl = logits.wdl();
                softmax(&mut wdl);
                let [win, draw, loss] = wdl;
                let points_lead = logits.points_lead().map(|lead| points_scale * lead);
                let priors = out.push(
                    request.legal.len(),
                    ForMover(Wdl { win, draw, loss }),
                    points_lead.filter(|lead| lead.is_finite()).map(ForMover),
                );
                for (prior, &action) in priors.iter_mut().zip(request.legal) {
                    *prior = logits.policy(game.policy_slot(request.state, action));
                }
                softmax(priors);
            }
        }
    }
}
