//! The backward pass of a simulation.

use super::{NO_NODE, Tree};
use crate::bounds::Bounds;
use crate::estimate::Estimate;
use tablero_env::ForFirst;

/// How a simulation ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    /// What is believed and proven of the position.
    pub estimate: Estimate,
    /// Whether the position learns from it: not where the simulation only read what the position
    /// knew from elsewhere.
    pub is_visit: bool,
}

impl Tree {
    /// What a simulation takes from a position that it does not visit.
    pub fn read(&self, node: usize) -> Leaf {
        Leaf {
            estimate: Estimate {
                bounds: Bounds::OPEN,
                ..self.mean(node)
            },
            is_visit: false,
        }
    }

    /// Adds a result to every edge of `path`, which leads from [`ROOT_EDGE`](super::ROOT_EDGE) to
    /// a leaf, and narrows the bounds of each position on the way as far as those below it do.
    /// Where bounds rule a result out, the nearest one within takes its place, from there on
    /// upwards.
    pub fn backward(&mut self, path: &[u32], leaf: Leaf) {
        let Leaf {
            mut estimate,
            mut is_visit,
        } = leaf;
        for (depth, &edge) in path.iter().enumerate().rev() {
            let edge = edge as usize;
            let parent = depth
                .checked_sub(1)
                .map(|above| self.edges[path[above] as usize].child as usize);
            let known = self.edges[edge];
            if known.n_visits == 0
                && let Some(parent) = parent
            {
                self.nodes[parent].n_tried += 1;
            }
            estimate = self.record(edge, estimate, is_visit);
            is_visit = true;
            estimate.bounds = match parent {
                Some(parent) if self.edge_bounds(edge) != known.bounds => self.best_bounds(parent),
                _ => Bounds::OPEN,
            };
        }
    }

    /// Narrows the bounds of an untried move of the root, and those of the root by it.
    pub fn prove(&mut self, edge: usize, bounds: Bounds) {
        let root = self.root();
        self.edges[edge].bounds = self.edges[edge].bounds & bounds;
        let of_root = self.best_bounds(root);
        self.nodes[root].mean = self.nodes[root].mean.within(of_root);
        self.edges[super::ROOT_EDGE].bounds = self.bounds(root);
    }

    /// Adds a visit with this result to an edge and, if it `is_visit`, to its child. Returns the
    /// result for the position above.
    #[inline]
    fn record(&mut self, edge: usize, result: Estimate, is_visit: bool) -> Estimate {
        let edge = &mut self.edges[edge];
        if edge.child == NO_NODE {
            let result = result.within(edge.bounds);
            edge.bounds = result.bounds;
            edge.n_visits += 1;
            let mean = edge.value.0;
            let mean = mean + (result.value.0 - mean) / edge.n_visits as f32;
            edge.value = result.bounds.clamp(ForFirst(mean));
            return result;
        }
        let node = &mut self.nodes[edge.child as usize];
        let result = result.within(node.mean.bounds);
        node.mean.bounds = result.bounds;
        if is_visit {
            node.n_visits += 1;
            let n = node.n_visits as f32;
            let Estimate { value, draw, .. } = node.mean;
            // The result may be beyond -1 and 1 where it makes up for others: see below.
            let mean = (value.0 + (result.value.0 - value.0) / n).clamp(-1.0, 1.0);
            node.mean = Estimate {
                value: ForFirst(mean),
                draw: draw + (result.draw - draw) / n,
                bounds: Bounds::OPEN,
            }
            .within(result.bounds);
        }
        let before = edge.n_visits as f32 * edge.value.0;
        edge.n_visits += 1;
        edge.value = node.mean.value;
        edge.bounds = node.mean.bounds;
        if self.shares_nodes {
            // So that the mean of the position above is that of its moves, weighted by their
            // visits, whatever their positions learnt from elsewhere.
            let after = edge.n_visits as f32 * edge.value.0;
            return Estimate {
                value: ForFirst(after - before),
                ..result
            };
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::ROOT_EDGE;
    use tablero_env::Player::{First, Second};
    use tablero_env::{ActionId, ForFirst, Player};

    const ACTIONS: [ActionId; 2] = [ActionId(0), ActionId(1)];
    const PRIORS: [f32; 2] = [0.5, 0.5];

    fn expand(tree: &mut Tree, edge: usize, mover: Player) -> usize {
        tree.expand(edge, mover, &ACTIONS, &PRIORS, ForFirst(0.0));
        let node = tree.n_nodes() - 1;
        tree.open(node);
        node
    }

    /// A root of two moves, and its two edges.
    fn planted(shares_nodes: bool, mover: Player) -> (Tree, [usize; 2]) {
        let mut tree = Tree::new(shares_nodes);
        tree.clear();
        let root = expand(&mut tree, ROOT_EDGE, mover);
        let first = tree.edges(root).start;
        backward(&mut tree, &[ROOT_EDGE], 0.0, Bounds::OPEN);
        (tree, [first, first + 1])
    }

    /// A result without draws.
    fn backward(tree: &mut Tree, path: &[usize], value: f32, bounds: Bounds) {
        let path: Vec<u32> = path.iter().map(|&edge| edge as u32).collect();
        let estimate = Estimate {
            value: ForFirst(value),
            draw: 0.0,
            bounds,
        };
        let leaf = Leaf {
            estimate,
            is_visit: true,
        };
        tree.backward(&path, leaf);
    }

    #[test]
    fn a_mean_is_that_of_the_results() {
        let (mut tree, [a, b]) = planted(false, First);
        backward(&mut tree, &[ROOT_EDGE, a], 0.5, Bounds::OPEN);
        backward(&mut tree, &[ROOT_EDGE, b], -1.0, Bounds::OPEN);
        backward(&mut tree, &[ROOT_EDGE, a], 0.25, Bounds::OPEN);
        assert_eq!(tree.edge_value(a).0, 0.375);
        // (0 + 0.5 - 1 + 0.25) / 4.
        assert!((tree.value(tree.root()).0 + 0.0625).abs() < 1e-6);
        assert_eq!(
            (tree.n_visits(tree.root()), tree.n_tried(tree.root())),
            (4, 2)
        );
    }

    #[test]
    fn a_secured_draw_bounds_the_mover_and_turns_their_losses_into_draws() {
        for (mover, lost) in [(First, -1.0), (Second, 1.0)] {
            let (mut tree, [a, b]) = planted(false, mover);
            backward(&mut tree, &[ROOT_EDGE, a], lost, Bounds::OPEN);
            assert_eq!(tree.value(tree.root()).seen_by(mover), -0.5);
            let draw = Bounds::from_lead(ForFirst([0, 0]));
            backward(&mut tree, &[ROOT_EDGE, b], 0.0, draw);
            assert_eq!(tree.bounds(tree.root()).seen_by(mover), [0, 1]);
            // Of the three results (one half won, one half lost; lost; drawn) the losses are draws.
            let wdl = tree.mean(tree.root()).wdl(mover).0;
            assert_eq!(wdl.loss, 0.0);
            assert!((wdl.win - 1.0 / 6.0).abs() < 1e-6, "{wdl:?}");
            // The other move itself is as bad as it was.
            assert_eq!(tree.edge_value(a).0, lost);
            assert_eq!(tree.edge_bounds(a), Bounds::OPEN);
        }
    }

    #[test]
    fn bounds_go_up_through_both_players() {
        let (mut tree, [a, b]) = planted(false, First);
        let below = expand(&mut tree, a, Second);
        let replies = tree.edges(below);
        let last = replies.end - 1;
        for reply in replies {
            assert_eq!(tree.bounds(tree.root()), Bounds::OPEN);
            backward(
                &mut tree,
                &[ROOT_EDGE, a, reply],
                1.0,
                Bounds::from_lead(ForFirst([0, 3])),
            );
        }
        // Whatever the reply, player 0 does not lose.
        assert_eq!(tree.bounds(below).seen_by(First), [0, 1]);
        assert_eq!(tree.bounds(tree.root()).seen_by(First), [0, 1]);
        backward(&mut tree, &[ROOT_EDGE, b], -1.0, Bounds::SECOND_WINS);
        assert_eq!(tree.bounds(tree.root()).seen_by(First), [0, 1]);
        backward(
            &mut tree,
            &[ROOT_EDGE, a, last],
            0.0,
            Bounds::from_lead(ForFirst([0, 0])),
        );
        assert_eq!(tree.bounds(tree.root()).exact(), Some(0));
        assert_eq!(tree.value(tree.root()).0, 0.0);
    }

    #[test]
    fn a_shared_position_has_one_mean_and_its_parents_weigh_it_by_their_own_visits() {
        let (mut tree, [a, b]) = planted(true, First);
        let [left, right] = [a, b].map(|edge| expand(&mut tree, edge, Second));
        backward(&mut tree, &[ROOT_EDGE, a], 0.0, Bounds::OPEN);
        backward(&mut tree, &[ROOT_EDGE, b], 0.0, Bounds::OPEN);
        let (to_shared, also) = (tree.edges(left).start, tree.edges(right).start);
        let shared = expand(&mut tree, to_shared, First);
        backward(&mut tree, &[ROOT_EDGE, a, to_shared], 0.5, Bounds::OPEN);
        tree.link(also, shared);
        backward(&mut tree, &[ROOT_EDGE, b, also], 1.0, Bounds::OPEN);
        // The position has both results, each edge one visit.
        assert_eq!((tree.n_visits(shared), tree.value(shared).0), (2, 0.75));
        assert_eq!([to_shared, also].map(|edge| tree.edge_visits(edge)), [1, 1]);
        // On the right the mean of 0 and 0.75; on the left still that of 0 and 0.5.
        assert_eq!(tree.value(right).0, 0.375);
        assert_eq!(tree.value(left).0, 0.25);
        // The next visit on the left brings it up to date: 0 and twice 1 (the mean of three).
        backward(&mut tree, &[ROOT_EDGE, a, to_shared], 1.5, Bounds::OPEN);
        assert_eq!(tree.value(shared).0, 1.0);
        assert!((tree.value(left).0 - 2.0 / 3.0).abs() < 1e-6);
    }
}
