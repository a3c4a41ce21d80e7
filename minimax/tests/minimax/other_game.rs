//! A game of somebody else, which every search takes by its rules alone: a heap of matches, with
//! points or without.

use serde::{Deserialize, Serialize};
use tablero_env::{
    ExactSolver, ForFirst, ForMover, Game, OtherGame, Outcome, Player, Rules, conformance,
};
use tablero_minimax::{Limits, Minimax, Solvable, SolveError, Solver};

/// Each player takes one to three matches in turn. Without points whoever takes the last wins; with
/// points whoever has more matches, which the last taken counts twice.
#[derive(Clone, Debug)]
struct Heap {
    size: u8,
    has_points: bool,
    has_solver: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Left {
    left: u8,
    taken: [i32; 2],
    to_move: Player,
}

impl Rules for Heap {
    type State = Left;

    fn name(&self) -> &'static str {
        "heap"
    }

    fn n_actions(&self) -> usize {
        3
    }

    fn max_plies(&self) -> Option<usize> {
        Some(self.size.into())
    }

    fn initial(&self) -> Left {
        Left {
            left: self.size,
            taken: [0; 2],
            to_move: Player::First,
        }
    }

    fn to_move(&self, state: &Left) -> Player {
        state.to_move
    }

    fn legal(&self, state: &Left) -> impl Iterator<Item = usize> {
        0..3.min(state.left.into())
    }

    fn play(&self, state: &mut Left, action: usize) {
        state.left -= action as u8 + 1;
        if self.has_points {
            let last = i32::from(state.left == 0);
            state.taken[state.to_move.index()] += action as i32 + 1 + last;
        }
        state.to_move = state.to_move.opponent();
    }

    fn outcome(&self, state: &Left) -> Option<Outcome> {
        (state.left == 0).then(|| match self.points(state) {
            Some(points) => Outcome::from_points(points),
            None => Outcome::won_by(Some(state.to_move.opponent())),
        })
    }

    fn points(&self, state: &Left) -> Option<[i32; 2]> {
        self.has_points.then_some(state.taken)
    }

    fn observation_shape(&self) -> [usize; 3] {
        [1, 1, self.size.into()]
    }

    fn observe(&self, state: &Left, planes: &mut [f32]) {
        planes[..state.left.into()].fill(1.0);
        let me = state.to_move.index();
        let lead = state.taken[me] - state.taken[1 - me];
        planes[usize::from(self.size) - 1] = lead as f32 / 100.0;
    }

    fn solver(&self, _table_mib: usize) -> Option<Box<dyn ExactSolver<Left>>> {
        self.has_solver
            .then(|| Box::new(Theory) as Box<dyn ExactSolver<Left>>)
    }
}

/// Who takes the last match.
struct Theory;

impl ExactSolver<Left> for Theory {
    fn is_in_reach(&self, _state: &Left) -> bool {
        true
    }

    fn value(&mut self, state: &Left, visit: &mut dyn FnMut()) -> ForMover<i8> {
        visit();
        ForMover(if state.left.is_multiple_of(4) { -1 } else { 1 })
    }
}

fn heap(size: u8, has_points: bool) -> OtherGame {
    OtherGame::new(Heap {
        size,
        has_points,
        has_solver: false,
    })
}

/// It tells who wins, and nothing of points.
#[test]
fn a_solver_of_its_own_is_asked_in_a_game_without_points_alone() {
    for has_points in [false, true] {
        let game = OtherGame::new(Heap {
            size: 7,
            has_points,
            has_solver: true,
        });
        let mut endgames = game.endgame_solver(1);
        assert_eq!(endgames.is_none(), has_points);
        if let Some(endgames) = &mut endgames {
            assert_eq!(endgames.result(&game.initial(), 0), None, "no node");
            assert_eq!(endgames.result(&game.initial(), 1), Some(ForFirst(1)));
        }
        let solution = game.solver().unwrap().solve(&game.initial());
        assert_eq!(solution.points.is_some(), has_points);
    }
}

#[test]
fn the_heap_keeps_the_laws() {
    for has_points in [false, true] {
        conformance::check(&heap(12, has_points), 20, 0).unwrap();
    }
}

/// Whoever leaves a multiple of four wins.
#[test]
fn the_generic_solver_knows_the_theory_of_the_heap() {
    for size in 1..=20 {
        let game = heap(size, false);
        let mut solver = game.solver().unwrap();
        let solution = solver.solve(&game.initial());
        let wins = size % 4 != 0;
        assert_eq!(
            solution.value,
            ForFirst(if wins { 1 } else { -1 }),
            "{size}"
        );
        let n_best = if wins { 1 } else { 3.min(size.into()) };
        assert_eq!(solution.best.len(), n_best, "{size}");
        assert_eq!(solution.points, None);
        for value in solver.action_values(&game.initial()) {
            let left = size - 1 - value.action.0 as u8;
            assert_eq!(value.value.0 == 1, left.is_multiple_of(4), "{size} {left}");
        }
    }
}

/// The lead under best play from `left` matches, of the player to move, by its definition.
fn lead(left: u8) -> i32 {
    let takes = 1..=3.min(left);
    let leads = takes.map(|n| {
        let last = i32::from(n == left);
        i32::from(n) + last - lead(left - n)
    });
    leads.max().unwrap_or(0)
}

#[test]
fn minimax_and_the_generic_solver_agree_on_points() {
    for size in 1..=14 {
        let game = heap(size, true);
        let solution = game.solver().unwrap().solve(&game.initial());
        let [first, second] = solution.points.unwrap();
        assert_eq!(first - second, lead(size), "{size}");
        assert_eq!(
            first + second,
            i32::from(size) + 1,
            "the points of one game"
        );
        assert_eq!(solution.value.0, lead(size).signum() as i8);
        let mut minimax = Minimax::new(game.clone(), 1);
        let report = minimax.search(&game.initial(), &Limits::depth(size.into()));
        assert_eq!(report.proven, Some(solution.value));
        assert!(solution.best.contains(&report.best));
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let game = heap(250, false);
    let solver = game.solver().unwrap();
    let error = solver.check(&game.initial()).unwrap_err();
    assert!(matches!(error, SolveError::TooLarge { .. }), "{error}");
}
