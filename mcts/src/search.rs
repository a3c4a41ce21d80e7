//! One search: walking to a leaf, folding its evaluation in, moving the root.

use crate::priors::normalise;
use crate::proof::Proof;
use crate::puct::{exploration, select};
use crate::root::Root;
use crate::tree::{ROOT, ROOT_EDGE, Tree};
use crate::value::FirstWdl;
use crate::walk::{VirtualLosses, Walk};
use crate::{Budget, Evaluation, Request, RootSelection, SearchParams, gumbel};
use rand::Rng;
use tablero_env::random::Stream;
use tablero_env::{ActionId, Game, Player};

/// A Monte-Carlo tree search from one position: PUCT or Gumbel, with proven values.
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
    pub(crate) state: G::State,
    pub(crate) tree: Tree,
    pub(crate) root: Root,
    /// Storage of simulations; the first `n_waiting` of them wait, in the order in which they
    /// began, the first of all for an evaluation.
    walks: Vec<Walk<G>>,
    n_waiting: usize,
    virtual_losses: VirtualLosses,
    /// Scratch: the priors of a leaf.
    priors: Vec<f32>,
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
        let mut search = Search {
            game,
            params,
            stream,
            walks: vec![Walk::new(state.clone())],
            state,
            tree: Tree::default(),
            root: Root::default(),
            n_waiting: 0,
            virtual_losses: VirtualLosses::default(),
            priors: Vec::new(),
        };
        search.plant();
        search
    }

    /// Starts the tree anew with the root alone, its priors equal until it is evaluated.
    fn plant(&mut self) {
        self.tree.clear();
        let legal = &mut self.walks[0].legal;
        self.game.legal_actions(&self.state, legal);
        self.priors.clear();
        self.priors.resize(legal.len(), 1.0 / legal.len() as f32);
        let mover = self.game.player_to_move(&self.state);
        let unknown = FirstWdl::UNKNOWN.value;
        self.tree
            .expand(ROOT_EDGE, mover, legal, &self.priors, unknown);
        self.tree.open(ROOT);
        self.root.begin(&self.tree, true);
        if let Some(outcome) = self.game.outcome(&self.state) {
            let result = FirstWdl::from_outcome(&outcome);
            self.tree
                .back_up(&[ROOT_EDGE as u32], result, Proof::from_outcome(&outcome));
        }
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
        if self.tree.proof(ROOT_EDGE) != Proof::Open {
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
            if walk.legal.is_empty() {
                let outcome = self.game.outcome(&walk.leaf);
                let outcome = outcome.expect("a position without legal actions is finished");
                let proof = if self.params.use_proven {
                    Proof::from_outcome(&outcome)
                } else {
                    Proof::Open
                };
                walk.known = Some((FirstWdl::from_outcome(&outcome), proof));
            }
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
        walk.path.clear();
        walk.path.push(ROOT_EDGE as u32);
        walk.leaf.clone_from(&self.state);
        // Before its first visit, the root is the leaf.
        if tree.n_visits(ROOT_EDGE) == 0 {
            return waiting.is_empty();
        }
        let (mut node, mut edge) = (ROOT, ROOT_EDGE);
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
                let n_visits = tree.n_visits(edge) + n_passing;
                let mover = tree.mover(node);
                match (&self.params.root, node) {
                    (RootSelection::Puct, ROOT) => {
                        self.root.select_puct(tree, &self.params, moves, n_visits)
                    }
                    (RootSelection::Puct, _) => {
                        let value = tree.value(edge).seen_by(mover);
                        let exploration = exploration(&self.params, n_visits);
                        select(moves, mover, exploration, value, self.params.fpu_reduction)
                    }
                    (RootSelection::Gumbel(params), ROOT) => {
                        self.root.select_gumbel(tree, params, moves, n_passing)
                    }
                    (RootSelection::Gumbel(params), _) => {
                        let raw_value = tree.raw_value(node).seen_by(mover);
                        gumbel::select(moves, mover, raw_value, params)
                    }
                }
            };
            edge = tree.edges(node).start + rank;
            walk.path.push(edge as u32);
            if let Some(result) = tree.proof(edge).wdl() {
                walk.known = Some((result, Proof::Open));
                return true;
            }
            let action = tree.action(tree.moves(node).start + rank);
            self.game.play_unchecked(&mut walk.leaf, action);
            match tree.child(edge) {
                Some(child) => node = child,
                None => break,
            }
        }
        waiting
            .iter()
            .all(|other| other.path.last() != walk.path.last())
    }

    /// Completes the simulations in front whose results are known.
    fn complete_known(&mut self) {
        while let Some(walk) = self.walks[..self.n_waiting].first()
            && let Some((result, proof)) = walk.known
        {
            self.complete(result, proof);
        }
    }

    /// Completes the simulation in front.
    fn complete(&mut self, result: FirstWdl, proof: Proof) {
        self.tree.back_up(&self.walks[0].path, result, proof);
        self.root.n_simulations += 1;
        self.walks[..self.n_waiting].rotate_left(1);
        self.n_waiting -= 1;
    }

    /// The simulations that began and are not complete.
    #[must_use]
    pub fn n_waiting(&self) -> usize {
        self.n_waiting
    }

    /// The position whose evaluation is to be applied next.
    ///
    /// # Panics
    /// If none is awaited.
    #[must_use]
    pub fn request(&self) -> Request<'_, G> {
        self.requests().next().expect("an evaluation is awaited")
    }

    /// The positions whose evaluations are awaited, in the order in which they are to be applied.
    pub fn requests(&self) -> impl Iterator<Item = Request<'_, G>> {
        let waiting = self.walks[..self.n_waiting].iter();
        let unknown = waiting.filter(|walk| walk.known.is_none());
        unknown.map(|walk| Request {
            state: &walk.leaf,
            legal: &walk.legal,
            nonce: walk.nonce,
        })
    }

    /// Completes the simulation that waits for the evaluation of [`request`](Search::request),
    /// the oldest.
    ///
    /// Priors that are no distribution count as equal, win, draw and loss that are none as
    /// equally likely.
    ///
    /// # Panics
    /// If no evaluation is awaited, or if there is not one prior for each legal action.
    pub fn apply(&mut self, evaluation: Evaluation<'_>) {
        assert!(self.n_waiting > 0, "no evaluation is awaited");
        let walk = &self.walks[0];
        let n_legal = walk.legal.len();
        assert_eq!(evaluation.priors.len(), n_legal, "one prior a legal action");
        normalise(evaluation.priors, &mut self.priors);
        let leaf = *walk.path.last().expect("a path begins at the root") as usize;
        let mover = self.game.player_to_move(&walk.leaf);
        let result = FirstWdl::from_mover(evaluation.wdl, mover);
        let tree = &mut self.tree;
        if leaf == ROOT_EDGE {
            tree.set_moves(ROOT, &walk.legal, &self.priors, result.value);
            self.root.draw(tree, &self.params, &mut self.stream);
        } else if tree.n_nodes() < self.params.max_nodes && tree.has_numbers_for(n_legal) {
            tree.expand(leaf, mover, &walk.legal, &self.priors, result.value);
        }
        self.complete(result, Proof::Open);
        self.complete_known();
    }

    /// Begins anew from `state`, in the storage of the old tree. The stream goes on.
    pub fn restart(&mut self, state: G::State) {
        self.state = state;
        self.n_waiting = 0;
        self.plant();
    }

    /// Plays `action` and makes the position after it the root. What the search knows about that
    /// position is kept, the rest of the tree is dropped; what waits for an evaluation is, too.
    /// The root's priors get new noise.
    ///
    /// # Errors
    /// The broken rule; the search is then unchanged.
    pub fn advance(&mut self, action: ActionId) -> Result<(), G::Illegal> {
        self.game.play(&mut self.state, action)?;
        self.n_waiting = 0;
        let mut moves = self.tree.moves(ROOT).zip(self.tree.edges(ROOT));
        let edge =
            moves.find_map(|(a_move, edge)| (self.tree.action(a_move) == action).then_some(edge));
        match edge.filter(|&edge| self.tree.child(edge).is_some()) {
            Some(edge) => {
                self.tree.re_root(edge);
                self.root.begin(&self.tree, false);
                self.root
                    .draw(&mut self.tree, &self.params, &mut self.stream);
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
        &self.state
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
        self.tree.n_bytes()
    }
}
