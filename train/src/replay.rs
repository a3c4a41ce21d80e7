//! The window of recent games, from which batches are drawn.

use crate::record::GameRecord;
use std::collections::VecDeque;
use std::ops::Range;

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

    /// The positions to learn from in the latest round.
    #[must_use]
    pub fn new_positions(&self) -> Range<usize> {
        let latest = self.rounds.len().saturating_sub(1) as u32;
        let first = self
            .positions
            .partition_point(|&[round, ..]| round < latest);
        first..self.positions.len()
    }

    /// The game and the number of the decision within it.
    pub(crate) fn decision(&self, position: usize) -> (&GameRecord, usize) {
        let [round, game, ply] = self.positions[position].map(|n| n as usize);
        (&self.rounds[round][game], ply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Decision;
    use tablero_env::{ActionId, ForMover, Outcome};

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
        assert_eq!(window.new_positions().len(), 4);
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
        assert_eq!((window.n_games(), window.new_positions().len()), (6, 2));
        assert_eq!(window.decision(0).0.id, 4);
    }
}
