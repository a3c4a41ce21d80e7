//! Whoever can be asked for a move: minimax, tree search, the solver, policies.

use crate::game::{PyState, expect_open};
use crate::interrupt::interruptible;
use crate::json::from_json;
use crate::pickle::{PolicyParts, parts_of, policy_of};
use crate::position::{Position, typed};
use crate::seat::PySeat;
use crate::{bad_input, failed};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use tablero_agents::{LoadedPlayer, PlayerSpec, PolicySource, load_policy};
use tablero_env::random::stream;
use tablero_env::{AnyGame, with_game};
use tablero_models::Policy;

/// A player of one game, by its text: `"random"`, `"minimax:level=3"`, `"mcts:sims=800"`,
/// `"policy:DIR,sims=200"`, `"zoo:sims=200"`, `"solver"` …; the path of a policy or a run stands for it.
///
/// It remembers nothing from one call to the next; who plays a whole game has a `seat`.
#[pyclass(name = "Player", module = "tablero", frozen)]
pub struct PyPlayer {
    game: AnyGame,
    player: Arc<LoadedPlayer>,
    /// What a pickle takes along: the policy that was read from files.
    policy: Option<Policy>,
}

#[pymethods]
impl PyPlayer {
    #[new]
    fn new(game: &str, player: &Bound<'_, PyAny>) -> PyResult<PyPlayer> {
        let game = AnyGame::parse(game).map_err(bad_input)?;
        let spec: PlayerSpec = match player.extract::<String>() {
            Ok(text) => text.parse().map_err(bad_input)?,
            Err(_) => PlayerSpec::of_directory(&player.extract::<PathBuf>()?),
        };
        if let PlayerSpec::Policy {
            source: PolicySource::Directory(directory),
            ..
        } = &spec
        {
            let policy = load_policy(directory).map_err(bad_input)?;
            return PyPlayer::of_policy(game, spec, policy);
        }
        let player = with_game!(&game, game => spec.load(game)).map_err(bad_input)?;
        Ok(PyPlayer::of(game, player))
    }

    /// The action that the player chooses.
    #[pyo3(signature = (state, *, seed=0))]
    fn choose(&self, py: Python<'_>, state: &PyState, seed: u64) -> PyResult<u32> {
        let position = self.position(state)?;
        let player = Arc::clone(&self.player);
        let chosen = interruptible(py, move |cancel| {
            with_game!(&position.game(), game => {
                let typed = typed(game, position.as_any());
                let mut agent = player.agent(game);
                agent.cancelled_by(cancel);
                agent.choose(&typed.state, &mut stream(seed, "player", 0))
            })
        })?;
        Ok(chosen.map_err(failed)?.action.0)
    }

    /// What the player thinks: best action, value, line and every move, as `tablero analyze --json`.
    #[pyo3(signature = (state, *, seed=0))]
    pub fn analyse<'py>(
        &self,
        py: Python<'py>,
        state: &PyState,
        seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let position = self.position(state)?;
        let player = Arc::clone(&self.player);
        let analysis = interruptible(py, move |cancel| {
            with_game!(&position.game(), game => {
                let typed = typed(game, position.as_any());
                let mut analyst = player.analyst(game).map_err(|error| error.to_string())?;
                let analysis = analyst.follow(&typed.state, seed, cancel, &mut |_| ());
                let analysis = analysis.map_err(|error| error.to_string())?;
                Ok::<_, String>(serde_json::to_string(&analysis).expect("plain data"))
            })
        })?;
        from_json(py, &analysis.map_err(bad_input)?)
    }

    /// The player as it sits at one game: a tree search keeps its tree from move to move.
    fn seat(&self) -> PySeat {
        PySeat::new(&self.game, &self.player)
    }

    fn __repr__(&self) -> String {
        format!(
            "Player({:?}, {:?})",
            self.game.spec(),
            self.player.spec().to_string()
        )
    }

    /// It never changes.
    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    /// It never changes.
    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    /// For pickle: the texts, and the policy itself where it was read from files.
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, RestoredPlayer)> {
        let module = slf.py().import("tablero._tablero")?;
        let restore = module.getattr("_restore_player")?.unbind();
        let this = slf.get();
        let parts = this.policy.as_ref().map(parts_of);
        let text = this.player.spec().to_string();
        Ok((restore, (this.game.spec(), text, parts)))
    }
}

type RestoredPlayer = (String, String, Option<PolicyParts>);

/// What a pickle holds, as a player again.
#[pyfunction]
#[pyo3(name = "_restore_player")]
pub fn restore_player(
    py: Python<'_>,
    game: &str,
    player: &str,
    parts: Option<PolicyParts>,
) -> PyResult<PyPlayer> {
    match parts {
        None => PyPlayer::new(game, pyo3::types::PyString::new(py, player).as_any()),
        Some(parts) => {
            let game = AnyGame::parse(game).map_err(bad_input)?;
            let spec = player.parse().map_err(bad_input)?;
            PyPlayer::of_policy(game, spec, policy_of(&parts)?)
        }
    }
}

impl PyPlayer {
    /// A player that is loaded.
    pub fn of(game: AnyGame, player: LoadedPlayer) -> PyPlayer {
        let player = Arc::new(player);
        PyPlayer {
            game,
            player,
            policy: None,
        }
    }

    fn of_policy(game: AnyGame, spec: PlayerSpec, policy: Policy) -> PyResult<PyPlayer> {
        with_game!(&game, game => policy.check_game(game)).map_err(bad_input)?;
        let player = LoadedPlayer::of_policy(spec, &policy).map_err(bad_input)?;
        Ok(PyPlayer {
            policy: Some(policy),
            ..PyPlayer::of(game, player)
        })
    }

    /// The position, which must be of the player's game and not over.
    fn position(&self, state: &PyState) -> PyResult<Box<dyn Position>> {
        expect_open(&self.game.spec(), state)?;
        Ok(state.position.clone_box())
    }
}
