//! Who wins an endgame: one question to the search, with a limit.

use super::lines::{Lines, Open};
use super::search::Search;
use crate::solver::EndgameSolver;
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::{ForFirst, Game};

/// Half of the endgames of 5x5 with 30 undrawn edges are decided by so many nodes, and each edge
/// more takes about 7/3 times as many: of 30 positions with each number, from games of minimax, the
/// medians are 22 for 30 edges, 82 for 32, 496 for 34, 3,576 for 36 and 20,246 for 38.
const TYPICAL_NODES: u64 = 20;
const TYPICAL_EDGES: u32 = 30;

/// A position is tried with this part of the nodes that are typical of it.
const LEAST_PART: u64 = 4;

/// The solver of endgames, of boards that fit into one word.
#[derive(Clone, Debug)]
pub(super) struct Endgames {
    game: DotsAndBoxes,
    search: Search,
}

impl Endgames {
    pub(super) fn new(game: &DotsAndBoxes, lines: Lines, table_mib: usize) -> Self {
        Endgames {
            game: game.clone(),
            search: Search::of_endgames(game, lines, table_mib),
        }
    }
}

/// The nodes that are typical of a position.
fn typical_nodes(open: Open) -> u64 {
    let more = open.count_ones().saturating_sub(TYPICAL_EDGES);
    (0..more).fold(TYPICAL_NODES, |nodes, _| nodes.saturating_mul(7) / 3)
}

impl EndgameSolver<DotsAndBoxes> for Endgames {
    fn result(&mut self, state: &State, nodes: u64) -> Option<ForFirst<i8>> {
        let open = self.game.undrawn(state).0[0];
        if nodes < typical_nodes(open) / LEAST_PART {
            return None;
        }
        let mover = self.game.player_to_move(state);
        let [first, second] = self.game.points(state).expect("Dots and Boxes has points");
        let lead = ForFirst(first - second).seen_by(mover);
        let before = self.search.nodes.count();
        if self.search.reaches_within(open, 1 - lead, nodes).ok()? {
            return Some(ForFirst::from_player(1, mover));
        }
        // A draw needs an even number of boxes.
        let left = nodes - (self.search.nodes.count() - before);
        if self.game.n_boxes().is_multiple_of(2)
            && self.search.reaches_within(open, -lead, left).ok()?
        {
            return Some(ForFirst(0));
        }
        Some(ForFirst::from_player(-1, mover))
    }

    fn clear(&mut self) {
        self.search.forget();
    }
}
