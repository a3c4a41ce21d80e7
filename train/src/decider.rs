//! What is played after a tree search: its most visited move, unless somebody knows better.

use crate::players::PolicyOptions;
use crate::root_search::{self, Opinion, RootSearcher};
use crate::traps::{Traps, best_trap};
use crate::{LeafSearch, SearchedLeaves};
use tablero_env::ActionId;
use tablero_mcts::Search;
use tablero_minimax::{Baseline, Solvable};

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

    /// The evaluator for the tree search before a decision: what minimax found below its leaves helps
    /// at the root, and in the moves after.
    pub(crate) fn searched_leaves<E>(
        &self,
        game: &G,
        evaluator: E,
        search: Option<LeafSearch>,
    ) -> SearchedLeaves<G, E>
    where
        G: Solvable,
    {
        match &self.root_searcher {
            Some(root) => SearchedLeaves::sharing(game, evaluator, search, root.minimax()),
            None => SearchedLeaves::remembering(game, evaluator, search),
        }
    }

    /// To be called before the first move of a game: nothing of the last one may sway it.
    pub(crate) fn new_game(&mut self) {
        if let Some(searcher) = &mut self.root_searcher {
            searcher.new_game();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RootSearch;
    use tablero_env::paper_soccer::PaperSoccer;
    use tablero_env::random::stream;
    use tablero_env::{ActionId, Game};
    use tablero_mcts::{Batch, Evaluator, SearchParams, Uniform, run};
    use tablero_minimax::Limits;

    fn decider(game: &PaperSoccer) -> Decider<PaperSoccer> {
        let search = RootSearch {
            nodes: 2000,
            share: 1.0,
        };
        let options = PolicyOptions {
            root_search: Some(search),
            ..PolicyOptions::default()
        };
        Decider::new(game, &options)
    }

    const LEAVES: Option<LeafSearch> = Some(LeafSearch {
        nodes: 100,
        share: 0.5,
        solver_nodes: 0,
    });

    /// The actions of a game against random play.
    fn play(
        game: &PaperSoccer,
        decider: &mut Decider<PaperSoccer>,
        leaves: &mut impl Evaluator<PaperSoccer>,
        seed: u64,
    ) -> Vec<ActionId> {
        let mut rng = stream(seed, "decider", 0);
        let mut state = game.initial();
        let mut actions = Vec::new();
        decider.new_game();
        leaves.new_game();
        while !game.is_over(&state) {
            let action = if actions.len() % 2 == 0 {
                leaves.forget();
                let (params, tree) = (SearchParams::default(), stream(seed, "tree", 0));
                let mut search = Search::new(game.clone(), state.clone(), params, tree);
                let one = std::slice::from_mut(&mut search);
                run(one, 20, leaves, &mut Batch::new());
                decider.decide(&search).action
            } else {
                game.sample_action(&state, &mut Vec::new(), &mut rng)
            };
            game.play_unchecked(&mut state, action);
            actions.push(action);
        }
        actions
    }

    #[test]
    fn games_depend_on_no_earlier_one() {
        let game = PaperSoccer::new(8, 10).unwrap();
        let mut used = decider(&game);
        let mut used_leaves = used.searched_leaves(&game, Uniform, LEAVES);
        for seed in 0..5 {
            let mut fresh = decider(&game);
            let mut leaves = fresh.searched_leaves(&game, Uniform, LEAVES);
            let expected = play(&game, &mut fresh, &mut leaves, seed);
            assert_eq!(play(&game, &mut used, &mut used_leaves, seed), expected);
        }
    }

    /// A search to the same depth takes fewer nodes where leaves were searched before, also in an earlier
    /// move of the game.
    #[test]
    fn the_root_knows_what_was_found_below_leaves() {
        let game = PaperSoccer::new(8, 10).unwrap();
        let decider = decider(&game);
        let minimax = decider.root_searcher.as_ref().unwrap().minimax();
        let leaves = &mut decider.searched_leaves(&game, Uniform, LEAVES);
        let mut rng = stream(3, "positions", 0);
        let mut state = game.initial();
        let [mut alone, mut together] = [0, 0];
        while !game.is_over(&state) {
            let n_nodes = || minimax.get().search(&state, &Limits::depth(3)).nodes;
            minimax.get().clear();
            alone += n_nodes();
            minimax.get().clear();
            let (params, tree) = (SearchParams::default(), stream(1, "tree", 0));
            let mut search = Search::new(game.clone(), state.clone(), params, tree);
            run(
                std::slice::from_mut(&mut search),
                100,
                leaves,
                &mut Batch::new(),
            );
            leaves.forget();
            together += n_nodes();
            let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
            game.play_unchecked(&mut state, action);
        }
        assert!(together < alone * 3 / 4, "{together} {alone}");
    }
}
