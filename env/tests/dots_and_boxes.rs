//! The bit operations of Dots and Boxes against a plain reimplementation on sets of coordinates,
//! which shares nothing with them but the action numbers of the rules' document.

use rand::RngExt;
use std::collections::{BTreeMap, BTreeSet};
use tablero_env::IdSet;
use tablero_env::dots_and_boxes::{BoxId, DotsAndBoxes, MAX_SIDE};
use tablero_env::random::stream;
use tablero_env::{ActionId, Encode, Game, Notation, Outcome, Player, playout};

/// A dot: (row, column).
type Dot = (usize, usize);

/// The sides of the box with this top left dot.
fn lines_around((row, col): Dot) -> [(Dot, Dot); 4] {
    [
        ((row, col), (row, col + 1)),
        ((row + 1, col), (row + 1, col + 1)),
        ((row, col), (row + 1, col)),
        ((row, col + 1), (row + 1, col + 1)),
    ]
}

/// The rules in the words of a child: lines between dots, boxes with names in them.
struct Naive {
    rows: usize,
    cols: usize,
    lines: BTreeSet<(Dot, Dot)>,
    names: BTreeMap<Dot, usize>,
    to_move: usize,
}

impl Naive {
    fn new(rows: usize, cols: usize) -> Self {
        Naive {
            rows,
            cols,
            lines: BTreeSet::new(),
            names: BTreeMap::new(),
            to_move: 0,
        }
    }

    /// Every line of the board in the order of the action ids: horizontal ones row by row, then
    /// vertical ones row by row.
    fn all_lines(&self) -> Vec<(Dot, Dot)> {
        let mut lines = Vec::new();
        for row in 0..=self.rows {
            for col in 0..self.cols {
                lines.push(((row, col), (row, col + 1)));
            }
        }
        for row in 0..self.rows {
            for col in 0..=self.cols {
                lines.push(((row, col), (row + 1, col)));
            }
        }
        lines
    }

    /// How many sides the box with this top left dot has.
    fn sides(&self, dot: Dot) -> usize {
        let lines = lines_around(dot);
        lines
            .iter()
            .filter(|line| self.lines.contains(line))
            .count()
    }

    fn boxes(&self) -> impl Iterator<Item = Dot> {
        (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| (row, col)))
    }

    /// Whether a line that is not drawn would give no box its third or fourth side.
    fn is_safe(&self, line: (Dot, Dot)) -> bool {
        let mut touched = self
            .boxes()
            .filter(|&dot| lines_around(dot).contains(&line));
        !self.lines.contains(&line) && touched.all(|dot| self.sides(dot) <= 1)
    }

    /// The boxes with two or three sides that hang together with this one.
    fn string_of(&self, dot: Dot) -> BTreeSet<Dot> {
        let hangs = |dot: &Dot| [2, 3].contains(&self.sides(*dot));
        let mut string = BTreeSet::new();
        let mut rest: Vec<Dot> = [dot].into_iter().filter(hangs).collect();
        while let Some(dot) = rest.pop() {
            if string.insert(dot) {
                let next = |other: &Dot| hangs(other) && self.links(dot, *other) > 0;
                rest.extend(self.boxes().filter(next));
            }
        }
        string
    }

    /// Lines that are not drawn between two boxes.
    fn links(&self, one: Dot, other: Dot) -> usize {
        let between = |line: &&(Dot, Dot)| {
            one != other && lines_around(other).contains(line) && !self.lines.contains(line)
        };
        lines_around(one).iter().filter(between).count()
    }

    /// Chains of at least three boxes: strings that are no rings.
    fn n_long_chains(&self) -> usize {
        let strings: BTreeSet<BTreeSet<Dot>> =
            self.boxes().map(|dot| self.string_of(dot)).collect();
        let is_chain = |string: &&BTreeSet<Dot>| {
            let pairs = string
                .iter()
                .flat_map(|&one| string.iter().map(move |&other| (one, other)));
            let n_links: usize = pairs.map(|(one, other)| self.links(one, other)).sum();
            // Each link was counted from both ends.
            string.len() >= 3 && n_links / 2 < string.len()
        };
        strings.iter().filter(is_chain).count()
    }

    /// Draws a line; returns the boxes that get a name, row by row.
    fn draw(&mut self, line: (Dot, Dot)) -> Vec<Dot> {
        assert!(self.lines.insert(line), "drawn twice");
        let mut taken = Vec::new();
        for row in 0..self.rows {
            for col in 0..self.cols {
                if self.sides((row, col)) == 4 && !self.names.contains_key(&(row, col)) {
                    self.names.insert((row, col), self.to_move);
                    taken.push((row, col));
                }
            }
        }
        if taken.is_empty() {
            self.to_move = 1 - self.to_move;
        }
        taken
    }

    fn points(&self) -> [i32; 2] {
        [0, 1].map(|player| self.names.values().filter(|&&name| name == player).count() as i32)
    }

    /// The planes, as `plane_descriptions` tells them.
    fn observation(&self) -> Vec<f32> {
        let points = self.points();
        let lead = (points[self.to_move] - points[1 - self.to_move]) as f32
            / (self.rows * self.cols) as f32;
        let n_safe = self
            .all_lines()
            .into_iter()
            .filter(|&line| self.is_safe(line))
            .count();
        let n_long_chains = self.n_long_chains();
        let mut values = Vec::new();
        for plane in 0..15 {
            for row in 0..=self.rows {
                for col in 0..=self.cols {
                    let above = (col < self.cols).then_some(((row, col), (row, col + 1)));
                    let left = (row < self.rows).then_some(((row, col), (row + 1, col)));
                    let is_box = row < self.rows && col < self.cols;
                    let sides = self.sides((row, col));
                    values.push(match plane {
                        0 => above.is_some_and(|line| self.lines.contains(&line)).into(),
                        1 => left.is_some_and(|line| self.lines.contains(&line)).into(),
                        2 => above.is_some_and(|line| !self.lines.contains(&line)).into(),
                        3 => left.is_some_and(|line| !self.lines.contains(&line)).into(),
                        4 => (is_box && sides <= 1).into(),
                        5 => (is_box && sides == 2).into(),
                        6 => (is_box && sides == 3).into(),
                        7 => (is_box && sides == 4).into(),
                        8 => above.is_some_and(|line| self.is_safe(line)).into(),
                        9 => left.is_some_and(|line| self.is_safe(line)).into(),
                        10 => (is_box && self.string_of((row, col)).len() >= 3).into(),
                        11 => ((self.all_lines().len() - self.lines.len()) % 2) as f32,
                        12 => (n_safe % 2) as f32,
                        13 => (n_long_chains % 2) as f32,
                        _ => lead,
                    });
                }
            }
        }
        values
    }
}

fn compare_a_random_game(rows: usize, cols: usize) {
    let game = DotsAndBoxes::new(rows, cols).unwrap();
    let mut state = game.initial();
    let mut naive = Naive::new(rows, cols);
    let lines = naive.all_lines();
    assert_eq!(game.n_actions(), lines.len());
    let mut rng = stream(0, "naive", (rows * 100 + cols) as u64);
    let mut observation = vec![0.0; game.observation_shape().iter().product()];
    let mut legal = Vec::new();
    loop {
        let place = format!("{rows}x{cols}: {}", game.state_text(&state));
        let undrawn: Vec<ActionId> = (0..lines.len())
            .filter(|&id| !naive.lines.contains(&lines[id]))
            .map(ActionId::from)
            .collect();
        game.legal_actions(&state, &mut legal);
        assert_eq!(legal, undrawn, "{place}");
        assert_eq!(game.points(&state), Some(naive.points()), "{place}");
        assert_eq!(
            game.player_to_move(&state).index(),
            naive.to_move,
            "{place}"
        );
        for row in 0..rows {
            for col in 0..cols {
                let owner = game.owner(&state, row, col).map(Player::index);
                assert_eq!(owner, naive.names.get(&(row, col)).copied(), "{place}");
            }
        }
        game.write_observation(&state, &mut observation);
        assert_eq!(observation, naive.observation(), "{place}");
        if legal.is_empty() {
            break;
        }
        assert_eq!(game.outcome(&state), None, "{place}");
        let action = legal[rng.random_range(0..legal.len())];
        let played = game.play(&mut state, action).unwrap();
        let taken = naive.draw(lines[action.index()]);
        let expected: Vec<BoxId> = taken
            .iter()
            .map(|(row, col)| BoxId((row * cols + col) as u8))
            .collect();
        assert_eq!(played.captured.as_slice(), expected, "{place}");
        let goes_on = naive.lines.len() < lines.len();
        let next = played.next.map(Player::index);
        assert_eq!(next, goes_on.then_some(naive.to_move), "{place}");
    }
    let [first, second] = naive.points();
    let winner = match first - second {
        1.. => Some(Player::First),
        0 => None,
        _ => Some(Player::Second),
    };
    let points = Some([first, second]);
    assert_eq!(game.outcome(&state), Some(Outcome { winner, points }));
    assert_eq!((first + second) as usize, rows * cols);
}

#[test]
fn bit_operations_play_as_sets_of_lines_do_on_every_board() {
    for rows in 1..=MAX_SIDE {
        for cols in 1..=MAX_SIDE {
            compare_a_random_game(rows, cols);
        }
    }
}

/// How many of all orders in which the undrawn edges can be drawn are won by each player, and
/// how many are drawn: `[first, second, draw]`.
fn results_of_all_orders(
    game: &DotsAndBoxes,
    naive_depth: usize,
    order: &mut Vec<usize>,
) -> [u64; 3] {
    if naive_depth == 0 {
        let mut naive = Naive::new(game.rows(), game.cols());
        let lines = naive.all_lines();
        order.iter().for_each(|&id| {
            naive.draw(lines[id]);
        });
        let [first, second] = naive.points();
        return [first > second, second > first, first == second].map(u64::from);
    }
    let mut sum = [0; 3];
    for id in 0..game.n_edges() {
        if !order.contains(&id) {
            order.push(id);
            let counts = results_of_all_orders(game, naive_depth - 1, order);
            (0..3).for_each(|result| sum[result] += counts[result]);
            order.pop();
        }
    }
    sum
}

#[test]
fn playouts_and_sampled_games_are_uniform_over_all_orders() {
    const N_GAMES: u64 = 100_000;
    let game = DotsAndBoxes::new(1, 2).unwrap();
    let exact = results_of_all_orders(&game, 7, &mut Vec::new());
    assert_eq!(exact.iter().sum::<u64>(), 5040, "7! orders of the edges");
    let mut rng = stream(0, "uniform", 0);
    let mut buffer = Vec::new();
    let mut counts = [[0; 3]; 2];
    for _ in 0..N_GAMES {
        let shuffled = playout(&game, &mut game.initial(), &mut buffer, &mut rng);
        let mut state = game.initial();
        while !game.is_over(&state) {
            let action = game.sample_action(&state, &mut buffer, &mut rng);
            game.play_unchecked(&mut state, action);
        }
        let sampled = game.outcome(&state).unwrap();
        for (counts, outcome) in counts.iter_mut().zip([shuffled, sampled]) {
            counts[outcome.winner.map_or(2, Player::index)] += 1;
        }
    }
    for counts in counts {
        for result in 0..3 {
            let probability = exact[result] as f64 / 5040.0;
            let mean = probability * N_GAMES as f64;
            let deviation = (mean * (1.0 - probability)).sqrt();
            let off = (f64::from(counts[result]) - mean).abs();
            assert!(
                off < 4.0 * deviation,
                "{counts:?} of {N_GAMES}, exact {exact:?} of 5040"
            );
        }
    }
}

#[test]
fn a_state_is_made_of_parts_that_fit() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let mut all = IdSet::default();
    (0..12).for_each(|edge| all.insert(edge));
    let state = game.state_from_parts(all, 0b0110, Player::First).unwrap();
    assert_eq!(game.points(&state), Some([2, 2]));
    let mut beyond = IdSet::default();
    beyond.insert(12);
    for (edges, taken) in [
        (beyond, 0),
        (IdSet::default(), 1),
        (all, 0b1_0000),
        (all, 1 << 127),
    ] {
        assert_eq!(game.state_from_parts(edges, taken, Player::First), None);
    }
}
