//! The geometry of one board size, and the tables that the rules look up.

use crate::IdSet;
use serde::Serialize;

/// The most rows or columns of boxes.
pub const MAX_SIDE: usize = 10;

/// The number of a box, `row * cols + column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct BoxId(pub u8);

/// Edges of the largest board: 11 * 10 horizontal and as many vertical.
pub(super) const MAX_EDGES: usize = 2 * (MAX_SIDE + 1) * MAX_SIDE;
/// Boxes of the largest board.
pub(super) const MAX_BOXES: usize = MAX_SIDE * MAX_SIDE;

/// In place of the cell of a second box of a border edge: beyond all cells of the largest board.
pub(super) const BORDER: usize = 127;

/// A box that an edge borders, with the box's other three edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bordered {
    pub(super) others: [u8; 3],
    pub(super) box_id: BoxId,
}

impl Bordered {
    /// In place of the second box of a border edge: edge 255 is on no board, so it is never drawn
    /// and this box never complete.
    const NONE: Bordered = Bordered {
        others: [u8::MAX; 3],
        box_id: BoxId(0),
    };
}

/// A set of edges as two planes of cells, bit `r * (cols + 1) + c` for the cell (r, c).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Planes {
    /// The edge above box (r, c).
    pub(super) horizontal: u128,
    /// The edge left of box (r, c).
    pub(super) vertical: u128,
}

#[derive(Debug)]
pub(super) struct Board {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) n_boxes: usize,
    pub(super) n_edges: usize,
    pub(super) n_horizontal: usize,
    pub(super) all_edges: IdSet,
    pub(super) all_planes: Planes,
    /// Bit `r * (cols + 1) + c` for each box (r, c): where it stands in a plane.
    pub(super) box_cells: u128,
    /// For each edge the boxes that it borders, in ascending order.
    pub(super) bordered: [[Bordered; 2]; MAX_EDGES],
    /// For each edge the cells of these boxes, [`BORDER`] where there is no second.
    pub(super) boxes_at: [[u8; 2]; MAX_EDGES],
    /// `symmetries[s][edge]`: where symmetry s takes the edge. The group of a rectangle
    /// (identity, the two mirrors, the half turn), and on a square board those four after a
    /// transposition.
    pub(super) symmetries: Vec<Vec<u8>>,
}

impl Board {
    /// The tables of a board with both sides in `1..=MAX_SIDE`.
    pub(super) fn new(rows: usize, cols: usize) -> Self {
        let n_horizontal = (rows + 1) * cols;
        let mut board = Board {
            rows,
            cols,
            n_boxes: rows * cols,
            n_edges: n_horizontal + rows * (cols + 1),
            n_horizontal,
            all_edges: IdSet::default(),
            all_planes: Planes::default(),
            box_cells: 0,
            bordered: [[Bordered::NONE; 2]; MAX_EDGES],
            boxes_at: [[BORDER as u8; 2]; MAX_EDGES],
            symmetries: Vec::new(),
        };
        (0..board.n_edges).for_each(|edge| board.all_edges.insert(edge));
        board.all_planes = board.planes(board.all_edges);
        let mut n_bordered = [0; MAX_EDGES];
        for id in 0..board.n_boxes {
            let (row, col) = (id / cols, id % cols);
            board.box_cells |= 1 << (row * (cols + 1) + col);
            let sides = board.sides(row, col);
            for &edge in &sides {
                let mut others = sides.iter().filter(|&&other| other != edge);
                board.bordered[edge][n_bordered[edge]] = Bordered {
                    others: [(); 3].map(|()| *others.next().expect("four sides") as u8),
                    box_id: BoxId(id as u8),
                };
                board.boxes_at[edge][n_bordered[edge]] = (row * (cols + 1) + col) as u8;
                n_bordered[edge] += 1;
            }
        }
        board.symmetries = board.symmetries();
        board
    }

    pub(super) fn horizontal(&self, row: usize, col: usize) -> usize {
        row * self.cols + col
    }

    pub(super) fn vertical(&self, row: usize, col: usize) -> usize {
        self.n_horizontal + row * (self.cols + 1) + col
    }

    /// Top, bottom, left, right.
    pub(super) fn sides(&self, row: usize, col: usize) -> [usize; 4] {
        [
            self.horizontal(row, col),
            self.horizontal(row + 1, col),
            self.vertical(row, col),
            self.vertical(row, col + 1),
        ]
    }

    /// (is vertical, row, column) of an edge.
    pub(super) fn locate(&self, edge: usize) -> (bool, usize, usize) {
        match edge.checked_sub(self.n_horizontal) {
            None => (false, edge / self.cols, edge % self.cols),
            Some(index) => (true, index / (self.cols + 1), index % (self.cols + 1)),
        }
    }

    #[inline]
    pub(super) fn planes(&self, edges: IdSet) -> Planes {
        let Board { rows, cols, .. } = *self;
        let row_of_edges = (1 << cols) - 1;
        let mut rest = edges.window(0);
        let mut horizontal = 0;
        for row in 0..=rows {
            horizontal |= (rest & row_of_edges) << (row * (cols + 1));
            rest >>= cols;
        }
        Planes {
            horizontal,
            // The ids of the vertical edges count the cells already.
            vertical: edges.window(self.n_horizontal),
        }
    }

    fn symmetries(&self) -> Vec<Vec<u8>> {
        let transpositions: &[bool] = if self.rows == self.cols {
            &[false, true]
        } else {
            &[false]
        };
        let mut maps = Vec::new();
        for &transpose in transpositions {
            for flip_rows in [false, true] {
                for flip_cols in [false, true] {
                    let images = (0..self.n_edges)
                        .map(|edge| self.image(edge, transpose, flip_rows, flip_cols) as u8);
                    maps.push(images.collect());
                }
            }
        }
        maps
    }

    /// Where an edge goes when the board is transposed, then mirrored.
    fn image(&self, edge: usize, transpose: bool, flip_rows: bool, flip_cols: bool) -> usize {
        let (mut vertical, mut row, mut col) = self.locate(edge);
        if transpose {
            (vertical, row, col) = (!vertical, col, row);
        }
        if flip_rows {
            // Horizontal edges have one row more than boxes do.
            row = self.rows - row - usize::from(vertical);
        }
        if flip_cols {
            col = self.cols - col - usize::from(!vertical);
        }
        if vertical {
            self.vertical(row, col)
        } else {
            self.horizontal(row, col)
        }
    }
}

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
