//! The laws by name, and what is said of a broken one.

use crate::{ActionId, BoardGame};
use std::fmt;

/// A law of the [module's table](super).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Law {
    /// The declared sizes make sense.
    Declared,
    /// The initial state is one, unfinished, with player 0 to move.
    Initial,
    /// The list of legal actions is well-formed.
    Legal,
    /// The predicates accept exactly the listed actions.
    Legality,
    /// The mask marks exactly the listed actions.
    Mask,
    /// An unlisted action is refused and changes nothing.
    Refusal,
    /// A listed action is accepted, and checked and unchecked play agree.
    Play,
    /// Clones are independent.
    Clones,
    /// A sampled action is the listed one with the same draw.
    Sample,
    /// A playout is played to the end.
    Playout,
    /// Outcome, points and the end of the game agree.
    Ending,
    /// The bounds of the lead only narrow, down to the final lead.
    LeadBounds,
    /// A win before the other player moves is there to be played.
    WinsAtOnce,
    /// The game ends within its declared maximum.
    Length,
    /// Actions are read back from their texts.
    ActionText,
    /// States are read back from their texts.
    StateText,
    /// The incremental hash is the hash from scratch.
    Hash,
    /// Equal states cannot be told apart.
    Equality,
    /// Symmetries commute with the rules.
    Symmetry,
    /// Legal actions have policy slots of their own.
    Slots,
    /// The observation is complete, bounded and a function of the state.
    Observation,
    /// The features are well-formed and a function of the state.
    Features,
    /// The images of features are the features of the image.
    FeatureImages,
    /// Clicks reach every legal action and no other.
    View,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A law that a game breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game} breaks the law {law}: {detail}\n  in the state {state}\n  after the actions {}",
    if actions.is_empty() { "(none)".to_owned() } else { join(actions) })]
pub struct Violation {
    /// The game's spec.
    pub game: String,
    /// The law broken.
    pub law: Law,
    /// What was expected and what was got.
    pub detail: String,
    /// The text of the state in which it was broken.
    pub state: String,
    /// The actions that lead there from the initial state.
    pub actions: Vec<ActionId>,
}

pub(super) fn join(actions: &[ActionId]) -> String {
    let ids = actions.iter().map(ActionId::to_string);
    ids.collect::<Vec<_>>().join(" ")
}

/// A broken law before it is known where.
pub(super) struct Breach {
    pub(super) law: Law,
    pub(super) detail: String,
}

impl Breach {
    pub(super) fn located<G: BoardGame>(
        self,
        game: &G,
        state: &G::State,
        path: &[ActionId],
    ) -> Violation {
        Violation {
            game: game.spec(),
            law: self.law,
            detail: self.detail,
            state: game.state_text(state),
            actions: path.to_vec(),
        }
    }
}

pub(super) fn ensure(holds: bool, law: Law, detail: impl FnOnce() -> String) -> Result<(), Breach> {
    if holds {
        Ok(())
    } else {
        let detail = detail();
        Err(Breach { law, detail })
    }
}
