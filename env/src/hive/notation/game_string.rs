//! GameStrings of the Universal Hive Protocol: the text of a whole game, which is the text of a
//! state.
//!
//! `Base+MLP;InProgress;White[2];wS1;bA1 wS1-`: the game type, how the game stands, whose turn
//! it is and the number of that turn, then the moves. `Draw` is also how a game stands that the
//! third occurrence of a position ended.

use super::move_string;
use crate::hive::config::Hive;
use crate::hive::state::State;
use crate::{Game, Notation, NotationError, Player};

impl Hive {
    /// How the game stands, in the protocol's word.
    fn game_state(&self, state: &State) -> &'static str {
        match self.outcome(state).map(|outcome| outcome.winner) {
            None if state.n_plies() == 0 => "NotStarted",
            None => "InProgress",
            Some(None) => "Draw",
            Some(Some(Player::First)) => "WhiteWins",
            Some(Some(Player::Second)) => "BlackWins",
        }
    }

    /// `GameTypeString;GameStateString;TurnString` and the moves.
    pub(super) fn write_game_string(&self, state: &State) -> String {
        let mut text = format!(
            "{};{};{}",
            self.game_type(),
            self.game_state(state),
            turn(state)
        );
        let mut replayed = self.initial();
        for action in state.moves() {
            text.push(';');
            text.push_str(&self.action_text(&replayed, action));
            self.play_unchecked(&mut replayed, action);
        }
        text
    }

    /// Reads a GameString or a GameTypeString alone, of this game type.
    pub(super) fn parse_game_string(&self, text: &str) -> Result<State, NotationError> {
        let mut fields = text.trim().split(';');
        let game_type = fields.next().unwrap_or_default();
        let given = Hive::parse_game_type(game_type)?;
        if given.game_type() != self.game_type() {
            return Err(expected(
                &format!("the game type {}", self.game_type()),
                game_type,
            ));
        }
        let mut state = self.initial();
        let Some(game_state) = fields.next() else {
            return Ok(state);
        };
        let turn_field = fields.next().ok_or_else(|| {
            let form = "GAMETYPE;GAMESTATE;TURN and the moves, such as Base;NotStarted;White[1]";
            expected(form, text)
        })?;
        for (index, move_text) in fields.enumerate() {
            let refused = |why: String| {
                expected(
                    &format!("a legal move number {}: {why}", index + 1),
                    move_text,
                )
            };
            let action = move_string::parse(&state, move_text)
                .map_err(|error| refused(error.to_string()))?;
            self.play(&mut state, action.id())
                .map_err(|illegal| refused(illegal.to_string()))?;
        }
        if game_state != self.game_state(&state) {
            let form = format!("{}, which the moves lead to", self.game_state(&state));
            return Err(expected(&form, game_state));
        }
        if turn_field != turn(&state) {
            let form = format!("{}, which the moves lead to", turn(&state));
            return Err(expected(&form, turn_field));
        }
        Ok(state)
    }

    /// Reads a GameTypeString, `Base` to `Base+MLP`; the tournament opening.
    ///
    /// # Errors
    /// If the text is anything else.
    pub fn parse_game_type(text: &str) -> Result<Hive, NotationError> {
        // A spec also takes an opening, which a GameTypeString does not tell.
        Some(text)
            .filter(|text| !text.contains(','))
            .and_then(|text| Hive::parse_parameters(text).ok())
            .ok_or_else(|| expected("a game type: Base, or Base+ with some of M, L and P", text))
    }
}

fn expected(expected: &str, got: &str) -> NotationError {
    NotationError::State {
        expected: expected.to_owned(),
        got: got.to_owned(),
    }
}

/// `White[1]`, `Black[1]`, `White[2]`, …
fn turn(state: &State) -> String {
    let side = match state.to_move() {
        Player::First => "White",
        Player::Second => "Black",
    };
    format!("{side}[{}]", state.n_plies() / 2 + 1)
}
