//! Whoever can be asked for a move: minimax, tree search, the solver, policies.

use crate::interrupt::interruptible;
use crate::json::from_json;
use crate::position::{Position, PyState, Typed};
use crate::{bad_input, failed};
use pyo3::prelude::*;
use std::sync::Arc;
use tablero_agents::{LoadedPlayer, PlayerSpec};
use tablero_env::random::stream;
use tablero_env::{AnyGame, with_game};

/// A player of one game. It remembers nothing from one call to the next.
#[pyclass(name = "Player", module = "tablero", frozen)]
pub struct PyPlayer {
    game: AnyGame,
    player: Arc<LoadedPlayer>,
}

#[pymethods]
impl PyPlayer {
    #[new]
    fn new(game: &str, player: &str) -> PyResult<PyPlayer> {
        let game = AnyGame::parse(game).map_err(bad_input)?;
        let spec: PlayerSpec = player.parse().map_err(bad_input)?;
        let player = with_game!(&game, game => spec.load(game)).map_err(bad_input)?;
        Ok(PyPlayer {
            game,
            player: Arc::new(player),
        })
    }

    /// The action that the player chooses.
    #[pyo3(signature = (state, *, seed=0))]
    fn choose(&self, py: Python<'_>, state: &PyState, seed: u64) -> PyResult<u32> {
        let position = self.position(state)?;
        let player = Arc::clone(&self.player);
        let chosen = interruptible(py, move || {
            with_game!(&position.game(), game => {
                let typed = typed(game, position.as_any());
                let mut agent = player.agent(game);
                agent.choose(&typed.state, &mut stream(seed, "player", 0))
            })
        })?;
        Ok(chosen.map_err(failed)?.action.0)
    }

    /// What the player says of a position, as a dictionary.
    #[pyo3(signature = (state, *, seed=0))]
    pub fn analyse<'py>(
        &self,
        py: Python<'py>,
        state: &PyState,
        seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let position = self.position(state)?;
        let player = Arc::clone(&self.player);
        let analysis = interruptible(py, move || {
            with_game!(&position.game(), game => {
                let typed = typed(game, position.as_any());
                let mut analyst = player.analyst(game).map_err(|error| error.to_string())?;
                let analysis = analyst.analyse(&typed.state, seed);
                let analysis = analysis.map_err(|error| error.to_string())?;
                Ok::<_, String>(serde_json::to_string(&analysis).expect("plain data"))
            })
        })?;
        from_json(py, &analysis.map_err(bad_input)?)
    }

    fn __repr__(&self) -> String {
        format!(
            "Player({:?}, {:?})",
            self.game.spec(),
            self.player.spec().to_string()
        )
    }
}

impl PyPlayer {
    /// A player that is loaded.
    pub fn of(game: AnyGame, player: LoadedPlayer) -> PyPlayer {
        let player = Arc::new(player);
        PyPlayer { game, player }
    }

    /// The position, which must be of the player's game and not over.
    fn position(&self, state: &PyState) -> PyResult<Box<dyn Position>> {
        expect_open(&self.game.spec(), state)?;
        Ok(state.position.clone_box())
    }
}

/// Checks that a state is of this game and not over.
pub fn expect_open(expected: &str, state: &PyState) -> PyResult<()> {
    let got = state.position.game().spec();
    if expected != got {
        return Err(bad_input(format!(
            "expected a state of {expected}, got one of {got}"
        )));
    }
    if state.position.returns().is_some() {
        return Err(bad_input("the game is over: there is no action"));
    }
    Ok(())
}

/// The position as one of a game that it is known to be of.
pub fn typed<'a, G: tablero_env::BoardGame>(
    _game: &G,
    position: &'a dyn std::any::Any,
) -> &'a Typed<G> {
    position.downcast_ref().expect("a position of this game")
}
