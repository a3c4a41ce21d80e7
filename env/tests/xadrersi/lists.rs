//! The same game on a list of pieces.

use rand::RngExt;
use tablero_env::random::stream;
use tablero_env::xadrersi::{MAX_POINTS, Xadrersi};
use tablero_env::{ActionId, Encode, Game, Notation, Player};

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
