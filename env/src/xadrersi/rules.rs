//! The rules, by bit operations on the occupied squares.

use super::bitboard::{neighbours, squares};
use super::illegal::Illegal;
use super::options::{Options, bishop_colours, own_bishops};
use super::piece::{Kind, N_KINDS, Square};
use super::scoring;
use super::state::{N_PLIES, State};
use crate::{ActionId, Game, Outcome, Player};
use rand::{Rng, RngExt};
use serde::Serialize;
use std::fmt;

/// The number of action ids: a kind and a square.
pub(super) const N_ACTIONS: usize = N_KINDS * 64;

/// The game, which has no parameters.
///
/// # Examples
/// ```
/// use tablero_env::{Game, Notation, xadrersi::Xadrersi};
/// let game = Xadrersi;
/// let mut state = game.initial();
/// for text in ["Kd4", "Qd5"] {
///     let action = game.parse_action(&state, text).unwrap();
///     game.play(&mut state, action).unwrap();
/// }
/// // The king attacks seven empty squares. The queen on d5 would attack 27 squares of an empty
/// // board, but the king stands in its way to d4, d3, d2 and d1.
/// assert_eq!(game.points(&state), Some([7, 23]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Xadrersi;

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
        match self.next {
            None => write!(f, "game over"),
            Some(player) if self.queen_called => write!(f, "player {player} to place the queen"),
            Some(player) => write!(f, "player {player} to move"),
        }
    }
}

/// The kind and the square of an action id below `N_ACTIONS`.
#[inline]
pub(super) fn parts(action: ActionId) -> (Kind, Square) {
    (
        Kind::ALL[action.index() / 64],
        Square((action.0 % 64) as u8),
    )
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
        let options = Options::new(state);
        for kind in Kind::ALL {
            let first = kind.index() as u32 * 64;
            let actions = squares(options.of(kind)).map(|square| first + u32::from(square.0));
            out.extend(actions.map(ActionId));
        }
    }

    #[inline]
    fn n_legal_actions(&self, state: &State, _buffer: &mut Vec<ActionId>) -> usize {
        Options::new(state).count()
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
            Options::new(state).of(kind) & square.bit() != 0
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
        let options = Options::new(state);
        let (kind, square) = options.nth(rng.random_range(0..options.count()));
        ActionId(kind.index() as u32 * 64 + u32::from(square.0))
    }
}
