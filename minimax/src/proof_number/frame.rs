//! The storage of one node of the proof-number search.

use super::numbers::Child;
use tablero_env::ActionId;

/// The storage of one node, kept for another when this one is done.
#[derive(Clone, Debug)]
pub(super) struct Frame<S> {
    pub(super) next: S,
    /// The state after an action of the child.
    pub(super) after_next: S,
    pub(super) deciding: Vec<ActionId>,
    pub(super) legal: Vec<ActionId>,
    pub(super) children: Vec<Child>,
}

impl<S: Clone> Frame<S> {
    pub(super) fn new(state: &S) -> Frame<S> {
        Frame {
            next: state.clone(),
            after_next: state.clone(),
            deciding: Vec::new(),
            legal: Vec::new(),
            children: Vec::new(),
        }
    }

    /// The actions that are proven to leave the attacker a won position, each with the plies in
    /// which it is won.
    pub(super) fn proven_actions(&self) -> Vec<(ActionId, u16)> {
        let proven = self
            .children
            .iter()
            .filter(|child| child.found.numbers.is_proven());
        proven
            .map(|child| (child.action, child.found.plies))
            .collect()
    }
}
