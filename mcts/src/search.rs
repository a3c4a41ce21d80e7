//! One search: what it holds, and its forward pass to a leaf.

use crate::bounds::Bounds;
use crate::estimate::Estimate;
use crate::root::Root;
use crate::transpositions::Transpositions;
use crate::tree::{Leaf, ROOT_EDGE, Tree};
use crate::{Budget, SearchParams};
use rand::Rng;
use tablero_env::random::Stream;
use tablero_env::{ActionId, ForMover, Game, Player};

/// A Monte-Carlo tree search from one position: PUCT or Gumbel, with proven bounds.
///
/// A simulation is a [`gather`](Search::gather), the forward pass to a leaf, and, where that asks
/// for one, an [`apply`](Search::apply) of the leaf's evaluation. [`run`](crate::run) does both for
/// many searches at once.
///
/// Finished games, points that [decide](tablero_env::Game::lead_bounds) an unfinished one, and wins
/// that the rules see [at once](tablero_env::Game::wins_at_once) prove bounds on the results of the
/// moves that lead there (Cazenave and Saffidine, 2010), down to exact values (MCTS-Solver, Winands
/// et al., 2008).
///
/// The tree depends on the position, the parameters, the stream and the evaluator's answers,
/// and on nothing else.
///
/// ```
/// use tablero_env::{ForMover, Game, dots_and_boxes::DotsAndBoxes, random::stream};
/// use tablero_mcts::{Batch, Search, SearchParams, Uniform, run};
/// let game = DotsAndBoxes::new(1, 1).unwrap();
/// let state = game.initial();
/// let mut search = Search::new(game, state, SearchParams::default(), stream(1, "example", 0));
/// run(std::slice::from_mut(&mut search), 1000, &mut Uniform, &mut Batch::new());
/// // Whoever draws the third edge of the only box gives it away: player 1 wins.
/// assert_eq!(search.root_proven(), Some(ForMover(-1)));
/// ```
#[derive(Clone, Debug)]
pub struct Search<G: Game> {
    pub(crate) game: G,
    pub(crate) params: SearchParams,
    pub(crate) stream: Stream,
    pub(crate) state: G::State,
    pub(crate) tree: Tree,
    pub(crate) root: Root,
    pub(crate) walk: Walk<G>,
    /// Empty unless nodes are shared.
    pub(crate) transpositions: Transpositions<G>,
    /// Scratch: the priors of a leaf.
    pub(crate) priors: Vec<f32>,
}

/// The simulation under way, or the storage of the next one.
#[derive(Clone, Debug)]
pub(crate) struct Walk<G: Game> {
    /// The edges from the root to the leaf.
    pub path: Vec<u32>,
    pub leaf: G::State,
    /// The legal actions of the leaf, ascending.
    pub legal: Vec<ActionId>,
    /// Of the request.
    pub nonce: u64,
    /// What the rules say of the leaf.
    pub bounds: Bounds,
    /// Whether an evaluation of the leaf is awaited.
    pub is_waiting: bool,
}

/// How a simulation began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gathered {
    /// It waits for an evaluation, to be given to [`Search::apply`].
    Request,
    /// It is complete: it reached a finished or proven position.
    Backed,
    /// There was none: the value of the root is proven, or the game is over.
    Proven,
}

impl<G: Game> Search<G> {
    /// A search from `state`, without a simulation so far. `stream` is the source of all its
    /// randomness: noise, the nonces of its requests and the draws of
    /// [`choose`](Search::choose).
    ///
    /// In a finished game the root is proven from the start and has no moves.
    #[must_use]
    pub fn new(game: G, state: G::State, params: SearchParams, stream: Stream) -> Self {
        // Positions of a game of bounded length cannot recur, or it could go on for ever: so
        // shared nodes make no cycles.
        let shares_nodes = params.transpositions && game.max_plies().is_some();
        let mut search = Search {
            game,
            params,
            stream,
            walk: Walk {
                path: Vec::new(),
                leaf: state.clone(),
                legal: Vec::new(),
                nonce: 0,
                bounds: Bounds::OPEN,
                is_waiting: false,
            },
            state,
            tree: Tree::new(shares_nodes),
            root: Root::default(),
            transpositions: Transpositions::new(),
            priors: Vec::new(),
        };
        search.plant();
        search
    }

    /// Sets what the next move is worth, before its first simulation. Without it a move does not
    /// [explore](Budget::explores). An evaluation that is awaited is dropped.
    pub fn begin_move(&mut self, budget: Budget) {
        // Its way may begin with a move that comes into another place.
        self.walk.is_waiting = false;
        let explored = std::mem::replace(&mut self.root.budget, budget).explores;
        // A root that is not evaluated draws its noise when it is.
        if budget.explores != explored && self.root_visits() > 0 {
            self.draw();
        }
    }

    /// Gives the root the noise of its move.
    pub(crate) fn draw(&mut self) {
        let selection = &self.params.selection;
        selection.draw(&mut self.root, &mut self.tree, &mut self.stream);
    }

    /// The budget of the move that is searched.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.root.budget
    }

    /// Begins a simulation: the forward pass from the root by the selection rule to a position that
    /// is not expanded. While an evaluation is awaited nothing is done, and the answer is
    /// [`Gathered::Request`].
    pub fn gather(&mut self) -> Gathered {
        if self.walk.is_waiting {
            return Gathered::Request;
        }
        if self.tree.bounds(self.tree.root()).is_exact() {
            return Gathered::Proven;
        }
        if let Some(leaf) = self.forward().or_else(|| self.known_by_rules()) {
            self.complete(leaf);
            return Gathered::Backed;
        }
        self.walk.nonce = self.stream.next_u64();
        self.walk.is_waiting = true;
        Gathered::Request
    }

    /// The forward pass. Returns the result if the tree knows it.
    fn forward(&mut self) -> Option<Leaf> {
        let (tree, walk) = (&mut self.tree, &mut self.walk);
        let rule = self.params.selection.rule();
        walk.path.clear();
        walk.path.push(ROOT_EDGE as u32);
        walk.leaf.clone_from(&self.state);
        let mut node = tree.root();
        // Before its first visit, the root is the leaf.
        if tree.n_visits(node) == 0 {
            return None;
        }
        let mut rank = rule.at_root(&self.root, tree);
        loop {
            let edge = tree.edges(node).start + rank;
            walk.path.push(edge as u32);
            if tree.edge_bounds(edge).is_exact() {
                return Some(Leaf {
                    estimate: Estimate {
                        bounds: Bounds::OPEN,
                        ..Estimate::UNKNOWN.within(tree.edge_bounds(edge))
                    },
                    is_visit: true,
                });
            }
            let action = tree.action(tree.moves(node).start + rank);
            self.game.play_unchecked(&mut walk.leaf, action);
            if tree.child(edge).is_none()
                && tree.shares_nodes
                && let hash = self.game.hash(&walk.leaf)
                && let Some(shared) = self.transpositions.node_of(hash, &walk.leaf)
            {
                tree.link(edge, shared);
            }
            node = match tree.child(edge) {
                // News from another way to this position go up first.
                Some(child) if tree.bounds(child) != tree.edge_bounds(edge) => {
                    return Some(tree.read(child));
                }
                Some(child) => child,
                None => return None,
            };
            tree.open(node);
            rank = rule.inside(tree, node);
        }
    }

    /// The result of the leaf, if the rules alone tell it: how it ended, how its points decide it, or
    /// that its player wins at once. The root is evaluated in any case, so that there are priors to
    /// choose by.
    fn known_by_rules(&mut self) -> Option<Leaf> {
        let (game, walk) = (&self.game, &mut self.walk);
        game.legal_actions(&walk.leaf, &mut walk.legal);
        let known = |estimate| Leaf {
            estimate,
            is_visit: true,
        };
        if walk.legal.is_empty() {
            let outcome = game.outcome(&walk.leaf);
            let outcome = outcome.expect("a position without legal actions is finished");
            return Some(known(Estimate::from_outcome(&outcome)));
        }
        let leads = game.lead_bounds(&walk.leaf);
        walk.bounds = leads.map_or(Bounds::OPEN, Bounds::from_lead);
        let is_root = walk.path.len() == 1;
        if !is_root && !walk.bounds.is_exact() && game.wins_at_once(&walk.leaf, &walk.legal) {
            let mover = game.player_to_move(&walk.leaf);
            walk.bounds = Bounds::exactly(ForMover(1).for_first(mover));
        }
        (walk.bounds.is_exact() && !is_root).then(|| known(Estimate::UNKNOWN.within(walk.bounds)))
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &SearchParams {
        &self.params
    }

    /// The root's position.
    #[must_use]
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Who moves at the root.
    #[must_use]
    pub fn player_to_move(&self) -> Player {
        self.tree.mover(self.tree.root())
    }

    /// The simulations completed since [`new`](Search::new) or the last
    /// [`advance`](Search::advance), the evaluation of the root included.
    #[must_use]
    pub fn n_simulations(&self) -> u32 {
        self.root.n_simulations
    }

    /// The number of expanded positions held, at least 1, at most [`SearchParams::max_nodes`] (or 1).
    /// Some of them may no longer be reached from the root.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.tree.n_nodes()
    }

    /// The memory held by the tree.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.tree.n_bytes() + self.transpositions.n_bytes()
    }
}
