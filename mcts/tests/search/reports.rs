//! What a search recommends.

use crate::positions::{begin_move, puct, random_position, search};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{ActionId, ForMover, Game};
use tablero_mcts::{
    Batch, Evaluations, Evaluator, Fake, Gathered, Puct, Request, Search, SearchParams, Uniform,
    Wdl, run,
};

fn grow(search: &mut Search<DotsAndBoxes>, n_sims: u32) {
    let batch = &mut Batch::new();
    run(std::slice::from_mut(search), n_sims, &mut Fake, batch);
}

fn from_start(rows: usize, cols: usize, params: SearchParams) -> Search<DotsAndBoxes> {
    let game = DotsAndBoxes::new(rows, cols).unwrap();
    search(&game, &game.initial(), params, 7)
}

#[test]
fn before_any_simulation_all_actions_are_equal_and_the_lowest_is_best() {
    let mut search = from_start(2, 2, SearchParams::default());
    assert_eq!(search.policy_target(), [1.0 / 12.0; 12]);
    assert_eq!(search.best(), ActionId(0));
    assert_eq!(search.root_visits(), 0);
    assert_eq!(search.root_wdl().0.value(), 0.0);
    assert!(search.principal_variation().is_empty());
    let action = search.choose(1.0);
    assert!(search.game().is_legal(search.state(), action));
}

#[test]
fn one_simulation_recommends_the_priors_of_the_evaluator() {
    let mut search = from_start(2, 2, SearchParams::default());
    assert_eq!(search.gather(), Gathered::Request);
    let mut answers = Evaluations::new();
    let game = search.game().clone();
    Fake.evaluate(&game, &[search.request().unwrap()], &mut answers);
    let answer = answers.get(0);
    search.apply(answer);
    for (share, prior) in search.policy_target().iter().zip(answer.priors) {
        assert!((share - prior).abs() < 1e-6);
    }
    let edges = search.root_edges();
    let top = edges.iter().map(|edge| edge.prior).fold(0.0, f32::max);
    let first = edges.iter().find(|edge| edge.prior == top).unwrap();
    assert_eq!(search.best(), first.action);
    assert!((search.root_wdl().0.value() - answer.wdl.0.value()).abs() < 1e-6);
}

#[test]
fn the_target_is_the_share_of_visits_and_best_its_maximum() {
    let mut search = from_start(3, 3, SearchParams::default());
    grow(&mut search, 301);
    let edges = search.root_edges();
    assert_eq!(edges.iter().map(|edge| edge.visits).sum::<u32>(), 300);
    assert_eq!(search.root_visits(), 301);
    assert!(edges.iter().all(|edge| edge.proven().is_none()));
    for (share, edge) in search.policy_target().iter().zip(&edges) {
        assert!((share - edge.visits as f32 / 300.0).abs() < 1e-6);
    }
    let most = edges.iter().map(|edge| edge.visits).max().unwrap();
    let best = edges.iter().find(|edge| edge.action == search.best());
    assert_eq!(best.unwrap().visits, most);
    assert_eq!(search.principal_variation()[0], search.best());
}

/// Gives the root these priors, and each position after it a draw, but for the action `good`,
/// which wins.
struct Fixed {
    priors: [f32; 4],
    good: Option<usize>,
}

impl Evaluator<DotsAndBoxes> for Fixed {
    fn evaluate(
        &mut self,
        _game: &DotsAndBoxes,
        requests: &[Request<'_, DotsAndBoxes>],
        out: &mut Evaluations,
    ) {
        out.clear();
        for request in requests {
            let drawn = request.state.edges();
            // Seen by the opponent, who is to move after it.
            let is_good = self.good.is_some_and(|good| drawn.contains(good));
            let wdl = if is_good { Wdl::LOSS } else { Wdl::DRAW };
            let n = request.legal.len();
            out.push(n, ForMover(wdl), None)
                .copy_from_slice(&self.priors[..n]);
        }
    }
}

#[test]
fn ties_of_visits_go_to_value_then_prior_then_the_lowest_id() {
    let game = DotsAndBoxes::new(1, 1).unwrap();
    // Exploration rules: 1 + 4 simulations visit each of the four edges once.
    let params = SearchParams::with_c_puct(100.0);
    let uneven = [0.3, 0.2, 0.2, 0.3];
    let cases = [
        (uneven, Some(2), ActionId(2)),
        (uneven, None, ActionId(0)),
        ([0.2, 0.2, 0.3, 0.3], None, ActionId(2)),
        ([0.25; 4], None, ActionId(0)),
    ];
    for (priors, good, best) in cases {
        let mut search = search(&game, &game.initial(), params.clone(), 0);
        run(
            std::slice::from_mut(&mut search),
            5,
            &mut Fixed { priors, good },
            &mut Batch::new(),
        );
        assert!(search.root_edges().iter().all(|edge| edge.visits == 1));
        assert_eq!(search.best(), best, "{priors:?} {good:?}");
    }
}

#[test]
fn temperature_goes_from_the_best_to_any_visited_action() {
    let mut search = from_start(3, 3, SearchParams::default());
    grow(&mut search, 200);
    let best = search.best();
    for cold in [0.0, -1.0, f32::NAN, f32::MIN_POSITIVE] {
        assert_eq!(search.choose(cold), best);
    }
    let mut drawn = std::collections::BTreeSet::new();
    for _ in 0..2000 {
        drawn.insert(search.choose(f32::INFINITY));
    }
    let visited = search.root_edges().into_iter();
    let visited = visited.filter(|edge| edge.visits > 0);
    assert!(drawn.iter().copied().eq(visited.map(|edge| edge.action)));
}

#[test]
fn noise_moves_the_priors_of_the_root_alone_and_comes_anew_after_a_move() {
    let noisy = Puct {
        noise: 0.25,
        ..Puct::default()
    };
    let mut with = from_start(3, 3, puct(noisy));
    let mut without = from_start(3, 3, puct(noisy));
    begin_move(&mut with, true);
    for search in [&mut with, &mut without] {
        grow(search, 400);
    }
    let raw = |search: &Search<_>| -> Vec<f32> {
        let edges = search.root_edges();
        edges.iter().map(|edge| edge.raw_prior).collect()
    };
    let mixed = |search: &Search<_>| -> Vec<f32> {
        let edges = search.root_edges();
        edges.iter().map(|edge| edge.prior).collect()
    };
    assert_eq!(raw(&with), raw(&without));
    assert_eq!(raw(&without), mixed(&without));
    assert_ne!(raw(&with), mixed(&with));
    for (mixed, raw) in mixed(&with).into_iter().zip(raw(&with)) {
        assert!(mixed >= 0.75 * raw - 1e-6, "a share of 0.25 keeps 0.75");
    }
    with.advance(with.best()).unwrap();
    assert!(with.root_visits() > 1, "the tree is kept");
    assert_eq!(
        raw(&with),
        mixed(&with),
        "its new root does not explore yet"
    );
    begin_move(&mut with, true);
    assert_ne!(raw(&with), mixed(&with), "and has noise when it does");
    let sum: f32 = mixed(&with).iter().sum();
    assert!((sum - 1.0).abs() < 1e-5);
}

#[test]
fn a_finished_game_is_proven_and_has_no_moves() {
    let game = DotsAndBoxes::new(1, 2).unwrap();
    let state = random_position(&game, game.n_edges(), 0);
    assert!(game.is_over(&state));
    let mut search = search(&game, &state, SearchParams::default(), 0);
    let mover = game.player_to_move(&state);
    let result = game.outcome(&state).unwrap().return_for(mover);
    assert_eq!(search.root_proven(), Some(ForMover(result)));
    assert_eq!(search.root_wdl().0.value(), f32::from(result));
    assert_eq!(search.gather(), Gathered::Proven);
    assert!(search.root_edges().is_empty());
    assert!(search.policy_target().is_empty());
    assert!(search.advance(ActionId(0)).is_err());
    run(
        std::slice::from_mut(&mut search),
        10,
        &mut Uniform,
        &mut Batch::new(),
    );
    assert_eq!(search.n_simulations(), 0);
}
