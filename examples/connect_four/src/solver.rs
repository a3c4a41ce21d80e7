//! Exact results: alpha-beta on bitboards, with threats and a table.

use crate::{Board, ConnectFour};
use tablero::{ExactSolver, ForMover, Rules};

/// Empty cells with which a position is within reach.
const MOST_EMPTY: u32 = 30;

/// With fewer empty cells hardly any position is the mirror image of another.
const LEAST_MIRRORED: u32 = 22;

/// What is known of a position: its key, and by how much the result for the mover is above -1 and
/// below 1 at least. So zeros know nothing.
type Entry = (u64, i8, i8);

/// A solver of one board.
pub struct Solver {
    rules: ConnectFour,
    cells: u64,
    bottom: u64,
    height: usize,
    /// Replaced where two positions meet.
    table: Vec<Entry>,
}

impl Solver {
    pub fn new(rules: &ConnectFour, table_mib: usize) -> Self {
        let column = rules.height + 1;
        let n_entries = (table_mib << 20) / size_of::<Entry>();
        Solver {
            rules: *rules,
            cells: rules.cells(),
            bottom: (0..rules.width).map(|x| 1 << (x * column)).sum(),
            height: rules.height,
            table: vec![(0, 0, 0); n_entries.max(1)],
        }
    }

    /// The empty cells that would make four of these stones.
    fn threats(&self, stones: u64, taken: u64) -> u64 {
        let mut found = stones << 1 & stones << 2 & stones << 3;
        for step in [self.height, self.height + 1, self.height + 2] {
            let (up, down) = (stones << step, stones >> step);
            let (up_two, down_two) = (up & stones << (2 * step), down & stones >> (2 * step));
            found |= up_two & (stones << (3 * step) | down);
            found |= down_two & (stones >> (3 * step) | up);
        }
        found & self.cells & !taken
    }

    /// The result for the mover, who owns `mine`, if it is between the bounds, else a bound of it.
    fn search(
        &mut self,
        mine: u64,
        taken: u64,
        [mut alpha, mut beta]: [i8; 2],
        visit: &mut dyn FnMut(),
    ) -> i8 {
        visit();
        let open = (taken + self.bottom) & self.cells;
        let theirs = taken ^ mine;
        if self.threats(mine, taken) & open != 0 {
            return 1;
        }
        // Their threats are to be parried, and nothing may be played right below one.
        let threats = self.threats(theirs, taken);
        let mut moves = open & !(threats >> 1);
        match (open & threats).count_ones() {
            0 => {}
            1 => moves &= threats,
            _ => return -1,
        }
        if (self.cells & !taken).count_ones() <= 2 && (moves != 0 || open == 0) {
            return 0;
        }
        if moves == 0 {
            return -1;
        }
        let key = self.key(mine, taken);
        let [low, high] = self.known(key);
        (alpha, beta) = (alpha.max(low), beta.min(high));
        if alpha >= beta {
            return alpha;
        }
        let ordered = self.ordered(mine, taken, moves);
        // What the table knows of a move may spare the others.
        for next in ordered.clone() {
            let [_, high] = self.known(self.key(theirs, taken | next));
            if -high >= beta {
                return -high;
            }
        }
        let (mut best, least) = (-1, alpha);
        for next in ordered {
            let score = -self.search(theirs, taken | next, [-beta, -alpha], visit);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        let low = if best > least { best } else { low };
        let high = if best < beta { best } else { high };
        let slot = self.slot(key);
        self.table[slot] = (key, low + 1, 1 - high);
        best
    }

    /// The same for a position and its mirror image, else different for all positions: in each column
    /// `taken` alone tells the height, and of one height no two sums are equal.
    fn key(&self, mine: u64, taken: u64) -> u64 {
        let key = taken + mine;
        if (self.cells & !taken).count_ones() < LEAST_MIRRORED {
            return key;
        }
        key.min(self.mirrored(taken) + self.mirrored(mine))
    }

    fn mirrored(&self, stones: u64) -> u64 {
        let Board([image, _]) = self.rules.transform(1, &Board([stones, 0]));
        image
    }

    /// Where a key is kept. All its bits decide, not only those of the first columns.
    fn slot(&self, key: u64) -> usize {
        let mixed = u128::from(key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (mixed * self.table.len() as u128 >> 64) as usize
    }

    /// Bounds of the result for the mover.
    fn known(&self, key: u64) -> [i8; 2] {
        match self.table[self.slot(key)] {
            (stored, above, below) if stored == key => [above - 1, 1 - below],
            _ => [-1, 1],
        }
    }

    /// Those first that make the most threats, and then those nearest to the middle.
    fn ordered(
        &self,
        mine: u64,
        taken: u64,
        moves: u64,
    ) -> impl Iterator<Item = u64> + Clone + use<> {
        let width = self.rules.width;
        let mut ordered = [(0, 0); 8];
        for (x, entry) in ordered.iter_mut().enumerate().take(width) {
            let next = moves & self.rules.column(x);
            let threats = self.threats(mine | next, taken | next).count_ones() as usize;
            *entry = (threats * 16 + x.min(width - 1 - x), next);
        }
        ordered.sort_unstable_by_key(|&(worth, _)| std::cmp::Reverse(worth));
        ordered
            .into_iter()
            .map(|(_, next)| next)
            .filter(|&next| next != 0)
    }
}

impl ExactSolver<Board> for Solver {
    fn is_in_reach(&self, &Board([first, second]): &Board) -> bool {
        (self.cells & !(first | second)).count_ones() <= MOST_EMPTY
    }

    fn value(&mut self, board: &Board, visit: &mut dyn FnMut()) -> ForMover<i8> {
        let taken = board.0[0] | board.0[1];
        let mine = board.0[self.rules.to_move(board).index()];
        // Two questions with two answers each are sooner answered than one with three.
        let value = match self.search(mine, taken, [0, 1], visit) {
            1 => 1,
            _ => self.search(mine, taken, [-1, 0], visit).min(0),
        };
        ForMover(value)
    }
}
