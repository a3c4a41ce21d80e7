//! Xadrersi: known counts, the laws, each refusal, and the bit operations against a plain
//! reimplementation on a list of pieces.

use rand::RngExt;
use tablero_env::conformance::check;
use tablero_env::perft::perft;
use tablero_env::random::stream;
use tablero_env::xadrersi::{Illegal, Kind, MAX_POINTS, Square, State, Xadrersi};
use tablero_env::{ActionId, Encode, Game, Notation, Player, playout};

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

fn refusal(state: &State, text: &str) -> Illegal {
    let mut played = state.clone();
    let reason = Xadrersi.play(&mut played, action(text)).unwrap_err();
    assert_eq!(&played, state);
    reason
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
fn an_id_beyond_the_last_is_off_the_board() {
    let off_board = |id| Err(Illegal::OffBoard { id, last: 319 });
    let mut state = Xadrersi.initial();
    assert_eq!(Xadrersi.play(&mut state, ActionId(320)), off_board(320));
    let most = u32::MAX;
    assert_eq!(Xadrersi.play(&mut state, ActionId(most)), off_board(most));
    assert_eq!(action("Nh8"), ActionId(319));
}

#[test]
fn a_piece_needs_an_empty_square_that_touches_a_piece_of_either_side() {
    let state = after("Kd4 Rd5");
    assert_eq!(refusal(&state, "Rd5"), Illegal::Occupied(square("d5")));
    assert_eq!(refusal(&state, "Rd4"), Illegal::Occupied(square("d4")));
    assert_eq!(refusal(&state, "Rd7"), Illegal::NotTouching(square("d7")));
    // d6 touches Black's rook alone, c3 White's king alone.
    assert!(Xadrersi.is_legal(&state, action("Rd6")));
    assert!(Xadrersi.is_legal(&state, action("Rc3")));
}

#[test]
fn a_side_places_no_more_than_it_has() {
    let state = after("Kd4 Rd5 Rd6 Re5 Re6 Nc5");
    assert_eq!(refusal(&state, "Rc6"), Illegal::NoneLeft(Kind::Rook));
    assert_eq!(refusal(&state, "Kc6"), Illegal::NoneLeft(Kind::King));
    let state = after("Kd4 Rd5 Rd6 Re5 Re6");
    assert_eq!(refusal(&state, "Rc6"), Illegal::NoneLeft(Kind::Rook));
    let state = after("Kd4 Qd5 Qd6 Re5");
    assert_eq!(refusal(&state, "Qe6"), Illegal::NoneLeft(Kind::Queen));
}

#[test]
fn kings_are_placed_first_and_last_and_at_no_other_time() {
    let out_of_time = |kind, ply| Illegal::KingOutOfTime { kind, ply };
    let state = Xadrersi.initial();
    for (text, kind) in [("Qd4", Kind::Queen), ("Na1", Kind::Knight)] {
        assert_eq!(refusal(&state, text), out_of_time(kind, 0));
    }
    let state = after("Kd4");
    assert_eq!(refusal(&state, "Kd5"), out_of_time(Kind::King, 1));
    let state = after("Kd4 Qd5 Qd6");
    assert_eq!(refusal(&state, "Ke5"), out_of_time(Kind::King, 3));
}

#[test]
fn a_queen_calls_for_the_other_queen_at_once() {
    let mut state = after("Kd4");
    let played = Xadrersi.play(&mut state, action("Qd5")).unwrap();
    assert!(played.queen_called);
    assert_eq!(refusal(&state, "Rd3"), Illegal::QueenCall(Kind::Rook));
    let mut legal = Vec::new();
    Xadrersi.legal_actions(&state, &mut legal);
    assert!(
        legal
            .iter()
            .all(|action| action.index() / 64 == Kind::Queen.index())
    );
    let played = Xadrersi.play(&mut state, action("Qd3")).unwrap();
    assert!(!played.queen_called, "the answer is no call");
    assert!(Xadrersi.is_legal(&state, action("Rd2")));
    // White may call as well.
    let state = after("Kd4 Rd5 Qd3");
    assert_eq!(refusal(&state, "Rd2"), Illegal::QueenCall(Kind::Rook));
    assert!(Xadrersi.is_legal(&state, action("Qd2")));
}

#[test]
fn the_bishops_of_a_side_stand_on_different_colours() {
    let state = after("Kd4 Bd5 Be3 Nd6");
    let one_colour = Illegal::BishopsOnOneColour {
        square: square("c5"),
        other: square("e3"),
    };
    assert_eq!(refusal(&state, "Bc5"), one_colour);
    assert!(Xadrersi.is_legal(&state, action("Be4")), "the other colour");
    // A bishop of each side may stand on one colour.
    let state = after("Kd4 Bd5 Be4");
    assert_eq!(
        state.piece(square("e4")),
        Some((Player::First, Kind::Bishop))
    );
}

/// Before White's last piece, a knight: a1 is empty and has no empty neighbour.
const BEFORE_THE_LAST: &str = "8/8/8/8/8/8/qrrbbnn1/1KQRRBBN:-";

#[test]
fn the_last_piece_of_white_leaves_a_square_for_blacks_king() {
    let mut state = Xadrersi.parse_state(BEFORE_THE_LAST).unwrap();
    assert_eq!(
        refusal(&state, "Na1"),
        Illegal::NoSquareForKing(square("a1"))
    );
    let mut legal = Vec::new();
    Xadrersi.legal_actions(&state, &mut legal);
    let texts = legal.iter().map(|&id| Xadrersi.action_text(&state, id));
    let expected = "Nh2 Na3 Nb3 Nc3 Nd3 Ne3 Nf3 Ng3 Nh3";
    assert!(texts.eq(expected.split(' ')));
    Xadrersi.play(&mut state, action("Nh2")).unwrap();
    assert_eq!(state.anchor(), Some(square("h2")));
}

#[test]
fn blacks_king_touches_the_last_piece_of_white() {
    let mut state = Xadrersi.parse_state(BEFORE_THE_LAST).unwrap();
    Xadrersi.play(&mut state, action("Nh2")).unwrap();
    // a1 and a3 touch Black's queen, d5 nothing.
    for text in ["a1", "a3", "d5"] {
        let (square, last) = (square(text), square("h2"));
        let expected = Illegal::KingNotTouchingLast { square, last };
        assert_eq!(refusal(&state, &format!("K{text}")), expected);
    }
    assert_eq!(refusal(&state, "Kg2"), Illegal::Occupied(square("g2")));
    assert_eq!(refusal(&state, "Ng3"), Illegal::NoneLeft(Kind::Knight));
    let mut legal = Vec::new();
    Xadrersi.legal_actions(&state, &mut legal);
    assert_eq!(legal, [action("Kg3"), action("Kh3")]);
    let played = Xadrersi.play(&mut state, action("Kh3")).unwrap();
    assert_eq!((state.anchor(), played.next), (None, None));
    assert_eq!(refusal(&state, "Ka1"), Illegal::GameOver);
    let outcome = Xadrersi.outcome(&state).unwrap();
    assert_eq!(outcome.points, Some(played.points));
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
        "White's king stands between it and his queen"
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

/// The rules in the words of a child: a list of pieces in the order in which they were placed.
#[derive(Default)]
struct Naive {
    /// (kind's letter, file, rank); the even ones are White's.
    pieces: Vec<(char, i32, i32)>,
}

const LETTERS: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

fn stock(letter: char) -> usize {
    if "KQ".contains(letter) { 1 } else { 2 }
}

impl Naive {
    fn at(&self, file: i32, rank: i32) -> Option<usize> {
        let here = |&(_, f, r): &(char, i32, i32)| f == file && r == rank;
        self.pieces.iter().position(here)
    }

    fn is_empty(&self, file: i32, rank: i32) -> bool {
        (0..8).contains(&file) && (0..8).contains(&rank) && self.at(file, rank).is_none()
    }

    fn of_side(&self, side: usize) -> impl Iterator<Item = (char, i32, i32)> {
        self.pieces.iter().copied().skip(side).step_by(2)
    }

    fn left(&self, side: usize, letter: char) -> usize {
        stock(letter) - self.of_side(side).filter(|piece| piece.0 == letter).count()
    }

    fn touches(&self, file: i32, rank: i32, piece: (char, i32, i32)) -> bool {
        (file - piece.1).abs().max((rank - piece.2).abs()) == 1
    }

    fn is_legal(&self, letter: char, file: i32, rank: i32) -> bool {
        let ply = self.pieces.len();
        let side = ply % 2;
        if ply == 16 || !self.is_empty(file, rank) || self.left(side, letter) == 0 {
            return false;
        }
        if ply == 0 {
            return letter == 'K';
        }
        if ply == 15 {
            return letter == 'K' && self.touches(file, rank, self.pieces[14]);
        }
        let called = self.left(side, 'Q') == 1 && self.left(1 - side, 'Q') == 0;
        let on_this_colour =
            |piece: (char, i32, i32)| piece.0 == 'B' && (piece.1 + piece.2 + file + rank) % 2 == 0;
        let leaves_a_square = || {
            (-1..=1).any(|df| {
                (-1..=1).any(|dr| (df, dr) != (0, 0) && self.is_empty(file + df, rank + dr))
            })
        };
        letter != 'K'
            && self
                .pieces
                .iter()
                .any(|&piece| self.touches(file, rank, piece))
            && (!called || letter == 'Q')
            && (letter != 'B' || !self.of_side(side).any(on_this_colour))
            && (ply != 14 || leaves_a_square())
    }

    /// How many pieces of the side attack the square, 0 where a piece stands.
    fn attackers(&self, side: usize, file: i32, rank: i32) -> usize {
        let attacks = |&(letter, f, r): &(char, i32, i32)| {
            let (df, dr) = (file - f, rank - r);
            let distance = df.abs().max(dr.abs());
            let straight = df == 0 || dr == 0;
            let diagonal = df.abs() == dr.abs();
            let in_line = match letter {
                'K' => return distance == 1,
                'N' => return df.abs() * dr.abs() == 2,
                'R' => straight,
                'B' => diagonal,
                _ => straight || diagonal,
            };
            let between = |i: i32| self.is_empty(f + i * df.signum(), r + i * dr.signum());
            in_line && (1..distance).all(between)
        };
        if !self.is_empty(file, rank) {
            return 0;
        }
        self.of_side(side).filter(attacks).count()
    }

    fn points(&self, side: usize) -> i32 {
        let all = (0..64).map(|id| self.attackers(side, id % 8, id / 8) as i32);
        all.sum()
    }

    fn legal(&self) -> Vec<ActionId> {
        let ids = (0..320).filter(|id| {
            let square = id % 64;
            self.is_legal(LETTERS[(id / 64) as usize], square % 8, square / 8)
        });
        ids.map(|id| ActionId(id as u32)).collect()
    }

    /// The planes, as `plane_descriptions` tells them.
    fn observation(&self) -> Vec<f32> {
        let mover = self.pieces.len() % 2;
        let sides = [mover, 1 - mover];
        let mut values: Vec<f32> = Vec::new();
        let mut plane = |value: &dyn Fn(i32, i32) -> f32| {
            values.extend((0..64).map(|id| value(id % 8, id / 8)));
        };
        for side in sides {
            for letter in LETTERS {
                plane(&|file, rank| {
                    f32::from(self.of_side(side).any(|p| p == (letter, file, rank)))
                });
            }
        }
        plane(&|file, rank| f32::from("KQRN".chars().any(|l| self.is_legal(l, file, rank))));
        plane(&|file, rank| f32::from(self.is_legal('B', file, rank)));
        plane(&|file, rank| f32::from(self.pieces.len() == 15 && self.at(file, rank) == Some(14)));
        for side in sides {
            plane(&|file, rank| self.attackers(side, file, rank) as f32 / 8.0);
        }
        for side in sides {
            for letter in ['Q', 'R', 'B', 'N'] {
                plane(&|_, _| self.left(side, letter) as f32 / stock(letter) as f32);
            }
        }
        plane(&|_, _| f32::from(mover == 0));
        plane(&|_, _| self.pieces.len() as f32 / 16.0);
        let lead = (self.points(mover) - self.points(1 - mover)) as f32 / 105.0;
        plane(&|_, _| lead);
        values
    }
}

#[test]
fn bit_operations_play_as_a_list_of_pieces_does() {
    let mut observation = vec![0.0; Xadrersi.observation_shape().iter().product()];
    for index in 0..60 {
        let mut rng = stream(0, "naive xadrersi", index);
        let (mut state, mut naive) = (Xadrersi.initial(), Naive::default());
        let mut legal = Vec::new();
        loop {
            let place = Xadrersi.state_text(&state);
            Xadrersi.legal_actions(&state, &mut legal);
            assert_eq!(legal, naive.legal(), "{place}");
            let points = [naive.points(0), naive.points(1)];
            assert_eq!(Xadrersi.points(&state), Some(points), "{place}");
            assert!(points.into_iter().all(|points| points <= MAX_POINTS));
            let counts = Xadrersi.counted_squares(&state);
            for id in 0..64 {
                let expected = [0, 1].map(|side| naive.attackers(side, id % 8, id / 8));
                assert_eq!(counts.map(|side| usize::from(side[id as usize])), expected);
            }
            Xadrersi.write_observation(&state, &mut observation);
            assert_eq!(observation, naive.observation(), "{place}");
            if legal.is_empty() {
                break;
            }
            let id = legal[rng.random_range(0..legal.len())].0 as i32;
            let played = Xadrersi.play(&mut state, ActionId(id as u32)).unwrap();
            naive
                .pieces
                .push((LETTERS[(id / 64) as usize], id % 8, id % 64 / 8));
            assert_eq!(played.points, [naive.points(0), naive.points(1)]);
        }
        assert_eq!(naive.pieces.len(), 16);
        let winner = match naive.points(0) - naive.points(1) {
            0 => None,
            lead => Some(Player::BOTH[usize::from(lead < 0)]),
        };
        assert_eq!(Xadrersi.outcome(&state).unwrap().winner, winner);
    }
}

#[test]
fn a_position_is_drawn_with_the_squares_that_count() {
    let state = after("Kb2 Nc3");
    assert_eq!(Xadrersi.state_text(&state), "8/8/8/8/8/2n5/1K6/8:-");
    let expected = "     a   b   c   d   e   f   g   h\n\
                    8    .   .   .   .   .   .   .   .    8\n\
                    7    .   .   .   .   .   .   .   .    7\n\
                    6    .   .   .   .   .   .   .   .    6\n\
                    5    .  0:1  .  0:1  .   .   .   .    5\n\
                    4   0:1  .   .   .  0:1  .   .   .    4\n\
                    3   1:0 1:0  n   .   .   .   .   .    3\n\
                    2   1:1  K  1:0  .  0:1  .   .   .    2\n\
                    1   1:0 1:1 1:0 0:1  .   .   .   .    1\n\
                    \x20    a   b   c   d   e   f   g   h\n";
    assert_eq!(Xadrersi.draw(&state), expected);
    assert_eq!(
        Xadrersi.remarks(&state),
        [
            "player 0: 7 points: a1 b1 c1 a2 c2 a3 b3",
            "player 1: 8 points: b1 d1 a2 e2 a4 e4 b5 d5",
            "player 0 holds QRRBBNN",
            "player 1 holds kqrrbbn",
        ]
    );
    let duties = |state: &State| Xadrersi.remarks(state).split_off(4);
    let called = after("Kd4 Qd5");
    assert_eq!(duties(&called), ["player 0 must answer with the queen"]);
    let mut last = Xadrersi.parse_state(BEFORE_THE_LAST).unwrap();
    Xadrersi.play(&mut last, action("Nh2")).unwrap();
    assert_eq!(duties(&last), ["Black's king must touch h2"]);
}

#[test]
fn contradictions_in_a_state_are_named() {
    for (text, part) in [
        ("8/8/8/8/8/8/8:-", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/8", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/9:-", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/44:-", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/8K:-", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/7P:-", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/8:z9", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/KKn5/rn6:-", "at most a king"),
        ("8/8/8/8/8/8/K7/NB6:-", "or one more"),
        ("8/8/8/8/8/8/n7/8:-", "or one more"),
        ("8/8/8/8/8/8/Nn6/8:-", "White's king before"),
        ("8/8/8/8/8/8/Kk6/8:-", "Black's king after"),
        ("8/8/8/8/8/B1B5/Kn6/n7:-", "different colours"),
        ("8/8/8/8/8/8/KQ6/nr6:-", "a queen of both"),
        ("8/8/8/8/8/8/K1n5/8:-", "touch each other"),
        ("8/8/8/8/8/8/Kn6/8:a2", "else '-'"),
        ("8/8/8/8/8/8/qrrbbnnN/1KQRRBBN:-", "else '-'"),
        // Another piece's square; the king's; one that was needed before; one without a square.
        ("8/8/8/8/8/8/qrrbbnnN/1KQRRBBN:a2", "a last piece of White"),
        ("8/8/8/8/8/8/qrrbbnnN/1KQRRBBN:b1", "a last piece of White"),
        (
            "8/8/8/8/nnN5/3R4/qrrbb3/1KQRBBN1:d3",
            "a last piece of White",
        ),
        ("8/8/8/8/8/8/qrrbbnn1/NKQRRBBN:a1", "a last piece of White"),
        ("k7/8/8/8/8/8/qrrbbnnN/1KQRRBBN:-", "touch each other"),
        ("8/8/8/8/8/k7/qrrbbnnN/1KQRRBBN:-", "Black's king beside"),
    ] {
        let error = Xadrersi.parse_state(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn an_action_is_a_piece_and_a_square() {
    assert_eq!(action("Ka1"), ActionId(0));
    assert_eq!(action("Qd4"), ActionId(64 + 27));
    assert_eq!(action(" nh8 "), ActionId(319));
    for text in [
        "", "Q", "Qd", "Qd9", "Qi1", "Pd4", "Qd44", "d4", "QD4", "Qé",
    ] {
        let read = Xadrersi.parse_action(&Xadrersi.initial(), text);
        assert!(read.is_err(), "{text}");
    }
}
