//! An analyser beside an evaluator: what it proves is true, and its evidence is added.

use tablero_agents::Informed;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::queens::{FullBoard, Queens};
use tablero_env::random::{positions, stream};
use tablero_env::xadrersi::Xadrersi;
use tablero_env::{ForMover, Game};
use tablero_mcts::{
    Batch, Evaluations, Evaluator, Request, Search, SearchParams, Uniform, Wdl, run,
};
use tablero_minimax::{Playable, Solvable, Solver, analyser};
use tablero_models::SearchConfig;

/// An evaluator that is neither even nor certain: later actions have more of the priors.
struct Skewed;

impl<G: Game> Evaluator<G> for Skewed {
    fn evaluate(&mut self, _game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for request in requests {
            let wdl = Wdl {
                win: 0.5,
                draw: 0.25,
                loss: 0.25,
            };
            let n = request.legal.len();
            let priors = out.push(n, ForMover(wdl), None);
            for (at, prior) in priors.iter_mut().enumerate() {
                *prior = 2.0 * (at + 1) as f32 / (n * (n + 1)) as f32;
            }
        }
    }
}

fn states<G: Game>(game: &G, n_games: u64) -> Vec<G::State> {
    let games = (0..n_games).map(|index| positions(game, stream(3, "informed", index)));
    games.flatten().collect()
}

fn informed(analyser_nodes: u64, analyser_share: f32) -> SearchConfig {
    SearchConfig {
        analyser_nodes,
        analyser_share,
        ..SearchConfig::default()
    }
}

fn with_nodes<G: Playable, E>(game: &G, evaluator: E, nodes: u64) -> Informed<G, E> {
    Informed::new(game, evaluator, &informed(nodes, 0.5))
}

/// What is proven is what the exact solver says, and the rest of the answers are the evaluator's but for
/// the evidence.
fn proofs_are_exact<G: Playable>(game: &G, nodes: u64) -> [usize; 2] {
    let mut solver = game.solver().unwrap();
    let states = states(game, 12);
    let borrowed: Vec<&G::State> = states.iter().collect();
    let mut evaluator = with_nodes(game, Skewed, nodes);
    let together = evaluator.evaluate_states(game, &borrowed);
    let mut n_proven = 0;
    for (index, &state) in borrowed.iter().enumerate() {
        let answer = together.get(index);
        assert!((answer.priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let Some(value) = answer.proven else {
            let alone = Skewed.evaluate_states(game, &[state]);
            assert_eq!(answer.priors, alone.get(0).priors);
            assert_eq!(answer.wdl.0.draw, 0.25);
            continue;
        };
        n_proven += 1;
        let exact = solver.solve(state).value;
        assert_eq!(value, exact.for_mover(game.player_to_move(state)));
        assert_eq!(answer.wdl.0.value(), f32::from(value.0));
    }
    [n_proven, states.len()]
}

#[test]
fn what_is_proven_is_true_and_what_is_not_is_left_to_the_evaluator() {
    let queens = Queens::new(8, FullBoard::default()).unwrap();
    let dots = DotsAndBoxes::new(3, 3).unwrap();
    let pitch = PaperSoccer::new(4, 4).unwrap();
    for [n_proven, n] in [
        proofs_are_exact(&queens, 30),
        proofs_are_exact(&dots, 8),
        proofs_are_exact(&pitch, 40),
    ] {
        assert!((10..n - 10).contains(&n_proven), "{n_proven} of {n}");
    }
}

/// The analyser's log-odds are added by their share, and nothing else changes.
#[test]
fn the_share_of_the_log_odds_is_added() {
    let game = Xadrersi;
    let mut n_open = 0;
    for state in states(&game, 8) {
        let evidence = analyser(&game, 1).analyse(&state, 50);
        if evidence.proven.is_some() {
            continue;
        }
        n_open += 1;
        let log_odds = |wdl: Wdl| f64::from(wdl.win / wdl.loss).ln();
        for share in [0.0, 0.5, 1.0] {
            let config = informed(50, share);
            let mut evaluator = Informed::new(&game, Skewed, &config);
            let wdl = evaluator.evaluate_states(&game, &[&state]).get(0).wdl.0;
            assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6);
            // Skewed says 2 : 1.
            let added = log_odds(wdl) - 2.0_f64.ln();
            let expected = f64::from(share) * evidence.log_odds.0;
            assert!(
                (added - expected).abs() < 1e-3 * (1.0 + expected.abs()),
                "{added} {expected}"
            );
        }
    }
    assert!(n_open > 80, "{n_open}");
}

/// A search over proven leaves claims nothing false, proves more than one without, and plays a move
/// that keeps what it claims.
#[test]
fn a_search_over_proven_leaves_is_exact() {
    let game = Queens::new(8, FullBoard::default()).unwrap();
    let mut solver = game.solver().unwrap();
    let mut n_proven = [0; 2];
    for index in 0..40 {
        let state = positions(&game, stream(5, "proving", index))
            .nth(2)
            .unwrap();
        let solution = solver.solve(&state);
        for (place, nodes) in [0, 100].into_iter().enumerate() {
            let tree = stream(5, "tree", index);
            let params = SearchParams::default();
            let mut search = Search::new(game.clone(), state.clone(), params, tree);
            let mut evaluator = with_nodes(&game, Uniform, nodes);
            let one = std::slice::from_mut(&mut search);
            run(one, 100, &mut evaluator, &mut Batch::new());
            if let Some(value) = search.root_proven() {
                n_proven[place] += 1;
                let mover = game.player_to_move(&state);
                assert_eq!(value.for_first(mover), solution.value);
                assert!(solution.best.contains(&search.best()));
            }
        }
    }
    assert!(n_proven[1] > n_proven[0] + 10, "{n_proven:?}");
}

/// A solver of endgames that proves a loss names no action: what the evaluator likes is played.
#[test]
fn a_lost_position_is_played_as_the_evaluator_likes() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let (mut n_lost, mut legal) = (0, Vec::new());
    for (index, state) in states(&game, 20).into_iter().enumerate() {
        if analyser(&game, 1).analyse(&state, 400).proven != Some(ForMover(-1)) {
            continue;
        }
        n_lost += 1;
        let tree = stream(5, "lost", index as u64);
        let params = SearchParams::default();
        let mut search = Search::new(game.clone(), state.clone(), params, tree);
        let mut evaluator = with_nodes(&game, Skewed, 400);
        let one = std::slice::from_mut(&mut search);
        run(one, 100, &mut evaluator, &mut Batch::new());
        assert_eq!(search.root_proven(), Some(ForMover(-1)));
        game.legal_actions(&state, &mut legal);
        assert_eq!(Some(&search.best()), legal.last());
    }
    assert!(n_lost > 20, "{n_lost}");
}

/// One leaf helps the next.
#[test]
fn memory_makes_searches_deeper() {
    let game = Queens::new(8, FullBoard::default()).unwrap();
    let states = states(&game, 20);
    let new = || with_nodes(&game, Uniform, 50);
    let ask = |evaluator: &mut Informed<_, _>, state| {
        let answers = evaluator.evaluate_states(&game, &[state]);
        answers.get(0).proven
    };
    let backwards = || states.iter().rev();
    let alone = backwards().filter_map(|state| ask(&mut new(), state));
    let mut evaluator = new();
    let together = backwards().filter_map(|state| ask(&mut evaluator, state));
    let [alone, together] = [alone.count(), together.count()];
    assert!(together > alone, "{together} {alone}");
}
