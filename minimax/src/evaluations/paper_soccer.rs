//! Paper Soccer: where the turn can end, and where fresh points are left.
//!
//! The ball runs over visited points and along the border for nothing, and stops for a turn on each
//! fresh point. The player to move chooses the fresh point at which the turn ends: what counts is the
//! row of the one nearest to the attacked goal, less a row, as the other player then goes back. Where a turn
//! is cut in the middle by the depth limit, the evaluation so stands for the rest of the turn.
//!
//! Early on it says nothing who stands nearer to a goal: there are fresh points enough to go back
//! on. But they are used up, and the player in front of whose goal more are left keeps more ways to
//! it. So a row is worth the more the fewer fresh points are left, and they themselves count by the
//! half of the pitch.
//!
//! The numbers follow from 29,858 positions at the beginning of a turn in 800 games on 8x10, from 10
//! random plies, of an alpha-beta player against itself that counted the turns to both goals, at
//! 2,000 nodes a move, by logistic regression of who won: the best polynomial of degree two for
//! what a row is worth is near a cube. Whether the next turn from the stop would score, and how many
//! fresh points there are from which one would, did not help to tell the winner once these were
//! known.
//!
//! Two things are known for sure: a player who can reach the attacked goal within the turn scores, which the
//! search takes for a win, and one who reaches neither it nor a fresh point has to lose, which is
//! evaluated nearly as a lost game.

use crate::heuristic::{Baseline, Heuristic, MAX_EVALUATION};
use tablero_env::paper_soccer::{
    Directions, MAX_SIDE, PaperSoccer, Point, State, Walk, index, point,
};
use tablero_env::{ActionId, ForFirst, Game};

/// What a fresh point more in front of a player's goal is worth.
const UNITS_PER_FRESH_POINT: i32 = 33;

/// What a row towards the goal is worth when no fresh point is left.
const UNITS_PER_ROW: u64 = 700;

/// The evaluation of a turn that is won or lost for sure.
const DECIDED: i32 = MAX_EVALUATION - 1;

/// The evaluation; 1,000 units are one of the logarithm of the odds to win.
#[derive(Clone, Debug)]
pub struct EndOfTurn {
    /// What a row towards the goal is worth, by the number of fresh points.
    units_per_row: Vec<i32>,
}

impl Baseline for PaperSoccer {
    type Heuristic = EndOfTurn;

    fn heuristic(&self) -> EndOfTurn {
        let n_inner = ((self.width() - 1) * (self.height() - 1) + 2) as u64;
        let units_per_row =
            |n_fresh: u64| UNITS_PER_ROW * (n_inner - n_fresh).pow(3) / n_inner.pow(3);
        EndOfTurn {
            units_per_row: (0..=n_inner).map(|n| units_per_row(n) as i32).collect(),
        }
    }
}

/// Where the turn can lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// Into the goal of the player to move.
    Scores,
    /// To a fresh point, the nearest to that goal in the row of this y: player 0 plays upwards.
    Ends(ForFirst<i8>),
    /// To neither.
    IsStuck,
}

fn turn(game: &PaperSoccer, state: &State) -> Turn {
    let free = state.free_by_index();
    let mover = game.player_to_move(state);
    let mut nearest = None;
    let mut walk = Walk::default();
    walk.enter(index(state.ball()));
    walk.go_on_from(index(state.ball()));
    while let Some(from) = walk.next() {
        for direction in free[from].iter() {
            let to = from.wrapping_add(direction.offset());
            if !walk.enter(to) {
                continue;
            }
            if free[to] == Directions::ALL {
                nearest = nearest.max(Some(ForFirst(point(to).y).seen_by(mover)));
            } else {
                walk.go_on_from(to);
            }
        }
    }
    let ForFirst(y) = ForFirst::from_player((game.height() / 2 + 1) as i8, mover);
    if (-1..=1).any(|x| walk.has_entered(index(Point { x, y }))) {
        return Turn::Scores;
    }
    nearest.map_or(Turn::IsStuck, |row| {
        Turn::Ends(ForFirst::from_player(row, mover))
    })
}

/// The number of fresh points in the upper half, in the middle row and in the lower half; the ball's
/// own counts as such before the first move.
fn fresh_points(game: &PaperSoccer, state: &State) -> [usize; 3] {
    let free = state.free_by_index();
    let row = |y| {
        index(Point {
            x: -(MAX_SIDE as i8) / 2,
            y,
        })
    };
    let last = (game.height() / 2) as i8;
    [1..last + 1, 0..1, -last..0].map(|rows| {
        let half = &free[row(rows.start)..row(rows.end)];
        half.iter().filter(|&&free| free == Directions::ALL).count()
    })
}

impl Heuristic<PaperSoccer> for EndOfTurn {
    /// On 8x10.
    const LOG_ODDS_PER_UNIT: f64 = 0.0014;

    const FORCING_WINS: bool = true;
    const LATE_REDUCTION: u16 = 4;

    fn evaluate(&self, game: &PaperSoccer, state: &State) -> ForFirst<i32> {
        let mover = game.player_to_move(state);
        let y = match turn(game, state) {
            Turn::Scores => return ForFirst::from_player(DECIDED, mover),
            Turn::IsStuck => return ForFirst::from_player(-DECIDED, mover),
            Turn::Ends(ForFirst(y)) => i32::from(y),
        };
        let [upper, middle, lower] = fresh_points(game, state);
        let units_per_row = self.units_per_row[upper + middle + lower];
        let ForFirst(back) = ForFirst::from_player(1, mover);
        let rows = (y - back) * units_per_row;
        ForFirst(rows + (upper as i32 - lower as i32) * UNITS_PER_FRESH_POINT)
    }

    /// The next step of the shortest way into the goal within this turn, if there is one; it gets
    /// shorter with each step.
    fn forcing_actions(&self, game: &PaperSoccer, state: &State, out: &mut Vec<ActionId>) {
        out.clear();
        let free = state.free_by_index();
        let ball = index(state.ball());
        // From the goal backwards: it is mostly far off, and the walk then soon over. Not on from a
        // fresh point, where the turn would end.
        let mut walk = Walk::default();
        for (point, inwards) in game.mouth(game.player_to_move(state)) {
            let inwards = Directions(free[point].0 & inwards.0);
            let Some(direction) = inwards.iter().next() else {
                continue;
            };
            if point == ball {
                out.push(direction.action());
                return;
            }
            walk.enter(point);
            if free[point] != Directions::ALL {
                walk.go_on_from(point);
            }
        }
        while let Some(point) = walk.next() {
            for direction in free[point].iter() {
                let before = point.wrapping_add(direction.offset());
                if before == ball {
                    out.push(direction.opposite().action());
                    return;
                }
                if walk.enter(before) && free[before] != Directions::ALL {
                    walk.go_on_from(before);
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
    use tablero_env::random::{positions, stream};

    const PITCHES: [(usize, usize); 6] = [(2, 2), (2, 8), (4, 2), (4, 4), (8, 10), (16, 16)];

    fn after(game: &PaperSoccer, segments: &str) -> State {
        let mut state = game.initial();
        for action in game.parse_turn(&state, segments).unwrap() {
            game.play(&mut state, action).unwrap();
        }
        state
    }

    fn evaluate(game: &PaperSoccer, state: &State) -> i32 {
        game.heuristic().evaluate(game, state).0
    }

    /// The unfinished positions of random games.
    fn random_states(game: &PaperSoccer, n_games: u64) -> Vec<State> {
        let random = |index| positions(game, stream(4, "evaluation test", index));
        (0..n_games).flat_map(random).collect()
    }

    #[test]
    fn rows_and_fresh_points_are_counted() {
        let game = PaperSoccer::new(8, 10).unwrap();
        // 7 columns of 9 rows, and the two in the middle of the goal lines.
        let n_fresh = 7 * 9 + 2;
        let row = |n_visited: usize| game.heuristic().units_per_row[n_fresh - n_visited];
        // The turn ends a row up, and player 1 goes back.
        assert_eq!(fresh_points(&game, &game.initial()), [29, 7, 29]);
        assert_eq!(evaluate(&game, &game.initial()), 0);
        // Player 1 goes back, but not farther than to row 0, as the segment to 0,0 is used.
        let state = after(&game, "0,1");
        assert_eq!(turn(&game, &state), Turn::Ends(ForFirst(0)));
        assert_eq!(fresh_points(&game, &state), [28, 6, 29]);
        assert_eq!(evaluate(&game, &state), row(2) - UNITS_PER_FRESH_POINT);
        // Player 0 goes on to row 4, with four points used up there in all.
        let state = after(&game, "0,1 0,2 0,3 1,3");
        assert_eq!(turn(&game, &state), Turn::Ends(ForFirst(4)));
        let expected = 3 * row(5) - 4 * UNITS_PER_FRESH_POINT;
        assert_eq!(evaluate(&game, &state), expected);
        assert!(row(5) < row(40) && row(n_fresh) == UNITS_PER_ROW as i32);
    }

    /// The points that the ball can come to in the turn, by going over all points until nothing
    /// changes.
    fn reached_by_definition(game: &PaperSoccer, state: &State) -> Vec<Point> {
        let mut reached = vec![state.ball()];
        loop {
            let n_before = reached.len();
            for from in reached.clone() {
                let is_stop = from != state.ball() && game.free_at(state, from) == Directions::ALL;
                for direction in game.free_at(state, from).iter().filter(|_| !is_stop) {
                    let to = from.step(direction);
                    if !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
            if reached.len() == n_before {
                return reached;
            }
        }
    }

    #[test]
    fn the_turn_leads_where_free_segments_do() {
        for (width, height) in PITCHES {
            let game = PaperSoccer::new(width, height).unwrap();
            for state in random_states(&game, 3) {
                let mover = game.player_to_move(&state);
                let reached = reached_by_definition(&game, &state);
                let is_stop = |at: &&Point| {
                    **at != state.ball() && game.free_at(&state, **at) == Directions::ALL
                };
                let row = |at: &Point| ForFirst(at.y).seen_by(mover);
                let nearest = reached.iter().filter(is_stop).map(row);
                let expected = if reached.iter().any(|&at| game.goal_of(at) == Some(mover)) {
                    Turn::Scores
                } else {
                    let row = nearest.max();
                    row.map_or(Turn::IsStuck, |row| {
                        Turn::Ends(ForFirst::from_player(row, mover))
                    })
                };
                assert_eq!(turn(&game, &state), expected, "{state:?}");
            }
        }
    }

    #[test]
    fn fresh_points_are_those_where_no_segment_bounces() {
        for (width, height) in PITCHES {
            let game = PaperSoccer::new(width, height).unwrap();
            let mut states = random_states(&game, 3);
            states.retain(|state| *state != game.initial());
            for state in states {
                let is_fresh =
                    |at: &Point| game.goal_of(*at).is_none() && !game.bounces_at(&state, *at);
                let mut expected = [0; 3];
                for at in game.points().filter(is_fresh) {
                    expected[(1 - at.y.signum()) as usize] += 1;
                }
                assert_eq!(fresh_points(&game, &state), expected, "{state:?}");
            }
        }
    }

    #[test]
    fn a_goal_within_reach_of_the_turn_is_evaluated_as_a_win() {
        let game = PaperSoccer::new(4, 4).unwrap();
        let post = after(&game, "0,1 0,2");
        assert_eq!(evaluate(&game, &post), DECIDED);
        // For player 1 it is an own goal.
        let own = after(&game, "0,1");
        assert!(evaluate(&game, &own) < DECIDED);
    }

    #[test]
    fn evaluations_are_bounded_and_those_of_mirror_images_equal() {
        for (width, height) in PITCHES {
            let game = PaperSoccer::new(width, height).unwrap();
            for state in random_states(&game, 10) {
                let value = evaluate(&game, &state);
                assert!(value.abs() < MAX_EVALUATION);
                let image = game.transform(1, &state);
                assert_eq!(evaluate(&game, &image), value);
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
                let value = evaluate(&game, &state);
                if value.abs() == DECIDED {
                    assert_eq!(i32::from(solver.solve(&state).value.0), value.signum());
                    let for_mover = ForFirst(value).seen_by(game.player_to_move(&state));
                    n_decided[usize::from(for_mover > 0)] += 1;
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
                game.heuristic()
                    .forcing_actions(&game, &state, &mut forcing);
                let scores = ForFirst(evaluate(&game, &state)).seen_by(mover) == DECIDED;
                assert_eq!(forcing.len(), usize::from(scores));
                if !scores {
                    continue;
                }
                let mut next = state;
                while !game.is_over(&next) {
                    assert_eq!(game.player_to_move(&next), mover);
                    game.heuristic().forcing_actions(&game, &next, &mut forcing);
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
        assert_eq!(report.proven, Some(ForFirst(1)), "by 2,1 1,2 0,3");
    }
}
