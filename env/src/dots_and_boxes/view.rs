//! Boxes as cells, edges to click.

use super::config::DotsAndBoxes;
use super::state::State;
use crate::view::{Board, Cell, Edge, Form, Touch, View, numbered};
use crate::{ActionId, Notation};

fn edge_id(edge: usize) -> String {
    format!("e{edge}")
}

fn box_id(id: usize) -> String {
    format!("b{id}")
}

impl View for DotsAndBoxes {
    fn board(&self, state: &State) -> Board {
        let mut board = Board::new(Form::Dots, [self.cols(), self.rows()]);
        board.cells = (0..self.n_boxes())
            .map(|id| {
                let (row, col) = (id / self.cols(), id % self.cols());
                Cell {
                    id: box_id(id),
                    x: col as i32,
                    y: row as i32,
                    name: format!("box {}-{}", row + 1, col + 1),
                    owner: self.owner(state, row, col),
                    status: None,
                    counts: None,
                }
            })
            .collect();
        board.edges = (0..self.n_edges())
            .map(|edge| {
                let (is_vertical, row, col) = self.board.locate(edge);
                let from = [col as i32, row as i32];
                let to = [
                    from[0] + i32::from(!is_vertical),
                    from[1] + i32::from(is_vertical),
                ];
                Edge {
                    id: Some(edge_id(edge)),
                    from,
                    to,
                    drawn: state.edges().contains(edge),
                    name: Some(self.action_text(state, ActionId::from(edge))),
                }
            })
            .collect();
        board
    }

    fn touch(&self, state: &State, action: ActionId) -> Touch {
        let edge = action.index();
        let completes = |id: &usize| {
            let sides = self.sides(id / self.cols(), id % self.cols());
            let others = sides.iter().filter(|&&side| side != edge);
            sides.contains(&edge) && others.clone().all(|&side| state.edges().contains(side))
        };
        Touch {
            changes: (0..self.n_boxes()).filter(completes).map(box_id).collect(),
            ..Touch::clicks([edge_id(edge)])
        }
    }

    fn clicked(&self, _state: &State, clicks: &[&str]) -> Option<ActionId> {
        let [click] = clicks else { return None };
        let edge = numbered(click, 'e')?;
        (edge < self.n_edges()).then(|| ActionId::from(edge))
    }

    fn again(&self, before: &State, action: ActionId) -> &'static str {
        match self.touch(before, action).changes.len() {
            2 => "by capturing two boxes",
            _ => "by capturing a box",
        }
    }
}
