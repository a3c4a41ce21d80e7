//! Whole trees from the deterministic fake evaluator, compared with stored ones. With
//! `TABLERO_RECORD=1` in the environment they are written instead.

use crate::positions::{random_position, search};
use std::path::Path;
use tablero_env::Game;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_mcts::{Batch, Fake, RootNoise, Search, SearchParams, run};

fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("TABLERO_RECORD").is_some_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        text, golden,
        "{name} differs; if that is meant, record it anew with TABLERO_RECORD=1"
    );
}

fn grown(mut search: Search<DotsAndBoxes>, n_sims: u32) -> Search<DotsAndBoxes> {
    run(
        std::slice::from_mut(&mut search),
        n_sims,
        &mut Fake,
        &mut Batch::new(),
    );
    search
}

#[test]
fn tree_of_the_empty_two_by_two_board() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let search = search(&game, &game.initial(), SearchParams::default(), 0);
    compare("2x2_empty.txt", &grown(search, 100).tree_text());
}

#[test]
fn tree_of_an_endgame_with_proven_values_and_moves_in_a_row() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let state = random_position(&game, 7, 1);
    let search = search(&game, &state, SearchParams::default(), 1);
    compare("2x2_endgame.txt", &grown(search, 60).tree_text());
}

#[test]
fn tree_with_noise_after_two_moves() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let params = SearchParams {
        noise: Some(RootNoise::default()),
        root_fpu_reduction: 0.0,
        ..SearchParams::default()
    };
    let mut search = grown(search(&game, &game.initial(), params, 2), 150);
    for _ in 0..2 {
        let action = search.choose(1.0);
        search.advance(action).unwrap();
        search = grown(search, 50);
    }
    compare("3x3_noise_reused.txt", &search.tree_text());
}
