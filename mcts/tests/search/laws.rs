//! Laws that hold from any position, with any evaluator and any parameters.

use crate::positions::{random_position, search};
use proptest::prelude::*;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::random::mix;
use tablero_env::{ActionId, Game};
use tablero_mcts::{
    Batch, Evaluations, Evaluator, Fake, GumbelParams, Request, RootNoise, RootSelection, Search,
    SearchParams, Wdl, run,
};

/// Answers with numbers that are no probabilities, of every kind in turn.
struct Broken;

impl<G: Game> Evaluator<G> for Broken {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        const BAD: [f32; 6] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, 1e38];
        out.clear();
        for request in requests {
            let mut hash = game.hash(request.state);
            let mut bad = || {
                hash = mix(hash);
                BAD[(hash % 6) as usize]
            };
            let wdl = Wdl {
                win: bad(),
                draw: bad(),
                loss: bad(),
            };
            let priors = out.push(request.legal.len(), wdl, None);
            priors.iter_mut().for_each(|prior| *prior = bad());
        }
    }
}

/// The sizes and numbers of simulations are small, so that all results of the search occur:
/// proven, open, full.
fn positions() -> impl Strategy<Value = (DotsAndBoxes, usize, u64)> {
    (1..=3usize, 1..=3usize, 0..24usize, any::<u64>()).prop_map(|(rows, cols, n_plies, index)| {
        let game = DotsAndBoxes::new(rows, cols).unwrap();
        let n_plies = n_plies.min(game.n_edges() - 1);
        (game, n_plies, index)
    })
}

fn params() -> impl Strategy<Value = SearchParams> {
    let noise = proptest::option::of((0.01..20.0f32, 0.0..=1.0f32));
    let gumbel = (1..20usize, 0.0..2.0f32).prop_map(|(max_considered, scale)| {
        RootSelection::Gumbel(GumbelParams {
            max_considered,
            scale,
            ..GumbelParams::default()
        })
    });
    let rules = (
        prop_oneof![Just(RootSelection::Puct), gumbel],
        prop_oneof![Just(0.0), 0.0..4.0f32],
        1..5usize,
        any::<bool>(),
        prop_oneof![Just(0.0), 0.0..=1.0f32],
    );
    (
        0.0..8.0f32,
        0.0..1.0f32,
        noise,
        any::<[bool; 2]>(),
        1..400usize,
        rules,
    )
        .prop_map(
            |(c_puct, fpu_reduction, noise, [use_proven, depth_first], max_nodes, rules)| {
                SearchParams {
                    root: rules.0,
                    forced_playouts: rules.1,
                    leaves_per_round: rules.2,
                    transpositions: rules.3,
                    minimax_share: rules.4,
                    c_puct,
                    fpu_reduction,
                    noise: noise.map(|(alpha_total, fraction)| RootNoise {
                        alpha_total,
                        fraction,
                    }),
                    use_proven,
                    depth_first,
                    max_nodes,
                    ..SearchParams::default()
                }
            },
        )
}

fn check_report(search: &Search<DotsAndBoxes>) -> Result<(), TestCaseError> {
    let (game, state) = (search.game(), search.state());
    let edges = search.root_edges();
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    prop_assert!(edges.iter().map(|edge| edge.action).eq(legal));
    for edge in &edges {
        prop_assert!((0.0..=1.0).contains(&edge.prior), "{edge:?}");
        prop_assert!((0.0..=1.0).contains(&edge.raw_prior), "{edge:?}");
        prop_assert_eq!(edge.value.is_some(), edge.visits > 0);
        prop_assert!(edge.value.is_none_or(|value| (-1.0..=1.0).contains(&value)));
    }
    let wdl = search.root_wdl();
    prop_assert!(
        (wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-4,
        "{wdl:?}"
    );
    prop_assert!(search.n_nodes() <= search.params().max_nodes);
    if edges.is_empty() {
        return Ok(());
    }
    let target = search.policy_target();
    prop_assert_eq!(target.len(), edges.len());
    prop_assert!((target.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    prop_assert!(target.iter().all(|&share| share >= 0.0));
    prop_assert!(game.is_legal(state, search.best()));
    let others_than_lost = edges.iter().any(|edge| edge.proven != Some(-1));
    let best = edges.iter().find(|edge| edge.action == search.best());
    prop_assert!(!others_than_lost || best.unwrap().proven != Some(-1));
    let mut line = state.clone();
    for action in search.principal_variation() {
        prop_assert!(game.play(&mut line, action).is_ok());
    }
    Ok(())
}

/// Plays a whole game by search and checks every report.
fn check_game(
    (game, n_plies, index): (DotsAndBoxes, usize, u64),
    params: SearchParams,
    n_sims: u32,
    evaluator: &mut impl Evaluator<DotsAndBoxes>,
) -> Result<(), TestCaseError> {
    let state = random_position(&game, n_plies, index);
    let mut search = search(&game, &state, params, index);
    let batch = &mut Batch::new();
    loop {
        run(std::slice::from_mut(&mut search), n_sims, evaluator, batch);
        let done = search.root_proven().is_some();
        prop_assert!(done || search.n_simulations() == n_sims);
        check_report(&search)?;
        if game.is_over(search.state()) {
            return Ok(());
        }
        let action = search.choose((index % 3) as f32);
        prop_assert!(game.is_legal(search.state(), action));
        prop_assert!(search.advance(action).is_ok());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn games_by_search_are_legal_and_within_the_memory_limit(
        position in positions(), params in params(), n_sims in 0..300u32,
    ) {
        check_game(position, params, n_sims, &mut Fake)?;
    }

    #[test]
    fn a_broken_evaluator_spoils_nothing_but_the_strength(
        position in positions(), params in params(), n_sims in 0..100u32,
    ) {
        check_game(position, params, n_sims, &mut Broken)?;
    }

    #[test]
    fn broken_parameters_spoil_nothing_but_the_strength(
        position in positions(), bad in 0..4usize, n_sims in 0..60u32,
    ) {
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -3.0][bad];
        let noise = Some(RootNoise { alpha_total: bad, fraction: 0.25 });
        let params = SearchParams {
            c_puct: bad,
            c_puct_base: bad,
            fpu_reduction: bad,
            root_fpu_reduction: bad,
            c_puct_log: bad,
            forced_playouts: bad,
            minimax_share: bad,
            noise,
            ..SearchParams::default()
        };
        prop_assert!(params.check().is_err());
        check_game(position.clone(), params, n_sims, &mut Fake)?;
        let gumbel = GumbelParams { max_considered: 0, scale: bad, c_visit: bad, c_scale: bad };
        let params = SearchParams {
            root: RootSelection::Gumbel(gumbel),
            leaves_per_round: 0,
            ..SearchParams::default()
        };
        prop_assert!(params.check().is_err());
        check_game(position, params, n_sims, &mut Fake)?;
    }

    /// A move keeps exactly the tree below it: its text is that part of the text before.
    #[test]
    fn a_move_keeps_the_tree_below_it(
        position in positions(), n_sims in 2..300u32, use_proven: bool,
    ) {
        let (game, n_plies, index) = position;
        let state = random_position(&game, n_plies, index);
        let params = SearchParams { use_proven, ..SearchParams::default() };
        let mut search = search(&game, &state, params, index);
        let batch = &mut Batch::new();
        run(std::slice::from_mut(&mut search), n_sims, &mut Fake, batch);
        while !game.is_over(search.state()) {
            let action = search.choose(1.0);
            let edges = search.root_edges();
            let edge = edges.into_iter().find(|edge| edge.action == action).unwrap();
            let (before, n_nodes) = (search.tree_text(), search.n_nodes());
            search.advance(action).unwrap();
            prop_assert!(search.n_nodes() <= n_nodes);
            // What is decided by its points has no tree to keep.
            let is_kept = edge.proven.is_none() && !game.is_over(search.state());
            prop_assert!(!is_kept || search.root_visits() == edge.visits);
            let after = search.tree_text();
            for line in after.lines().skip(1) {
                let deeper = format!("\n  {line}\n");
                prop_assert!(before.contains(&deeper), "{before}\n{after}");
            }
            let n_lines = |text: &str| text.lines().count();
            prop_assert!(n_lines(&after) <= n_lines(&before));
            // It grows on, and the mover's value agrees with what it was.
            run(std::slice::from_mut(&mut search), n_sims, &mut Fake, batch);
        }
    }
}

#[test]
fn a_full_tree_goes_on_learning_without_growing() {
    let game = DotsAndBoxes::new(4, 4).unwrap();
    let params = SearchParams {
        max_nodes: 50,
        ..SearchParams::default()
    };
    let mut search = search(&game, &game.initial(), params, 0);
    let batch = &mut Batch::new();
    run(std::slice::from_mut(&mut search), 100, &mut Fake, batch);
    let n_bytes = search.n_bytes();
    run(std::slice::from_mut(&mut search), 5000, &mut Fake, batch);
    assert_eq!(search.n_nodes(), 50);
    assert_eq!(search.root_visits(), 5000);
    assert!(search.n_bytes() <= 2 * n_bytes);
}

#[test]
fn memory_does_not_grow_over_a_game() {
    let game = DotsAndBoxes::new(5, 5).unwrap();
    let mut search = search(&game, &game.initial(), SearchParams::default(), 0);
    let batch = &mut Batch::new();
    let mut most_nodes = 0;
    let mut n_bytes = Vec::new();
    while !game.is_over(search.state()) {
        run(std::slice::from_mut(&mut search), 200, &mut Fake, batch);
        most_nodes = most_nodes.max(search.n_nodes());
        n_bytes.push(search.n_bytes());
        search.advance(search.best()).unwrap();
    }
    // With 200 new nodes a move, 60 moves would make 12,000.
    assert!(most_nodes < 2000, "{most_nodes}");
    // 2,000 nodes of at most 60 moves, with room to spare in each array.
    assert!(n_bytes.iter().all(|&n| n < 2 * 2000 * (37 + 60 * 21)));
}

#[test]
fn an_illegal_move_is_refused_and_changes_nothing() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let state = random_position(&game, 4, 3);
    let drawn = state.edges().iter().next().unwrap() as u32;
    let mut search = search(&game, &state, SearchParams::default(), 0);
    let batch = &mut Batch::new();
    run(std::slice::from_mut(&mut search), 50, &mut Fake, batch);
    let before = format!("{search:?}");
    for illegal in [drawn, 12, u32::MAX] {
        assert!(search.advance(ActionId(illegal)).is_err());
    }
    assert_eq!(format!("{search:?}"), before);
}

#[test]
fn an_awaited_evaluation_stays_the_same_until_it_comes_or_the_root_moves() {
    use tablero_mcts::Gathered;
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let mut search = search(&game, &game.initial(), SearchParams::default(), 0);
    assert_eq!(search.gather(), Gathered::Request);
    let nonce = search.request().nonce;
    assert_eq!(search.gather(), Gathered::Waiting);
    assert_eq!(search.request().nonce, nonce);
    assert_eq!(search.n_simulations(), 0);
    search.advance(ActionId(0)).unwrap();
    assert_eq!(search.gather(), Gathered::Request);
    assert_eq!(search.request().state, search.state());
    assert_ne!(search.request().nonce, nonce);
}
