//! The learner: gradient steps on positions of recent games, and the moving average that plays.

mod ahead;
mod batch;
mod calibration;
mod error;

pub use batch::{Batch, Inputs, Sampler};
pub use error::LearnError;

use crate::config::RunConfig;
use crate::replay::ReplayWindow;
use ahead::taken_ahead;
use burn::tensor::{Tensor, TensorData};
use calibration::Calibration;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;
use tablero_agents::Cancel;
use tablero_env::BoardGame;
use tablero_env::random::{Stream, stream};
use tablero_models::{
    Hardware, LeafNetwork, Network, NetworkOutput, NetworkShape, Optimizer, OptimizerConfig,
    Policy, PolicyError, PolicyLogits, RETURN_SLOPE, Weights, WeightsError, WeightsFormat,
    cross_entropy, softmax,
};

/// Beside the files of the policy, which are those of the average.
const WEIGHTS: &str = "learner.safetensors";
const OPTIMIZER: &str = "optimizer.bin";
/// Decoupled weight decay (AdamW, Loshchilov and Hutter 2019).
const WEIGHT_DECAY: f64 = 1e-4;
/// Gradients are scaled down to this L2 norm, over all weights together.
const GRADIENT_NORM: f64 = 1.0;
/// The weight of the points loss beside those of policy and value, which have 1. The lead is a small
/// number, so its squared error needs a large one.
const POINTS_WEIGHT: f32 = 16.0;
/// Decay a step of the moving average of weights that plays (EMA).
const EMA_DECAY: f64 = 0.99;
/// The learning rate falls to this share of its start.
const FINAL_RATE: f64 = 0.05;
/// Before a round is learnt from, the losses of its games are measured on one batch for every this
/// many gradient steps.
const STEPS_A_LOOK: u64 = 16;
/// At most this many positions are measured, rounded up to a whole batch.
const MOST_NEW_POSITIONS: usize = 4096;

/// What a round of learning did. Losses are means over its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnReport {
    /// Gradient steps.
    pub steps: u64,
    /// Positions in the window.
    pub window_positions: u64,
    /// Cross-entropy between the search's policy and the network's, in nats.
    pub policy_loss: f64,
    /// Cross-entropy of win, draw and loss, in nats.
    pub value_loss: f64,
    /// Squared error of the final lead, in units of the shape's points scale.
    pub points_loss: f64,
    /// Share of the network's probability on illegal slots, were they not left out; 0 where the
    /// network is sparse and computes legal actions alone.
    pub illegal_share: f64,
    /// The policy loss of positions of the latest round, before anything is learnt from them: what
    /// the network knows, where the losses above also have what it remembers. `None` where an
    /// older version learnt.
    #[serde(default)]
    pub new_policy_loss: Option<f64>,
    /// The value loss of the same.
    #[serde(default)]
    pub new_value_loss: Option<f64>,
    /// How far the value head is from what comes true: positions are sorted into ten bins by the
    /// score expected, 0..=1, and this is the mean distance, over all positions, of a bin's mean to that of its
    /// targets (expected calibration error, Guo et al. 2017).
    #[serde(default)]
    pub calibration_error: f64,
    /// Norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// The step size at the start of the round.
    pub learning_rate: f64,
    /// Seconds, by the wall clock.
    pub seconds: f64,
    /// Those among them in which a step waited for its batch.
    #[serde(default)]
    pub draw_seconds: f64,
}

/// The network that learns, its optimizer, and the moving average of its weights.
pub struct Learner {
    network: Network,
    optimizer: Optimizer,
    average: Weights,
    config: RunConfig,
    shape: NetworkShape,
    sampler: Sampler,
    /// Whether a thread draws the next batch while a step computes.
    draws_ahead: bool,
    cancel: Cancel,
}

impl std::fmt::Debug for Learner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Learner({})", self.config.game)
    }
}

fn optimizer_config() -> OptimizerConfig {
    OptimizerConfig {
        weight_decay: WEIGHT_DECAY,
        max_gradient_norm: GRADIENT_NORM,
        average_decay: EMA_DECAY,
        ..OptimizerConfig::default()
    }
}

impl Learner {
    /// A learner with new weights, fixed by the run's seed.
    ///
    /// # Errors
    /// If the network or the optimizer cannot be configured so.
    pub fn new<G: BoardGame>(game: &G, config: &RunConfig) -> Result<Learner, LearnError> {
        let shape = NetworkShape::of_network(game, &config.network);
        let network = config
            .network
            .init(&shape, config.seed, &config.device.device()?.autodiff())
            .map_err(WeightsError::from)?;
        Ok(Learner {
            optimizer: Optimizer::new(optimizer_config(), &network)?,
            average: network.to_weights(),
            network,
            config: config.clone(),
            sampler: Sampler::new(game, &shape),
            shape,
            draws_ahead: false,
            cancel: Cancel::new(),
        })
    }

    /// The same learner with `threads` threads: half of them draw the next batch, the others compute the
    /// step. They change no result. 0 counts as 1.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Learner {
        let drawing = threads / 2;
        Learner {
            network: self.network.with_threads(threads - drawing),
            sampler: self.sampler.with_threads(drawing),
            draws_ahead: drawing > 0,
            ..self
        }
    }

    /// The same learner, which [learns](Learner::learn) no more once it is cancelled: it returns after the
    /// step under way, and is of no use any more, as it is in the middle of a round.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> Learner {
        let cancel = cancel.clone();
        Learner { cancel, ..self }
    }

    /// Takes these weights instead of its own.
    ///
    /// # Errors
    /// If they are those of another network.
    pub fn start_from(&mut self, weights: &Weights) -> Result<(), WeightsError> {
        self.network.load_weights(weights)?;
        self.average = self.network.to_weights();
        self.optimizer
            .set_average(&self.network, self.average.clone())
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If a file is missing, damaged, or of another network.
    pub fn load<G: BoardGame>(
        game: &G,
        config: &RunConfig,
        folder: &Path,
    ) -> Result<Learner, LearnError> {
        let mut learner = Learner::new(game, config)?;
        let named = |name: &str| {
            let path = folder.join(name).display().to_string();
            move |error| LearnError::Weights { path, error }
        };
        let weights = Weights::from_safetensors(&Policy::read_file(folder, WEIGHTS)?);
        let loaded = weights.and_then(|weights| learner.network.load_weights(&weights));
        loaded.map_err(named(WEIGHTS))?;
        learner.average = Self::read_average(folder)?;
        learner
            .average
            .check_network(&config.network, &learner.shape)
            .map_err(named(Self::average_file()))?;
        let bytes = Policy::read_file(folder, OPTIMIZER)?;
        let (network, average) = (&learner.network, learner.average.clone());
        learner.optimizer = Optimizer::from_bytes(optimizer_config(), network, &bytes, average)?;
        Ok(learner)
    }

    /// Reads the averaged weights of a checkpoint alone.
    ///
    /// # Errors
    /// If the file is missing or damaged.
    pub fn read_average(folder: &Path) -> Result<Weights, LearnError> {
        let name = Self::average_file();
        let weights = Weights::from_safetensors(&Policy::read_file(folder, name)?);
        weights.map_err(|error| LearnError::Weights {
            path: folder.join(name).display().to_string(),
            error,
        })
    }

    fn average_file() -> &'static str {
        WeightsFormat::Safetensors.file_name()
    }

    /// Writes a checkpoint: the folder of a policy, that of the average, with the learner's own
    /// files beside it. It appears whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, folder: &Path, policy: &Policy) -> Result<(), PolicyError> {
        let others = [
            (WEIGHTS, self.network.to_weights().to_safetensors()),
            (OPTIMIZER, self.optimizer.to_bytes()),
        ];
        policy.save_beside(folder, WeightsFormat::Safetensors, &others)
    }

    /// The moving average of the weights.
    #[must_use]
    pub fn average(&self) -> &Weights {
        &self.average
    }

    /// The tensors of its network.
    #[must_use]
    pub fn shape(&self) -> &NetworkShape {
        &self.shape
    }

    /// A network of this architecture, packed to play.
    ///
    /// # Errors
    /// If the weights are those of another.
    pub fn leaf_network(&self, weights: &Weights) -> Result<LeafNetwork, WeightsError> {
        LeafNetwork::new(&self.config.network, &self.shape, weights)
    }

    /// The same on the graphics card that trains it; `None` where the processor does.
    ///
    /// # Errors
    /// If the weights are those of another.
    pub fn card_network(&self, weights: &Weights) -> Result<Option<Network>, WeightsError> {
        let network = match self.config.device {
            Hardware::Cpu => return Ok(None),
            Hardware::Gpu => &self.config.network,
        };
        let device = self.network.device().inner();
        Network::from_weights(network, &self.shape, weights, &device).map(Some)
    }

    /// Takes `n_steps` gradient steps on the window. Batch s of round r is drawn from a stream
    /// of its own, so a run that is resumed learns from the same positions.
    ///
    /// `progress` is how far the run has come, 0..=1; it sets the learning rate. `on_step` is
    /// called after each step.
    ///
    /// # Errors
    /// If a loss or gradient is not finite.
    ///
    /// # Panics
    /// If the window is empty.
    pub fn learn<G: BoardGame>(
        &mut self,
        game: &G,
        window: &ReplayWindow,
        round: u32,
        n_steps: u64,
        progress: f64,
        on_step: &impl Fn(),
    ) -> Result<LearnReport, LearnError> {
        let start = Instant::now();
        let share = FINAL_RATE + (1.0 - FINAL_RATE) * 0.5 * (1.0 + (PI * progress.min(1.0)).cos());
        let learning_rate = self.config.learner.learning_rate * share;
        self.network.set_return_slope(RETURN_SLOPE * share as f32);
        let mut report = LearnReport {
            steps: n_steps,
            window_positions: window.n_positions() as u64,
            policy_loss: 0.0,
            value_loss: 0.0,
            points_loss: 0.0,
            illegal_share: 0.0,
            new_policy_loss: None,
            new_value_loss: None,
            calibration_error: 0.0,
            gradient_norm: 0.0,
            learning_rate,
            seconds: 0.0,
            draw_seconds: 0.0,
        };
        if n_steps > 0 {
            let [policy, value] = self.losses_of_new(game, window, round, n_steps)?;
            report.new_policy_loss = Some(policy);
            report.new_value_loss = Some(value);
        }
        let mut calibration = Calibration::default();
        let (cancel, sampler) = (self.cancel.clone(), self.sampler.clone());
        let (seed, config) = (self.config.seed, self.config.learner.clone());
        let batches = (0..n_steps).map(|step| {
            let mut rng = stream(seed, "learner", u64::from(round) << 32 | step);
            sampler.draw(game, window, 0..window.n_positions(), &config, &mut rng)
        });
        taken_ahead(self.draws_ahead, batches, |batches| {
            for step in (0..n_steps).take_while(|_| !cancel.is_cancelled()) {
                let waiting = Instant::now();
                let Some(batch) = batches.next() else { break };
                report.draw_seconds += waiting.elapsed().as_secs_f64();
                let losses = self.losses(&batch);
                calibration.add(&losses.wdl, &batch.wdl);
                let [policy, value, points, illegal] = losses.read(step)?;
                report.policy_loss += policy;
                report.value_loss += value;
                report.points_loss += points;
                report.illegal_share += illegal;
                let gradients = losses.total.backward();
                report.gradient_norm +=
                    self.optimizer
                        .step(&mut self.network, gradients, learning_rate)?;
                on_step();
            }
            Ok::<(), LearnError>(())
        })?;
        self.average = self.optimizer.average(&self.network);
        let n = n_steps.max(1) as f64;
        for sum in [
            &mut report.policy_loss,
            &mut report.value_loss,
            &mut report.points_loss,
            &mut report.illegal_share,
            &mut report.gradient_norm,
        ] {
            *sum /= n;
        }
        report.calibration_error = calibration.error();
        report.seconds = start.elapsed().as_secs_f64();
        Ok(report)
    }

    fn draw<G: BoardGame>(
        &self,
        game: &G,
        window: &ReplayWindow,
        positions: Range<usize>,
        rng: &mut Stream,
    ) -> Batch {
        let config = &self.config.learner;
        self.sampler.draw(game, window, positions, config, rng)
    }

    /// The losses of policy and value over positions of the latest round.
    fn losses_of_new<G: BoardGame>(
        &self,
        game: &G,
        window: &ReplayWindow,
        round: u32,
        n_steps: u64,
    ) -> Result<[f64; 2], LearnError> {
        let mut rng = stream(self.config.seed, "new positions", u64::from(round));
        let most = MOST_NEW_POSITIONS.div_ceil(self.config.learner.batch_size);
        let n_batches = n_steps.div_ceil(STEPS_A_LOOK).min(most as u64);
        let mut sums = [0.0; 2];
        for _ in (0..n_batches).take_while(|_| !self.cancel.is_cancelled()) {
            let batch = self.draw(game, window, window.new_positions(), &mut rng);
            let [policy, value, ..] = self.losses(&batch).read(0)?;
            sums[0] += policy;
            sums[1] += value;
        }
        Ok(sums.map(|sum| sum / n_batches as f64))
    }

    /// The network's answers, its policy as logits `[B, L]` of the listed actions, and the share of
    /// probability on illegal slots where it computes those.
    fn forward(&self, batch: &Batch) -> (NetworkOutput, Tensor<2>, f32) {
        let device = self.network.device();
        let (output, slots) = match &batch.inputs {
            Inputs::Planes {
                observations,
                slots,
            } => {
                let [planes, height, width] = self.shape.observation;
                let shape = [batch.size, planes, height, width];
                let observations = TensorData::new(observations.clone(), shape);
                let observations = Tensor::<4>::from_data(observations, &device);
                (self.network.forward(observations), slots.as_slice())
            }
            Inputs::Features(lists) => (self.network.forward_sparse(lists.clone()), &[][..]),
        };
        let (logits, illegal_share) = match &output.policy {
            PolicyLogits::Listed(logits) => (logits.clone(), 0.0),
            policy @ PolicyLogits::Slots(_) => {
                let share = policy.illegal_share(slots, &batch.n_legal);
                (policy.at(slots), share)
            }
        };
        (output, logits, illegal_share)
    }

    fn losses(&self, batch: &Batch) -> Losses {
        let (output, logits, illegal_share) = self.forward(batch);
        let policy = cross_entropy(logits, batch.policy.clone(), &batch.n_legal);
        let mut wdl = values(&output.wdl_logits);
        let (probabilities, _) = wdl.as_chunks_mut::<3>();
        probabilities.iter_mut().for_each(|each| softmax(each));
        let value = cross_entropy(output.wdl_logits, batch.wdl.clone(), &vec![3; batch.size]);
        let points = output.points_lead.map(|lead| {
            let expected = TensorData::new(batch.points_lead.clone(), [batch.size]);
            let error = lead - Tensor::<1>::from_data(expected, &self.network.device());
            error.clone().mul(error).mean()
        });
        let mut total = policy.clone() + value.clone();
        if let Some(points) = &points {
            total = total + points.clone().mul_scalar(POINTS_WEIGHT);
        }
        Losses {
            wdl,
            total,
            policy,
            value,
            points,
            illegal_share,
        }
    }
}

fn values(tensor: &Tensor<2>) -> Vec<f32> {
    let data = tensor.clone().into_data();
    (data.try_into_vec()).expect("the network calculates in 32-bit floats")
}

/// The losses of one batch, single numbers on the device but for the share.
struct Losses {
    /// `[B, 3]`: the probabilities of win, draw and loss, read back.
    wdl: Vec<f32>,
    total: Tensor<1>,
    policy: Tensor<1>,
    value: Tensor<1>,
    points: Option<Tensor<1>>,
    illegal_share: f32,
}

impl Losses {
    /// Policy, value, points and illegal share.
    fn read(&self, step: u64) -> Result<[f64; 4], LearnError> {
        let finite = |what, value: f32| {
            if value.is_finite() {
                Ok(f64::from(value))
            } else {
                Err(LearnError::Diverged { step, what, value })
            }
        };
        let read = |what, tensor: &Tensor<1>| finite(what, tensor.clone().into_scalar());
        Ok([
            read("policy loss", &self.policy)?,
            read("value loss", &self.value)?,
            (self.points.as_ref()).map_or(Ok(0.0), |points| read("points loss", points))?,
            finite("illegal share", self.illegal_share)?,
        ])
    }
}
