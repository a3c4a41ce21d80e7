//! A search does not know what else is in its batch.

use crate::positions::{begin_move, random_position, search};
use std::num::NonZeroU32;
use tablero_env::Game;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_mcts::{Batch, Evaluator, Fake, Gumbel, Rollout, Search, SearchParams, Selection, run};

/// Searches of moves that explore.
fn searches(game: &DotsAndBoxes, selection: Selection) -> Vec<Search<DotsAndBoxes>> {
    let params = SearchParams {
        selection,
        ..SearchParams::default()
    };
    // From almost finished positions, which are soon proven, to early ones.
    (0..8)
        .map(|index| {
            let n_plies = game.n_edges() - 2 - 2 * index;
            let state = random_position(game, n_plies, index as u64);
            let mut search = search(game, &state, params.clone(), index as u64);
            begin_move(&mut search, true);
            search
        })
        .collect()
}

fn check(selection: Selection, mut evaluator: impl Evaluator<DotsAndBoxes>) {
    const N_SIMS: u32 = 150;
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let batch = &mut Batch::new();

    let mut together = searches(&game, selection);
    run(&mut together, N_SIMS, &mut evaluator, batch);

    let mut backwards = searches(&game, selection);
    let mut slice: Vec<&mut Search<_>> = backwards.iter_mut().rev().collect();
    run(&mut slice, N_SIMS, &mut evaluator, batch);

    let mut n_proven = 0;
    for ((mut alone, together), backwards) in searches(&game, selection)
        .into_iter()
        .zip(together)
        .zip(backwards)
    {
        run(
            std::slice::from_mut(&mut alone),
            N_SIMS,
            &mut evaluator,
            batch,
        );
        assert!(alone.n_simulations() == N_SIMS || alone.root_proven().is_some());
        n_proven += usize::from(alone.root_proven().is_some());
        // Everything: the whole tree bit by bit, the state of the stream.
        let alone = format!("{alone:?}");
        assert_eq!(alone, format!("{together:?}"));
        assert_eq!(alone, format!("{backwards:?}"));
    }
    assert!((1..8).contains(&n_proven), "both kinds: {n_proven}");
}

#[test]
fn a_batch_of_eight_gives_the_trees_of_eight_searches() {
    for selection in [Selection::default(), Selection::Gumbel(Gumbel::default())] {
        check(selection, Fake);
        check(selection, Rollout::new(NonZeroU32::MIN.saturating_add(2)));
    }
}

#[test]
fn each_search_can_have_its_own_number_of_simulations() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let mut searches: Vec<_> = (0..3)
        .map(|index| search(&game, &game.initial(), SearchParams::default(), index))
        .collect();
    let mut batch = Batch::new();
    let n_sims = |search: &Search<DotsAndBoxes>| match search.root_visits() {
        0..10 => 10,
        n => n,
    };
    assert_eq!(batch.round(&mut searches, n_sims, &mut Fake), 3);
    run(&mut searches[1..2], 20, &mut Fake, &mut batch);
    while batch.round(&mut searches, n_sims, &mut Fake) > 0 {}
    let visits: Vec<u32> = searches.iter().map(Search::root_visits).collect();
    assert_eq!(visits, [10, 20, 10]);
}
