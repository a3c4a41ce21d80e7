//! Sprague-Grundy values (*nimbers*) of sets of free cells, in normal play: who cannot place a
//! queen loses.
//!
//! A queen takes its cell and all free cells that it attacks, whoever placed it: Node Kayles, an
//! impartial game on the graph of free cells. Regions that no line joins do not meet again, so
//! the nimber of a set is the xor of those of its regions (Sprague 1935, Grundy 1939).

use super::regions::regions;
use crate::solvers::nodes::Nodes;
use rustc_hash::FxHashMap;
use tablero_env::IdSet;
use tablero_env::queens::Queens;

/// Bytes that a set of cells takes in a table that has just grown, at most.
pub(super) const BYTES_OF_CELLS: usize = 128;

/// What is known of a region's nimber.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// The nimber is not below this.
    at_least: u8,
    /// The nimber is `at_least`.
    exact: bool,
}

/// The nimbers of one board size, worked out as they are asked for and remembered.
///
/// Whether a nimber *is* a given number is often decided by a few moves, while its exact value
/// needs all; so of a set with several regions all but the largest are worked out, and the
/// largest is asked one question (Lemoine and Viennot, "Nimbers are inevitable", 2012).
#[derive(Clone, Debug)]
pub(super) struct Nimbers {
    game: Queens,
    table: FxHashMap<IdSet, Known>,
    /// How often the moves of a region have been searched.
    pub(super) nodes: Nodes,
    /// Regions that the table holds at most.
    max_regions: usize,
}

impl Nimbers {
    /// With a table of about `mib` MiB at most.
    pub(super) fn new(game: &Queens, mib: usize) -> Self {
        Nimbers {
            game: game.clone(),
            table: FxHashMap::default(),
            nodes: Nodes::default(),
            max_regions: mib.saturating_mul(1 << 20) / BYTES_OF_CELLS,
        }
    }

    /// The nimber of a set of free cells.
    pub(super) fn nimber(&mut self, free: IdSet) -> u8 {
        let regions = regions(&self.game, free).into_iter();
        regions.fold(0, |sum, region| sum ^ self.region(region))
    }

    /// Whether the nimber of a set of free cells is `goal`.
    pub(super) fn is(&mut self, free: IdSet, goal: u8) -> bool {
        let mut regions = regions(&self.game, free);
        regions.sort_unstable_by_key(|region| region.len());
        let Some(largest) = regions.pop() else {
            return goal == 0;
        };
        let others = regions.into_iter();
        let goal = others.fold(goal, |goal, region| goal ^ self.region(region));
        self.region_is(largest, goal)
    }

    /// The nimber of a canonical region.
    fn region(&mut self, region: IdSet) -> u8 {
        let mut nimber = 0;
        while !self.region_is(region, nimber) {
            nimber += 1;
        }
        nimber
    }

    /// Whether the nimber of a canonical region is `goal`.
    fn region_is(&mut self, region: IdSet, goal: u8) -> bool {
        if region.len() <= 2 {
            // The first queen takes all.
            return goal == 1;
        }
        let mut known = self.table.get(&region).copied().unwrap_or_default();
        while !known.exact && known.at_least <= goal {
            if self.has_move_to(region, known.at_least) {
                known.at_least += 1;
            } else {
                known.exact = true;
            }
            if self.table.len() < self.max_regions || self.table.contains_key(&region) {
                self.table.insert(region, known);
            }
        }
        known.exact && known.at_least == goal
    }

    /// Whether a queen on the region can leave a set with the nimber `goal`.
    fn has_move_to(&mut self, region: IdSet, goal: u8) -> bool {
        self.nodes.visit();
        let rests = region
            .iter()
            .map(|cell| region.without(self.game.reach(cell)));
        let mut rests: Vec<IdSet> = rests.collect();
        // The smallest are answered soonest.
        rests.sort_by_cached_key(|rest| rest.len());
        rests.into_iter().any(|rest| self.is(rest, goal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use tablero_env::Game;
    use tablero_env::queens::FullBoard;
    use tablero_env::random::mix;

    fn board(side: usize) -> Queens {
        Queens::new(side, FullBoard::White).unwrap()
    }

    /// The nimber by its definition: the smallest that no move leads to.
    fn by_definition(game: &Queens, free: IdSet, known: &mut HashMap<IdSet, u8>) -> u8 {
        if let Some(&nimber) = known.get(&free) {
            return nimber;
        }
        let reached: Vec<u8> = free
            .iter()
            .map(|cell| by_definition(game, free.without(game.reach(cell)), known))
            .collect();
        let nimber = (0..).find(|nimber| !reached.contains(nimber)).unwrap();
        known.insert(free, nimber);
        nimber
    }

    /// Any set of cells, also one that no queens leave.
    #[test]
    fn nimbers_are_what_their_definition_says() {
        for (side, n_cells) in [(4, 16), (6, 18), (8, 14), (12, 13)] {
            let game = board(side);
            let mut nimbers = Nimbers::new(&game, usize::MAX);
            for index in 0..30u64 {
                let mut cells: Vec<usize> = (0..side * side).collect();
                cells.sort_by_key(|&cell| mix(index << 32 | cell as u64));
                let free = cells[..n_cells].iter().copied().collect();
                let expected = by_definition(&game, free, &mut HashMap::new());
                for goal in 0..6 {
                    assert_eq!(nimbers.is(free, goal), goal == expected);
                }
                assert_eq!(nimbers.nimber(free), expected);
            }
        }
    }

    /// OEIS A344227.
    #[test]
    fn empty_boards_have_their_published_nimbers() {
        for (side, nimber) in [(2, 1), (4, 1), (6, 1), (8, 3), (10, 0), (12, 0)] {
            let game = board(side);
            let empty = game.initial();
            assert_eq!(
                Nimbers::new(&game, usize::MAX).nimber(empty.free()),
                nimber,
                "{side}"
            );
        }
    }
}
