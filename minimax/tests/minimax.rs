//! Alpha-beta against plain minimax, which skips nothing, orders nothing and remembers nothing
//! but whole positions; and what holds in every game.

use std::collections::HashMap;
use std::time::Duration;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::random::stream;
use tablero_env::{ActionId, AnyGame, GAMES, Game, Player, with_game};
use tablero_minimax::{
    Baseline, Heuristic, Limits, MAX_EVALUATION, Minimax, Report, Solvable, Solver, WIN_SCORE,
};

fn board(rows: usize, cols: usize) -> DotsAndBoxes {
    DotsAndBoxes::new(rows, cols).unwrap()
}

/// A position after `n_plies` random moves, or fewer if the game would be over.
fn random_state<G: Game>(game: &G, n_plies: usize, index: u64) -> G::State {
    let mut rng = stream(2, "minimax test", index);
    let mut state = game.initial();
    let mut buffer = Vec::new();
    for _ in 0..n_plies {
        let action = game.sample_action(&state, &mut buffer, &mut rng);
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        if game.is_over(&next) {
            break;
        }
        state = next;
    }
    state
}

/// Minimax to a fixed depth by its definition: player 0 takes the highest of the scores, all of
/// them for player 0, and player 1 the lowest. Depth is in quarters of a turn.
struct Plain<G: Baseline> {
    game: G,
    evaluation: G::Heuristic,
    known: HashMap<(G::State, u32), i32>,
}

impl<G: Baseline> Plain<G> {
    fn new(game: &G) -> Self {
        Plain {
            game: game.clone(),
            evaluation: game.heuristic(),
            known: HashMap::new(),
        }
    }

    fn better(&self, state: &G::State, one: i32, other: i32) -> i32 {
        match self.game.player_to_move(state) {
            Player::First => one.max(other),
            Player::Second => one.min(other),
        }
    }

    /// The score of an action: see [`Limits::depth`].
    fn after(&mut self, state: &G::State, action: ActionId, quarters: u32) -> i32 {
        let mut next = state.clone();
        self.game.play(&mut next, action).unwrap();
        let passes = self.game.player_to_move(&next) != self.game.player_to_move(state);
        self.score(&next, quarters.saturating_sub(if passes { 4 } else { 1 }))
    }

    fn score(&mut self, state: &G::State, quarters: u32) -> i32 {
        if let Some(outcome) = self.game.outcome(state) {
            let lead = outcome.points.map_or(0, |[first, second]| first - second);
            return WIN_SCORE * i32::from(outcome.returns()[0]) + lead;
        }
        if let Some(&score) = self.known.get(&(state.clone(), quarters)) {
            return score;
        }
        let mut actions = Vec::new();
        let mut best = None;
        if quarters == 0 {
            best = Some(self.evaluation.evaluate(&self.game, state));
            self.evaluation
                .forcing_actions(&self.game, state, &mut actions);
        } else {
            self.game.legal_actions(state, &mut actions);
        }
        for action in actions {
            let score = self.after(state, action, quarters);
            best = Some(best.map_or(score, |best| self.better(state, best, score)));
        }
        let best = best.unwrap();
        self.known.insert((state.clone(), quarters), best);
        best
    }
}

/// The report makes sense by itself: legal actions, and a proof only for what is decided.
fn check_report<G: Game>(game: &G, state: &G::State, report: &Report) {
    assert_eq!(report.pv.first(), Some(&report.best));
    let mut state = state.clone();
    for &action in &report.pv {
        game.play(&mut state, action).unwrap();
    }
    if report.score.abs() > MAX_EVALUATION {
        assert!(
            report
                .proven
                .is_none_or(|value| value == report.score.signum() as i8)
        );
    } else if let Some(value) = report.proven {
        assert_eq!((value, report.score), (0, 0), "a proven draw");
    }
}

/// Spec, plies played at random, deepest search, and whether a position always comes with the
/// same depth to go, so that the table changes no score.
const SEARCHES: [(&str, usize, u32, bool); 19] = [
    ("dots-and-boxes:1x1", 0, 4, false),
    ("dots-and-boxes:1x2", 0, 7, false),
    ("dots-and-boxes:1x3", 2, 8, false),
    ("dots-and-boxes:2x2", 0, 6, false),
    ("dots-and-boxes:2x2", 4, 8, false),
    ("dots-and-boxes:2x3", 8, 9, false),
    ("dots-and-boxes:2x3", 2, 4, false),
    ("dots-and-boxes:3x3", 10, 4, false),
    ("queens:4", 0, 5, true),
    ("queens:6", 1, 5, true),
    ("queens:8", 3, 4, true),
    ("paper-soccer:2x2", 0, 4, false),
    ("paper-soccer:4x4", 6, 3, false),
    ("paper-soccer:8x10", 20, 2, false),
    ("xadrersi", 2, 2, true),
    ("xadrersi", 14, 3, true),
    ("hive:base", 3, 3, false),
    ("hive:base+mlp", 30, 2, false),
    ("hive:base+mlp", 120, 2, false),
];

fn check_against_plain<G: Baseline>(game: &G, n_plies: usize, deepest: u32, table: bool) {
    let mut searchers = vec![Minimax::new(game.clone(), 0)];
    if table {
        searchers.push(Minimax::new(game.clone(), 1));
    }
    for index in 0..6 {
        let mut plain = Plain::new(game);
        let state = random_state(game, n_plies, index);
        for depth in 1..=deepest {
            let expected = plain.score(&state, 4 * depth);
            for searcher in &mut searchers {
                searcher.clear();
                let report = searcher.search(&state, &Limits::depth(depth));
                check_report(game, &state, &report);
                assert_eq!(report.score, expected, "{game:?} depth {depth} {state:?}");
                let after = plain.after(&state, report.best, 4 * depth);
                assert_eq!(after, expected, "the best action");
            }
        }
    }
}

/// Windows, their widening, bounds, killers and reused storage change no score.
#[test]
fn every_depth_scores_as_plain_minimax_does() {
    for (spec, n_plies, deepest, table) in SEARCHES {
        let any = AnyGame::parse(spec).unwrap();
        with_game!(&any, game => check_against_plain(game, n_plies, deepest, table));
    }
}

/// The unfinished positions of a random game of at most `max_plies`.
fn game_positions<G: Game>(game: &G, max_plies: usize, index: u64) -> Vec<G::State> {
    let mut rng = stream(3, "minimax test", index);
    let mut state = game.initial();
    let mut buffer = Vec::new();
    let mut states = Vec::new();
    while !game.is_over(&state) && states.len() < max_plies {
        states.push(state.clone());
        let action = game.sample_action(&state, &mut buffer, &mut rng);
        game.play_unchecked(&mut state, action);
    }
    states
}

fn check_limits<G: Baseline>(game: &G) {
    let mut used = Minimax::new(game.clone(), 1);
    for state in game_positions(game, 150, 0).into_iter().step_by(7) {
        for limit in [0, 1, 2, 10, 500] {
            let limits = Limits::nodes(limit);
            used.clear();
            let report = used.search(&state, &limits);
            check_report(game, &state, &report);
            assert!(report.nodes <= limit);
            let again = Minimax::new(game.clone(), 1).search(&state, &limits);
            assert_eq!(report, again, "a fresh table and a cleared one");
        }
        let report = used.search(&state, &Limits::time(Duration::ZERO));
        check_report(game, &state, &report);
        assert_eq!((report.depth, report.nodes), (0, 0));
    }
}

#[test]
fn under_any_limit_there_is_a_legal_answer_and_always_the_same() {
    for entry in GAMES {
        let any = AnyGame::parse(entry.name).unwrap();
        with_game!(&any, game => check_limits(game));
    }
}

/// Whatever the table mixes up of the ways to a position of Hive: plain minimax, which knows the way
/// to each, comes to the same result.
#[test]
fn what_is_proven_where_positions_recur_is_true_by_every_way() {
    let any = AnyGame::parse("hive:base").unwrap();
    let AnyGame::Hive(game) = any else {
        panic!("{any:?}")
    };
    let mut n_proven = 0;
    let mut searcher = Minimax::new(game, 1);
    for index in 0..16 {
        let states = game_positions(&game, 5000, index);
        for state in states.iter().rev().take(4) {
            let report = searcher.search(state, &Limits::depth(2));
            check_report(&game, state, &report);
            if let Some(value) = report.proven {
                n_proven += 1;
                let score = Plain::new(&game).score(state, 4 * report.depth);
                assert_eq!(score, WIN_SCORE * i32::from(value), "{state:?}");
            }
        }
    }
    assert!(n_proven >= 10, "{n_proven}");
}

#[test]
fn a_search_to_the_end_is_exact_and_says_so() {
    for (rows, cols, n_drawn) in [(1, 2, 0), (2, 2, 0), (2, 3, 5), (3, 3, 12), (3, 4, 20)] {
        let game = board(rows, cols);
        let mut solver = game.solver().unwrap();
        let mut searcher = Minimax::new(game.clone(), 4);
        for index in 0..16 {
            let state = random_state(&game, n_drawn, 100 + index);
            let solution = solver.solve(&state);
            let [first, second] = solution.points.unwrap();
            let no_limit = Limits {
                depth: None,
                time: None,
                nodes: None,
            };
            let report = searcher.search(&state, &no_limit);
            check_report(&game, &state, &report);
            assert_eq!(report.proven, Some(solution.value));
            let score = WIN_SCORE * i32::from(solution.value) + first - second;
            assert_eq!(report.score, score);
            assert!(solution.best.contains(&report.best));
        }
    }
}

#[test]
fn what_a_shallow_search_calls_proven_is_true() {
    let mut n_proven = 0;
    let game = board(3, 3);
    let mut solver = game.solver().unwrap();
    let mut searcher = Minimax::new(game.clone(), 4);
    for index in 0..300 {
        let state = random_state(&game, 8 + index as usize % 14, 1000 + index);
        let report = searcher.search(&state, &Limits::depth(3));
        check_report(&game, &state, &report);
        if let Some(value) = report.proven {
            n_proven += 1;
            let values = solver.action_values(&state);
            let played = values.iter().find(|value| value.action == report.best);
            assert_eq!(solver.solve(&state).value, value, "{state:?}");
            assert_eq!(
                played.unwrap().value,
                value,
                "the best action keeps the result"
            );
        }
    }
    assert!(n_proven >= 50, "{n_proven}");
}

/// On 2x3 after the edges 0, 1, …, 10 the best action is the handout 12: it gives two boxes away
/// and makes the opponent open the rest.
#[test]
fn the_handout_on_2x3_is_found_at_depth_8() {
    let game = board(2, 3);
    let mut state = game.initial();
    for edge in 0..=10 {
        game.play(&mut state, ActionId(edge)).unwrap();
    }
    let report = Minimax::new(game, 1).search(&state, &Limits::depth(8));
    assert_eq!(report.best, ActionId(12));
    assert!(
        report.proven.is_some() && report.depth <= 6,
        "six edges are left"
    );
}

#[test]
fn limits_in_depth_and_nodes_give_the_same_report_whenever_the_table_is_fresh() {
    let game = board(4, 4);
    let mut used = Minimax::new(game.clone(), 2);
    for index in 0..4 {
        let state = random_state(&game, 6, index);
        for limits in [
            Limits::depth(4),
            Limits::nodes(20_000),
            Limits::nodes(1),
            Limits::nodes(500),
        ] {
            let mut fresh = Minimax::new(game.clone(), 2);
            used.clear();
            let report = used.search(&state, &limits);
            check_report(&game, &state, &report);
            assert_eq!(report, fresh.search(&state, &limits));
        }
    }
}

#[test]
fn nodes_keep_to_their_limit() {
    let game = board(5, 5);
    let state = game.initial();
    let mut searcher = Minimax::new(game, 2);
    let first = searcher.search(&state, &Limits::depth(1)).nodes;
    for limit in [0, 1, first - 1, first, 1_000, 54_321] {
        searcher.clear();
        let report = searcher.search(&state, &Limits::nodes(limit));
        assert_eq!(report.nodes, limit);
        assert_eq!(report.depth == 0, limit < first);
    }
}

#[test]
fn without_time_there_is_still_an_answer() {
    let game = board(10, 10);
    let state = random_state(&game, 30, 0);
    let limits = Limits::time(Duration::ZERO);
    let report = Minimax::new(game.clone(), 1).search(&state, &limits);
    check_report(&game, &state, &report);
    assert_eq!((report.depth, report.nodes), (0, 0));
}

#[test]
#[should_panic(expected = "the game is over")]
fn a_finished_game_is_refused() {
    let game = board(1, 1);
    let mut state = game.initial();
    for edge in 0..4 {
        game.play(&mut state, ActionId(edge)).unwrap();
    }
    Minimax::new(game, 1).search(&state, &Limits::depth(1));
}
