//! Paper Soccer against a plain reimplementation on sets of coordinates, which shares nothing
//! with it but the numbers of the directions.

use rand::RngExt;
use std::collections::BTreeSet;
use tablero_env::paper_soccer::{End, PaperSoccer};
use tablero_env::random::stream;
use tablero_env::{ActionId, Encode, Game, Notation, Outcome, Player};

type Point = (i32, i32);

/// Where the actions 0 to 7 lead.
const STEPS: [Point; 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// The rules on paper: lines that are printed as walls, lines that were drawn, points on either.
struct Paper {
    half_width: i32,
    half_height: i32,
    walls: BTreeSet<(Point, Point)>,
    drawn: BTreeSet<(Point, Point)>,
    visited: BTreeSet<Point>,
    ball: Point,
    to_move: usize,
    winner: Option<usize>,
}

fn line(a: Point, b: Point) -> (Point, Point) {
    (a.min(b), a.max(b))
}

impl Paper {
    fn new(width: i32, height: i32) -> Self {
        let (w, h) = (width / 2, height / 2);
        let mut walls = BTreeSet::new();
        for y in -h..h {
            walls.extend([-w, w].map(|x| line((x, y), (x, y + 1))));
        }
        for (end, goal) in [(h, h + 1), (-h, -h - 1)] {
            for x in (-w..-1).chain(1..w) {
                walls.insert(line((x, end), (x + 1, end)));
            }
            walls.extend([-1, 1].map(|post| line((post, end), (post, goal))));
            walls.extend([-1, 0].map(|x| line((x, goal), (x + 1, goal))));
        }
        Paper {
            half_width: w,
            half_height: h,
            walls,
            drawn: BTreeSet::new(),
            visited: BTreeSet::from([(0, 0)]),
            ball: (0, 0),
            to_move: 0,
            winner: None,
        }
    }

    /// Whether the middle of a line lies in the field or in a goal: twice its coordinates.
    fn inside(&self, (a, b): (Point, Point)) -> bool {
        let (x, y) = ((a.0 + b.0).abs(), (a.1 + b.1).abs());
        let in_field = x <= 2 * self.half_width && y <= 2 * self.half_height;
        let in_goal = x < 2 && y <= 2 * self.half_height + 2;
        in_field || in_goal
    }

    fn target(&self, action: usize) -> Point {
        (self.ball.0 + STEPS[action].0, self.ball.1 + STEPS[action].1)
    }

    fn can_draw(&self, from: Point, action: usize) -> bool {
        let line = line(from, (from.0 + STEPS[action].0, from.1 + STEPS[action].1));
        self.inside(line) && !self.walls.contains(&line) && !self.drawn.contains(&line)
    }

    fn legal(&self) -> Vec<ActionId> {
        let free = |action: &usize| self.winner.is_none() && self.can_draw(self.ball, *action);
        (0..8).filter(free).map(ActionId::from).collect()
    }

    fn on_wall(&self, (x, y): Point) -> bool {
        let neighbours = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
        neighbours
            .iter()
            .any(|&end| self.walls.contains(&line((x, y), end)))
    }

    fn draw(&mut self, action: usize) {
        let target = self.target(action);
        assert!(self.drawn.insert(line(self.ball, target)), "drawn twice");
        self.ball = target;
        let bounces = !self.visited.insert(target) || self.on_wall(target);
        if target.1.abs() > self.half_height {
            self.winner = Some(usize::from(target.1 < 0));
        } else if !bounces {
            self.to_move = 1 - self.to_move;
        } else if self.legal().is_empty() {
            self.winner = Some(1 - self.to_move);
        }
    }

    fn is_goal(&self, (x, y): Point) -> bool {
        y.abs() == self.half_height + 1 && x.abs() <= 1
    }

    /// Whether the ball would stop on this point.
    fn is_stop(&self, point: Point) -> bool {
        !self.is_goal(point) && !self.visited.contains(&point) && !self.on_wall(point)
    }

    /// Where a ball can come from a point without a stop on the way.
    fn reach(&self, from: Point) -> BTreeSet<Point> {
        let mut reach = BTreeSet::from([from]);
        let mut onward = vec![from];
        while let Some(at) = onward.pop() {
            for action in (0..8).filter(|&action| !self.is_goal(at) && self.can_draw(at, action)) {
                let to = (at.0 + STEPS[action].0, at.1 + STEPS[action].1);
                if reach.insert(to) && !self.is_stop(to) {
                    onward.push(to);
                }
            }
        }
        reach
    }

    /// The planes, as `plane_descriptions` tells them.
    fn observation(&self) -> Vec<f32> {
        let turn = if self.to_move == 0 { 1 } else { -1 };
        let (w, h) = (self.half_width, self.half_height);
        let is_goal = |point| self.is_goal(point);
        let exists = |(x, y): Point| (x.abs() <= w && y.abs() <= h) || is_goal((x, y));
        let reach = self.reach(self.ball);
        // Whether the ball comes from a point to a goal.
        let comes_to = |from: Point, goal_y: i32| {
            exists(from) && !is_goal(from) && self.reach(from).into_iter().any(|to| to.1 == goal_y)
        };
        let all = (-h..=h).flat_map(|y| (-w..=w).map(move |x| (x, y)));
        let n_fresh = all
            .filter(|point| !self.visited.contains(point) && !self.on_wall(*point))
            .count();
        let mut values = Vec::new();
        for plane in 0..17 {
            for y in (-h - 1..=h + 1).rev() {
                for x in -w..=w {
                    let point = (turn * x, turn * y);
                    let bounces = self.visited.contains(&point) || self.on_wall(point);
                    let value = match plane {
                        0..8 => {
                            let action = if turn == 1 { plane } else { (plane + 4) % 8 };
                            exists(point) && !is_goal(point) && self.can_draw(point, action)
                        }
                        8 => exists(point) && !is_goal(point) && bounces,
                        9 => point == self.ball,
                        10 => is_goal(point) && y > 0,
                        11 => is_goal(point) && y < 0,
                        12 => n_fresh % 2 == 1,
                        13 => reach.contains(&point),
                        14 => reach.contains(&point) && self.is_stop(point),
                        15 => comes_to(point, turn * (h + 1)),
                        _ => comes_to(point, -turn * (h + 1)),
                    };
                    values.push(f32::from(u8::from(value)));
                }
            }
        }
        values
    }
}

fn compare_a_random_game(width: usize, height: usize, index: u64) {
    let game = PaperSoccer::new(width, height).unwrap();
    let mut state = game.initial();
    let mut paper = Paper::new(width as i32, height as i32);
    let mut rng = stream(index, "by sets", (width * 100 + height) as u64);
    let mut observation = vec![f32::NAN; game.observation_shape().iter().product()];
    let mut legal = Vec::new();
    loop {
        let place = format!("{game:?}: {}", game.state_text(&state));
        game.legal_actions(&state, &mut legal);
        assert_eq!(legal, paper.legal(), "{place}");
        let ball = state.ball();
        assert_eq!(
            (i32::from(ball.x), i32::from(ball.y)),
            paper.ball,
            "{place}"
        );
        let outcome = paper
            .winner
            .map(|winner| Outcome::won_by(Some(Player::BOTH[winner])));
        assert_eq!(game.outcome(&state), outcome, "{place}");
        if outcome.is_none() {
            assert_eq!(
                game.player_to_move(&state).index(),
                paper.to_move,
                "{place}"
            );
        }
        game.write_observation(&state, &mut observation);
        assert_eq!(observation, paper.observation(), "{place}");
        if legal.is_empty() {
            return;
        }
        let mover = paper.to_move;
        let action = legal[rng.random_range(0..legal.len())];
        let played = game.play(&mut state, action).unwrap();
        paper.draw(action.index());
        assert_eq!(played.winner.map(Player::index), paper.winner, "{place}");
        assert_eq!(played.end.is_some(), paper.winner.is_some(), "{place}");
        let goes_on = played.next.map(Player::index);
        assert_eq!(
            goes_on,
            paper.winner.is_none().then_some(paper.to_move),
            "{place}"
        );
        match played.end {
            None => assert_eq!(played.bounces, paper.to_move == mover, "{place}"),
            Some(End::Goal) => assert!(!played.bounces, "{place}"),
            Some(End::DeadEnd) => assert!(played.bounces, "{place}"),
        }
    }
}

#[test]
fn free_segments_play_as_sets_of_lines_do_on_every_pitch() {
    for width in (2..=16).step_by(2) {
        for height in (2..=16).step_by(2) {
            for index in 0..2 {
                compare_a_random_game(width, height, index);
            }
        }
    }
}
