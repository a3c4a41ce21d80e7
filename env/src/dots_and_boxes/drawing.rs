//! The board as people draw it.

use super::config::DotsAndBoxes;
use super::notation::SIDES;
use super::state::State;
use crate::Player;

impl DotsAndBoxes {
    /// See [the module of the game](super).
    pub(super) fn drawing(&self, state: &State) -> String {
        let edges = state.edges();
        let (rows, cols) = (self.rows(), self.cols());
        // Over the dots: an edge is named by the dot at its left or upper end.
        let mut text = String::from("  ");
        for col in 0..=cols {
            text.push_str(&format!("{:>2}  ", col + 1));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        for row in 0..=rows {
            text.push_str(&format!("{:>2} ", row + 1));
            for col in 0..cols {
                let drawn = edges.contains(self.horizontal(row, col));
                text.push_str(if drawn { "+---" } else { "+   " });
            }
            text.push_str("+\n");
            if row == rows {
                break;
            }
            text.push_str("   ");
            for col in 0..=cols {
                let drawn = edges.contains(self.vertical(row, col));
                text.push(if drawn { '|' } else { ' ' });
                if col < cols {
                    match self.owner(state, row, col) {
                        None => text.push_str("   "),
                        Some(player) => text.push_str(&format!(" {} ", initial(player))),
                    }
                }
            }
            text.push('\n');
        }
        text
    }
}

/// The first letter of the side's name.
fn initial(player: Player) -> &'static str {
    &SIDES[player.index()][..1]
}
