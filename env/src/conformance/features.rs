//! The laws of features.

use super::breach::{Breach, Law, ensure};
use crate::{ActionFeatures, ActionId, BoardGame, Encode, FeatureImages};

/// The features of a position and of its actions.
type Written = (Vec<u32>, ActionFeatures);

/// What a game writes into buffers with an old content.
fn write<G: Encode>(game: &G, state: &G::State, legal: &[ActionId], old: &[u32]) -> Written {
    let mut features = old.to_vec();
    let mut actions = ActionFeatures::new();
    for &value in old {
        actions.push([value]);
    }
    game.write_features(state, legal, &mut features, &mut actions);
    (features, actions)
}

pub(super) fn declared<G: Encode>(game: &G) -> Result<(), Breach> {
    let sizes = game.feature_sizes();
    let holds = sizes.features >= sizes.most_active
        && sizes.most_active > 0
        && sizes.action_features >= sizes.most_active_of_action
        && sizes.most_active_of_action > 0
        && u32::try_from(sizes.features.max(sizes.action_features)).is_ok();
    ensure(holds, Law::Features, || format!("{sizes:?}"))?;
    for symmetry in 0..game.n_symmetries() {
        let Some(images) = game.feature_images(symmetry) else {
            continue;
        };
        let numbers = [
            (&images.features, sizes.features),
            (&images.action_features, sizes.action_features),
        ];
        for (images, size) in numbers {
            let mut sorted = images.clone();
            sorted.sort_unstable();
            ensure(
                sorted.iter().copied().eq(0..size as u32),
                Law::FeatureImages,
                || format!("symmetry {symmetry}: not a permutation of {size} features"),
            )?;
            let identity = symmetry != 0 || *images == sorted;
            ensure(identity, Law::FeatureImages, || {
                "symmetry 0: expected the identity".to_owned()
            })?;
        }
    }
    Ok(())
}

fn ascending(features: &[u32], size: usize, most: usize) -> Result<(), Breach> {
    let holds = features.is_sorted_by(|a, b| a < b)
        && features.last().is_none_or(|&last| (last as usize) < size)
        && features.len() <= most;
    ensure(holds, Law::Features, || {
        format!("expected at most {most} ascending numbers below {size}, got {features:?}")
    })
}

pub(super) fn well_formed<G: BoardGame>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
) -> Result<(), Breach> {
    if legal.is_empty() {
        return Ok(());
    }
    let sizes = game.feature_sizes();
    let written = write(game, state, legal, &[]);
    let (features, actions) = &written;
    ascending(features, sizes.features, sizes.most_active)?;
    ensure(actions.len() == legal.len(), Law::Features, || {
        format!("features of {} actions, not {}", actions.len(), legal.len())
    })?;
    for (of_action, action) in actions.iter().zip(legal) {
        let most = sizes.most_active_of_action;
        ascending(of_action, sizes.action_features, most)?;
        ensure(!of_action.is_empty(), Law::Features, || {
            format!("action {action} has no feature")
        })?;
    }
    let again = write(game, state, legal, &[0, 1]);
    ensure(again == written, Law::Features, || {
        format!("into buffers that hold 0 and 1 other features are written: {again:?}")
    })?;
    // That the text is read back is a law of its own.
    let Ok(parsed) = game.parse_state(&game.state_text(state)) else {
        return Ok(());
    };
    let parsed = write(game, &parsed, legal, &[]);
    ensure(parsed == written, Law::Features, || {
        format!("the state read back from its text has other features: {parsed:?}")
    })
}

/// Requires that two equal states have the same features.
pub(super) fn same<G: BoardGame>(game: &G, a: &G::State, b: &G::State) -> Result<(), Breach> {
    let mut legal = Vec::new();
    game.legal_actions(a, &mut legal);
    let same = legal.is_empty() || write(game, a, &legal, &[]) == write(game, b, &legal, &[]);
    ensure(same, Law::Equality, || {
        "equal states have different features".to_owned()
    })
}

/// `images` are those of each symmetry.
pub(super) fn of_images<G: BoardGame>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
    images: &[Option<FeatureImages>],
) -> Result<(), Breach> {
    if legal.is_empty() || images.iter().all(Option::is_none) {
        return Ok(());
    }
    let (features, actions) = write(game, state, legal, &[]);
    let numbered = images.iter().enumerate();
    let given = numbered.filter_map(|(symmetry, images)| Some((symmetry, images.as_ref()?)));
    for (symmetry, images) in given {
        let image = game.transform(symmetry, state);
        let mut legal_image = Vec::new();
        game.legal_actions(&image, &mut legal_image);
        let (expected, expected_actions) = write(game, &image, &legal_image, &[]);
        let got = sorted_images(&features, &images.features);
        ensure(got == expected, Law::FeatureImages, || {
            format!("symmetry {symmetry}: expected {expected:?}, got {got:?}")
        })?;
        for (of_action, &action) in actions.iter().zip(legal) {
            let action_image = game.transform_action(symmetry, state, action);
            // That the image is legal is a law of its own.
            let Ok(index) = legal_image.binary_search(&action_image) else {
                continue;
            };
            let got = sorted_images(of_action, &images.action_features);
            let expected = expected_actions.get(index);
            ensure(got == expected, Law::FeatureImages, || {
                format!("symmetry {symmetry}, action {action}: expected {expected:?}, got {got:?}")
            })?;
        }
    }
    Ok(())
}

fn sorted_images(features: &[u32], images: &[u32]) -> Vec<u32> {
    let mut sorted: Vec<u32> = features.iter().map(|&f| images[f as usize]).collect();
    sorted.sort_unstable();
    sorted
}
