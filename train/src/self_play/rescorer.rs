//! Exact results for the ends of games that the network played.

use crate::record::GameRecord;
use tablero_env::Game;
use tablero_minimax::{EndgameSolver, Playable, prover};

/// Few nodes need no more.
const TABLE_MIB: usize = 4;

/// Proves the results of the last positions of games, so that mistakes there are not learnt from.
pub(super) struct Rescorer<G: Game> {
    game: G,
    nodes: u64,
    prover: Box<dyn EndgameSolver<G>>,
}

impl<G: Playable> Rescorer<G> {
    /// None without nodes.
    pub(super) fn new(game: &G, nodes: u64) -> Option<Self> {
        (nodes > 0).then(|| Rescorer {
            game: game.clone(),
            nodes,
            prover: prover(game, TABLE_MIB),
        })
    }
}

impl<G: Game> Rescorer<G> {
    /// Proves what is not proven, from the last decision backwards, as far as the nodes reach.
    pub(super) fn rescore(&mut self, record: &mut GameRecord) {
        // What is known from other games must not sway this one.
        self.prover.clear();
        let mut state = self.game.initial();
        let positions = record.actions().map(|action| {
            let position = state.clone();
            self.game.play_unchecked(&mut state, action);
            position
        });
        let positions: Vec<G::State> = positions.skip(record.opening.len()).collect();
        for (decision, position) in record.decisions.iter_mut().zip(&positions).rev() {
            if decision.proven.is_some() {
                continue;
            }
            let Some(value) = self.prover.result(position, self.nodes) else {
                break;
            };
            decision.proven = Some(value.for_mover(self.game.player_to_move(position)));
        }
    }
}
