//! Moving the root: what is below it stays, in the storage of the whole.

use super::{NO_EDGE, NO_NODE, Node, ROOT_EDGE, Tree};

impl Tree {
    /// Makes the position that `edge` leads to the root. What cannot be reached from it stays until
    /// [`compact`](Tree::compact).
    ///
    /// # Panics
    /// If the position is not expanded.
    pub fn re_root(&mut self, edge: usize) {
        let new_root = self.child(edge).expect("an expanded position");
        self.open(new_root);
        self.edges[ROOT_EDGE] = self.edges[edge];
    }

    /// Drops what cannot be reached from the root, and gives its place to new nodes; the arrays
    /// keep their capacity. [`new_number`](Tree::new_number) then tells what became of each node.
    pub fn compact(&mut self) {
        self.number_kept_nodes();
        self.compact_edges();
        self.compact_nodes();
        for edge in &mut self.edges {
            if edge.child != NO_NODE {
                edge.child = self.numbers[edge.child as usize];
            }
        }
    }

    /// The number that a node has since the last [`compact`](Tree::compact); `None` if it was
    /// dropped.
    pub fn new_number(&self, old: u32) -> Option<u32> {
        let new = self.numbers[old as usize];
        (new != NO_NODE).then_some(new)
    }

    /// Fills `numbers` with the new number of each node from the root on and [`NO_NODE`] for the
    /// others. Numbers keep the order, so that everything moves towards the front.
    fn number_kept_nodes(&mut self) {
        let root = self.root();
        self.numbers.clear();
        self.numbers.resize(self.n_nodes(), NO_NODE);
        self.numbers[root] = 0;
        self.pending.clear();
        self.pending.push(root as u32);
        while let Some(node) = self.pending.pop() {
            for edge in &self.edges[self.edges(node as usize)] {
                let child = edge.child;
                if child != NO_NODE && self.numbers[child as usize] == NO_NODE {
                    self.numbers[child as usize] = 0;
                    self.pending.push(child);
                }
            }
        }
        let kept = self.numbers.iter_mut().filter(|number| **number != NO_NODE);
        for (number, new) in kept.zip(0..) {
            *number = new;
        }
    }

    fn compact_edges(&mut self) {
        let kept = (0..self.n_nodes() as u32).filter(|&node| {
            let node = node as usize;
            self.numbers[node] != NO_NODE && self.nodes[node].first_edge != NO_EDGE
        });
        self.pending.clear();
        self.pending.extend(kept);
        self.pending
            .sort_unstable_by_key(|&node| self.nodes[node as usize].first_edge);
        let mut n_edges = ROOT_EDGE + 1;
        for index in 0..self.pending.len() {
            let node = self.pending[index] as usize;
            let edges = self.edges(node);
            let n_more = edges.len();
            self.nodes[node].first_edge = n_edges as u32;
            self.edges.copy_within(edges, n_edges);
            n_edges += n_more;
        }
        self.edges.truncate(n_edges);
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
            self.nodes[n_nodes] = Node {
                first_move: n_moves as u32,
                ..self.nodes[old]
            };
            n_nodes += 1;
            n_moves += len;
        }
        self.nodes.truncate(n_nodes);
        self.action.truncate(n_moves);
        self.prior.truncate(n_moves);
    }
}
