//! Hive keeps the laws, with every choice of expansions.

use tablero_env::conformance::check;
use tablero_env::hive::{Hive, Opening};

/// One random game of each type that passes the filter; the types are numbered.
fn check_types(filter: impl Fn(&Hive) -> bool) {
    for (seed, game) in Hive::all_types().into_iter().enumerate() {
        if filter(&game) {
            check(&game, 1, seed as u64).unwrap_or_else(|violation| panic!("{violation}"));
        }
    }
}

#[test]
fn game_types_without_the_pillbug_keep_the_laws() {
    check_types(|game| !game.pillbug);
}

#[test]
fn game_types_with_the_pillbug_keep_the_laws() {
    check_types(|game| game.pillbug);
}

#[test]
fn the_free_opening_keeps_the_laws() {
    let game = Hive {
        opening: Opening::Free,
        ..Hive::BASE
    };
    check(&game, 1, 8).unwrap_or_else(|violation| panic!("{violation}"));
}
