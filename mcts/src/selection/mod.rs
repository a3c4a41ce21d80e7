//! How moves are chosen: a rule is a value that owns its parameters, for the root and below it.

mod completed;
mod gumbel;
mod halving;
mod puct;

pub use gumbel::Gumbel;
pub use puct::Puct;

use crate::ranges::ParamsError;
use crate::report::RootEdge;
use crate::root::Root;
use crate::tree::Tree;
use serde::{Deserialize, Serialize};
use tablero_env::ActionId;
use tablero_env::random::Stream;

/// A selection rule with its parameters.
///
/// In a file, the field `root`, which is `puct` or `gumbel`, and those of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "root", rename_all = "kebab-case")]
pub enum Selection {
    /// By values and priors, everywhere alike.
    Puct(Puct),
    /// By sequential halving at the root, and below it towards the improved policy.
    Gumbel(Gumbel),
}

impl Default for Selection {
    fn default() -> Self {
        Selection::Puct(Puct::default())
    }
}

/// What a rule decides. Ranks count the moves of a node in the tree's order.
pub(crate) trait Rule {
    /// Begins a move: brings the root's untried moves into their order, with noise if the move
    /// explores.
    fn prepare(&self, root: &mut Root, tree: &mut Tree, stream: &mut Stream);

    /// The rank of the move to follow from the root.
    fn at_root(&self, root: &Root, tree: &Tree) -> usize;

    /// The rank of the move to follow from another node.
    fn inside(&self, tree: &Tree, node: usize) -> usize;

    /// The weights of the root's moves in the policy target, by ascending action. Only
    /// `accepted` ones count.
    fn weights(&self, root: &Root, tree: &Tree, edges: &[RootEdge], accepted: &[bool]) -> Vec<f64>;

    /// The action to play at full strength; `None` in a finished game.
    fn best(&self, root: &Root, tree: &Tree) -> Option<ActionId>;
}

impl Selection {
    #[inline]
    pub(crate) fn rule(&self) -> &dyn Rule {
        match self {
            Selection::Puct(puct) => puct,
            Selection::Gumbel(gumbel) => gumbel,
        }
    }

    /// Gives the root its priors or scores, with noise if the move explores, and brings its
    /// untried moves into their order.
    pub(crate) fn draw(&self, root: &mut Root, tree: &mut Tree, stream: &mut Stream) {
        tree.sort_untried(tree.root());
        root.read_priors(tree);
        self.rule().prepare(root, tree, stream);
    }

    pub(crate) fn check(&self) -> Result<(), ParamsError> {
        match self {
            Selection::Puct(puct) => puct.check(),
            Selection::Gumbel(gumbel) => gumbel.check(),
        }
    }
}
