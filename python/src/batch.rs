//! Batches of environments, whose arrays NumPy reads where they are.

use crate::position::{PyState, Typed};
use crate::{bad_input, illegal};
use numpy::ndarray::{ArrayView2, ArrayView4};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use tablero_env::{
    ActionId, AnyGame, Autoreset, BoardGame, EnvError, EnvOptions, VecEnv, VecEnvError, with_game,
};

/// A batch of environments of any game.
trait Batch: Send + Sync {
    fn reset(&mut self, seed: u64);
    fn reset_env(&mut self, index: usize) -> PyResult<()>;
    fn step(&mut self, actions: &[ActionId]) -> Result<Flags, Refused>;
    fn observations(&self) -> ArrayView4<'_, f32>;
    fn masks(&self) -> ArrayView2<'_, i8>;
    fn players(&self) -> Vec<i8>;
    fn state(&self, index: usize) -> PyState;
}

/// What is new in each environment beside observations and masks.
struct Flags {
    /// Of whoever acted.
    earned: Vec<f32>,
    /// Of both players.
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

enum Refused {
    Illegal(String),
    Other(String),
}

impl<G: BoardGame + Into<AnyGame>> Batch for VecEnv<G> {
    fn reset(&mut self, seed: u64) {
        VecEnv::reset(self, seed);
    }

    fn reset_env(&mut self, index: usize) -> PyResult<()> {
        VecEnv::reset_env(self, index).map_err(bad_input)
    }

    fn step(&mut self, actions: &[ActionId]) -> Result<Flags, Refused> {
        let actors: Vec<usize> = self.players_to_move().iter().map(|it| it.index()).collect();
        match VecEnv::step(self, actions) {
            Ok(step) => Ok(Flags {
                earned: (0..).zip(actors).map(|at| step.rewards[at]).collect(),
                rewards: step.rewards.iter().copied().collect(),
                terminated: step.terminated.to_vec(),
                truncated: step.truncated.to_vec(),
            }),
            Err(
                error @ VecEnvError::Env {
                    error: EnvError::Illegal { .. },
                    ..
                },
            ) => Err(Refused::Illegal(error.to_string())),
            Err(error) => Err(Refused::Other(error.to_string())),
        }
    }

    fn observations(&self) -> ArrayView4<'_, f32> {
        VecEnv::observations(self)
    }

    fn masks(&self) -> ArrayView2<'_, i8> {
        VecEnv::masks(self)
    }

    fn players(&self) -> Vec<i8> {
        let players = self.players_to_move().iter();
        players.map(|player| player.index() as i8).collect()
    }

    fn state(&self, index: usize) -> PyState {
        PyState::new(Typed::new(self.game(), VecEnv::state(self, index).clone()))
    }
}

fn boxed<G: BoardGame + Into<AnyGame>>(
    game: &G,
    n_envs: usize,
    options: EnvOptions,
    autoreset: Autoreset,
) -> Box<dyn Batch> {
    Box::new(VecEnv::new(game.clone(), n_envs, options, autoreset))
}

type Step<'py> = (
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<i8>>,
);

/// B games stepped together. `observations` and `masks` are the environments' own memory: a step
/// changes them. So a step and a reset hold the interpreter's lock: Python code in another thread reads
/// no array that is being written. NumPy lets go of the lock in large copies; what it copies in one thread
/// while another one steps is of both states.
#[pyclass(name = "VecEnv", module = "tablero._tablero")]
pub struct PyVecEnv {
    batch: Box<dyn Batch>,
    n_envs: usize,
    actions: Vec<ActionId>,
}

#[pymethods]
impl PyVecEnv {
    #[new]
    #[pyo3(signature = (spec, n_envs, *, max_plies=None, random_opening_plies=0, autoreset=true))]
    fn new(
        spec: &str,
        n_envs: usize,
        max_plies: Option<usize>,
        random_opening_plies: usize,
        autoreset: bool,
    ) -> PyResult<PyVecEnv> {
        let game = AnyGame::parse(spec).map_err(bad_input)?;
        let options = EnvOptions {
            max_plies,
            random_opening_plies,
        };
        let autoreset = if autoreset {
            Autoreset::SameStep
        } else {
            Autoreset::Disabled
        };
        let batch: Box<dyn Batch> = with_game!(&game, game => {
            boxed(game, n_envs, options, autoreset)
        });
        Ok(PyVecEnv {
            batch,
            n_envs,
            actions: Vec::with_capacity(n_envs),
        })
    }

    #[getter]
    fn n_envs(&self) -> usize {
        self.n_envs
    }

    #[getter]
    fn observations<'py>(this: Bound<'py, Self>) -> Bound<'py, PyArray4<f32>> {
        let borrowed = this.borrow();
        let view = borrowed.batch.observations();
        // SAFETY: a VecEnv never reallocates its arrays, and `this`, which holds it, becomes the base
        // of the NumPy array and outlives it.
        let array = unsafe { PyArray4::borrow_from_array(&view, this.clone().into_any()) };
        read_only(array)
    }

    #[getter]
    fn masks<'py>(this: Bound<'py, Self>) -> Bound<'py, PyArray2<i8>> {
        let borrowed = this.borrow();
        let view = borrowed.batch.masks();
        // SAFETY: as above.
        let array = unsafe { PyArray2::borrow_from_array(&view, this.clone().into_any()) };
        read_only(array)
    }

    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        PyArray1::from_vec(py, self.batch.players())
    }

    fn reset(&mut self, seed: u64) {
        self.batch.reset(seed);
    }

    fn reset_env(&mut self, index: usize) -> PyResult<()> {
        self.batch.reset_env(index)
    }

    /// Rewards `[B]` of whoever acted, `[B, 2]` of both players, terminated, truncated, players to move.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<Step<'py>> {
        let actions = actions.as_array();
        self.actions.clear();
        // No game has so many actions: such an id is refused with a reason.
        let id = |&action: &i64| ActionId(u32::try_from(action).unwrap_or(u32::MAX));
        self.actions.extend(actions.iter().map(id));
        let PyVecEnv { batch, actions, .. } = self;
        let flags = batch.step(actions).map_err(|refused| match refused {
            Refused::Illegal(text) => illegal(text),
            Refused::Other(text) => bad_input(text),
        })?;
        let rewards = PyArray1::from_vec(py, flags.rewards).reshape([self.n_envs, 2])?;
        Ok((
            PyArray1::from_vec(py, flags.earned),
            rewards,
            PyArray1::from_vec(py, flags.terminated),
            PyArray1::from_vec(py, flags.truncated),
            PyArray1::from_vec(py, self.batch.players()),
        ))
    }

    fn state(&self, index: usize) -> PyResult<PyState> {
        if index >= self.n_envs {
            let n_envs = self.n_envs;
            return Err(bad_input(format!(
                "no environment {index}: the batch has {n_envs}"
            )));
        }
        Ok(self.batch.state(index))
    }
}

fn read_only<'py, T: numpy::Element, D: numpy::ndarray::Dimension>(
    array: Bound<'py, numpy::PyArray<T, D>>,
) -> Bound<'py, numpy::PyArray<T, D>> {
    array.readwrite().make_nonwriteable();
    array
}
