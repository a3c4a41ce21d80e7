//! The configured game: the size of its board, and the text of it.

use super::board::{Board, MAX_SIDE};
use std::fmt;
use std::sync::Arc;

/// The board size, and tables derived from it.
#[derive(Clone)]
pub struct DotsAndBoxes {
    pub(super) board: Arc<Board>,
}

impl fmt::Debug for DotsAndBoxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DotsAndBoxes({}x{})", self.rows(), self.cols())
    }
}

/// Parameters that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// No board is so small or large.
    #[error("a board has 1 to {MAX_SIDE} rows and columns of boxes, got {rows}x{cols}")]
    Size {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
    /// The text does not have the form of a size.
    #[error("expected ROWSxCOLS, such as 5x5 (up to {MAX_SIDE}x{MAX_SIDE})")]
    Parameters {
        /// The text given.
        got: String,
    },
}

impl DotsAndBoxes {
    /// A board of `rows x cols` boxes.
    ///
    /// # Errors
    /// If either is not in `1..=10`.
    ///
    /// # Examples
    /// ```
    /// use tablero_env::{ActionId, Game, dots_and_boxes::DotsAndBoxes};
    /// let game = DotsAndBoxes::new(2, 3).unwrap();
    /// let mut state = game.initial();
    /// let played = game.play(&mut state, ActionId(0)).unwrap();
    /// assert!(played.captured.is_empty());
    /// assert!(game.play(&mut state, ActionId(0)).is_err(), "already drawn");
    /// assert!(DotsAndBoxes::new(0, 3).is_err());
    /// ```
    pub fn new(rows: usize, cols: usize) -> Result<Self, ConfigError> {
        if !(1..=MAX_SIDE).contains(&rows) || !(1..=MAX_SIDE).contains(&cols) {
            return Err(ConfigError::Size { rows, cols });
        }
        Ok(DotsAndBoxes {
            board: Arc::new(Board::new(rows, cols)),
        })
    }

    /// Reads the parameters of a spec, such as `5x5`.
    ///
    /// # Errors
    /// If the text is not two numbers with an `x` between them, each in `1..=10`.
    ///
    /// # Examples
    /// ```
    /// use tablero_env::{Game, dots_and_boxes::DotsAndBoxes};
    /// let game = DotsAndBoxes::parse_parameters("3x4").unwrap();
    /// assert_eq!(game.spec(), "dots-and-boxes:3x4");
    /// assert!(DotsAndBoxes::parse_parameters("3").is_err());
    /// ```
    pub fn parse_parameters(text: &str) -> Result<Self, ConfigError> {
        let read = || {
            let (rows, cols) = text.split_once(['x', 'X'])?;
            Some((rows.parse().ok()?, cols.parse().ok()?))
        };
        let (rows, cols) = read().ok_or_else(|| ConfigError::Parameters {
            got: text.to_owned(),
        })?;
        DotsAndBoxes::new(rows, cols)
    }

    /// Rows of boxes.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.board.rows
    }

    /// Columns of boxes.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.board.cols
    }

    /// The number of boxes, `rows * cols`.
    #[inline]
    #[must_use]
    pub fn n_boxes(&self) -> usize {
        self.board.n_boxes
    }

    /// The number of edges, which is also the number of actions and of plies.
    #[inline]
    #[must_use]
    pub fn n_edges(&self) -> usize {
        self.board.n_edges
    }

    /// The number of horizontal edges; their ids come first.
    #[must_use]
    pub fn n_horizontal(&self) -> usize {
        self.board.n_horizontal
    }

    /// The id of the horizontal edge above the box (`row` up to `rows`, for the bottom border).
    #[must_use]
    pub fn horizontal(&self, row: usize, col: usize) -> usize {
        self.board.horizontal(row, col)
    }

    /// The id of the vertical edge left of the box (`col` up to `cols`, for the right border).
    #[must_use]
    pub fn vertical(&self, row: usize, col: usize) -> usize {
        self.board.vertical(row, col)
    }

    /// The ids of the four sides of a box: top, bottom, left, right.
    #[must_use]
    pub fn sides(&self, row: usize, col: usize) -> [usize; 4] {
        self.board.sides(row, col)
    }
}
