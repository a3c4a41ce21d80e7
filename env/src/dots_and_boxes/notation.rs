//! Text forms of edges and positions.

use super::config::DotsAndBoxes;
use super::state::State;
use crate::IdSet;
use crate::{ActionId, Game, Notation, NotationError, Player};

/// What the players are called.
pub(super) const SIDES: [&str; 2] = ["Blue", "Orange"];

impl DotsAndBoxes {
    fn action_form(&self) -> String {
        format!(
            "ROW-COLUMN-h (rows 1 to {}, columns 1 to {}) or ROW-COLUMN-v (rows 1 to {}, \
             columns 1 to {})",
            self.rows() + 1,
            self.cols(),
            self.rows(),
            self.cols() + 1
        )
    }

    fn read_action(&self, text: &str) -> Option<ActionId> {
        let mut parts = text.trim().split('-');
        let row = parts.next()?.parse::<usize>().ok()?.checked_sub(1)?;
        let col = parts.next()?.parse::<usize>().ok()?.checked_sub(1)?;
        let vertical = match parts.next()? {
            "h" | "H" => false,
            "v" | "V" => true,
            _ => return None,
        };
        if parts.next().is_some()
            || row >= self.rows() + usize::from(!vertical)
            || col >= self.cols() + usize::from(vertical)
        {
            return None;
        }
        let edge = if vertical {
            self.vertical(row, col)
        } else {
            self.horizontal(row, col)
        };
        Some(ActionId(edge as u32))
    }

    /// `n_rows` rows of `n_cols` marks, joined by `/`.
    fn grid_text(n_rows: usize, n_cols: usize, mark: impl Fn(usize, usize) -> char) -> String {
        (0..n_rows)
            .map(|row| (0..n_cols).map(|col| mark(row, col)).collect::<String>())
            .collect::<Vec<_>>()
            .join("/")
    }

    fn owner_mark(owner: Option<Player>) -> char {
        match owner {
            None => '.',
            Some(Player::First) => '0',
            Some(Player::Second) => '1',
        }
    }
}

/// Reads what `grid_text` wrote.
fn read_grid(
    what: &str,
    text: &str,
    n_rows: usize,
    n_cols: usize,
    marks: &str,
) -> Result<Vec<Vec<char>>, NotationError> {
    let rows: Vec<Vec<char>> = text.split('/').map(|row| row.chars().collect()).collect();
    let fits = rows.len() == n_rows
        && rows
            .iter()
            .all(|row| row.len() == n_cols && row.iter().all(|&mark| marks.contains(mark)));
    if fits {
        Ok(rows)
    } else {
        Err(NotationError::State {
            expected: format!(
                "{what} as {n_rows} rows of {n_cols} marks out of \"{marks}\", joined by '/'"
            ),
            got: text.to_owned(),
        })
    }
}

impl Notation for DotsAndBoxes {
    fn side(&self, player: Player) -> &'static str {
        SIDES[player.index()]
    }

    fn action_text(&self, _state: &State, action: ActionId) -> String {
        let (vertical, row, col) = self.board.locate(action.index());
        let kind = if vertical { 'v' } else { 'h' };
        format!("{}-{}-{kind}", row + 1, col + 1)
    }

    fn parse_action(&self, _state: &State, text: &str) -> Result<ActionId, NotationError> {
        self.read_action(text).ok_or_else(|| NotationError::Action {
            expected: self.action_form(),
            got: text.to_owned(),
        })
    }

    fn state_text(&self, state: &State) -> String {
        let edges = state.edges();
        let mark = |edge| if edges.contains(edge) { '1' } else { '0' };
        let (rows, cols) = (self.rows(), self.cols());
        format!(
            "{}:{}:{}:{}",
            Self::grid_text(rows + 1, cols, |row, col| mark(self.horizontal(row, col))),
            Self::grid_text(rows, cols + 1, |row, col| mark(self.vertical(row, col))),
            Self::grid_text(rows, cols, |row, col| Self::owner_mark(
                self.owner(state, row, col)
            )),
            self.player_to_move(state)
        )
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let wrong = |expected: String, got: &str| NotationError::State {
            expected,
            got: got.to_owned(),
        };
        let parts: Vec<&str> = text.trim().split(':').collect();
        let &[horizontal, vertical, owners, mover] = parts.as_slice() else {
            let example = self.state_text(&self.initial());
            return Err(wrong(
                format!("HORIZONTAL:VERTICAL:OWNERS:MOVER, such as {example}"),
                text,
            ));
        };
        let (rows, cols) = (self.rows(), self.cols());
        let mut edges = IdSet::default();
        let marks = read_grid("horizontal edges", horizontal, rows + 1, cols, "01")?;
        for (row, marks) in marks.iter().enumerate() {
            for (col, _) in marks.iter().enumerate().filter(|(_, mark)| **mark == '1') {
                edges.insert(self.horizontal(row, col));
            }
        }
        let marks = read_grid("vertical edges", vertical, rows, cols + 1, "01")?;
        for (row, marks) in marks.iter().enumerate() {
            for (col, _) in marks.iter().enumerate().filter(|(_, mark)| **mark == '1') {
                edges.insert(self.vertical(row, col));
            }
        }
        let owner_marks = read_grid("owners", owners, rows, cols, ".01")?;
        let mut taken_by_second = 0;
        for (row, marks) in owner_marks.iter().enumerate() {
            for (col, &mark) in marks.iter().enumerate() {
                let complete = self
                    .sides(row, col)
                    .iter()
                    .all(|&side| edges.contains(side));
                if complete == (mark == '.') {
                    let expected = if complete {
                        "an owner, 0 or 1, for the complete box in"
                    } else {
                        "'.' for the open box in"
                    };
                    return Err(wrong(
                        format!("{expected} row {}, column {}", row + 1, col + 1),
                        owners,
                    ));
                }
                taken_by_second |= u128::from(mark == '1') << (row * cols + col);
            }
        }
        let to_move = match mover {
            "0" => Player::First,
            "1" => Player::Second,
            other => return Err(wrong("the player to move, 0 or 1".to_owned(), other)),
        };
        self.state_from_parts(edges, taken_by_second, to_move)
            .ok_or_else(|| wrong("a state of this board".to_owned(), text))
    }

    fn draw(&self, state: &State) -> String {
        self.drawing(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_board_and_a_full_one_read_as_documented() {
        let game = DotsAndBoxes::new(1, 2).unwrap();
        assert_eq!(game.state_text(&game.initial()), "00/00:000:..:0");
        let full = game.parse_state("11/11:111:10:1").unwrap();
        assert_eq!(game.points(&full), Some([1, 1]));
        assert!(game.is_over(&full));
    }

    #[test]
    fn contradictions_in_a_state_are_named() {
        let game = DotsAndBoxes::new(1, 2).unwrap();
        for (text, part) in [
            ("00/00:000:0.:0", "'.' for the open box"),
            ("11/11:111:0.:0", "an owner"),
            ("00/00:000:..:2", "player to move"),
            ("00/0:000:..:0", "horizontal edges"),
            ("00/00:00x:..:0", "vertical edges"),
            ("00/00:000", "HORIZONTAL:VERTICAL"),
        ] {
            let error = game.parse_state(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn border_edges_have_a_row_or_column_of_their_own() {
        let game = DotsAndBoxes::new(2, 3).unwrap();
        let state = game.initial();
        assert_eq!(game.parse_action(&state, "3-1-h"), Ok(ActionId(6)));
        assert_eq!(game.parse_action(&state, "1-4-v"), Ok(ActionId(12)));
        for text in [
            "4-1-h", "1-4-h", "3-1-v", "1-5-v", "0-1-h", "1-1", "1-1-x", "1-1-h-2", "",
        ] {
            assert!(game.parse_action(&state, text).is_err(), "{text}");
        }
    }
}
