//! Cells to click, and which of them are free.

use super::config::Queens;
use super::state::State;
use crate::ActionId;
use crate::view::{Board, Cell, Form, Piece, Touch, View, numbered};

fn cell_id(cell: usize) -> String {
    format!("c{cell}")
}

impl View for Queens {
    fn board(&self, state: &State) -> Board {
        let mut board = Board::new(Form::Squares, [self.side(); 2]);
        for id in 0..self.side() * self.side() {
            let cell = self.cell(id);
            let status = if state.free().contains(id) {
                "free"
            } else if state.queens().contains(id) {
                "occupied"
            } else {
                "attacked"
            };
            board.cells.push(Cell {
                id: cell_id(id),
                x: cell.x.into(),
                y: cell.y.into(),
                name: cell.to_string(),
                owner: state.owner(id),
                status: Some(status),
                counts: None,
            });
            if let Some(owner) = state.owner(id) {
                board.pieces.push(Piece {
                    id: None,
                    kind: "Q".to_owned(),
                    owner,
                    cell: cell_id(id),
                    level: 0,
                    stuck: None,
                });
            }
        }
        board
    }

    /// The changes are the cells that are free no longer.
    fn touch(&self, state: &State, action: ActionId) -> Touch {
        let cell = action.index();
        let lost = self.reach(cell).and(state.free());
        Touch {
            changes: lost
                .iter()
                .filter(|&lost| lost != cell)
                .map(cell_id)
                .collect(),
            ..Touch::clicks([cell_id(cell)])
        }
    }

    fn clicked(&self, _state: &State, clicks: &[&str]) -> Option<ActionId> {
        let [click] = clicks else { return None };
        let cell = numbered(click, 'c')?;
        (cell < self.side() * self.side()).then(|| ActionId::from(cell))
    }
}
