//! The configured game: the side of its board, who wins a full one, and the text of both.

use super::board::{Board, Cell, MAX_SIDE};
use crate::{IdSet, Player};
use std::fmt;
use std::sync::Arc;

/// The side of the board and the reading of a full one, and tables derived from them.
#[derive(Clone)]
pub struct Queens {
    pub(super) board: Arc<Board>,
    pub(super) full_board: FullBoard,
}

impl fmt::Debug for Queens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queens({}, {:?})", self.side(), self.full_board)
    }
}

/// Who wins with as many queens as the board has rows. White has then placed half of them, which
/// is White's goal; and Black as many as White, which is Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FullBoard {
    /// White, player 0.
    #[default]
    White,
    /// Black, player 1. The last player to place a queen then wins in every case: normal play.
    Black,
    /// Neither.
    Draw,
}

impl FullBoard {
    /// Every reading.
    pub const ALL: [FullBoard; 3] = [FullBoard::White, FullBoard::Black, FullBoard::Draw];

    /// Who wins a full board; `None` is a draw.
    #[inline]
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            FullBoard::White => Some(Player::First),
            FullBoard::Black => Some(Player::Second),
            FullBoard::Draw => None,
        }
    }
}

impl fmt::Display for FullBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FullBoard::White => "white",
            FullBoard::Black => "black",
            FullBoard::Draw => "draw",
        })
    }
}

/// Parameters that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The side is odd, or no board is so small or large.
    #[error("the side of the board is an even number from 2 to {MAX_SIDE}, got {side}")]
    Side {
        /// The side asked for.
        side: usize,
    },
    /// The text does not have the form of the parameters.
    #[error(
        "expected SIDE (even, 2 to {MAX_SIDE}), or SIDE,full_board=white|black|draw, such as \
         8,full_board=draw; got {got:?}"
    )]
    Parameters {
        /// The text given.
        got: String,
    },
}

impl Queens {
    /// A board of `side x side` cells.
    ///
    /// # Errors
    /// If the side is odd or not in `2..=16`.
    ///
    /// # Examples
    /// ```
    /// use tablero_env::queens::{FullBoard, Queens};
    /// use tablero_env::{ActionId, Game};
    /// let game = Queens::new(4, FullBoard::White).unwrap();
    /// let mut state = game.initial();
    /// assert_eq!(game.play(&mut state, ActionId(0)).unwrap().free, 6);
    /// assert!(game.play(&mut state, ActionId(5)).is_err(), "on the diagonal");
    /// assert!(Queens::new(5, FullBoard::White).is_err(), "odd");
    /// ```
    pub fn new(side: usize, full_board: FullBoard) -> Result<Self, ConfigError> {
        if !(2..=MAX_SIDE).contains(&side) || !side.is_multiple_of(2) {
            return Err(ConfigError::Side { side });
        }
        Ok(Queens {
            board: Arc::new(Board::new(side)),
            full_board,
        })
    }

    /// Reads the parameters of a spec: `8`, or `8,full_board=draw`.
    ///
    /// # Errors
    /// If the text has another form, or the side is odd or not in `2..=16`.
    ///
    /// # Examples
    /// ```
    /// use tablero_env::{Game, queens::Queens};
    /// let game = Queens::parse_parameters("6,full_board=black").unwrap();
    /// assert_eq!(game.spec(), "queens:6,full_board=black");
    /// assert!(Queens::parse_parameters("6x6").is_err());
    /// ```
    pub fn parse_parameters(text: &str) -> Result<Self, ConfigError> {
        let (side, full_board) = read_parameters(text)?;
        Queens::new(side, full_board)
    }

    /// Rows, and columns, of the board.
    #[must_use]
    pub fn side(&self) -> usize {
        self.board.side
    }

    /// Who wins with as many queens as the board has rows.
    #[inline]
    #[must_use]
    pub fn full_board(&self) -> FullBoard {
        self.full_board
    }

    /// The cell and every cell that a queen on it attacks.
    ///
    /// # Panics
    /// If `cell` is off the board.
    #[inline]
    #[must_use]
    pub fn reach(&self, cell: usize) -> IdSet {
        self.board.reach[cell]
    }

    /// Column and row of a cell.
    #[must_use]
    pub fn cell(&self, id: usize) -> Cell {
        Cell {
            x: (id % self.side()) as u8,
            y: (id / self.side()) as u8,
        }
    }
}

/// Reads `SIDE` or `SIDE,full_board=READING`. The side is a number, not necessarily a valid one.
fn read_parameters(text: &str) -> Result<(usize, FullBoard), ConfigError> {
    let read = || {
        let (side, rest) = match text.split_once(',') {
            Some((side, rest)) => (side, Some(rest)),
            None => (text, None),
        };
        let side = side.trim().parse().ok()?;
        let Some(rest) = rest else {
            return Some((side, FullBoard::default()));
        };
        let (name, value) = rest.split_once('=')?;
        if name.trim() != "full_board" {
            return None;
        }
        let reading = FullBoard::ALL
            .into_iter()
            .find(|reading| reading.to_string() == value.trim())?;
        Some((side, reading))
    };
    read().ok_or_else(|| ConfigError::Parameters {
        got: text.to_owned(),
    })
}
