//! A position with its turn, its legal actions and what led to it.

use super::board::Board;
use super::{Touch, View};
use crate::{ActionId, Outcome, Player};
use serde::Serialize;
use std::error::Error;

/// A position as structured data. Its JSON form is described by `docs/position.schema.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The game's spec.
    pub game: String,
    /// The text of the state, which parses back.
    pub state: String,
    /// How many actions have been played, as far as they are known.
    pub ply: usize,
    /// Who moves; `None` when the game is over.
    pub player: Option<Player>,
    /// Why they move again, if they moved last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<&'static str>,
    /// How the game ended, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The points of both players so far, in games that have points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<[i32; 2]>,
    /// What a person would ask next, a line each.
    pub remarks: Vec<String>,
    /// The latest actions, oldest first: those of the last turn, and of this one so far.
    pub latest: Vec<Step>,
    /// What lies where.
    pub board: Board,
    /// The legal actions, ascending.
    pub actions: Vec<LegalAction>,
}

/// A legal action and what it touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalAction {
    /// The action.
    pub action: ActionId,
    /// Its text.
    pub text: String,
    /// As in [`Touch::clicks`].
    pub clicks: Vec<String>,
    /// As in [`Touch::from`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// As in [`Touch::changes`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
}

/// An action that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Who played it.
    pub player: Player,
    /// What it did, in the game's own words.
    pub did: String,
    /// The action.
    #[serde(flatten)]
    pub action: LegalAction,
}

/// An action of a list that the rules refuse.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("action {} of {n_actions} is illegal: {reason}", .index + 1)]
pub struct Refused<I: Error> {
    /// Which of the actions, from 0.
    pub index: usize,
    /// How many were given.
    pub n_actions: usize,
    /// The rule that it breaks.
    pub reason: I,
}

impl Position {
    /// A position whose past is unknown.
    #[must_use]
    pub fn of<G: View>(game: &G, state: &G::State) -> Position {
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        let outcome = game.outcome(state);
        Position {
            game: game.spec(),
            state: game.state_text(state),
            ply: 0,
            player: outcome.is_none().then(|| game.player_to_move(state)),
            again: None,
            outcome,
            points: game.points(state),
            remarks: game.remarks(state),
            latest: Vec::new(),
            board: game.board(state),
            actions: legal
                .iter()
                .map(|&action| LegalAction::of(game, state, action))
                .collect(),
        }
    }

    /// The position that these actions lead to, with what is known of its past.
    ///
    /// # Errors
    /// The first illegal action.
    ///
    /// # Examples
    /// ```
    /// use tablero_env::dots_and_boxes::DotsAndBoxes;
    /// use tablero_env::view::Position;
    /// use tablero_env::{ActionId, Game, Player};
    /// let game = DotsAndBoxes::new(1, 1).unwrap();
    /// let actions = [0, 1, 2].map(ActionId);
    /// let position = Position::after(&game, &game.initial(), &actions).unwrap();
    /// assert_eq!(position.player, Some(Player::Second));
    /// assert_eq!(position.actions[0].clicks, ["e3"]);
    /// assert_eq!(position.actions[0].changes, ["b0"], "the last edge captures the box");
    /// ```
    pub fn after<G: View>(
        game: &G,
        start: &G::State,
        actions: &[ActionId],
    ) -> Result<Position, Refused<G::Illegal>> {
        let mut state = start.clone();
        let (mut last_turn, mut this_turn) = (Vec::new(), Vec::<Step>::new());
        let mut again = None;
        for (index, &action) in actions.iter().enumerate() {
            let refused = |reason| Refused {
                index,
                n_actions: actions.len(),
                reason,
            };
            game.legality(&state, action).map_err(refused)?;
            let player = game.player_to_move(&state);
            if this_turn.last().is_some_and(|step| step.player != player) {
                last_turn = std::mem::take(&mut this_turn);
            }
            let touched = LegalAction::of(game, &state, action);
            again = Some(game.again(&state, action));
            let played = game.play(&mut state, action).map_err(refused)?;
            this_turn.push(Step {
                player,
                did: played.to_string(),
                action: touched,
            });
        }
        let mut position = Position::of(game, &state);
        position.ply = actions.len();
        let mover = this_turn.last().map(|step| step.player);
        if position.player.is_some() && position.player == mover {
            position.again = again;
            position.latest = last_turn;
        }
        position.latest.append(&mut this_turn);
        Ok(position)
    }
}

impl LegalAction {
    fn of<G: View>(game: &G, state: &G::State, action: ActionId) -> LegalAction {
        let Touch {
            clicks,
            from,
            changes,
        } = game.touch(state, action);
        LegalAction {
            action,
            text: game.action_text(state, action),
            clicks,
            from,
            changes,
        }
    }
}
