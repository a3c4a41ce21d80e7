//! A player at one game, with what it remembers from move to move.

use crate::failed;
use crate::game::{PyState, expect_open};
use crate::interrupt::{interruptible, raised};
use crate::position::{Position, typed};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use tablero_agents::{Agent, Cancel, LoadedPlayer, PlayerSpec};
use tablero_env::random::stream;
use tablero_env::{ActionId, AnyGame, BoardGame, with_game};
use tablero_minimax::Playable;

/// An agent of any game.
trait Sitter: Send {
    fn choose(&mut self, position: &dyn Position, seed: u64, cancel: &Cancel) -> PyResult<u32>;
    fn played(&mut self, action: u32);
}

struct Typed<G: BoardGame> {
    game: G,
    agent: Box<dyn Agent<G>>,
}

impl<G: BoardGame> Sitter for Typed<G> {
    fn choose(&mut self, position: &dyn Position, seed: u64, cancel: &Cancel) -> PyResult<u32> {
        let state = &typed(&self.game, position.as_any()).state;
        self.agent.cancelled_by(cancel);
        let choice = self.agent.choose(state, &mut stream(seed, "player", 0));
        Ok(choice.map_err(failed)?.action.0)
    }

    fn played(&mut self, action: u32) {
        self.agent.played(ActionId(action));
    }
}

/// A player at one game: `Player.seat`. It is told every action that is played, by either side, and a
/// tree search keeps what it knows of the positions that can still come.
#[pyclass(name = "Seat", module = "tablero._tablero", frozen)]
pub struct PySeat {
    spec: String,
    agent: Arc<Mutex<Box<dyn Sitter>>>,
    /// A move takes less time than a thread.
    is_quick: bool,
    remembers: bool,
}

#[pymethods]
impl PySeat {
    /// Whether a choice may depend on earlier ones.
    #[getter]
    fn remembers(&self) -> bool {
        self.remembers
    }

    /// The action that the player chooses.
    #[pyo3(signature = (state, *, seed=0))]
    fn choose(&self, py: Python<'_>, state: &PyState, seed: u64) -> PyResult<u32> {
        expect_open(&self.spec, state)?;
        let position = state.position.clone_box();
        let agent = Arc::clone(&self.agent);
        let choose = move |cancel: &Cancel| {
            let mut agent = agent.lock().unwrap_or_else(PoisonError::into_inner);
            agent.choose(&*position, seed, cancel)
        };
        if self.is_quick {
            let cancel = Cancel::new();
            let chosen = py.detach(|| catch_unwind(AssertUnwindSafe(|| choose(&cancel))));
            return chosen.map_err(raised)?;
        }
        interruptible(py, choose)?
    }

    /// Tells the player of an action that was played, by either side.
    fn played(&self, action: u32) {
        let mut agent = self.agent.lock().unwrap_or_else(PoisonError::into_inner);
        agent.played(action);
    }
}

fn seated<G: Playable>(game: &G, player: &LoadedPlayer) -> Box<dyn Sitter> {
    Box::new(Typed {
        game: game.clone(),
        agent: player.agent(game),
    })
}

impl PySeat {
    pub fn new(game: &AnyGame, player: &LoadedPlayer) -> PySeat {
        let agent = with_game!(game, game => seated(game, player));
        let n_sims = player.search().map(|search| search.sims);
        PySeat {
            spec: game.spec(),
            agent: Arc::new(Mutex::new(agent)),
            is_quick: matches!(player.spec(), PlayerSpec::Random | PlayerSpec::Greedy)
                || n_sims == Some(0),
            remembers: n_sims.is_some_and(|sims| sims > 0),
        }
    }
}
