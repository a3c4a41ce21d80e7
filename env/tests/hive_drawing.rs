//! Hive as it is drawn on a terminal.

use tablero_env::Notation;
use tablero_env::hive::Hive;

#[track_caller]
fn assert_drawn(text: &str, expected: &str) {
    let game = Hive::parse_game_type(text.split(';').next().unwrap()).unwrap();
    let state = game.parse_state(text).unwrap();
    let drawn = game.draw(&state);
    assert_eq!(drawn, expected.trim_start_matches('\n'), "\n{drawn}");
}

#[test]
fn the_empty_board_shows_the_origin_and_full_hands() {
    let text = "
  .

White in hand: Q 2S 2B 3G 3A M L P
Black in hand: Q 2S 2B 3G 3A M L P
Turn 1, White to move
";
    assert_drawn("Base+MLP", text);
}
