//! Proofs from elsewhere: [`Search::prove`].

use crate::positions::{
    after, as_a_tree, begin_move, grow, gumbel, legal, minimax, puct, random_position, search,
};
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::{ActionId, ForMover, Game, Player};
use tablero_mcts::{
    Evaluator, Fake, Gathered, Gumbel, Puct, RootEdge, Search, SearchParams, Uniform, Wdl,
};

const LOSS: ForMover<i8> = ForMover(-1);
const DRAW: ForMover<i8> = ForMover(0);
const WIN: ForMover<i8> = ForMover(1);

/// Simulations before a proof comes: the root is not evaluated, alone, has untried moves, or none.
const N_SIMS: [u32; 4] = [0, 1, 6, 200];

/// Boards with a player to move each, early enough that 200 simulations prove nothing.
fn positions() -> Vec<(DotsAndBoxes, State)> {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    [3, 4, 8, 11]
        .map(|n_plies| {
            (
                game.clone(),
                random_position(&game, n_plies, n_plies as u64),
            )
        })
        .to_vec()
}

fn edge(search: &Search<DotsAndBoxes>, action: ActionId) -> RootEdge {
    let edges = search.root_edges();
    let edge = edges.iter().find(|edge| edge.action == action);
    *edge.expect("a legal action")
}

/// A search from each position, by each rule, with and without transpositions, of moves that
/// explore and moves that do not, before each of [`N_SIMS`] simulations have been done.
fn for_each_search(mut check: impl FnMut(Search<DotsAndBoxes>)) {
    let rules = [puct(Puct::default()), gumbel(Gumbel::default())];
    let rules = rules
        .into_iter()
        .flat_map(|rule| [as_a_tree(rule.clone()), rule]);
    let rules: Vec<SearchParams> = rules.collect();
    let mut n_movers = [0; 2];
    for (game, state) in positions() {
        n_movers[game.player_to_move(&state).index()] += 1;
        for (params, explores) in rules.iter().flat_map(|rule| [(rule, false), (rule, true)]) {
            for n_sims in N_SIMS {
                let mut search = search(&game, &state, params.clone(), 3);
                begin_move(&mut search, explores);
                grow(&mut search, n_sims, &mut Fake);
                assert_eq!(search.root_proven(), None);
                check(search);
            }
        }
    }
    assert!(
        n_movers.iter().all(|&n| n > 0),
        "both players: {n_movers:?}"
    );
}

#[test]
fn a_move_proven_lost_is_neither_chosen_nor_recommended() {
    for_each_search(|mut search| {
        let best = search.best();
        assert!(search.prove(best, LOSS));
        assert_eq!(edge(&search, best).proven(), Some(LOSS));
        assert_eq!(search.root_proven(), None);
        let n_visits = edge(&search, best).visits;
        for n_sims in [0, 100] {
            let all = search.n_simulations() + n_sims;
            grow(&mut search, all, &mut Fake);
            assert_ne!(search.best(), best);
            assert_eq!(edge(&search, best).proven(), Some(LOSS));
            let target = search.policy_target();
            let rank = search
                .root_edges()
                .iter()
                .position(|edge| edge.action == best);
            assert_eq!(target[rank.unwrap()], 0.0);
            for _ in 0..20 {
                assert_ne!(search.choose(1.0), best);
            }
        }
        // One that was never tried may be tried once.
        assert!(edge(&search, best).visits <= n_visits.max(1));
    });
}

#[test]
fn a_move_proven_won_proves_the_root_and_is_played_tried_or_not() {
    for_each_search(|fresh| {
        let edges = fresh.root_edges();
        let by_visits = |edge: &&RootEdge| edge.visits;
        let least = edges.iter().min_by_key(by_visits).unwrap().action;
        let most = edges.iter().max_by_key(by_visits).unwrap().action;
        for action in [least, most] {
            let mut search = fresh.clone();
            assert!(search.prove(action, WIN));
            assert_eq!(search.root_proven(), Some(WIN));
            assert_eq!(search.root_wdl(), ForMover(Wdl::WIN));
            assert_eq!(search.best(), action);
            assert_eq!(search.choose(1.0), action);
            assert_eq!(search.gather(), Gathered::Proven);
            let line = search.principal_variation();
            assert!(line.first().is_none_or(|&first| first == action));
        }
    });
}

#[test]
fn the_best_proof_reaches_the_root_when_every_move_is_proven() {
    for best in [LOSS, DRAW, WIN] {
        for_each_search(|mut search| {
            let actions = legal(search.game(), search.state());
            let (last, others) = actions.split_last().unwrap();
            for &action in others {
                assert_eq!(search.root_proven(), None);
                assert!(search.prove(action, LOSS));
            }
            assert_eq!(search.best(), *last, "the only one that is not lost");
            assert!(search.prove(*last, best));
            assert_eq!(search.root_proven(), Some(best));
            assert_eq!(search.root_wdl().0.value(), f32::from(best.0));
            assert_eq!(search.gather(), Gathered::Proven);
            if best != LOSS {
                assert_eq!(search.best(), *last);
            }
        });
    }
}

#[test]
fn a_proven_draw_bounds_the_root_and_the_search_goes_on_for_more() {
    for_each_search(|mut search| {
        let action = search.best();
        assert!(search.prove(action, DRAW));
        assert_eq!(search.root_bounds().0.returns(), [0, 1]);
        assert!(search.root_wdl().0.loss < 1e-6);
        let all = search.n_simulations() + 50;
        grow(&mut search, all, &mut Fake);
        assert_eq!(search.root_bounds().0.returns(), [0, 1]);
        assert_eq!(edge(&search, action).proven(), Some(DRAW));
        assert!(search.n_simulations() == all || search.root_proven() == Some(WIN));
    });
}

#[test]
fn what_is_no_news_illegal_or_a_contradiction_changes_nothing() {
    for_each_search(|mut search| {
        let action = search.best();
        assert!(search.prove(action, LOSS));
        let before = format!("{search:?}");
        for value in [LOSS, DRAW, WIN] {
            assert!(!search.prove(action, value));
        }
        let drawn = search.state().edges().iter().next().unwrap() as u32;
        for illegal in [drawn, 24, u32::MAX] {
            assert!(!search.prove(ActionId(illegal), WIN));
        }
        assert_eq!(format!("{search:?}"), before);
    });
}

#[test]
fn a_proof_stays_with_its_move_when_untried_moves_come_into_another_order() {
    for_each_search(|mut search| {
        let actions = legal(search.game(), search.state());
        let lost = [actions[0], actions[actions.len() / 2]];
        for action in lost {
            assert!(search.prove(action, LOSS));
        }
        for explores in [true, false, true] {
            begin_move(&mut search, explores);
            let all = search.n_simulations() + 2;
            grow(&mut search, all, &mut Fake);
            for edge in search.root_edges() {
                let is_lost = edge.proven() == Some(LOSS);
                assert_eq!(is_lost, lost.contains(&edge.action), "{edge:?}");
            }
        }
    });
}

#[test]
fn a_proof_may_come_while_an_evaluation_is_awaited() {
    for_each_search(|fresh| {
        for value in [LOSS, DRAW, WIN] {
            let mut search = fresh.clone();
            while search.gather() != Gathered::Request {}
            let actions = legal(search.game(), search.state());
            for &action in &actions {
                search.prove(action, value);
            }
            let state = search.request().unwrap().state.clone();
            let answers = Fake.evaluate_states(search.game(), &[&state]);
            let visits = search.root_visits();
            search.apply(answers.get(0));
            assert_eq!(search.root_visits(), visits + 1);
            assert_eq!(search.root_proven(), Some(value));
            assert_eq!(search.root_wdl().0.value(), f32::from(value.0));
            for edge in search.root_edges() {
                assert_eq!(edge.proven(), Some(value));
            }
        }
    });
}

/// A position behind a proven move is not proven by one of its own, so the search goes on there.
#[test]
fn a_proven_move_is_played_out_by_search() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let mut n_in_a_row = 0;
    for index in 0..60 {
        let state = random_position(&game, 4 + index as usize % 4, index);
        let mover = game.player_to_move(&state);
        let value = |state: &State| minimax(&game, state).seen_by(mover);
        let exact = value(&state);
        let params = SearchParams::with_c_puct(4.0);
        let mut search = search(&game, &state, params, index);
        // A tree below each move, in which little is proven.
        grow(&mut search, 60, &mut Uniform);
        for action in legal(&game, &state) {
            search.prove(action, ForMover(value(&after(&game, &state, action))));
        }
        assert_eq!(search.root_proven(), Some(ForMover(exact)));
        while !game.is_over(search.state()) {
            let is_mover = |player: Player| player == mover;
            let was_mover = is_mover(search.player_to_move());
            search.advance(search.best()).unwrap();
            n_in_a_row += usize::from(was_mover && is_mover(search.player_to_move()));
            assert_eq!(value(search.state()), exact, "{index}");
            grow(&mut search, 50_000, &mut Uniform);
        }
    }
    assert!(n_in_a_row > 20, "moves in a row: {n_in_a_row}");
}
