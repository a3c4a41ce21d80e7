//! Every game keeps the laws, and a game that breaks one is caught.

mod broken;

use broken::{Broken, Flaw, rules};
use tablero_env::conformance::{Law, Violation, check};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{AnyGame, Game, Notation, games, with_game};

#[test]
fn every_registered_game_keeps_the_laws_by_default() {
    for entry in games() {
        let any = AnyGame::parse(entry.name).unwrap();
        with_game!(&any, game => check(game, 3, 0).unwrap_or_else(|violation| panic!("{violation}")));
    }
}

#[test]
fn dots_and_boxes_keeps_the_laws_on_small_and_large_boards() {
    let sizes = [
        ((1, 1), 20),
        ((1, 2), 20),
        ((2, 1), 20),
        ((2, 2), 20),
        ((3, 3), 10),
        ((2, 5), 10),
        ((4, 3), 5),
        ((5, 5), 3),
        // 63, 64 and 65 boxes or edges, about the width of a machine word.
        ((1, 10), 3),
        ((10, 1), 3),
        ((7, 9), 1),
        ((8, 8), 1),
        ((9, 10), 1),
        ((10, 10), 1),
    ];
    for ((rows, cols), n_games) in sizes {
        let game = DotsAndBoxes::new(rows, cols).unwrap();
        let report = check(&game, n_games, 1).unwrap_or_else(|violation| panic!("{violation}"));
        // The game is played to the last edge, always.
        let n_edges = game.n_edges();
        assert_eq!(report.longest, n_edges);
        assert_eq!(report.states, n_games * (n_edges + 1));
        assert_eq!(report.moves, n_games * n_edges * (n_edges + 1) / 2);
    }
}

#[test]
fn a_check_is_reproducible_and_depends_on_the_seed() {
    let broken = Broken(Flaw::LongerThanDeclared);
    let violation = |seed| check(&broken, 5, seed).unwrap_err();
    assert_eq!(violation(1), violation(1));
    assert_ne!(violation(1).actions, violation(2).actions);
}

#[test]
fn the_wrapper_without_a_flaw_keeps_the_laws() {
    check(&Broken(Flaw::None), 20, 0).unwrap_or_else(|violation| panic!("{violation}"));
}

/// Each flaw, with the law that it breaks.
const FLAWS: &[(Flaw, Law)] = &[
    (Flaw::TwoTargetsOfOneName, Law::View),
    (Flaw::ClickOffTheBoard, Law::View),
    (Flaw::NoClicks, Law::View),
    (Flaw::ClicksOfAnotherAction, Law::View),
    (Flaw::SameClicksForTwoActions, Law::View),
    (Flaw::ClicksGoOn, Law::View),
    (Flaw::OtherClicksReachIt, Law::View),
    (Flaw::ClicksOfNoAction, Law::View),
    (Flaw::NoActions, Law::Declared),
    (Flaw::PlaneWithoutDescription, Law::Declared),
    (Flaw::SecondPlayerBegins, Law::Initial),
    (Flaw::UnsortedActions, Law::Legal),
    (Flaw::RepeatedAction, Law::Legal),
    (Flaw::BufferNotCleared, Law::Legal),
    (Flaw::FewerActionsDeclared, Law::Legal),
    (Flaw::ActionsAfterTheEnd, Law::Legal),
    (Flaw::MissesALegalAction, Law::Legality),
    (Flaw::AcceptsBeyondTheLastId, Law::Legality),
    (Flaw::WrongReason, Law::Refusal),
    (Flaw::RefusedMoveChangesTheState, Law::Refusal),
    (Flaw::MaskMissesAnAction, Law::Mask),
    (Flaw::MaskKeepsOldEntries, Law::Mask),
    (Flaw::LastMoveLeavesTheMover, Law::Play),
    (Flaw::RefusesAListedAction, Law::Play),
    (Flaw::SharedBetweenClones, Law::Clones),
    (Flaw::SamplesTheFirst, Law::Sample),
    (Flaw::SamplesWithTwoDraws, Law::Sample),
    (Flaw::PlayoutOfAnotherOutcome, Law::Playout),
    (Flaw::PlayoutOfTheOldBuffer, Law::Playout),
    (Flaw::OverBeforeTheOutcome, Law::Ending),
    (Flaw::PointsOfTheOutcomeDiffer, Law::Ending),
    (Flaw::BoundsWithoutTheEnd, Law::LeadBounds),
    (Flaw::BoundsOfTheLeadNow, Law::LeadBounds),
    (Flaw::WinsWithoutAWin, Law::WinsAtOnce),
    (Flaw::LongerThanDeclared, Law::Length),
    (Flaw::SameTextForTwoActions, Law::ActionText),
    (Flaw::ActionTextIsAnotherId, Law::ActionText),
    (Flaw::StateTextForgetsTheMover, Law::StateText),
    (Flaw::StateTextOfTwoLines, Law::StateText),
    (Flaw::HashCountsPlies, Law::Hash),
    // Read back from the text, so that only two orders of moves show it.
    (Flaw::HashOfTheHistory, Law::Equality),
    (Flaw::StdHashOfTheHistory, Law::Equality),
    (Flaw::ObservationOfTheHistory, Law::Observation),
    (Flaw::ObservationLeavesAGap, Law::Observation),
    (Flaw::ObservationOutOfRange, Law::Observation),
    (Flaw::SharedSlot, Law::Slots),
    (Flaw::SlotOutOfRange, Law::Slots),
    (Flaw::MoreFeaturesThanDeclared, Law::Features),
    (Flaw::FeatureOutOfRange, Law::Features),
    (Flaw::UnsortedFeatures, Law::Features),
    (Flaw::RepeatedFeature, Law::Features),
    (Flaw::FeaturesNotCleared, Law::Features),
    (Flaw::FeaturesOfTheHistory, Law::Features),
    (Flaw::NoActionFeatures, Law::Features),
    (Flaw::ActionWithoutFeatures, Law::Features),
    (Flaw::MoreFeaturesOfAnAction, Law::Features),
    (Flaw::ActionFeatureOutOfRange, Law::Features),
    (Flaw::UnsortedActionFeatures, Law::Features),
    (Flaw::ActionFeaturesNotCleared, Law::Features),
    (Flaw::ActionFeaturesOfTheHistory, Law::Features),
    (Flaw::ImagesTooFew, Law::FeatureImages),
    (Flaw::ImagesOnOneAnother, Law::FeatureImages),
    (Flaw::ActionImagesOnOneAnother, Law::FeatureImages),
    (Flaw::FirstImagesMove, Law::FeatureImages),
    (Flaw::ImagesOfAnotherSymmetry, Law::FeatureImages),
    (Flaw::ActionImagesOfAnotherSymmetry, Law::FeatureImages),
    (Flaw::FirstSymmetryMoves, Law::Symmetry),
    (Flaw::SymmetrySwapsPoints, Law::Symmetry),
    (Flaw::SymmetryOfActionsOnly, Law::Symmetry),
    (Flaw::SymmetryOfStatesOnly, Law::Symmetry),
];

#[test]
fn each_flaw_is_caught_as_a_breach_of_its_law() {
    for &(flaw, law) in FLAWS {
        let violation = check(&Broken(flaw), 20, 0).expect_err(&format!("{flaw:?}"));
        assert_eq!(violation.law, law, "{flaw:?}: {violation}");
    }
}

#[test]
fn a_violation_tells_where_it_is() {
    let Violation {
        game,
        law,
        state,
        actions,
        ..
    } = check(&Broken(Flaw::LongerThanDeclared), 1, 0).unwrap_err();
    assert_eq!(
        (game.as_str(), law),
        ("broken:LongerThanDeclared", Law::Length)
    );
    assert_eq!(actions.len(), 11);
    let mut replayed = rules().initial();
    for &action in &actions {
        rules().play(&mut replayed, action).unwrap();
    }
    assert_eq!(rules().state_text(&replayed), state);
}
