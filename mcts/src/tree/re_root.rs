//! Moving the root: what is below it stays, in the storage of the whole.

use super::{NO_EDGE, NO_NODE, ROOT_EDGE, Tree};

impl Tree {
    /// Keeps only the part below `edge`, whose position becomes the root, and gives the place of
    /// the rest to new nodes; the arrays keep their capacity. [`new_number`](Tree::new_number)
    /// then tells what became of each node.
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

    /// The number that a node has since the last [`re_root`](Tree::re_root); `None` if it was
    /// dropped.
    pub fn new_number(&self, old: u32) -> Option<u32> {
        let new = self.numbers[old as usize];
        (new != NO_NODE).then_some(new)
    }

    /// Fills `numbers` with the new number of each node below `new_root` and [`NO_NODE`] for the
    /// others. Numbers keep the order, so that everything moves towards the front.
    fn number_kept_nodes(&mut self, new_root: usize) {
        self.numbers.clear();
        self.numbers.resize(self.n_nodes(), NO_NODE);
        self.numbers[new_root] = 0;
        self.pending.clear();
        self.pending.push(new_root as u32);
        while let Some(node) = self.pending.pop() {
            for edge in self.edges(node as usize) {
                let child = self.child[edge];
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
            self.numbers[node as usize] != NO_NODE && self.first_edge[node as usize] != NO_EDGE
        });
        self.pending.clear();
        self.pending.extend(kept);
        self.pending
            .sort_unstable_by_key(|&node| self.first_edge[node as usize]);
        let mut n_edges = ROOT_EDGE + 1;
        for index in 0..self.pending.len() {
            let node = self.pending[index] as usize;
            let edges = self.edges(node);
            self.first_edge[node] = n_edges as u32;
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
            self.stats[n_nodes] = self.stats[old];
            self.raw_value[n_nodes] = self.raw_value[old];
            n_nodes += 1;
            n_moves += len;
        }
        self.truncate_nodes(n_nodes, n_moves);
    }

    fn move_edge(&mut self, from: usize, to: usize) {
        self.n_visits[to] = self.n_visits[from];
        self.value[to] = self.value[from];
        self.bounds[to] = self.bounds[from];
        self.child[to] = self.child[from];
    }
}
