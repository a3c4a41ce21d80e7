//! How a batch of boards lies in memory.

/// A batch of boards, stored cell by cell, row by row, all channels of a cell side by side, with
/// a border of zeros around each board: `[n, height + 2 border, width + 2 border, channels]`.
///
/// With a border of 1, the nine cells that a 3x3 convolution reads are three pieces of three
/// cells each, in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Boards {
    pub n: usize,
    pub height: usize,
    pub width: usize,
    pub border: usize,
    /// Stored channels a cell; the last may be padding.
    pub channels: usize,
}

impl Boards {
    /// From a tensor's sizes.
    pub fn new([n, height, width, channels]: [usize; 4], border: usize) -> Boards {
        Boards {
            n,
            height: height - 2 * border,
            width: width - 2 * border,
            border,
            channels,
        }
    }

    /// The tensor's sizes.
    pub fn sizes(&self) -> [usize; 4] {
        let border = 2 * self.border;
        [
            self.n,
            self.height + border,
            self.width + border,
            self.channels,
        ]
    }

    /// Cells of a stored row, border included.
    pub fn stored_width(&self) -> usize {
        self.width + 2 * self.border
    }

    /// Cells of a stored board, border included.
    pub fn stored_cells(&self) -> usize {
        (self.height + 2 * self.border) * self.stored_width()
    }

    /// Values of a stored board.
    pub fn board_len(&self) -> usize {
        self.stored_cells() * self.channels
    }

    /// Values of the batch.
    pub fn len(&self) -> usize {
        self.n * self.board_len()
    }

    /// Values of a row without its border.
    pub fn row_len(&self) -> usize {
        self.width * self.channels
    }

    /// Cells of all boards, without borders.
    pub fn n_cells(&self) -> usize {
        self.n * self.height * self.width
    }

    /// The same boards with so many channels and such a border.
    pub fn with(self, channels: usize, border: usize) -> Boards {
        Boards {
            channels,
            border,
            ..self
        }
    }

    /// Where the first cell of each row stands, in cells; board by board, without borders.
    pub fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let Boards {
            n, height, border, ..
        } = *self;
        let (board, row) = (self.stored_cells(), self.stored_width());
        (0..n).flat_map(move |index| {
            (0..height).map(move |y| index * board + (y + border) * row + border)
        })
    }

    /// Where each cell stands, in cells; row by row, without borders.
    pub fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let width = self.width;
        self.rows().flat_map(move |row| row..row + width)
    }

    /// Sets the border to 0.
    pub fn clear_border(&self, values: &mut [f32]) {
        if self.border == 0 {
            return;
        }
        // What lies between the cells of two rows is border, boards' ends included.
        let mut start = 0;
        for row in self.rows() {
            values[start * self.channels..row * self.channels].fill(0.0);
            start = row + self.width;
        }
        values[start * self.channels..self.len()].fill(0.0);
    }
}
