use super::{Broken, Flaw, Tainted, rules};
use tablero_env::{ActionId, Notation, NotationError};

impl Notation for Broken {
    fn action_text(&self, state: &Tainted, action: ActionId) -> String {
        match self.0 {
            Flaw::SameTextForTwoActions if action.0 == 5 => {
                rules().action_text(&state.inner, ActionId(6))
            }
            Flaw::ActionTextIsAnotherId => (11 - action.0).to_string(),
            _ => rules().action_text(&state.inner, action),
        }
    }

    fn parse_action(&self, state: &Tainted, text: &str) -> Result<ActionId, NotationError> {
        if self.is(Flaw::ActionTextIsAnotherId) {
            return Ok(ActionId(11 - text.parse::<u32>().unwrap()));
        }
        rules().parse_action(&state.inner, text)
    }

    fn state_text(&self, state: &Tainted) -> String {
        let text = rules().state_text(&state.inner);
        match self.0 {
            Flaw::StateTextForgetsTheMover => {
                format!("{}:0", text.rsplit_once(':').unwrap().0)
            }
            Flaw::StateTextOfTwoLines => text.replace(':', "\n"),
            Flaw::HashOfTheHistory if state.rising => format!("rising:{text}"),
            _ => text,
        }
    }

    fn parse_state(&self, text: &str) -> Result<Tainted, NotationError> {
        let (rising, text) = match text.strip_prefix("rising:") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let inner = rules().parse_state(&text.replace(' ', ":"))?;
        Ok(Tainted {
            rising,
            ..self.tainted(inner)
        })
    }

    fn draw(&self, state: &Tainted) -> String {
        rules().draw(&state.inner)
    }
}
