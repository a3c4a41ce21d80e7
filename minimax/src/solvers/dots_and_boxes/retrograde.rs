//! The values that the tests compare with: plain minimax over all sets of open edges, from the
//! end of the game backwards.

use super::lines::{Lines, Open, edges};

/// `net[open]`: the boxes that the player to move will win minus those that the opponent will
/// win, among the boxes still open, when only the edges `open` are left.
pub(super) struct Retrograde {
    net: Vec<i8>,
}

impl Retrograde {
    /// Every move of every position, smaller sets first, without any shortcut. Takes
    /// `2^edges` bytes.
    pub(super) fn new(lines: &Lines) -> Self {
        let mut net = vec![0i8; 1 << lines.n_edges];
        for open in 1..net.len() {
            let moves = edges(open as Open).map(|edge| {
                let rest = open & !(1 << edge);
                match lines.completed_by(edge, rest as Open) {
                    0 => -net[rest],
                    taken => taken as i8 + net[rest],
                }
            });
            net[open] = moves.max().expect("an edge is open");
        }
        Retrograde { net }
    }

    pub(super) fn net(&self, open: Open) -> i32 {
        i32::from(self.net[open as usize])
    }
}
