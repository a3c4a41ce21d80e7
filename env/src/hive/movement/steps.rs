//! How a bug gets from one cell to the next: slides on the ground, and steps at any height.

use crate::hive::board::cell::Cell;
use crate::hive::board::cell_set::{AROUND, Around, Bits, CellSet};
use crate::hive::board::stacks::Board;

/// For each pattern of occupied neighbours, the directions in which a bug can slide: the target
/// is empty, and of the two cells beside the way exactly one is occupied. With none the bug would
/// lose touch with the hive, with both it cannot squeeze through.
pub(super) static SLIDES: [u8; 64] = {
    let mut table = [0; 64];
    let mut around: Around = 0;
    while around < 64 {
        let left = around >> 1 | around << 5;
        let right = around << 1 | around >> 5;
        table[around] = ((left ^ right) & !around & 63) as u8;
        around += 1;
    }
    table
};

/// [`SLIDES`] by the window around the bug.
static SLIDES_IN_WINDOW: [u8; 128] = {
    let mut table = [0; 128];
    let mut window = 0;
    while window < 128 {
        table[window] = SLIDES[AROUND[window] as usize];
        window += 1;
    }
    table
};

/// The directions in which a bug on the ground can slide, `others` being all occupied cells but
/// its own.
#[inline]
pub(super) fn slide_ways(others: &CellSet, from: Cell) -> u8 {
    SLIDES_IN_WINDOW[others.window(from)]
}

/// The cells to which a bug on the ground can slide, `others` being all occupied cells but its
/// own.
#[inline]
pub(crate) fn slides(others: &CellSet, from: Cell) -> impl Iterator<Item = Cell> {
    cells(from, slide_ways(others, from).into())
}

/// The cells around a cell in these directions.
#[inline]
pub(crate) fn cells(from: Cell, directions: Around) -> impl Iterator<Item = Cell> {
    Bits(directions as u32).map(move |direction| from.neighbour_at(direction))
}

/// The directions in which a bug can step up, along or down from a cell in which it stands on
/// `height` others, the cell `lifted` being one piece lower without it: the two stacks beside the
/// way must not both be higher than the two ends of the way, and the bug must not lose touch with
/// the hive.
pub(crate) fn steps(board: &Board, lifted: Cell, from: Cell, height: usize) -> Around {
    let heights = from
        .neighbours()
        .map(|cell| board.height(cell) - usize::from(cell == lifted));
    (0..6)
        .filter(|direction| {
            let way = height.max(heights[*direction]);
            let (left, right) = (heights[(direction + 1) % 6], heights[(direction + 5) % 6]);
            left.min(right) <= way && (way > 0 || left.max(right) > 0)
        })
        .fold(0, |directions, direction| directions | 1 << direction)
}
