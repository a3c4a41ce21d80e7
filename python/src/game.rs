//! Games by name.

use crate::bad_input;
use crate::position::{PyState, Typed};
use pyo3::prelude::*;
use tablero_env::{AnyGame, Encode, Game, Notation, with_game};
use tablero_models::NetworkShape;

/// A configured game, by its spec such as `"hive:base+mlp"` or `"dots-and-boxes:3x4"`.
#[pyclass(name = "Game", module = "tablero", frozen)]
#[derive(Clone)]
pub struct PyGame {
    pub game: AnyGame,
}

#[pymethods]
impl PyGame {
    #[new]
    fn new(spec: &str) -> PyResult<PyGame> {
        let game = AnyGame::parse(spec).map_err(bad_input)?;
        Ok(PyGame { game })
    }

    /// The text that names it.
    #[getter]
    fn spec(&self) -> String {
        self.game.spec()
    }

    /// How many actions there are; they are numbered from 0.
    #[getter]
    fn n_actions(&self) -> usize {
        with_game!(&self.game, game => game.n_actions())
    }

    /// The longest game; None where there is no bound.
    #[getter]
    fn max_plies(&self) -> Option<usize> {
        with_game!(&self.game, game => game.max_plies())
    }

    /// `(C, H, W)`.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let [planes, height, width] = with_game!(&self.game, game => game.observation_shape());
        (planes, height, width)
    }

    /// `(P, H, W)`: the policy slots of a network.
    #[getter]
    fn policy_shape(&self) -> (usize, usize, usize) {
        let shape = with_game!(&self.game, game => NetworkShape::of(game));
        let [_, height, width] = shape.observation;
        (shape.policy_planes, height, width)
    }

    /// Whether players collect points, which decide the game.
    #[getter]
    fn has_points(&self) -> bool {
        with_game!(&self.game, game => NetworkShape::of(game)).points
    }

    /// What each of the C planes of an observation holds.
    #[getter]
    fn planes(&self) -> Vec<String> {
        with_game!(&self.game, game => game.plane_descriptions())
    }

    /// The action that has its slot in each of the P planes.
    #[getter]
    fn policy_planes(&self) -> Vec<String> {
        with_game!(&self.game, game => game.policy_descriptions())
    }

    /// The position in which it begins.
    fn initial(&self) -> PyState {
        with_game!(&self.game, game => PyState::new(Typed::new(game, game.initial())))
    }

    /// Reads what `str(state)` writes.
    fn parse_state(&self, text: &str) -> PyResult<PyState> {
        with_game!(&self.game, game => {
            let state = game.parse_state(text).map_err(bad_input)?;
            Ok(PyState::new(Typed::new(game, state)))
        })
    }

    fn __repr__(&self) -> String {
        format!("Game({:?})", self.game.spec())
    }

    fn __eq__(&self, other: &PyGame) -> bool {
        self.game.spec() == other.game.spec()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        BuildHasherDefault::<DefaultHasher>::default().hash_one(self.game.spec())
    }

    /// For pickle.
    fn __getnewargs__(&self) -> (String,) {
        (self.game.spec(),)
    }
}

/// Name, summary, parameters and default spec of every game.
#[pyfunction]
pub fn games() -> Vec<(&'static str, &'static str, &'static str, String)> {
    let entry = |entry: &tablero_env::GameEntry| {
        (
            entry.name,
            entry.summary,
            entry.parameters,
            entry.default_spec(),
        )
    };
    tablero_env::games().iter().map(entry).collect()
}
