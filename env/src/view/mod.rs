//! A position as structured data: for programs, and for pages that draw it and are clicked.
//!
//! A [`Position`] says what lies where, whose turn it is and why, and which actions are legal.
//! Everything on its [`Board`] that can be clicked is a *target* with a short text as its name, which
//! is unique on the board. Each legal action has its *clicks*: the targets that are clicked one
//! after the other to play it, such as a piece in hand and then a cell. No list of clicks is the
//! beginning of another, so a page needs to know no rule: it follows the lists.
//!
//! A game says what it looks like by [`View`]. Every item has a default, a drawing with a button for
//! each action, so a new game can be played before it has a board of its own.

mod board;
mod position;

pub use board::{Board, Button, Cell, Edge, Form, Piece, Reserve};
pub use position::{LegalAction, Position, Refused, Step};

use crate::{ActionId, Notation};

/// What an action touches on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touch {
    /// The targets to click, in this order; at least one.
    pub clicks: Vec<String>,
    /// Where that which moves comes from, if it was on the board.
    pub from: Option<String>,
    /// What else changes: boxes that are captured, cells that are attacked from now on.
    pub changes: Vec<String>,
}

impl Touch {
    /// An action of these clicks that changes nothing else.
    #[must_use]
    pub fn clicks(clicks: impl IntoIterator<Item = String>) -> Touch {
        Touch {
            clicks: clicks.into_iter().collect(),
            ..Touch::default()
        }
    }
}

/// What a game looks like, and what clicks on it mean. The law
/// [`View`](crate::conformance::Law::View) holds that clicks reach every legal action and no
/// other.
pub trait View: Notation {
    /// What lies where. By default the drawing, and a button for each legal action.
    fn board(&self, state: &Self::State) -> Board {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        let button = |&action: &ActionId| Button {
            id: button_id(action),
            label: self.action_text(state, action),
        };
        Board {
            drawing: Some(self.draw(state)),
            buttons: legal.iter().map(button).collect(),
            ..Board::new(Form::List, [1, legal.len()])
        }
    }

    /// What a legal action touches. By default its button.
    fn touch(&self, _state: &Self::State, action: ActionId) -> Touch {
        Touch::clicks([button_id(action)])
    }

    /// The action that these clicks mean, legal or not, so that [`Game::play`](crate::Game::play)
    /// can say why it is not; `None` where they mean nothing.
    fn clicked(&self, _state: &Self::State, clicks: &[&str]) -> Option<ActionId> {
        let [click] = clicks else { return None };
        let id = numbered(click, 'a')?;
        (id < self.n_actions()).then(|| ActionId::from(id))
    }

    /// Why the player who has just played `action` in `before` moves again, in the game's own words.
    fn again(&self, _before: &Self::State, _action: ActionId) -> &'static str {
        "by the rules of the game"
    }
}

fn button_id(action: ActionId) -> String {
    format!("a{action}")
}

/// The number in a target that is a letter and a number.
pub(crate) fn numbered(target: &str, letter: char) -> Option<usize> {
    let digits = target.strip_prefix(letter)?;
    // `parse` would also read a sign, and leading zeros, so that one target had two names.
    let number: usize = digits.parse().ok()?;
    (number.to_string() == digits).then_some(number)
}
