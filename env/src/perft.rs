//! Counting action sequences, the usual proof that rules are exact.

use crate::{ActionId, Game};

/// The number of action sequences of length d from `state`, for each d of `1..=depth`. A
/// finished game does not extend, so it counts only at the depths up to its end.
///
/// ```
/// use tablero_env::{Game, dots_and_boxes::DotsAndBoxes, perft::perft};
/// let game = DotsAndBoxes::new(1, 1).unwrap();
/// // Four edges in any order: 4, 4*3, 4*3*2, 4*3*2*1.
/// assert_eq!(perft(&game, &game.initial(), 5), [4, 12, 24, 24, 0]);
/// ```
#[must_use]
pub fn perft<G: Game>(game: &G, state: &G::State, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    let mut buffers = vec![Vec::new(); depth];
    count(game, state, &mut counts, &mut buffers);
    counts
}

fn count<G: Game>(game: &G, state: &G::State, counts: &mut [u64], buffers: &mut [Vec<ActionId>]) {
    let (Some((here, deeper)), Some((buffer, buffers))) =
        (counts.split_first_mut(), buffers.split_first_mut())
    else {
        return;
    };
    game.legal_actions(state, buffer);
    *here += buffer.len() as u64;
    if deeper.is_empty() {
        return;
    }
    for &action in buffer.iter() {
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        count(game, &next, deeper, buffers);
    }
}
