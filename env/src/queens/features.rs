#![doc = include_str!("../../features/queens.md")]

use super::config::Queens;
use super::state::State;
use crate::features::{group_starts, with_parity};
use crate::{ActionFeatures, ActionId, FeatureImages, FeatureSizes, IdSet};

/// What a queen leaves: exactly below 8, then the parity.
const LEFT_FACTS: usize = 10;
const EXACT_LEFT: usize = LEFT_FACTS - 2;
const LEAVING: usize = 6;
const TAKING: usize = 8;
/// Components are looked at from so few free cells on.
const FEW: usize = 32;
const SIZES: usize = 8;
/// Components of a size are counted up to this.
const TIMES: usize = 4;
/// Cells that a queen takes, and leaves, exactly below these numbers.
const MOST_TAKEN: usize = 32;
const MOST_LEFT: usize = 32;
/// The group of sizes, the last.
const OF_SIZES: usize = 10;

/// The free cells, and how many of them a queen on each would take.
pub(super) struct Free {
    cells: IdSet,
    n: usize,
    /// `[cell]`, on free cells.
    taken: [u8; 256],
}

/// How many cells are in a set of which all are in the first words.
#[inline]
fn count(cells: IdSet, n_words: usize) -> usize {
    let words = &cells.0[..n_words];
    words.iter().map(|word| word.count_ones() as usize).sum()
}

impl Free {
    #[inline]
    pub(super) fn new(game: &Queens, state: &State) -> Free {
        let n_words = game.board.n_cells().div_ceil(64);
        let cells = state.free;
        let mut taken = [0; 256];
        for cell in cells.iter() {
            taken[cell] = count(cells.and(game.reach(cell)), n_words) as u8;
        }
        Free {
            cells,
            n: count(cells, n_words),
            taken,
        }
    }

    #[inline]
    fn taken(&self, cell: usize) -> usize {
        usize::from(self.taken[cell])
    }

    #[inline]
    fn left(&self, cell: usize) -> usize {
        self.n - self.taken(cell)
    }

    /// Calls with the size of each component and whether it is a clique.
    fn components(&self, game: &Queens, mut visit: impl FnMut(usize, bool)) {
        let mut rest = self.cells;
        while let Some(first) = rest.iter().next() {
            let (mut size, mut is_clique) = (0, true);
            let n_taken = self.taken(first);
            let mut next: IdSet = [first].into_iter().collect();
            let mut component = IdSet::EMPTY;
            while !next.is_empty() {
                component = component.or(next);
                let mut reached = IdSet::EMPTY;
                for cell in next.iter() {
                    size += 1;
                    is_clique &= self.taken(cell) == n_taken;
                    reached = reached.or(game.reach(cell));
                }
                next = reached.and(rest).without(component);
            }
            rest = rest.without(component);
            visit(size, is_clique && size == n_taken);
        }
    }
}

impl Queens {
    fn group_sizes(&self) -> [usize; OF_SIZES + 1] {
        let (n_cells, side) = (self.board.n_cells(), self.side());
        [
            n_cells,
            n_cells * LEFT_FACTS,
            side + 1,
            n_cells + 1,
            2,
            LEAVING * 4,
            TAKING * 8,
            side + 1,
            side + 1,
            2 * LEFT_FACTS,
            2 * SIZES * TIMES,
        ]
    }

    fn action_group_sizes(&self) -> [usize; 4] {
        let n_cells = self.board.n_cells();
        [
            n_cells,
            n_cells * LEFT_FACTS,
            MOST_TAKEN,
            (MOST_LEFT + 2) * 2,
        ]
    }

    pub(super) fn sizes_of_features(&self) -> FeatureSizes {
        FeatureSizes {
            features: self.group_sizes().iter().sum(),
            // Cells, one of each small group, and components.
            most_active: self.board.n_cells() + 6 + LEAVING + TAKING + FEW,
            action_features: self.action_group_sizes().iter().sum(),
            most_active_of_action: 4,
        }
    }

    pub(super) fn write_position(&self, state: &State, free: &Free, out: &mut Vec<u32>) {
        out.clear();
        let starts = group_starts(0, self.group_sizes());
        let [
            queens,
            cells,
            placed,
            counts,
            parity,
            leaving,
            taking,
            fewer,
            more,
            components,
            sizes,
        ] = starts;
        let mut push = |start: usize, fact: usize| out.push((start + fact) as u32);
        state.queens.iter().for_each(|cell| push(queens, cell));
        let (mut n_leaving, mut n_taking) = ([0; LEAVING], [0; TAKING]);
        let (mut rows, mut columns) = (0_u32, 0_u32);
        let side = self.side();
        for cell in free.cells.iter() {
            let (taken, left) = (free.taken(cell), free.left(cell));
            push(cells, cell * LEFT_FACTS + with_parity(left, EXACT_LEFT));
            if let Some(n) = n_leaving.get_mut(left) {
                *n += 1;
            }
            if let Some(n) = n_taking.get_mut(taken - 1) {
                *n += 1;
            }
            rows |= 1 << (cell / side);
            columns |= 1 << (cell % side);
        }
        push(placed, state.n_queens());
        push(counts, free.n);
        push(parity, free.n % 2);
        for (at, n) in n_leaving.into_iter().enumerate() {
            push(leaving, at * 4 + n.min(3));
        }
        for (at, n) in n_taking.into_iter().enumerate() {
            push(taking, at * 8 + n.min(7));
        }
        let lines = [rows, columns].map(|lines| lines.count_ones() as usize);
        push(fewer, lines[0].min(lines[1]));
        push(more, lines[0].max(lines[1]));
        if free.n <= FEW {
            let (mut n, mut all_cliques, mut of_sizes) = (0, true, [0; 2 * SIZES]);
            free.components(self, |size, is_clique| {
                n += 1;
                all_cliques &= is_clique;
                of_sizes[usize::from(is_clique) * SIZES + size.min(SIZES) - 1] += 1;
            });
            let cliques = usize::from(all_cliques) * LEFT_FACTS;
            push(components, cliques + with_parity(n, EXACT_LEFT));
            for (at, &n) in of_sizes.iter().enumerate() {
                (0..n.min(TIMES)).for_each(|k| push(sizes, at * TIMES + k));
            }
        }
    }

    pub(super) fn write_actions(&self, free: &Free, legal: &[ActionId], out: &mut ActionFeatures) {
        out.clear();
        let [by_place, by_left, taking, leaving] = group_starts(0, self.action_group_sizes());
        for &action in legal {
            let cell = action.index();
            let (taken, left) = (free.taken(cell), free.left(cell));
            // The reply that ends the game.
            let ends = left == 0
                || left <= EXACT_LEFT && {
                    let cells = free.cells.without(self.reach(cell));
                    let mut replies = cells.iter();
                    replies.any(|reply| cells.without(self.reach(reply)).is_empty())
                };
            let features = [
                by_place + cell,
                by_left + cell * LEFT_FACTS + with_parity(left, EXACT_LEFT),
                taking + taken.min(MOST_TAKEN) - 1,
                leaving + with_parity(left, MOST_LEFT) * 2 + usize::from(ends),
            ];
            out.push(features.map(|feature| feature as u32));
        }
    }

    /// What a symmetry makes of the features.
    pub(super) fn images_of_features(&self, symmetry: usize) -> FeatureImages {
        let sizes = self.sizes_of_features();
        let mut features: Vec<u32> = (0..sizes.features as u32).collect();
        let mut action_features: Vec<u32> = (0..sizes.action_features as u32).collect();
        let n_cells = self.board.n_cells();
        // Both lists begin with cells, and cells with what is left.
        for images in [&mut features, &mut action_features] {
            for (cell, &image) in self.board.symmetries[symmetry].iter().enumerate() {
                let image = usize::from(image);
                images[cell] = image as u32;
                for fact in 0..LEFT_FACTS {
                    images[n_cells + cell * LEFT_FACTS + fact] =
                        (n_cells + image * LEFT_FACTS + fact) as u32;
                }
            }
        }
        FeatureImages {
            features,
            action_features,
        }
    }
}
