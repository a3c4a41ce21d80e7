//! One search: walking to a leaf, folding its evaluation in, moving the root.

use crate::priors::{add_noise, normalise};
use crate::proof::Proof;
use crate::puct::{exploration, select};
use crate::tree::{ROOT, ROOT_EDGE, Tree};
use crate::value::FirstWdl;
use crate::{Evaluation, Request, SearchParams};
use rand::Rng;
use tablero_env::random::Stream;
use tablero_env::{ActionId, Game, Player};

/// A Monte-Carlo tree search from one position: PUCT with proven values.
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
    params: SearchParams,
    pub(crate) stream: Stream,
    pub(crate) root: G::State,
    pub(crate) tree: Tree,
    /// The priors of the root's edges, in the tree's order, with noise.
    pub(crate) root_priors: Vec<f32>,
    n_simulations: u32,

    /// The edges from the root to the leaf that is waiting.
    path: Vec<u32>,
    leaf: G::State,
    /// The legal actions of the leaf, ascending.
    legal: Vec<ActionId>,
    /// Scratch: the priors of the leaf.
    priors: Vec<f32>,
    /// Set while an evaluation is awaited.
    nonce: Option<u64>,
}

/// How a simulation began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gathered {
    /// It waits for an evaluation: of [`Search::request`], to be given to [`Search::apply`].
    Request,
    /// It reached a finished or proven position, and is complete.
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
        let mut search = Search {
            game,
            params,
            stream,
            leaf: state.clone(),
            root: state,
            tree: Tree::default(),
            root_priors: Vec::new(),
            n_simulations: 0,
            path: Vec::new(),
            legal: Vec::new(),
            priors: Vec::new(),
            nonce: None,
        };
        search.plant();
        search
    }

    /// Starts the tree anew with the root alone, its priors equal until it is evaluated.
    fn plant(&mut self) {
        self.tree.clear();
        self.game.legal_actions(&self.root, &mut self.legal);
        let n_legal = self.legal.len();
        self.priors.clear();
        self.priors.resize(n_legal, 1.0 / n_legal as f32);
        let mover = self.game.player_to_move(&self.root);
        self.tree
            .expand(ROOT_EDGE, mover, &self.legal, &self.priors);
        self.tree.open(ROOT);
        self.root_priors.clone_from(&self.priors);
        if let Some(outcome) = self.game.outcome(&self.root) {
            let result = FirstWdl::from_outcome(&outcome);
            self.tree
                .back_up(&[ROOT_EDGE as u32], result, Proof::from_outcome(&outcome));
        }
    }

    /// Begins a simulation: walks from the root by the selection rule to a position that is not
    /// expanded.
    ///
    /// While an evaluation is awaited, nothing is done, and the answer is
    /// [`Gathered::Request`] again.
    pub fn gather(&mut self) -> Gathered {
        if self.nonce.is_some() {
            return Gathered::Request;
        }
        if self.tree.proof(ROOT_EDGE) != Proof::Open {
            return Gathered::Proven;
        }
        self.path.clear();
        self.path.push(ROOT_EDGE as u32);
        self.leaf.clone_from(&self.root);
        // Before its first visit, the root is the leaf.
        if self.tree.n_visits(ROOT_EDGE) > 0 {
            let mut node = ROOT;
            let mut edge = ROOT_EDGE;
            loop {
                self.tree.open(node);
                let rank = self.select(node, edge);
                edge = self.tree.edges(node).start + rank;
                self.path.push(edge as u32);
                if let Some(result) = self.tree.proof(edge).wdl() {
                    return self.back_up(result, Proof::Open);
                }
                let action = self.tree.action(self.tree.moves(node).start + rank);
                self.game.play_unchecked(&mut self.leaf, action);
                match self.tree.child(edge) {
                    Some(child) => node = child,
                    None => break,
                }
            }
            if let Some(outcome) = self.game.outcome(&self.leaf) {
                let proof = if self.params.use_proven {
                    Proof::from_outcome(&outcome)
                } else {
                    Proof::Open
                };
                return self.back_up(FirstWdl::from_outcome(&outcome), proof);
            }
        }
        self.game.legal_actions(&self.leaf, &mut self.legal);
        self.nonce = Some(self.stream.next_u64());
        Gathered::Request
    }

    /// The rank of the move to follow from `node`, to which `edge` leads.
    #[inline]
    fn select(&self, node: usize, edge: usize) -> usize {
        let tree = &self.tree;
        let mut moves = tree.choices(node);
        let mut fpu_reduction = self.params.fpu_reduction;
        if node == ROOT {
            moves.priors = &self.root_priors;
            fpu_reduction = self.params.root_fpu_reduction;
        }
        let mover = tree.mover(node);
        let parent_value = tree.value(edge).seen_by(mover);
        let exploration = exploration(&self.params, tree.n_visits(edge));
        select(moves, mover, exploration, parent_value, fpu_reduction)
    }

    fn back_up(&mut self, result: FirstWdl, proof: Proof) -> Gathered {
        self.tree.back_up(&self.path, result, proof);
        self.n_simulations += 1;
        Gathered::Backed
    }

    /// The position whose evaluation is awaited.
    ///
    /// # Panics
    /// If none is: the last [`gather`](Search::gather) did not return [`Gathered::Request`], or
    /// its evaluation was applied.
    #[must_use]
    pub fn request(&self) -> Request<'_, G> {
        Request {
            state: &self.leaf,
            legal: &self.legal,
            nonce: self.nonce.expect("an evaluation is awaited"),
        }
    }

    /// Completes the simulation with the evaluation of [`request`](Search::request).
    ///
    /// Priors that are no distribution count as equal, win, draw and loss that are none as
    /// equally likely.
    ///
    /// # Panics
    /// If no evaluation is awaited, or if there is not one prior for each legal action.
    pub fn apply(&mut self, evaluation: Evaluation<'_>) {
        let awaited = self.nonce.take();
        assert!(awaited.is_some(), "no evaluation is awaited");
        let n_legal = self.legal.len();
        assert_eq!(evaluation.priors.len(), n_legal, "one prior a legal action");
        normalise(evaluation.priors, &mut self.priors);
        let leaf = *self.path.last().expect("a path begins at the root") as usize;
        let mover = self.game.player_to_move(&self.leaf);
        if leaf == ROOT_EDGE {
            self.tree.set_moves(ROOT, &self.legal, &self.priors);
            self.set_root_priors();
        } else if self.tree.n_nodes() < self.params.max_nodes && self.tree.has_numbers_for(n_legal)
        {
            self.tree.expand(leaf, mover, &self.legal, &self.priors);
        }
        self.back_up(FirstWdl::from_mover(evaluation.wdl, mover), Proof::Open);
    }

    /// Gives the root its priors with noise, and brings its untried moves into their order.
    fn set_root_priors(&mut self) {
        let moves = self.tree.moves(ROOT);
        self.root_priors.clear();
        self.root_priors
            .extend(moves.map(|a_move| self.tree.prior(a_move)));
        if let Some(noise) = self.params.noise {
            add_noise(&mut self.root_priors, noise, &mut self.stream);
            let n_tried = self.tree.n_tried(ROOT);
            self.tree
                .sort_untried_by(ROOT, &mut self.root_priors[n_tried..]);
        }
    }

    /// Begins anew from `state`, in the storage of the old tree. The stream goes on.
    pub fn restart(&mut self, state: G::State) {
        self.root = state;
        self.nonce = None;
        self.n_simulations = 0;
        self.plant();
    }

    /// Plays `action` and makes the position after it the root. What the search knows about that
    /// position is kept, the rest of the tree is dropped; an awaited evaluation is, too. The
    /// root's priors get new noise.
    ///
    /// # Errors
    /// The broken rule; the search is then unchanged.
    pub fn advance(&mut self, action: ActionId) -> Result<(), G::Illegal> {
        self.game.play(&mut self.root, action)?;
        self.nonce = None;
        self.n_simulations = 0;
        let mut moves = self.tree.moves(ROOT).zip(self.tree.edges(ROOT));
        let edge =
            moves.find_map(|(a_move, edge)| (self.tree.action(a_move) == action).then_some(edge));
        match edge.filter(|&edge| self.tree.child(edge).is_some()) {
            Some(edge) => {
                self.tree.re_root(edge);
                self.set_root_priors();
            }
            None => self.plant(),
        }
        Ok(())
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
        &self.root
    }

    /// Who moves at the root.
    #[must_use]
    pub fn player_to_move(&self) -> Player {
        self.tree.mover(ROOT)
    }

    /// The simulations completed since [`new`](Search::new) or the last
    /// [`advance`](Search::advance), the evaluation of the root included.
    #[must_use]
    pub fn n_simulations(&self) -> u32 {
        self.n_simulations
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
        self.tree.n_bytes()
    }
}
