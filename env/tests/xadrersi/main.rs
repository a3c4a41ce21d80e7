//! Xadrersi: known counts, the laws, each refusal, the text forms, and the bit operations against a
//! plain reimplementation on a list of pieces.

mod lists;
mod refusals;
mod texts;

use tablero_env::conformance::check;
use tablero_env::perft::perft;
use tablero_env::random::stream;
use tablero_env::xadrersi::{Square, State, Xadrersi};
use tablero_env::{ActionId, Game, Notation, playout};

/// Before White's last piece, a knight: a1 is empty and has no empty neighbour.
const BEFORE_THE_LAST: &str = "8/8/8/8/8/8/qrrbbnn1/1KQRRBBN:-";

fn square(text: &str) -> Square {
    Square::parse(text).unwrap()
}

fn action(text: &str) -> ActionId {
    Xadrersi.parse_action(&Xadrersi.initial(), text).unwrap()
}

/// The state after the moves of a game.
fn after(moves: &str) -> State {
    let mut state = Xadrersi.initial();
    for text in moves.split_whitespace() {
        Xadrersi.play(&mut state, action(text)).unwrap();
    }
    state
}

/// From `xadrersi.tsv` of the project's truth tables. A program that lets pieces touch enemy
/// pieces only counts 64, 1680, 32760, 985824 instead.
#[test]
fn action_sequences_are_as_many_as_known() {
    let counts = perft(&Xadrersi, &Xadrersi.initial(), 5);
    assert_eq!(counts, [64, 1680, 50_232, 1_805_208, 75_786_032]);
}

#[test]
fn the_game_keeps_the_laws() {
    let report = check(&Xadrersi, 60, 1).unwrap_or_else(|violation| panic!("{violation}"));
    assert_eq!((report.longest, report.states), (16, 60 * 17));
}

/// Without the rule for White's last piece about one random game in 80 would not end.
#[test]
fn no_player_is_ever_without_a_move() {
    let mut rng = stream(0, "xadrersi games", 0);
    let mut buffer = Vec::new();
    for _ in 0..200_000 {
        let mut state = Xadrersi.initial();
        playout(&Xadrersi, &mut state, &mut buffer, &mut rng);
        assert_eq!(state.n_pieces(), 16);
    }
}

#[test]
fn squares_count_once_for_each_piece_that_attacks_them() {
    let state = after("Kd4 Qe5 Qd5");
    let counts = Xadrersi.counted_squares(&state);
    let count = |text: &str| counts.map(|side| side[square(text).index()]);
    assert_eq!(
        count("e4"),
        [2, 1],
        "king and queen of White, and Black's queen"
    );
    assert_eq!(
        count("c5"),
        [2, 0],
        "White's queen stands between it and Black's"
    );
    assert_eq!(
        count("d3"),
        [1, 0],
        "White's king stands between it and White's queen"
    );
    assert_eq!(count("h8"), [0, 1]);
    assert_eq!(count("a8"), [1, 0]);
    for text in ["d4", "d5", "e5"] {
        assert_eq!(count(text), [0, 0], "attacked, but not empty");
    }
    // The king: c3 c4 c5 d3 e3 e4. The queen, clockwise from north: d6 d7 d8, e6 f7 g8, none in
    // the east, e4 f3 g2 h1, none in the south, c4 b3 a2, c5 b5 a5, c6 b7 a8. Black's: e6 e7 e8,
    // f6 g7 h8, f5 g5 h5, f4 g3 h2, e4 e3 e2 e1, none, none, d6 c7 b8.
    assert_eq!(Xadrersi.points(&state), Some([6 + 19, 19]));
}
