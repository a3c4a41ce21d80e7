//! Text forms of segments, turns and positions.

use super::config::PaperSoccer;
use super::pitch::Line;
use super::pitch::direction::Direction;
use super::pitch::point::Point;
use super::state::State;
use crate::{ActionId, Game, Notation, NotationError, Player};

/// What the players are called.
pub(super) const SIDES: [&str; 2] = ["Blue", "Orange"];

const TEXT_FORM: &str = "SEGMENTS:BALL:MOVER";

impl PaperSoccer {
    /// The text of a turn, or of the beginning of one: the targets of its actions, separated by
    /// spaces. The actions are directions; whether they are legal makes no difference.
    ///
    /// # Examples
    /// ```
    /// use tablero_env::{Game, paper_soccer::PaperSoccer, turn::play_turn};
    /// let game = PaperSoccer::new(4, 4).unwrap();
    /// let mut state = game.initial();
    /// for text in ["0,1", "1,0", "0,0 -1,1"] {
    ///     let turn = game.parse_turn(&state, text).unwrap();
    ///     assert_eq!(game.turn_text(&state, &turn), text);
    ///     play_turn(&game, &mut state, &turn).unwrap();
    /// }
    /// assert_eq!(game.parse_turn(&state, "S W"), game.parse_turn(&state, "-1,0 -2,0"));
    /// ```
    #[must_use]
    pub fn turn_text(&self, state: &State, actions: &[ActionId]) -> String {
        let targets = actions.iter().scan(state.ball(), |ball, &action| {
            *ball = ball.step(Direction::of(action));
            Some(ball.to_string())
        });
        targets.collect::<Vec<_>>().join(" ")
    }

    /// Reads a turn, or the beginning of one: targets or directions separated by spaces. Each
    /// target is a neighbour of the one before;
    /// [`turn::check_prefix`](crate::turn::check_prefix) and
    /// [`turn::play_turn`](crate::turn::play_turn) say whether the actions are legal and how far
    /// they go.
    ///
    /// # Errors
    /// The first step that is neither a direction nor a neighbour of the point before it.
    pub fn parse_turn(&self, state: &State, text: &str) -> Result<Vec<ActionId>, NotationError> {
        let mut ball = state.ball();
        text.split_whitespace()
            .map(|step| {
                let direction = read_step(ball, step)?;
                ball = ball.step(direction);
                Ok(direction.action())
            })
            .collect()
    }

    fn segments_text(&self, state: &State) -> String {
        let digit = |point| {
            let owned = Direction::ALL[..4].iter();
            let used = owned.filter(|&&direction| self.is_used(state, point, direction));
            let sum = used.fold(0, |sum, &direction| sum | 1 << direction as u32);
            char::from_digit(sum, 16).expect("four bits")
        };
        let row = |y| {
            let points = self.pitch.columns(y).map(|x| Point { x, y });
            points.map(digit).collect::<String>()
        };
        self.pitch.rows().map(row).collect::<Vec<_>>().join("/")
    }

    fn read_segments(&self, text: &str) -> Result<Vec<(Point, Direction)>, NotationError> {
        let rows: Vec<&str> = text.split('/').collect();
        let lengths: Vec<usize> = self
            .pitch
            .rows()
            .map(|y| self.pitch.columns(y).count())
            .collect();
        let fits = rows.iter().map(|row| row.chars().count()).eq(lengths);
        if !fits {
            let expected = format!(
                "segments as {} rows joined by '/', the first and the last of 3 digits, the \
                 others of {}",
                self.height() + 3,
                self.width() + 1
            );
            return Err(wrong(expected, text));
        }
        let digits = rows.iter().flat_map(|row| row.chars());
        let mut segments = Vec::new();
        for (point, digit) in self.points().zip(digits) {
            let sum = digit
                .to_digit(16)
                .filter(|_| !digit.is_ascii_uppercase())
                .ok_or_else(|| {
                    let expected = format!("a digit 0 to f at {point}");
                    wrong(expected, &digit.to_string())
                })?;
            for direction in Direction::ALL[..4].iter().copied() {
                if sum >> direction as u32 & 1 == 1 {
                    if self.pitch.line(point, direction) != Line::Open {
                        let expected = format!("no segment {direction} of {point}");
                        return Err(wrong(expected, &digit.to_string()));
                    }
                    segments.push((point, direction));
                }
            }
        }
        Ok(segments)
    }
}

fn wrong(expected: String, got: &str) -> NotationError {
    NotationError::State {
        expected,
        got: got.to_owned(),
    }
}

/// Reads `x,y`, with any sign that a number can have.
fn read_numbers(text: &str) -> Option<(i32, i32)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// Reads a direction or the neighbour that it leads to.
fn read_step(ball: Point, text: &str) -> Result<Direction, NotationError> {
    let text = text.trim();
    let named = |direction: &Direction| direction.to_string().eq_ignore_ascii_case(text);
    let leads_there = |direction: &Direction| {
        let target = ball.step(*direction);
        read_numbers(text) == Some((i32::from(target.x), i32::from(target.y)))
    };
    let mut all = Direction::ALL.into_iter();
    all.find(|direction| named(direction) || leads_there(direction))
        .ok_or_else(|| NotationError::Action {
            expected: format!("a direction, N to NW, or the target x,y, a neighbour of {ball}"),
            got: text.to_owned(),
        })
}

impl Notation for PaperSoccer {
    fn side(&self, player: Player) -> &'static str {
        SIDES[player.index()]
    }

    fn action_text(&self, state: &State, action: ActionId) -> String {
        state.ball().step(Direction::of(action)).to_string()
    }

    fn parse_action(&self, state: &State, text: &str) -> Result<ActionId, NotationError> {
        read_step(state.ball(), text).map(Direction::action)
    }

    fn state_text(&self, state: &State) -> String {
        let mover = state.to_move;
        format!("{}:{}:{mover}", self.segments_text(state), state.ball())
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let text = text.trim();
        let parts: Vec<&str> = text.split(':').collect();
        let &[segments, ball, mover] = parts.as_slice() else {
            let example = self.state_text(&self.initial());
            return Err(wrong(format!("{TEXT_FORM}, such as {example}"), text));
        };
        let segments = self.read_segments(segments)?;
        let ball = self
            .points()
            .find(|point| point.to_string() == ball)
            .ok_or_else(|| wrong("the ball as x,y on the pitch".to_owned(), ball))?;
        let to_move = match mover {
            "0" => Player::First,
            "1" => Player::Second,
            other => return Err(wrong("the player to move, 0 or 1".to_owned(), other)),
        };
        let state = self.state_from_segments(segments.into_iter(), ball, to_move);
        match self.contradiction(&state) {
            Some(expected) => Err(wrong(expected, text)),
            None => Ok(state),
        }
    }

    fn draw(&self, state: &State) -> String {
        self.drawing(state)
    }

    fn remarks(&self, state: &State) -> Vec<String> {
        self.remarks_of(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_game_reads_as_documented() {
        let game = PaperSoccer::new(2, 2).unwrap();
        let text = "000/000/000/000/000:0,0:0";
        assert_eq!(game.state_text(&game.initial()), text);
        assert_eq!(game.parse_state(text), Ok(game.initial()));
    }

    #[test]
    fn contradictions_in_a_state_are_named() {
        let small = PaperSoccer::new(2, 2).unwrap();
        let large = PaperSoccer::new(4, 4).unwrap();
        for (game, text, part) in [
            (&small, "000/000/010/000/000:0,1:0", "Orange to move"),
            (
                &small,
                "000/000/010/000/000:0,0:1",
                "even number of segments at 0,1, not 1",
            ),
            (
                &small,
                "000/000/000/000/000:0,1:0",
                "odd number of segments at 0,1, not 0",
            ),
            (
                &small,
                "000/000/010/000/000:1,1:1",
                "even number of segments at 0,1, not 1",
            ),
            (
                &small,
                "080/a00/020/000/000:0,0:0",
                "end at the goal point 0,2",
            ),
            (&small, "000/000/001/000/000:1,0:0", "no segment N of 1,0"),
            (&small, "000/000/001/000/000", "SEGMENTS:BALL:MOVER"),
            (&small, "000/000/000/000:0,0:0", "5 rows"),
            (&small, "000/0000/00/000/000:0,0:0", "others of 3"),
            (&small, "000/000/0g0/000/000:0,0:0", "a digit 0 to f at 0,0"),
            (&small, "000/000/0A0/000/000:0,0:0", "a digit 0 to f at 0,0"),
            (&small, "000/000/000/000/000:2,2:0", "the ball"),
            (&small, "000/000/000/000/000:0,+0:0", "the ball"),
            (&small, "000/000/000/000/000:0,0:2", "the player to move"),
            // A triangle beside the kick-off.
            (
                &large,
                "000/00000/00000/08000/05000/00000/000:0,0:1",
                "the segments at -1,0 to hang together with 0,0",
            ),
        ] {
            let error = game.parse_state(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_step_is_a_direction_or_a_neighbour_and_never_a_number() {
        let game = PaperSoccer::new(4, 4).unwrap();
        let state = game.initial();
        for (text, direction) in [
            ("N", Direction::N),
            ("nw", Direction::NW),
            (" 1,-1 ", Direction::SE),
            ("-1,0", Direction::W),
        ] {
            assert_eq!(game.parse_action(&state, text), Ok(direction.action()));
        }
        for text in [
            "0,0", "2,0", "1", "3", "0", "NN", "1,1,1", "1;1", "x,y", "", "0,1 1,1",
        ] {
            let error = game.parse_action(&state, text).unwrap_err();
            assert!(error.to_string().contains("a neighbour of 0,0"), "{error}");
        }
    }

    #[test]
    fn a_turn_follows_the_ball() {
        let game = PaperSoccer::new(4, 4).unwrap();
        let state = game.initial();
        let turn = game.parse_turn(&state, "0,1  NE\t0,3").unwrap();
        let directions = [Direction::N, Direction::NE, Direction::NW];
        assert_eq!(turn, directions.map(Direction::action));
        assert_eq!(game.turn_text(&state, &turn), "0,1 1,2 0,3");
        assert_eq!(game.parse_turn(&state, " "), Ok(vec![]));
        assert_eq!(game.turn_text(&state, &[]), "");
        let error = game.parse_turn(&state, "0,1 0,3").unwrap_err();
        assert!(error.to_string().contains("a neighbour of 0,1"), "{error}");
        // Far out of the pitch is no reason to panic.
        assert_eq!(
            game.parse_turn(&state, &"E ".repeat(1000)).unwrap().len(),
            1000
        );
    }
}
