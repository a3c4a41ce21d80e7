//! Hexes and stacks: a piece is clicked, on the board or in hand, then a cell.

use super::board::action::Action;
use super::board::cell::{Cell, Direction, N_CELLS};
use super::board::frame::Frame;
use super::board::piece::{Kind, Piece};
use super::config::Hive;
use super::movement::stuck::Stuck;
use super::state::State;
use crate::view::{self, Board, Button, Form, Reserve, Touch, View, numbered};
use crate::{ActionId, Game, Player};

const PASS: &str = "pass";

fn cell_id(cell: Cell) -> String {
    format!("h{}", cell.index())
}

impl View for Hive {
    /// The cells are those of the hive, those around it, and the origin of the empty board; pieces
    /// of either side are targets, and so is the next piece of each kind in hand.
    fn board(&self, state: &State) -> Board {
        let frame = Frame::of(&state.board);
        let mut board = Board::new(Form::Hexes, frame.size());
        let cells = (0..N_CELLS).map(Cell::from_index);
        board.cells = cells
            .filter(|&cell| is_shown(state, cell))
            .map(|cell| self.cell_view(state, frame, cell))
            .collect();
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        for cell in cells_of(state) {
            let mut stack: Vec<Piece> = state.stack(cell).collect();
            stack.reverse();
            let views = stack.into_iter().enumerate();
            board.pieces.extend(views.map(|(level, piece)| view::Piece {
                id: Some(piece.to_string()),
                kind: piece.kind().letter().to_string(),
                owner: piece.owner(),
                cell: cell_id(cell),
                level,
                stuck: self.stuck(state, piece, &legal).map(Stuck::text),
            }));
        }
        let hands = Player::BOTH.map(|player| self.hand(state, player));
        board.reserves = hands.into_iter().flatten().collect();
        if legal == [Action::Pass.id()] {
            board.buttons.push(Button {
                id: PASS.to_owned(),
                label: "Pass".to_owned(),
            });
        }
        board
    }

    fn touch(&self, state: &State, action: ActionId) -> Touch {
        match Action::from_id(action) {
            None | Some(Action::Pass) => Touch::clicks([PASS.to_owned()]),
            Some(Action::Put(piece, cell)) => Touch {
                from: state.cell_of(piece).map(cell_id),
                ..Touch::clicks([piece.to_string(), cell_id(cell)])
            },
        }
    }

    fn clicked(&self, _state: &State, clicks: &[&str]) -> Option<ActionId> {
        match *clicks {
            [PASS] => Some(Action::Pass.id()),
            [piece, cell] => {
                let piece = Piece::parse(piece).filter(|named| named.to_string() == piece)?;
                let cell = numbered(cell, 'h').filter(|&index| index < N_CELLS)?;
                Some(Action::Put(piece, Cell::from_index(cell)).id())
            }
            _ => None,
        }
    }
}

/// The cells that hold pieces.
fn cells_of(state: &State) -> impl Iterator<Item = Cell> {
    let cells = (0..N_CELLS).map(Cell::from_index);
    cells.filter(|&cell| state.is_occupied(cell))
}

fn is_shown(state: &State, cell: Cell) -> bool {
    state.is_occupied(cell)
        || cell
            .neighbours()
            .iter()
            .any(|&next| state.is_occupied(next))
        || cell == Cell::ORIGIN && state.n_plies() == 0
}

impl Hive {
    fn cell_view(&self, state: &State, frame: Frame, cell: Cell) -> view::Cell {
        let [x, y] = frame.signed(cell);
        let status = match state.top(cell) {
            Some(_) => None,
            None => Some("empty"),
        };
        view::Cell {
            id: cell_id(cell),
            x,
            y,
            name: cell_name(state, cell),
            owner: None,
            status,
            counts: None,
        }
    }

    /// The next piece of each kind that a player has in hand: they come in the order of their
    /// numbers.
    fn hand(&self, state: &State, owner: Player) -> Vec<Reserve> {
        let of_kind = |kind: Kind| {
            let mut pieces = Piece::of(owner)
                .filter(|&piece| piece.kind() == kind && self.has(piece))
                .filter(|&piece| state.cell_of(piece).is_none());
            let next = pieces.next()?;
            Some(Reserve {
                id: next.to_string(),
                kind: kind.letter().to_string(),
                owner,
                count: 1 + pieces.count(),
            })
        };
        Kind::ALL.into_iter().filter_map(of_kind).collect()
    }
}

/// A cell by the piece on it, or by one beside it.
fn cell_name(state: &State, cell: Cell) -> String {
    if let Some(top) = state.top(cell) {
        return format!("on {top}");
    }
    let sides = [
        "east",
        "north-east",
        "north-west",
        "west",
        "south-west",
        "south-east",
    ];
    let mut beside = Direction::ALL.into_iter().zip(sides);
    let named = beside.find_map(|(direction, side)| {
        let top = state.top(cell.neighbour(direction.opposite()))?;
        Some(format!("{side} of {top}"))
    });
    named.unwrap_or_else(|| "the middle".to_owned())
}
