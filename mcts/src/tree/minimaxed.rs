//! Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant, "Monte Carlo Tree Search with
//! Heuristic Evaluations using Implicit Minimax Backups", 2014): beside its mean each position has
//! the value of its best tried move, and selection goes by a mixture of both. In the paper the former
//! is a mean of playouts and the latter of a heuristic; here both are of the evaluator's judgements.

use super::Tree;
use crate::value::FirstValue;
use std::ops::Range;
use tablero_env::Player;

/// What selection goes by where minimax values have a share. All vectors stay empty without one.
#[derive(Clone, Debug, Default)]
pub(super) struct Minimaxed {
    /// The share of the minimax value in what selection goes by.
    share: f32,
    /// One element a node: the best for its mover of what stands here of its tried moves; before any
    /// is tried, its mean, which is its own judgement.
    of_node: Vec<FirstValue>,
    /// One element an edge: the mixture.
    of_edge: Vec<FirstValue>,
}

impl Minimaxed {
    pub fn new(share: f32) -> Self {
        Minimaxed {
            share,
            ..Minimaxed::default()
        }
    }

    #[inline]
    pub fn is_on(&self) -> bool {
        self.share > 0.0
    }

    /// What selection goes by for these edges, if not by their means.
    #[inline]
    pub fn of_edges(&self, edges: Range<usize>) -> Option<&[FirstValue]> {
        self.is_on().then(|| &self.of_edge[edges])
    }

    pub fn n_bytes(&self) -> usize {
        (self.of_node.capacity() + self.of_edge.capacity()) * size_of::<FirstValue>()
    }

    pub fn resize_nodes(&mut self, n: usize) {
        if self.is_on() {
            self.of_node.resize(n, FirstValue::default());
        }
    }

    #[inline]
    pub fn resize_edges(&mut self, n: usize) {
        if self.is_on() {
            self.of_edge.resize(n, FirstValue::default());
        }
    }

    pub fn move_node(&mut self, from: usize, to: usize) {
        if self.is_on() {
            self.of_node[to] = self.of_node[from];
        }
    }

    pub fn move_edge(&mut self, from: usize, to: usize) {
        if self.is_on() {
            self.of_edge[to] = self.of_edge[from];
        }
    }
}

impl Tree {
    /// Brings what selection goes by for `edge`, which was just visited, up to date.
    pub(super) fn update_minimaxed(&mut self, edge: usize) {
        let mean = self.value[edge].0;
        let minimax = match self.child(edge) {
            Some(child) => self.minimax_of(child).0,
            None => mean,
        };
        let Minimaxed { share, of_edge, .. } = &mut self.minimaxed;
        of_edge[edge] = FirstValue(mean + *share * (minimax - mean));
    }

    fn minimax_of(&mut self, node: usize) -> FirstValue {
        let tried = self.edges(node).take(self.n_tried[node] as usize);
        let tried = tried.map(|edge| match self.child(edge) {
            Some(child) => self.minimaxed.of_node[child].0,
            None => self.value[edge].0,
        });
        let best = match self.mover[node] {
            Player::First => tried.reduce(f32::max),
            Player::Second => tried.reduce(f32::min),
        };
        let best = best.unwrap_or(self.wdl(node).value.0);
        let best = self.bounds(node).clamp(FirstValue(best));
        self.minimaxed.of_node[node] = best;
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, Fake, Search, SearchParams, run};
    use tablero_env::dots_and_boxes::DotsAndBoxes;
    use tablero_env::random::stream;
    use tablero_env::{Game, Player};

    const SHARE: f32 = 0.25;

    /// By the definition, and checks what selection goes by at every edge below.
    fn minimax(tree: &Tree, node: usize) -> f32 {
        let tried = tree.edges(node).take(tree.n_tried(node));
        let values = tried.map(|edge| {
            let mean = tree.edge_value(edge).0;
            let minimax = tree.child(edge).map_or(mean, |child| minimax(tree, child));
            let expected = (1.0 - SHARE) * mean + SHARE * minimax;
            let got = tree.minimaxed.of_edges(edge..edge + 1).unwrap()[0].0;
            assert!((got - expected).abs() < 1e-6, "{got} {expected}");
            minimax
        });
        let best = match tree.mover(node) {
            Player::First => values.reduce(f32::max),
            Player::Second => values.reduce(f32::min),
        };
        let best = best.unwrap_or(tree.wdl(node).value.0);
        tree.bounds(node).clamp(FirstValue(best)).0
    }

    #[test]
    fn selection_goes_by_means_and_the_best_lines_from_move_to_move() {
        let game = DotsAndBoxes::new(3, 3).unwrap();
        let params = SearchParams {
            minimax_share: SHARE,
            ..SearchParams::default()
        };
        let moves = stream(1, "minimaxed", 0);
        let mut search = Search::new(game.clone(), game.initial(), params, moves);
        while search.root_proven().is_none() {
            let searches = std::slice::from_mut(&mut search);
            run(searches, 150, &mut Fake, &mut Batch::new());
            let root = search.tree.root();
            let best = minimax(&search.tree, root);
            assert_eq!(search.tree.minimaxed.of_node[root].0, best);
            search.advance(search.best()).unwrap();
        }
    }

    #[test]
    fn without_a_share_nothing_is_kept() {
        let tree = Tree::new(false, 0.0);
        assert!(tree.minimaxed.of_edges(0..0).is_none());
    }
}
