//! All boxes of a board at once: a set of boxes is one word, bit b for box b, and a row of boxes
//! follows the one above it.

use tablero_env::dots_and_boxes::{DotsAndBoxes, State};

/// A set of boxes.
pub(super) type Boxes = u128;

/// The shape of a board.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    rows: u32,
    cols: u32,
    boxes: Boxes,
    top_row: Boxes,
    bottom_row: Boxes,
    left_column: Boxes,
    right_column: Boxes,
}

/// The boxes whose top (bottom, left, right) side is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenSides {
    pub(super) top: Boxes,
    pub(super) bottom: Boxes,
    pub(super) left: Boxes,
    pub(super) right: Boxes,
}

impl OpenSides {
    /// The boxes with an open side.
    pub(super) fn unfinished(&self) -> Boxes {
        self.top | self.bottom | self.left | self.right
    }

    /// The boxes with exactly one open side: the player to move can take them.
    pub(super) fn capturable(&self) -> Boxes {
        let (one_of_rows, both_rows) = (self.top ^ self.bottom, self.top & self.bottom);
        let (one_of_cols, both_cols) = (self.left ^ self.right, self.left & self.right);
        (one_of_rows ^ one_of_cols) & !both_rows & !both_cols
    }

    /// The boxes with three or four open sides.
    pub(super) fn roomy(&self) -> Boxes {
        let (either_row, both_rows) = (self.top | self.bottom, self.top & self.bottom);
        let (either_col, both_cols) = (self.left | self.right, self.left & self.right);
        (both_rows & either_col) | (both_cols & either_row)
    }
}

/// The lowest box of a set, alone.
pub(super) fn lowest(boxes: Boxes) -> Boxes {
    boxes & boxes.wrapping_neg()
}

impl Grid {
    pub(super) fn new(game: &DotsAndBoxes) -> Self {
        let boxes_where = |condition: &dyn Fn(usize, usize) -> bool| {
            (0..game.n_boxes())
                .filter(|id| condition(id / game.cols(), id % game.cols()))
                .fold(0, |set, id| set | 1 << id)
        };
        Grid {
            rows: game.rows() as u32,
            cols: game.cols() as u32,
            boxes: boxes_where(&|_, _| true),
            top_row: boxes_where(&|row, _| row == 0),
            bottom_row: boxes_where(&|row, _| row + 1 == game.rows()),
            left_column: boxes_where(&|_, col| col == 0),
            right_column: boxes_where(&|_, col| col + 1 == game.cols()),
        }
    }

    // The boxes beside those of a set.

    fn above(&self, boxes: Boxes) -> Boxes {
        boxes >> self.cols
    }

    fn below(&self, boxes: Boxes) -> Boxes {
        boxes << self.cols & self.boxes
    }

    fn left_of(&self, boxes: Boxes) -> Boxes {
        (boxes & !self.left_column) >> 1
    }

    fn right_of(&self, boxes: Boxes) -> Boxes {
        (boxes & !self.right_column) << 1
    }

    pub(super) fn open_sides(&self, game: &DotsAndBoxes, state: &State) -> OpenSides {
        let [a, b, c, d] = game.undrawn(state).0.map(u128::from);
        let (low, high) = (a | b << 64, c | d << 64);
        // Horizontal edges have the numbers of the boxes below them; those of the bottom border
        // follow. Then come the vertical ones, in each row one more than there are boxes.
        let n_horizontal = (self.rows + 1) * self.cols;
        let vertical = low >> n_horizontal | high << (128 - n_horizontal);
        let (mut left, mut right) = (0, 0);
        let one_row = (1 << self.cols) - 1;
        for row in 0..self.rows {
            let edges = vertical >> (row * (self.cols + 1));
            left |= (edges & one_row) << (row * self.cols);
            right |= (edges >> 1 & one_row) << (row * self.cols);
        }
        OpenSides {
            top: low & self.boxes,
            bottom: low >> self.cols & self.boxes,
            left,
            right,
        }
    }

    /// The safe edges: those that leave no box with one open side, because only roomy boxes
    /// border on them. As the boxes above which, below which, left and right of which they lie;
    /// an edge between two boxes counts for the lower or right one only.
    fn safe_edges(&self, open: &OpenSides) -> [Boxes; 4] {
        let roomy = open.roomy();
        [
            roomy & open.top & (self.below(roomy) | self.top_row),
            roomy & open.bottom & self.bottom_row,
            roomy & open.left & (self.right_of(roomy) | self.left_column),
            roomy & open.right & self.right_column,
        ]
    }

    pub(super) fn n_safe_edges(&self, open: &OpenSides) -> u32 {
        self.safe_edges(open).map(Boxes::count_ones).iter().sum()
    }

    /// Draws the first safe edge, and tells whether there was one.
    pub(super) fn draw_safe_edge(&self, open: &mut OpenSides) -> bool {
        let [above, below, left, right] = self.safe_edges(open).map(lowest);
        if above != 0 {
            open.top &= !above;
            open.bottom &= !self.above(above);
        } else if below != 0 {
            open.bottom &= !below;
        } else if left != 0 {
            open.left &= !left;
            open.right &= !self.left_of(left);
        } else {
            open.right &= !right;
        }
        above | below | left | right != 0
    }

    /// Takes boxes until none can be taken, and tells how many there were.
    pub(super) fn take_all(&self, open: &mut OpenSides) -> i32 {
        let before = open.unfinished().count_ones();
        loop {
            let boxes = open.capturable();
            if boxes == 0 {
                return (before - open.unfinished().count_ones()) as i32;
            }
            let OpenSides {
                top,
                bottom,
                left,
                right,
            } = *open;
            open.top &= !(boxes | self.below(boxes & bottom));
            open.bottom &= !(boxes | self.above(boxes & top));
            open.left &= !(boxes | self.right_of(boxes & right));
            open.right &= !(boxes | self.left_of(boxes & left));
        }
    }

    /// All boxes of `within` that are connected with `seed` through open sides.
    pub(super) fn connected(&self, open: &OpenSides, within: Boxes, seed: Boxes) -> Boxes {
        let mut piece = seed;
        loop {
            let around = self.above(piece & open.top)
                | self.below(piece & open.bottom)
                | self.left_of(piece & open.left)
                | self.right_of(piece & open.right);
            let grown = piece | around & within;
            if grown == piece {
                return piece;
            }
            piece = grown;
        }
    }

    /// Whether a side of one of the boxes is open to the border of the board.
    pub(super) fn reaches_border(&self, open: &OpenSides, boxes: Boxes) -> bool {
        let to_the_border = open.top & self.top_row
            | open.bottom & self.bottom_row
            | open.left & self.left_column
            | open.right & self.right_column;
        boxes & to_the_border != 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{BOARDS, random_states};
    use super::*;
    use tablero_env::IdSet;
    use tablero_env::{ActionId, Game};

    /// The number of open sides of each box.
    fn n_open_sides(game: &DotsAndBoxes, edges: &IdSet) -> Vec<usize> {
        (0..game.n_boxes())
            .map(|id| {
                let sides = game.sides(id / game.cols(), id % game.cols());
                sides.iter().filter(|&&side| !edges.contains(side)).count()
            })
            .collect()
    }

    fn boxes_where(n_open: &[usize], condition: impl Fn(usize) -> bool) -> Boxes {
        let ids = (0..n_open.len()).filter(|&id| condition(n_open[id]));
        ids.fold(0, |set, id| set | 1 << id)
    }

    #[test]
    fn sets_of_boxes_are_as_if_looked_at_one_by_one() {
        for (rows, cols) in BOARDS {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let grid = Grid::new(&game);
            for state in random_states(&game, 3) {
                let open = grid.open_sides(&game, &state);
                let n_open = n_open_sides(&game, &state.edges());
                assert_eq!(open.unfinished(), boxes_where(&n_open, |n| n >= 1));
                assert_eq!(open.capturable(), boxes_where(&n_open, |n| n == 1));
                assert_eq!(open.roomy(), boxes_where(&n_open, |n| n >= 3));
            }
        }
    }

    #[test]
    fn taking_all_ends_where_playing_captures_ends() {
        for (rows, cols) in BOARDS {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let grid = Grid::new(&game);
            for mut state in random_states(&game, 3) {
                let mut open = grid.open_sides(&game, &state);
                let taken = grid.take_all(&mut open);
                let mover = game.player_to_move(&state).index();
                let before = game.points(&state).unwrap()[mover];
                let capture = |state: &State| {
                    let mut edges = game.undrawn(state).iter().map(ActionId::from);
                    edges.find_map(|action| {
                        let mut next = state.clone();
                        let played = game.play(&mut next, action).unwrap();
                        (!played.captured.is_empty()).then_some(next)
                    })
                };
                while let Some(next) = capture(&state) {
                    state = next;
                }
                assert_eq!(taken, game.points(&state).unwrap()[mover] - before);
                assert_eq!(open, grid.open_sides(&game, &state));
            }
        }
    }

    #[test]
    fn an_edge_is_safe_when_it_makes_no_box_capturable() {
        for (rows, cols) in BOARDS {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let grid = Grid::new(&game);
            for state in random_states(&game, 3) {
                let before = n_open_sides(&game, &state.edges());
                let is_safe = |&edge: &usize| {
                    let mut drawn = state.edges();
                    drawn.insert(edge);
                    let after = n_open_sides(&game, &drawn);
                    (0..after.len()).all(|id| after[id] == before[id] || after[id] > 1)
                };
                let n_safe = game.undrawn(&state).iter().filter(is_safe).count();
                let mut open = grid.open_sides(&game, &state);
                assert_eq!(grid.n_safe_edges(&open) as usize, n_safe);

                let capturable = open.capturable();
                let n_sides = |open: &OpenSides| {
                    let sides = [open.top, open.bottom, open.left, open.right];
                    sides.map(Boxes::count_ones).iter().sum::<u32>()
                };
                let sides_before = n_sides(&open);
                assert_eq!(grid.draw_safe_edge(&mut open), n_safe > 0);
                assert_eq!(open.capturable(), capturable);
                assert!((1..=2).contains(&(sides_before - n_sides(&open))) || n_safe == 0);
            }
        }
    }
}
