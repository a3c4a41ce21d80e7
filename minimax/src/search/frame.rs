//! The storage of one node of a search.

use crate::ordering::Ranked;
use tablero_env::ActionId;

/// The storage of one node. It is kept for another node when this one is done: some states own
/// histories, which `clone_from` then copies into place.
#[derive(Clone, Debug)]
pub(super) struct Frame<S> {
    /// The child at hand.
    pub(super) next: S,
    /// Those to be searched.
    pub(super) actions: Vec<ActionId>,
    pub(super) forcing: Vec<ActionId>,
    pub(super) ranked: Vec<Ranked>,
}

impl<S: Clone> Frame<S> {
    pub(super) fn new(state: &S) -> Self {
        Frame {
            next: state.clone(),
            actions: Vec::new(),
            forcing: Vec::new(),
            ranked: Vec::new(),
        }
    }
}
