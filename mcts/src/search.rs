//! One search: what it holds, and the walk to a leaf.

use crate::bounds::Bounds;
use crate::puct::{exploration, first_open, select};
use crate::root::Root;
use crate::transpositions::Transpositions;
use crate::tree::{Leaf, ROOT_EDGE, Tree};
use crate::value::FirstWdl;
use crate::walk::{VirtualLosses, Walk};
use crate::{Budget, RootSelection, SearchParams, gumbel};
use rand::Rng;
use tablero_env::random::Stream;
use tablero_env::{Game, Player};

/// A Monte-Carlo tree search from one position: PUCT or Gumbel, with proven bounds.
///
/// A simulation is a [`gather`](Search::gather), which walks to a leaf, and, where it asks for
/// one, an [`apply`](Search::apply) of the leaf's evaluation. [`run`](crate::run) does both for
/// many searches at once.
///
/// The tree depends on the position, the parameters, the stream and the evaluator's answers,
/// and on nothing else.
///
/// ```
/// use tablero_env::{Game, dots_and_boxes::DotsAndBoxes, random::stream};
/// use tablero_mcts::{Batch, Search, SearchParams, Uniform, run};
/// let game = DotsAndBoxes::new(1, 1).unwrap();
/// let state = game.initial();
/// let mut search = Search::new(game, state, SearchParams::default(), stream(1, "example", 0));
/// run(std::slice::from_mut(&mut search), 1000, &mut Uniform, &mut Batch::new());
/// // Whoever draws the third edge of the only box gives it away: player 1 wins.
/// assert_eq!(search.root_proven(), Some(-1));
/// ```
#[derive(Clone, Debug)]
pub struct Search<G: Game> {
    pub(crate) game: G,
    pub(crate) params: SearchParams,
    pub(crate) stream: Stream,
    pub(crate) state: G::State,
    pub(crate) tree: Tree,
    pub(crate) root: Root,
    /// Storage of simulations; the first `n_waiting` of them wait, in the order in which they
    /// began, the first of all for an evaluation.
    pub(crate) walks: Vec<Walk<G>>,
    pub(crate) n_waiting: usize,
    virtual_losses: VirtualLosses,
    /// Empty unless nodes are shared.
    pub(crate) transpositions: Transpositions<G>,
    /// Scratch: the priors of a leaf.
    pub(crate) priors: Vec<f32>,
}

/// How a simulation began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gathered {
    /// It waits for an evaluation, to be given to [`Search::apply`].
    Request,
    /// It reached a finished or proven position: it is complete, or will be with those that
    /// began before it.
    Backed,
    /// None began: the evaluations awaited come first.
    Waiting,
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
        let tree = Tree::new(shares_nodes, params.minimax_share);
        let mut search = Search {
            game,
            params,
            stream,
            walks: vec![Walk::new(state.clone())],
            state,
            tree,
            root: Root::default(),
            n_waiting: 0,
            virtual_losses: VirtualLosses::default(),
            transpositions: Transpositions::new(),
            priors: Vec::new(),
        };
        search.plant();
        search
    }

    /// Tells how much the next move is worth, before its first simulation. Without it a move is
    /// searched in [full](Budget::full).
    pub fn begin_move(&mut self, budget: Budget) {
        let was_full = std::mem::replace(&mut self.root.budget, budget).full;
        // A root that is not evaluated draws its noise when it is.
        if budget.full != was_full && self.root_visits() > 0 {
            self.root
                .draw(&mut self.tree, &self.params, &mut self.stream);
        }
    }

    /// The budget of the move that is searched.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.root.budget
    }

    /// Begins a simulation: walks from the root by the selection rule to a position that is not
    /// expanded.
    ///
    /// While [`leaves_per_round`](SearchParams::leaves_per_round) simulations wait, or where the
    /// walk ends at a leaf that waits already, nothing is done, and the answer is
    /// [`Gathered::Waiting`].
    pub fn gather(&mut self) -> Gathered {
        if self.n_waiting >= self.params.leaves_per_round.max(1) {
            return Gathered::Waiting;
        }
        if self.tree.bounds(self.tree.root()).is_exact() {
            return Gathered::Proven;
        }
        if self.n_waiting == self.walks.len() {
            self.walks.push(Walk::new(self.state.clone()));
        }
        if !self.walk() {
            return Gathered::Waiting;
        }
        let walk = &mut self.walks[self.n_waiting];
        if walk.known.is_none() {
            self.game.legal_actions(&walk.leaf, &mut walk.legal);
            judge_by_rules(&self.game, &self.params, walk);
        }
        self.n_waiting += 1;
        match walk.known {
            None => {
                walk.nonce = self.stream.next_u64();
                Gathered::Request
            }
            Some(_) => {
                self.complete_known();
                Gathered::Backed
            }
        }
    }

    /// Walks to a leaf with the first free walk; `false` if the leaf waits already.
    fn walk(&mut self) -> bool {
        let (waiting, free) = self.walks.split_at_mut(self.n_waiting);
        let (tree, walk) = (&mut self.tree, &mut free[0]);
        walk.known = None;
        walk.bounds = Bounds::OPEN;
        walk.path.clear();
        walk.path.push(ROOT_EDGE as u32);
        walk.leaf.clone_from(&self.state);
        let root = tree.root();
        // Before its first visit, the root is the leaf.
        if tree.n_visits(root) == 0 {
            return waiting.is_empty();
        }
        let depth_first = self.params.depth_first && self.params.use_proven;
        let (mut node, mut edge) = (root, ROOT_EDGE);
        for depth in 0.. {
            tree.open(node);
            let rank = {
                let tree = &*tree;
                let (moves, n_passing) = if waiting.is_empty() {
                    (tree.choices(node), 0)
                } else {
                    let losses = &mut self.virtual_losses;
                    losses.lay(tree, node, edge, depth, waiting)
                };
                let n_visits = tree.n_visits(node) + n_passing;
                let mover = tree.mover(node);
                let first = if depth_first { first_open(moves) } else { None };
                match (first, &self.params.root, node == root) {
                    (Some(first), _, _) => first,
                    (None, RootSelection::Puct, true) => {
                        self.root.select_puct(tree, &self.params, moves, n_visits)
                    }
                    (None, RootSelection::Puct, false) => {
                        let value = tree.wdl(node).value.seen_by(mover);
                        let exploration = exploration(&self.params, n_visits);
                        select(moves, mover, exploration, value, self.params.fpu_reduction)
                    }
                    (None, RootSelection::Gumbel(params), true) => {
                        self.root.select_gumbel(tree, params, moves, n_passing)
                    }
                    (None, RootSelection::Gumbel(params), false) => {
                        let raw_value = tree.raw_value(node).seen_by(mover);
                        gumbel::select(moves, mover, raw_value, params)
                    }
                }
            };
            edge = tree.edges(node).start + rank;
            walk.path.push(edge as u32);
            if tree.edge_bounds(edge).is_exact() {
                walk.known = Some(Leaf {
                    result: tree.edge_bounds(edge).apply(FirstWdl::UNKNOWN),
                    bounds: Bounds::OPEN,
                    is_visit: true,
                });
                return true;
            }
            let action = tree.action(tree.moves(node).start + rank);
            self.game.play_unchecked(&mut walk.leaf, action);
            if tree.child(edge).is_none()
                && tree.shares_nodes
                && let Some(shared) = self.transpositions.node_of(&walk.leaf)
            {
                tree.link(edge, shared);
            }
            match tree.child(edge) {
                // News from another way to this position go up first.
                Some(child) if tree.bounds(child) != tree.edge_bounds(edge) => {
                    walk.known = Some(tree.read(child));
                    return true;
                }
                Some(child) => node = child,
                None => break,
            }
        }
        waiting
            .iter()
            .all(|other| other.path.last() != walk.path.last())
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

    /// The number of expanded positions in the tree, at least 1, at most
    /// [`SearchParams::max_nodes`] (or 1).
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

/// Takes what the rules alone say about the leaf of a walk: how it ended, or between which results
/// its points allow it to end. The root is judged by the evaluator in any case, so that there are
/// priors to choose by.
fn judge_by_rules<G: Game>(game: &G, params: &SearchParams, walk: &mut Walk<G>) {
    if walk.legal.is_empty() {
        let outcome = game.outcome(&walk.leaf);
        let outcome = outcome.expect("a position without legal actions is finished");
        walk.known = Some(Leaf {
            result: FirstWdl::from_outcome(&outcome),
            bounds: if params.use_proven {
                Bounds::from_outcome(&outcome)
            } else {
                Bounds::OPEN
            },
            is_visit: true,
        });
    } else if params.use_proven
        && let Some(leads) = game.lead_bounds(&walk.leaf)
    {
        walk.bounds = Bounds::from_lead(leads);
        let is_root = walk.path.len() == 1;
        if walk.bounds.is_exact() && !is_root {
            walk.known = Some(Leaf {
                result: walk.bounds.apply(FirstWdl::UNKNOWN),
                bounds: walk.bounds,
                is_visit: true,
            });
        }
    }
}
