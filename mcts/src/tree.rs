//! The search tree as a struct of arrays.
//!
//! A *node* is an expanded position; an *edge* is a legal move of it, and holds what the search
//! knows about that move. The edges of a node are contiguous: first those tried, in the order in
//! which they were first tried, then the others by falling prior, ties by rising action. So the
//! edge to try next is always the first untried one. Edge [`ROOT_EDGE`] leads to the root, as
//! every other edge leads to the position after its move, and holds the root's own statistics.
//!
//! A node's edges stand behind those of every older node, and a child is younger than its
//! parent; [`Tree::re_root`] relies on both to compact in place.

use crate::proof::{Proof, prove};
use crate::puct::Moves;
use crate::value::{FirstValue, FirstWdl};
use std::ops::Range;
use tablero_env::{ActionId, Player};

/// The root.
pub(crate) const ROOT: usize = 0;
/// The edge that leads to the root; its action and prior mean nothing.
pub(crate) const ROOT_EDGE: usize = 0;
/// The child of an edge whose position is not expanded.
const NO_NODE: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    // One element a node.
    first_edge: Vec<u32>,
    n_edges: Vec<u32>,
    n_tried: Vec<u32>,
    mover: Vec<Player>,
    /// The mean probability of a draw over the visits.
    draw: Vec<f32>,

    // One element an edge.
    action: Vec<ActionId>,
    prior: Vec<f32>,
    n_visits: Vec<u32>,
    /// The mean over the visits; the exact value once it is proven.
    value: Vec<FirstValue>,
    proof: Vec<Proof>,
    child: Vec<u32>,

    /// Scratch: edges being sorted, as (key, prior, action).
    sorting: Vec<(f32, f32, ActionId)>,
    /// Scratch: the new numbers of nodes, while the root moves.
    numbers: Vec<u32>,
}

impl Tree {
    /// Forgets everything but the edge that leads to the root, which is left unvisited.
    pub fn clear(&mut self) {
        self.truncate(0, 0);
        self.push_edges(1);
    }

    pub fn n_nodes(&self) -> usize {
        self.mover.len()
    }

    /// Bytes held by the arrays.
    pub fn n_bytes(&self) -> usize {
        let node = size_of::<u32>() * 3 + size_of::<Player>() + size_of::<f32>();
        let edge = size_of::<ActionId>()
            + size_of::<f32>() * 2
            + size_of::<u32>() * 2
            + size_of::<Proof>();
        self.mover.capacity() * node
            + self.action.capacity() * edge
            + self.numbers.capacity() * size_of::<u32>()
    }

    /// Whether a node with `n_edges` more edges can be numbered.
    pub fn has_numbers_for(&self, n_edges: usize) -> bool {
        self.action.len() + n_edges < NO_NODE as usize
    }

    /// The edges of a node.
    #[inline]
    pub fn edges(&self, node: usize) -> Range<usize> {
        let first = self.first_edge[node] as usize;
        first..first + self.n_edges[node] as usize
    }

    /// The tried edges of a node.
    #[inline]
    pub fn tried(&self, node: usize) -> Range<usize> {
        let first = self.first_edge[node] as usize;
        first..first + self.n_tried[node] as usize
    }

    #[inline]
    pub fn mover(&self, node: usize) -> Player {
        self.mover[node]
    }

    #[inline]
    pub fn action(&self, edge: usize) -> ActionId {
        self.action[edge]
    }

    #[inline]
    pub fn prior(&self, edge: usize) -> f32 {
        self.prior[edge]
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

    /// What is proven about the moves of a node.
    pub fn proofs(&self, node: usize) -> &[Proof] {
        &self.proof[self.edges(node)]
    }

    /// The node that an edge leads to, if that position is expanded.
    #[inline]
    pub fn child(&self, edge: usize) -> Option<usize> {
        let child = self.child[edge];
        (child != NO_NODE).then_some(child as usize)
    }

    /// The mean judgement of the root.
    pub fn root_wdl(&self) -> FirstWdl {
        FirstWdl {
            value: self.value[ROOT_EDGE],
            draw: self.draw[ROOT],
        }
    }

    /// The moves of a node as the selection rule sees them.
    #[inline]
    pub fn moves(&self, node: usize) -> Moves<'_> {
        let edges = self.edges(node);
        Moves {
            priors: &self.prior[edges.clone()],
            n_visits: &self.n_visits[edges.clone()],
            values: &self.value[edges.clone()],
            proofs: &self.proof[edges],
            n_tried: self.n_tried[node] as usize,
        }
    }

    /// Adds the node that `edge` leads to, with one edge for each of `legal` (ascending) in the
    /// order of `priors`.
    pub fn expand(&mut self, edge: usize, mover: Player, legal: &[ActionId], priors: &[f32]) {
        let node = self.n_nodes();
        self.child[edge] = node as u32;
        self.first_edge.push(self.action.len() as u32);
        self.n_edges.push(legal.len() as u32);
        self.n_tried.push(0);
        self.mover.push(mover);
        self.draw.push(0.0);
        self.push_edges(legal.len());
        self.set_untried(node, legal, priors);
    }

    /// Gives the untried edges of a node these actions (ascending) and priors, and their order.
    pub fn set_untried(&mut self, node: usize, actions: &[ActionId], priors: &[f32]) {
        let untried = self.tried(node).end..self.edges(node).end;
        if priors.is_sorted_by(|a, b| a >= b) {
            self.action[untried.clone()].copy_from_slice(actions);
            self.prior[untried].copy_from_slice(priors);
        } else {
            self.sorting.clear();
            let edges = priors.iter().zip(actions);
            self.sorting
                .extend(edges.map(|(&prior, &action)| (prior, prior, action)));
            self.write_sorted(untried);
        }
    }

    /// Orders the untried edges of a node by falling `keys` instead of their priors, ties by
    /// rising action, and the keys alike.
    pub fn sort_untried(&mut self, node: usize, keys: &mut [f32]) {
        let untried = self.tried(node).end..self.edges(node).end;
        self.sorting.clear();
        let edges = untried.clone().zip(keys.iter());
        self.sorting
            .extend(edges.map(|(edge, &key)| (key, self.prior[edge], self.action[edge])));
        self.write_sorted(untried);
        for (key, sorted) in keys.iter_mut().zip(&self.sorting) {
            *key = sorted.0;
        }
    }

    fn write_sorted(&mut self, edges: Range<usize>) {
        self.sorting
            .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        for (edge, &(_, prior, action)) in edges.zip(&self.sorting) {
            self.prior[edge] = prior;
            self.action[edge] = action;
        }
    }

    /// Adds a result to every edge of `path`, which leads from [`ROOT_EDGE`] to a leaf. With
    /// `proof`, the leaf is proven, and so is each node above as far as that proves it; from
    /// there on the exact value takes the place of the result.
    pub fn back_up(&mut self, path: &[u32], mut result: FirstWdl, proof: Proof) {
        let mut proof = proof;
        for (depth, &edge) in path.iter().enumerate().rev() {
            let edge = edge as usize;
            if proof != Proof::Open {
                self.proof[edge] = proof;
            }
            if let Some(exact) = self.proof[edge].wdl() {
                result = exact;
            }
            let parent = depth
                .checked_sub(1)
                .and_then(|above| self.child(path[above] as usize));
            if self.n_visits[edge] == 0
                && let Some(parent) = parent
            {
                self.n_tried[parent] += 1;
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

    /// Keeps only the part below `edge`, whose position becomes the root, and gives its place to
    /// new nodes; the arrays keep their capacity.
    ///
    /// # Panics
    /// If the position is not expanded.
    pub fn re_root(&mut self, edge: usize) {
        let new_root = self.child(edge).expect("an expanded position");
        self.move_edge(edge, ROOT_EDGE);
        // Old numbers to new ones. Children are younger than their parents, so when the walk
        // comes to a node, it is known whether it stays.
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        numbers.resize(self.n_nodes(), NO_NODE);
        numbers[new_root] = ROOT as u32;
        self.child[ROOT_EDGE] = ROOT as u32;
        let mut n_nodes = 0;
        let mut n_edges = ROOT_EDGE + 1;
        for old in new_root..numbers.len() {
            if numbers[old] == NO_NODE {
                continue;
            }
            numbers[old] = n_nodes as u32;
            let edges = self.edges(old);
            self.first_edge[n_nodes] = n_edges as u32;
            self.n_edges[n_nodes] = self.n_edges[old];
            self.n_tried[n_nodes] = self.n_tried[old];
            self.mover[n_nodes] = self.mover[old];
            self.draw[n_nodes] = self.draw[old];
            n_nodes += 1;
            for edge in edges {
                if let Some(child) = self.child(edge) {
                    numbers[child] = ROOT as u32;
                }
                self.move_edge(edge, n_edges);
                n_edges += 1;
            }
        }
        self.truncate(n_nodes, n_edges);
        for child in &mut self.child[ROOT_EDGE + 1..] {
            if *child != NO_NODE {
                *child = numbers[*child as usize];
            }
        }
        self.numbers = numbers;
    }

    fn move_edge(&mut self, from: usize, to: usize) {
        self.action[to] = self.action[from];
        self.prior[to] = self.prior[from];
        self.n_visits[to] = self.n_visits[from];
        self.value[to] = self.value[from];
        self.proof[to] = self.proof[from];
        self.child[to] = self.child[from];
    }

    fn truncate(&mut self, n_nodes: usize, n_edges: usize) {
        self.first_edge.truncate(n_nodes);
        self.n_edges.truncate(n_nodes);
        self.n_tried.truncate(n_nodes);
        self.mover.truncate(n_nodes);
        self.draw.truncate(n_nodes);
        self.action.truncate(n_edges);
        self.prior.truncate(n_edges);
        self.n_visits.truncate(n_edges);
        self.value.truncate(n_edges);
        self.proof.truncate(n_edges);
        self.child.truncate(n_edges);
    }

    fn push_edges(&mut self, n: usize) {
        let end = self.action.len() + n;
        self.action.resize(end, ActionId::default());
        self.prior.resize(end, 0.0);
        self.n_visits.resize(end, 0);
        self.value.resize(end, FirstValue::default());
        self.proof.resize(end, Proof::Open);
        self.child.resize(end, NO_NODE);
    }
}
