//! Leaf evaluation says what the trained network says, and says it alike in every batch.

use burn::module::Module;
use burn::tensor::{Device, Tensor, TensorData};
use rand::RngExt;
use rand::seq::SliceRandom;
use std::sync::Arc;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::hive::Hive;
use tablero_env::random::stream;
use tablero_env::{ActionId, BoardGame, ForMover};
use tablero_mcts::{Evaluations, Evaluator};
use tablero_models::{
    InstructionSet, LeafEvaluator, LeafNetwork, Network, NetworkConfig, NetworkShape, Weights,
    WeightsError,
};

/// Boards of Dots and Boxes from the smallest to the largest, square and not.
const BOARDS: [(usize, usize); 5] = [(1, 1), (1, 2), (3, 3), (3, 4), (10, 10)];

fn shape_of((rows, cols): (usize, usize)) -> NetworkShape {
    NetworkShape::of(&DotsAndBoxes::new(rows, cols).unwrap())
}

fn configs() -> Vec<NetworkConfig> {
    let mlp = |hidden: &[usize]| NetworkConfig::Mlp {
        hidden: hidden.to_vec(),
    };
    let residual = |blocks, channels| NetworkConfig::Residual { blocks, channels };
    vec![
        mlp(&[1]),
        mlp(&[48]),
        mlp(&[130, 67, 16]),
        residual(1, 1),
        residual(2, 24),
        residual(1, 64),
        residual(4, 20),
    ]
}

/// Weights as after training: no layer is 0, and batch norm has statistics.
fn trained(config: &NetworkConfig, shape: &NetworkShape, seed: u64) -> Weights {
    let mut weights = Weights::init(config, shape, seed).unwrap();
    for (index, (name, tensor)) in weights.iter_mut().enumerate() {
        let mut rng = stream(seed, "trained", index as u64);
        // Keeps the features of every layer near 1.
        let n_inputs = tensor.values.len() / tensor.shape.last().unwrap();
        let spread = (3.0 / n_inputs.max(1) as f32).sqrt();
        for value in &mut tensor.values {
            let x = rng.random_range(-1.0..1.0);
            *value = match name.rsplit('.').next().unwrap() {
                "weight" if tensor.shape.len() == 2 => spread * x,
                "weight" => *value + 0.05 * x,
                "gamma" => 1.0 + 0.5 * x,
                "running_var" => 1.2 + x,
                _ => 0.3 * x,
            };
        }
    }
    weights
}

fn random_observations(n_values: usize, seed: u64) -> Vec<f32> {
    let mut rng = stream(seed, "observations", 0);
    (0..n_values).map(|_| rng.random_range(-1.0..1.0)).collect()
}

/// Every logit of every position: policy, result, lead.
fn leaf_logits(network: LeafNetwork, observations: &[f32]) -> Vec<Vec<f32>> {
    let n_slots = network.shape().n_slots();
    let mut all = Vec::new();
    let mut evaluator = LeafEvaluator::new(Arc::new(network));
    evaluator.logits(observations, |position, logits| {
        assert_eq!(position, all.len());
        let policy = (0..n_slots).map(|slot| logits.policy(slot));
        all.push(
            policy
                .chain(logits.wdl())
                .chain(logits.points_lead())
                .collect(),
        );
    });
    all
}

fn burn_logits(network: &Network, observations: &[f32]) -> Vec<Vec<f32>> {
    let shape = *network.shape();
    let [planes, height, width] = shape.observation;
    let n_positions = observations.len() / shape.n_inputs();
    let sizes = [n_positions, planes, height, width];
    let data = TensorData::new(observations.to_vec(), sizes);
    let output = network.forward(Tensor::from_data(data, &Device::flex()));
    let slots: Vec<u32> = (0..shape.n_slots() as u32).collect();
    let policy = output.policy.at(&slots.repeat(n_positions));
    let mut parts = vec![policy, output.wdl_logits];
    parts.extend(output.points_lead.map(|lead| lead.unsqueeze_dim(1)));
    let all: Vec<f32> = Tensor::cat(parts, 1).into_data().try_into_vec().unwrap();
    all.chunks(all.len() / n_positions)
        .map(<[f32]>::to_vec)
        .collect()
}

fn assert_close(a: &[Vec<f32>], b: &[Vec<f32>], tolerance: f32, what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        assert!(
            (a - b).abs() <= tolerance * (1.0 + b.abs()),
            "{what}: {a} and {b}"
        );
    }
}

#[test]
fn leaf_evaluation_equals_the_trained_network() {
    for shape in BOARDS.map(shape_of) {
        for (index, config) in configs().iter().enumerate() {
            for points in [true, false] {
                let shape = NetworkShape { points, ..shape };
                let weights = trained(config, &shape, index as u64);
                let network =
                    Network::from_weights(config, &shape, &weights, &Device::flex().autodiff());
                let observations = random_observations(3 * shape.n_inputs(), 1);
                let expected = burn_logits(&network.unwrap().valid(), &observations);
                let what = format!("{config:?} of {shape:?}");
                assert!(expected[0].iter().any(|logit| logit.abs() > 0.01), "{what}");
                let leaf = LeafNetwork::new(config, &shape, &weights).unwrap();
                assert_close(&leaf_logits(leaf, &observations), &expected, 1e-4, &what);
            }
        }
    }
}

#[test]
fn all_instruction_sets_agree() {
    for shape in BOARDS.map(shape_of) {
        for (index, config) in configs().iter().enumerate() {
            let weights = trained(config, &shape, index as u64);
            // Numbers of rows that leave every remainder.
            for n_positions in [1, 2, 3, 5, 7, 13] {
                let observations = random_observations(n_positions * shape.n_inputs(), 2);
                let of = |set| {
                    let leaf =
                        LeafNetwork::with_instructions(config, &shape, &weights, set).unwrap();
                    leaf_logits(leaf, &observations)
                };
                let expected = of(InstructionSet::Portable);
                for set in InstructionSet::available() {
                    let what = format!("{set}: {config:?} of {shape:?}");
                    assert_close(&of(set), &expected, 1e-5, &what);
                }
            }
        }
    }
}

#[test]
fn a_position_has_the_same_bits_in_every_batch() {
    let bits = |logits: &[f32]| logits.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    for shape in [(1, 1), (3, 4), (10, 10)].map(shape_of) {
        let n_inputs = shape.n_inputs();
        let observations = random_observations(64 * n_inputs, 3);
        for config in &configs() {
            let weights = trained(config, &shape, 4);
            for set in InstructionSet::available() {
                let of = |observations: &[f32]| {
                    let leaf =
                        LeafNetwork::with_instructions(config, &shape, &weights, set).unwrap();
                    leaf_logits(leaf, observations)
                };
                let all = of(&observations);
                let mut order: Vec<usize> = (0..64).collect();
                for batch in [1, 2, 3, 7, 31, 64] {
                    order.shuffle(&mut stream(6, "order", batch as u64));
                    let permuted: Vec<f32> = order[..batch]
                        .iter()
                        .flat_map(|&index| &observations[index * n_inputs..][..n_inputs])
                        .copied()
                        .collect();
                    for (logits, &index) in of(&permuted).iter().zip(&order) {
                        assert_eq!(bits(logits), bits(&all[index]), "{set}, batch {batch}");
                    }
                }
            }
        }
    }
}

/// Positions of random games, with their legal actions.
fn positions<G: BoardGame>(game: &G, n: u64) -> Vec<(G::State, Vec<ActionId>)> {
    (0..n)
        .map(|index| {
            let mut rng = stream(7, "positions", index);
            let mut state = game.initial();
            let mut legal = Vec::new();
            for _ in 0..rng.random_range(0..game.max_plies().unwrap_or(40)) {
                if game.is_over(&state) {
                    break;
                }
                let action = game.sample_action(&state, &mut legal, &mut rng);
                game.play_unchecked(&mut state, action);
            }
            game.legal_actions(&state, &mut legal);
            (state, legal)
        })
        .collect()
}

fn evaluate<G: BoardGame>(
    evaluator: &mut LeafEvaluator,
    game: &G,
    positions: &[(G::State, Vec<ActionId>)],
) -> Evaluations {
    let states: Vec<&G::State> = positions.iter().map(|(state, _)| state).collect();
    let answers = evaluator.evaluate_states(game, &states);
    assert_eq!(answers.len(), positions.len());
    answers
}

#[test]
fn answers_are_the_softmax_of_the_logits_of_legal_actions() {
    // The scale of points is the number of cells of the observation, 4 x 5.
    answers_are_softmaxes(&DotsAndBoxes::new(3, 4).unwrap(), 20.0);
    answers_are_softmaxes(&Hive::default(), 256.0);
}

fn answers_are_softmaxes<G: BoardGame>(game: &G, points_scale: f32) {
    let shape = NetworkShape::of(game);
    let positions = positions(game, 40);
    for config in &configs() {
        let weights = trained(config, &shape, 8);
        let leaf = Arc::new(LeafNetwork::new(config, &shape, &weights).unwrap());
        let mut evaluator = LeafEvaluator::new(Arc::clone(&leaf));
        let answers = evaluate(&mut evaluator, game, &positions);
        for (index, (state, legal)) in positions.iter().enumerate() {
            let answer = answers.get(index);
            let mut observation = vec![0.0; shape.n_inputs()];
            game.write_observation(state, &mut observation);
            evaluator.logits(&observation, |_, logits| {
                let slots = legal.iter().map(|&action| game.policy_slot(state, action));
                let policy: Vec<f64> = slots.map(|slot| logits.policy(slot).into()).collect();
                let total: f64 = policy.iter().map(|logit| logit.exp()).sum();
                for (prior, logit) in answer.priors.iter().zip(&policy) {
                    assert!((f64::from(*prior) - logit.exp() / total).abs() < 1e-6);
                }
                let wdl = logits.wdl().map(f64::from).map(f64::exp);
                let total: f64 = wdl.iter().sum();
                let got = [answer.wdl.0.win, answer.wdl.0.draw, answer.wdl.0.loss];
                for (got, expected) in got.iter().zip(wdl) {
                    assert!((f64::from(*got) - expected / total).abs() < 1e-6);
                }
                let lead = logits.points_lead().map(|lead| points_scale * lead);
                assert_eq!(answer.points_lead, lead.map(ForMover));
            });
            let alone = evaluate(&mut evaluator, game, &positions[index..=index]);
            assert_eq!(alone.get(0), answer);
        }
    }
}

#[test]
fn a_new_network_has_uniform_priors_and_equal_chances() {
    new_networks_say_nothing(&DotsAndBoxes::new(2, 3).unwrap(), Some(0.0));
    new_networks_say_nothing(&Hive::default(), None);
}

fn new_networks_say_nothing<G: BoardGame>(game: &G, points_lead: Option<f32>) {
    let shape = NetworkShape::of(game);
    let positions = positions(game, 20);
    for config in &configs() {
        let weights = Weights::init(config, &shape, 9).unwrap();
        let leaf = LeafNetwork::new(config, &shape, &weights).unwrap();
        let answers = evaluate(&mut LeafEvaluator::new(Arc::new(leaf)), game, &positions);
        for (index, (_, legal)) in positions.iter().enumerate() {
            let answer = answers.get(index);
            assert_eq!(answer.priors, vec![1.0 / legal.len() as f32; legal.len()]);
            assert_eq!(answer.wdl.0.value(), 0.0);
            assert_eq!(answer.points_lead, points_lead.map(ForMover));
        }
    }
}

#[test]
fn priors_are_sound_for_extreme_weights() {
    priors_are_sound(&DotsAndBoxes::new(3, 3).unwrap());
    priors_are_sound(&Hive::default());
}

fn priors_are_sound<G: BoardGame>(game: &G) {
    let shape = NetworkShape::of(game);
    let positions = positions(game, 20);
    for config in &configs() {
        for scale in [1e30, 1e38] {
            let mut weights = trained(config, &shape, 10);
            for name in ["policy.weight", "wdl.weight", "points.weight"] {
                if let Some(tensor) = weights.get_mut(name) {
                    tensor.values.iter_mut().for_each(|value| *value *= scale);
                }
            }
            let leaf = LeafNetwork::new(config, &shape, &weights).unwrap();
            let answers = evaluate(&mut LeafEvaluator::new(Arc::new(leaf)), game, &positions);
            for index in 0..positions.len() {
                let answer = answers.get(index);
                let total: f32 = answer.priors.iter().sum();
                assert!(
                    (total - 1.0).abs() < 1e-5,
                    "{config:?}: {:?}",
                    answer.priors
                );
                assert!(
                    answer
                        .priors
                        .iter()
                        .all(|prior| (0.0..=1.0).contains(prior))
                );
                let wdl = answer.wdl.0;
                assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-5);
                assert!(answer.points_lead.is_none_or(|lead| lead.0.is_finite()));
            }
        }
    }
}

#[test]
fn weights_that_do_not_fit_are_refused() {
    let shape = NetworkShape::of(&DotsAndBoxes::new(2, 2).unwrap());
    let config = NetworkConfig::Residual {
        blocks: 1,
        channels: 16,
    };
    let good = Weights::init(&config, &shape, 0).unwrap();
    let refused = |change: &dyn Fn(&mut Weights)| {
        let mut weights = good.clone();
        change(&mut weights);
        LeafNetwork::new(&config, &shape, &weights).unwrap_err()
    };
    let error = refused(&|weights| weights.get_mut("wdl.bias").unwrap().values[1] = f32::NAN);
    assert!(
        matches!(error, WeightsError::NotFinite { index: 1, .. }),
        "{error}"
    );
    let error = refused(&|weights| {
        weights.get_mut("stem.norm.running_var").unwrap().values[3] = -1.0;
    });
    assert!(
        matches!(error, WeightsError::Variance { index: 3, .. }),
        "{error}"
    );
    let error = refused(&|weights| {
        weights.get_mut("policy.weight").unwrap().shape = vec![32, 2];
    });
    assert!(matches!(error, WeightsError::Shape { .. }), "{error}");
}
