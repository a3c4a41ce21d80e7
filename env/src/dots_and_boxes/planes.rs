//! Edges and boxes as the planes of an observation, a bit a cell.

use super::board::{Board, Planes};

impl Planes {
    /// The cells of the boxes with at most one side, with two, with three and with four, by
    /// adding the sides of all boxes at once.
    #[inline]
    pub(super) fn boxes_by_sides(self, board: &Board) -> [u128; 4] {
        let (top, bottom) = (self.horizontal, self.horizontal >> (board.cols + 1));
        let (left, right) = (self.vertical, self.vertical >> 1);
        let (one_across, two_across) = (top ^ bottom, top & bottom);
        let (one_down, two_down) = (left ^ right, left & right);
        let four = two_across & two_down;
        let odd = one_across ^ one_down;
        let two_or_three = (two_across ^ two_down) | (one_across & one_down);
        let cells = board.box_cells;
        [
            cells & !(two_or_three | four),
            cells & two_or_three & !odd,
            cells & two_or_three & odd,
            cells & four,
        ]
    }
}

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

/// Writes 1 where the cell's bit is set, else 0.
#[inline]
pub(super) fn write_plane(mut cells: u128, out: &mut [f32]) {
    let (chunks, rest) = out.as_chunks_mut();
    for chunk in chunks {
        *chunk = NIBBLES[(cells & 15) as usize];
        cells >>= 4;
    }
    for (value, bit) in rest.iter_mut().zip(NIBBLES[(cells & 15) as usize]) {
        *value = bit;
    }
}

/// Four bits as four values.
static NIBBLES: [[f32; 4]; 16] = {
    let mut values = [[0.0; 4]; 16];
    let mut nibble = 0;
    while nibble < 16 {
        let mut bit = 0;
        while bit < 4 {
            values[nibble][bit] = (nibble >> bit & 1) as f32;
            bit += 1;
        }
        nibble += 1;
    }
    values
};
