//! A tree as text, to read and to compare.

use crate::Search;
use crate::tree::ROOT;
use std::fmt::{self, Write};
use tablero_env::Notation;

impl<G: Notation> Search<G> {
    /// The whole tree, one line a visited move, indented by depth: who moves, the action, its
    /// prior P, visits N and mean value Q, seen by the one who moves, and whether that player
    /// has proven it won, drawn or lost. Moves stand in the order in which they were first tried;
    /// untried ones are counted. Priors of the root are those with noise.
    #[must_use]
    pub fn tree_text(&self) -> String {
        let wdl = self.root_wdl();
        let mut text = format!(
            "player {} to move: N {} Q {:+.4} draw {:.4}{}\n",
            self.player_to_move(),
            self.root_visits(),
            wdl.value(),
            wdl.draw,
            result_text(self.root_proven()),
        );
        self.write_node(ROOT, &self.state, 1, &mut text)
            .expect("writing to a string does not fail");
        text
    }

    fn write_node(
        &self,
        node: usize,
        state: &G::State,
        depth: usize,
        text: &mut String,
    ) -> fmt::Result {
        let tree = &self.tree;
        let mover = tree.mover(node);
        let n_tried = tree.n_tried(node);
        let moves = tree.moves(node).zip(tree.edges(node));
        for (rank, (a_move, edge)) in moves.take(n_tried).enumerate() {
            let action = tree.action(a_move);
            let prior = match node {
                ROOT => self.root.priors[rank],
                _ => tree.prior(a_move),
            };
            writeln!(
                text,
                "{:indent$}{mover} {} P {prior:.4} N {} Q {:+.4}{}",
                "",
                self.game.action_text(state, action),
                tree.n_visits(edge),
                tree.value(edge).seen_by(mover),
                result_text(tree.proof(edge).value_for(mover)),
                indent = 2 * depth,
            )?;
            if let Some(child) = tree.child(edge) {
                let mut next = state.clone();
                self.game.play_unchecked(&mut next, action);
                self.write_node(child, &next, depth + 1, text)?;
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

fn result_text(proven: Option<i8>) -> &'static str {
    match proven {
        None => "",
        Some(1) => " won",
        Some(0) => " drawn",
        Some(_) => " lost",
    }
}
