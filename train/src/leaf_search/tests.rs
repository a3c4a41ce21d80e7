use super::*;
use tablero_env::Game;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::queens::{FullBoard, Queens, State};
use tablero_env::random::stream;
use tablero_env::xadrersi::Xadrersi;
use tablero_mcts::{Batch, Search, SearchParams, Uniform, run};
use tablero_minimax::{Solvable, Solver};

type EvaluationOfXadrersi = <Xadrersi as Baseline>::Heuristic;

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
            let priors = out.push(n, wdl, None);
            for (at, prior) in priors.iter_mut().enumerate() {
                *prior = 2.0 * (at + 1) as f32 / (n * (n + 1)) as f32;
            }
        }
    }
}

/// The unfinished positions of random games.
fn random_states<G: Game>(game: &G, n_games: u64) -> Vec<G::State> {
    let mut states = Vec::new();
    for index in 0..n_games {
        let mut rng = stream(3, "leaves", index);
        let (mut state, mut buffer) = (game.initial(), Vec::new());
        while !game.is_over(&state) {
            states.push(state.clone());
            let action = game.sample_action(&state, &mut buffer, &mut rng);
            game.play_unchecked(&mut state, action);
        }
    }
    states
}

fn proofs(nodes: u64) -> Option<LeafSearch> {
    Some(LeafSearch {
        nodes,
        ..LeafSearch::default()
    })
}

/// Proven values are those of the exact solver; the rest is the evaluator's; and no answer
/// depends on the others of its batch.
#[test]
fn what_is_proven_is_true_and_what_is_not_is_left_to_the_evaluator() {
    let game = Queens::new(8, FullBoard::default()).unwrap();
    let mut solver = game.solver().unwrap();
    let states = random_states(&game, 20);
    let borrowed: Vec<&State> = states.iter().collect();
    let mut evaluator = SearchedLeaves::new(&game, Uniform, proofs(30));
    let together = evaluator.judge(&game, &borrowed);
    assert_eq!(together.len(), states.len());
    let mut n_proven = 0;
    for (index, state) in borrowed.into_iter().enumerate() {
        let answer = together.get(index);
        assert_eq!(evaluator.judge(&game, &[state]).get(0), answer);
        let uniform = Uniform.judge(&game, &[state]);
        match answer.proven {
            None => assert_eq!(uniform.get(0), answer),
            Some(value) => {
                n_proven += 1;
                let sign = game.player_to_move(state).sign();
                assert_eq!(solver.solve(state).value, value * sign);
                assert_eq!(answer.wdl.value(), f32::from(value));
                assert_eq!(answer.priors.len(), uniform.get(0).priors.len());
            }
        }
    }
    assert!((20..states.len() - 10).contains(&n_proven), "{n_proven}");
}

/// A search over proving leaves claims nothing false, and finds a move that keeps what it claims.
#[test]
fn a_search_over_proven_leaves_is_exact() {
    let game = Queens::new(8, FullBoard::default()).unwrap();
    let mut solver = game.solver().unwrap();
    let mut n_proven = [0; 2];
    for index in 0..40 {
        let rng = &mut stream(5, "proving search", index);
        let (mut state, mut buffer) = (game.initial(), Vec::new());
        for _ in 0..2 {
            let action = game.sample_action(&state, &mut buffer, rng);
            game.play_unchecked(&mut state, action);
        }
        let solution = solver.solve(&state);
        for (is_searched, leaf_search) in [None, proofs(100)].into_iter().enumerate() {
            let params = SearchParams::default();
            let moves = stream(5, "moves", index);
            let search = Search::new(game.clone(), state.clone(), params, moves);
            let mut searches = [search];
            let mut evaluator = SearchedLeaves::new(&game, Uniform, leaf_search);
            run(&mut searches, 100, &mut evaluator, &mut Batch::new());
            let [search] = searches;
            if let Some(value) = search.root_proven() {
                n_proven[is_searched] += 1;
                let sign = game.player_to_move(&state).sign();
                assert_eq!(value * sign, solution.value);
                assert!(solution.best.contains(&search.best()));
            }
        }
    }
    assert!(n_proven[1] > n_proven[0] + 10, "{n_proven:?}");
}

/// The score's log-odds are added by their share, and nothing else changes: without a share the
/// evaluator is heard alone.
#[test]
fn the_share_of_the_log_odds_is_added() {
    let game = Xadrersi;
    let limits = Limits::nodes(50);
    let mut n_open = 0;
    for state in random_states(&game, 10) {
        let report = Minimax::new(game, LEAF_TABLE_MIB).search(&state, &limits);
        if report.proven.is_some() {
            continue;
        }
        n_open += 1;
        let score = f64::from(report.score * i32::from(game.player_to_move(&state).sign()));
        let expected = EvaluationOfXadrersi::LOG_ODDS_PER_UNIT * score;
        let expected = expected.clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
        let alone = Skewed.judge(&game, &[&state]).get(0).wdl;
        for share in [0.0, 0.5, 1.0] {
            let search = Some(LeafSearch {
                nodes: 50,
                share,
                ..LeafSearch::default()
            });
            let mut evaluator = SearchedLeaves::new(&game, Skewed, search);
            let wdl = evaluator.judge(&game, &[&state]).get(0).wdl;
            assert_eq!(wdl.draw, alone.draw);
            assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6);
            let log_odds = |wdl: Wdl| f64::from(wdl.win / wdl.loss).ln();
            let added = log_odds(wdl) - log_odds(alone);
            assert!(
                (added - f64::from(share) * expected).abs() < 1e-3 * (1.0 + expected.abs()),
                "{added} by {share} of {expected}"
            );
        }
    }
    assert!(n_open > 100, "{n_open}");
}

#[test]
fn evidence_that_is_certain_or_against_certainty_gives_probabilities() {
    for (win, loss) in [(0.7, 0.2), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)] {
        let judged = Wdl {
            win,
            draw: 1.0 - win - loss,
            loss,
        };
        for log_odds in [-8.0, -3.0, 0.0, 3.0, 8.0] {
            let wdl = weighed(judged, log_odds);
            assert_eq!(wdl.draw, judged.draw);
            assert!((wdl.win + wdl.loss - win - loss).abs() < 1e-6, "{wdl:?}");
            assert!(wdl.win >= 0.0 && wdl.loss >= 0.0, "{wdl:?}");
        }
    }
}

/// Moves that minimax knows to be no better than others get no prior, and a search does not lose
/// sight of the best result by that.
#[test]
fn moves_that_need_not_be_looked_at_get_no_prior() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let mut solver = game.solver().unwrap();
    let mut n_taken = 0;
    let states = random_states(&game, 30).into_iter();
    for (index, state) in states.enumerate().filter(|(index, _)| index % 3 == 0) {
        let mut evaluator = SearchedLeaves::remembering(&game, Skewed, proofs(2));
        let judged = evaluator.judge(&game, &[&state]);
        let (answer, alone) = (judged.get(0), Skewed.judge(&game, &[&state]));
        assert!((answer.priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        if answer.proven.is_none() {
            let mut sufficient = Vec::new();
            let mut legal = Vec::new();
            game.legal_actions(&state, &mut legal);
            game.heuristic()
                .sufficient_actions(&game, &state, &mut sufficient);
            n_taken += legal.len() - sufficient.len();
            let mut ratio = None;
            for (at, action) in legal.iter().enumerate() {
                let (prior, before) = (answer.priors[at], alone.get(0).priors[at]);
                if sufficient.contains(action) {
                    let now = prior / before;
                    assert!((now / *ratio.get_or_insert(now) - 1.0).abs() < 1e-4);
                } else {
                    assert_eq!(prior, 0.0);
                }
            }
        }
        let params = SearchParams::default();
        let moves = stream(5, "sufficient", index as u64);
        let mut searches = [Search::new(game.clone(), state.clone(), params, moves)];
        run(&mut searches, 200, &mut evaluator, &mut Batch::new());
        if let Some(value) = searches[0].root_proven() {
            let solution = solver.solve(&state);
            assert_eq!(value * game.player_to_move(&state).sign(), solution.value);
        }
    }
    assert!(n_taken > 100, "{n_taken}");
}

/// The solver of endgames proves more than minimax, with it and by itself, and all of it is true.
#[test]
fn endgames_are_proven_by_their_solver() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let mut solver = game.solver().unwrap();
    let states = random_states(&game, 20);
    let borrowed: Vec<_> = states.iter().collect();
    let n_proven = [(3, 0), (3, 60), (0, 60)].map(|(nodes, solver_nodes)| {
        let search = LeafSearch {
            nodes,
            share: 0.0,
            solver_nodes,
        };
        let mut evaluator = SearchedLeaves::new(&game, Skewed, Some(search));
        let together = evaluator.judge(&game, &borrowed);
        let mut n = 0;
        for (index, &state) in borrowed.iter().enumerate() {
            let answer = together.get(index);
            assert_eq!(evaluator.judge(&game, &[state]).get(0), answer);
            if let Some(value) = answer.proven {
                let value = value * game.player_to_move(state).sign();
                assert_eq!(value, solver.solve(state).value);
                n += 1;
            }
        }
        n
    });
    let [without, with, alone] = n_proven;
    assert!(without < alone && alone <= with, "{n_proven:?}");
}

/// Where all is lost a search that begins there plays as minimax would, and a proof takes no search its
/// knowledge of the root.
#[test]
fn a_lost_position_is_played_as_by_minimax() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let search = LeafSearch {
        nodes: 50,
        share: 0.5,
        solver_nodes: 1000,
    };
    let (mut n_lost, mut n_not_first) = (0, 0);
    for (index, state) in random_states(&game, 20).into_iter().enumerate() {
        let mut evaluator = SearchedLeaves::remembering(&game, Uniform, Some(search));
        let is_lost = evaluator.judge(&game, &[&state]).get(0).proven == Some(-1);
        evaluator.forget();
        evaluator.new_game();
        let moves = stream(5, "lost", index as u64);
        let params = SearchParams::default();
        let mut searches = [Search::new(game.clone(), state.clone(), params, moves)];
        run(&mut searches, 100, &mut evaluator, &mut Batch::new());
        if is_lost && searches[0].root_proven() == Some(-1) {
            let limits = Limits::nodes(50);
            let report = Minimax::new(game.clone(), MOVE_TABLE_MIB).search(&state, &limits);
            assert_eq!(searches[0].best(), report.best);
            let mut legal = Vec::new();
            game.legal_actions(&state, &mut legal);
            n_lost += 1;
            n_not_first += u32::from(report.best != legal[0]);
        }
    }
    assert!(n_lost > 20 && n_not_first > 10, "{n_lost} {n_not_first}");
}

/// Endgames are remembered beyond a move, but not beyond a game.
#[test]
fn a_new_game_knows_no_endgame_of_the_last() {
    let game = DotsAndBoxes::new(5, 5).unwrap();
    let search = LeafSearch {
        nodes: 1,
        share: 0.0,
        solver_nodes: 30,
    };
    let states: Vec<_> = random_states(&game, 20)
        .into_iter()
        .filter(|state| game.undrawn(state).len() == 32)
        .collect();
    let n_proven = |evaluator: &mut SearchedLeaves<DotsAndBoxes, Uniform>| {
        let mut n = 0;
        for state in &states {
            evaluator.forget();
            n += usize::from(evaluator.judge(&game, &[state]).get(0).proven.is_some());
        }
        n
    };
    let mut evaluator = SearchedLeaves::remembering(&game, Uniform, Some(search));
    let first = n_proven(&mut evaluator);
    let known = (0..20).map(|_| n_proven(&mut evaluator)).max();
    assert!(known > Some(first), "{first} {known:?}");
    evaluator.new_game();
    assert_eq!(n_proven(&mut evaluator), first);
}

/// What is remembered makes searches deeper, and is gone when it is to be forgotten.
#[test]
fn one_leaf_helps_the_next_until_all_is_forgotten() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let states = random_states(&game, 20);
    let n_proven = |evaluator: &mut SearchedLeaves<DotsAndBoxes, Uniform>| {
        let mut n = 0;
        for state in states.iter().rev() {
            n += usize::from(evaluator.judge(&game, &[state]).get(0).proven.is_some());
        }
        n
    };
    let mut alone = SearchedLeaves::new(&game, Uniform, proofs(50));
    let on_its_own = n_proven(&mut alone);
    assert_eq!(n_proven(&mut alone), on_its_own);
    let mut remembering = SearchedLeaves::remembering(&game, Uniform, proofs(50));
    let together = n_proven(&mut remembering);
    assert!(together > on_its_own, "{together} {on_its_own}");
    remembering.forget();
    assert_eq!(n_proven(&mut remembering), together);
}
