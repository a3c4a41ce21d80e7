//! Planes, policy slots and the symmetries of the board.

use super::rules::{DotsAndBoxes, EdgeSet, State};
use crate::{ActionId, Encode, Game};

const N_PLANES: usize = 9;

/// The edge permutations of the board's symmetry group: the four of a rectangle (identity, the
/// two mirrors, the half turn), and on a square board those four after a transposition.
pub(super) fn symmetries(game: &DotsAndBoxes) -> Vec<Vec<u8>> {
    let (rows, cols) = (game.rows(), game.cols());
    let transpositions: &[bool] = if rows == cols {
        &[false, true]
    } else {
        &[false]
    };
    let mut maps = Vec::new();
    for &transpose in transpositions {
        for (flip_rows, flip_cols) in [(false, false), (false, true), (true, false), (true, true)] {
            let map = (0..game.n_edges()).map(|edge| {
                let (mut vertical, mut row, mut col) = locate(game, edge);
                if transpose {
                    (vertical, row, col) = (!vertical, col, row);
                }
                if flip_rows {
                    // Horizontal edges have one row more than boxes do.
                    row = rows - row - usize::from(vertical);
                }
                if flip_cols {
                    col = cols - col - usize::from(!vertical);
                }
                let image = if vertical {
                    game.vertical(row, col)
                } else {
                    game.horizontal(row, col)
                };
                image as u8
            });
            maps.push(map.collect());
        }
    }
    maps
}

/// (is vertical, row, column) of an edge.
pub(super) fn locate(game: &DotsAndBoxes, edge: usize) -> (bool, usize, usize) {
    match edge.checked_sub(game.n_horizontal()) {
        None => (false, edge / game.cols(), edge % game.cols()),
        Some(index) => (true, index / (game.cols() + 1), index % (game.cols() + 1)),
    }
}

impl Encode for DotsAndBoxes {
    const ENCODING_VERSION: u32 = 1;

    fn observation_shape(&self) -> [usize; 3] {
        [N_PLANES, self.rows() + 1, self.cols() + 1]
    }

    fn plane_descriptions(&self) -> Vec<String> {
        [
            "1 where the edge above box (r, c) is drawn",
            "1 where the edge left of box (r, c) is drawn",
            "1 where the edge above box (r, c) exists and is not drawn",
            "1 where the edge left of box (r, c) exists and is not drawn",
            "1 where box (r, c) has no or one side",
            "1 where box (r, c) has two sides",
            "1 where box (r, c) has three sides: it can be taken",
            "1 where box (r, c) is complete",
            "everywhere: boxes of the player to move minus the opponent's, over all boxes, -1..=1",
        ]
        .map(String::from)
        .to_vec()
    }

    fn write_observation(&self, state: &State, out: &mut [f32]) {
        let (height, width) = (self.rows() + 1, self.cols() + 1);
        let area = height * width;
        assert_eq!(out.len(), N_PLANES * area, "observation of {self:?}");
        out.fill(0.0);
        let edges = state.edges();
        for edge in 0..self.n_edges() {
            let (vertical, row, col) = locate(self, edge);
            let plane = usize::from(vertical) + if edges.contains(edge) { 0 } else { 2 };
            out[plane * area + row * width + col] = 1.0;
        }
        for row in 0..self.rows() {
            for col in 0..self.cols() {
                let sides = self.sides(row, col);
                let drawn = sides.iter().filter(|&&side| edges.contains(side)).count();
                let plane = 4 + drawn.saturating_sub(1);
                out[plane * area + row * width + col] = 1.0;
            }
        }
        let points = self.points(state).expect("the game has points");
        let mover = self.player_to_move(state).index();
        let lead = (points[mover] - points[1 - mover]) as f32 / self.n_boxes() as f32;
        out[8 * area..].fill(lead);
    }

    fn policy_planes(&self) -> usize {
        2
    }

    fn policy_slot(&self, _state: &State, action: ActionId) -> usize {
        let (vertical, row, col) = locate(self, action.index());
        let (height, width) = (self.rows() + 1, self.cols() + 1);
        (usize::from(vertical) * height + row) * width + col
    }

    fn n_symmetries(&self) -> usize {
        self.symmetry_count()
    }

    fn transform(&self, symmetry: usize, state: &State) -> State {
        let map = self.symmetry(symmetry);
        let mut edges = EdgeSet::default();
        for edge in state.edges().iter() {
            edges.insert(map[edge] as usize);
        }
        let taken = Self::taken_by_second(state);
        let mut taken_image = 0;
        for id in (0..self.n_boxes()).filter(|id| taken >> id & 1 == 1) {
            // A box goes where its top edge and its bottom edge go: the image's top or left edge
            // is the smaller of the two images.
            let [top, bottom, ..] = self.sides(id / self.cols(), id % self.cols());
            let (_, row, col) = locate(self, map[top].min(map[bottom]) as usize);
            taken_image |= 1 << (row * self.cols() + col);
        }
        self.state_from_parts(edges, taken_image, self.player_to_move(state))
            .expect("a symmetry takes states to states")
    }

    fn transform_action(&self, symmetry: usize, _state: &State, action: ActionId) -> ActionId {
        ActionId(u32::from(self.symmetry(symmetry)[action.index()]))
    }
}
