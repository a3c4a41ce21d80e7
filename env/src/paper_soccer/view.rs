//! Points to click, drawn segments and walls as edges, and the ball.

use super::config::PaperSoccer;
use super::pitch::Line;
use super::pitch::direction::Direction;
use super::pitch::point::Point;
use super::state::State;
use crate::ActionId;
use crate::view::{Board, Cell, Edge, Form, Touch, View};

fn point_id(point: Point) -> String {
    format!("p{point}")
}

/// Reads [`point_id`], and nothing that it does not write.
fn read_point(target: &str) -> Option<Point> {
    let (x, y) = target.strip_prefix('p')?.split_once(',')?;
    let point = Point {
        x: x.parse().ok()?,
        y: y.parse().ok()?,
    };
    (point_id(point) == target).then_some(point)
}

impl PaperSoccer {
    fn status(&self, state: &State, point: Point) -> &'static str {
        let border = point.x.abs() == self.pitch.half_width
            || point.y.abs() == self.pitch.half_height && point.x != 0;
        if self.goal_of(point).is_some() {
            "goal"
        } else if point == state.ball() {
            "ball"
        } else if border {
            "border"
        } else if self.bounces_at(state, point) {
            "visited"
        } else {
            "fresh"
        }
    }
}

impl View for PaperSoccer {
    /// An edge that is not drawn is a wall.
    fn board(&self, state: &State) -> Board {
        let mut board = Board::new(Form::Points, [self.width(), self.height()]);
        board.ball = Some(point_id(state.ball()));
        for point in self.points() {
            board.cells.push(Cell {
                id: point_id(point),
                x: point.x.into(),
                y: point.y.into(),
                name: point.to_string(),
                owner: self.goal_of(point),
                status: Some(self.status(state, point)),
                counts: None,
            });
            for direction in Direction::ALL[..4].iter().copied() {
                let drawn = self.is_used(state, point, direction);
                if drawn || self.pitch.line(point, direction) == Line::Wall {
                    let end = point.step(direction);
                    board.edges.push(Edge {
                        id: None,
                        from: [point.x, point.y].map(i32::from),
                        to: [end.x, end.y].map(i32::from),
                        drawn,
                        name: None,
                    });
                }
            }
        }
        board
    }

    fn touch(&self, state: &State, action: ActionId) -> Touch {
        let ball = state.ball();
        Touch {
            from: Some(point_id(ball)),
            ..Touch::clicks([point_id(ball.step(Direction::of(action)))])
        }
    }

    fn clicked(&self, state: &State, clicks: &[&str]) -> Option<ActionId> {
        let [click] = clicks else { return None };
        let target = read_point(click)?;
        let mut all = Direction::ALL.into_iter();
        let direction = all.find(|&direction| state.ball().step(direction) == target);
        direction.map(Direction::action)
    }

    fn again(&self, _before: &State, _action: ActionId) -> &'static str {
        "by bouncing"
    }
}
