//! Paper Soccer: where the turn can end, and how far from there it is to either goal.
//!
//! The ball runs over visited points and along the border for nothing, and stops for a turn on
//! each fresh point. So the distance of a goal is the number of fresh points on the way that has
//! fewest, whoever is to move. The player to move chooses the fresh point at which his turn ends:
//! the evaluation is the best difference of the two distances among those that the ball reaches.
//! Rows break ties, and the move itself is worth a little more.
//!
//! Where a turn is cut in the middle by the depth limit, the evaluation so stands for the rest of
//! the turn. Each way is looked at alone: that the run to the stop uses segments up is left out.
//!
//! Two things are known for sure, and judged nearly as high as a finished game: a player who can
//! reach his goal within his turn scores, and one who reaches neither it nor a fresh point has to
//! lose.

use crate::heuristic::{Baseline, Heuristic, MAX_EVALUATION};
use arrayvec::ArrayVec;
use tablero_env::paper_soccer::{Direction, Directions, MAX_SIDE, PaperSoccer, Point, State};
use tablero_env::{ActionId, Game, Player};

/// The evaluation's unit: so many make one turn.
pub const UNITS_PER_TURN: i32 = 100;

/// What one row towards a goal is worth.
const UNITS_PER_ROW: i32 = 10;

/// The right to move, beside what the move brings.
const TEMPO: i32 = 60;

/// A goal that cannot be reached any more counts as so many turns away, and none as more.
const FAR: u8 = 20;

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

/// Points of a pitch, each at most once.
type Points = ArrayVec<Point, N_POINTS>;

fn index(point: Point) -> usize {
    let half = MAX_SIDE as isize / 2;
    let (column, row) = (isize::from(point.x) + half, isize::from(point.y) + half + 1);
    row as usize * (MAX_SIDE + 1) + column as usize
}

/// Whether the ball stops at a point to which it goes.
fn is_fresh(game: &PaperSoccer, state: &State, point: Point) -> bool {
    game.free_at(state, point) == Directions::ALL
}

/// The points of a goal line from which a free segment leads into the goal in which `player` wins,
/// with the direction of one.
fn mouth(
    game: &PaperSoccer,
    state: &State,
    player: Player,
) -> impl Iterator<Item = (Point, Direction)> {
    let y = player.sign() * (game.height() / 2) as i8;
    (-1..=1).filter_map(move |x| {
        let point = Point { x, y };
        let leads_in = |&direction: &Direction| game.goal_of(point.step(direction)) == Some(player);
        let direction = game.free_at(state, point).iter().find(leads_in)?;
        Some((point, direction))
    })
}

/// The fresh points that the ball reaches, where the turn passes; `None` if it reaches the goal
/// of the player to move.
fn stops(game: &PaperSoccer, state: &State) -> Option<Points> {
    let mover = game.player_to_move(state);
    let mut entered = [false; N_POINTS];
    entered[index(state.ball())] = true;
    let mut running = Points::from_iter([state.ball()]);
    let mut stops = Points::new();
    while let Some(point) = running.pop() {
        for direction in game.free_at(state, point).iter() {
            let next = point.step(direction);
            if std::mem::replace(&mut entered[index(next)], true) {
                continue;
            }
            if is_fresh(game, state, next) {
                stops.push(next);
            } else if game.goal_of(next) == Some(mover) {
                return None;
            } else {
                running.push(next);
            }
        }
    }
    Some(stops)
}

/// The turns from each of `stops` to the goal in which `player` wins: fresh points on the way,
/// at most [`FAR`]. Other points have no meaning.
///
/// Walks from the goal backwards, over a point for nothing or, if it is fresh, for a turn. Nothing
/// leads on from the points of goals.
fn turns_to_goal(
    game: &PaperSoccer,
    state: &State,
    player: Player,
    stops: &Points,
) -> [u8; N_POINTS] {
    let mut turns = [FAR; N_POINTS];
    let mut is_wanted = [false; N_POINTS];
    for &stop in stops {
        is_wanted[index(stop)] = true;
    }
    let mut n_wanted = stops.len();
    let (mut near, mut farther) = (Points::new(), Points::new());
    for (point, _) in mouth(game, state, player) {
        turns[index(point)] = 0;
        near.push(point);
    }
    for distance in 0..FAR {
        while let Some(point) = near.pop() {
            // It may have come nearer since it was put off.
            if turns[index(point)] != distance {
                continue;
            }
            if is_wanted[index(point)] {
                n_wanted -= 1;
                if n_wanted == 0 {
                    return turns;
                }
            }
            let free = game.free_at(state, point);
            let cost = u8::from(free == Directions::ALL);
            for direction in free.iter() {
                let next = point.step(direction);
                let known = &mut turns[index(next)];
                if *known > distance + cost {
                    *known = distance + cost;
                    if cost == 0 {
                        near.push(next);
                    } else {
                        farther.push(next);
                    }
                }
            }
        }
        std::mem::swap(&mut near, &mut farther);
    }
    turns
}

impl Heuristic<PaperSoccer> for TurnsToGoal {
    fn evaluate(&self, game: &PaperSoccer, state: &State) -> i32 {
        let mover = game.player_to_move(state);
        let sign = i32::from(mover.sign());
        let Some(stops) = stops(game, state) else {
            return DECIDED * sign;
        };
        let [own, other] =
            [mover, mover.opponent()].map(|player| turns_to_goal(game, state, player, &stops));
        let values = stops.iter().map(|&stop| {
            let lead = i32::from(other[index(stop)]) - i32::from(own[index(stop)]);
            lead * UNITS_PER_TURN + sign * i32::from(stop.y) * UNITS_PER_ROW
        });
        let value = values.max().map_or(-DECIDED, |best| best + TEMPO);
        value * sign
    }

    /// The next step of the shortest way into the goal within this turn, if there is one; it gets
    /// shorter with each step.
    ///
    /// Other segments that bounce are not followed: there are too many lines of them, and the
    /// evaluation sees where they lead. The search lets a player decline forcing actions, here one
    /// who has to go on: that only means that the evaluation stands for the rest of his turn.
    fn forcing_actions(&self, game: &PaperSoccer, state: &State, out: &mut Vec<ActionId>) {
        out.clear();
        // From the goal backwards: it is mostly far off, and the search then soon over.
        let mut onward = [None; N_POINTS];
        let mut running = Points::new();
        for (point, direction) in mouth(game, state, game.player_to_move(state)) {
            if point == state.ball() || !is_fresh(game, state, point) {
                onward[index(point)] = Some(direction);
                running.push(point);
            }
        }
        let mut n_done = 0;
        while let Some(&point) = running.get(n_done) {
            n_done += 1;
            if point == state.ball() {
                out.extend(onward[index(point)].map(Direction::action));
                return;
            }
            for direction in game.free_at(state, point).iter() {
                let before = point.step(direction);
                let known = &mut onward[index(before)];
                if known.is_none() && (before == state.ball() || !is_fresh(game, state, before)) {
                    *known = Some(direction.opposite());
                    running.push(before);
                }
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

    /// On 8x10 four fresh points, one a row, lie between the centre and a post, which leads into
    /// the goal; the turn ends on the first of them, with three to go and five back.
    #[test]
    fn turns_and_rows_are_counted() {
        let game = PaperSoccer::new(8, 10).unwrap();
        let evaluate = |segments| TurnsToGoal.evaluate(&game, &after(&game, segments));
        let step = 2 * UNITS_PER_TURN + UNITS_PER_ROW + TEMPO;
        assert_eq!(TurnsToGoal.evaluate(&game, &game.initial()), step);
        // Player 1 goes back to 1,0: from there four turns on, but three up, by way of 0,1.
        assert_eq!(evaluate("0,1"), UNITS_PER_TURN - TEMPO);
        // He goes on to 0,-2: from there two turns on, but five up, as the segment to 0,0 is used.
        let step = 3 * UNITS_PER_TURN + 2 * UNITS_PER_ROW + TEMPO;
        assert_eq!(evaluate("0,-1"), -step);
    }

    /// The least fixed point of the definition, by going over all points until nothing changes.
    fn turns_by_definition(game: &PaperSoccer, state: &State, player: Player) -> [u8; N_POINTS] {
        let mut turns = [FAR; N_POINTS];
        loop {
            let before = turns;
            for point in game.points() {
                for direction in game.free_at(state, point).iter() {
                    let next = point.step(direction);
                    let onward = match game.goal_of(next) {
                        Some(winner) if winner == player => 0,
                        Some(_) => FAR,
                        None => turns[index(next)] + u8::from(is_fresh(game, state, next)),
                    };
                    turns[index(point)] = turns[index(point)].min(onward);
                }
            }
            if turns == before {
                return turns;
            }
        }
    }

    #[test]
    fn turns_to_goal_are_the_fewest_fresh_points_on_a_way() {
        for (width, height) in PITCHES {
            let game = PaperSoccer::new(width, height).unwrap();
            for state in random_states(&game, 3) {
                let Some(stops) = stops(&game, &state) else {
                    continue;
                };
                for player in Player::BOTH {
                    let turns = turns_to_goal(&game, &state, player, &stops);
                    let expected = turns_by_definition(&game, &state, player);
                    for stop in stops.iter().map(|&stop| index(stop)) {
                        assert_eq!(turns[stop], expected[stop], "{state:?}");
                    }
                }
            }
        }
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
                if !scores {
                    continue;
                }
                let mut next = state;
                while !game.is_over(&next) {
                    assert_eq!(game.player_to_move(&next), mover);
                    TurnsToGoal.forcing_actions(&game, &next, &mut forcing);
                    game.play(&mut next, forcing[0]).unwrap();
                }
                assert_eq!(game.outcome(&next).unwrap().winner, Some(mover));
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
