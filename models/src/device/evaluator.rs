use crate::leaf::softmax;
use crate::{Network, NetworkOutput};
use burn::tensor::{Tensor, TensorData};
use std::sync::Arc;
use tablero_env::{Encode, ForMover};
use tablero_mcts::{Evaluations, Evaluator, Request, Wdl};

/// The sizes of batches. A card compiles and tunes its kernels for each shape that it meets, so
/// there are few.
const SIZES: [usize; 4] = [8, 32, 128, 512];
/// The same for the number of legal actions: powers of two from this one.
const LEAST_LEGAL: usize = 16;

/// Evaluates leaves with burn's own forward pass, in batches filled up to one of a few sizes: for
/// graphics cards, which want large batches. On the processor
/// [`LeafEvaluator`](crate::LeafEvaluator) is several times as fast.
///
/// What fills a batch up changes no answer; but a device may add in another order in batches of
/// another size, so that answers agree to rounding, not to the bit.
#[derive(Debug)]
pub struct DeviceEvaluator {
    network: Arc<Network>,
    observations: Vec<f32>,
    slots: Vec<u32>,
}

impl DeviceEvaluator {
    /// An evaluator for one worker. The network is one without gradients: on a device without
    /// them, or [`valid`](burn::module::Module::valid).
    ///
    /// # Panics
    /// If the network is on a device with gradients, whose graphs would fill the memory.
    #[must_use]
    pub fn new(network: Arc<Network>) -> Self {
        assert!(
            !network.device().is_autodiff(),
            "a network without gradients"
        );
        DeviceEvaluator {
            network,
            observations: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// Evaluates up to the largest size of requests.
    fn evaluate_batch<G: Encode>(
        &mut self,
        game: &G,
        requests: &[Request<'_, G>],
        out: &mut Evaluations,
    ) {
        let shape = *self.network.shape();
        let n_inputs = shape.n_inputs();
        let fits = |size: &usize| *size >= requests.len();
        let size = SIZES
            .into_iter()
            .find(fits)
            .expect("a batch of such a size");
        let n_legal = requests.iter().map(|request| request.legal.len()).max();
        let n_legal = n_legal.unwrap_or(0).next_power_of_two().max(LEAST_LEGAL);

        self.observations.clear();
        self.observations.resize(size * n_inputs, 0.0);
        self.slots.clear();
        self.slots.resize(size * n_legal, 0);
        let observations = self.observations.chunks_exact_mut(n_inputs);
        let lists = self.slots.chunks_exact_mut(n_legal);
        for ((request, observation), list) in requests.iter().zip(observations).zip(lists) {
            game.write_observation_knowing(request.state, request.legal, observation);
            for (slot, &action) in list.iter_mut().zip(request.legal) {
                *slot = game.policy_slot(request.state, action) as u32;
            }
        }

        let device = self.network.device();
        let [planes, height, width] = shape.observation;
        let observations =
            TensorData::new(self.observations.clone(), [size, planes, height, width]);
        let NetworkOutput {
            policy,
            wdl_logits,
            points_lead,
        } = self
            .network
            .forward(Tensor::<4>::from_data(observations, &device));
        // All in one tensor: each reading waits for the device.
        let mut parts = vec![wdl_logits, policy.at(&self.slots)];
        parts.extend(points_lead.map(|lead| lead.unsqueeze_dim::<2>(1)));
        let outputs = Tensor::cat(parts, 1).into_data();
        let outputs: Vec<f32> = outputs
            .try_into_vec()
            .expect("the network calculates in 32-bit floats");

        let n_outputs = outputs.len() / size;
        for (request, outputs) in requests.iter().zip(outputs.chunks_exact(n_outputs)) {
            let (wdl, rest) = outputs.split_at(3);
            let (policy, points) = rest.split_at(n_legal);
            let mut wdl = [wdl[0], wdl[1], wdl[2]];
            softmax(&mut wdl);
            let [win, draw, loss] = wdl;
            let points_lead = points.first().map(|lead| shape.points_scale() * lead);
            let priors = out.push(
                request.legal.len(),
                ForMover(Wdl { win, draw, loss }),
                points_lead.filter(|lead| lead.is_finite()).map(ForMover),
            );
            priors.copy_from_slice(&policy[..request.legal.len()]);
            softmax(priors);
        }
    }
}

impl<G: Encode> Evaluator<G> for DeviceEvaluator {
    /// # Panics
    /// If the game has other tensors than the network: compare
    /// [`NetworkShape::of`](crate::NetworkShape::of) before.
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for batch in requests.chunks(SIZES[SIZES.len() - 1]) {
            self.evaluate_batch(game, batch, out);
        }
    }
}
