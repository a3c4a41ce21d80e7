//! Games by name, and their positions.

use crate::arrays::numpy;
use crate::interrupt::interruptible;
use crate::json::from_json;
use crate::position::{Position, Typed};
use crate::{bad_input, illegal};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use std::sync::Arc;
use tablero_env::{AnyGame, BoardGame, Encode, Game, Notation, with_game};
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

/// An action as Python gives it: any whole number, of NumPy too. One that is no number of an action is
/// the error.
fn number(action: &Bound<'_, PyAny>) -> PyResult<Result<u32, String>> {
    match action.extract::<i64>() {
        Ok(number) => Ok(u32::try_from(number).map_err(|_| number.to_string())),
        Err(error) if error.is_instance_of::<PyOverflowError>(action.py()) => {
            Ok(Err(action.str()?.to_string()))
        }
        Err(error) => Err(error),
    }
}

/// A position. `play` changes it, `clone` gives another; equal by game and text.
#[pyclass(name = "State", module = "tablero")]
pub struct PyState {
    pub position: Box<dyn Position>,
}

impl PyState {
    pub fn new<G: BoardGame + Into<AnyGame>>(typed: Typed<G>) -> Self {
        PyState {
            position: Box::new(typed),
        }
    }
}

#[pymethods]
impl PyState {
    /// The game that it is a position of.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame {
            game: self.position.game(),
        }
    }

    /// 0 or 1; without meaning once the game is over.
    #[getter]
    fn player_to_move(&self) -> usize {
        self.position.player_to_move()
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.position.returns().is_some()
    }

    /// +1, 0 or -1 of player 0 and player 1; None before the end.
    #[getter]
    fn returns(&self) -> Option<(i8, i8)> {
        self.position
            .returns()
            .map(|[first, second]| (first, second))
    }

    /// The points so far; None in games without.
    #[getter]
    fn points(&self) -> Option<(i32, i32)> {
        self.position
            .points()
            .map(|[first, second]| (first, second))
    }

    /// The legal actions, ascending; none once the game is over.
    fn legal_actions(&self) -> Vec<u32> {
        self.position.legal_actions()
    }

    /// Plays an action, by number or notation, and tells what it did.
    ///
    /// Raises `IllegalActionError` if the rules forbid it; nothing has changed then.
    fn play(&mut self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let action = match action.extract::<String>() {
            Ok(text) => self.position.parse_action(&text).map_err(bad_input)?,
            Err(_) => number(action)?.map_err(|action| {
                let last = self.position.n_actions() - 1;
                illegal(format!("action {action} is illegal: expected 0 to {last}"))
            })?,
        };
        self.position.play(action).map_err(illegal)
    }

    /// Another state of the same position.
    fn clone(&self) -> PyState {
        PyState {
            position: self.position.clone_box(),
        }
    }

    /// The notation of an action, legal or not.
    fn action_text(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let n_actions = self.position.n_actions();
        let action = number(action)?.map_err(|action| {
            bad_input(format!(
                "expected an action below {n_actions}, got {action}"
            ))
        })?;
        self.position.action_text(action).map_err(bad_input)
    }

    /// The number of an action in notation.
    fn parse_action(&self, text: &str) -> PyResult<u32> {
        self.position.parse_action(text).map_err(bad_input)
    }

    /// The policy slot of each legal action, in their order.
    fn policy_slots(&self) -> Vec<usize> {
        self.position.policy_slots()
    }

    /// What a network of kind `"sparse"` reads of the position: ascending numbers.
    ///
    /// Raises `ValueError` if the game is over, as `action_features` does.
    fn features(&self) -> PyResult<Vec<u32>> {
        self.refuse_if_over()?;
        Ok(self.position.features())
    }

    /// What it reads of each legal action, in their order.
    fn action_features(&self) -> PyResult<Vec<Vec<u32>>> {
        self.refuse_if_over()?;
        Ok(self.position.action_features())
    }

    /// The board as lines of text.
    fn draw(&self) -> String {
        self.position.drawing()
    }

    /// The position as data: what `tablero moves --json` prints.
    ///
    /// What lies where, whose turn it is, and each legal action with the clicks that play it;
    /// `docs/position.schema.json` describes it.
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.position.view())
    }

    /// `[C, H, W]`, -1 to 1, as the player to move sees it.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        numpy(py)?;
        let shape = with_game!(&self.position.game(), game => game.observation_shape());
        let mut values = vec![0.0; shape.iter().product()];
        self.position.write_observation(&mut values);
        let values = PyArray1::from_vec(py, values);
        values.reshape(shape)
    }

    /// `[n_actions]`: 1 for each legal action.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        numpy(py)?;
        let mut mask = vec![0; self.position.n_actions()];
        self.position.write_mask(&mut mask);
        Ok(PyArray1::from_vec(py, mask))
    }

    /// The number of sequences of 1, 2, … `depth` actions.
    fn perft(&self, py: Python<'_>, depth: usize) -> PyResult<Vec<u64>> {
        let position: Arc<dyn Position> = self.position.clone_box().into();
        let counted = interruptible(py, move |cancel| {
            position.perft(depth, &|| !cancel.is_cancelled())
        })?;
        Ok(counted.expect("only Ctrl-C ends it"))
    }

    /// A legal action, drawn uniformly.
    fn random_action(&self, seed: u64) -> PyResult<u32> {
        self.refuse_if_over()?;
        Ok(self.position.random_action(seed))
    }

    fn __str__(&self) -> String {
        self.position.text()
    }

    fn __repr__(&self) -> String {
        let spec = self.position.game().spec();
        format!("Game({spec:?}).parse_state({:?})", self.position.text())
    }

    fn __eq__(&self, other: &PyState) -> bool {
        self.position.game().spec() == other.position.game().spec()
            && self.position.text() == other.position.text()
    }

    fn __hash__(&self) -> u64 {
        self.position.hash()
    }

    /// For pickle and `copy.deepcopy`: a game and the text of the state.
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let this = slf.borrow();
        let game = Bound::new(slf.py(), this.game())?;
        let parse = game.getattr("parse_state")?.unbind();
        Ok((parse, (this.position.text(),)))
    }
}

impl PyState {
    fn refuse_if_over(&self) -> PyResult<()> {
        if self.position.returns().is_some() {
            return Err(bad_input("the game is over: there is no action"));
        }
        Ok(())
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
