//! How a bug gets from one cell to the next: slides on the ground, and steps at any height.

use super::cell::{Cell, Direction};
use super::cell_set::{Around, CellSet};
use super::state::State;

/// For each pattern of occupied neighbours, the directions in which a bug can slide: the target
/// is empty, and of the two cells beside the way exactly one is occupied. With none the bug would
/// lose touch with the hive, with both it cannot squeeze through.
static SLIDES: [u8; 64] = {
    let mut table = [0; 64];
    let mut around: Around = 0;
    while around < 64 {
        let mut direction = 0;
        while direction < 6 {
            let left = around >> ((direction + 1) % 6) & 1;
            let right = around >> ((direction + 5) % 6) & 1;
            if around >> direction & 1 == 0 && left != right {
                table[around] |= 1 << direction;
            }
            direction += 1;
        }
        around += 1;
    }
    table
};

/// The cells to which a bug on the ground can slide, `occupied` being all others.
#[inline]
pub(super) fn slides(occupied: &CellSet, from: Cell) -> impl Iterator<Item = Cell> {
    directions(SLIDES[occupied.around(from)]).map(move |direction| from.neighbour(direction))
}

/// The directions in a set of them, bit d for `Direction::ALL[d]`.
#[inline]
fn directions(set: u8) -> impl Iterator<Item = Direction> {
    std::iter::successors(Some(set), |set| Some(set & (set - 1)))
        .take_while(|&set| set != 0)
        .map(|set| Direction::ALL[set.trailing_zeros() as usize])
}

/// The heights of all stacks without the moving piece.
pub(super) struct Heights<'a> {
    pub(super) state: &'a State,
    /// Where the moving piece was.
    pub(super) lifted: Cell,
}

impl Heights<'_> {
    #[inline]
    pub(super) fn at(&self, cell: Cell) -> usize {
        self.state.height(cell) - usize::from(cell == self.lifted)
    }

    /// Whether a bug that stands on `from` can step in a direction, up, along or down: the two
    /// stacks beside the way must not both be higher than the two ends of the way, and the bug
    /// must not lose touch with the hive.
    #[inline]
    pub(super) fn can_step(&self, from: Cell, direction: Direction) -> bool {
        let way = self.at(from).max(self.at(from.neighbour(direction)));
        let left = self.at(from.neighbour(direction.turned(1)));
        let right = self.at(from.neighbour(direction.turned(5)));
        left.min(right) <= way && (way > 0 || left.max(right) > 0)
    }
}
