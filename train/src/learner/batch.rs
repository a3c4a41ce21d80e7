//! Batches of positions with their targets, drawn from the window.

use crate::config::LearnerConfig;
use crate::record::{Decision, GameRecord};
use crate::replay::ReplayWindow;
use rand::RngExt;
use std::ops::Range;
use tablero_env::random::Stream;
use tablero_env::{ActionFeatures, ActionId, BoardGame, FeatureImages};
use tablero_models::{NetworkShape, SparseBatch};

/// Positions with their targets, as flat tensors.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Number of positions B.
    pub size: usize,
    /// What the network reads of them.
    pub inputs: Inputs,
    /// L: the legal actions of the position that has most of them.
    pub most_legal: usize,
    /// `[B]`: how many legal actions each position has, 1 to L.
    pub n_legal: Vec<usize>,
    /// `[B, L]`: the search's policy over the legal actions, then 0.
    pub policy: Vec<f32>,
    /// `[B, 3]`: win, draw, loss for the player to move.
    pub wdl: Vec<f32>,
    /// `[B]`: the final lead of the player to move, in units of the shape's points scale; 0 in
    /// games without points.
    pub points_lead: Vec<f32>,
}

/// What a network reads of a batch of positions.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// Planes and policy slots.
    Planes {
        /// `[B, C, H, W]`.
        observations: Vec<f32>,
        /// `[B, L]`: the policy slots of each position's legal actions, then as many 0 as are
        /// missing.
        slots: Vec<u32>,
    },
    /// Features of positions and of their legal actions.
    Features(SparseBatch),
}

/// Draws batches for one network.
#[derive(Clone, Debug)]
pub struct Sampler {
    shape: NetworkShape,
    /// What each symmetry makes of features, where the game tells; else states are transformed.
    images: Option<Vec<FeatureImages>>,
    threads: usize,
}

/// A position of the window, seen through a symmetry.
type Draw = (usize, usize);

impl Sampler {
    /// A sampler on one thread.
    pub fn new<G: BoardGame>(game: &G, shape: &NetworkShape) -> Sampler {
        let images = (0..game.n_symmetries()).map(|symmetry| game.feature_images(symmetry));
        Sampler {
            shape: *shape,
            images: shape.features.and_then(|_| images.collect()),
            threads: 1,
        }
    }

    /// The same on `threads` threads, which change no batch; 0 counts as 1.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Sampler {
        let threads = threads.max(1);
        Sampler { threads, ..self }
    }

    /// Draws `batch_size` positions, each seen through a random symmetry.
    ///
    /// # Panics
    /// If there are no `positions`, or not all of them in the window.
    pub fn draw<G: BoardGame>(
        &self,
        game: &G,
        window: &ReplayWindow,
        positions: Range<usize>,
        config: &LearnerConfig,
        rng: &mut Stream,
    ) -> Batch {
        let draws: Vec<Draw> = (0..config.batch_size)
            .map(|_| {
                let position = rng.random_range(positions.clone());
                (position, rng.random_range(0..game.n_symmetries()))
            })
            .collect();
        let read = |draws: &[Draw]| {
            let mut part = Part::default();
            let mut legal = Vec::new();
            for &(position, symmetry) in draws {
                let (record, ply) = window.decision(position);
                let state = replay_to(game, record, ply);
                game.legal_actions(&state, &mut legal);
                if self.shape.features.is_some() {
                    self.add_features(game, &state, &legal, symmetry, &mut part);
                } else {
                    self.add_planes(game, &state, &legal, symmetry, &mut part);
                }
                let mover = game.player_to_move(&state);
                let decision = &record.decisions[ply];
                let result = record.outcome.return_for(mover);
                let target = value_target(decision, result, config.root_value_share);
                part.wdl.extend(target);
                let lead = record.outcome.points.map_or(0, |points| {
                    points[mover.index()] - points[mover.opponent().index()]
                });
                part.points_lead
                    .push(lead as f32 / self.shape.points_scale());
                part.policy.extend(&decision.policy);
                part.n_legal.push(legal.len());
            }
            part
        };
        let chunk = draws.len().div_ceil(self.threads).max(1);
        let parts: Vec<Part> = std::thread::scope(|scope| {
            let threads: Vec<_> = draws
                .chunks(chunk)
                .map(|draws| scope.spawn(move || read(draws)))
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Part>| match thread.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            threads.into_iter().map(join).collect()
        });
        self.join(&parts)
    }

    fn add_planes<G: BoardGame>(
        &self,
        game: &G,
        state: &G::State,
        legal: &[ActionId],
        symmetry: usize,
        part: &mut Part,
    ) {
        let image = game.transform(symmetry, state);
        let start = part.observations.len();
        part.observations.resize(start + self.shape.n_inputs(), 0.0);
        game.write_observation(&image, &mut part.observations[start..]);
        part.slots.extend(legal.iter().map(|&action| {
            let action = game.transform_action(symmetry, state, action);
            game.policy_slot(&image, action) as u32
        }));
    }

    fn add_features<G: BoardGame>(
        &self,
        game: &G,
        state: &G::State,
        legal: &[ActionId],
        symmetry: usize,
        part: &mut Part,
    ) {
        let (features, actions) = (&mut part.scratch.0, &mut part.scratch.1);
        match &self.images {
            Some(images) => {
                let images = &images[symmetry];
                game.write_features(state, legal, features, actions);
                let image = |&feature: &u32| images.features[feature as usize];
                part.features.extend(features.iter().map(image));
                let image = |&feature: &u32| images.action_features[feature as usize];
                for of_action in actions.iter() {
                    part.action_features.extend(of_action.iter().map(image));
                    part.action_sizes.push(of_action.len() as u32);
                }
            }
            None => {
                let seen = game.transform(symmetry, state);
                let transformed = |&action| game.transform_action(symmetry, state, action);
                let own: Vec<ActionId> = legal.iter().map(transformed).collect();
                let mut ascending = own.clone();
                ascending.sort_unstable();
                game.write_features(&seen, &ascending, features, actions);
                part.features.extend(features.iter());
                // In the order of the position's own actions.
                for action in own {
                    let place = ascending.binary_search(&action).expect("a legal action");
                    part.action_features.extend(actions.get(place));
                    part.action_sizes.push(actions.get(place).len() as u32);
                }
            }
        }
        part.sizes.push(features.len() as u32);
    }

    /// Puts the parts together, and pads the lists of legal actions to one length.
    fn join(&self, parts: &[Part]) -> Batch {
        let n_legal = concat(parts, |part| &part.n_legal);
        let most_legal = n_legal.iter().copied().max().unwrap_or(0);
        Batch {
            size: n_legal.len(),
            inputs: match self.shape.features {
                Some(_) => Inputs::Features(joined_features(parts, most_legal)),
                None => Inputs::Planes {
                    observations: concat(parts, |part| &part.observations),
                    slots: padded(parts, most_legal, |part| &part.slots),
                },
            },
            most_legal,
            n_legal,
            policy: padded(parts, most_legal, |part| &part.policy),
            wdl: concat(parts, |part| &part.wdl),
            points_lead: concat(parts, |part| &part.points_lead),
        }
    }
}

/// Some positions of a batch, one after another; lists are not padded.
#[derive(Default)]
struct Part {
    n_legal: Vec<usize>,
    policy: Vec<f32>,
    wdl: Vec<f32>,
    points_lead: Vec<f32>,
    observations: Vec<f32>,
    slots: Vec<u32>,
    features: Vec<u32>,
    /// How many features each position has.
    sizes: Vec<u32>,
    action_features: Vec<u32>,
    /// How many each action has.
    action_sizes: Vec<u32>,
    scratch: (Vec<u32>, ActionFeatures),
}

fn concat<T: Clone>(parts: &[Part], values: impl Fn(&Part) -> &Vec<T>) -> Vec<T> {
    let all: Vec<&[T]> = parts.iter().map(|part| values(part).as_slice()).collect();
    all.concat()
}

/// `[B, L]` of values of legal actions, filled up with zeros.
fn padded<T: Copy + Default>(
    parts: &[Part],
    most_legal: usize,
    values: impl Fn(&Part) -> &Vec<T>,
) -> Vec<T> {
    let mut all = Vec::new();
    for part in parts {
        let mut rest = values(part).as_slice();
        for &n in &part.n_legal {
            let (own, others) = rest.split_at(n);
            all.extend_from_slice(own);
            all.resize(all.len() + most_legal - n, T::default());
            rest = others;
        }
    }
    all
}

fn joined_features(parts: &[Part], most_legal: usize) -> SparseBatch {
    let mut batch = SparseBatch {
        n_actions: most_legal,
        features: concat(parts, |part| &part.features),
        action_features: concat(parts, |part| &part.action_features),
        ..SparseBatch::default()
    };
    let sizes = parts.iter().flat_map(|part| &part.sizes);
    batch.ends.extend(ends(sizes));
    // A list that is filled up ends where its last action does.
    let sizes = padded(parts, most_legal, |part| &part.action_sizes);
    batch.action_ends.extend(ends(&sizes));
    batch
}

fn ends<'a>(sizes: impl IntoIterator<Item = &'a u32>) -> impl Iterator<Item = u32> {
    sizes.into_iter().scan(0, |end, size| {
        *end += size;
        Some(*end)
    })
}

fn replay_to<G: BoardGame>(game: &G, record: &GameRecord, decision: usize) -> G::State {
    let mut state = game.initial();
    let n_plies = record.opening.len() + decision;
    record
        .actions()
        .take(n_plies)
        .for_each(|action: ActionId| game.play_unchecked(&mut state, action));
    state
}

/// Win, draw and loss to learn: the proven value where there is one, else a mixture of the
/// game's result and the search's root value.
fn value_target(decision: &Decision, result: i8, root_value_share: f32) -> [f32; 3] {
    let certain = |value: i8| match value {
        1 => [1.0, 0.0, 0.0],
        0 => [0.0, 1.0, 0.0],
        _ => [0.0, 0.0, 1.0],
    };
    if let Some(proven) = decision.proven {
        return certain(proven.0);
    }
    let played = certain(result);
    std::array::from_fn(|i| {
        (1.0 - root_value_share) * played[i] + root_value_share * decision.root_wdl.0[i]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::dots_and_boxes::DotsAndBoxes;
    use tablero_env::random::stream;
    use tablero_env::{ForMover, Game, Outcome};
    use tablero_models::NetworkConfig;

    fn decision(action: ActionId, policy: Vec<f32>) -> Decision {
        Decision {
            action,
            policy,
            root_wdl: ForMover([0.2, 0.3, 0.5]),
            proven: None,
        }
    }

    /// A game in which the lowest edge is drawn, and the policy likes the middle one.
    fn window(game: &DotsAndBoxes) -> ReplayWindow {
        let (mut state, mut legal) = (game.initial(), Vec::new());
        let mut record = GameRecord {
            id: 0,
            forked: false,
            opening: Vec::new(),
            decisions: Vec::new(),
            outcome: Outcome::won_by(None),
        };
        while !game.is_over(&state) {
            game.legal_actions(&state, &mut legal);
            let mut policy = vec![0.0; legal.len()];
            policy[legal.len() / 2] = 1.0;
            record.decisions.push(decision(legal[0], policy));
            game.play_unchecked(&mut state, legal[0]);
        }
        record.outcome = game.outcome(&state).unwrap();
        let mut window = ReplayWindow::default();
        window.push(vec![record], 1);
        window
    }

    fn draw(game: &DotsAndBoxes, network: &NetworkConfig, threads: usize) -> Batch {
        let shape = NetworkShape::of_network(game, network);
        let config = LearnerConfig {
            batch_size: 64,
            ..LearnerConfig::default()
        };
        let (window, mut rng) = (window(game), stream(1, "batch", 0));
        let positions = 0..window.n_positions();
        Sampler::new(game, &shape)
            .with_threads(threads)
            .draw(game, &window, positions, &config, &mut rng)
    }

    fn mlp() -> NetworkConfig {
        NetworkConfig::Mlp { hidden: vec![16] }
    }

    fn sparse() -> NetworkConfig {
        NetworkConfig::Sparse {
            width: 64,
            hidden: vec![16],
        }
    }

    /// The legal actions of Dots and Boxes are the edges not drawn: one fewer each ply.
    #[test]
    fn a_batch_lists_the_legal_actions_of_each_position() {
        let game = DotsAndBoxes::new(1, 2).unwrap();
        let batch = draw(&game, &mlp(), 1);
        let Inputs::Planes { slots, .. } = &batch.inputs else {
            panic!("a network of planes");
        };
        assert_eq!(batch.most_legal, 7);
        for (index, &n) in batch.n_legal.iter().enumerate() {
            let row = index * batch.most_legal..(index + 1) * batch.most_legal;
            let (slots, padding) = slots[row.clone()].split_at(n);
            let mut slots = slots.to_vec();
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(slots.len(), n);
            assert!(padding.iter().all(|&slot| slot == 0));
            let policy = &batch.policy[row];
            assert_eq!(policy[n / 2], 1.0);
            assert_eq!(policy.iter().sum::<f32>(), 1.0);
        }
        let mut lengths = batch.n_legal;
        lengths.sort_unstable();
        lengths.dedup();
        assert_eq!(lengths, [1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn a_batch_of_features_has_the_same_targets_whatever_the_threads() {
        let game = DotsAndBoxes::new(1, 2).unwrap();
        let planes = draw(&game, &mlp(), 1);
        let lists = |batch: &Batch| match &batch.inputs {
            Inputs::Features(lists) => lists.clone(),
            Inputs::Planes { .. } => panic!("a network of features"),
        };
        let batch = draw(&game, &sparse(), 1);
        assert_eq!(
            (&batch.policy, &batch.n_legal),
            (&planes.policy, &planes.n_legal)
        );
        assert_eq!(
            (&batch.wdl, &batch.points_lead),
            (&planes.wdl, &planes.points_lead)
        );
        let features = lists(&batch);
        assert_eq!(features.ends.len(), batch.size);
        assert_eq!(features.action_ends.len(), batch.size * batch.most_legal);
        assert_eq!(
            *features.ends.last().unwrap() as usize,
            features.features.len()
        );
        for threads in [2, 3, 100] {
            assert_eq!(lists(&draw(&game, &sparse(), threads)), features);
        }
    }

    #[test]
    fn a_proven_value_replaces_the_result() {
        let mut decision = decision(ActionId(0), vec![1.0]);
        let mixed = value_target(&decision, -1, 0.5);
        assert_eq!(mixed, [0.1, 0.15, 0.75]);
        decision.proven = Some(ForMover(1));
        assert_eq!(value_target(&decision, -1, 0.5), [1.0, 0.0, 0.0]);
    }
}
