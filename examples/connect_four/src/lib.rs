//! Connect Four: the rules, and what a network sees.

mod solver;

use serde::{Deserialize, Serialize};
use tablero::{ExactSolver, Outcome, Player, Rules};

/// The size of the board. A column has one bit more than cells, which stays 0.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFour {
    width: usize,
    height: usize,
}

impl Default for ConnectFour {
    fn default() -> Self {
        ConnectFour {
            width: 7,
            height: 6,
        }
    }
}

/// The stones of both players; the cell in column x, row y from below is bit `x * (height + 1) + y`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Board([u64; 2]);

impl ConnectFour {
    fn column(&self, x: usize) -> u64 {
        ((1 << self.height) - 1) << (x * (self.height + 1))
    }

    fn cells(&self) -> u64 {
        (0..self.width).map(|x| self.column(x)).sum()
    }

    fn has_four(&self, stones: u64) -> bool {
        [1, self.height, self.height + 1, self.height + 2]
            .into_iter()
            .any(|step| {
                let pairs = stones & stones >> step;
                pairs & pairs >> (2 * step) != 0
            })
    }
}

impl Rules for ConnectFour {
    type State = Board;

    fn name(&self) -> &'static str {
        "connect-four"
    }

    fn n_actions(&self) -> usize {
        self.width
    }

    fn max_plies(&self) -> Option<usize> {
        Some(self.width * self.height)
    }

    fn initial(&self) -> Board {
        Board([0, 0])
    }

    fn to_move(&self, &Board([first, second]): &Board) -> Player {
        Player::BOTH[usize::from(first.count_ones() > second.count_ones())]
    }

    fn legal(&self, &Board([first, second]): &Board) -> impl Iterator<Item = usize> {
        (0..self.width).filter(move |&x| self.column(x) & !(first | second) != 0)
    }

    fn play(&self, board: &mut Board, x: usize) {
        let taken = board.0[0] | board.0[1];
        let bottom = 1 << (x * (self.height + 1));
        board.0[self.to_move(board).index()] |= (taken + bottom) & self.column(x);
    }

    fn outcome(&self, board: &Board) -> Option<Outcome> {
        let last = self.to_move(board).opponent();
        if self.has_four(board.0[last.index()]) {
            return Some(Outcome::won_by(Some(last)));
        }
        (board.0[0] | board.0[1] == self.cells()).then(|| Outcome::won_by(None))
    }

    fn observation_shape(&self) -> [usize; 3] {
        [2, self.height, self.width]
    }

    /// The mover's stones, then the other ones.
    fn observe(&self, board: &Board, planes: &mut [f32]) {
        let me = self.to_move(board).index();
        for (plane, stones) in [board.0[me], board.0[1 - me]].into_iter().enumerate() {
            for x in 0..self.width {
                for y in 0..self.height {
                    let row = plane * self.height + self.height - 1 - y;
                    let bit = stones >> (x * (self.height + 1) + y) & 1;
                    planes[row * self.width + x] = bit as f32;
                }
            }
        }
    }

    fn patterns(&self) -> Vec<Vec<usize>> {
        tablero::lines(self.height, self.width, 4)
    }

    // From here on what is not needed, but nice.

    fn summary(&self) -> &'static str {
        "Drop stones into columns; four in a row win"
    }

    fn rules_text(&self) -> &'static str {
        include_str!("../rules.txt")
    }

    fn parameters_form(&self) -> &'static str {
        "WIDTHxHEIGHT, each 4 to 7"
    }

    fn parameters(&self) -> String {
        format!("{}x{}", self.width, self.height)
    }

    fn with_parameters(&self, text: &str) -> Result<Self, String> {
        let read = || {
            let (width, height) = text.split_once('x')?;
            let (width, height) = (width.parse().ok()?, height.parse().ok()?);
            let fits = |side| (4..=7).contains(&side);
            (fits(width) && fits(height)).then_some(ConnectFour { width, height })
        };
        read().ok_or_else(|| format!("expected {}", self.parameters_form()))
    }

    /// The mirror image.
    fn n_symmetries(&self) -> usize {
        2
    }

    fn transform(&self, symmetry: usize, board: &Board) -> Board {
        Board(board.0.map(|stones| {
            let column = |x| stones >> (x * (self.height + 1)) & self.column(0);
            let image = |x| column(x) << (self.transform_action(symmetry, x) * (self.height + 1));
            (0..self.width).map(image).sum()
        }))
    }

    fn transform_action(&self, symmetry: usize, x: usize) -> usize {
        if symmetry == 0 { x } else { self.width - 1 - x }
    }

    fn cell(&self, board: &Board, row: usize, x: usize) -> char {
        let bit = 1 << (x * (self.height + 1) + self.height - 1 - row);
        let owner = board.0.iter().position(|stones| stones & bit != 0);
        owner.map_or('.', |player| ['X', 'O'][player])
    }

    fn plane_descriptions(&self) -> Vec<String> {
        ["1 on the mover's stones", "1 on the other player's"]
            .map(String::from)
            .to_vec()
    }

    /// No two stones on a cell, none in the air, and as many of both players or one more.
    fn check_state(&self, &Board([first, second]): &Board) -> Result<(), String> {
        let taken = first | second;
        let bottom = (0..self.width)
            .map(|x| 1 << (x * (self.height + 1)))
            .sum::<u64>();
        let stands = taken & !self.cells() == 0 && taken & !(taken << 1 | bottom) == 0;
        let ahead = first.count_ones().wrapping_sub(second.count_ones());
        if first & second == 0 && stands && ahead <= 1 {
            return Ok(());
        }
        Err("stones of both players that stand on one another, in turn".to_owned())
    }

    fn solver(&self, table_mib: usize) -> Option<Box<dyn ExactSolver<Board>>> {
        Some(Box::new(solver::Solver::new(self, table_mib)))
    }
}
