//! What a network sees of a state that the bytes reach: every value written and in -1..=1, the same
//! each time, a slot of its own for every legal action unless the state is folded, and all of it
//! under every symmetry.
//!
//! Input: a spec, then a byte for each ply, the number of a legal action.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablero_env::{BoardGame, with_game};
use tablero_fuzz::{checked_legal_actions, split_game};

fuzz_target!(|input: &[u8]| {
    let (game, rest) = split_game(input);
    with_game!(&game, game => see(game, rest));
});

fn see<G: BoardGame>(game: &G, bytes: &[u8]) {
    let mut state = game.initial();
    let mut legal = Vec::new();
    for &byte in bytes {
        game.legal_actions(&state, &mut legal);
        if legal.is_empty() {
            break;
        }
        let action = legal[usize::from(byte) % legal.len()];
        game.play_unchecked(&mut state, action);
    }
    let legal = checked_legal_actions(game, &state);
    check_observation(game, &state);
    for symmetry in 0..game.n_symmetries() {
        let seen = game.transform(symmetry, &state);
        check_observation(game, &seen);
        assert_eq!(game.player_to_move(&seen), game.player_to_move(&state));
        assert_eq!(game.outcome(&seen), game.outcome(&state));
        let mut moved: Vec<_> = legal
            .iter()
            .map(|&action| game.transform_action(symmetry, &state, action))
            .collect();
        moved.sort_unstable();
        assert_eq!(moved, checked_legal_actions(game, &seen));
    }
}

fn check_observation<G: BoardGame>(game: &G, state: &G::State) {
    let [planes, height, width] = game.observation_shape();
    let size = planes * height * width;
    let (mut first, mut second) = (vec![f32::NAN; size], vec![7.0; size]);
    game.write_observation(state, &mut first);
    game.write_observation(state, &mut second);
    assert!(first.iter().all(|value| (-1.0..=1.0).contains(value)));
    assert_eq!(first, second, "the observation depends on the buffer");
    let legal = checked_legal_actions(game, state);
    let mut slots: Vec<_> = legal
        .iter()
        .map(|&action| game.policy_slot(state, action))
        .collect();
    slots.sort_unstable();
    slots.dedup();
    assert!(
        slots.len() == legal.len() || game.is_folded(state),
        "two legal actions share a slot"
    );
    assert!(
        slots
            .last()
            .is_none_or(|&slot| slot < game.n_policy_slots())
    );
}
