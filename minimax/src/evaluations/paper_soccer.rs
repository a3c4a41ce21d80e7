//! Paper Soccer: how many turns the ball is from either goal.
//!
//! The ball runs over visited points and along the border for nothing, and stops for a turn on
//! each fresh point. So the distance of a goal is the number of fresh points on the way that has
//! fewest, whoever is to move: the player whose goal is nearer stands better. Rows break ties.
//!
//! Where a turn is cut in the middle by the depth limit, what the ball can still reach counts, so
//! the evaluation stands for the rest of the turn.
//!
//! Two things are known for sure, and judged nearly as high as a finished game: a player who can
//! reach his goal within his turn scores, and one who reaches neither it nor a fresh point has to
//! lose.

use crate::heuristic::{Baseline, Heuristic, MAX_EVALUATION};
use std::collections::VecDeque;
use tablero_env::paper_soccer::{Direction, Directions, MAX_SIDE, PaperSoccer, Point, State};
use tablero_env::{ActionId, Game, Player};

/// The evaluation's unit: so many make one turn.
pub const UNITS_PER_TURN: i32 = 100;

/// What one row towards a goal is worth.
const UNITS_PER_ROW: i32 = 10;

/// The judgement of a turn that is won or lost for sure.
const DECIDED: i32 = MAX_EVALUATION - 1;

/// The evaluation, in hundredths of a turn.
#[derive(Clone, Copy, Debug)]
pub struct TurnsToGoal;

impl Baseline for PaperSoccer {
    type Heuristic = TurnsToGoal;

    fn heuristic(&self) -> TurnsToGoal {
        TurnsToGoal
    }
}

/// Points of the largest pitch.
const N_POINTS: usize = (MAX_SIDE + 3) * (MAX_SIDE + 1);

fn index(point: Point) -> usize {
    let half = MAX_SIDE as isize / 2;
    let (column, row) = (isize::from(point.x) + half, isize::from(point.y) + half + 1);
    row as usize * (MAX_SIDE + 1) + column as usize
}

/// The points that the ball reaches, those first that take fewer turns.
struct Reach {
    /// The direction in which a point was entered first; `None` if it was not.
    entered: [Option<Direction>; N_POINTS],
    /// Points that the ball goes on from within the turn, in the order of their distance.
    running: VecDeque<Point>,
    /// Fresh points, where the turn passes.
    stopping: VecDeque<Point>,
    /// The goal points entered so far, by the player who wins there.
    goals: [Option<Point>; 2],
}

impl Reach {
    fn new(ball: Point) -> Self {
        let mut reach = Reach {
            entered: [None; N_POINTS],
            running: VecDeque::from([ball]),
            stopping: VecDeque::new(),
            goals: [None; 2],
        };
        // The ball's own point must not be entered; which direction stands there is never asked.
        reach.entered[index(ball)] = Some(Direction::N);
        reach
    }

    /// Runs on as far as one turn takes the ball.
    fn run(&mut self, game: &PaperSoccer, state: &State) {
        while let Some(point) = self.running.pop_front() {
            for direction in game.free_at(state, point).iter() {
                let next = point.step(direction);
                let entered = &mut self.entered[index(next)];
                if entered.is_some() {
                    continue;
                }
                *entered = Some(direction);
                if let Some(winner) = game.goal_of(next) {
                    self.goals[winner.index()].get_or_insert(next);
                } else if game.free_at(state, next) == Directions::ALL {
                    self.stopping.push_back(next);
                } else {
                    self.running.push_back(next);
                }
            }
        }
    }
}

impl Heuristic<PaperSoccer> for TurnsToGoal {
    fn evaluate(&self, game: &PaperSoccer, state: &State) -> i32 {
        let mover = game.player_to_move(state);
        let sign = i32::from(mover.sign());
        let mut reach = Reach::new(state.ball());
        reach.run(game, state);
        if reach.goals[mover.index()].is_some() {
            return DECIDED * sign;
        }
        if reach.stopping.is_empty() {
            return -DECIDED * sign;
        }
        // A goal that cannot be reached any more is farther than any that can.
        let far = (game.width() + game.height()) as i32;
        let mut turns = [far; 2];
        for turn in 0.. {
            for player in Player::BOTH {
                if reach.goals[player.index()].is_some() {
                    turns[player.index()] = turns[player.index()].min(turn);
                }
            }
            if reach.stopping.is_empty() || turns.iter().all(|&turns| turns < far) {
                break;
            }
            reach.running.append(&mut reach.stopping);
            reach.run(game, state);
        }
        (turns[1] - turns[0]) * UNITS_PER_TURN + i32::from(state.ball().y) * UNITS_PER_ROW
    }

    /// The next step of the shortest way into the goal within this turn, if there is one; it gets
    /// shorter with each step.
    ///
    /// Other segments that bounce are not followed: there are too many lines of them, and the
    /// evaluation sees where they lead. The search lets a player decline forcing actions, here one
    /// who has to go on: that only means that the evaluation stands for the rest of his turn.
    fn forcing_actions(&self, game: &PaperSoccer, state: &State, out: &mut Vec<ActionId>) {
        out.clear();
        let ball = state.ball();
        let mut reach = Reach::new(ball);
        reach.run(game, state);
        let Some(mut point) = reach.goals[game.player_to_move(state).index()] else {
            return;
        };
        loop {
            let direction = reach.entered[index(point)].expect("the way was run");
            point = point.step(direction.opposite());
            if point == ball {
                out.push(direction.action());
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Minimax, Solvable, Solver};
    use tablero_env::Encode;
    use tablero_env::random::stream;

    const PITCHES: [(usize, usize); 6] = [(2, 2), (2, 8), (4, 2), (4, 4), (8, 10), (16, 16)];

    fn after(game: &PaperSoccer, segments: &str) -> State {
        let mut state = game.initial();
        for action in game.parse_turn(&state, segments).unwrap() {
            game.play(&mut state, action).unwrap();
        }
        state
    }

    /// The unfinished positions of random games.
    fn random_states(game: &PaperSoccer, n_games: u64) -> Vec<State> {
        let mut states = Vec::new();
        for index in 0..n_games {
            let mut rng = stream(4, "evaluation test", index);
            let mut state = game.initial();
            while !game.is_over(&state) {
                states.push(state.clone());
                let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
                game.play_unchecked(&mut state, action);
            }
        }
        states
    }

    /// On 8x10 four fresh points, one a row, lie on the way to the post and so to the goal.
    #[test]
    fn turns_and_rows_are_counted() {
        let game = PaperSoccer::new(8, 10).unwrap();
        let evaluate = |segments| TurnsToGoal.evaluate(&game, &after(&game, segments));
        assert_eq!(TurnsToGoal.evaluate(&game, &game.initial()), 0);
        // Three turns up. Five down, as the segment to 0,0 is used.
        assert_eq!(evaluate("0,1"), 2 * UNITS_PER_TURN + UNITS_PER_ROW);
        assert_eq!(evaluate("0,-1"), -2 * UNITS_PER_TURN - UNITS_PER_ROW);
        // From 0,0 four turns down, and up but three: 1,1 is visited.
        assert_eq!(evaluate("0,1 1,1 1,0 0,0"), UNITS_PER_TURN);
    }

    #[test]
    fn who_reaches_his_goal_within_the_turn_is_judged_to_win() {
        let game = PaperSoccer::new(4, 4).unwrap();
        let post = after(&game, "0,1 0,2");
        assert_eq!(TurnsToGoal.evaluate(&game, &post), DECIDED);
        // For player 1 there it is his own goal.
        let own = after(&game, "0,1");
        assert!(TurnsToGoal.evaluate(&game, &own) < DECIDED);
    }

    #[test]
    fn evaluations_are_bounded_and_those_of_mirror_images_equal() {
        for (width, height) in PITCHES {
            let game = PaperSoccer::new(width, height).unwrap();
            for state in random_states(&game, 10) {
                let value = TurnsToGoal.evaluate(&game, &state);
                assert!(value.abs() < MAX_EVALUATION);
                let image = game.transform(1, &state);
                assert_eq!(TurnsToGoal.evaluate(&game, &image), value);
            }
        }
    }

    #[test]
    fn what_is_judged_as_decided_is() {
        let mut n_decided = [0; 2];
        for (width, height) in [(2, 2), (2, 4), (4, 2), (4, 4)] {
            let game = PaperSoccer::new(width, height).unwrap();
            let mut solver = game.solver().unwrap();
            for state in random_states(&game, 400) {
                let value = TurnsToGoal.evaluate(&game, &state);
                if value.abs() == DECIDED {
                    assert_eq!(i32::from(solver.solve(&state).value), value.signum());
                    let mover = i32::from(game.player_to_move(&state).sign());
                    n_decided[usize::from(value.signum() == mover)] += 1;
                }
            }
        }
        assert!(n_decided.iter().all(|&n| n > 20), "{n_decided:?}");
    }

    #[test]
    fn forcing_actions_lead_into_the_goal_and_are_none_where_it_is_out_of_reach() {
        for (width, height) in PITCHES {
            let game = PaperSoccer::new(width, height).unwrap();
            let mut forcing = Vec::new();
            for state in random_states(&game, 10) {
                let mover = game.player_to_move(&state);
                TurnsToGoal.forcing_actions(&game, &state, &mut forcing);
                let scores =
                    TurnsToGoal.evaluate(&game, &state) == DECIDED * i32::from(mover.sign());
                assert_eq!(forcing.len(), usize::from(scores));
                let mut next = state;
                while let Some(&action) = forcing.first() {
                    assert_eq!(game.player_to_move(&next), mover);
                    game.play(&mut next, action).unwrap();
                    TurnsToGoal.forcing_actions(&game, &next, &mut forcing);
                }
                if scores {
                    assert_eq!(game.outcome(&next).unwrap().winner, Some(mover));
                }
            }
        }
    }

    #[test]
    fn a_goal_within_the_turn_is_proven_at_depth_one() {
        let game = PaperSoccer::new(4, 4).unwrap();
        let state = after(&game, "0,1 1,0");
        let report = Minimax::new(game, 1).search(&state, &Limits::depth(1));
        assert_eq!(report.proven, Some(1), "by 2,1 1,2 0,3");
    }
}
