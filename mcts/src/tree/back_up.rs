//! What a simulation leaves behind on its way.

use super::Tree;
use crate::bounds::{Bounds, best_of};
use crate::value::{FirstValue, FirstWdl};

/// How a simulation ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    /// The judgement.
    pub result: FirstWdl,
    /// What is proven about the position.
    pub bounds: Bounds,
    /// Whether the position learns from it: not where the simulation only read what the position
    /// knew from elsewhere.
    pub is_visit: bool,
}

impl Tree {
    /// What a simulation takes from a position that it does not visit.
    pub fn read(&self, node: usize) -> Leaf {
        Leaf {
            result: self.wdl(node),
            bounds: Bounds::OPEN,
            is_visit: false,
        }
    }

    /// Adds a result to every edge of `path`, which leads from [`ROOT_EDGE`](super::ROOT_EDGE) to
    /// a leaf, and narrows the bounds of each position on the way as far as those below it do.
    /// Where bounds rule a result out, the nearest one within takes its place, from there on
    /// upwards.
    pub fn back_up(&mut self, path: &[u32], leaf: Leaf) {
        let Leaf {
            mut result,
            mut bounds,
            mut is_visit,
        } = leaf;
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
            let known = self.bounds[edge];
            result = self.record(edge, result, bounds, is_visit);
            is_visit = true;
            bounds = match parent {
                Some(parent) if self.bounds[edge] != known => {
                    best_of(self.mover[parent], self.all_bounds(parent))
                }
                _ => Bounds::OPEN,
            };
        }
    }

    /// Adds a visit with this result to an edge and, if it `is_visit`, to its child. Returns the
    /// result for the position above.
    #[inline]
    fn record(
        &mut self,
        edge: usize,
        result: FirstWdl,
        bounds: Bounds,
        is_visit: bool,
    ) -> FirstWdl {
        let Some(child) = self.child(edge) else {
            let bounds = self.bounds[edge] & bounds;
            self.bounds[edge] = bounds;
            let result = bounds.apply(result);
            self.n_visits[edge] += 1;
            let mean = self.value[edge].0;
            let mean = mean + (result.value.0 - mean) / self.n_visits[edge] as f32;
            self.value[edge] = bounds.clamp(FirstValue(mean));
            return result;
        };
        let node = &mut self.stats[child];
        node.bounds = node.bounds & bounds;
        let result = node.bounds.apply(result);
        if is_visit {
            node.n_visits += 1;
            let n = node.n_visits as f32;
            let FirstWdl { value, draw } = node.wdl;
            // The result may be beyond -1 and 1 where it makes up for others: see below.
            let mean = (value.0 + (result.value.0 - value.0) / n).clamp(-1.0, 1.0);
            node.wdl = node.bounds.apply(FirstWdl {
                value: FirstValue(mean),
                draw: draw + (result.draw - draw) / n,
            });
        }
        let before = self.n_visits[edge] as f32 * self.value[edge].0;
        self.n_visits[edge] += 1;
        self.value[edge] = node.wdl.value;
        self.bounds[edge] = node.bounds;
        if self.shares_nodes {
            // So that the mean of the position above is that of its moves, weighted by their
            // visits, whatever their positions learnt from elsewhere.
            let after = self.n_visits[edge] as f32 * self.value[edge].0;
            return FirstWdl {
                value: FirstValue(after - before),
                draw: result.draw,
            };
        }
        result
    }
}
