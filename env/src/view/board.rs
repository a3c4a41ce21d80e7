//! What lies where, in one form for all games.

use crate::Player;
use serde::Serialize;

/// How the cells of a board lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Boxes between dots: x to the right, y downwards; an edge is a line between two dots, of which
    /// the box (x, y) has those at (x, y) to (x+1, y+1).
    Dots,
    /// Squares: x to the right, y upwards.
    Squares,
    /// Points of a grid: x to the right, y upwards.
    Points,
    /// Hexes that stand on a corner: x to the east, y to the south-east.
    Hexes,
    /// No board: the drawing, and buttons.
    List,
}

/// What lies where. Parts that a game does not have are left out of the JSON form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Board {
    /// How its cells lie.
    pub form: Form,
    /// Columns and rows; squares from left to right and from end line to end line in Paper Soccer.
    pub size: [usize; 2],
    /// The places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cell>,
    /// The lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<Edge>,
    /// The pieces on the board; those of a stack from the bottom up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
    /// What the players have in hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reserves: Vec<Reserve>,
    /// The cell of the ball.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ball: Option<String>,
    /// Targets that have no place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buttons: Vec<Button>,
    /// The board as text, where there is nothing better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawing: Option<String>,
}

/// A place: a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The target's name.
    pub id: String,
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
    /// The name that people use, such as `d4`.
    pub name: String,
    /// Whose it is: the player who took a box, or who wins in a goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<Player>,
    /// Its status in a word, such as `free`, `attacked`, `border`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'static str>,
    /// What it counts for each player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<[u8; 2]>,
}

/// A line between two corners of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edge {
    /// The target's name, where a line can be clicked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// One end.
    pub from: [i32; 2],
    /// The other.
    pub to: [i32; 2],
    /// Whether it is drawn.
    pub drawn: bool,
    /// The name that people use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The target's name, where a piece is clicked rather than its cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its kind, as the game's notation writes it.
    pub kind: String,
    /// Whose it is.
    pub owner: Player,
    /// The cell on which it stands.
    pub cell: String,
    /// How many pieces lie under it.
    #[serde(skip_serializing_if = "is_ground")]
    pub level: usize,
    /// Why it cannot move, in a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stuck: Option<&'static str>,
}

fn is_ground(level: &usize) -> bool {
    *level == 0
}

/// Pieces of one kind in hand: a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reserve {
    /// The target's name.
    pub id: String,
    /// Their kind.
    pub kind: String,
    /// Whose they are.
    pub owner: Player,
    /// How many there are, at least 1.
    pub count: usize,
}

/// A target without a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Button {
    /// The target's name.
    pub id: String,
    /// What it does.
    pub label: String,
}

impl Board {
    /// A board with nothing on it.
    #[must_use]
    pub fn new(form: Form, size: [usize; 2]) -> Board {
        Board {
            form,
            size,
            cells: Vec::new(),
            edges: Vec::new(),
            pieces: Vec::new(),
            reserves: Vec::new(),
            ball: None,
            buttons: Vec::new(),
            drawing: None,
        }
    }

    /// The names of all targets.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        let cells = self.cells.iter().map(|cell| &cell.id);
        let edges = self.edges.iter().filter_map(|edge| edge.id.as_ref());
        let pieces = self.pieces.iter().filter_map(|piece| piece.id.as_ref());
        let reserves = self.reserves.iter().map(|reserve| &reserve.id);
        let buttons = self.buttons.iter().map(|button| &button.id);
        let all = cells.chain(edges).chain(pieces).chain(reserves);
        all.chain(buttons).map(String::as_str)
    }
}
