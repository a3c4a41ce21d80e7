//! Hive keeps the laws, with every choice of expansions.

use tablero_env::conformance::check;
use tablero_env::hive::{Hive, Opening};

#[test]
fn all_eight_game_types_keep_the_laws() {
    for (seed, game) in Hive::all_types().into_iter().enumerate() {
        check(&game, 1, seed as u64).unwrap_or_else(|violation| panic!("{violation}"));
    }
}

#[test]
fn the_free_opening_keeps_the_laws() {
    let game = Hive {
        opening: Opening::Free,
        ..Hive::default()
    };
    check(&game, 1, 8).unwrap_or_else(|violation| panic!("{violation}"));
}
