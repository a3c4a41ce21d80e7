//! The position of a request: a game, where it starts, and the actions from there.

use crate::error::Refusal;
use serde::Deserialize;
use tablero_env::view::Position;
use tablero_env::{ActionId, AnyGame, BoardGame};

/// Actions of a line, at most: beyond any game but those of Hive that go nowhere.
const MOST_ACTIONS: usize = 2000;

/// A position as a request names it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    /// The game's spec.
    game: String,
    /// The text of the state where it starts; the beginning without.
    from: Option<String>,
    /// The actions from there.
    actions: Vec<ActionId>,
}

impl Line {
    /// The game.
    pub(crate) fn game(&self) -> Result<AnyGame, Refusal> {
        if self.actions.len() > MOST_ACTIONS {
            let n_actions = self.actions.len();
            let what = format!("a game has at most {MOST_ACTIONS} actions here, got {n_actions}");
            return Err(Refusal::bad(what));
        }
        AnyGame::parse(&self.game).map_err(Refusal::bad)
    }

    pub(crate) fn actions(&self) -> &[ActionId] {
        &self.actions
    }

    /// Where it starts.
    pub(crate) fn start<G: BoardGame>(&self, game: &G) -> Result<G::State, Refusal> {
        match &self.from {
            None => Ok(game.initial()),
            Some(text) => game.parse_state(text).map_err(Refusal::illegal),
        }
    }

    /// All states, from the start to the position.
    pub(crate) fn states<G: BoardGame>(&self, game: &G) -> Result<Vec<G::State>, Refusal> {
        let mut states = vec![self.start(game)?];
        self.play(game, |state| states.push(state.clone()))?;
        Ok(states)
    }

    /// The state of the position.
    pub(crate) fn state<G: BoardGame>(&self, game: &G) -> Result<G::State, Refusal> {
        self.play(game, |_| ())
    }

    /// Plays all actions, and shows the state after each.
    fn play<G: BoardGame>(
        &self,
        game: &G,
        mut show: impl FnMut(&G::State),
    ) -> Result<G::State, Refusal> {
        let mut state = self.start(game)?;
        for (index, &action) in self.actions.iter().enumerate() {
            game.play(&mut state, action)
                .map_err(|reason| Refusal::illegal(format!("action {}: {reason}", index + 1)))?;
            show(&state);
        }
        Ok(state)
    }

    /// The state of a position with a move to make.
    pub(crate) fn unfinished<G: BoardGame>(&self, game: &G) -> Result<G::State, Refusal> {
        let state = self.state(game)?;
        if game.is_over(&state) {
            return Err(Refusal::illegal("the game is over"));
        }
        Ok(state)
    }

    /// The position, structured.
    pub(crate) fn position<G: BoardGame>(&self, game: &G) -> Result<Position, Refusal> {
        self.position_after(game, &[])
    }

    /// The position after these actions, too.
    pub(crate) fn position_after<G: BoardGame>(
        &self,
        game: &G,
        more: &[ActionId],
    ) -> Result<Position, Refusal> {
        let actions = [&self.actions, more].concat();
        Position::after(game, &self.start(game)?, &actions).map_err(Refusal::illegal)
    }
}
