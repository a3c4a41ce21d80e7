//! The search tree in four arrays.
//!
//! A *node* is an expanded position. It has one *move* for each legal action, with its prior,
//! and, as soon as the search walks through it, one *edge* for each move, with what the search
//! learnt about it; most nodes are leaves and never need edges. Move k and edge k of a node
//! belong together. First stand those tried, in the order in which they were first tried, then
//! the others by falling prior, ties by rising action. So the one to try next is always the first
//! untried one.
//!
//! Edge [`ROOT_EDGE`] leads to the root, as every other edge leads to the position after its
//! move. The root always has its edges.
//!
//! Several edges may lead to one node, where the search finds transpositions: the node has the
//! mean over all its visits, an edge the visits through it, and the mean and the bounds of the node
//! as they were at the last of these (Wu, "Monte-Carlo Graph Search from First Principles",
//! KataGo, 2023). In a tree, each edge has what its node has.

mod backward;
mod order;
mod re_root;

use crate::bounds::{Bounds, Cut, acceptable, best_of};
use crate::estimate::Estimate;
use crate::moves::Moves;
use std::cmp::Ordering;
use std::ops::Range;
use tablero_env::{ActionId, ForFirst, Player};

pub(crate) use backward::Leaf;

/// The edge that leads to the root.
pub(crate) const ROOT_EDGE: usize = 0;
/// The child of an edge whose position is not expanded.
const NO_NODE: u32 = u32::MAX;
/// The first edge of a node that has none yet.
const NO_EDGE: u32 = u32::MAX;

/// An expanded position.
#[derive(Clone, Copy, Debug)]
struct Node {
    first_move: u32,
    n_moves: u32,
    first_edge: u32,
    n_tried: u32,
    n_visits: u32,
    /// The mean over the visits.
    mean: Estimate,
    /// The value that the evaluator gave to the position itself.
    raw_value: ForFirst<f32>,
    mover: Player,
}

/// What the search learnt about a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub n_visits: u32,
    pub value: ForFirst<f32>,
    child: u32,
    pub bounds: Bounds,
}

impl Edge {
    /// Of a move that is not tried.
    const UNTRIED: Edge = Edge {
        n_visits: 0,
        value: ForFirst(0.0),
        child: NO_NODE,
        bounds: Bounds::OPEN,
    };

    /// Of a position that is not expanded.
    #[cfg(test)]
    pub const fn of(n_visits: u32, value: f32, bounds: Bounds) -> Edge {
        Edge {
            n_visits,
            value: ForFirst(value),
            bounds,
            ..Edge::UNTRIED
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    /// Whether several edges may lead to one node.
    pub shares_nodes: bool,

    nodes: Vec<Node>,
    // One element a move, in the order of the nodes.
    action: Vec<ActionId>,
    prior: Vec<f32>,
    /// In the order in which the search walked through the nodes.
    edges: Vec<Edge>,

    /// Scratch: moves being sorted, as (key, prior, action).
    sorting: Vec<(f32, f32, ActionId)>,
    /// Scratch: the new numbers of nodes, since the tree was compacted.
    numbers: Vec<u32>,
    /// Scratch: nodes, while it is compacted.
    pending: Vec<u32>,
}

impl Tree {
    /// Nothing, not even a root, yet.
    pub fn new(shares_nodes: bool) -> Self {
        Tree {
            shares_nodes,
            ..Tree::default()
        }
    }

    /// Forgets everything but the edge that leads to the root, which is left unvisited.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.action.clear();
        self.prior.clear();
        self.edges.clear();
        self.edges.push(Edge::UNTRIED);
    }

    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes held by the arrays.
    pub fn n_bytes(&self) -> usize {
        let mv = size_of::<ActionId>() + size_of::<f32>();
        self.nodes.capacity() * size_of::<Node>()
            + self.action.capacity() * mv
            + self.edges.capacity() * size_of::<Edge>()
            + self.sorting.capacity() * size_of::<(f32, f32, ActionId)>()
            + (self.numbers.capacity() + self.pending.capacity()) * size_of::<u32>()
    }

    /// Whether a node with `n_moves` more moves can be numbered.
    pub fn has_numbers_for(&self, n_moves: usize) -> bool {
        self.action.len() + n_moves < NO_EDGE as usize
    }

    /// The root.
    #[inline]
    pub fn root(&self) -> usize {
        self.edges[ROOT_EDGE].child as usize
    }

    /// The moves of a node.
    #[inline]
    pub fn moves(&self, node: usize) -> Range<usize> {
        let node = &self.nodes[node];
        let first = node.first_move as usize;
        first..first + node.n_moves as usize
    }

    #[inline]
    fn untried_moves(&self, node: usize) -> Range<usize> {
        let moves = self.moves(node);
        moves.start + self.n_tried(node)..moves.end
    }

    /// The edges of a node, none if the search has not walked through it yet.
    #[inline]
    pub fn edges(&self, node: usize) -> Range<usize> {
        let node = &self.nodes[node];
        match node.first_edge {
            NO_EDGE => 0..0,
            first => first as usize..first as usize + node.n_moves as usize,
        }
    }

    #[inline]
    pub fn n_tried(&self, node: usize) -> usize {
        self.nodes[node].n_tried as usize
    }

    #[inline]
    pub fn mover(&self, node: usize) -> Player {
        self.nodes[node].mover
    }

    #[inline]
    pub fn action(&self, mv: usize) -> ActionId {
        self.action[mv]
    }

    #[inline]
    pub fn prior(&self, mv: usize) -> f32 {
        self.prior[mv]
    }

    /// The visits of a position.
    #[inline]
    pub fn n_visits(&self, node: usize) -> u32 {
        self.nodes[node].n_visits
    }

    /// What is believed and proven of a position: the mean over its visits.
    #[inline]
    pub fn mean(&self, node: usize) -> Estimate {
        self.nodes[node].mean
    }

    /// The mean return of a position.
    #[inline]
    pub fn value(&self, node: usize) -> ForFirst<f32> {
        self.nodes[node].mean.value
    }

    /// What is proven of a position.
    #[inline]
    pub fn bounds(&self, node: usize) -> Bounds {
        self.nodes[node].mean.bounds
    }

    #[inline]
    pub fn edge_visits(&self, edge: usize) -> u32 {
        self.edges[edge].n_visits
    }

    #[inline]
    pub fn edge_value(&self, edge: usize) -> ForFirst<f32> {
        self.edges[edge].value
    }

    #[inline]
    pub fn edge_bounds(&self, edge: usize) -> Bounds {
        self.edges[edge].bounds
    }

    /// What the moves of a node that has edges prove of it.
    fn best_bounds(&self, node: usize) -> Bounds {
        let edges = &self.edges[self.edges(node)];
        best_of(self.mover(node), edges.iter().map(|edge| edge.bounds))
    }

    /// The value that the evaluator gave to the position of a node; 0 before it is evaluated.
    #[inline]
    pub fn raw_value(&self, node: usize) -> ForFirst<f32> {
        self.nodes[node].raw_value
    }

    /// The node that an edge leads to, if that position is expanded.
    #[inline]
    pub fn child(&self, edge: usize) -> Option<usize> {
        let child = self.edges[edge].child;
        (child != NO_NODE).then_some(child as usize)
    }

    /// The moves of a node that has edges, as the selection rule sees them.
    #[inline]
    pub fn choices(&self, node: usize) -> Moves<'_> {
        Moves {
            priors: &self.prior[self.moves(node)],
            edges: &self.edges[self.edges(node)],
            cut: Cut::new(self.mover(node), self.bounds(node)),
            n_tried: self.n_tried(node),
        }
    }

    /// The moves of a node to which no other is [preferable](acceptable), and their edges; none if the
    /// node has no edges.
    pub fn acceptable_moves(&self, node: usize) -> impl Iterator<Item = (usize, usize)> {
        let mover = self.mover(node);
        let bounds = move |edge| self.edge_bounds(edge).seen_by(mover);
        let [_, most] = self.bounds(node).seen_by(mover);
        let accept = acceptable(most, self.edges(node).map(bounds));
        let moves = self.moves(node).zip(self.edges(node));
        moves.filter(move |&(_, edge)| accept(bounds(edge)))
    }

    /// The most visited [acceptable](Tree::acceptable_moves) action of a node and its edge, by
    /// [this order](Tree::by_visits).
    pub fn most_visited(&self, node: usize) -> Option<(ActionId, usize)> {
        let mover = self.mover(node);
        let moves = self.acceptable_moves(node);
        let best = moves.max_by(|&a, &b| self.by_visits(mover, a, b));
        best.map(|(mv, edge)| (self.action(mv), edge))
    }

    /// Compares two moves and their edges: by visits, then value, then prior; of equals, the lower id
    /// is greater.
    pub fn by_visits(&self, mover: Player, a: (usize, usize), b: (usize, usize)) -> Ordering {
        let value = |edge| self.edge_value(edge).seen_by(mover);
        let by_visits = self.edge_visits(a.1).cmp(&self.edge_visits(b.1));
        by_visits
            .then_with(|| value(a.1).total_cmp(&value(b.1)))
            .then_with(|| self.prior(a.0).total_cmp(&self.prior(b.0)))
            .then_with(|| self.action(b.0).cmp(&self.action(a.0)))
    }

    /// Lets `edge` lead to a node that is there.
    pub fn link(&mut self, edge: usize, node: usize) {
        self.edges[edge].child = node as u32;
    }

    /// Adds the node that `edge` leads to, with one move for each of `actions` (ascending).
    pub fn expand(
        &mut self,
        edge: usize,
        mover: Player,
        actions: &[ActionId],
        priors: &[f32],
        raw_value: ForFirst<f32>,
    ) {
        let node = self.n_nodes();
        self.link(edge, node);
        self.nodes.push(Node {
            first_move: self.action.len() as u32,
            n_moves: actions.len() as u32,
            first_edge: NO_EDGE,
            n_tried: 0,
            n_visits: 0,
            mean: Estimate {
                value: ForFirst(0.0),
                draw: 0.0,
                bounds: self.edges[edge].bounds,
            },
            raw_value,
            mover,
        });
        self.action.extend_from_slice(actions);
        self.prior.extend_from_slice(priors);
        self.sort_untried(node);
    }

    /// Gives a node its edges, if it has none yet.
    #[inline]
    pub fn open(&mut self, node: usize) {
        let n_edges = self.edges.len();
        let node = &mut self.nodes[node];
        if node.first_edge == NO_EDGE {
            node.first_edge = n_edges as u32;
            let n_moves = node.n_moves as usize;
            self.edges.resize(n_edges + n_moves, Edge::UNTRIED);
        }
    }

    /// Rewrites the moves and the value of a node of which no move is tried.
    pub fn set_moves(
        &mut self,
        node: usize,
        actions: &[ActionId],
        priors: &[f32],
        raw_value: ForFirst<f32>,
    ) {
        self.nodes[node].raw_value = raw_value;
        let moves = self.moves(node);
        self.action[moves.clone()].copy_from_slice(actions);
        self.prior[moves].copy_from_slice(priors);
        self.sort_untried(node);
    }
}
