//! Counting positions and complete games, where there are few enough to hold in memory.

use crate::Game;
use std::collections::HashMap;

/// What can be reached in a number of plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// Different positions after exactly this many plies, finished ones included.
    pub positions: u64,
    /// Action sequences of this length, as [`perft`](crate::perft::perft) counts them.
    pub sequences: u128,
    /// Complete games of this length: the sequences that end the game.
    pub games: u128,
}

/// Counts from `state`, ply by ply: entry 0 is `state` itself, the last one that of the longest
/// games, or that of `max_plies` if this comes first.
///
/// Equal positions are visited once, so this counts far more sequences than
/// [`perft`](crate::perft::perft) can visit, and needs room for the positions of two plies.
///
/// # Examples
/// ```
/// use tablero_env::{Game, census::census, dots_and_boxes::DotsAndBoxes};
/// let game = DotsAndBoxes::new(1, 1).unwrap();
/// let plies = census(&game, &game.initial(), usize::MAX);
/// // Four edges, drawn or not; they are drawn in any order.
/// assert_eq!(plies.iter().map(|ply| ply.positions).sum::<u64>(), 16);
/// assert_eq!(plies.iter().map(|ply| ply.games).sum::<u128>(), 24);
/// ```
#[must_use]
pub fn census<G: Game>(game: &G, state: &G::State, max_plies: usize) -> Vec<Ply> {
    let mut layer = HashMap::from([(state.clone(), 1u128)]);
    let mut plies = Vec::new();
    let mut buffer = Vec::new();
    while !layer.is_empty() {
        let mut ply = Ply {
            positions: layer.len() as u64,
            ..Ply::default()
        };
        let mut next_layer = HashMap::new();
        for (state, sequences) in layer {
            ply.sequences += sequences;
            if game.is_over(&state) {
                ply.games += sequences;
                continue;
            }
            if plies.len() == max_plies {
                continue;
            }
            game.legal_actions(&state, &mut buffer);
            for &action in &buffer {
                let mut next = state.clone();
                game.play_unchecked(&mut next, action);
                *next_layer.entry(next).or_insert(0) += sequences;
            }
        }
        plies.push(ply);
        layer = next_layer;
    }
    plies
}
