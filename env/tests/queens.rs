//! Queens duel: known counts, the laws, each refusal, and the bit operations against a plain
//! reimplementation on lists of coordinates.

use rand::RngExt;
use tablero_env::IdSet;
use tablero_env::census::census;
use tablero_env::conformance::check;
use tablero_env::perft::perft;
use tablero_env::queens::{Cell, ConfigError, FullBoard, Illegal, MAX_SIDE, Queens};
use tablero_env::random::stream;
use tablero_env::{ActionId, Encode, Game, Notation, Player};

fn board(side: usize) -> Queens {
    Queens::new(side, FullBoard::White).unwrap()
}

fn cell(x: u8, y: u8) -> Cell {
    Cell { x, y }
}

/// Side, reachable positions with the empty one (as sets of queens), complete games (as
/// sequences), and sequences of length 1, 2, …. From `queens.tsv` of the project's truth tables,
/// which were counted by a program that shares nothing with this one.
const TRUTH: [(usize, u64, u128, &[u64]); 4] = [
    (2, 5, 4, &[4]),
    (4, 87, 144, &[16, 88, 144, 48]),
    (6, 2635, 32640, &[36, 680, 6144, 23568, 29760, 2880]),
    (
        8,
        118_969,
        21_151_680,
        &[
            64, 2576, 61_920, 829_632, 5_608_320, 16_349_760, 16_087_680, 3_709_440,
        ],
    ),
];

#[test]
fn action_sequences_positions_and_games_are_as_many_as_known() {
    for (side, positions, games, sequences) in TRUTH {
        for full_board in FullBoard::ALL {
            let game = Queens::new(side, full_board).unwrap();
            let plies = census(&game, &game.initial(), usize::MAX);
            assert_eq!(
                plies.iter().map(|ply| ply.positions).sum::<u64>(),
                positions
            );
            assert_eq!(plies.iter().map(|ply| ply.games).sum::<u128>(), games);
            let counted = plies[1..].iter().map(|ply| ply.sequences as u64);
            assert!(counted.eq(sequences.iter().copied()), "{game:?}");
        }
        let game = board(side);
        assert_eq!(perft(&game, &game.initial(), sequences.len()), sequences);
        assert_eq!(perft(&game, &game.initial(), side + 1)[side], 0);
    }
}

/// The n-queens problem: 0, 2, 4, 92 boards are full for n = 2, 4, 6, 8 (OEIS A000170).
#[test]
fn full_boards_are_the_solutions_of_the_n_queens_problem() {
    for (side, solutions) in [(2, 0), (4, 2), (6, 4), (8, 92)] {
        let game = board(side);
        let plies = census(&game, &game.initial(), usize::MAX);
        assert_eq!(plies.get(side).map_or(0, |ply| ply.positions), solutions);
    }
}

#[test]
fn every_configuration_keeps_the_laws() {
    for (side, n_games) in [(2, 10), (4, 30), (6, 20), (8, 10), (10, 5), (16, 2)] {
        for full_board in FullBoard::ALL {
            let game = Queens::new(side, full_board).unwrap();
            let report = check(&game, n_games, 1).unwrap_or_else(|violation| panic!("{violation}"));
            assert_eq!(report.games, n_games);
        }
    }
}

#[test]
fn each_refusal_names_its_reason() {
    let game = board(4);
    let mut state = game.initial();
    let off_board = |id| Err(Illegal::OffBoard { id, last: 15 });
    assert_eq!(game.play(&mut state, ActionId(16)), off_board(16));
    assert_eq!(
        game.play(&mut state, ActionId(u32::MAX)),
        off_board(u32::MAX)
    );
    let played = game.play(&mut state, ActionId(1)).unwrap();
    assert_eq!((played.free, played.next), (6, Some(Player::Second)));
    assert_eq!(
        game.play(&mut state, ActionId(1)),
        Err(Illegal::Occupied(cell(1, 0)))
    );
    // Row, column and both diagonals of the queen on 1,0.
    for (id, x, y) in [(3, 3, 0), (13, 1, 3), (11, 3, 2), (4, 0, 1)] {
        let expected = Illegal::Attacked {
            cell: cell(x, y),
            by: cell(1, 0),
        };
        assert_eq!(game.play(&mut state, ActionId(id)), Err(expected));
    }
    game.play(&mut state, ActionId(7)).unwrap();
    let by_the_other = Illegal::Attacked {
        cell: cell(2, 2),
        by: cell(3, 1),
    };
    assert_eq!(game.play(&mut state, ActionId(10)), Err(by_the_other));
    game.play(&mut state, ActionId(8)).unwrap();
    let last = game.play(&mut state, ActionId(14)).unwrap();
    assert_eq!((last.free, last.next), (0, None));
    assert_eq!(game.play(&mut state, ActionId(0)), Err(Illegal::GameOver));
    assert_eq!(game.play(&mut state, ActionId(99)), off_board(99));
}

/// Plays the texts and returns the winner's number, `None` for a draw.
fn result(game: &Queens, moves: &[&str]) -> Option<Player> {
    let mut state = game.initial();
    for text in moves {
        let action = game.parse_action(&state, text).unwrap();
        game.play(&mut state, action).unwrap();
    }
    game.outcome(&state).expect("a whole game").winner
}

#[test]
fn the_number_of_queens_decides_and_a_full_board_as_it_is_read() {
    let (white, black) = (Some(Player::First), Some(Player::Second));
    for (reading, full) in [
        (FullBoard::White, white),
        (FullBoard::Black, black),
        (FullBoard::Draw, None),
    ] {
        let game = Queens::new(4, reading).unwrap();
        assert_eq!(result(&game, &["1,0", "3,1", "0,2", "2,3"]), full);
        assert_eq!(result(&game, &["0,0", "2,1", "1,3"]), white, "three queens");
        let game = Queens::new(6, reading).unwrap();
        let four = ["0,0", "2,1", "5,2", "1,5"];
        assert_eq!(result(&game, &four), black, "as many, and not all");
        let game = Queens::new(2, reading).unwrap();
        assert_eq!(result(&game, &["1,1"]), white, "one queen takes all of 2x2");
    }
}

#[test]
fn parameters_are_read_or_refused_with_the_reason() {
    let read = |text: &str| Queens::parse_parameters(text).map(|game| game.spec());
    assert_eq!(read("8").unwrap(), "queens:8");
    assert_eq!(read(" 10 ").unwrap(), "queens:10");
    assert_eq!(read("8,full_board=white").unwrap(), "queens:8");
    let black = "8,full_board=black";
    assert_eq!(read(black).unwrap(), "queens:8,full_board=black");
    let draw = "16, full_board = draw";
    assert_eq!(read(draw).unwrap(), "queens:16,full_board=draw");
    for side in [0, 1, 3, 7, 15, 17, 18] {
        assert_eq!(read(&side.to_string()), Err(ConfigError::Side { side }));
        let error = Queens::new(side, FullBoard::Draw).unwrap_err();
        assert_eq!(error, ConfigError::Side { side });
        assert!(error.to_string().contains(&format!("got {side}")));
    }
    for text in [
        "",
        "x",
        "8x8",
        "8,",
        "8,draw",
        "8,full_board",
        "8,full_board=",
        "8,full_board=red",
        "8,board=draw",
        "-8",
        "8,full_board=draw,",
        "99999999999999999999",
    ] {
        let got = text.to_owned();
        let error = Queens::parse_parameters(text).unwrap_err();
        assert_eq!(error, ConfigError::Parameters { got }, "{text}");
    }
}

/// The rules in the words of a child: a list of queens, each with its column and row.
struct Naive {
    side: usize,
    queens: Vec<(usize, usize)>,
}

impl Naive {
    fn attacked_by(&self, (x, y): (usize, usize)) -> impl Iterator<Item = &(usize, usize)> {
        self.queens
            .iter()
            .filter(move |&&(qx, qy)| qx == x || qy == y || qx + qy == x + y || qx + y == x + qy)
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let side = self.side;
        (0..side).flat_map(move |y| (0..side).map(move |x| (x, y)))
    }

    fn free(&self) -> Vec<usize> {
        let free = self
            .cells()
            .filter(|&cell| self.attacked_by(cell).next().is_none());
        free.map(|(x, y)| y * self.side + x).collect()
    }

    /// The planes, as `plane_descriptions` tells them.
    fn observation(&self) -> Vec<f32> {
        let is_queen = |cell| self.queens.contains(&cell);
        let is_attacked = |cell| self.attacked_by(cell).next().is_some();
        let white_to_move = self.queens.len().is_multiple_of(2);
        let mut values = Vec::new();
        let free = self.free();
        // Free cells that a queen on a free cell would leave.
        let left = |(x, y): (usize, usize)| {
            free.contains(&(y * self.side + x)).then(|| {
                let mut queens = self.queens.clone();
                queens.push((x, y));
                let side = self.side;
                Naive { side, queens }.free().len()
            })
        };
        for plane in 0..8 {
            values.extend(self.cells().map(|cell| match plane {
                0 => f32::from(is_queen(cell)),
                1 => f32::from(!is_attacked(cell)),
                2 => f32::from(is_attacked(cell) && !is_queen(cell)),
                3 => f32::from(white_to_move),
                4 => (self.free().len() % 2) as f32,
                5 => self.queens.len() as f32 / self.side as f32,
                6 => left(cell).map_or(0.0, |left| (free.len() - left) as f32 / free.len() as f32),
                _ => left(cell).map_or(0.0, |left| (left % 2) as f32),
            }));
        }
        values
    }
}

#[test]
fn bit_operations_play_as_lists_of_queens_do_on_every_board() {
    for side in (2..=MAX_SIDE).step_by(2) {
        for index in 0..4 {
            let game = board(side);
            let mut state = game.initial();
            let mut naive = Naive {
                side,
                queens: Vec::new(),
            };
            let mut rng = stream(0, "naive queens", (side * 10 + index) as u64);
            let mut observation = vec![0.0; game.observation_shape().iter().product()];
            loop {
                let place = game.state_text(&state);
                let free = naive.free();
                assert_eq!(state.free().iter().collect::<Vec<_>>(), free, "{place}");
                assert_eq!(state.n_queens(), naive.queens.len(), "{place}");
                game.write_observation(&state, &mut observation);
                assert_eq!(observation, naive.observation(), "{place}");
                for (ply, (x, y)) in naive.queens.iter().enumerate() {
                    let owner = state.owner(y * side + x).map(Player::index);
                    assert_eq!(owner, Some(ply % 2), "{place}");
                }
                if free.is_empty() {
                    break;
                }
                let id = free[rng.random_range(0..free.len())];
                let played = game.play(&mut state, ActionId::from(id)).unwrap();
                naive.queens.push((id % side, id / side));
                assert_eq!(played.free, naive.free().len());
            }
            let t = naive.queens.len();
            let winner = usize::from(t.is_multiple_of(2) && t < side);
            let outcome = game.outcome(&state).unwrap();
            assert_eq!(outcome.winner.map(Player::index), Some(winner));
            assert_eq!(outcome.points, None);
        }
    }
}

#[test]
fn a_state_is_made_of_parts_that_fit() {
    let game = board(4);
    let set = |cells: &[usize]| cells.iter().copied().collect::<IdSet>();
    let state = game.state_from_parts(set(&[1, 7, 8]), set(&[8])).unwrap();
    assert_eq!(state.owner(8), Some(Player::Second));
    assert_eq!(game.player_to_move(&state), Player::Second);
    for (queens, second, why) in [
        (set(&[0, 1]), set(&[1]), "they attack each other"),
        (set(&[16]), set(&[]), "off the board"),
        (set(&[1, 7]), set(&[]), "two queens of White"),
        (set(&[1]), set(&[1]), "Black began"),
        (
            set(&[1, 7]),
            set(&[8]),
            "a queen of Black that is not there",
        ),
    ] {
        assert_eq!(game.state_from_parts(queens, second), None, "{why}");
    }
}

/// Who placed a queen is drawn, but no rule looks at it.
#[test]
fn states_are_equal_whoever_placed_the_queens() {
    let game = board(4);
    let one = game.parse_state(".W../...B/..../....").unwrap();
    let other = game.parse_state(".B../...W/..../....").unwrap();
    assert_eq!(one, other);
    assert_eq!(game.hash(&one), game.hash(&other));
    assert_ne!(game.draw(&one), game.draw(&other));
}
