use crate::view::View;
use crate::{ActionId, Encode, Game};

/// The text forms of actions and states, which parse back to what they were printed from, and
/// a drawing for the terminal.
pub trait Notation: Game {
    /// The text of an action id below [`n_actions`](Game::n_actions).
    fn action_text(&self, state: &Self::State, action: ActionId) -> String;

    /// The texts of legal actions that are played one after the other.
    fn line_texts(&self, state: &Self::State, line: &[ActionId]) -> Vec<String> {
        let mut state = state.clone();
        let texts = line.iter().map(|&action| {
            let text = self.action_text(&state, action);
            self.play_unchecked(&mut state, action);
            text
        });
        texts.collect()
    }

    /// Reads an action in this game's notation. The action is well-formed, not necessarily
    /// legal: [`Game::play`] says so and why.
    ///
    /// # Errors
    /// What was expected and what was got.
    fn parse_action(&self, state: &Self::State, text: &str) -> Result<ActionId, NotationError>;

    /// The whole state on one line.
    fn state_text(&self, state: &Self::State) -> String;

    /// Reads [`state_text`](Notation::state_text).
    ///
    /// # Errors
    /// What was expected and what was got; also when the parts contradict each other.
    fn parse_state(&self, text: &str) -> Result<Self::State, NotationError>;

    /// The board as several lines of text, for people.
    fn draw(&self, state: &Self::State) -> String;

    /// What a person at the board would ask next, a line each: what counts, what is stuck and
    /// why. Empty where the drawing says it all.
    fn remarks(&self, _state: &Self::State) -> Vec<String> {
        Vec::new()
    }

    /// Reads an action given as its id or in this game's notation.
    ///
    /// # Errors
    /// As [`parse_action`](Notation::parse_action); also an id that the game does not have.
    fn parse_id_or_action(
        &self,
        state: &Self::State,
        text: &str,
    ) -> Result<ActionId, NotationError> {
        match text.parse::<u32>() {
            Ok(id) if (id as usize) < self.n_actions() => Ok(ActionId(id)),
            Ok(id) => Err(NotationError::UnknownId {
                id: u64::from(id),
                n_actions: self.n_actions(),
            }),
            Err(_) => self.parse_action(state, text),
        }
    }

    /// The actions of a list that begins in `state`: one action, or several separated by `;`, or by
    /// spaces if their texts hold none.
    fn split_actions<'a>(&self, state: &Self::State, list: &'a str) -> Vec<&'a str> {
        let list = list.trim();
        let parts: Vec<&str> = if self.parse_id_or_action(state, list).is_ok() {
            vec![list]
        } else if list.contains(';') {
            list.split(';').collect()
        } else {
            list.split_whitespace().collect()
        };
        let trimmed = parts.into_iter().map(str::trim);
        trimmed.filter(|part| !part.is_empty()).collect()
    }
}

/// Text that is no action or state of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text does not have the form of an action.
    #[error("not an action: expected {expected}, got {got:?}")]
    Action {
        /// The form that is read.
        expected: String,
        /// The text given.
        got: String,
    },
    /// The number is not an action id of this game.
    #[error("action ids run from 0 to {}, got {id}", .n_actions - 1)]
    UnknownId {
        /// The number given.
        id: u64,
        /// How many ids the game has.
        n_actions: usize,
    },
    /// The text does not have the form of a state, or its parts contradict each other.
    #[error("not a state: expected {expected}, got {got:?}")]
    State {
        /// The form that is read, or the condition that does not hold.
        expected: String,
        /// The part of the text that breaks it.
        got: String,
    },
}

/// Everything that the tools ask of a game: rules, tensors, text and a view.
pub trait BoardGame: Game + Encode + Notation + View {}

impl<G: Game + Encode + Notation + View> BoardGame for G {}
