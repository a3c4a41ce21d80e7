//! The window of recent games and the batches drawn from it.

use crate::config::LearnerConfig;
use crate::record::{Decision, GameRecord};
use rand::RngExt;
use std::collections::VecDeque;
use tablero_env::random::Stream;
use tablero_env::{ActionId, BoardGame};
use tablero_models::NetworkShape;

/// The games of the latest rounds, from which positions are drawn.
#[derive(Clone, Debug, Default)]
pub struct ReplayWindow {
    rounds: VecDeque<Vec<GameRecord>>,
    /// Every decision to learn from: round, game and number of the decision within it.
    positions: Vec<[u32; 3]>,
}

impl ReplayWindow {
    /// Adds the games of a round, and drops the oldest rounds beyond `n_rounds`.
    pub fn push(&mut self, games: Vec<GameRecord>, n_rounds: usize) {
        self.rounds.push_back(games);
        while self.rounds.len() > n_rounds.max(1) {
            self.rounds.pop_front();
        }
        self.positions.clear();
        for (round, games) in self.rounds.iter().enumerate() {
            for (number, game) in games.iter().enumerate() {
                for (ply, decision) in game.decisions.iter().enumerate() {
                    if !decision.policy.is_empty() {
                        self.positions.push([round, number, ply].map(|n| n as u32));
                    }
                }
            }
        }
    }

    /// The number of games.
    #[must_use]
    pub fn n_games(&self) -> usize {
        self.rounds.iter().map(Vec::len).sum()
    }

    /// The number of positions to learn from.
    #[must_use]
    pub fn n_positions(&self) -> usize {
        self.positions.len()
    }

    /// The number of positions to learn from in the latest round.
    #[must_use]
    pub fn n_new_positions(&self) -> usize {
        let latest = self.rounds.len().saturating_sub(1) as u32;
        let first = self
            .positions
            .partition_point(|&[round, ..]| round < latest);
        self.positions.len() - first
    }

    /// The game and the number of the decision within it.
    fn decision(&self, position: usize) -> (&GameRecord, usize) {
        let [round, game, ply] = self.positions[position].map(|n| n as usize);
        (&self.rounds[round][game], ply)
    }
}

/// Positions with their targets, as flat tensors.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Number of positions B.
    pub size: usize,
    /// `[B, C, H, W]`.
    pub observations: Vec<f32>,
    /// L: the legal actions of the position that has most of them.
    pub n_legal: usize,
    /// `[B, L]`: the policy slots of each position's legal actions, then as many 0 as are missing.
    pub slots: Vec<i64>,
    /// `[B, L]`: 1 for each legal action, then 0.
    pub legal: Vec<f32>,
    /// `[B, L]`: the search's policy over the legal actions, then 0.
    pub policy: Vec<f32>,
    /// `[B, 3]`: win, draw, loss for the player to move.
    pub wdl: Vec<f32>,
    /// `[B]`: the final lead of the player to move, in units of the shape's points scale; 0 in
    /// games without points.
    pub points_lead: Vec<f32>,
}

impl Batch {
    /// Draws `size` positions, each seen through a random symmetry.
    ///
    /// # Panics
    /// If the window is empty.
    pub fn draw<G: BoardGame>(
        game: &G,
        shape: &NetworkShape,
        window: &ReplayWindow,
        config: &LearnerConfig,
        rng: &mut Stream,
    ) -> Batch {
        let size = config.batch_size;
        let n_inputs: usize = shape.observation.iter().product();
        let mut batch = Batch {
            size,
            observations: vec![0.0; size * n_inputs],
            n_legal: 0,
            slots: Vec::new(),
            legal: Vec::new(),
            policy: Vec::new(),
            wdl: vec![0.0; size * 3],
            points_lead: vec![0.0; size],
        };
        let mut legal = Vec::new();
        let mut policies = Vec::with_capacity(size);
        for index in 0..size {
            let position = rng.random_range(0..window.n_positions());
            let (record, ply) = window.decision(position);
            let symmetry = rng.random_range(0..game.n_symmetries());
            let state = replay_to(game, record, ply);
            let decision = &record.decisions[ply];
            game.legal_actions(&state, &mut legal);
            let image = game.transform(symmetry, &state);
            game.write_observation(
                &image,
                &mut batch.observations[index * n_inputs..][..n_inputs],
            );
            let slot = |&action: &ActionId| {
                let action = game.transform_action(symmetry, &state, action);
                game.policy_slot(&image, action) as i64
            };
            let slots: Vec<i64> = legal.iter().map(slot).collect();
            policies.push((slots, decision.policy.as_slice()));
            let mover = game.player_to_move(&state);
            let result = record.outcome.return_for(mover);
            let wdl = value_target(decision, result, config.root_value_share);
            batch.wdl[index * 3..][..3].copy_from_slice(&wdl);
            if let Some(points) = record.outcome.points {
                let lead = points[mover.index()] - points[mover.opponent().index()];
                batch.points_lead[index] = lead as f32 / shape.points_scale();
            }
        }
        batch.set_policies(&policies);
        batch
    }

    /// Pads the slots of legal actions and their probabilities to one length.
    fn set_policies(&mut self, policies: &[(Vec<i64>, &[f32])]) {
        let longest = policies.iter().map(|(slots, _)| slots.len()).max();
        self.n_legal = longest.unwrap_or(0);
        let n_values = policies.len() * self.n_legal;
        self.slots = vec![0; n_values];
        self.legal = vec![0.0; n_values];
        self.policy = vec![0.0; n_values];
        for (index, (slots, policy)) in policies.iter().enumerate() {
            let (first, n) = (index * self.n_legal, slots.len());
            self.slots[first..][..n].copy_from_slice(slots);
            self.legal[first..][..n].fill(1.0);
            self.policy[first..][..n].copy_from_slice(policy);
        }
    }
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

    fn game_with(n_decisions: usize, id: u64) -> GameRecord {
        let decision = Decision {
            action: ActionId(0),
            policy: vec![1.0],
            root_wdl: ForMover([0.2, 0.3, 0.5]),
            proven: None,
        };
        GameRecord {
            id,
            forked: false,
            opening: Vec::new(),
            decisions: vec![decision; n_decisions],
            outcome: Outcome::won_by(None),
            resigned: false,
        }
    }

    #[test]
    fn every_position_to_learn_from_is_found_once() {
        let mut window = ReplayWindow::default();
        let mut with_quick_move = game_with(3, 3);
        with_quick_move.decisions[1].policy.clear();
        window.push(vec![game_with(3, 0), game_with(0, 1)], 10);
        window.push(vec![game_with(2, 2), with_quick_move], 10);
        let found: Vec<(u64, usize)> = (0..window.n_positions())
            .map(|position| window.decision(position))
            .map(|(game, ply)| (game.id, ply))
            .collect();
        assert_eq!(
            found,
            [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (3, 0), (3, 2)]
        );
        assert_eq!(window.n_new_positions(), 4);
    }

    #[test]
    fn the_oldest_rounds_leave_first() {
        let mut window = ReplayWindow::default();
        for round in 0..5 {
            window.push(
                vec![game_with(1, 2 * round), game_with(1, 2 * round + 1)],
                3,
            );
        }
        assert_eq!((window.n_games(), window.n_new_positions()), (6, 2));
        assert_eq!(window.decision(0).0.id, 4);
    }

    /// The legal actions of Dots and Boxes are the edges not drawn: one fewer each ply.
    #[test]
    fn a_batch_lists_the_legal_actions_of_each_position() {
        let game = DotsAndBoxes::new(1, 2).unwrap();
        let mut state = game.initial();
        let mut record = game_with(0, 0);
        let mut legal = Vec::new();
        while !game.is_over(&state) {
            game.legal_actions(&state, &mut legal);
            let mut policy = vec![0.0; legal.len()];
            policy[legal.len() / 2] = 1.0;
            let action = legal[0];
            record.decisions.push(Decision {
                action,
                policy,
                root_wdl: ForMover([0.2, 0.3, 0.5]),
                proven: None,
            });
            game.play_unchecked(&mut state, action);
        }
        record.outcome = game.outcome(&state).unwrap();
        let shape = NetworkShape::of(&game);
        let mut window = ReplayWindow::default();
        window.push(vec![record], 1);
        let config = LearnerConfig {
            batch_size: 64,
            ..LearnerConfig::default()
        };
        let mut rng = stream(1, "batch", 0);
        let batch = Batch::draw(&game, &shape, &window, &config, &mut rng);
        assert_eq!(batch.n_legal, 7);
        let mut lengths = Vec::new();
        for index in 0..batch.size {
            let row = index * batch.n_legal..(index + 1) * batch.n_legal;
            let n = batch.legal[row.clone()].iter().sum::<f32>() as usize;
            lengths.push(n);
            let (slots, padding) = batch.slots[row.clone()].split_at(n);
            let mut slots = slots.to_vec();
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(slots.len(), n);
            assert!(padding.iter().all(|&slot| slot == 0));
            let policy = &batch.policy[row];
            assert_eq!(policy[n / 2], 1.0);
            assert_eq!(policy.iter().sum::<f32>(), 1.0);
        }
        lengths.sort_unstable();
        lengths.dedup();
        assert_eq!(lengths, [1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn a_proven_value_replaces_the_result() {
        let mut decision = game_with(1, 0).decisions.remove(0);
        let mixed = value_target(&decision, -1, 0.5);
        assert_eq!(mixed, [0.1, 0.15, 0.75]);
        decision.proven = Some(ForMover(1));
        assert_eq!(value_target(&decision, -1, 0.5), [1.0, 0.0, 0.0]);
    }
}
