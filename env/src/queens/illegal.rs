//! Why a queen may not be placed.

use super::board::Cell;

/// Why a queen may not be placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// No cell is free.
    #[error("the game is over")]
    GameOver,
    /// The id is not a cell of this board.
    #[error("cell {id} is off the board: expected 0 to {last}")]
    OffBoard {
        /// The id given.
        id: u32,
        /// The highest id of this board.
        last: u32,
    },
    /// A queen stands on the cell.
    #[error("the cell {0} is occupied")]
    Occupied(Cell),
    /// A queen attacks the cell.
    #[error("the cell {cell} is attacked by the queen on {by}")]
    Attacked {
        /// The cell asked for.
        cell: Cell,
        /// An attacking queen, the one with the lowest id.
        by: Cell,
    },
}
