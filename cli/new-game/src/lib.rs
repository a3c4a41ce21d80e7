//! MyGame. To begin with: a row of 12 stones, from which the players take one to three in turn; whoever
//! takes the last one wins. Put your own rules in its place, one method after the other.

use serde::{Deserialize, Serialize};
use tablero::{Outcome, Player, Rules};

/// The stones at the beginning.
const STONES: usize = 12;

/// The rules. A board of several sizes would have its size here.
#[derive(Clone, Debug)]
pub struct MyGame;

/// FILL IN: what the rules know of a position. Small is fast.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    left: usize,
    to_move: Player,
}

impl Rules for MyGame {
    type State = State;

    fn name(&self) -> &'static str {
        "my-game"
    }

    /// FILL IN: how many actions there are in all. They have the numbers from 0 on; here action 0
    /// takes one stone, 1 two, 2 three.
    fn n_actions(&self) -> usize {
        3
    }

    /// FILL IN: the length of the longest game.
    fn max_plies(&self) -> Option<usize> {
        Some(STONES)
    }

    /// FILL IN: the position before the first move.
    fn initial(&self) -> State {
        State {
            left: STONES,
            to_move: Player::First,
        }
    }

    fn to_move(&self, state: &State) -> Player {
        state.to_move
    }

    /// FILL IN: the actions that may be played in an unfinished position.
    fn legal(&self, state: &State) -> impl Iterator<Item = usize> {
        0..state.left.min(3)
    }

    /// FILL IN: what an action does. Only legal ones come here.
    fn play(&self, state: &mut State, action: usize) {
        state.left -= action + 1;
        state.to_move = state.to_move.opponent();
    }

    /// FILL IN: who has won, or `Outcome::won_by(None)` for a draw; `None` before the end.
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let winner = state.to_move.opponent();
        (state.left == 0).then(|| Outcome::won_by(Some(winner)))
    }

    /// FILL IN: planes, rows and columns of what a network sees.
    fn observation_shape(&self) -> [usize; 3] {
        [1, 1, STONES]
    }

    /// FILL IN: the position as the player to move sees it, in numbers from -1 to 1: plane by plane,
    /// row by row. All are 0 at first. Enough must be there to tell any two positions apart.
    fn observe(&self, state: &State, planes: &mut [f32]) {
        planes[..state.left].fill(1.0);
    }

    // All else has a default. Worth a look: `cell` for the drawing, `action_text` for names of
    // actions, `n_symmetries` with `transform` and `transform_action` for faster learning,
    // `points` in games that have them, `check_state` for states that people type.
}
