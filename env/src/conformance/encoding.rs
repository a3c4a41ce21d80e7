//! The laws of [`Encode`](crate::Encode).

use super::breach::{Breach, Law, ensure};
use super::equality::{observe, same_bits, same_hash_from_scratch};
use crate::{ActionId, BoardGame, Encode};

pub(super) fn declared<G: Encode>(game: &G) -> Result<(), Breach> {
    let shape = game.observation_shape();
    let descriptions = game.plane_descriptions().len();
    ensure(
        shape.iter().all(|&size| size > 0)
            && descriptions == shape[0]
            && game.policy_planes() > 0
            && game.policy_descriptions().len() == game.policy_planes()
            && game.n_symmetries() > 0,
        Law::Declared,
        || {
            format!(
                "observation {shape:?} with {descriptions} descriptions, {} policy planes with {} \
                 descriptions, {} symmetries",
                game.policy_planes(),
                game.policy_descriptions().len(),
                game.n_symmetries()
            )
        },
    )
}

pub(super) fn observation<G: Encode>(game: &G, state: &G::State) -> Result<(), Breach> {
    let observation = observe(game, state, f32::NAN);
    for (index, value) in observation.iter().enumerate() {
        ensure((-1.0..=1.0).contains(value), Law::Observation, || {
            format!("expected -1 to 1 at index {index}, got {value} (NaN where nothing is written)")
        })?;
    }
    let again = observe(game, state, 0.5);
    ensure(same_bits(&observation, &again), Law::Observation, || {
        "two calls write different values".to_owned()
    })?;
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mut knowing = vec![f32::NAN; observation.len()];
    game.write_observation_knowing(state, &legal, &mut knowing);
    ensure(same_bits(&observation, &knowing), Law::Observation, || {
        "with the legal actions known other values are written".to_owned()
    })
}

pub(super) fn slots<G: Encode>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
) -> Result<(), Breach> {
    let n_slots = game.n_policy_slots();
    let mut slots: Vec<(usize, ActionId)> = legal
        .iter()
        .map(|&action| (game.policy_slot(state, action), action))
        .collect();
    for (slot, action) in &slots {
        ensure(*slot < n_slots, Law::Slots, || {
            format!("action {action} has slot {slot} of {n_slots}")
        })?;
    }
    if game.is_folded(state) {
        return Ok(());
    }
    slots.sort_unstable();
    for pair in slots.windows(2) {
        let [(slot, action), (next_slot, next_action)] = [pair[0], pair[1]];
        ensure(slot != next_slot, Law::Slots, || {
            format!("actions {action} and {next_action} share slot {slot}")
        })?;
    }
    Ok(())
}

pub(super) fn symmetry<G: BoardGame>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
    thorough: bool,
) -> Result<(), Breach> {
    for symmetry in 0..game.n_symmetries() {
        let at = |detail: String| format!("symmetry {symmetry}: {detail}");
        let image = game.transform(symmetry, state);
        let images: Vec<ActionId> = legal
            .iter()
            .map(|&action| game.transform_action(symmetry, state, action))
            .collect();
        if symmetry == 0 {
            ensure(image == *state && images == legal, Law::Symmetry, || {
                at("expected the identity".to_owned())
            })?;
        }
        ensure(
            game.outcome(&image) == game.outcome(state)
                && game.points(&image) == game.points(state)
                && (game.is_over(state)
                    || game.player_to_move(&image) == game.player_to_move(state)),
            Law::Symmetry,
            || at("outcome, points or mover change".to_owned()),
        )?;
        let text = game.state_text(&image);
        let parsed = game.parse_state(&text).map_err(|error| Breach {
            law: Law::Symmetry,
            detail: at(error.to_string()),
        })?;
        ensure(parsed == image, Law::Symmetry, || {
            at(format!("the image {text} is not read back"))
        })?;
        same_hash_from_scratch(game, &image, &parsed)?;
        let mut sorted = images.clone();
        sorted.sort_unstable();
        let mut expected = Vec::new();
        game.legal_actions(&image, &mut expected);
        ensure(sorted == expected, Law::Symmetry, || {
            at("the images of the legal actions are not those of the image".to_owned())
        })?;
        // All of them, or a few evenly spread, other ones under each symmetry.
        let stride = if thorough {
            1
        } else {
            legal.len().div_ceil(3).max(1)
        };
        let pairs = legal.iter().zip(&images);
        for (&action, &image_action) in pairs.skip(symmetry % stride).step_by(stride) {
            let (mut next, mut image_next) = (state.clone(), image.clone());
            game.play_unchecked(&mut next, action);
            game.play_unchecked(&mut image_next, image_action);
            ensure(
                game.transform(symmetry, &next) == image_next,
                Law::Symmetry,
                || at(format!("does not commute with action {action}")),
            )?;
        }
    }
    Ok(())
}
