//! What is played after a tree search: its most visited move, unless somebody knows better.

use crate::players::PolicyOptions;
use crate::root_search::{self, Opinion, RootSearcher};
use crate::traps::{Traps, best_trap};
use tablero_env::ActionId;
use tablero_mcts::Search;
use tablero_minimax::Baseline;

/// Who is asked after the tree search.
pub(crate) struct Decider<G: Baseline> {
    traps: Option<Traps<G>>,
    root_searcher: Option<RootSearcher<G>>,
}

/// The action to play, and what speaks for it.
pub(crate) struct Decided {
    pub action: ActionId,
    /// For each legal action, as in [`Traps::set`].
    pub traps: Vec<f32>,
    /// As in [`RootSearcher::look`].
    pub opinions: Vec<Opinion>,
}

impl<G: Baseline> Decider<G> {
    /// The search alone.
    pub(crate) fn by_search() -> Self {
        Decider {
            traps: None,
            root_searcher: None,
        }
    }

    pub(crate) fn new(game: &G, options: &PolicyOptions) -> Self {
        let trap_nodes = options.trap_nodes.filter(|&nodes| nodes > 0);
        let root_search = options.root_search.filter(|search| search.nodes > 0);
        Decider {
            traps: trap_nodes.map(|n_nodes| Traps::new(game, n_nodes)),
            root_searcher: root_search.map(|search| RootSearcher::new(game, search)),
        }
    }

    /// Where the position looks lost, the best trap; then the best opinion.
    ///
    /// # Panics
    /// If the game is over.
    pub(crate) fn decide(&mut self, search: &Search<G>) -> Decided {
        let traps = self.traps.as_mut().map_or_else(Vec::new, |t| t.set(search));
        if let Some(action) = best_trap(search, &traps) {
            return Decided {
                action,
                traps,
                opinions: Vec::new(),
            };
        }
        let searcher = self.root_searcher.as_mut();
        let opinions = searcher.map_or_else(Vec::new, |searcher| searcher.look(search));
        Decided {
            action: root_search::best_action(search, &opinions),
            traps,
            opinions,
        }
    }
}
