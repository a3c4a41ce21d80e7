//! Laws over every registered game, by every rule, with every kind of answer; and small boards
//! solved within a stated number of simulations.

use crate::positions::{
    SPECS, after, as_a_tree, begin_move, grow, gumbel, legal, minimax, puct, random_position,
    search,
};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::queens::Queens;
use tablero_env::{ActionId, AnyGame, ForMover, Game, games, with_game};
use tablero_mcts::{
    Evaluations, Evaluator, Fake, Gumbel, Puct, Request, Search, SearchParams, Selection, Uniform,
    Wdl,
};

/// All priors 0, as if every action were masked, and values that are no numbers.
struct Nothing;

impl<G: Game> Evaluator<G> for Nothing {
    fn evaluate(&mut self, _game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for request in requests {
            let [win, draw, loss] = [f32::NAN, 0.0, 0.0];
            let wdl = ForMover(Wdl { win, draw, loss });
            out.push(request.legal.len(), wdl, None);
        }
    }
}

/// All the prior on the last action, none on the others, and a certain loss.
struct Certain;

impl<G: Game> Evaluator<G> for Certain {
    fn evaluate(&mut self, _game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for request in requests {
            let priors = out.push(request.legal.len(), ForMover(Wdl::LOSS), None);
            *priors.last_mut().expect("a legal action") = 1.0;
        }
    }
}

/// By each rule, with and without transpositions.
fn every_rule() -> Vec<SearchParams> {
    let rules = [puct(Puct::default()), gumbel(Gumbel::default())];
    let as_trees = rules.clone().map(as_a_tree);
    rules.into_iter().chain(as_trees).collect()
}

fn check_report<G: Game>(search: &Search<G>, legal: &[ActionId]) {
    let edges = search.root_edges();
    assert!(edges.iter().map(|edge| &edge.action).eq(legal));
    let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
    assert_eq!(
        search.root_visits(),
        visits + 1,
        "its own evaluation, and the moves'"
    );
    for edge in &edges {
        let ForMover(value) = edge.value.unwrap_or_default();
        assert!(edge.prior.is_finite() && edge.raw_prior.is_finite());
        assert!((-1.0..=1.0).contains(&value), "{edge:?}");
        assert_eq!(edge.value.is_some(), edge.visits > 0);
    }
    let wdl = search.root_wdl().0;
    assert!(
        (wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-4,
        "{wdl:?}"
    );
    let target = search.policy_target();
    assert_eq!(target.len(), legal.len());
    assert!((target.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    assert!(target.iter().all(|&share| share >= 0.0));
    assert!(legal.contains(&search.best()));
    let line = search.principal_variation();
    assert!(line.first().is_none_or(|&first| first == search.best()));
}

/// What the documentation of `max_nodes` allows. Arrays hold up to twice of what was ever in them;
/// some are scratch.
fn n_bytes_at_most<G: Game>(game: &G, params: &SearchParams, n_nodes: usize) -> usize {
    let tree = n_nodes * (37 + 21 * game.max_legal_actions());
    let scratch = 16 * game.max_legal_actions() + 8 * n_nodes;
    let position = size_of::<(G::State, u32)>() + 1;
    let table = if params.transpositions {
        (n_nodes + 8) * position * 8 / 7
    } else {
        0
    };
    2 * (tree + scratch + table) + 256
}

/// Moves that explore and moves that do not, in turn.
fn check_moves<G: Game>(game: &G, params: &SearchParams, evaluator: &mut impl Evaluator<G>) {
    for (n_plies, first_explores) in [(0, false), (0, true), (9, false), (9, true)] {
        let state = random_position(game, n_plies, 1);
        let mut search = search(game, &state, params.clone(), 0);
        let mut most_nodes = 0;
        for turn in 0..6 {
            begin_move(&mut search, first_explores ^ (turn % 2 == 1));
            let legal = legal(game, search.state());
            if legal.is_empty() {
                break;
            }
            // Few first, so that every move has looks at a barely visited tree, too.
            for n_sims in [2, 3, 60] {
                grow(&mut search, n_sims, evaluator);
                if search.root_proven().is_none() {
                    assert_eq!(search.n_simulations(), n_sims);
                }
                check_report(&search, &legal);
            }
            most_nodes = most_nodes.max(search.n_nodes());
            assert!(most_nodes <= params.max_nodes);
            assert!(search.n_bytes() <= n_bytes_at_most(game, params, most_nodes));
            let action = search.choose(1.0);
            assert!(legal.contains(&action));
            search.advance(action).unwrap();
        }
    }
}

#[test]
fn every_registered_game_is_searched_by_every_rule() {
    for entry in games() {
        let name = format!("{}:", entry.name);
        let spec = SPECS
            .iter()
            .find(|spec| format!("{spec}:").starts_with(&name));
        let any = AnyGame::parse(spec.expect("every game is here")).unwrap();
        for params in every_rule() {
            params.check().unwrap();
            with_game!(&any, game => {
                check_moves(game, &params, &mut Fake);
                check_moves(game, &params, &mut Uniform);
                check_moves(game, &params, &mut Nothing);
                check_moves(game, &params, &mut Certain);
            });
        }
    }
}

#[test]
fn a_full_tree_is_searched_on_within_its_memory_in_every_game() {
    for spec in SPECS {
        let any = AnyGame::parse(spec).unwrap();
        for (params, max_nodes) in every_rule().into_iter().zip([1, 2, 10, 3, 5, 4]) {
            let params = SearchParams {
                max_nodes,
                ..params
            };
            with_game!(&any, game => {
                check_moves(game, &params, &mut Fake);
                check_moves(game, &params, &mut Certain);
            });
        }
    }
}

/// The exact value within `n_sims`, without any knowledge: by PUCT always; by Gumbel, whose visits a proven draw keeps to itself, in games without draws.
fn check_solved<G: Game>(game: &G, state: &G::State, n_sims: u32) {
    let exact = minimax(game, state).seen_by(game.player_to_move(state));
    for params in every_rule() {
        let selection = match params.selection {
            // Little interest in proven draws.
            Selection::Puct(puct) => Selection::Puct(Puct {
                c_puct: 4.0,
                ..puct
            }),
            gumbel @ Selection::Gumbel(_) => gumbel,
        };
        let by_puct = matches!(selection, Selection::Puct(_));
        let params = SearchParams {
            selection,
            ..params
        };
        let mut search = search(game, state, params, 0);
        begin_move(&mut search, true);
        grow(&mut search, n_sims, &mut Uniform);
        if by_puct || game.points(state).is_none() {
            let proven = search.root_proven();
            assert_eq!(proven, Some(ForMover(exact)), "{game:?} {state:?}");
        }
        let Some(proven) = search.root_proven() else {
            continue;
        };
        assert_eq!(proven, ForMover(exact));
        let next = after(game, state, search.best());
        let kept = minimax(game, &next).seen_by(game.player_to_move(state));
        assert_eq!(kept, exact, "the move keeps the value");
    }
}

#[test]
fn two_by_two_endings_are_solved_within_50000_simulations() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    for index in 0..20 {
        check_solved(&game, &random_position(&game, 6, index), 50_000);
    }
}

#[test]
fn four_queens_are_solved_from_the_start_within_200_simulations() {
    let game = Queens::parse_parameters("4").unwrap();
    check_solved(&game, &game.initial(), 200);
}

#[test]
fn six_queens_are_solved_from_the_start_within_20000_simulations() {
    let game = Queens::parse_parameters("6").unwrap();
    check_solved(&game, &game.initial(), 20_000);
}

#[test]
fn paper_soccer_on_two_by_two_is_solved_after_a_few_plies_within_20000_simulations() {
    let game = PaperSoccer::new(2, 2).unwrap();
    for index in 0..20 {
        let state = random_position(&game, 6, index);
        if !game.is_over(&state) {
            check_solved(&game, &state, 20_000);
        }
    }
}
