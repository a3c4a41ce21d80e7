//! Planes, policy slots and the symmetries of the board.

use super::board::bitboard::{Bitboard, squares};
use super::board::square::Square;
use super::board::symmetry::{N_SYMMETRIES, image, image_of_set};
use super::config::Xadrersi;
use super::features::{self, Attackers};
use super::pieces::kind::{Kind, N_KINDS};
use super::pieces::placements::{Placements, parts};
use super::pieces::scoring::MAX_POINTS;
use super::state::{N_PLIES, State};
use crate::{ActionFeatures, ActionId, Encode, FeatureImages, FeatureSizes, Player};

const AREA: usize = 64;
/// Kinds other than kings, whose hands are told.
const IN_HAND: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];
const N_PLANES: usize = 2 * N_KINDS + 3 + 2 + 2 * IN_HAND.len() + 3;

/// The planes of an observation, written one after the other.
struct Writer<'a> {
    rest: std::slice::ChunksExactMut<'a, f32>,
}

impl<'a> Writer<'a> {
    fn plane(&mut self) -> &'a mut [f32] {
        self.rest.next().expect("as many planes as described")
    }

    /// 1 on the squares of the set, else 0.
    fn set(&mut self, set: Bitboard) {
        let plane = self.plane();
        plane.fill(0.0);
        for square in squares(set) {
            plane[square.index()] = 1.0;
        }
    }

    fn everywhere(&mut self, value: f32) {
        self.plane().fill(value);
    }
}

impl Encode for Xadrersi {
    fn encoding_version(&self) -> u32 {
        1
    }

    fn observation_shape(&self) -> [usize; 3] {
        [N_PLANES, 8, 8]
    }

    fn plane_descriptions(&self) -> Vec<String> {
        let mut lines = Vec::with_capacity(N_PLANES);
        let sides = ["the player to move", "the opponent"];
        for side in sides {
            for kind in Kind::ALL {
                lines.push(format!("1 where a {kind} of {side} stands"));
            }
        }
        lines.push("1 where a piece other than a bishop may be placed now".to_owned());
        lines.push("1 where a bishop may be placed now".to_owned());
        lines.push("1 where White's last piece stands, while Black's king is to touch it".into());
        for side in sides {
            lines.push(format!(
                "on empty squares: pieces of {side} that attack it, over 8"
            ));
        }
        for side in sides {
            for kind in IN_HAND {
                let stock = kind.stock();
                lines.push(format!(
                    "everywhere: {kind}s in the hand of {side}, over {stock}"
                ));
            }
        }
        lines.push("everywhere: 1 if player 0 (White) is to move".to_owned());
        lines.push("everywhere: pieces on the board, over 16".to_owned());
        lines.push(format!(
            "everywhere: points of the player to move minus the opponent's, over {MAX_POINTS}, \
             -1..=1"
        ));
        lines
    }

    fn write_observation(&self, state: &State, out: &mut [f32]) {
        assert_eq!(out.len(), N_PLANES * AREA, "observation of {self:?}");
        let mut writer = Writer {
            rest: out.chunks_exact_mut(AREA),
        };
        let mover = state.to_move();
        let players = [mover, mover.opponent()];
        for player in players {
            let side = state.side(player);
            for kind in state.kinds {
                writer.set(kind & side);
            }
        }
        let placements = Placements::new(state);
        let others = [Kind::King, Kind::Queen, Kind::Rook, Kind::Knight];
        writer.set(
            others
                .into_iter()
                .fold(0, |set, kind| set | placements.of(kind)),
        );
        writer.set(placements.of(Kind::Bishop));
        writer.set(state.anchor.map_or(0, Square::bit));
        let counts = self.counted_squares(state);
        for player in players {
            let counts = counts[player.index()];
            for (value, count) in writer.plane().iter_mut().zip(counts) {
                *value = f32::from(count) / 8.0;
            }
        }
        for player in players {
            for kind in IN_HAND {
                let left = state.in_hand(player, kind);
                writer.everywhere(f32::from(left) / f32::from(kind.stock()));
            }
        }
        writer.everywhere(f32::from(mover == Player::First));
        writer.everywhere(f32::from(state.n_pieces) / f32::from(N_PLIES));
        let sum = |player: Player| {
            counts[player.index()]
                .iter()
                .map(|&n| i32::from(n))
                .sum::<i32>()
        };
        let lead = sum(players[0]) - sum(players[1]);
        writer.everywhere(lead as f32 / MAX_POINTS as f32);
    }

    fn policy_planes(&self) -> usize {
        N_KINDS
    }

    fn policy_descriptions(&self) -> Vec<String> {
        Kind::ALL
            .map(|kind| {
                format!(
                    "place a {} on cell (r, c)",
                    format!("{kind:?}").to_lowercase()
                )
            })
            .to_vec()
    }

    fn policy_slot(&self, _state: &State, action: ActionId) -> usize {
        action.index()
    }

    fn feature_sizes(&self) -> FeatureSizes {
        features::sizes()
    }

    fn write_features(
        &self,
        state: &State,
        legal: &[ActionId],
        features: &mut Vec<u32>,
        actions: &mut ActionFeatures,
    ) {
        let all = Attackers::new(state);
        features::write_position(state, &all, legal, features);
        features::write_actions(state, &all, legal, actions);
    }

    fn feature_images(&self, symmetry: usize) -> Option<FeatureImages> {
        Some(features::images(symmetry))
    }

    fn n_symmetries(&self) -> usize {
        N_SYMMETRIES
    }

    fn transform(&self, symmetry: usize, state: &State) -> State {
        State::from_parts(
            state.kinds.map(|set| image_of_set(symmetry, set)),
            image_of_set(symmetry, state.second),
            state.anchor.map(|square| image(symmetry, square)),
        )
    }

    fn transform_action(&self, symmetry: usize, _state: &State, action: ActionId) -> ActionId {
        let (kind, square) = parts(action);
        ActionId::from(kind.index() * AREA + image(symmetry, square).index())
    }
}
