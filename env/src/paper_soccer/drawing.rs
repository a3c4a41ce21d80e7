//! The pitch as people draw it, and what to look at.

use super::config::PaperSoccer;
use super::pitch::Line;
use super::pitch::direction::Direction;
use super::pitch::point::Point;
use super::state::State;
use crate::{Game, Notation, Player};

/// Characters between two points of a row; a terminal's cell is about twice as high as wide.
const COLUMN: usize = 4;
/// Lines between two points of a column.
const ROW: usize = 2;
/// Characters left of the points, for y.
const MARGIN: usize = 5;

impl PaperSoccer {
    /// See [the module of the game](super).
    pub(super) fn drawing(&self, state: &State) -> String {
        let n_lines = ROW * (self.height() + 2) + 1;
        let n_columns = MARGIN + COLUMN * self.width() + 1;
        let mut canvas = vec![vec![' '; n_columns]; n_lines];
        for point in self.points() {
            let (line, column) = self.place(point);
            canvas[line][column] = self.point_mark(state, point);
            for &direction in &Direction::ALL[..4] {
                self.draw_segment(state, point, direction, &mut canvas);
            }
        }
        let labelled = canvas.iter().enumerate().map(|(line, characters)| {
            let y = self.height() as isize / 2 + 1 - (line / ROW) as isize;
            let label = if line % ROW == 0 {
                format!("{y:>3}")
            } else {
                String::new()
            };
            let text: String = characters[3..].iter().collect();
            let note = match line {
                0 => format!("  {} scores here", self.side(Player::First)),
                _ if line + 1 == n_lines => format!("  {} scores here", self.side(Player::Second)),
                _ => String::new(),
            };
            format!("{label:>3}{}{note}\n", text.trim_end())
        });
        let mut text: String = labelled.collect();
        let numbers = self.pitch.columns(0).map(|x| format!("{x:>COLUMN$}"));
        text.push_str(&format!("{:>2}", ""));
        text.push_str(&numbers.collect::<String>());
        text.push('\n');
        text
    }

    /// (line, column) of a point on the canvas.
    fn place(&self, point: Point) -> (usize, usize) {
        let row = self.pitch.half_height + 1 - point.y;
        let column = self.pitch.half_width + point.x;
        (row as usize * ROW, MARGIN + column as usize * COLUMN)
    }

    fn point_mark(&self, state: &State, point: Point) -> char {
        let walled = |direction| self.pitch.line(point, direction) == Line::Wall;
        let walls = [Direction::N, Direction::S, Direction::E, Direction::W].map(walled);
        match walls {
            _ if point == state.ball() => '@',
            [false, false, false, false] if self.bounces_at(state, point) => 'o',
            [false, false, false, false] => '.',
            [true, true, false, false] => '#',
            [false, false, true, true] => '=',
            _ => '+',
        }
    }

    /// Draws a segment or a wall N, NE, E or SE of a point, if there is one.
    fn draw_segment(
        &self,
        state: &State,
        point: Point,
        direction: Direction,
        canvas: &mut [Vec<char>],
    ) {
        let line = self.pitch.line(point, direction);
        let used = self.is_used(state, point, direction);
        let mark = match (direction, line) {
            (_, Line::Outside) => return,
            (_, Line::Open) if !used => return,
            (Direction::N, Line::Wall) => '#',
            (_, Line::Wall) => '=',
            (Direction::N, _) => '|',
            (Direction::NE, _) => '/',
            (Direction::E, _) => '-',
            (_, _) => '\\',
        };
        let (row, column) = self.place(point);
        match direction {
            Direction::N => canvas[row - 1][column] = mark,
            Direction::E => canvas[row][column + 1..column + COLUMN].fill(mark),
            _ => {
                let row = if direction == Direction::NE {
                    row - 1
                } else {
                    row + 1
                };
                let cell = &mut canvas[row][column + COLUMN / 2];
                *cell = if matches!(*cell, '/' | '\\') {
                    'X'
                } else {
                    mark
                };
            }
        }
    }

    /// How the game ended, or where the ball can go.
    pub(super) fn remarks_of(&self, state: &State) -> Vec<String> {
        let ball = state.ball();
        if let Some(outcome) = self.outcome(state) {
            let winner = outcome.winner.map_or("", |player| self.side(player));
            return vec![match self.goal_of(ball) {
                Some(_) => format!("The ball is in the goal that {winner} attacks."),
                None => format!("The ball is in a dead end: {winner} wins."),
            }];
        }
        let list = |keep: &dyn Fn(Point) -> bool| {
            let targets = state.free().iter().map(|d| (d, ball.step(d)));
            let kept = targets.filter(|&(_, target)| keep(target));
            let texts: Vec<_> = kept.map(|(d, target)| format!("{d} {target}")).collect();
            (!texts.is_empty()).then(|| texts.join(", "))
        };
        let score = |player: Player| {
            let what = format!("Score for {}", self.side(player));
            (what, list(&|target| self.goal_of(target) == Some(player)))
        };
        let bounce = list(&|target| self.bounces_at(state, target));
        [
            ("Free".to_owned(), list(&|_| true)),
            ("Bounce".to_owned(), bounce),
            score(Player::First),
            score(Player::Second),
        ]
        .into_iter()
        .filter_map(|(what, list)| list.map(|list| format!("{what}: {list}")))
        .collect()
    }
}
