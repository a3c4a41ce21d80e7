//! Planes, policy slots and the mirror.

use super::ball::walk::{LOSING, REACHED, SCORING};
use super::config::PaperSoccer;
use super::features::View;
use super::pitch::direction::Direction;
use super::pitch::owner;
use super::pitch::point::{Point, index};
use super::state::State;
use crate::{ActionFeatures, ActionId, Encode, FeatureImages, FeatureSizes, Player};

const N_PLANES: usize = 17;

impl PaperSoccer {
    /// Rows and columns of a plane.
    fn plane_shape(&self) -> [usize; 2] {
        [self.height() + 3, self.width() + 1]
    }

    /// Where a point of the mover's view stands in a plane: rows from the attacked goal to the
    /// own one, columns from left to right.
    fn cell(&self, seen: Point) -> usize {
        let row = self.pitch.half_height + 1 - seen.y;
        let column = self.pitch.half_width + seen.x;
        row as usize * (self.width() + 1) + column as usize
    }
}

/// A point as the player sees it; its own inverse.
fn seen_by(player: Player, point: Point) -> Point {
    match player {
        Player::First => point,
        Player::Second => point.turned(),
    }
}

impl Encode for PaperSoccer {
    fn encoding_version(&self) -> u32 {
        3
    }

    fn observation_shape(&self) -> [usize; 3] {
        let [height, width] = self.plane_shape();
        [N_PLANES, height, width]
    }

    fn plane_descriptions(&self) -> Vec<String> {
        let free = Direction::ALL.map(|direction| {
            format!("1 where a free segment leads {direction} from the point, seen by the mover")
        });
        let others = [
            "1 on the points where a segment bounces: visited ones, the border and the posts",
            "1 on the point of the ball",
            "1 on the points of the goal that the player to move attacks, in row 0",
            "1 on the points of the own goal, in the last row",
            "everywhere: 1 if the number of points still to be visited off the border is odd",
            "1 on the points that the ball can come to within the turn",
            "1 on those of them where the turn would end",
            "1 on the points from which the ball could run into the attacked goal without a stop",
            "1 on the points from which it could run so into the own",
        ];
        free.into_iter().chain(others.map(String::from)).collect()
    }

    fn write_observation(&self, state: &State, out: &mut [f32]) {
        let [height, width] = self.plane_shape();
        let area = height * width;
        assert_eq!(out.len(), N_PLANES * area, "observation of {self:?}");
        out.fill(0.0);
        let mover = state.to_move;
        let turn = match mover {
            Player::First => 0,
            Player::Second => 4,
        };
        let mut n_fresh = 0;
        // Whole walks, which a small network cannot make.
        let walks = self.turn_walks(state);
        // Nested iterators are faster from within than by their `next`.
        self.points().for_each(|point| {
            let cell = self.cell(seen_by(mover, point));
            let free = state.free[index(point)];
            for direction in free.iter() {
                // Half a turn of the pitch turns each direction into the opposite one.
                out[(direction as usize ^ turn) * area + cell] = 1.0;
            }
            match self.goal_of(point) {
                Some(player) if player == mover => out[10 * area + cell] = 1.0,
                Some(_) => out[11 * area + cell] = 1.0,
                None if state.is_fresh(index(point)) => n_fresh += 1,
                None => out[8 * area + cell] = 1.0,
            }
            let marks = walks.marks(index(point));
            let is_reached = marks & REACHED != 0;
            let planes = [
                is_reached,
                is_reached && state.is_fresh(index(point)),
                marks & SCORING != 0,
                marks & LOSING != 0,
            ];
            for (plane, is_in) in planes.into_iter().enumerate() {
                out[(13 + plane) * area + cell] = f32::from(u8::from(is_in));
            }
        });
        out[9 * area + self.cell(seen_by(mover, state.ball()))] = 1.0;
        // Each of these points passes the turn once, and a small network would have to count them.
        out[12 * area..][..area].fill((n_fresh % 2) as f32);
    }

    fn policy_planes(&self) -> usize {
        Direction::ALL.len()
    }

    fn policy_descriptions(&self) -> Vec<String> {
        let line = |direction: Direction| {
            let (dx, dy) = direction.step();
            format!(
                "move the ball from cell (r, c), where it is, by {dx:+} columns and {dy:+} rows"
            )
        };
        Direction::ALL.map(line).to_vec()
    }

    fn policy_slot(&self, state: &State, action: ActionId) -> usize {
        let [height, width] = self.plane_shape();
        let direction = match state.to_move {
            Player::First => Direction::of(action),
            Player::Second => Direction::of(action).opposite(),
        };
        let cell = self.cell(seen_by(state.to_move, state.ball()));
        direction as usize * height * width + cell
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
        let view = View::new(self, state);
        self.write_position(&view, features);
        self.write_actions(&view, legal, actions);
    }

    fn feature_images(&self, symmetry: usize) -> Option<FeatureImages> {
        assert!(
            symmetry < 2,
            "{self:?} has 2 symmetries, got number {symmetry}"
        );
        Some(self.images_of_features(symmetry))
    }

    /// The identity and the mirror that takes x to -x. Turning the pitch would make each player
    /// attack the own goal.
    fn n_symmetries(&self) -> usize {
        2
    }

    fn transform(&self, symmetry: usize, state: &State) -> State {
        match symmetry {
            0 => state.clone(),
            1 => {
                let images = self
                    .used_segments(state)
                    .map(|(from, direction)| owner(from.mirrored(), direction.mirrored()));
                self.state_from_segments(images, state.ball().mirrored(), state.to_move)
            }
            _ => panic!("{self:?} has 2 symmetries, got number {symmetry}"),
        }
    }

    fn transform_action(&self, symmetry: usize, _state: &State, action: ActionId) -> ActionId {
        match symmetry {
            0 => action,
            1 => Direction::of(action).mirrored().action(),
            _ => panic!("{self:?} has 2 symmetries, got number {symmetry}"),
        }
    }
}
