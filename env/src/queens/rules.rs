//! The rules, by bit operations on the set of free cells.

use super::config::{FullBoard, Queens};
use super::illegal::Illegal;
use super::notation::SIDES;
use super::state::State;
use crate::IdSet;
use crate::{ActionId, Game, Outcome, Player};
use rand::{Rng, RngExt};
use serde::Serialize;
use std::fmt;

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
        match (self.next.map(|player| SIDES[player.index()]), self.free) {
            (None, _) => write!(f, "no cell left free, game over"),
            (Some(side), 1) => write!(f, "1 cell left free, {side} to move"),
            (Some(side), n) => write!(f, "{n} cells left free, {side} to move"),
        }
    }
}

impl Queens {
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
