//! Chains and loops of boxes: who must open the first long one, and one by one.

use super::board::{BORDER, Board, Planes};
use super::state::State;
use arrayvec::ArrayVec;

/// What decides who must open the first long chain (Berlekamp, "The Dots-and-Boxes Game", 2000).
#[derive(Clone, Copy, Debug)]
pub(super) struct Control {
    /// Edges not drawn that would give no box its third or fourth side.
    pub(super) safe: Planes,
    /// Boxes with two or three sides that hang together, across edges not drawn, with at least two
    /// others: long chains, and loops.
    pub(super) long: u128,
    /// How many of these are chains and not loops.
    pub(super) n_long_chains: u32,
}

impl Control {
    /// From the edges not drawn, and the boxes with two and with three sides.
    #[inline]
    pub(super) fn new(board: &Board, undrawn: Planes, two: u128, three: u128) -> Control {
        let below = board.cols + 1;
        let links = two | three;
        // A box and the one to its left, or above, and the edge between them.
        let left = links & links << 1 & undrawn.vertical;
        let up = links & links << below & undrawn.horizontal;
        let (right, down) = (left >> 1, up >> below);
        // Each box has at most two edges left, so what hangs together is a line or a ring, and long
        // just where some box has two neighbours.
        let middle = (left | right) & (up | down) | left & right | up & down;
        let mut long = middle;
        long |= middle >> 1 & right | middle << 1 & left;
        long |= middle >> below & down | middle << below & up;
        Control {
            safe: Planes {
                horizontal: undrawn.horizontal & !(links | links << below),
                vertical: undrawn.vertical & !(links | links << 1),
            },
            long,
            // A line has one link less than boxes, a ring as many.
            n_long_chains: long.count_ones()
                - (left & long).count_ones()
                - (up & long).count_ones(),
        }
    }
}

/// Boxes with two or three sides that hang together.
#[derive(Clone, Copy)]
pub(super) struct Component {
    pub(super) len: u8,
    /// Boxes with three sides.
    pub(super) n_open: u8,
    pub(super) is_loop: bool,
}

impl Component {
    /// A chain, a loop, a chain open at one end, at both.
    #[inline]
    pub(super) fn kind(self) -> usize {
        match (self.is_loop, self.n_open) {
            (true, _) => 1,
            (false, 0) => 0,
            (false, 1) => 2,
            (false, _) => 3,
        }
    }

    /// What its boxes are told of it: alone, two, a long chain, a loop.
    #[inline]
    pub(super) fn class(self) -> usize {
        match (self.is_loop, self.len) {
            (true, _) => 3,
            (false, 1) => 0,
            (false, 2) => 1,
            (false, _) => 2,
        }
    }
}

/// No component.
pub(super) const NONE: u8 = u8::MAX;
/// Cells of the largest board, and one for the border.
const N_CELLS: usize = 128;

/// The boxes and what they belong to.
pub(super) struct Structure {
    pub(super) edges: Planes,
    pub(super) control: Control,
    /// `[cell]`: sides drawn; 4 beyond the border.
    pub(super) degrees: [u8; N_CELLS],
    /// `[cell]`: its component.
    pub(super) component_of: [u8; N_CELLS],
    /// Of the boxes with two or three sides.
    pub(super) components: ArrayVec<Component, 100>,
    pub(super) n_to_take: u32,
}

impl Structure {
    pub(super) fn new(board: &Board, state: &State) -> Structure {
        let edges = board.planes(state.edges());
        let all = board.all_planes;
        let [_, two, three, _] = edges.boxes_by_sides(board);
        let undrawn = Planes {
            horizontal: all.horizontal & !edges.horizontal,
            vertical: all.vertical & !edges.vertical,
        };
        let mut structure = Structure {
            edges,
            control: Control::new(board, undrawn, two, three),
            degrees: [0; N_CELLS],
            component_of: [NONE; N_CELLS],
            components: ArrayVec::new(),
            n_to_take: three.count_ones(),
        };
        structure.degrees[BORDER] = 4;
        structure.find_components(board, undrawn, two | three, three);
        structure
    }

    fn find_components(&mut self, board: &Board, undrawn: Planes, links: u128, three: u128) {
        let below = board.cols + 1;
        // As in `Control`: a box and the one to its left, or above, and the edge between them.
        let left = links & links << 1 & undrawn.vertical;
        let up = links & links << below & undrawn.horizontal;
        let mut rest = links;
        while rest != 0 {
            let mut cells = rest & rest.wrapping_neg();
            loop {
                let across = (cells & left) >> 1 | cells << 1 & left;
                let down = (cells & up) >> below | cells << below & up;
                let grown = cells | across | down;
                if grown == cells {
                    break;
                }
                cells = grown;
            }
            rest &= !cells;
            let len = cells.count_ones();
            // A line has one link less than boxes, a ring as many.
            let n_links = (cells & left).count_ones() + (cells & up).count_ones();
            let number = self.components.len() as u8;
            self.components.push(Component {
                len: len as u8,
                n_open: (cells & three).count_ones() as u8,
                is_loop: n_links == len,
            });
            while cells != 0 {
                self.component_of[cells.trailing_zeros() as usize] = number;
                cells &= cells - 1;
            }
        }
    }

    #[inline]
    pub(super) fn component(&self, cell: usize) -> Option<Component> {
        self.components
            .get(usize::from(self.component_of[cell]))
            .copied()
    }

    /// The numbers of sides of all boxes.
    #[inline]
    pub(super) fn count_sides(&mut self, board: &Board) {
        let [_, two, three, four] = self.edges.boxes_by_sides(board);
        let Planes {
            horizontal,
            vertical,
        } = self.edges;
        let any = horizontal | horizontal >> (board.cols + 1) | vertical | vertical >> 1;
        let one = any & board.box_cells & !(two | three | four);
        for (mut cells, degree) in [(one, 1), (two, 2), (three, 3), (four, 4)] {
            while cells != 0 {
                self.degrees[cells.trailing_zeros() as usize] = degree;
                cells &= cells - 1;
            }
        }
    }
}
