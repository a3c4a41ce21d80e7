//! A game that breaks one law.

mod encoding;
mod notation;
mod rules;
mod view;

use std::cell::Cell;
use tablero_env::ActionId;
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};

/// One way to break the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    None,
    NoActions,
    PlaneWithoutDescription,
    SecondPlayerBegins,
    UnsortedActions,
    RepeatedAction,
    BufferNotCleared,
    FewerActionsDeclared,
    ActionsAfterTheEnd,
    MissesALegalAction,
    AcceptsBeyondTheLastId,
    WrongReason,
    MaskMissesAnAction,
    MaskKeepsOldEntries,
    RefusedMoveChangesTheState,
    LastMoveLeavesTheMover,
    RefusesAListedAction,
    SharedBetweenClones,
    SamplesTheFirst,
    SamplesWithTwoDraws,
    PlayoutOfAnotherOutcome,
    PlayoutOfTheOldBuffer,
    OverBeforeTheOutcome,
    PointsOfTheOutcomeDiffer,
    BoundsWithoutTheEnd,
    BoundsOfTheLeadNow,
    WinsWithoutAWin,
    LongerThanDeclared,
    SameTextForTwoActions,
    ActionTextIsAnotherId,
    StateTextForgetsTheMover,
    StateTextOfTwoLines,
    HashCountsPlies,
    /// Which the text tells too.
    HashOfTheHistory,
    StdHashOfTheHistory,
    ObservationOfTheHistory,
    ObservationLeavesAGap,
    ObservationOutOfRange,
    SharedSlot,
    SlotOutOfRange,
    MoreFeaturesThanDeclared,
    FeatureOutOfRange,
    UnsortedFeatures,
    RepeatedFeature,
    FeaturesNotCleared,
    FeaturesOfTheHistory,
    NoActionFeatures,
    ActionWithoutFeatures,
    MoreFeaturesOfAnAction,
    ActionFeatureOutOfRange,
    UnsortedActionFeatures,
    ActionFeaturesNotCleared,
    ActionFeaturesOfTheHistory,
    ImagesTooFew,
    ImagesOnOneAnother,
    ActionImagesOnOneAnother,
    FirstImagesMove,
    ImagesOfAnotherSymmetry,
    ActionImagesOfAnotherSymmetry,
    FirstSymmetryMoves,
    SymmetrySwapsPoints,
    SymmetryOfActionsOnly,
    SymmetryOfStatesOnly,
    TwoTargetsOfOneName,
    ClickOffTheBoard,
    NoClicks,
    ClicksOfAnotherAction,
    SameClicksForTwoActions,
    ClicksGoOn,
    OtherClicksReachIt,
    ClicksOfNoAction,
}

/// Dots and Boxes on 2x2 with one flaw.
#[derive(Clone, Debug)]
pub struct Broken(pub Flaw);

/// A position, and what a flawed game may wrongly look at.
#[derive(Clone, Debug)]
pub struct Tainted {
    inner: State,
    plies: u32,
    last: ActionId,
    /// Whether the last action has a higher id than the one before.
    rising: bool,
    std_hash_of_history: bool,
}

impl PartialEq for Tainted {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

impl Eq for Tainted {}

impl std::hash::Hash for Tainted {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.inner.hash(hasher);
        if self.std_hash_of_history {
            self.rising.hash(hasher);
        }
    }
}

thread_local! {
    /// What the clones of `Flaw::SharedBetweenClones` share.
    static SHARED: Cell<u64> = const { Cell::new(0) };
}

pub fn rules() -> DotsAndBoxes {
    DotsAndBoxes::new(2, 2).unwrap()
}

impl Broken {
    fn is(&self, flaw: Flaw) -> bool {
        self.0 == flaw
    }

    fn tainted(&self, inner: State) -> Tainted {
        Tainted {
            inner,
            plies: 0,
            last: ActionId(0),
            rising: false,
            std_hash_of_history: self.is(Flaw::StdHashOfTheHistory),
        }
    }

    fn record(state: &mut Tainted, action: ActionId) {
        state.plies += 1;
        state.rising = action > state.last;
        state.last = action;
        SHARED.set(SHARED.get() + 1);
    }
}
