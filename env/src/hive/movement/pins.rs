//! Which pieces hold the hive together.

use super::steps::cells;
use crate::hive::board::cell::Cell;
use crate::hive::board::cell_set::RUNS;
use crate::hive::board::piece::N_PIECES;
use crate::hive::board::stacks::{Board, PieceSet, pieces_of};

/// Tells whether lifting the only piece of a cell would split the hive.
///
/// A cell whose occupied neighbours form one run is never missed: they hold each other. With two
/// runs or more, two gaps lie between them. If the hive surrounds no empty cell, all gaps lead
/// out, and nothing else can join the runs. Only a hive with a hole has to be searched, once.
pub(crate) struct Pins {
    cut_cells: Option<PieceSet>,
}

impl Pins {
    pub(crate) const UNKNOWN: Pins = Pins { cut_cells: None };

    /// Whether lifting the top piece of the cell, the only one there, splits the hive.
    #[inline]
    pub(crate) fn splits(&mut self, board: &Board, cell: Cell) -> bool {
        if RUNS[board.occupied.around(cell)] <= 1 {
            return false;
        }
        if !board.has_holes() {
            return true;
        }
        let cut_cells = *self.cut_cells.get_or_insert_with(|| Search::of(board));
        board
            .top(cell)
            .is_some_and(|piece| cut_cells >> piece.index() & 1 == 1)
    }
}

/// The depth-first search for cut vertices (Hopcroft and Tarjan, 1973). A cell goes by the piece
/// on its top.
struct Search<'a> {
    board: &'a Board,
    n_found: u8,
    /// When each cell was found, from 1.
    found: [u8; N_PIECES],
    cut_cells: PieceSet,
}

impl Search<'_> {
    /// The top pieces of the cells without which the hive falls apart.
    fn of(board: &Board) -> PieceSet {
        let mut search = Search {
            board,
            n_found: 0,
            found: [0; N_PIECES],
            cut_cells: 0,
        };
        if let Some(root) = pieces_of(board.pieces)
            .next()
            .and_then(|piece| board.cell_of(piece))
        {
            search.root(root);
        }
        search.cut_cells
    }

    /// The root is a cut vertex if the search has to start from it more than once.
    fn root(&mut self, root: Cell) {
        let Some(top) = self.board.top(root) else {
            return;
        };
        self.n_found = 1;
        self.found[top.index()] = 1;
        let mut n_children = 0;
        for next in neighbours(self.board, root) {
            if self.found[next.1] == 0 {
                n_children += 1;
                self.visit(next);
            }
        }
        if n_children > 1 {
            self.cut_cells |= 1 << top.index();
        }
    }

    /// Returns the earliest cell that touches the part of the hive behind this one.
    fn visit(&mut self, (cell, index): (Cell, usize)) -> u8 {
        self.n_found += 1;
        let own = self.n_found;
        self.found[index] = own;
        let mut earliest = own;
        for next in neighbours(self.board, cell) {
            let reached = match self.found[next.1] {
                0 => {
                    let reached = self.visit(next);
                    if reached >= own {
                        self.cut_cells |= 1 << index;
                    }
                    reached
                }
                found => found,
            };
            earliest = earliest.min(reached);
        }
        earliest
    }
}

/// The occupied neighbours of a cell, with the numbers of their top pieces.
fn neighbours(board: &Board, cell: Cell) -> impl Iterator<Item = (Cell, usize)> {
    cells(cell, board.occupied.around(cell))
        .filter_map(|next| Some((next, board.top(next)?.index())))
}
