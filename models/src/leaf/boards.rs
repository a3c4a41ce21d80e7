//! Where the cells of some boards stand in memory, board after board.

use crate::NetworkShape;

/// About how many cells are computed together: enough that loading the weights does not count.
const CHUNK_CELLS: usize = 256;

/// The places of the cells of as many boards as are computed together.
#[derive(Debug)]
pub(super) struct Boards {
    height: usize,
    width: usize,
    n_positions: usize,
    /// On boards with a border one cell wide, the first of the nine cells around each cell.
    pub corners: Vec<usize>,
    /// On such boards, the cell itself.
    pub centres: Vec<usize>,
    /// On boards without border.
    pub numbers: Vec<usize>,
}

impl Boards {
    pub fn new(shape: &NetworkShape) -> Boards {
        let [_, height, width] = shape.observation;
        let n_positions = (CHUNK_CELLS / shape.n_cells()).max(1);
        let padded = |border: usize| {
            let cells = (0..n_positions).flat_map(|board| {
                let first = board * (height + 2) * (width + 2);
                let rows = border..height + border;
                rows.flat_map(move |row| {
                    (border..width + border).map(move |col| first + row * (width + 2) + col)
                })
            });
            cells.collect()
        };
        Boards {
            height,
            width,
            n_positions,
            corners: padded(0),
            centres: padded(1),
            numbers: (0..n_positions * shape.n_cells()).collect(),
        }
    }

    /// How many positions are computed together.
    pub fn n_positions(&self) -> usize {
        self.n_positions
    }

    /// Cells of one board.
    pub fn n_cells(&self) -> usize {
        self.height * self.width
    }

    /// Cells of one board with its border.
    pub fn n_padded_cells(&self) -> usize {
        (self.height + 2) * self.padded_width()
    }

    /// Cells of a row with its border.
    pub fn padded_width(&self) -> usize {
        self.width + 2
    }

    /// Each of some observations `[positions, C, H, W]` with the places of its cells on padded
    /// boards.
    pub fn each<'a>(
        &'a self,
        observations: &'a [f32],
        n_planes: usize,
    ) -> impl Iterator<Item = (&'a [f32], &'a [usize])> {
        let boards = observations.chunks_exact(n_planes * self.n_cells());
        boards.zip(self.centres.chunks_exact(self.n_cells()))
    }
}
