use crate::view::View;
use crate::{ActionId, Encode, Game, Player};

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

    /// Whether there are spaces in texts of actions.
    fn texts_hold_spaces(&self) -> bool {
        false
    }

    /// The whole state on one line.
    fn state_text(&self, state: &Self::State) -> String;

    /// Reads [`state_text`](Notation::state_text).
    ///
    /// # Errors
    /// What was expected and what was got; also when the parts contradict each other.
    fn parse_state(&self, text: &str) -> Result<Self::State, NotationError>;

    /// The board as several lines of text, for people.
    fn draw(&self, state: &Self::State) -> String;

    /// What the game calls its players, in a word that can begin a sentence.
    fn side(&self, player: Player) -> &'static str {
        ["Player 0", "Player 1"][player.index()]
    }

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
    /// spaces if their texts hold none or each part reads as an action. Notes in braces, such as `{a trap}`, are passed over.
    fn split_actions<'a>(&self, state: &Self::State, list: &'a str) -> Vec<&'a str> {
        let steps = self.split_annotated(state, list).into_iter();
        let actions = steps.map(|(action, _)| action);
        actions.filter(|action| !action.is_empty()).collect()
    }

    /// The actions of a list as [`split_actions`](Self::split_actions) finds them, each with the note
    /// behind it, which may be empty. A note before the first action comes first, with an empty action.
    fn split_annotated<'a>(&self, state: &Self::State, list: &'a str) -> Vec<(&'a str, &'a str)> {
        let pieces = notes_of(list);
        let has_semicolons = pieces.iter().any(|(text, _)| text.contains(';'));
        let mut steps: Vec<(&str, &str)> = Vec::new();
        for (text, note) in pieces {
            let text = text.trim();
            let parts: Vec<&str> = if self.parse_id_or_action(state, text).is_ok() {
                vec![text]
            } else if has_semicolons {
                text.split(';').collect()
            } else {
                let parts: Vec<&str> = text.split_whitespace().collect();
                // A text that holds spaces and is wrong should be refused as a whole.
                let reads = |part: &&str| self.parse_id_or_action(state, part).is_ok();
                let is_list = !self.texts_hold_spaces() || parts.iter().all(reads);
                if is_list { parts } else { vec![text] }
            };
            let trimmed = parts.into_iter().map(str::trim);
            let actions = trimmed.filter(|part| !part.is_empty());
            steps.extend(actions.map(|action| (action, "")));
            match steps.last_mut() {
                Some((_, last)) if last.is_empty() => *last = note,
                None if !note.is_empty() => steps.push(("", note)),
                _ => {}
            }
        }
        steps
    }
}

/// The pieces of a list between its notes, each with the note behind it.
fn notes_of(list: &str) -> Vec<(&str, &str)> {
    let mut pieces = Vec::new();
    let mut rest = list;
    while let Some((text, (note, after))) = rest
        .split_once('{')
        .and_then(|(text, after)| Some((text, after.split_once('}')?)))
    {
        pieces.push((text, note.trim()));
        rest = after;
    }
    pieces.push((rest, ""));
    pieces
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hive::Hive;
    use crate::paper_soccer::PaperSoccer;

    fn split<G: Notation>(game: &G, list: &str) -> Vec<(String, String)> {
        let steps = game.split_annotated(&game.initial(), list).into_iter();
        let owned = steps.map(|(action, note)| (action.to_owned(), note.to_owned()));
        owned.collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |&(action, note): &(&str, &str)| (action.to_owned(), note.to_owned());
        expected.iter().map(owned).collect()
    }

    #[test]
    fn notes_stand_behind_their_actions() {
        let game = PaperSoccer::new(8, 10).unwrap();
        let expected = pairs(&[("", "quiet"), ("N", ""), ("E", "why; so?"), ("SW", "")]);
        assert_eq!(split(&game, "{quiet} N E {why; so?} SW"), expected);
        assert_eq!(split(&game, "{ quiet }N; E{why; so?}; SW ;"), expected);
        let list = "N {one} {two} E";
        assert_eq!(game.split_actions(&game.initial(), list), ["N", "E"]);
        assert_eq!(split(&game, "N {open"), pairs(&[("N", ""), ("{open", "")]));
        assert_eq!(split(&game, " "), []);
    }

    #[test]
    fn texts_with_spaces_keep_them_beside_notes() {
        let expected = pairs(&[("wS1", "first"), ("bS1 wS1-", ""), ("wQ -wS1", "queen")]);
        let list = "wS1 {first}; bS1 wS1-; wQ -wS1 {queen}";
        assert_eq!(split(&Hive::default(), list), expected);
    }
}
