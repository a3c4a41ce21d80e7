// What every game keeps, and what is known of this one.

use my_game::MyGame;

use tablero::OtherGame;
use tablero::env::Game;
use tablero::env::conformance;
use tablero::env::perft::perft;

/// Random games in which every law is tried. A broken one is named, with the position and the moves
/// that lead there.
#[test]
fn the_game_keeps_the_laws() {
    let game = OtherGame::new(MyGame);
    conformance::check(&game, 50, 0).unwrap_or_else(|broken| panic!("{broken}"));
}

/// FILL IN: how many sequences of 1, 2, 3 … moves there are, from a source or counted by hand. Laws
/// cannot know whether the rules are the right ones; such numbers do.
#[test]
fn the_sequences_of_moves_are_counted() {
    let game = OtherGame::new(MyGame);
    assert_eq!(perft(&game, &game.initial(), 4), [3, 9, 27, 81]);
}
