//! Text: MoveStrings and GameStrings.

mod game_string;
mod move_string;

use super::board::action::Action;
use super::config::Hive;
use super::state::State;
use crate::{ActionId, Notation, NotationError, Player};

/// What the players are called.
pub(super) const SIDES: [&str; 2] = ["White", "Black"];

impl Notation for Hive {
    fn texts_hold_spaces(&self) -> bool {
        true
    }

    fn side(&self, player: Player) -> &'static str {
        SIDES[player.index()]
    }

    fn action_text(&self, state: &State, action: ActionId) -> String {
        let action = Action::from_id(action).expect("an action id below n_actions");
        move_string::write(state, action)
    }

    fn parse_action(&self, state: &State, text: &str) -> Result<ActionId, NotationError> {
        move_string::parse(state, text).map(Action::id)
    }

    fn state_text(&self, state: &State) -> String {
        self.write_game_string(state)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        self.parse_game_string(text)
    }

    fn draw(&self, state: &State) -> String {
        self.drawing(state)
    }

    fn remarks(&self, state: &State) -> Vec<String> {
        self.remarks_of(state)
    }
}
