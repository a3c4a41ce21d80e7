//! The laws of a game, and what is known of Connect Four.

use connect_four::ConnectFour;
use tablero::env::census::census;
use tablero::env::conformance;
use tablero::env::perft::perft;
use tablero::env::random::{positions, stream};
use tablero::env::{Game, Notation};
use tablero::minimax::{Limits, Minimax, Solvable, Solver};
use tablero::{ForMover, OtherGame, Rules};

fn board(size: &str) -> OtherGame {
    OtherGame::new(ConnectFour::default().with_parameters(size).unwrap())
}

#[test]
fn connect_four_keeps_the_laws_of_a_game() {
    for size in ["4x4", "5x4", "7x6", "7x7"] {
        conformance::check(&board(size), 30, 1).unwrap();
    }
}

/// The counts that engines publish, such as J. Tromp's.
#[test]
fn the_sequences_of_moves_are_counted() {
    let game = board("7x6");
    let expected = [
        7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572,
    ];
    assert_eq!(perft(&game, &game.initial(), 9), expected);
}

/// OEIS A212693.
#[test]
fn the_positions_of_each_ply_are_counted() {
    let game = board("7x6");
    let plies = census(&game, &game.initial(), 8);
    let positions: Vec<u64> = plies.iter().map(|ply| ply.positions).collect();
    assert_eq!(
        positions,
        [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275]
    );
}

/// J. Tromp's table of small boards, width x height.
#[test]
fn small_boards_are_solved() {
    let boards = [
        ("4x4", 0),
        ("5x4", 0),
        ("4x5", 0),
        ("5x5", 0),
        ("7x4", 0),
        ("4x6", 0),
        ("6x5", 0),
        ("6x4", -1),
    ];
    for (size, value) in boards {
        let game = board(size);
        let mut solver = game.solver().unwrap();
        solver.check(&game.initial()).unwrap();
        assert_eq!(solver.solve(&game.initial()).value.0, value, "{size}");
    }
}

/// The first player wins, as V. Allis and J. D. Allen proved in 1988.
#[test]
fn connect_four_is_solved() {
    let rules = ConnectFour::default();
    let mut solver = rules.solver(256).unwrap();
    assert_eq!(solver.value(&rules.initial(), &mut || ()), ForMover(1));
}

/// Two ways to the truth: bitboards with threats, and alpha-beta over the rules alone.
#[test]
fn the_solver_agrees_with_minimax_to_the_end() {
    let game = board("7x6");
    let mut solver = game.solver().unwrap();
    let mut minimax = Minimax::new(game.clone(), 16);
    let mut n_proven = [0; 3];
    for index in 0..1_000 {
        let mut random = positions(&game, stream(3, "connect four", index));
        // Few random games last so long.
        let Some(state) = random.nth(30) else {
            continue;
        };
        let solution = solver.solve(&state);
        let report = minimax.search(&state, &Limits::depth(12));
        assert_eq!(
            report.proven,
            Some(solution.value),
            "{}",
            game.state_text(&state)
        );
        n_proven[(solution.value.0 + 1) as usize] += 1;
    }
    assert!(
        n_proven.iter().all(|&n| n >= 3),
        "all three results: {n_proven:?}"
    );
}

#[test]
fn what_cannot_occur_is_refused() {
    let game = board("7x6");
    for text in [
        "[0,1]",
        "[1,1]",
        "[3,0]",
        "[2,0]",
        "[64,0]",
        "[1,0,0]",
        "[9223372036854775808,0]",
    ] {
        assert!(game.parse_state(text).is_err(), "{text}");
    }
    assert!(game.parse_state("[1,2]").is_ok());
    for size in ["3x4", "8x6", "7", "x", "7x6x1"] {
        assert!(
            ConnectFour::default().with_parameters(size).is_err(),
            "{size}"
        );
    }
}

/// Within few nodes the solver answers nothing or the truth, also after questions that it had to leave.
#[test]
fn endgames_are_solved_within_their_nodes() {
    let game = board("7x6");
    let mut solver = game.solver().unwrap();
    let mut endgames = game.endgame_solver(1).unwrap();
    assert_eq!(endgames.result(&game.initial(), 1_000_000), None);
    let (mut n_left, mut n_solved) = (0, 0);
    let games = (0..6).flat_map(|index| positions(&game, stream(5, "endgames", index)));
    for state in games {
        if solver.check(&state).is_err() {
            continue;
        }
        for nodes in [1, 50, 5_000] {
            match endgames.result(&state, nodes) {
                Some(value) => {
                    assert_eq!(value, solver.solve(&state).value);
                    n_solved += 1;
                }
                None => n_left += 1,
            }
        }
    }
    assert!(
        n_left > 20 && n_solved > 20,
        "{n_left} left, {n_solved} solved"
    );
}
