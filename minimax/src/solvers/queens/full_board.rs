//! Positions from which the board can still be filled, where the reading of a full board matters.
//!
//! They are the subsets of the solutions of the n-queens problem, and few. All others are normal
//! play: the last player to place a queen wins.

use super::nimbers::{BYTES_OF_CELLS, Nimbers};
use super::regions::canonical_board;
use crate::solvers::nodes::Nodes;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tablero_env::IdSet;
use tablero_env::queens::{FullBoard, Queens};
use tablero_env::{ForFirst, Player};

/// The results of one board size and reading.
#[derive(Clone, Debug)]
pub(super) struct Search {
    game: Queens,
    pub(super) nimbers: Nimbers,
    /// The returns by the canonical free cells of positions that can be filled. The
    /// number of queens follows: each row without one has a free cell, and no other row.
    table: FxHashMap<IdSet, ForFirst<i8>>,
    /// Positions that it holds at most.
    max_positions: usize,
    /// Positions that can be filled which have been searched.
    nodes: Nodes,
}

impl Search {
    /// With tables of about `mib` MiB at most.
    pub(super) fn new(game: &Queens, mib: usize) -> Self {
        Search {
            game: game.clone(),
            // Either table may fill its half.
            nimbers: Nimbers::new(game, mib.div_ceil(2)),
            table: FxHashMap::default(),
            max_positions: mib.div_ceil(2).saturating_mul(1 << 20) / BYTES_OF_CELLS,
            nodes: Nodes::default(),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.count() + self.nimbers.nodes.count()
    }

    pub(super) fn set_interrupt(&mut self, interrupt: Arc<AtomicBool>) {
        self.nodes.set_interrupt(Arc::clone(&interrupt));
        self.nimbers.nodes.set_interrupt(interrupt);
    }

    /// The return under best play with these free cells and so many queens placed.
    pub(super) fn value(&mut self, free: IdSet, n_queens: usize) -> ForFirst<i8> {
        if free.is_empty() {
            return self.game.outcome_with(n_queens).value();
        }
        // The reading for Black is normal play throughout.
        let is_normal = self.game.full_board() == FullBoard::Black;
        if is_normal || !can_be_filled(&self.game, free, n_queens) {
            let mover = to_move(n_queens);
            let value = if self.nimbers.is(free, 0) { -1 } else { 1 };
            return ForFirst::from_player(value, mover);
        }
        let key = canonical_board(&self.game, free);
        if let Some(&value) = self.table.get(&key) {
            return value;
        }
        let value = self.best_move(key, n_queens);
        if self.table.len() < self.max_positions {
            self.table.insert(key, value);
        }
        value
    }

    /// The best that the player to move can reach.
    fn best_move(&mut self, free: IdSet, n_queens: usize) -> ForFirst<i8> {
        self.nodes.visit();
        let mover = to_move(n_queens);
        let mut rests: Vec<IdSet> = free
            .iter()
            .map(|cell| free.without(self.game.reach(cell)))
            .collect();
        // The smallest are answered soonest.
        rests.sort_by_cached_key(|rest| rest.len());
        let mut best = -1;
        for rest in rests {
            best = best.max(self.value(rest, n_queens + 1).seen_by(mover));
            if best == 1 {
                break;
            }
        }
        ForFirst::from_player(best, mover)
    }
}

fn to_move(n_queens: usize) -> Player {
    Player::BOTH[n_queens % 2]
}

/// Whether queens on free cells can bring the number of queens up to the side of the board.
pub(super) fn can_be_filled(game: &Queens, free: IdSet, n_queens: usize) -> bool {
    let side = game.side();
    if n_queens == side {
        return true;
    }
    let row = |y: usize| (y * side..(y + 1) * side).filter(|&cell| free.contains(cell));
    let n_free = (0..side).map(|y| row(y).count());
    let rows = n_free.enumerate().filter(|&(_, n_free)| n_free > 0);
    // A row with a queen has no free cell, so every other row must have one.
    if rows.clone().count() < side - n_queens {
        return false;
    }
    let (narrowest, _) = rows
        .min_by_key(|&(_, n_free)| n_free)
        .expect("a row is open");
    row(narrowest).any(|cell| can_be_filled(game, free.without(game.reach(cell)), n_queens + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::Game;
    use tablero_env::census::census;

    /// The positions that can be filled are the subsets of full boards.
    #[test]
    fn what_can_be_filled_are_the_subsets_of_full_boards() {
        for side in [2, 4, 6] {
            let game = Queens::new(side, FullBoard::White).unwrap();
            let mut layer = vec![game.initial()];
            let mut all = layer.clone();
            let mut legal = Vec::new();
            for _ in 0..side {
                let mut next = std::collections::HashSet::new();
                for state in &layer {
                    game.legal_actions(state, &mut legal);
                    next.extend(legal.iter().map(|&action| {
                        let mut after = state.clone();
                        game.play_unchecked(&mut after, action);
                        after
                    }));
                }
                layer = next.into_iter().collect();
                all.extend(layer.iter().cloned());
            }
            let n_positions: u64 = census(&game, &game.initial(), usize::MAX)
                .iter()
                .map(|ply| ply.positions)
                .sum();
            assert_eq!(all.len() as u64, n_positions);
            for state in &all {
                let is_subset = |full: &tablero_env::queens::State| {
                    state.queens().without(full.queens()).is_empty()
                };
                assert_eq!(
                    can_be_filled(&game, state.free(), state.n_queens()),
                    layer.iter().any(is_subset),
                    "{state:?}"
                );
            }
        }
    }
}
