//! The exact net of a position: a sequence of yes-or-no questions, each answered by a search
//! that remembers.
//!
//! "Is the net at least `goal`?" is alpha-beta with a window of no width; a few such questions
//! find the exact net (Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax
//! algorithms", 1996: MTD), and all of them share one table of bounds.

use super::bounds::{Bounds, BoundsTable};
use super::lines::{Lines, Open};
use super::offer::Offer;
use super::symmetry::Symmetry;
use crate::solvers::nodes::Nodes;
use arrayvec::ArrayVec;
use tablero_env::dots_and_boxes::DotsAndBoxes;

/// The nodes are spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spent;

/// The searcher of one board. All nets are boxes still open, for the player to move.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) lines: Lines,
    symmetry: Symmetry,
    /// The edges in the order in which they are tried.
    order: Vec<u8>,
    /// Whether moves that give away more boxes come later.
    gifts_last: bool,
    table: BoundsTable,
    /// Positions whose moves were looked at.
    pub(super) nodes: Nodes,
    /// How many they may become.
    max_nodes: u64,
}

impl Search {
    pub(super) fn new(game: &DotsAndBoxes, lines: Lines, table_mib: usize) -> Self {
        Search {
            symmetry: Symmetry::new(game, &lines),
            order: order(game),
            gifts_last: false,
            table: BoundsTable::new(table_mib),
            nodes: Nodes::default(),
            max_nodes: u64::MAX,
            lines,
        }
    }

    /// As it is quicker far from the empty board: without mirror images, and what gives away the least
    /// is tried first. The latter takes half the nodes on 5x5 with 38 undrawn edges, where on the
    /// empty 3x4 it takes a third more.
    pub(super) fn of_endgames(game: &DotsAndBoxes, lines: Lines, table_mib: usize) -> Self {
        let mut search = Search::new(game, lines, table_mib);
        search.symmetry.leave_mirrors_out();
        search.gifts_last = true;
        search
    }

    pub(super) fn forget(&mut self) {
        self.table.clear();
    }

    /// The exact net of any position.
    pub(super) fn net(&mut self, open: Open) -> i32 {
        let offer = self.whole_offer(open);
        let rest = self.quiet_net(offer.rest);
        offer.net(Bounds::exactly(rest)).lower
    }

    /// Whether the net of any position is at least `goal`.
    pub(super) fn reaches(&mut self, open: Open, goal: i32) -> bool {
        self.reaches_within(open, goal, u64::MAX)
            .expect("no search is so long")
    }

    /// The same, if so many nodes tell.
    pub(super) fn reaches_within(
        &mut self,
        open: Open,
        goal: i32,
        nodes: u64,
    ) -> Result<bool, Spent> {
        self.max_nodes = self.nodes.count().saturating_add(nodes);
        let offer = self.whole_offer(open);
        let n_boxes = self.lines.n_unfinished(offer.rest);
        let answer = self.offer_reaches(&offer, n_boxes, goal);
        self.max_nodes = u64::MAX;
        answer
    }

    fn whole_offer(&self, open: Open) -> Offer {
        let mut offer = self.lines.offer(open, &self.lines.boxes);
        offer.rest = self.symmetry.canonical(offer.rest);
        offer
    }

    /// The exact net of a canonical position without capturable boxes.
    fn quiet_net(&mut self, open: Open) -> i32 {
        let n_boxes = self.lines.n_unfinished(open);
        let mut bounds = self.known(open, n_boxes);
        // The net has the parity of the number of boxes. Most nets are small: begin there.
        let mut goal = (n_boxes & 1).clamp(bounds.lower, bounds.upper);
        while bounds.lower < bounds.upper {
            let reaches = self.quiet_reaches(open, n_boxes, goal);
            if reaches.expect("the nodes are unlimited") {
                bounds.lower = goal;
                goal += 2;
            } else {
                bounds.upper = goal - 2;
                goal -= 2;
            }
        }
        bounds.lower
    }

    /// What the table knows of a canonical position without capturable boxes.
    #[inline]
    fn known(&self, open: Open, n_boxes: i32) -> Bounds {
        self.table.get(open).unwrap_or(Bounds {
            lower: -n_boxes,
            upper: n_boxes,
        })
    }

    /// Whether the net of a canonical position of `n_boxes` boxes, none capturable, is at least
    /// `goal`.
    fn quiet_reaches(&mut self, open: Open, n_boxes: i32, goal: i32) -> Result<bool, Spent> {
        let known = self.known(open, n_boxes);
        if let Some(answer) = known.reach(goal) {
            return Ok(answer);
        }
        if self.nodes.count() >= self.max_nodes {
            return Err(Spent);
        }
        self.nodes.visit();
        // The net has the parity of `n_boxes`: ask as much as the answer will tell.
        let goal = goal + ((goal ^ n_boxes) & 1);
        let answer = self.has_move_that_reaches(open, n_boxes, goal)?;
        let known = self.known(open, n_boxes);
        let bounds = if answer {
            Bounds {
                lower: goal,
                ..known
            }
        } else {
            Bounds {
                upper: goal - 2,
                ..known
            }
        };
        self.table.insert(open, bounds);
        Ok(answer)
    }

    fn has_move_that_reaches(
        &mut self,
        open: Open,
        n_boxes: i32,
        goal: i32,
    ) -> Result<bool, Spent> {
        // A move reaches the goal if it keeps the opponent below this.
        let opponents_goal = 1 - goal;
        let mut offers: ArrayVec<Offer, 64> = ArrayVec::new();
        let movable = open & !self.symmetry.redundant(open);
        for &edge in &self.order {
            if movable >> edge & 1 == 0 {
                continue;
            }
            let bordering = &self.lines.bordering[usize::from(edge)];
            let mut offer = self.lines.offer(open & !(1 << edge), bordering);
            offer.rest = self.symmetry.canonical(offer.rest);
            // Moves that give away the same boxes and leave the same rest differ in the handout
            // alone, and the opponent should pay for it as much as possible.
            let same = offers
                .iter_mut()
                .find(|other| other.rest == offer.rest && other.taken == offer.taken);
            match same {
                Some(other) => other.handout = costlier(other.handout, offer.handout),
                None => offers.push(offer),
            }
        }
        let touched = offers
            .iter()
            .fold(0, |words, offer| words ^ self.table.touch(offer.rest));
        std::hint::black_box(touched);

        // First whatever the table can answer at once.
        let mut open_questions: ArrayVec<Offer, 64> = ArrayVec::new();
        for offer in offers {
            let rest = self.known(offer.rest, n_boxes - offer.taken);
            match offer.net(rest).reach(opponents_goal) {
                Some(true) => {}
                Some(false) => return Ok(true),
                None => open_questions.push(offer),
            }
        }
        if self.gifts_last {
            open_questions.sort_by_key(|offer| offer.taken);
        }
        for offer in &open_questions {
            if !self.offer_reaches(offer, n_boxes - offer.taken, opponents_goal)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the player who finds the offer, with `n_boxes` boxes in its rest, nets at least
    /// `goal`.
    fn offer_reaches(&mut self, offer: &Offer, n_boxes: i32, goal: i32) -> Result<bool, Spent> {
        let known = offer.net(self.known(offer.rest, n_boxes));
        if let Some(answer) = known.reach(goal) {
            return Ok(answer);
        }
        if self.quiet_reaches(offer.rest, n_boxes, goal - offer.taken)? {
            return Ok(true);
        }
        let Some(given) = offer.handout else {
            return Ok(false);
        };
        // taken - 2 given - rest >= goal
        let most = offer.taken - 2 * given - goal;
        Ok(!self.quiet_reaches(offer.rest, n_boxes, most + 1)?)
    }
}

/// The handout that costs more; having none costs most.
fn costlier(one: Option<i32>, other: Option<i32>) -> Option<i32> {
    Some(one?.max(other?))
}

/// The edges from the middle of the board outwards, those of the border a little later; of equal
/// ones first those that lie across the longer side. An order that is the same everywhere makes
/// lines of play meet again, and here that outweighs trying the most promising move first.
/// Among orders of this kind the one with the fewest nodes on 3x4 was taken.
fn order(game: &DotsAndBoxes) -> Vec<u8> {
    let (rows, cols) = (game.rows(), game.cols());
    let horizontal = (0..=rows).flat_map(|row| (0..cols).map(move |col| (false, row, col)));
    let vertical = (0..rows).flat_map(|row| (0..=cols).map(move |col| (true, row, col)));
    let mut edges: Vec<_> = horizontal
        .chain(vertical)
        .map(|(is_vertical, row, col)| {
            let (edge, x, y) = if is_vertical {
                (game.vertical(row, col), 2 * col, 2 * row + 1)
            } else {
                (game.horizontal(row, col), 2 * col + 1, 2 * row)
            };
            // Twice the distances of the edge's middle from that of the board.
            let (x, y) = (x.abs_diff(cols), y.abs_diff(rows));
            let on_border = x == cols || y == rows;
            let (is_across, across) = if rows > cols {
                (!is_vertical, x)
            } else {
                (is_vertical, y)
            };
            let key = (x + y + usize::from(on_border), !is_across, across, edge);
            (key, edge as u8)
        })
        .collect();
    edges.sort_unstable();
    edges.into_iter().map(|(_, edge)| edge).collect()
}

#[cfg(test)]
mod tests {
    use super::super::retrograde::Retrograde;
    use super::*;
    use tablero_env::random::mix;

    #[test]
    fn the_search_finds_what_the_table_holds() {
        for (rows, cols) in [(1, 4), (2, 3), (4, 2), (3, 3)] {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let lines = Lines::new(&game).unwrap();
            let table = Retrograde::new(&lines);
            let all = (1 << lines.n_edges) - 1;
            let mut search = Search::new(&game, lines, 4);
            for index in 0..3000 {
                // About half of the edges are open, or three quarters, or all.
                let open = all & (mix(index) | (mix(!index) * (index & 1)));
                let open = if index == 0 { all } else { open };
                let net = table.net(open);
                assert!(search.reaches(open, net) && !search.reaches(open, net + 1));
                assert_eq!(search.net(open), net, "{rows}x{cols} {open:b}");
            }
        }
    }

    #[test]
    fn edges_are_tried_from_the_middle_outwards() {
        for (rows, cols) in [(1, 3), (3, 1), (2, 3), (4, 4)] {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let order = order(&game);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().map(usize::from).eq(0..game.n_edges()));
        }
        // 1x3: the two inner edges, the top and bottom of the middle box, those of the outer
        // boxes, and the two ends.
        let game = DotsAndBoxes::new(1, 3).unwrap();
        assert_eq!(order(&game), [7, 8, 1, 4, 6, 9, 0, 2, 3, 5]);
    }
}
