//! A tree as text, to read and to compare.

use crate::Search;
use std::fmt::{self, Write};
use tablero_env::Notation;

impl<G: Notation> Search<G> {
    /// The whole tree, one line a visited move, indented by depth: who moves, the action, its
    /// prior P, visits N and mean value Q, seen by the one who moves, and what is proven about
    /// that player's result. Moves stand in the order in which they were first tried;
    /// untried ones are counted. Priors of the root are those with noise. What is below a position
    /// that several moves lead to stands at the first of them.
    #[must_use]
    pub fn tree_text(&self) -> String {
        let wdl = self.root_wdl();
        let mut text = format!(
            "player {} to move: N {} Q {:+.4} draw {:.4}{}\n",
            self.player_to_move(),
            self.root_visits(),
            wdl.0.value(),
            wdl.0.draw,
            bounds_text(self.root_bounds().0.returns()),
        );
        let mut is_written = vec![false; self.n_nodes()];
        self.write_node(self.tree.root(), &self.state, 1, &mut is_written, &mut text)
            .expect("writing to a string does not fail");
        text
    }

    fn write_node(
        &self,
        node: usize,
        state: &G::State,
        depth: usize,
        is_written: &mut [bool],
        text: &mut String,
    ) -> fmt::Result {
        let tree = &self.tree;
        if std::mem::replace(&mut is_written[node], true) {
            return Ok(());
        }
        let mover = tree.mover(node);
        let n_tried = tree.n_tried(node);
        let moves = tree.moves(node).zip(tree.edges(node));
        for (rank, (mv, edge)) in moves.take(n_tried).enumerate() {
            let action = tree.action(mv);
            let prior = if node == tree.root() {
                self.root.priors[rank]
            } else {
                tree.prior(mv)
            };
            writeln!(
                text,
                "{:indent$}{mover} {} P {prior:.4} N {} Q {:+.4}{}",
                "",
                self.game.action_text(state, action),
                tree.edge_visits(edge),
                tree.edge_value(edge).seen_by(mover),
                bounds_text(tree.edge_bounds(edge).seen_by(mover)),
                indent = 2 * depth,
            )?;
            if let Some(child) = tree.child(edge) {
                let mut next = state.clone();
                self.game.play_unchecked(&mut next, action);
                self.write_node(child, &next, depth + 1, is_written, text)?;
            }
        }
        let n_untried = tree.moves(node).len() - n_tried;
        if n_tried > 0 && n_untried > 0 {
            writeln!(
                text,
                "{:indent$}{n_untried} untried",
                "",
                indent = 2 * depth
            )?;
        }
        Ok(())
    }
}

fn bounds_text(bounds: [i8; 2]) -> &'static str {
    match bounds {
        [1, _] => " won",
        [0, 0] => " drawn",
        [_, -1] => " lost",
        [0, _] => " not lost",
        [_, 0] => " not won",
        _ => "",
    }
}
