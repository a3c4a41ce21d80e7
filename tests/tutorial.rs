//! The game of docs/your-game.md, as it stands there.

use tablero::OtherGame;
use tablero::env::census::census;
use tablero::env::perft::perft;
use tablero::env::{Game, conformance};
use tablero_minimax::{Solvable, Solver};

#[path = "data/tic_tac_toe.rs"]
mod tic_tac_toe;

#[test]
fn the_tutorial_shows_this_code() {
    let page = include_str!("../docs/your-game.md");
    assert!(page.contains(include_str!("data/tic_tac_toe.rs")));
}

#[test]
fn tic_tac_toe_is_what_the_tutorial_says() {
    let game = OtherGame::new(tic_tac_toe::TicTacToe);
    conformance::check(&game, 20, 0).unwrap_or_else(|broken| panic!("{broken}"));
    let start = game.initial();
    assert_eq!(perft(&game, &start, 4), [9, 72, 504, 3_024]);
    // 5,478 positions by ply, and 255,168 games: known numbers of tic-tac-toe.
    let plies = census(&game, &start, usize::MAX);
    let positions: Vec<u64> = plies.iter().map(|ply| ply.positions).collect();
    assert_eq!(
        positions,
        [1, 9, 72, 252, 756, 1_260, 1_520, 1_140, 390, 78]
    );
    assert_eq!(positions.iter().sum::<u64>(), 5_478);
    assert_eq!(plies.iter().map(|ply| ply.games).sum::<u128>(), 255_168);
    assert_eq!(game.solver().unwrap().solve(&start).value.0, 0);
}
