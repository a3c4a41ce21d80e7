//! Dots and Boxes: points, and who will have to open the chains.
//!
//! An edge is *safe* when drawing it leaves no box with three sides. The players draw safe edges
//! until none is left; then whoever is to move must open a chain, and the game is decided by who
//! that is and by what the chains are worth (Berlekamp, "The Dots-and-Boxes Game", 2000).
//!
//! - While there are safe edges: the lead in points, the boxes that the mover can take now, and
//!   a bonus for the player who will draw the last safe edge if all of them stay safe, which
//!   depends on whether their number is odd: the parity fight.
//! - When there are none: the lead, and what the player in control wins from the chains and
//!   loops, opened one after the other, the cheapest first. Of an opened long chain he takes all
//!   boxes, or all but two to make the opponent open the next (*double-dealing*); of a loop all,
//!   or all but four. Pieces that are neither, because a box with three open sides joins them,
//!   count as a chain of as many boxes.
//!
//! A capture sequence is not judged but played out: see
//! [`forcing_actions`](Heuristic::forcing_actions).

use crate::heuristic::{Baseline, Heuristic};
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::{ActionId, Game};

/// The evaluation's unit: so many make one box.
pub const UNITS_PER_BOX: i32 = 100;

/// What drawing the last safe edge is worth.
const PARITY_BONUS: i32 = UNITS_PER_BOX;

/// The evaluation, in hundredths of a box.
#[derive(Clone, Debug)]
pub struct ChainsAndParity {
    cols: u32,
    n_horizontal: u32,
    /// Bit b: box b exists.
    boxes: u128,
    top_row: u128,
    bottom_row: u128,
    left_column: u128,
    right_column: u128,
}

impl Baseline for DotsAndBoxes {
    type Heuristic = ChainsAndParity;

    fn heuristic(&self) -> ChainsAndParity {
        let boxes_where = |condition: &dyn Fn(usize, usize) -> bool| {
            (0..self.n_boxes())
                .filter(|id| condition(id / self.cols(), id % self.cols()))
                .fold(0u128, |set, id| set | 1 << id)
        };
        ChainsAndParity {
            cols: self.cols() as u32,
            n_horizontal: self.n_horizontal() as u32,
            boxes: boxes_where(&|_, _| true),
            top_row: boxes_where(&|row, _| row == 0),
            bottom_row: boxes_where(&|row, _| row + 1 == self.rows()),
            left_column: boxes_where(&|_, col| col == 0),
            right_column: boxes_where(&|_, col| col + 1 == self.cols()),
        }
    }
}

/// The undrawn sides of all boxes at once, bit b for box b.
struct OpenSides {
    top: u128,
    bottom: u128,
    left: u128,
    right: u128,
}

impl OpenSides {
    /// The boxes with exactly one open side: they can be taken now.
    fn capturable(&self) -> u128 {
        let (one_of_rows, both_rows) = (self.top ^ self.bottom, self.top & self.bottom);
        let (one_of_cols, both_cols) = (self.left ^ self.right, self.left & self.right);
        (one_of_rows ^ one_of_cols) & !both_rows & !both_cols
    }

    /// The boxes with three or four open sides: an edge between two of them is safe.
    fn roomy(&self) -> u128 {
        let (either_row, both_rows) = (self.top | self.bottom, self.top & self.bottom);
        let (either_col, both_cols) = (self.left | self.right, self.left & self.right);
        (both_rows & either_col) | (both_cols & either_row)
    }
}

/// A piece of the board that no safe edge divides: unfinished boxes connected through open
/// sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    /// One or two boxes: whoever is given them must open the next piece himself.
    Short(i32),
    /// A ring of so many boxes.
    Loop(i32),
    /// Three boxes or more.
    Chain(i32),
}

impl Piece {
    /// What the player in control wins from the opening of this piece on, when the pieces after
    /// it will bring `rest` to the player who does not open them.
    fn value(self, rest: i32) -> i32 {
        match self {
            Piece::Short(n) => n - rest,
            Piece::Chain(n) => n - 2 + (rest - 2).abs(),
            Piece::Loop(n) => n - 4 + (rest - 4).abs(),
        }
    }
}

impl ChainsAndParity {
    fn open_sides(&self, state: &State) -> OpenSides {
        let [a, b, c, d] = state.edges().0.map(u128::from);
        let (low, high) = (a | b << 64, c | d << 64);
        let vertical = low >> self.n_horizontal | high << (128 - self.n_horizontal);
        // A row of boxes has one vertical edge more than it has boxes.
        let (mut left, mut right) = (0, 0);
        let row_mask = (1 << self.cols) - 1;
        for row in 0..(self.n_horizontal / self.cols - 1) {
            let edges = vertical >> (row * (self.cols + 1));
            left |= (edges & row_mask) << (row * self.cols);
            right |= (edges >> 1 & row_mask) << (row * self.cols);
        }
        OpenSides {
            top: self.boxes & !low,
            bottom: self.boxes & !(low >> self.cols),
            left: self.boxes & !left,
            right: self.boxes & !right,
        }
    }

    /// The number of edges that can be drawn without leaving a box with three sides.
    fn n_safe_edges(&self, open: &OpenSides) -> u32 {
        let roomy = open.roomy();
        let above_roomy = roomy << self.cols | self.top_row;
        let left_of_roomy = (roomy & !self.right_column) << 1 | self.left_column;
        (roomy & open.top & above_roomy).count_ones()
            + (roomy & open.bottom & self.bottom_row).count_ones()
            + (roomy & open.left & left_of_roomy).count_ones()
            + (roomy & open.right & self.right_column).count_ones()
    }

    /// All boxes connected with `seed` through open sides.
    fn connected(&self, open: &OpenSides, seed: u128) -> u128 {
        let mut piece = seed;
        loop {
            let grown = piece
                | (piece & open.top) >> self.cols
                | (piece & open.bottom) << self.cols & self.boxes
                | (piece & open.left & !self.left_column) >> 1
                | (piece & open.right & !self.right_column) << 1;
            if grown == piece {
                return piece;
            }
            piece = grown;
        }
    }

    fn is_loop(&self, open: &OpenSides, piece: u128) -> bool {
        let to_the_border = piece
            & (open.top & self.top_row
                | open.bottom & self.bottom_row
                | open.left & self.left_column
                | open.right & self.right_column);
        to_the_border == 0 && piece & open.roomy() == 0
    }

    /// What the mover wins from here on when there is no safe edge.
    fn endgame(&self, open: &OpenSides) -> i32 {
        let capturable = open.capturable();
        let mut unseen = open.top | open.bottom | open.left | open.right;
        let mut on_offer = 0;
        let mut pieces = arrayvec::ArrayVec::<Piece, 128>::new();
        while unseen != 0 {
            let piece = self.connected(open, unseen & unseen.wrapping_neg());
            unseen &= !piece;
            let n = piece.count_ones() as i32;
            if piece & capturable != 0 {
                on_offer += n;
            } else if self.is_loop(open, piece) {
                pieces.push(Piece::Loop(n));
            } else if n > 2 {
                pieces.push(Piece::Chain(n));
            } else {
                pieces.push(Piece::Short(n));
            }
        }
        // Opened in ascending order, so valued from the last to the first.
        pieces.sort_unstable();
        let rest = pieces.iter().rev().fold(0, |rest, piece| piece.value(rest));
        if on_offer == 0 {
            -rest
        } else if on_offer == 1 {
            1 - rest
        } else {
            Piece::Chain(on_offer).value(rest)
        }
    }
}

impl Heuristic<DotsAndBoxes> for ChainsAndParity {
    fn evaluate(&self, game: &DotsAndBoxes, state: &State) -> i32 {
        let open = self.open_sides(state);
        let [first, second] = game.points(state).expect("Dots and Boxes has points");
        let n_safe = self.n_safe_edges(&open);
        let for_mover = if n_safe == 0 {
            self.endgame(&open) * UNITS_PER_BOX
        } else {
            let takes = open.capturable().count_ones() as i32 * UNITS_PER_BOX;
            takes
                + if n_safe % 2 == 1 {
                    PARITY_BONUS
                } else {
                    -PARITY_BONUS
                }
        };
        let sign = i32::from(game.player_to_move(state).sign());
        (first - second) * UNITS_PER_BOX + sign * for_mover
    }

    /// The capture with the lowest id, if there is one. Captures do not exclude each other, and
    /// taking all of them ends in the same position whatever the order: one stands for all.
    fn forcing_actions(&self, game: &DotsAndBoxes, state: &State, out: &mut Vec<ActionId>) {
        out.clear();
        let capturable = self.open_sides(state).capturable();
        let edges = state.edges();
        let mut boxes = capturable;
        let mut lowest: Option<usize> = None;
        while boxes != 0 {
            let id = boxes.trailing_zeros() as usize;
            boxes &= boxes - 1;
            let sides = game.sides(id / game.cols(), id % game.cols());
            let open = sides.into_iter().find(|&side| !edges.contains(side));
            lowest = match (lowest, open) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        out.extend(lowest.map(ActionId::from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_EVALUATION, Solvable, Solver};
    use tablero_env::dots_and_boxes::EdgeSet;
    use tablero_env::random::stream;
    use tablero_env::{Encode, Player};

    const BOARDS: [(usize, usize); 7] = [(1, 1), (1, 5), (5, 1), (2, 3), (4, 4), (7, 3), (10, 10)];

    /// Positions along random games.
    fn random_states(game: &DotsAndBoxes, n_games: u64) -> Vec<State> {
        let mut states = Vec::new();
        for index in 0..n_games {
            let mut rng = stream(3, "evaluation test", index);
            let mut state = game.initial();
            let mut buffer = Vec::new();
            while !game.is_over(&state) {
                states.push(state.clone());
                let action = game.sample_action(&state, &mut buffer, &mut rng);
                game.play_unchecked(&mut state, action);
            }
        }
        states
    }

    /// The open sides of each box, one by one.
    fn n_open_sides(game: &DotsAndBoxes, edges: &EdgeSet) -> Vec<usize> {
        (0..game.n_boxes())
            .map(|id| {
                let sides = game.sides(id / game.cols(), id % game.cols());
                sides.iter().filter(|&&side| !edges.contains(side)).count()
            })
            .collect()
    }

    #[test]
    fn boxes_and_edges_are_counted_as_if_one_by_one() {
        for (rows, cols) in BOARDS {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let heuristic = game.heuristic();
            for state in random_states(&game, 3) {
                let open = heuristic.open_sides(&state);
                let n_open = n_open_sides(&game, &state.edges());
                let boxes_with = |wanted: &dyn Fn(usize) -> bool| {
                    let ids = (0..n_open.len()).filter(|&id| wanted(n_open[id]));
                    ids.fold(0u128, |set, id| set | 1 << id)
                };
                assert_eq!(open.capturable(), boxes_with(&|n| n == 1));
                assert_eq!(open.roomy(), boxes_with(&|n| n >= 3));
                let n_safe = game.undrawn(&state).iter().filter(|&edge| {
                    let mut drawn = state.edges();
                    drawn.insert(edge);
                    let after = n_open_sides(&game, &drawn);
                    (0..n_open.len()).all(|id| after[id] == n_open[id] || after[id] > 1)
                });
                assert_eq!(heuristic.n_safe_edges(&open) as usize, n_safe.count());
            }
        }
    }

    #[test]
    fn the_evaluation_follows_mirror_images_and_changes_sign_with_the_players() {
        for (rows, cols) in BOARDS {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let heuristic = game.heuristic();
            for state in random_states(&game, 2) {
                let value = heuristic.evaluate(&game, &state);
                assert!(value.abs() < MAX_EVALUATION);
                for symmetry in 0..game.n_symmetries() {
                    let image = game.transform(symmetry, &state);
                    assert_eq!(heuristic.evaluate(&game, &image), value);
                }
                let taken_by_first = (0..game.n_boxes())
                    .filter(|id| game.owner(&state, id / cols, id % cols) == Some(Player::First))
                    .fold(0u128, |set, id| set | 1 << id);
                let other = game.player_to_move(&state).opponent();
                let swapped = game.state_from_parts(state.edges(), taken_by_first, other);
                assert_eq!(heuristic.evaluate(&game, &swapped.unwrap()), -value);
            }
        }
    }

    #[test]
    fn the_forcing_action_is_a_capture_and_there_is_one_whenever_there_can_be() {
        for (rows, cols) in BOARDS {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let heuristic = game.heuristic();
            let mut forcing = Vec::new();
            for state in random_states(&game, 3) {
                heuristic.forcing_actions(&game, &state, &mut forcing);
                let captures = |action: &ActionId| {
                    let played = game.play(&mut state.clone(), *action).unwrap();
                    !played.captured.is_empty()
                };
                let lowest = game
                    .undrawn(&state)
                    .iter()
                    .map(ActionId::from)
                    .find(captures);
                assert_eq!(forcing.first(), lowest.as_ref());
                assert!(forcing.len() <= 1);
            }
        }
    }

    #[test]
    fn endgames_of_chains_and_loops_alone_are_judged_exactly() {
        for (rows, cols) in [(1, 6), (2, 3), (2, 4)] {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let heuristic = game.heuristic();
            let mut solver = game.solver().unwrap();
            for drawn in 0..1u64 << game.n_edges() {
                let edges = EdgeSet([drawn, 0, 0, 0]);
                let state = game.state_from_parts(edges, 0, Player::First).unwrap();
                let open = heuristic.open_sides(&state);
                if open.roomy() == 0 && open.capturable() == 0 && !game.is_over(&state) {
                    let [first, second] = solver.solve(&state).points.unwrap();
                    let exact = (first - second) * UNITS_PER_BOX;
                    assert_eq!(heuristic.evaluate(&game, &state), exact, "{state:?}");
                }
            }
        }
    }
}
