//! The rules, by bit operations on the set of drawn edges.

use crate::random::mix;
use crate::{ActionId, Game, Outcome, Player};
use arrayvec::ArrayVec;
use rand::{Rng, RngExt};
use serde::Serialize;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The most rows or columns of boxes.
pub const MAX_SIDE: usize = 10;
/// Edges of the largest board: 11 * 10 horizontal and as many vertical.
const MAX_EDGES: usize = 2 * (MAX_SIDE + 1) * MAX_SIDE;
const MAX_BOXES: usize = MAX_SIDE * MAX_SIDE;

/// A set of edges of one board, one bit an action id, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct EdgeSet(pub [u64; 4]);

impl EdgeSet {
    /// Whether the edge is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(&self, edge: usize) -> bool {
        self.0[edge >> 6] >> (edge & 63) & 1 != 0
    }

    /// Adds the edge.
    #[inline]
    pub const fn insert(&mut self, edge: usize) {
        self.0[edge >> 6] |= 1 << (edge & 63);
    }

    /// How many edges are in the set.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        (self.0[0].count_ones()
            + self.0[1].count_ones()
            + self.0[2].count_ones()
            + self.0[3].count_ones()) as usize
    }

    /// Whether no edge is in the set.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The edges in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                (bits != 0).then(|| {
                    let bit = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    word * 64 + bit
                })
            })
        })
    }

    /// The `rank`-th smallest edge, from 0; `rank` must be below [`len`](EdgeSet::len).
    #[inline]
    fn nth(self, mut rank: u32) -> usize {
        let mut word = 0;
        loop {
            let count = self.0[word].count_ones();
            if rank < count {
                return word * 64 + nth_bit(self.0[word], rank);
            }
            rank -= count;
            word += 1;
        }
    }
}

/// The position of the `rank`-th set bit (from 0) of `bits`: a binary search over the
/// population counts of halves, quarters and eighths, then of the byte's bits.
#[inline]
fn nth_bit(bits: u64, mut rank: u32) -> usize {
    let mut base = 0;
    let mut rest = bits;
    for width in [32, 16, 8] {
        let low = (rest & ((1u64 << width) - 1)).count_ones();
        // Branch-free: the choice is random, so a branch would be mispredicted half the time.
        let high = u32::from(rank >= low);
        rank -= low * high;
        rest >>= width * high;
        base += width * high;
    }
    for _ in 0..rank {
        rest &= rest - 1;
    }
    (base + rest.trailing_zeros()) as usize
}

/// The number of a box, `row * cols + column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct BoxId(pub u8);

/// A box that an edge borders, with the box's other three edges.
#[derive(Clone, Copy, Debug)]
struct Bordered {
    box_id: BoxId,
    others: [u8; 3],
}

#[derive(Debug)]
struct Board {
    /// For each edge the one or two boxes it borders; a border edge repeats its only box as
    /// `None`.
    bordered: Vec<[Option<Bordered>; 2]>,
    all_edges: EdgeSet,
    /// `symmetries[s][edge]`: where symmetry s takes the edge. See `encoding.rs`.
    symmetries: Vec<Vec<u8>>,
}

/// The board size, and tables derived from it.
#[derive(Clone)]
pub struct DotsAndBoxes {
    rows: usize,
    cols: usize,
    board: Arc<Board>,
}

impl fmt::Debug for DotsAndBoxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DotsAndBoxes({}x{})", self.rows, self.cols)
    }
}

/// A board size that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board has 1 to {MAX_SIDE} rows and columns of boxes, got {rows}x{cols}")]
pub struct ConfigError {
    /// Rows asked for.
    pub rows: usize,
    /// Columns asked for.
    pub cols: usize,
}

/// A position: drawn edges, the owners of the boxes and the player to move.
///
/// `Eq` and `Hash` compare edges, points and mover; *which* boxes a player owns makes no
/// difference to the game and is ignored.
#[derive(Clone, Debug)]
pub struct State {
    edges: EdgeSet,
    /// Bit b: player 1 took box b.
    taken_by_second: u128,
    key: u64,
    points: [u8; 2],
    to_move: Player,
}

impl State {
    /// The drawn edges.
    #[must_use]
    pub fn edges(&self) -> EdgeSet {
        self.edges
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.edges == other.edges && self.points == other.points && self.to_move == other.to_move
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key);
    }
}

/// What drawing an edge did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// The boxes completed by the edge, in ascending order.
    pub captured: ArrayVec<BoxId, 2>,
    /// Who moves next; `None` when the game is over.
    pub next: Option<Player>,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.captured.len() {
            0 => write!(f, "no box")?,
            1 => write!(f, "1 box")?,
            n => write!(f, "{n} boxes")?,
        }
        match self.next {
            Some(player) if self.captured.is_empty() => write!(f, ", player {player} to move"),
            Some(player) => write!(f, ", player {player} moves again"),
            None => write!(f, ", game over"),
        }
    }
}

/// Why an edge may not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// Every edge is drawn.
    #[error("the game is over")]
    GameOver,
    /// The id is not an edge of this board.
    #[error("edge {edge} is out of the board: expected 0 to {last}")]
    OutOfBoard {
        /// The id given.
        edge: u32,
        /// The highest id of this board.
        last: u32,
    },
    /// The edge has been drawn before.
    #[error("edge {0} is already drawn")]
    AlreadyDrawn(u32),
}

// Zobrist keys (Zobrist, 1970): one constant a fact, combined by xor. Edges use the indices from
// 0, the mover one, and the points of each player one for each count.
const MOVER_KEY: u64 = mix(1 << 32);

#[inline]
const fn points_key(player: Player, points: u8) -> u64 {
    mix((2 + player as u64) << 32 | points as u64)
}

static EDGE_KEYS: [u64; MAX_EDGES] = {
    let mut keys = [0; MAX_EDGES];
    let mut edge = 0;
    while edge < MAX_EDGES {
        keys[edge] = mix(edge as u64);
        edge += 1;
    }
    keys
};

static POINTS_KEYS: [[u64; MAX_BOXES + 1]; 2] = {
    let mut keys = [[0; MAX_BOXES + 1]; 2];
    let mut points = 0;
    while points <= MAX_BOXES {
        keys[0][points] = points_key(Player::First, points as u8);
        keys[1][points] = points_key(Player::Second, points as u8);
        points += 1;
    }
    keys
};

impl DotsAndBoxes {
    /// A board of `rows x cols` boxes.
    ///
    /// # Errors
    /// If either is not in `1..=10`.
    ///
    /// # Examples
    /// ```
    /// use tablero_env::{ActionId, Game, dots_and_boxes::DotsAndBoxes};
    /// let game = DotsAndBoxes::new(2, 3).unwrap();
    /// let mut state = game.initial();
    /// let played = game.play(&mut state, ActionId(0)).unwrap();
    /// assert!(played.captured.is_empty());
    /// assert!(game.play(&mut state, ActionId(0)).is_err(), "already drawn");
    /// assert!(DotsAndBoxes::new(0, 3).is_err());
    /// ```
    pub fn new(rows: usize, cols: usize) -> Result<Self, ConfigError> {
        if !(1..=MAX_SIDE).contains(&rows) || !(1..=MAX_SIDE).contains(&cols) {
            return Err(ConfigError { rows, cols });
        }
        let mut game = DotsAndBoxes {
            rows,
            cols,
            board: Arc::new(Board {
                bordered: Vec::new(),
                all_edges: EdgeSet::default(),
                symmetries: Vec::new(),
            }),
        };
        let mut bordered = vec![[None; 2]; game.n_edges()];
        for row in 0..rows {
            for col in 0..cols {
                let sides = game.sides(row, col);
                for &edge in &sides {
                    let mut others = sides.iter().filter(|&&other| other != edge);
                    let entry = Bordered {
                        box_id: BoxId((row * cols + col) as u8),
                        others: std::array::from_fn(|_| {
                            *others.next().expect("a box has four sides") as u8
                        }),
                    };
                    let slots: &mut [Option<Bordered>; 2] = &mut bordered[edge];
                    let free = usize::from(slots[0].is_some());
                    slots[free] = Some(entry);
                }
            }
        }
        let mut all_edges = EdgeSet::default();
        (0..game.n_edges()).for_each(|edge| all_edges.insert(edge));
        game.board = Arc::new(Board {
            bordered,
            all_edges,
            symmetries: super::encoding::symmetries(&game),
        });
        Ok(game)
    }

    /// Rows of boxes.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns of boxes.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The number of boxes, `rows * cols`.
    #[must_use]
    pub fn n_boxes(&self) -> usize {
        self.rows * self.cols
    }

    /// The number of edges, which is also the number of actions and of plies.
    #[must_use]
    pub fn n_edges(&self) -> usize {
        self.n_horizontal() + self.rows * (self.cols + 1)
    }

    /// The number of horizontal edges; their ids come first.
    #[must_use]
    pub fn n_horizontal(&self) -> usize {
        (self.rows + 1) * self.cols
    }

    /// The id of the horizontal edge above the box (`row` up to `rows`, for the bottom border).
    #[must_use]
    pub fn horizontal(&self, row: usize, col: usize) -> usize {
        row * self.cols + col
    }

    /// The id of the vertical edge left of the box (`col` up to `cols`, for the right border).
    #[must_use]
    pub fn vertical(&self, row: usize, col: usize) -> usize {
        self.n_horizontal() + row * (self.cols + 1) + col
    }

    /// The ids of the four sides of a box: top, bottom, left, right.
    #[must_use]
    pub fn sides(&self, row: usize, col: usize) -> [usize; 4] {
        [
            self.horizontal(row, col),
            self.horizontal(row + 1, col),
            self.vertical(row, col),
            self.vertical(row, col + 1),
        ]
    }

    /// The undrawn edges.
    #[inline]
    #[must_use]
    pub fn undrawn(&self, state: &State) -> EdgeSet {
        let all = &self.board.all_edges.0;
        EdgeSet(std::array::from_fn(|word| all[word] & !state.edges.0[word]))
    }

    /// Who took the box; `None` while a side is missing.
    ///
    /// # Panics
    /// If `row` or `col` is out of the board.
    #[must_use]
    pub fn owner(&self, state: &State, row: usize, col: usize) -> Option<Player> {
        self.sides(row, col)
            .iter()
            .all(|&side| state.edges.contains(side))
            .then(|| {
                if state.taken_by_second >> (row * self.cols + col) & 1 == 1 {
                    Player::Second
                } else {
                    Player::First
                }
            })
    }

    /// A state from its parts: drawn edges, the boxes that player 1 took, the player to move.
    /// `None` if an edge is out of the board or a taken box is not complete.
    #[must_use]
    pub fn state_from_parts(
        &self,
        edges: EdgeSet,
        taken_by_second: u128,
        to_move: Player,
    ) -> Option<State> {
        let beyond = (0..4).any(|word| edges.0[word] & !self.board.all_edges.0[word] != 0);
        if beyond || taken_by_second >> self.n_boxes() != 0 {
            return None;
        }
        let complete = (0..self.n_boxes())
            .filter(|id| {
                let sides = self.sides(id / self.cols, id % self.cols);
                sides.iter().all(|&side| edges.contains(side))
            })
            .fold(0u128, |set, id| set | 1 << id);
        if taken_by_second & !complete != 0 {
            return None;
        }
        let second = taken_by_second.count_ones() as u8;
        let mut state = State {
            edges,
            taken_by_second,
            key: 0,
            points: [complete.count_ones() as u8 - second, second],
            to_move,
        };
        state.key = hash_from_scratch(&state);
        Some(state)
    }

    pub(super) fn taken_by_second(state: &State) -> u128 {
        state.taken_by_second
    }

    pub(super) fn symmetry(&self, symmetry: usize) -> &[u8] {
        &self.board.symmetries[symmetry]
    }

    pub(super) fn symmetry_count(&self) -> usize {
        self.board.symmetries.len()
    }

    /// Draws an undrawn edge and returns the boxes that it completes.
    #[inline]
    fn draw_edge(&self, state: &mut State, edge: usize) -> ArrayVec<BoxId, 2> {
        state.edges.insert(edge);
        state.key ^= EDGE_KEYS[edge];
        let mut captured = ArrayVec::new();
        for bordered in self.board.bordered[edge].iter().flatten() {
            if bordered
                .others
                .iter()
                .all(|&other| state.edges.contains(other as usize))
            {
                captured.push(bordered.box_id);
            }
        }
        if captured.is_empty() {
            state.to_move = state.to_move.opponent();
            state.key ^= MOVER_KEY;
        } else {
            let mover = state.to_move.index();
            for id in &captured {
                state.taken_by_second |= (mover as u128) << id.0;
            }
            let before = state.points[mover];
            let after = before + captured.len() as u8;
            state.points[mover] = after;
            state.key ^= POINTS_KEYS[mover][before as usize] ^ POINTS_KEYS[mover][after as usize];
        }
        captured
    }
}

fn hash_from_scratch(state: &State) -> u64 {
    let edges = state
        .edges
        .iter()
        .fold(0, |key, edge| key ^ EDGE_KEYS[edge]);
    let mover = match state.to_move {
        Player::First => 0,
        Player::Second => MOVER_KEY,
    };
    edges
        ^ mover
        ^ POINTS_KEYS[0][state.points[0] as usize]
        ^ POINTS_KEYS[1][state.points[1] as usize]
}

impl Game for DotsAndBoxes {
    type State = State;
    type Played = Played;
    type Illegal = Illegal;

    const RULES_VERSION: u32 = 1;

    fn spec(&self) -> String {
        format!("dots-and-boxes:{}x{}", self.rows, self.cols)
    }

    fn n_actions(&self) -> usize {
        self.n_edges()
    }

    fn max_plies(&self) -> usize {
        self.n_edges()
    }

    fn initial(&self) -> State {
        self.state_from_parts(EdgeSet::default(), 0, Player::First)
            .expect("the empty board is a state")
    }

    #[inline]
    fn player_to_move(&self, state: &State) -> Player {
        state.to_move
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.is_over(state)
            .then(|| Outcome::from_points(state.points.map(i32::from)))
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        usize::from(state.points[0]) + usize::from(state.points[1]) == self.n_boxes()
    }

    #[inline]
    fn points(&self, state: &State) -> Option<[i32; 2]> {
        Some(state.points.map(i32::from))
    }

    #[inline]
    fn legal_actions(&self, state: &State, out: &mut Vec<ActionId>) {
        out.clear();
        out.extend(self.undrawn(state).iter().map(|edge| ActionId(edge as u32)));
    }

    #[inline]
    fn legality(&self, state: &State, action: ActionId) -> Result<(), Illegal> {
        if action.index() >= self.n_edges() {
            return Err(Illegal::OutOfBoard {
                edge: action.0,
                last: self.n_edges() as u32 - 1,
            });
        }
        if self.is_over(state) {
            return Err(Illegal::GameOver);
        }
        if state.edges.contains(action.index()) {
            return Err(Illegal::AlreadyDrawn(action.0));
        }
        Ok(())
    }

    fn play(&self, state: &mut State, action: ActionId) -> Result<Played, Illegal> {
        self.legality(state, action)?;
        let captured = self.draw_edge(state, action.index());
        Ok(Played {
            captured,
            next: (!self.is_over(state)).then_some(state.to_move),
        })
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, action: ActionId) {
        self.draw_edge(state, action.index());
    }

    #[inline]
    fn hash(&self, state: &State) -> u64 {
        state.key
    }

    #[inline]
    fn sample_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> ActionId {
        let undrawn = self.undrawn(state);
        let rank = rng.random_range(0..undrawn.len());
        ActionId(undrawn.nth(rank as u32) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_bit_is_the_inverse_of_counting() {
        for bits in [1, 0x8000_0000_0000_0001, u64::MAX, 0x0f0f_1234_8000_0100] {
            let positions: Vec<usize> = (0..64).filter(|bit| bits >> bit & 1 == 1).collect();
            for (rank, &position) in positions.iter().enumerate() {
                assert_eq!(nth_bit(bits, rank as u32), position);
            }
        }
    }

    #[test]
    fn one_edge_can_complete_two_boxes_and_the_mover_stays() {
        let game = DotsAndBoxes::new(1, 2).unwrap();
        let mut state = game.initial();
        // All but the edge between the two boxes: horizontals 0..4, verticals 4 and 6.
        for edge in [0, 1, 2, 3, 4, 6] {
            game.play(&mut state, ActionId(edge)).unwrap();
        }
        let mover = game.player_to_move(&state);
        let played = game.play(&mut state, ActionId(5)).unwrap();
        assert_eq!(played.captured.as_slice(), [BoxId(0), BoxId(1)]);
        assert_eq!(played.next, None);
        let outcome = game.outcome(&state).unwrap();
        assert_eq!(outcome.winner, Some(mover));
        assert_eq!(outcome.points, Some([2, 0]));
    }

    #[test]
    fn each_refusal_names_its_reason() {
        let game = DotsAndBoxes::new(1, 1).unwrap();
        let mut state = game.initial();
        assert_eq!(
            game.play(&mut state, ActionId(4)),
            Err(Illegal::OutOfBoard { edge: 4, last: 3 })
        );
        game.play(&mut state, ActionId(2)).unwrap();
        assert_eq!(
            game.play(&mut state, ActionId(2)),
            Err(Illegal::AlreadyDrawn(2))
        );
        for edge in [0, 1, 3] {
            game.play(&mut state, ActionId(edge)).unwrap();
        }
        assert_eq!(game.play(&mut state, ActionId(0)), Err(Illegal::GameOver));
    }
}
