//! Planes, policy slots and the symmetries of the board.

use super::board::Planes;
use super::chains::{Control, Structure};
use super::config::DotsAndBoxes;
use super::state::State;
use crate::IdSet;
use crate::{ActionFeatures, ActionId, Encode, FeatureImages, FeatureSizes, Game};

const N_PLANES: usize = 15;
/// The last of them, which are the same everywhere.
const N_UNIFORM: usize = 4;

impl Encode for DotsAndBoxes {
    fn encoding_version(&self) -> u32 {
        2
    }

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
            "1 where the edge above box (r, c) may be drawn without a third or fourth side of a box",
            "1 where the edge left of box (r, c) may be drawn without a third or fourth side of a box",
            "1 where box (r, c) belongs to a chain or loop of at least three boxes",
            "everywhere: 1 if the number of edges not drawn is odd",
            "everywhere: 1 if the number of those without a third or fourth side is odd",
            "everywhere: 1 if the number of chains of at least three boxes is odd",
            "everywhere: boxes of the player to move minus the opponent's, over all boxes, -1..=1",
        ]
        .map(String::from)
        .to_vec()
    }

    fn write_observation(&self, state: &State, out: &mut [f32]) {
        let board = &*self.board;
        let area = (board.rows + 1) * (board.cols + 1);
        assert_eq!(out.len(), N_PLANES * area, "observation of {self:?}");
        let edges = board.planes(state.edges());
        let all = board.all_planes;
        let [none_or_one, two, three, complete] = edges.boxes_by_sides(board);
        let undrawn = Planes {
            horizontal: all.horizontal & !edges.horizontal,
            vertical: all.vertical & !edges.vertical,
        };
        let control = Control::new(board, undrawn, two, three);
        let (bit_planes, uniform_planes) = out.split_at_mut((N_PLANES - N_UNIFORM) * area);
        let planes = [
            edges.horizontal,
            edges.vertical,
            undrawn.horizontal,
            undrawn.vertical,
            none_or_one,
            two,
            three,
            complete,
            control.safe.horizontal,
            control.safe.vertical,
            control.long,
        ];
        for (cells, plane) in planes.into_iter().zip(bit_planes.chunks_exact_mut(area)) {
            write_plane(cells, plane);
        }
        let n_safe = control.safe.horizontal.count_ones() + control.safe.vertical.count_ones();
        let points = self.points(state).expect("the game has points");
        let mover = self.player_to_move(state).index();
        let lead = (points[mover] - points[1 - mover]) as f32 / self.n_boxes() as f32;
        // Who runs out of harmless moves first is a matter of parity, which a small network
        // learns slowly from edges and boxes one by one.
        let uniform: [f32; N_UNIFORM] = [
            ((self.n_edges() - state.edges().len()) % 2) as f32,
            (n_safe % 2) as f32,
            (control.n_long_chains % 2) as f32,
            lead,
        ];
        for (value, plane) in uniform
            .into_iter()
            .zip(uniform_planes.chunks_exact_mut(area))
        {
            plane.fill(value);
        }
    }

    fn policy_planes(&self) -> usize {
        2
    }

    fn policy_descriptions(&self) -> Vec<String> {
        [
            "draw the edge above box (r, c)",
            "draw the edge left of box (r, c)",
        ]
        .map(String::from)
        .to_vec()
    }

    fn policy_slot(&self, _state: &State, action: ActionId) -> usize {
        let (vertical, row, col) = self.board.locate(action.index());
        let (height, width) = (self.rows() + 1, self.cols() + 1);
        (usize::from(vertical) * height + row) * width + col
    }

    fn feature_sizes(&self) -> FeatureSizes {
        self.sizes_of_features()
    }

    fn write_features(
        &self,
        state: &State,
        legal: &[ActionId],
        features: &mut Vec<u32>,
        actions: &mut ActionFeatures,
    ) {
        let mut structure = Structure::new(&self.board, state);
        self.write_position(state, &structure, features);
        self.write_actions(state, &mut structure, legal, actions);
    }

    fn feature_images(&self, symmetry: usize) -> Option<FeatureImages> {
        Some(self.images_of_features(symmetry))
    }

    fn n_symmetries(&self) -> usize {
        self.board.symmetries.len()
    }

    fn transform(&self, symmetry: usize, state: &State) -> State {
        let map = &self.board.symmetries[symmetry];
        let mut edges = IdSet::default();
        for edge in state.edges().iter() {
            edges.insert(map[edge] as usize);
        }
        let taken = state.taken_by_second();
        let mut taken_image = 0;
        for id in (0..self.n_boxes()).filter(|id| taken >> id & 1 == 1) {
            // A box goes where its top edge and its bottom edge go: the image's top or left edge
            // is the smaller of the two images.
            let [top, bottom, ..] = self.sides(id / self.cols(), id % self.cols());
            let (_, row, col) = self.board.locate(map[top].min(map[bottom]) as usize);
            taken_image |= 1 << (row * self.cols() + col);
        }
        self.state_from_parts(edges, taken_image, self.player_to_move(state))
            .expect("a symmetry takes states to states")
    }

    fn transform_action(&self, symmetry: usize, _state: &State, action: ActionId) -> ActionId {
        let image = self.board.symmetries[symmetry][action.index()];
        ActionId(u32::from(image))
    }
}

/// Writes 1 where the cell's bit is set, else 0.
#[inline]
pub(super) fn write_plane(mut cells: u128, out: &mut [f32]) {
    let (chunks, rest) = out.as_chunks_mut();
    for chunk in chunks {
        *chunk = NIBBLES[(cells & 15) as usize];
        cells >>= 4;
    }
    for (value, bit) in rest.iter_mut().zip(NIBBLES[(cells & 15) as usize]) {
        *value = bit;
    }
}

/// Four bits as four values.
static NIBBLES: [[f32; 4]; 16] = {
    let mut values = [[0.0; 4]; 16];
    let mut nibble = 0;
    while nibble < 16 {
        let mut bit = 0;
        while bit < 4 {
            values[nibble][bit] = (nibble >> bit & 1) as f32;
            bit += 1;
        }
        nibble += 1;
    }
    values
};
