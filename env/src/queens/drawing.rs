//! The board as people draw it, and what to look at.

use super::config::Queens;
use super::state::State;
use crate::Player;

/// The queen of each player in a text.
pub(super) const QUEENS: [char; 2] = ['W', 'B'];

pub(super) fn mark(state: &State, cell: usize) -> Option<char> {
    state.owner(cell).map(|player| QUEENS[player.index()])
}

impl Queens {
    /// See [the module of the game](super).
    pub(super) fn drawing(&self, state: &State) -> String {
        let mut text = String::from("   ");
        for x in 0..self.side() {
            text.push_str(&format!("{x:>3}"));
        }
        text.push('\n');
        for y in 0..self.side() {
            text.push_str(&format!("{y:>2} "));
            for x in 0..self.side() {
                let cell = y * self.side() + x;
                let empty = if state.free.contains(cell) { '.' } else { 'x' };
                text.push_str(&format!("  {}", mark(state, cell).unwrap_or(empty)));
            }
            text.push('\n');
        }
        text
    }

    /// The free cells and their parity, and what a full board would mean while it can be reached.
    pub(super) fn remarks_of(&self, state: &State) -> Vec<String> {
        let (n_free, n_queens) = (state.free.len(), state.n_queens());
        let parity = if n_free % 2 == 0 { "even" } else { "odd" };
        let mut remarks = vec![format!("free cells: {n_free} ({parity})")];
        remarks.push(format!(
            "queens: {n_queens}; an odd number at the end wins for White, an even one for Black{}",
            match self.full_board().winner() {
                Some(Player::Second) => String::new(),
                Some(Player::First) => format!(", but {} for White", self.side()),
                None => format!(", but {} is a draw", self.side()),
            }
        ));
        remarks
    }
}
