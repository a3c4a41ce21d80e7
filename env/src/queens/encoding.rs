//! Planes, policy slots and the symmetries of the board.

use super::board::N_SYMMETRIES;
use super::config::Queens;
use super::features::Free;
use super::state::State;
use crate::IdSet;
use crate::{ActionFeatures, ActionId, Encode, FeatureImages, FeatureSizes, Game, Player};

const N_PLANES: usize = 8;

impl Encode for Queens {
    fn encoding_version(&self) -> u32 {
        2
    }

    fn observation_shape(&self) -> [usize; 3] {
        [N_PLANES, self.side(), self.side()]
    }

    fn plane_descriptions(&self) -> Vec<String> {
        [
            "1 where a queen of either player stands",
            "1 where the cell is free",
            "1 where the cell is empty and attacked",
            "everywhere: 1 if player 0 is to move",
            "everywhere: 1 if the number of free cells is odd",
            "everywhere: queens on the board over rows of the board, 0..=1",
            "on free cells: share of the free cells that a queen there would occupy or attack",
            "1 on free cells where a queen would leave an odd number of free cells",
        ]
        .map(String::from)
        .to_vec()
    }

    fn write_observation(&self, state: &State, out: &mut [f32]) {
        let area = self.n_actions();
        assert_eq!(out.len(), N_PLANES * area, "observation of {self:?}");
        out.fill(0.0);
        let attacked = self.board.all_cells.without(state.queens.or(state.free));
        for (plane, cells) in [state.queens, state.free, attacked].into_iter().enumerate() {
            for cell in cells.iter() {
                out[plane * area + cell] = 1.0;
            }
        }
        let everywhere = [
            f32::from(state.to_move() == Player::First),
            (state.free.len() % 2) as f32,
            f32::from(state.n_queens) / self.side() as f32,
        ];
        for (value, plane) in everywhere
            .iter()
            .zip(out[3 * area..].chunks_exact_mut(area))
        {
            plane.fill(*value);
        }
        // How many moves a move leaves decides who has the last; a network of small windows sees no
        // whole lines.
        let n_free = state.free.len();
        let (shares, parities) = out[6 * area..].split_at_mut(area);
        for cell in state.free.iter() {
            let n_taken = state.free.and(self.reach(cell)).len();
            shares[cell] = n_taken as f32 / n_free as f32;
            parities[cell] = ((n_free - n_taken) % 2) as f32;
        }
    }

    fn policy_planes(&self) -> usize {
        1
    }

    fn policy_descriptions(&self) -> Vec<String> {
        vec!["place a queen on cell (r, c)".to_owned()]
    }

    fn policy_slot(&self, _state: &State, action: ActionId) -> usize {
        action.index()
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
        let free = Free::new(self, state);
        self.write_position(state, &free, features);
        self.write_actions(&free, legal, actions);
    }

    fn feature_images(&self, symmetry: usize) -> Option<FeatureImages> {
        Some(self.images_of_features(symmetry))
    }

    fn n_symmetries(&self) -> usize {
        N_SYMMETRIES
    }

    fn transform(&self, symmetry: usize, state: &State) -> State {
        let map = &self.board.symmetries[symmetry];
        let image = |set: IdSet| set.iter().map(|cell| usize::from(map[cell])).collect();
        self.state_from_parts(image(state.queens), image(state.placed_by_second))
            .expect("a symmetry takes states to states")
    }

    fn transform_action(&self, symmetry: usize, _state: &State, action: ActionId) -> ActionId {
        ActionId(u32::from(self.board.symmetries[symmetry][action.index()]))
    }
}
