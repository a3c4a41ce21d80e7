//! A pitch as a graph: points and segments by number.

use tablero_env::paper_soccer::{Direction, PaperSoccer, Point, State};
use tablero_env::{Game, Player};

/// A set of segments, one bit each.
pub(super) type Segments = u128;

/// A set of directions, bit d the direction with the action id d.
pub(super) type DirectionBits = u8;

/// A segment as it leads away from a point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    /// The number of the point at its other end.
    pub(super) to: u8,
    /// The number of the segment, the same from both ends.
    pub(super) segment: u8,
    /// The number of its mirror image.
    pub(super) mirrored: u8,
}

/// The parts of a pitch that do not change.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// In the order of [`PaperSoccer::points`], which gives a point its number.
    points: Vec<Point>,
    /// `edges[point][direction]`, meaningful where a segment can be drawn.
    pub(super) edges: Vec<[Edge; 8]>,
    /// The player who wins with the ball at the point.
    pub(super) goals: Vec<Option<Player>>,
}

impl Graph {
    /// The graph of a pitch with at most 128 segments.
    pub(super) fn new(game: &PaperSoccer) -> Self {
        let points: Vec<Point> = game.points().collect();
        let mut graph = Graph {
            edges: vec![[Edge::default(); 8]; points.len()],
            goals: points.iter().map(|&point| game.goal_of(point)).collect(),
            points,
        };
        let new = game.initial();
        let leads = |point: Point| game.free_at(&new, point).iter();
        let mut segments: Vec<(Point, Point)> = Vec::new();
        for &from in &graph.points {
            let ends = leads(from).map(|direction| in_order(from, from.step(direction)));
            for ends in ends.collect::<Vec<_>>() {
                if !segments.contains(&ends) {
                    segments.push(ends);
                }
            }
        }
        let number = |a: Point, b: Point| {
            let ends = in_order(a, b);
            let position = segments.iter().position(|&segment| segment == ends);
            position.expect("a segment has been numbered") as u8
        };
        for index in 0..graph.points.len() {
            let from = graph.points[index];
            for direction in leads(from) {
                let to = from.step(direction);
                graph.edges[index][direction as usize] = Edge {
                    to: graph.number(to) as u8,
                    segment: number(from, to),
                    mirrored: number(mirrored(from), mirrored(to)),
                };
            }
        }
        graph
    }

    /// The number of a point of the pitch.
    pub(super) fn number(&self, point: Point) -> usize {
        let number = self.points.iter().position(|&other| other == point);
        number.expect("the point lies on the pitch")
    }

    /// For each point the directions in which the ball can leave it.
    pub(super) fn free(&self, game: &PaperSoccer, state: &State) -> Vec<DirectionBits> {
        let free = self
            .points
            .iter()
            .map(|&point| game.free_at(state, point).0);
        free.collect()
    }

    /// The drawn segments, and their mirror image.
    pub(super) fn drawn(&self, game: &PaperSoccer, state: &State) -> [Segments; 2] {
        let mut drawn = [0; 2];
        for (&point, edges) in self.points.iter().zip(&self.edges) {
            for direction in Direction::ALL {
                // A goal's end of a segment has no number: the other end has.
                if game.goal_of(point).is_none() && game.is_used(state, point, direction) {
                    let edge = edges[direction as usize];
                    drawn[0] |= 1 << edge.segment;
                    drawn[1] |= 1 << edge.mirrored;
                }
            }
        }
        drawn
    }
}

fn in_order(a: Point, b: Point) -> (Point, Point) {
    (a.min(b), a.max(b))
}

fn mirrored(point: Point) -> Point {
    Point {
        x: -point.x,
        y: point.y,
    }
}
