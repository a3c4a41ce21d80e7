//! The rules, by bit operations on the set of free cells.

use super::board::Board;
use super::config::{ConfigError, FullBoard, MAX_SIDE, read_parameters};
use super::state::State;
use crate::IdSet;
use crate::{ActionId, Game, Outcome, Player};
use rand::{Rng, RngExt};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// A cell by its column and row, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Cell {
    /// Column.
    pub x: u8,
    /// Row.
    pub y: u8,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The side of the board and the reading of a full one, and tables derived from them.
#[derive(Clone)]
pub struct Queens {
    pub(super) board: Arc<Board>,
    full_board: FullBoard,
}

impl fmt::Debug for Queens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queens({}, {:?})", self.side(), self.full_board)
    }
}

/// What placing a queen did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// How many cells are still free.
    pub free: usize,
    /// Who moves next; `None` when the game is over.
    pub next: Option<Player>,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.next, self.free) {
            (None, _) => write!(f, "no cell left free, game over"),
            (Some(player), 1) => write!(f, "1 cell left free, player {player} to move"),
            (Some(player), n) => write!(f, "{n} cells left free, player {player} to move"),
        }
    }
}

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

    /// How a game ends in which so many queens have been placed.
    #[inline]
    #[must_use]
    pub fn outcome_with(&self, n_queens: usize) -> Outcome {
        Outcome::won_by(if n_queens == self.side() {
            self.full_board.winner()
        } else {
            // An odd number is one more for White, an even one as many for Black.
            Some(Player::BOTH[usize::from(n_queens.is_multiple_of(2))])
        })
    }

    /// A state from its parts: the cells with queens, and those of them that player 1 placed.
    /// `None` if a queen is off the board or attacks another, or if the players cannot have
    /// placed so many in turn.
    #[must_use]
    pub fn state_from_parts(&self, queens: IdSet, placed_by_second: IdSet) -> Option<State> {
        let first = queens.without(placed_by_second);
        let in_turn = placed_by_second.len() == queens.len() / 2;
        if !in_turn || first.or(placed_by_second) != queens {
            return None;
        }
        let mut state = self.initial();
        let mut sides = [first.iter(), placed_by_second.iter()];
        while state.n_queens() < queens.len() {
            let cell = sides[state.to_move().index()].next()?;
            self.legality(&state, ActionId::from(cell)).ok()?;
            state.place(cell, self.reach(cell));
        }
        Some(state)
    }
}

impl Game for Queens {
    type State = State;
    type Played = Played;
    type Illegal = Illegal;

    fn rules_version(&self) -> u32 {
        1
    }

    fn spec(&self) -> String {
        match self.full_board {
            FullBoard::White => format!("queens:{}", self.side()),
            other => format!("queens:{},full_board={other}", self.side()),
        }
    }

    fn n_actions(&self) -> usize {
        self.board.n_cells()
    }

    /// One queen a row.
    fn max_plies(&self) -> Option<usize> {
        Some(self.side())
    }

    fn initial(&self) -> State {
        State::empty(self.board.all_cells)
    }

    #[inline]
    fn player_to_move(&self, state: &State) -> Player {
        state.to_move()
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.is_over(state)
            .then(|| self.outcome_with(state.n_queens()))
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.free.is_empty()
    }

    #[inline]
    fn legal_actions(&self, state: &State, out: &mut Vec<ActionId>) {
        // Sized first, so that the loop need not look after the capacity.
        out.resize(state.free.len(), ActionId(0));
        for (slot, cell) in out.iter_mut().zip(state.free.iter()) {
            *slot = ActionId(cell as u32);
        }
    }

    #[inline]
    fn n_legal_actions(&self, state: &State, _buffer: &mut Vec<ActionId>) -> usize {
        state.free.len()
    }

    #[inline]
    fn legality(&self, state: &State, action: ActionId) -> Result<(), Illegal> {
        let cell = action.index();
        if cell >= self.n_actions() {
            return Err(Illegal::OffBoard {
                id: action.0,
                last: self.n_actions() as u32 - 1,
            });
        }
        if self.is_over(state) {
            return Err(Illegal::GameOver);
        }
        if state.queens.contains(cell) {
            return Err(Illegal::Occupied(self.cell(cell)));
        }
        match self.reach(cell).and(state.queens).iter().next() {
            Some(queen) => Err(Illegal::Attacked {
                cell: self.cell(cell),
                by: self.cell(queen),
            }),
            None => Ok(()),
        }
    }

    #[inline]
    fn is_legal(&self, state: &State, action: ActionId) -> bool {
        action.index() < self.n_actions() && state.free.contains(action.index())
    }

    fn play(&self, state: &mut State, action: ActionId) -> Result<Played, Illegal> {
        self.legality(state, action)?;
        self.play_unchecked(state, action);
        Ok(Played {
            free: state.free.len(),
            next: (!self.is_over(state)).then(|| state.to_move()),
        })
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, action: ActionId) {
        state.place(action.index(), self.reach(action.index()));
    }

    #[inline]
    fn hash(&self, state: &State) -> u64 {
        state.key
    }

    #[inline]
    fn sample_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> ActionId {
        let rank = rng.random_range(0..state.free.len());
        ActionId(state.free.nth(rank) as u32)
    }
}
