//! How a batch of boards lies in memory.

/// A batch of boards, stored cell by cell, row by row, all channels of a cell side by side, with
/// a border of zeros above and to the left of each board: `[n, height + border, width + border,
/// channels]`.
///
/// With a border of 1 all neighbours of a cell can be read in place: to the right of a row lies
/// the border of the next one, and below a board that of the next one. After the last board the
/// reader has to think of zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Boards {
    pub n: usize,
    pub height: usize,
    pub width: usize,
    /// 0 or 1.
    pub border: usize,
    /// Stored channels a cell; the last may be padding.
    pub channels: usize,
}

impl Boards {
    /// From a tensor's sizes.
    pub fn new([n, height, width, channels]: [usize; 4], border: usize) -> Boards {
        Boards {
            n,
            height: height - border,
            width: width - border,
            border,
            channels,
        }
    }

    /// The tensor's sizes.
    pub fn sizes(&self) -> [usize; 4] {
        [
            self.n,
            self.height + self.border,
            self.stored_width(),
            self.channels,
        ]
    }

    /// Cells of a stored row, border included.
    pub fn stored_width(&self) -> usize {
        self.width + self.border
    }

    /// Values of a stored row, border included.
    pub fn stored_row_len(&self) -> usize {
        self.stored_width() * self.channels
    }

    /// Values of a stored board, border included.
    pub fn board_len(&self) -> usize {
        (self.height + self.border) * self.stored_row_len()
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

    /// Where each row's first cell starts, board by board, without borders.
    pub fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let Boards {
            n, height, border, ..
        } = *self;
        let first = border * (self.stored_row_len() + self.channels);
        let (board_len, row_len) = (self.board_len(), self.stored_row_len());
        (0..n).flat_map(move |board| {
            (0..height).map(move |row| first + board * board_len + row * row_len)
        })
    }

    /// Sets the border to 0.
    pub fn clear_border(&self, values: &mut [f32]) {
        // What lies between the cells of two rows is border, boards' ends included.
        let mut start = 0;
        for row in self.rows() {
            values[start..row].fill(0.0);
            start = row + self.row_len();
        }
    }
}
