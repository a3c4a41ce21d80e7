//! The rules, by bit operations on the occupied squares.

use super::board::bitboard::{neighbours, squares};
use super::board::square::Square;
use super::config::Xadrersi;
use super::illegal::Illegal;
use super::notation::SIDES;
use super::pieces::kind::Kind;
use super::pieces::placements::{N_ACTIONS, Placements, bishop_colours, own_bishops, parts};
use super::pieces::scoring;
use super::state::{N_PLIES, State};
use crate::{ActionId, Game, Outcome, Player};
use rand::{Rng, RngExt};
use serde::Serialize;
use std::fmt;

/// What placing a piece did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// The kind placed.
    pub kind: Kind,
    /// Where.
    pub square: Square,
    /// The points of both players on the board as it is now.
    pub points: [i32; 2],
    /// Whether the next player must answer with the queen.
    pub queen_called: bool,
    /// Who moves next; `None` when the game is over.
    pub next: Option<Player>,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.points;
        write!(f, "points {first} to {second}, ")?;
        match self.next.map(|player| SIDES[player.index()]) {
            None => write!(f, "game over"),
            Some(side) if self.queen_called => write!(f, "{side} to place the queen"),
            Some(side) => write!(f, "{side} to move"),
        }
    }
}

impl Xadrersi {
    /// How often each empty square counts for each player: by how many of the player's pieces it
    /// is attacked. `[player][square]`; 0 on occupied squares. A player's sum is the player's
    /// points.
    #[must_use]
    pub fn counted_squares(&self, state: &State) -> [[u8; 64]; 2] {
        scoring::counted_squares(state)
    }
}

impl Game for Xadrersi {
    type State = State;
    type Played = Played;
    type Illegal = Illegal;

    fn rules_version(&self) -> u32 {
        1
    }

    fn spec(&self) -> String {
        "xadrersi".to_owned()
    }

    fn n_actions(&self) -> usize {
        N_ACTIONS
    }

    fn max_plies(&self) -> Option<usize> {
        Some(usize::from(N_PLIES))
    }

    fn initial(&self) -> State {
        State::INITIAL
    }

    #[inline]
    fn player_to_move(&self, state: &State) -> Player {
        state.to_move()
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.is_over(state)
            .then(|| Outcome::from_points(scoring::points(state)))
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.n_pieces == N_PLIES
    }

    /// By the rule that ends the game, on the board as it is. They rise and fall to the end, so
    /// nothing is said of the [final lead](Game::lead_bounds).
    fn points(&self, state: &State) -> Option<[i32; 2]> {
        Some(scoring::points(state))
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<ActionId>) {
        out.clear();
        let placements = Placements::new(state);
        for kind in Kind::ALL {
            let first = kind.index() as u32 * 64;
            let actions = squares(placements.of(kind)).map(|square| first + u32::from(square.0));
            out.extend(actions.map(ActionId));
        }
    }

    #[inline]
    fn n_legal_actions(&self, state: &State, _buffer: &mut Vec<ActionId>) -> usize {
        Placements::new(state).count()
    }

    fn legality(&self, state: &State, action: ActionId) -> Result<(), Illegal> {
        if action.index() >= N_ACTIONS {
            return Err(Illegal::OffBoard {
                id: action.0,
                last: N_ACTIONS as u32 - 1,
            });
        }
        if self.is_over(state) {
            return Err(Illegal::GameOver);
        }
        let (kind, square) = parts(action);
        let (mover, ply) = (state.to_move(), state.n_pieces);
        if state.in_hand(mover, kind) == 0 {
            return Err(Illegal::NoneLeft(kind));
        }
        if (kind == Kind::King) != (ply == 0 || ply == N_PLIES - 1) {
            return Err(Illegal::KingOutOfTime { kind, ply });
        }
        if state.queen_called() && kind != Kind::Queen {
            return Err(Illegal::QueenCall(kind));
        }
        let occupied = state.occupied();
        if occupied & square.bit() != 0 {
            return Err(Illegal::Occupied(square));
        }
        let beside = neighbours(square.bit());
        if let Some(last) = state.anchor
            && beside & last.bit() == 0
        {
            return Err(Illegal::KingNotTouchingLast { square, last });
        }
        if ply > 0 && beside & occupied == 0 {
            return Err(Illegal::NotTouching(square));
        }
        if kind == Kind::Bishop
            && bishop_colours(state) & square.bit() == 0
            && let Some(other) = squares(own_bishops(state)).next()
        {
            return Err(Illegal::BishopsOnOneColour { square, other });
        }
        if ply == N_PLIES - 2 && beside & !occupied == 0 {
            return Err(Illegal::NoSquareForKing(square));
        }
        Ok(())
    }

    #[inline]
    fn is_legal(&self, state: &State, action: ActionId) -> bool {
        action.index() < N_ACTIONS && {
            let (kind, square) = parts(action);
            Placements::new(state).of(kind) & square.bit() != 0
        }
    }

    fn play(&self, state: &mut State, action: ActionId) -> Result<Played, Illegal> {
        self.legality(state, action)?;
        let (kind, square) = parts(action);
        state.place(kind, square);
        Ok(Played {
            kind,
            square,
            points: scoring::points(state),
            queen_called: state.queen_called(),
            next: (!self.is_over(state)).then(|| state.to_move()),
        })
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, action: ActionId) {
        let (kind, square) = parts(action);
        state.place(kind, square);
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
        let placements = Placements::new(state);
        let (kind, square) = placements.nth(rng.random_range(0..placements.count()));
        ActionId(kind.index() as u32 * 64 + u32::from(square.0))
    }
}
