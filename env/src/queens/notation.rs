//! Text forms of cells and positions.

use super::config::Queens;
use super::drawing::{QUEENS, mark};
use super::state::State;
use crate::IdSet;
use crate::Player;
use crate::{ActionId, Notation, NotationError};

/// What the players are called.
pub(super) const SIDES: [&str; 2] = ["White", "Black"];

impl Queens {
    fn wrong_state(expected: String, got: &str) -> NotationError {
        NotationError::State {
            expected,
            got: got.to_owned(),
        }
    }

    /// The queens of both players in a state text of the right form.
    fn read_queens(&self, text: &str) -> Option<[Vec<usize>; 2]> {
        let mut placed = [Vec::new(), Vec::new()];
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.side() {
            return None;
        }
        for (y, row) in rows.iter().enumerate() {
            if row.chars().count() != self.side() {
                return None;
            }
            for (x, mark) in row.chars().enumerate() {
                match QUEENS.iter().position(|&queen| queen == mark) {
                    Some(player) => placed[player].push(y * self.side() + x),
                    None if mark == '.' => {}
                    None => return None,
                }
            }
        }
        Some(placed)
    }
}

impl Notation for Queens {
    fn side(&self, player: Player) -> &'static str {
        SIDES[player.index()]
    }

    fn action_text(&self, _state: &State, action: ActionId) -> String {
        self.cell(action.index()).to_string()
    }

    fn parse_action(&self, _state: &State, text: &str) -> Result<ActionId, NotationError> {
        let read = || {
            let (x, y) = text.split_once(',')?;
            let (x, y): (usize, usize) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
            let on_board = x < self.side() && y < self.side();
            on_board.then(|| ActionId::from(y * self.side() + x))
        };
        read().ok_or_else(|| NotationError::Action {
            expected: format!("COLUMN,ROW, each 0 to {}", self.side() - 1),
            got: text.to_owned(),
        })
    }

    fn state_text(&self, state: &State) -> String {
        let rows = (0..self.side()).map(|y| {
            (0..self.side())
                .map(|x| mark(state, y * self.side() + x).unwrap_or('.'))
                .collect::<String>()
        });
        rows.collect::<Vec<_>>().join("/")
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let text = text.trim();
        let [first, second] = self.read_queens(text).ok_or_else(|| {
            let side = self.side();
            let form = format!("{side} rows of {side} marks out of \".WB\", joined by '/'");
            Self::wrong_state(form, text)
        })?;
        if second.len() + 1 != first.len() && second.len() != first.len() {
            let expected = "as many queens of W as of B, or one more".to_owned();
            let got = format!("{} of W, {} of B", first.len(), second.len());
            return Err(Self::wrong_state(expected, &got));
        }
        let queens: IdSet = first.iter().chain(&second).copied().collect();
        for cell in queens.iter() {
            if let Some(other) = self.reach(cell).and(queens).iter().find(|&c| c != cell) {
                let expected = "queens that do not attack each other".to_owned();
                let got = format!("queens on {} and {}", self.cell(cell), self.cell(other));
                return Err(Self::wrong_state(expected, &got));
            }
        }
        self.state_from_parts(queens, second.into_iter().collect())
            .ok_or_else(|| Self::wrong_state("a state of this board".to_owned(), text))
    }

    fn draw(&self, state: &State) -> String {
        self.drawing(state)
    }

    fn remarks(&self, state: &State) -> Vec<String> {
        self.remarks_of(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Player};

    #[test]
    fn a_position_reads_as_documented() {
        let game = Queens::parse_parameters("4").unwrap();
        assert_eq!(
            game.state_text(&game.initial()),
            "..../..../..../....",
            "the empty board"
        );
        let state = game.parse_state(".W../...B/..../....").unwrap();
        assert_eq!(state.owner(1), Some(Player::First));
        assert_eq!(state.owner(7), Some(Player::Second));
        assert_eq!(state.owner(0), None);
        assert_eq!(game.player_to_move(&state), Player::First);
        assert_eq!(
            game.draw(&state),
            "     0  1  2  3\n \
             0   x  W  x  x\n \
             1   x  x  x  B\n \
             2   .  x  x  x\n \
             3   .  x  .  x\n"
        );
        assert_eq!(game.remarks(&state)[0], "free cells: 3 (odd)");
    }

    #[test]
    fn contradictions_in_a_state_are_named() {
        let game = Queens::parse_parameters("4").unwrap();
        for (text, part) in [
            ("....", "4 rows of 4 marks"),
            ("..../..../..../...", "4 rows of 4 marks"),
            ("..../..../..../...Q", "4 rows of 4 marks"),
            ("B.../..../..../....", "or one more"),
            (".W../...W/..../....", "or one more"),
            ("W.../...../..../....", "4 rows of 4 marks"),
            ("W.../.B../..../....", "queens on 0,0 and 1,1"),
        ] {
            let error = game.parse_state(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_cell_is_its_column_and_row() {
        let game = Queens::parse_parameters("16").unwrap();
        let state = game.initial();
        assert_eq!(game.parse_action(&state, "3,1"), Ok(ActionId(19)));
        assert_eq!(game.parse_action(&state, "15, 15"), Ok(ActionId(255)));
        for text in ["16,0", "0,16", "-1,0", "1", "1,2,3", "a,b", ""] {
            assert!(game.parse_action(&state, text).is_err(), "{text}");
        }
    }
}
