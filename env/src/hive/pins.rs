//! Which pieces hold the hive together.

use super::cell::Cell;
use super::cell_set::{Around, CellSet};
use super::state::State;

/// For each pattern of occupied neighbours, into how many runs they fall around the cell.
static RUNS: [u8; 64] = {
    let mut table = [0; 64];
    let mut around: Around = 0;
    while around < 64 {
        let turned = (around << 1 | around >> 5) & 63;
        // A run begins where the next cell is occupied and this one is not.
        table[around] = (around & !turned).count_ones() as u8;
        around += 1;
    }
    // A full ring has no beginning.
    table[63] = 1;
    table
};

/// Whether lifting the only piece of a cell would split the hive.
pub(super) fn splits(state: &State, cell: Cell) -> bool {
    let occupied = state.occupied();
    if RUNS[occupied.around(cell)] <= 1 {
        return false;
    }
    let mut rest = *occupied;
    rest.remove(cell);
    let mut open: Vec<Cell> = rest.iter().take(1).collect();
    open.iter().for_each(|&cell| rest.remove(cell));
    while let Some(cell) = open.pop() {
        for next in cell.neighbours() {
            if rest.contains(next) {
                rest.remove(next);
                open.push(next);
            }
        }
    }
    rest != CellSet::EMPTY
}
