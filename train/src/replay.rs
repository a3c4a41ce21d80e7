//! The window of recent games and the batches drawn from it.

use crate::config::LearnerConfig;
use crate::record::{Decision, GameRecord};
use rand::RngExt;
use std::collections::VecDeque;
use tablero_env::random::Stream;
use tablero_env::{ActionId, BoardGame};
use tablero_models::NetworkShape;

/// The most recent games, from which positions are drawn uniformly.
#[derive(Clone, Debug, Default)]
pub struct ReplayWindow {
    games: VecDeque<GameRecord>,
    /// `ends[g]`: how many decisions the games up to and including g hold.
    ends: Vec<usize>,
}

impl ReplayWindow {
    /// Adds games and drops the oldest beyond `max_games`.
    pub fn extend(&mut self, games: impl IntoIterator<Item = GameRecord>, max_games: u64) {
        self.games.extend(games);
        let max_games = usize::try_from(max_games).unwrap_or(usize::MAX);
        while self.games.len() > max_games {
            self.games.pop_front();
        }
        self.ends.clear();
        let mut end = 0;
        self.ends.extend(self.games.iter().map(|game| {
            end += game.decisions.len();
            end
        }));
    }

    /// The number of games.
    #[must_use]
    pub fn n_games(&self) -> usize {
        self.games.len()
    }

    /// The number of positions to learn from.
    #[must_use]
    pub fn n_positions(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The game and the number of the decision within it.
    fn decision(&self, position: usize) -> (&GameRecord, usize) {
        let game = self.ends.partition_point(|&end| end <= position);
        let start = if game == 0 { 0 } else { self.ends[game - 1] };
        (&self.games[game], position - start)
    }
}

/// Positions with their targets, as flat tensors.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Number of positions B.
    pub size: usize,
    /// `[B, C, H, W]`.
    pub observations: Vec<f32>,
    /// `[B, S]` over policy slots: the search's policy, 0 at illegal slots.
    pub policy: Vec<f32>,
    /// `[B, S]`: 1 at the slots of legal actions, else 0.
    pub legal: Vec<f32>,
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
        let n_slots = shape.n_slots();
        let mut batch = Batch {
            size,
            observations: vec![0.0; size * n_inputs],
            policy: vec![0.0; size * n_slots],
            legal: vec![0.0; size * n_slots],
            wdl: vec![0.0; size * 3],
            points_lead: vec![0.0; size],
        };
        let mut legal = Vec::new();
        for index in 0..size {
            let (record, ply) = window.decision(rng.random_range(0..window.n_positions()));
            let symmetry = rng.random_range(0..game.n_symmetries());
            let state = replay_to(game, record, ply);
            let decision = &record.decisions[ply];
            game.legal_actions(&state, &mut legal);
            let image = game.transform(symmetry, &state);
            game.write_observation(
                &image,
                &mut batch.observations[index * n_inputs..][..n_inputs],
            );
            for (&action, &probability) in legal.iter().zip(&decision.policy) {
                let action = game.transform_action(symmetry, &state, action);
                let slot = index * n_slots + game.policy_slot(&image, action);
                batch.policy[slot] = probability;
                batch.legal[slot] = 1.0;
            }
            let mover = game.player_to_move(&state);
            let result = record.outcome.return_for(mover);
            let wdl = value_target(decision, result, config.root_value_share);
            batch.wdl[index * 3..][..3].copy_from_slice(&wdl);
            if let Some(points) = record.outcome.points {
                let lead = points[mover.index()] - points[mover.opponent().index()];
                batch.points_lead[index] = lead as f32 / shape.points_scale();
            }
        }
        batch
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
        return certain(proven);
    }
    let played = certain(result);
    std::array::from_fn(|i| {
        (1.0 - root_value_share) * played[i] + root_value_share * decision.root_wdl[i]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::Outcome;

    fn game_with(n_decisions: usize, id: u64) -> GameRecord {
        let decision = Decision {
            action: ActionId(0),
            policy: vec![1.0],
            root_wdl: [0.2, 0.3, 0.5],
            proven: None,
        };
        GameRecord {
            id,
            opening: Vec::new(),
            decisions: vec![decision; n_decisions],
            outcome: Outcome::won_by(None),
        }
    }

    #[test]
    fn every_position_of_the_window_is_found_once() {
        let mut window = ReplayWindow::default();
        window.extend([game_with(3, 0), game_with(0, 1), game_with(2, 2)], 10);
        let found: Vec<(u64, usize)> = (0..window.n_positions())
            .map(|position| window.decision(position))
            .map(|(game, ply)| (game.id, ply))
            .collect();
        assert_eq!(found, [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1)]);
    }

    #[test]
    fn the_oldest_games_leave_first() {
        let mut window = ReplayWindow::default();
        window.extend((0..5).map(|id| game_with(1, id)), 3);
        assert_eq!(window.n_games(), 3);
        assert_eq!(window.decision(0).0.id, 2);
    }

    #[test]
    fn a_proven_value_replaces_the_result() {
        let mut decision = game_with(1, 0).decisions.remove(0);
        let mixed = value_target(&decision, -1, 0.5);
        assert_eq!(mixed, [0.1, 0.15, 0.75]);
        decision.proven = Some(1);
        assert_eq!(value_target(&decision, -1, 0.5), [1.0, 0.0, 0.0]);
    }
}
