//! The search tree as a struct of arrays.
//!
//! A *node* is an expanded position. It has one *move* for each legal action, with its prior,
//! and, as soon as the search walks through it, one *edge* for each move, with what the search
//! learnt about it; most nodes are leaves and never need edges. Move k and edge k of a node
//! belong together. First stand those tried, in the order in which they were first tried, then
//! the others by falling prior, ties by rising action. So the one to try next is always the first
//! untried one.
//!
//! Edge [`ROOT_EDGE`] leads to the root, as every other edge leads to the position after its
//! move, and holds the root's own statistics. The root always has its edges.

use crate::proof::{Proof, prove};
use crate::puct::Moves;
use crate::value::{FirstValue, FirstWdl};
use std::ops::Range;
use tablero_env::{ActionId, Player};

/// The root.
pub(crate) const ROOT: usize = 0;
/// The edge that leads to the root.
pub(crate) const ROOT_EDGE: usize = 0;
/// The child of an edge whose position is not expanded.
const NO_NODE: u32 = u32::MAX;
/// The first edge of a node that has none yet.
const NO_EDGE: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    // One element a node, a parent before its children.
    first_move: Vec<u32>,
    n_moves: Vec<u32>,
    first_edge: Vec<u32>,
    n_tried: Vec<u32>,
    mover: Vec<Player>,
    /// The mean probability of a draw over the visits.
    draw: Vec<f32>,
    /// The value that the evaluator gave to the position itself.
    raw_value: Vec<FirstValue>,

    // One element a move, in the order of the nodes.
    action: Vec<ActionId>,
    prior: Vec<f32>,

    // One element an edge, in the order in which the search walked through the nodes.
    n_visits: Vec<u32>,
    /// The mean over the visits; the exact value once it is proven.
    value: Vec<FirstValue>,
    proof: Vec<Proof>,
    child: Vec<u32>,

    /// Scratch: moves being sorted, as (key, prior, action).
    sorting: Vec<(f32, f32, ActionId)>,
    /// Scratch: the new numbers of nodes, while the root moves.
    numbers: Vec<u32>,
}

impl Tree {
    /// Forgets everything but the edge that leads to the root, which is left unvisited.
    pub fn clear(&mut self) {
        self.truncate_nodes(0, 0);
        self.truncate_edges(0);
        self.push_edges(1);
    }

    pub fn n_nodes(&self) -> usize {
        self.mover.len()
    }

    /// Bytes held by the arrays.
    pub fn n_bytes(&self) -> usize {
        let node = size_of::<u32>() * 4 + size_of::<Player>() + size_of::<f32>() * 2;
        let a_move = size_of::<ActionId>() + size_of::<f32>();
        let edge = size_of::<u32>() * 2 + size_of::<FirstValue>() + size_of::<Proof>();
        self.mover.capacity() * node
            + self.action.capacity() * a_move
            + self.proof.capacity() * edge
            + self.sorting.capacity() * size_of::<(f32, f32, ActionId)>()
            + self.numbers.capacity() * size_of::<u32>()
    }

    /// Whether a node with `n_moves` more moves can be numbered.
    pub fn has_numbers_for(&self, n_moves: usize) -> bool {
        self.action.len() + n_moves < NO_EDGE as usize
    }

    /// The moves of a node.
    #[inline]
    pub fn moves(&self, node: usize) -> Range<usize> {
        let first = self.first_move[node] as usize;
        first..first + self.n_moves[node] as usize
    }

    #[inline]
    fn untried_moves(&self, node: usize) -> Range<usize> {
        let moves = self.moves(node);
        moves.start + self.n_tried[node] as usize..moves.end
    }

    /// The edges of a node, none if the search has not walked through it yet.
    #[inline]
    pub fn edges(&self, node: usize) -> Range<usize> {
        match self.first_edge[node] {
            NO_EDGE => 0..0,
            first => first as usize..first as usize + self.n_moves[node] as usize,
        }
    }

    #[inline]
    pub fn n_tried(&self, node: usize) -> usize {
        self.n_tried[node] as usize
    }

    #[inline]
    pub fn mover(&self, node: usize) -> Player {
        self.mover[node]
    }

    #[inline]
    pub fn action(&self, a_move: usize) -> ActionId {
        self.action[a_move]
    }

    #[inline]
    pub fn prior(&self, a_move: usize) -> f32 {
        self.prior[a_move]
    }

    #[inline]
    pub fn n_visits(&self, edge: usize) -> u32 {
        self.n_visits[edge]
    }

    #[inline]
    pub fn value(&self, edge: usize) -> FirstValue {
        self.value[edge]
    }

    #[inline]
    pub fn proof(&self, edge: usize) -> Proof {
        self.proof[edge]
    }

    /// What is proven about the moves of a node that has edges.
    pub fn proofs(&self, node: usize) -> &[Proof] {
        &self.proof[self.edges(node)]
    }

    /// The value that the evaluator gave to the position of a node; 0 before it is judged.
    #[inline]
    pub fn raw_value(&self, node: usize) -> FirstValue {
        self.raw_value[node]
    }

    /// The node that an edge leads to, if that position is expanded.
    #[inline]
    pub fn child(&self, edge: usize) -> Option<usize> {
        let child = self.child[edge];
        (child != NO_NODE).then_some(child as usize)
    }

    /// The mean judgement of an expanded position, to which `edge` leads.
    pub fn wdl(&self, edge: usize) -> FirstWdl {
        FirstWdl {
            value: self.value[edge],
            draw: self.draw[self.child[edge] as usize],
        }
    }

    /// The moves of a node that has edges, as the selection rule sees them.
    #[inline]
    pub fn choices(&self, node: usize) -> Moves<'_> {
        let edges = self.edges(node);
        Moves {
            priors: &self.prior[self.moves(node)],
            n_visits: &self.n_visits[edges.clone()],
            values: &self.value[edges.clone()],
            proofs: &self.proof[edges],
            n_tried: self.n_tried[node] as usize,
        }
    }

    /// Adds the node that `edge` leads to, with one move for each of `actions` (ascending).
    pub fn expand(
        &mut self,
        edge: usize,
        mover: Player,
        actions: &[ActionId],
        priors: &[f32],
        raw_value: FirstValue,
    ) {
        let node = self.n_nodes();
        self.child[edge] = node as u32;
        self.first_move.push(self.action.len() as u32);
        self.n_moves.push(actions.len() as u32);
        self.first_edge.push(NO_EDGE);
        self.n_tried.push(0);
        self.mover.push(mover);
        self.draw.push(0.0);
        self.raw_value.push(raw_value);
        self.action.extend_from_slice(actions);
        self.prior.extend_from_slice(priors);
        self.sort_untried(node);
    }

    /// Gives a node its edges, if it has none yet.
    #[inline]
    pub fn open(&mut self, node: usize) {
        if self.first_edge[node] == NO_EDGE {
            self.first_edge[node] = self.proof.len() as u32;
            self.push_edges(self.n_moves[node] as usize);
        }
    }

    /// Rewrites the moves and the value of a node of which no move is tried.
    pub fn set_moves(
        &mut self,
        node: usize,
        actions: &[ActionId],
        priors: &[f32],
        raw_value: FirstValue,
    ) {
        self.raw_value[node] = raw_value;
        let moves = self.moves(node);
        self.action[moves.clone()].copy_from_slice(actions);
        self.prior[moves].copy_from_slice(priors);
        self.sort_untried(node);
    }

    /// Orders the untried moves of a node by falling priors.
    pub fn sort_untried(&mut self, node: usize) {
        let untried = self.untried_moves(node);
        let priors = &self.prior[untried.clone()];
        // Without an early exit, so that it runs in vectors.
        let is_sorted = priors
            .windows(2)
            .fold(true, |all, pair| all & (pair[0] >= pair[1]));
        if !is_sorted {
            self.sorting.clear();
            let moves = untried.map(|a_move| (self.prior[a_move], a_move));
            self.sorting
                .extend(moves.map(|(prior, a_move)| (prior, prior, self.action[a_move])));
            self.write_sorted(node);
        }
    }

    /// Orders the untried moves of a node by falling `keys` instead of their priors, and the
    /// keys alike.
    pub fn sort_untried_by(&mut self, node: usize, keys: &mut [f32]) {
        let moves = self.untried_moves(node).zip(keys.iter());
        self.sorting.clear();
        self.sorting
            .extend(moves.map(|(a_move, &key)| (key, self.prior[a_move], self.action[a_move])));
        self.write_sorted(node);
        for (key, sorted) in keys.iter_mut().zip(&self.sorting) {
            *key = sorted.0;
        }
    }

    fn write_sorted(&mut self, node: usize) {
        self.sorting
            .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        for (a_move, &(_, prior, action)) in self.untried_moves(node).zip(&self.sorting) {
            self.prior[a_move] = prior;
            self.action[a_move] = action;
        }
    }

    /// Adds a result to every edge of `path`, which leads from [`ROOT_EDGE`] to a leaf. With a
    /// `proof`, the leaf is proven, and so is each node above as far as that proves it; from
    /// there on the exact value takes the place of the result.
    pub fn back_up(&mut self, path: &[u32], mut result: FirstWdl, mut proof: Proof) {
        for (depth, &edge) in path.iter().enumerate().rev() {
            let edge = edge as usize;
            let parent = depth
                .checked_sub(1)
                .map(|above| self.child[path[above] as usize] as usize);
            if self.n_visits[edge] == 0
                && let Some(parent) = parent
            {
                self.n_tried[parent] += 1;
            }
            if proof != Proof::Open {
                self.proof[edge] = proof;
            }
            // An evaluation may have been on its way when the edge was proven.
            if let Some(exact) = self.proof[edge].wdl() {
                result = exact;
            }
            self.record(edge, result);
            proof = match parent {
                Some(parent) if proof != Proof::Open => {
                    prove(self.mover[parent], self.proofs(parent))
                }
                _ => Proof::Open,
            };
        }
    }

    #[inline]
    fn record(&mut self, edge: usize, result: FirstWdl) {
        self.n_visits[edge] += 1;
        let n = self.n_visits[edge] as f32;
        let child = self.child(edge);
        if self.proof[edge] == Proof::Open {
            self.value[edge].0 += (result.value.0 - self.value[edge].0) / n;
            if let Some(child) = child {
                self.draw[child] += (result.draw - self.draw[child]) / n;
            }
        } else {
            self.value[edge] = result.value;
            if let Some(child) = child {
                self.draw[child] = result.draw;
            }
        }
    }

    /// Keeps only the part below `edge`, whose position becomes the root, and gives the place of
    /// the rest to new nodes; the arrays keep their capacity.
    ///
    /// # Panics
    /// If the position is not expanded.
    pub fn re_root(&mut self, edge: usize) {
        let new_root = self.child(edge).expect("an expanded position");
        self.open(new_root);
        self.number_kept_nodes(new_root);
        self.move_edge(edge, ROOT_EDGE);
        self.compact_edges();
        self.compact_nodes();
        for child in &mut self.child {
            if *child != NO_NODE {
                *child = self.numbers[*child as usize];
            }
        }
    }

    /// Fills `numbers` with the new number of each node below `new_root` and [`NO_NODE`] for the
    /// others. Numbers keep the order, so that everything moves towards the front.
    fn number_kept_nodes(&mut self, new_root: usize) {
        self.numbers.clear();
        self.numbers.resize(self.n_nodes(), NO_NODE);
        self.numbers[new_root] = ROOT as u32;
        let mut n_kept = 0;
        for node in new_root..self.n_nodes() {
            // Parents come before their children, so it is known by now whether the node stays.
            if self.numbers[node] == NO_NODE {
                continue;
            }
            self.numbers[node] = n_kept;
            n_kept += 1;
            for edge in self.edges(node) {
                if let Some(child) = self.child(edge) {
                    self.numbers[child] = ROOT as u32;
                }
            }
        }
    }

    fn compact_edges(&mut self) {
        let kept = (0..self.n_nodes() as u32).filter(|&node| {
            self.numbers[node as usize] != NO_NODE && self.first_edge[node as usize] != NO_EDGE
        });
        let mut kept: Vec<u32> = kept.collect();
        kept.sort_unstable_by_key(|&node| self.first_edge[node as usize]);
        let mut n_edges = ROOT_EDGE + 1;
        for node in kept {
            let edges = self.edges(node as usize);
            self.first_edge[node as usize] = n_edges as u32;
            for edge in edges {
                self.move_edge(edge, n_edges);
                n_edges += 1;
            }
        }
        self.truncate_edges(n_edges);
    }

    fn compact_nodes(&mut self) {
        let (mut n_nodes, mut n_moves) = (0, 0);
        for old in 0..self.n_nodes() {
            if self.numbers[old] == NO_NODE {
                continue;
            }
            let moves = self.moves(old);
            let len = moves.len();
            self.action.copy_within(moves.clone(), n_moves);
            self.prior.copy_within(moves, n_moves);
            self.first_move[n_nodes] = n_moves as u32;
            self.n_moves[n_nodes] = self.n_moves[old];
            self.first_edge[n_nodes] = self.first_edge[old];
            self.n_tried[n_nodes] = self.n_tried[old];
            self.mover[n_nodes] = self.mover[old];
            self.draw[n_nodes] = self.draw[old];
            self.raw_value[n_nodes] = self.raw_value[old];
            n_nodes += 1;
            n_moves += len;
        }
        self.truncate_nodes(n_nodes, n_moves);
    }

    fn move_edge(&mut self, from: usize, to: usize) {
        self.n_visits[to] = self.n_visits[from];
        self.value[to] = self.value[from];
        self.proof[to] = self.proof[from];
        self.child[to] = self.child[from];
    }

    fn truncate_nodes(&mut self, n_nodes: usize, n_moves: usize) {
        self.first_move.truncate(n_nodes);
        self.n_moves.truncate(n_nodes);
        self.first_edge.truncate(n_nodes);
        self.n_tried.truncate(n_nodes);
        self.mover.truncate(n_nodes);
        self.draw.truncate(n_nodes);
        self.raw_value.truncate(n_nodes);
        self.action.truncate(n_moves);
        self.prior.truncate(n_moves);
    }

    fn truncate_edges(&mut self, n_edges: usize) {
        self.n_visits.truncate(n_edges);
        self.value.truncate(n_edges);
        self.proof.truncate(n_edges);
        self.child.truncate(n_edges);
    }

    #[inline]
    fn push_edges(&mut self, n: usize) {
        let end = self.proof.len() + n;
        self.n_visits.resize(end, 0);
        self.value.resize(end, FirstValue::default());
        self.proof.resize(end, Proof::Open);
        self.child.resize(end, NO_NODE);
    }
}
