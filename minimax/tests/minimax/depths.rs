//! Alpha-beta against plain minimax to the same depth, which looks at every action that
//! [`Heuristic::sufficient_actions`] calls for, orders nothing and remembers nothing but whole
//! positions.

use crate::common::{check_report, game_positions, random_state};
use std::collections::HashMap;
use tablero_env::{ActionId, AnyGame, ForFirst, Player, with_game};
use tablero_minimax::{Baseline, Heuristic, Limits, Minimax, WIN_SCORE};

/// Minimax to a fixed depth by its definition: player 0 takes the highest of the scores, all of
/// them for player 0, and player 1 the lowest. Depth is in quarters of a turn.
struct PlainToDepth<G: Baseline> {
    game: G,
    evaluation: G::Heuristic,
    known: HashMap<(G::State, u32), i32>,
}

impl<G: Baseline> PlainToDepth<G> {
    fn new(game: &G) -> Self {
        PlainToDepth {
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
            let lead = outcome.lead().map_or(0, |lead| lead.0);
            return WIN_SCORE * i32::from(outcome.value().0) + lead;
        }
        if let Some(&score) = self.known.get(&(state.clone(), quarters)) {
            return score;
        }
        let mut actions = Vec::new();
        let mut best = None;
        if quarters == 0 {
            best = Some(self.evaluation.evaluate(&self.game, state).0);
            self.evaluation
                .forcing_actions(&self.game, state, &mut actions);
        } else {
            self.evaluation
                .sufficient_actions(&self.game, state, &mut actions);
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
        let mut plain = PlainToDepth::new(game);
        let state = random_state(game, n_plies, index);
        for depth in 1..=deepest {
            let expected = plain.score(&state, 4 * depth);
            for searcher in &mut searchers {
                searcher.clear();
                let report = searcher.search(&state, &Limits::depth(depth));
                check_report(game, &state, &report);
                assert_eq!(report.score.0, expected, "{game:?} depth {depth} {state:?}");
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
            if let Some(ForFirst(value)) = report.proven {
                n_proven += 1;
                let score = PlainToDepth::new(&game).score(state, 4 * report.depth);
                assert_eq!(score, WIN_SCORE * i32::from(value), "{state:?}");
            }
        }
    }
    assert!(n_proven >= 10, "{n_proven}");
}
