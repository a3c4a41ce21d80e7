#![doc = include_str!("../../features/paper-soccer.md")]

use super::ball::walk::Walk;
use super::config::PaperSoccer;
use super::pitch::direction::Direction;
use super::pitch::point::{N_POINTS, Point, index};
use super::state::State;
use crate::features::group_starts;
use crate::{ActionFeatures, ActionId, FeatureImages, FeatureSizes, Player};
use arrayvec::ArrayVec;

/// What a visited point and what a fresh point has.
const POINT_FACTS: usize = 16;
const FRESH: usize = 8;
const N_DIRECTIONS: usize = 8;
const N_TARGETS: usize = 8;
/// Ends of the turn from which the opponent cannot score, and all, up to this less one.
const N_SAFE: usize = 5;
const N_ENDS: usize = 6;
/// Sets of directions.
const N_SETS: usize = 1 << N_DIRECTIONS;
/// Up to how many rows and columns from the ball a point is told by its place relative to it.
const NEAR: i8 = 2;
const N_NEAR_ROWS: usize = 2 * NEAR as usize + 1;
const N_NEAR: usize = N_NEAR_ROWS * N_NEAR_ROWS;

/// What lies in a direction from the ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Target {
    /// No free segment.
    Nothing,
    /// A fresh point.
    Stop,
    /// A fresh point from which the opponent could run into the own goal.
    Threatened,
    /// A bounce.
    Bounce,
    /// A bounce from where the ball could run into the attacked goal.
    Run,
    /// A bounce without a way on.
    DeadEnd,
    /// The attacked goal.
    Goal,
    /// The own goal.
    OwnGoal,
}

/// A position as the player to move sees it.
pub(super) struct View<'a> {
    game: &'a PaperSoccer,
    state: &'a State,
    /// What to turn a direction with.
    turn: usize,
    /// The points from which a ball could run into the attacked goal, and into the own.
    scoring: Walk,
    losing: Walk,
}

impl<'a> View<'a> {
    pub(super) fn new(game: &'a PaperSoccer, state: &'a State) -> Self {
        let mover = state.to_move;
        View {
            game,
            state,
            turn: match mover {
                Player::First => 0,
                Player::Second => 4,
            },
            scoring: game.approaches(state, mover),
            losing: game.approaches(state, mover.opponent()),
        }
    }

    /// The cell of a point by its index.
    #[inline]
    fn cell(&self, index: usize) -> usize {
        let cell = usize::from(self.game.pitch.cells[index]);
        match self.state.to_move {
            Player::First => cell,
            // Half a turn reverses the order of the cells.
            Player::Second => self.game.area() - 1 - cell,
        }
    }

    /// A set of directions as the mover sees it.
    #[inline]
    fn seen(&self, directions: u8) -> u8 {
        directions.rotate_left(self.turn as u32)
    }

    fn target(&self, direction: Direction) -> Target {
        let state = self.state;
        if !state.free().contains(direction) {
            return Target::Nothing;
        }
        let to = usize::from(state.ball).wrapping_add(direction.offset());
        if state.is_fresh(to) {
            return if self.losing.has_entered(to) {
                Target::Threatened
            } else {
                Target::Stop
            };
        }
        match state.free[to].len() {
            // Points of goals keep no account of their segments.
            0 if (self.turn == 0) == (to >= N_POINTS / 2) => Target::Goal,
            0 => Target::OwnGoal,
            1 => Target::DeadEnd,
            _ if self.scoring.has_entered(to) => Target::Run,
            _ => Target::Bounce,
        }
    }
}

impl PaperSoccer {
    /// The number of cells of a plane.
    fn area(&self) -> usize {
        (self.height() + 3) * (self.width() + 1)
    }

    /// The points off the border, the middles of the goal lines among them.
    fn n_off_border(&self) -> usize {
        (self.width() - 1) * (self.height() - 1) + 2
    }

    fn group_sizes(&self) -> [usize; 9] {
        let area = self.area();
        [
            area * POINT_FACTS,
            area,
            area,
            area * N_DIRECTIONS,
            N_DIRECTIONS * N_TARGETS,
            self.n_off_border() + 1,
            2,
            2 * N_SAFE * N_ENDS,
            N_NEAR * N_SETS,
        ]
    }

    fn action_group_sizes(&self) -> [usize; 4] {
        let area = self.area();
        [
            N_DIRECTIONS * N_TARGETS,
            area * N_TARGETS,
            area * N_DIRECTIONS,
            N_SETS,
        ]
    }

    pub(super) fn sizes_of_features(&self) -> FeatureSizes {
        FeatureSizes {
            features: self.group_sizes().iter().sum(),
            // One of each point and one to its east, those of the ball and the turn, and those near it.
            most_active: 2 * self.area() + 2 * N_DIRECTIONS + 4 + N_NEAR,
            action_features: self.action_group_sizes().iter().sum(),
            most_active_of_action: 4,
        }
    }

    pub(super) fn write_position(&self, view: &View<'_>, out: &mut Vec<u32>) {
        out.clear();
        let state = view.state;
        let starts = group_starts(0, self.group_sizes());
        let turn = match state.to_move {
            Player::First => view.write_points(self.pitch.field.iter(), starts, out),
            Player::Second => view.write_points(self.pitch.field.iter().rev(), starts, out),
        };
        let [
            _,
            _,
            at_ball,
            ways_there,
            targets,
            fresh,
            parity,
            turns,
            near,
        ] = starts;
        let mut push = |start: usize, fact: usize| out.push((start + fact) as u32);
        let ball = view.cell(usize::from(state.ball));
        push(at_ball, ball);
        let ways = view.seen(state.free().0);
        (0..N_DIRECTIONS)
            .filter(|way| ways >> way & 1 == 1)
            .for_each(|way| push(ways_there, ball * N_DIRECTIONS + way));
        for seen in 0..N_DIRECTIONS {
            let target = view.target(Direction::ALL[seen ^ view.turn]);
            push(targets, seen * N_TARGETS + target as usize);
        }
        push(fresh, turn.n_fresh);
        push(parity, turn.n_fresh % 2);
        let scores = usize::from(turn.scores);
        let n_safe = turn.n_safe_ends.min(N_SAFE - 1);
        push(
            turns,
            (scores * N_SAFE + n_safe) * N_ENDS + turn.n_ends.min(N_ENDS - 1),
        );
        view.write_near(near, out);
    }

    pub(super) fn write_actions(
        &self,
        view: &View<'_>,
        legal: &[ActionId],
        out: &mut ActionFeatures,
    ) {
        out.clear();
        let state = view.state;
        let [by_direction, by_place, by_ball, onward] = group_starts(0, self.action_group_sizes());
        let ball = view.cell(usize::from(state.ball));
        for &action in legal {
            let direction = Direction::of(action);
            let to = usize::from(state.ball).wrapping_add(direction.offset());
            let seen = direction as usize ^ view.turn;
            let target = view.target(direction) as usize;
            // All eight, of a fresh point alone.
            let free = usize::from(view.seen(state.free[to].0));
            let features = [
                by_direction + seen * N_TARGETS + target,
                by_place + view.cell(to) * N_TARGETS + target,
                by_ball + ball * N_DIRECTIONS + seen,
                onward + free,
            ];
            out.push(features.map(|feature| feature as u32));
        }
    }

    /// What a symmetry makes of the features.
    pub(super) fn images_of_features(&self, symmetry: usize) -> FeatureImages {
        let sizes = self.sizes_of_features();
        let mut features: Vec<u32> = (0..sizes.features as u32).collect();
        let mut action_features: Vec<u32> = (0..sizes.action_features as u32).collect();
        if symmetry == 0 {
            return FeatureImages {
                features,
                action_features,
            };
        }
        let width = self.width() + 1;
        let mirrored = |cell: usize| cell / width * width + (width - 1 - cell % width);
        let turned = |direction: usize| Direction::ALL[direction].mirrored() as usize;
        let starts = group_starts(0, self.group_sizes());
        let actions = group_starts(0, self.action_group_sizes());
        let map = |images: &mut [u32], start: usize, from: usize, to: usize| {
            images[start + from] = (start + to) as u32;
        };
        for cell in 0..self.area() {
            let image = mirrored(cell);
            for fact in 0..POINT_FACTS {
                let other = match fact {
                    0..FRESH => fact & 2 | (fact & 1) << 2 | fact >> 2,
                    _ => fact,
                };
                let from = cell * POINT_FACTS + fact;
                map(&mut features, starts[0], from, image * POINT_FACTS + other);
            }
            // A segment to the east of a point is one to the west of the point beyond; there is
            // none from the last column, whose numbers stay.
            if cell % width + 1 < width {
                map(&mut features, starts[1], cell, image - 1);
            }
            map(&mut features, starts[2], cell, image);
            for way in 0..N_DIRECTIONS {
                let [from, to] = [(cell, way), (image, turned(way))]
                    .map(|(cell, way)| cell * N_DIRECTIONS + way);
                map(&mut features, starts[3], from, to);
                map(&mut action_features, actions[2], from, to);
            }
            for target in 0..N_TARGETS {
                let [from, to] = [cell, image].map(|cell| cell * N_TARGETS + target);
                map(&mut action_features, actions[1], from, to);
            }
        }
        for set in 0..N_SETS {
            let ways = (0..N_DIRECTIONS).filter(|way| set >> way & 1 == 1);
            let other: usize = ways.map(|way| 1 << turned(way)).sum();
            map(&mut action_features, actions[3], set, other);
            for place in 0..N_NEAR {
                let column = place % N_NEAR_ROWS;
                let image = place - column + (N_NEAR_ROWS - 1 - column);
                let [from, to] =
                    [(place, set), (image, other)].map(|(place, set)| place * N_SETS + set);
                map(&mut features, starts[8], from, to);
            }
        }
        for way in 0..N_DIRECTIONS {
            for target in 0..N_TARGETS {
                let [from, to] = [way, turned(way)].map(|way| way * N_TARGETS + target);
                map(&mut features, starts[4], from, to);
                map(&mut action_features, actions[0], from, to);
            }
        }
        FeatureImages {
            features,
            action_features,
        }
    }
}

/// What a turn can come to.
#[derive(Default)]
struct Turn {
    n_fresh: usize,
    n_ends: usize,
    /// Ends from which the opponent cannot run into the own goal.
    n_safe_ends: usize,
    scores: bool,
}

impl View<'_> {
    /// The groups of points and of segments, from points in the order of their cells.
    #[inline]
    fn write_points<'p>(
        &self,
        points: impl Iterator<Item = &'p u16>,
        [start, segments, ..]: [usize; 9],
        out: &mut Vec<u32>,
    ) -> Turn {
        let state = self.state;
        let pitch = &*self.game.pitch;
        let mut turn = Turn::default();
        let reach = self.game.reach(state);
        let mut eastward: ArrayVec<u32, N_POINTS> = ArrayVec::new();
        for &at in points {
            let at = usize::from(at);
            let cell = self.cell(at);
            if state.is_fresh(at) {
                turn.n_fresh += 1;
                let ends = reach.has_entered(at);
                let [scores, loses] =
                    [&self.scoring, &self.losing].map(|walk| walk.has_entered(at));
                turn.n_ends += usize::from(ends);
                turn.n_safe_ends += usize::from(ends && !loses);
                let facts = usize::from(ends) | usize::from(scores) << 1 | usize::from(loses) << 2;
                if facts != 0 {
                    out.push((start + cell * POINT_FACTS + FRESH + facts) as u32);
                }
                continue;
            }
            let drawn = self.seen(pitch.open[at].0 & !state.free[at].0);
            // The kick-off counts as visited before anything is drawn there.
            if drawn != 0 || pitch.open[at].0 == u8::MAX {
                let upwards = drawn.rotate_left(1) & 7;
                out.push((start + cell * POINT_FACTS + usize::from(upwards)) as u32);
                if drawn >> Direction::E as u8 & 1 == 1 {
                    eastward.push((segments + cell) as u32);
                }
            }
        }
        out.extend(eastward);
        let y = match state.to_move {
            Player::First => pitch.half_height + 1,
            Player::Second => -pitch.half_height - 1,
        };
        turn.scores = (-1..=1).any(|x| reach.has_entered(index(Point { x, y })));
        turn
    }

    /// The group of points near the ball.
    #[inline]
    fn write_near(&self, start: usize, out: &mut Vec<u32>) {
        let ball = self.state.ball();
        let pitch = &*self.game.pitch;
        let sign = match self.state.to_move {
            Player::First => 1,
            Player::Second => -1,
        };
        let offsets = (-NEAR..=NEAR).flat_map(|dy| (-NEAR..=NEAR).map(move |dx| (dx, dy)));
        for (place, (dx, dy)) in offsets.enumerate() {
            let point = Point {
                x: ball.x + sign * dx,
                y: ball.y + sign * dy,
            };
            let is_outside =
                point.x.abs() > pitch.half_width || point.y.abs() > pitch.half_height + 1;
            let free = if is_outside {
                0
            } else {
                self.seen(self.state.free[index(point)].0)
            };
            let is_ball = dx == 0 && dy == 0;
            if free != u8::MAX && !is_ball {
                out.push((start + place * N_SETS + usize::from(!free)) as u32);
            }
        }
    }
}
