#![doc = include_str!("../../features/paper-soccer.md")]

use super::ball::walk::{LOSING, REACHED, SCORING, Walk};
use super::config::PaperSoccer;
use super::pitch::direction::Direction;
use super::pitch::point::{N_POINTS, Point, index};
use super::pitch::{N_NEAR, N_NEAR_ROW};
use super::state::State;
use crate::features::group_starts;
use crate::{ActionFeatures, ActionId, FeatureImages, FeatureSizes, Player};

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
    /// The points that the ball can come to, and those from which it could run into a goal.
    walks: Walk,
    /// What lies in each direction.
    targets: [Target; N_DIRECTIONS],
}

impl<'a> View<'a> {
    pub(super) fn new(game: &'a PaperSoccer, state: &'a State) -> Self {
        let mut view = View {
            game,
            state,
            turn: match state.to_move {
                Player::First => 0,
                Player::Second => 4,
            },
            walks: game.turn_walks(state),
            targets: [Target::Nothing; N_DIRECTIONS],
        };
        view.targets = Direction::ALL.map(|seen| view.target(view.turned(seen)));
        view
    }

    /// A direction of the board as the mover sees it, and one that the mover sees on the board.
    #[inline]
    fn turned(&self, direction: Direction) -> Direction {
        Direction::ALL[direction as usize ^ self.turn]
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
            return if self.walks.marks(to) & LOSING != 0 {
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
            _ if self.walks.marks(to) & SCORING != 0 => Target::Run,
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
        let field = self.pitch.field.iter();
        let turn = match state.to_move {
            Player::First => view.write_points(field, starts, out),
            Player::Second => view.write_points(field.rev(), starts, out),
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
        for (seen, &target) in view.targets.iter().enumerate() {
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
            let seen = view.turned(direction) as usize;
            let target = view.targets[seen] as usize;
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
                let column = place % N_NEAR_ROW;
                let image = place - column + (N_NEAR_ROW - 1 - column);
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
        points: impl ExactSizeIterator<Item = &'p u16>,
        [start, segments, ..]: [usize; 9],
        out: &mut Vec<u32>,
    ) -> Turn {
        let state = self.state;
        let pitch = &*self.game.pitch;
        let mut turn = Turn::default();
        // What there is to say of a point would often be mispredicted: so something is written for each,
        // and what is nothing is overwritten.
        let n_points = points.len();
        let (mut n_said, mut n_eastward) = (0, 0);
        out.resize(2 * n_points, 0);
        let (said, eastward) = out.split_at_mut(n_points);
        for &at in points {
            let at = usize::from(at);
            let cell = self.cell(at);
            let is_fresh = state.is_fresh(at);
            let marks = self.walks.marks(at);
            let drawn = self.seen(pitch.open[at].0 & !state.free[at].0);
            let is_end = is_fresh && marks & REACHED != 0;
            turn.n_fresh += usize::from(is_fresh);
            turn.n_ends += usize::from(is_end);
            turn.n_safe_ends += usize::from(is_end && marks & LOSING == 0);
            let (fact, is_said) = if is_fresh {
                (FRESH + usize::from(marks), marks != 0)
            } else {
                // The kick-off counts as visited before anything is drawn there.
                let is_visited = drawn != 0 || pitch.open[at].0 == u8::MAX;
                (usize::from(drawn.rotate_left(1) & 7), is_visited)
            };
            said[n_said] = (start + cell * POINT_FACTS + fact) as u32;
            n_said += usize::from(is_said);
            eastward[n_eastward] = (segments + cell) as u32;
            n_eastward += usize::from(drawn >> Direction::E as u8 & 1);
        }
        out.copy_within(n_points..n_points + n_eastward, n_said);
        out.truncate(n_said + n_eastward);
        let y = match state.to_move {
            Player::First => pitch.half_height + 1,
            Player::Second => -pitch.half_height - 1,
        };
        turn.scores = (-1..=1).any(|x| self.walks.marks(index(Point { x, y })) & REACHED != 0);
        turn
    }

    /// The group of points near the ball.
    #[inline]
    fn write_near(&self, start: usize, out: &mut Vec<u32>) {
        let near = &self.game.pitch.near[usize::from(self.state.ball)];
        let n_before = out.len();
        out.resize(n_before + N_NEAR, 0);
        let written = &mut out[n_before..];
        let mut n_written = 0;
        for place in 0..N_NEAR {
            // Half a turn reverses the order.
            let at = match self.state.to_move {
                Player::First => near[place],
                Player::Second => near[N_NEAR - 1 - place],
            };
            let free = self.seen(self.state.free[usize::from(at)].0);
            written[n_written] = (start + place * N_SETS + usize::from(!free)) as u32;
            n_written += usize::from(free != u8::MAX && place != N_NEAR / 2);
        }
        out.truncate(n_before + n_written);
    }
}
