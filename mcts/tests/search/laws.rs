//! Laws that hold from any position, with any evaluator and any parameters.

use crate::positions::{
    after, as_a_tree, begin_move, gumbel, legal, minimax, puct, random_position, search,
};
use proptest::prelude::*;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::random::mix;
use tablero_env::{ActionId, ForMover, Game};
use tablero_mcts::{
    Batch, Evaluations, Evaluator, Fake, Gathered, Gumbel, Puct, Request, RootEdge, Search,
    SearchParams, Selection, Wdl, run,
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
            let priors = out.push(request.legal.len(), ForMover(wdl), None);
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

fn selection() -> impl Strategy<Value = Selection> {
    let puct = (0.0..8.0f32, 0.0..1.0f32, 0.0..=1.0f32, 0.01..20.0f32);
    let puct = puct.prop_map(|(c_puct, fpu_reduction, noise, noise_alpha)| {
        Selection::Puct(Puct {
            c_puct,
            fpu_reduction,
            noise,
            noise_alpha,
        })
    });
    let gumbel = (1..20usize, 0.0..100.0f32, 0.0..2.0f32);
    let gumbel = gumbel.prop_map(|(max_considered, c_visit, c_scale)| {
        Selection::Gumbel(Gumbel {
            max_considered,
            c_visit,
            c_scale,
        })
    });
    prop_oneof![puct, gumbel]
}

fn params() -> impl Strategy<Value = SearchParams> {
    (selection(), any::<bool>(), 1..400usize).prop_map(|(selection, transpositions, max_nodes)| {
        SearchParams {
            selection,
            transpositions,
            max_nodes,
        }
    })
}

fn check_report(search: &Search<DotsAndBoxes>) -> Result<(), TestCaseError> {
    let (game, state) = (search.game(), search.state());
    let edges = search.root_edges();
    let actions = edges.iter().map(|edge| edge.action);
    prop_assert!(actions.eq(legal(game, state)));
    for edge in &edges {
        prop_assert!((0.0..=1.0).contains(&edge.prior), "{edge:?}");
        prop_assert!((0.0..=1.0).contains(&edge.raw_prior), "{edge:?}");
        prop_assert_eq!(edge.value.is_some(), edge.visits > 0);
        prop_assert!(
            edge.value
                .is_none_or(|value| (-1.0..=1.0).contains(&value.0))
        );
    }
    let wdl = search.root_wdl().0;
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
    let others_than_lost = edges.iter().any(|edge| edge.proven() != Some(ForMover(-1)));
    let best = edges.iter().find(|edge| edge.action == search.best());
    prop_assert!(!others_than_lost || best.unwrap().proven() != Some(ForMover(-1)));
    let equals = edges
        .iter()
        .all(|edge| edge.bounds == edges[0].bounds && edge.proven().is_none());
    if equals && matches!(search.params().selection, Selection::Puct(_)) {
        has_the_highest_lower_bound(best.unwrap(), &edges)?;
    }
    let mut line = state.clone();
    for action in search.principal_variation() {
        prop_assert!(game.play(&mut line, action).is_ok());
    }
    Ok(())
}

/// Of the moves with at least 15 % of the visits of the most visited one.
fn has_the_highest_lower_bound(best: &RootEdge, edges: &[RootEdge]) -> Result<(), TestCaseError> {
    let bound = |edge: &RootEdge| match edge.value {
        Some(value) => value.0 - 1.0 / (edge.visits as f32).sqrt(),
        None => f32::NEG_INFINITY,
    };
    let most = edges.iter().map(|edge| edge.visits).max().unwrap();
    let is_known = |edge: &RootEdge| edge.visits as f32 >= 0.15 * most as f32;
    prop_assert!(is_known(best), "{best:?}");
    for edge in edges.iter().filter(|&edge| is_known(edge)) {
        prop_assert!(bound(edge) <= bound(best), "{edge:?} {best:?}");
    }
    Ok(())
}

/// How the moves of a game are searched.
#[derive(Clone, Copy, Debug)]
struct Moves {
    n_sims: u32,
    explores: bool,
}

fn moves(most_sims: u32) -> impl Strategy<Value = Moves> {
    (0..most_sims, any::<bool>()).prop_map(|(n_sims, explores)| Moves { n_sims, explores })
}

/// What the search claims is true, where few enough plies are left to try everything.
fn claims_are_true(search: &Search<DotsAndBoxes>) -> Result<(), TestCaseError> {
    const MOST_LEFT: usize = 5;
    let (game, state) = (search.game(), search.state());
    let n_legal = legal(game, state).len();
    if n_legal == 0 || n_legal > MOST_LEFT {
        return Ok(());
    }
    let mover = game.player_to_move(state);
    let exact = |action| minimax(game, &after(game, state, action)).for_mover(mover);
    for edge in search.root_edges() {
        let proven = edge.proven();
        prop_assert!(proven.is_none_or(|proven| proven == exact(edge.action)));
    }
    if let Some(proven) = search.root_proven() {
        prop_assert_eq!(proven, minimax(game, state).for_mover(mover));
        prop_assert_eq!(exact(search.best()), proven, "{}", search.tree_text());
    }
    Ok(())
}

/// Plays a whole game by search and checks every report.
fn check_game(
    (game, n_plies, index): (DotsAndBoxes, usize, u64),
    params: SearchParams,
    moves: Moves,
    evaluator: &mut impl Evaluator<DotsAndBoxes>,
) -> Result<(), TestCaseError> {
    let Moves { n_sims, explores } = moves;
    let state = random_position(&game, n_plies, index);
    let mut search = search(&game, &state, params, index);
    let batch = &mut Batch::new();
    loop {
        begin_move(&mut search, explores);
        for n_sims in [n_sims / 2, n_sims] {
            run(std::slice::from_mut(&mut search), n_sims, evaluator, batch);
            let done = search.root_proven().is_some();
            prop_assert!(done || search.n_simulations() == n_sims);
            check_report(&search)?;
            claims_are_true(&search)?;
        }
        if game.is_over(search.state()) {
            break;
        }
        let action = search.choose((index % 3) as f32);
        prop_assert!(game.is_legal(search.state(), action));
        prop_assert!(search.advance(action).is_ok());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn games_by_search_are_legal_and_within_the_memory_limit(
        position in positions(), params in params(), moves in moves(300),
    ) {
        check_game(position, params, moves, &mut Fake)?;
    }

    #[test]
    fn a_broken_evaluator_spoils_nothing_but_the_strength(
        position in positions(), params in params(), moves in moves(100),
    ) {
        check_game(position, params, moves, &mut Broken)?;
    }

    #[test]
    fn broken_parameters_spoil_nothing_but_the_strength(
        position in positions(), bad in 0..4usize, moves in moves(60),
    ) {
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -3.0][bad];
        let by_puct = puct(Puct {
            c_puct: bad,
            fpu_reduction: bad,
            noise: 0.25,
            noise_alpha: bad,
        });
        let by_gumbel = gumbel(Gumbel { max_considered: 0, c_visit: bad, c_scale: bad });
        for params in [by_puct, by_gumbel] {
            prop_assert!(params.check().is_err());
            check_game(position.clone(), params, moves, &mut Fake)?;
        }
    }

    /// A move keeps exactly the tree below it: its text is that part of the text before.
    #[test]
    fn a_move_keeps_the_tree_below_it(
        position in positions(), n_sims in 2..300u32,
    ) {
        let (game, n_plies, index) = position;
        let state = random_position(&game, n_plies, index);
        // A shared position has visits from elsewhere, too.
        let params = as_a_tree(SearchParams::default());
        let mut search = search(&game, &state, params, index);
        let batch = &mut Batch::new();
        run(std::slice::from_mut(&mut search), n_sims, &mut Fake, batch);
        while !game.is_over(search.state()) {
            let action = search.choose(1.0);
            let edges = search.root_edges();
            let edge = edges.into_iter().find(|edge| edge.action == action).unwrap();
            let (before, n_nodes) = (search.tree_text(), search.n_nodes());
            search.advance(action).unwrap();
            // What is out of reach is at most half.
            let n_reached = search.root_visits().max(1) as usize;
            prop_assert!(search.n_nodes() <= n_nodes.min(2 * n_reached));
            // What is decided by its points has no tree to keep.
            let is_kept = edge.proven().is_none() && !game.is_over(search.state());
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
    let params = as_a_tree(SearchParams::default());
    let mut search = search(&game, &game.initial(), params, 0);
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
    assert!(n_bytes.iter().all(|&n| n < 2 * 2000 * (40 + 60 * 24)));
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
fn an_awaited_evaluation_stays_the_same_until_it_is_applied_or_a_move_begins() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let mut search = search(&game, &game.initial(), SearchParams::default(), 0);
    assert!(search.request().is_none());
    assert_eq!(search.gather(), Gathered::Request);
    let nonce = search.request().unwrap().nonce;
    let before = format!("{search:?}");
    assert_eq!(search.gather(), Gathered::Request);
    assert_eq!(format!("{search:?}"), before);
    assert_eq!(search.n_simulations(), 0);
    let mut answers = Evaluations::new();
    Fake.evaluate(&game, &[search.request().unwrap()], &mut answers);
    search.apply(answers.get(0));
    assert!(search.request().is_none());
    assert_eq!(search.n_simulations(), 1);

    run(
        std::slice::from_mut(&mut search),
        50,
        &mut Fake,
        &mut Batch::new(),
    );
    while search.gather() != Gathered::Request {}
    let best = search.best();
    let edges = search.root_edges();
    let visits = edges
        .iter()
        .find(|edge| edge.action == best)
        .unwrap()
        .visits;
    search.advance(best).unwrap();
    assert!(search.request().is_none());
    assert_eq!((search.n_simulations(), search.root_visits()), (0, visits));
    assert_eq!(search.gather(), Gathered::Request);
    assert_ne!(search.request().unwrap().nonce, nonce);
    begin_move(&mut search, true);
    assert!(search.request().is_none());
}

#[test]
#[should_panic(expected = "no evaluation is awaited")]
fn an_evaluation_that_is_not_awaited_is_refused() {
    let game = DotsAndBoxes::new(1, 1).unwrap();
    let mut search = search(&game, &game.initial(), SearchParams::default(), 0);
    let answers = Fake.evaluate_states(&game, &[&game.initial()]);
    search.apply(answers.get(0));
}
