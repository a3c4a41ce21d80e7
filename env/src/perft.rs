//! Counting action sequences, the usual proof that rules are exact.

use crate::{ActionId, Game};
use std::ops::ControlFlow::{self, Break, Continue};

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
    perft_while(game, state, depth, &|| true).expect("it is never ended")
}

/// The same, or `None` once `goes_on` is false. It is asked at every position with more than two plies
/// left to count.
#[must_use]
pub fn perft_while<G: Game>(
    game: &G,
    state: &G::State,
    depth: usize,
    goes_on: &dyn Fn() -> bool,
) -> Option<Vec<u64>> {
    let mut counts = vec![0; depth];
    let mut frames: Vec<_> = (0..depth)
        .map(|_| Frame {
            actions: Vec::new(),
            next: game.initial(),
        })
        .collect();
    let counted = count(game, state, &mut counts, &mut frames, goes_on);
    counted.is_continue().then_some(counts)
}

/// The number of sequences of d complete turns from `state`, for each d of `1..=depth`. A turn is
/// all that one player plays until another player is to move or the game is over; two turns
/// differ if their lists of actions do. From a position within a turn, the rest of it counts as
/// the first.
///
/// ```
/// use tablero_env::{Game, dots_and_boxes::DotsAndBoxes, perft::perft_turns};
/// let game = DotsAndBoxes::new(1, 1).unwrap();
/// // Whoever draws the last edge takes the box, and the game is over.
/// assert_eq!(perft_turns(&game, &game.initial(), 5), [4, 12, 24, 24, 0]);
/// ```
#[must_use]
pub fn perft_turns<G: Game>(game: &G, state: &G::State, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    count_turns(game, state, &mut counts, &mut Vec::new());
    counts
}

fn count_turns<G: Game>(
    game: &G,
    state: &G::State,
    counts: &mut [u64],
    frames: &mut Vec<Frame<G::State>>,
) {
    if counts.is_empty() {
        return;
    }
    let mut frame = frames.pop().unwrap_or_else(|| Frame {
        actions: Vec::new(),
        next: game.initial(),
    });
    game.legal_actions(state, &mut frame.actions);
    for &action in &frame.actions {
        frame.next.clone_from(state);
        game.play_unchecked(&mut frame.next, action);
        let turn_goes_on = !game.is_over(&frame.next)
            && game.player_to_move(&frame.next) == game.player_to_move(state);
        if turn_goes_on {
            count_turns(game, &frame.next, counts, frames);
        } else {
            counts[0] += 1;
            count_turns(game, &frame.next, &mut counts[1..], frames);
        }
    }
    frames.push(frame);
}

/// Storage of one depth, used again for each of its nodes.
struct Frame<S> {
    actions: Vec<ActionId>,
    next: S,
}

fn count<G: Game>(
    game: &G,
    state: &G::State,
    counts: &mut [u64],
    frames: &mut [Frame<G::State>],
    goes_on: &dyn Fn() -> bool,
) -> ControlFlow<()> {
    let (Some((here, deeper)), Some((frame, frames))) =
        (counts.split_first_mut(), frames.split_first_mut())
    else {
        return Continue(());
    };
    if deeper.is_empty() {
        *here += game.n_legal_actions(state, &mut frame.actions) as u64;
        return Continue(());
    }
    if deeper.len() > 1 && !goes_on() {
        return Break(());
    }
    game.legal_actions(state, &mut frame.actions);
    *here += frame.actions.len() as u64;
    for &action in &frame.actions {
        frame.next.clone_from(state);
        game.play_unchecked(&mut frame.next, action);
        count(game, &frame.next, deeper, frames, goes_on)?;
    }
    Continue(())
}
