use serde::{Deserialize, Serialize};
use tablero::{Outcome, Player, Rules};

/// The cells, row by row, that win.
const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

/// The rules.
#[derive(Clone, Debug)]
pub struct TicTacToe;

/// Who owns each cell, and who moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    cells: [Option<Player>; 9],
    to_move: Player,
}

impl Rules for TicTacToe {
    type State = State;

    fn name(&self) -> &'static str {
        "tic-tac-toe"
    }

    fn n_actions(&self) -> usize {
        9
    }

    fn max_plies(&self) -> Option<usize> {
        Some(9)
    }

    fn initial(&self) -> State {
        State {
            cells: [None; 9],
            to_move: Player::First,
        }
    }

    fn to_move(&self, state: &State) -> Player {
        state.to_move
    }

    fn legal(&self, state: &State) -> impl Iterator<Item = usize> {
        (0..9).filter(|&cell| state.cells[cell].is_none())
    }

    fn play(&self, state: &mut State, cell: usize) {
        state.cells[cell] = Some(state.to_move);
        state.to_move = state.to_move.opponent();
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let last = Some(state.to_move.opponent());
        let has_line = LINES
            .iter()
            .any(|line| line.iter().all(|&cell| state.cells[cell] == last));
        if has_line {
            return Some(Outcome::won_by(last));
        }
        let is_full = state.cells.iter().all(Option::is_some);
        is_full.then(|| Outcome::won_by(None))
    }

    fn observation_shape(&self) -> [usize; 3] {
        [2, 3, 3]
    }

    /// The mover's marks, and the other ones.
    fn observe(&self, state: &State, planes: &mut [f32]) {
        for (cell, owner) in state.cells.iter().enumerate() {
            if let Some(owner) = owner {
                let plane = usize::from(*owner != state.to_move);
                planes[plane * 9 + cell] = 1.0;
            }
        }
    }

    fn cell(&self, state: &State, row: usize, column: usize) -> char {
        state.cells[row * 3 + column].map_or('.', |player| ['X', 'O'][player.index()])
    }
}
