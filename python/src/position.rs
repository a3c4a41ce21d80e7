//! Positions of any game behind one type.

use crate::arrays::numpy;
use crate::game::PyGame;
use crate::interrupt::interruptible;
use crate::json::from_json;
use crate::{bad_input, illegal};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::Arc;
use tablero_env::perft::perft_while;
use tablero_env::random::stream;
use tablero_env::view::Position as View;
use tablero_env::{ActionFeatures, ActionId, AnyGame, BoardGame};

/// A position with its game, whatever game it is.
pub trait Position: Any + Send + Sync {
    fn game(&self) -> AnyGame;
    fn clone_box(&self) -> Box<dyn Position>;
    fn player_to_move(&self) -> usize;
    fn legal_actions(&self) -> Vec<u32>;
    fn play(&mut self, action: u32) -> Result<String, String>;
    fn returns(&self) -> Option<[i8; 2]>;
    fn points(&self) -> Option<[i32; 2]>;
    fn text(&self) -> String;
    fn drawing(&self) -> String;
    fn view(&self) -> String;
    fn hash(&self) -> u64;
    fn action_text(&self, action: u32) -> Result<String, String>;
    fn parse_action(&self, text: &str) -> Result<u32, String>;
    fn policy_slots(&self) -> Vec<usize>;
    fn features(&self) -> Vec<u32>;
    fn action_features(&self) -> Vec<Vec<u32>>;
    fn write_observation(&self, out: &mut [f32]);
    fn write_mask(&self, out: &mut [i8]);
    fn perft(&self, depth: usize, goes_on: &dyn Fn() -> bool) -> Option<Vec<u64>>;
    fn n_actions(&self) -> usize;
    fn random_action(&self, seed: u64) -> u32;
    fn as_any(&self) -> &dyn Any;
}

/// A position of one game.
#[derive(Clone)]
pub struct Typed<G: BoardGame> {
    pub game: G,
    pub state: G::State,
}

impl<G: BoardGame> Typed<G> {
    pub fn new(game: &G, state: G::State) -> Self {
        let game = game.clone();
        Typed { game, state }
    }
}

impl<G: BoardGame + Into<AnyGame>> Position for Typed<G> {
    fn game(&self) -> AnyGame {
        self.game.clone().into()
    }

    fn clone_box(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn player_to_move(&self) -> usize {
        self.game.player_to_move(&self.state).index()
    }

    fn legal_actions(&self) -> Vec<u32> {
        let mut legal = Vec::new();
        self.game.legal_actions(&self.state, &mut legal);
        legal.into_iter().map(|action| action.0).collect()
    }

    fn play(&mut self, action: u32) -> Result<String, String> {
        let played = self.game.play(&mut self.state, ActionId(action));
        played
            .map(|played| played.to_string())
            .map_err(|reason| format!("action {action} is illegal: {reason}"))
    }

    fn returns(&self) -> Option<[i8; 2]> {
        self.game
            .outcome(&self.state)
            .map(|outcome| outcome.returns())
    }

    fn points(&self) -> Option<[i32; 2]> {
        self.game.points(&self.state)
    }

    fn text(&self) -> String {
        self.game.state_text(&self.state)
    }

    fn drawing(&self) -> String {
        self.game.draw(&self.state)
    }

    fn view(&self) -> String {
        let view = View::of(&self.game, &self.state);
        serde_json::to_string(&view).expect("plain data")
    }

    fn hash(&self) -> u64 {
        self.game.hash(&self.state)
    }

    fn action_text(&self, action: u32) -> Result<String, String> {
        let n_actions = self.game.n_actions();
        if action as usize >= n_actions {
            return Err(format!(
                "expected an action below {n_actions}, got {action}"
            ));
        }
        Ok(self.game.action_text(&self.state, ActionId(action)))
    }

    fn parse_action(&self, text: &str) -> Result<u32, String> {
        let action = self.game.parse_action(&self.state, text);
        action
            .map(|action| action.0)
            .map_err(|error| error.to_string())
    }

    fn policy_slots(&self) -> Vec<usize> {
        let mut legal = Vec::new();
        self.game.legal_actions(&self.state, &mut legal);
        let slot = |action| self.game.policy_slot(&self.state, action);
        legal.into_iter().map(slot).collect()
    }

    fn features(&self) -> Vec<u32> {
        let (mut legal, mut features) = (Vec::new(), Vec::new());
        self.game.legal_actions(&self.state, &mut legal);
        self.game.write_features(&self.state, &legal, &mut features);
        features
    }

    fn action_features(&self) -> Vec<Vec<u32>> {
        let (mut legal, mut features) = (Vec::new(), ActionFeatures::new());
        self.game.legal_actions(&self.state, &mut legal);
        self.game
            .write_action_features(&self.state, &legal, &mut features);
        features.iter().map(<[u32]>::to_vec).collect()
    }

    fn write_observation(&self, out: &mut [f32]) {
        self.game.write_observation(&self.state, out);
    }

    fn write_mask(&self, out: &mut [i8]) {
        self.game.write_mask(&self.state, &mut Vec::new(), out);
    }

    fn perft(&self, depth: usize, goes_on: &dyn Fn() -> bool) -> Option<Vec<u64>> {
        perft_while(&self.game, &self.state, depth, goes_on)
    }

    fn n_actions(&self) -> usize {
        self.game.n_actions()
    }

    fn random_action(&self, seed: u64) -> u32 {
        let mut rng = stream(seed, "random player", 0);
        let action = self
            .game
            .sample_action(&self.state, &mut Vec::new(), &mut rng);
        action.0
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
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
        let shape = tablero_env::with_game!(&self.position.game(), game => {
            tablero_env::Encode::observation_shape(game)
        });
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
