//! Whole turns: all that one player plays until another player is to move or the game is over.
//!
//! In Paper Soccer and in Dots and Boxes a turn may be many actions long. A person plays it as
//! one list, and a program checks a list that is still being put together.

use crate::{ActionId, Game};
use std::error::Error;

/// Whether a legal beginning of a turn is already all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The same player must continue.
    Incomplete,
    /// Another player is to move, or the game is over.
    Complete,
}

/// Why a list of actions is not a turn, or not the beginning of one. Steps count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError<I: Error> {
    /// The rules refuse an action.
    #[error("step {} of the turn is illegal: {reason}", .step + 1)]
    Illegal {
        /// Which of the actions.
        step: usize,
        /// The rule that it breaks.
        reason: I,
    },
    /// There are actions after the one that completed the turn.
    #[error("the turn continues after it is complete: expected length {length}, got {got}")]
    GoesOn {
        /// How many actions the turn has.
        length: usize,
        /// How many were given.
        got: usize,
    },
    /// The player must continue.
    #[error(
        "the turn stops before it is complete: the same player must continue after length {got}"
    )]
    StopsEarly {
        /// How many actions were given.
        got: usize,
    },
}

/// Plays a beginning of a turn on a copy of `state`: the state that it leads to, and whether the
/// turn is complete. The empty list is a beginning of any turn.
///
/// # Errors
/// If an action is illegal, or follows the one that completed the turn.
pub fn check_prefix<G: Game>(
    game: &G,
    state: &G::State,
    actions: &[ActionId],
) -> Result<(G::State, Progress), TurnError<G::Illegal>> {
    let mover = game.player_to_move(state);
    let mut next = state.clone();
    let mut progress = if game.is_over(state) {
        Progress::Complete
    } else {
        Progress::Incomplete
    };
    for (step, &action) in actions.iter().enumerate() {
        if step > 0 && progress == Progress::Complete {
            return Err(TurnError::GoesOn {
                length: step,
                got: actions.len(),
            });
        }
        game.play(&mut next, action)
            .map_err(|reason| TurnError::Illegal { step, reason })?;
        if game.is_over(&next) || game.player_to_move(&next) != mover {
            progress = Progress::Complete;
        }
    }
    Ok((next, progress))
}

/// Plays one whole turn and tells what each action of it did.
///
/// # Errors
/// If an action is illegal, or the list is not exactly one turn; `state` is then unchanged.
///
/// # Examples
/// ```
/// use tablero_env::turn::{TurnError, play_turn};
/// use tablero_env::{ActionId, Game, dots_and_boxes::DotsAndBoxes};
///
/// let game = DotsAndBoxes::new(1, 2).unwrap();
/// let mut state = game.initial();
/// // Player 1 takes the left box with edge 4 and has to go on.
/// for edge in [0, 1, 2, 3, 5] {
///     play_turn(&game, &mut state, &[ActionId(edge)]).unwrap();
/// }
/// let early = play_turn(&game, &mut state, &[ActionId(4)]);
/// assert_eq!(early.unwrap_err(), TurnError::StopsEarly { got: 1 });
/// assert_eq!(play_turn(&game, &mut state, &[ActionId(4), ActionId(6)]).unwrap().len(), 2);
/// assert!(game.is_over(&state));
/// ```
pub fn play_turn<G: Game>(
    game: &G,
    state: &mut G::State,
    actions: &[ActionId],
) -> Result<Vec<G::Played>, TurnError<G::Illegal>> {
    if let (_, Progress::Incomplete) = check_prefix(game, state, actions)? {
        return Err(TurnError::StopsEarly { got: actions.len() });
    }
    let played = actions.iter().enumerate().map(|(step, &action)| {
        game.play(state, action)
            .map_err(|reason| TurnError::Illegal { step, reason })
    });
    played.collect()
}
