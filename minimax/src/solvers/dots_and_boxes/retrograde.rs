//! Small boards: the value of every set of open edges, worked out once from the end of the game
//! backwards.

use super::lines::{Lines, Open, edges};

/// Boards with more edges are searched instead: a table takes `2^edges` bytes.
pub(super) const MAX_EDGES: usize = 24;

/// `net[open]`: the boxes that the player to move will win minus those that the opponent will
/// win, among the boxes still open, when only the edges `open` are left.
#[derive(Clone, Debug)]
pub(super) struct Retrograde {
    net: Vec<i8>,
}

impl Retrograde {
    /// Plain minimax: every move of every position, smaller sets first, without any shortcut.
    pub(super) fn new(lines: &Lines) -> Self {
        let mut net = vec![0i8; 1 << lines.n_edges];
        for open in 1..net.len() {
            let best = edges(open as Open).map(|edge| {
                let rest = open & !(1 << edge);
                match lines.completed_by(edge, rest as Open) {
                    0 => -net[rest],
                    taken => taken as i8 + net[rest],
                }
            });
            net[open] = best.max().expect("an edge is open");
        }
        Retrograde { net }
    }

    pub(super) fn net(&self, open: Open) -> i32 {
        i32::from(self.net[open as usize])
    }
}
