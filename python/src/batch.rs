//! Batches of environments, whose arrays NumPy reads where they are.

use crate::arrays::{numpy, whole_numbers};
use crate::game::PyState;
use crate::position::Typed;
use crate::{bad_input, illegal};
use numpy::ndarray::{ArrayView2, ArrayView4};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tablero_env::{
    ActionId, AnyGame, Autoreset, BoardGame, EnvError, EnvOptions, Standing, VecEnv, VecEnvError,
    with_game,
};

/// A [`Standing`] as Python pickles it: episodes begun, steps, whether it is over, the position's text.
type Stood = (u64, usize, bool, String);

/// A batch of environments of any game.
trait Batch: Send + Sync {
    fn reset(&mut self, seed: u64);
    fn reset_env(&mut self, index: usize) -> PyResult<()>;
    fn step(&mut self, actions: &[ActionId]) -> Result<Flags, Refused>;
    fn observations(&self) -> ArrayView4<'_, f32>;
    fn masks(&self) -> ArrayView2<'_, i8>;
    fn players(&self) -> Vec<i8>;
    fn state(&self, index: usize) -> PyState;
    fn n_actions(&self) -> usize;
    fn options(&self) -> EnvOptions;
    fn standings(&self) -> Option<(u64, Vec<Stood>)>;
    fn resume(&mut self, seed: u64, standings: Vec<Stood>) -> PyResult<()>;
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

    fn n_actions(&self) -> usize {
        self.game().n_actions()
    }

    fn options(&self) -> EnvOptions {
        VecEnv::options(self)
    }

    fn standings(&self) -> Option<(u64, Vec<Stood>)> {
        let (seed, standings) = VecEnv::standings(self)?;
        let stood = standings.into_iter().map(|it| {
            let text = self.game().state_text(&it.state);
            (it.n_episodes, it.steps, it.is_over, text)
        });
        Some((seed, stood.collect()))
    }

    fn resume(&mut self, seed: u64, standings: Vec<Stood>) -> PyResult<()> {
        let game = self.game().clone();
        let standings = standings
            .into_iter()
            .map(|(n_episodes, steps, is_over, text)| {
                Ok(Standing {
                    n_episodes,
                    steps,
                    is_over,
                    state: game.parse_state(&text).map_err(bad_input)?,
                })
            });
        let standings: Vec<_> = standings.collect::<PyResult<_>>()?;
        VecEnv::resume(self, seed, &standings).map_err(bad_input)
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

/// `n_envs` games stepped together; `TableroVectorEnv` is made of it.
///
/// `observations` and `masks` are the environments' own memory: a step changes them. So a step and a
/// reset hold the interpreter's lock: Python code in another thread reads no array that is being written.
/// NumPy lets go of the lock in large copies; what it copies in one thread while another one steps is of
/// both states.
#[pyclass(name = "VecEnv", module = "tablero._tablero")]
pub struct PyVecEnv {
    batch: Box<dyn Batch>,
    spec: String,
    n_envs: usize,
    autoreset: bool,
    actions: Vec<ActionId>,
}

#[pymethods]
impl PyVecEnv {
    #[new]
    #[pyo3(signature = (spec, n_envs, *, max_plies=None, random_opening_plies=0, autoreset=true))]
    fn new(
        py: Python<'_>,
        spec: &str,
        n_envs: usize,
        max_plies: Option<usize>,
        random_opening_plies: usize,
        autoreset: bool,
    ) -> PyResult<PyVecEnv> {
        numpy(py)?;
        let game = AnyGame::parse(spec).map_err(bad_input)?;
        let options = EnvOptions {
            max_plies,
            random_opening_plies,
        };
        let when_over = if autoreset {
            Autoreset::SameStep
        } else {
            Autoreset::Disabled
        };
        let batch: Box<dyn Batch> = with_game!(&game, game => {
            boxed(game, n_envs, options, when_over)
        });
        Ok(PyVecEnv {
            batch,
            spec: game.spec(),
            n_envs,
            autoreset,
            actions: Vec::with_capacity(n_envs),
        })
    }

    /// How many games there are.
    #[getter]
    fn n_envs(&self) -> usize {
        self.n_envs
    }

    /// `[B, C, H, W]`, read-only: the environments' own memory, which a step changes.
    ///
    /// Copy it before another thread steps: NumPy does not hold the interpreter's lock in large copies.
    #[getter]
    fn observations<'py>(this: Bound<'py, Self>) -> Bound<'py, PyArray4<f32>> {
        let borrowed = this.borrow();
        let view = borrowed.batch.observations();
        // SAFETY: a VecEnv never reallocates its arrays, and `this`, which holds it, becomes the base
        // of the NumPy array and outlives it.
        let array = unsafe { PyArray4::borrow_from_array(&view, this.clone().into_any()) };
        read_only(array)
    }

    /// `[B, n_actions]`, in the same way.
    #[getter]
    fn masks<'py>(this: Bound<'py, Self>) -> Bound<'py, PyArray2<i8>> {
        let borrowed = this.borrow();
        let view = borrowed.batch.masks();
        // SAFETY: as above.
        let array = unsafe { PyArray2::borrow_from_array(&view, this.clone().into_any()) };
        read_only(array)
    }

    /// `[B]`: who moves next, 0 or 1.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        PyArray1::from_vec(py, self.batch.players())
    }

    /// Begins a new episode in every game; the same seed begins the same episodes.
    fn reset(&mut self, seed: u64) {
        self.batch.reset(seed);
    }

    /// Begins the next episode of one game.
    fn reset_env(&mut self, index: usize) -> PyResult<()> {
        self.batch.reset_env(index)
    }

    /// Plays one action in each game; any array or list of whole numbers.
    ///
    /// Rewards `[B]` of whoever acted, `[B, 2]` of both players, terminated, truncated, players to move.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Step<'py>> {
        let actions = whole_numbers(actions)?;
        let actions = actions.as_array();
        self.actions.clear();
        for (index, &action) in actions.iter().enumerate() {
            let id = u32::try_from(action).map_err(|_| {
                let last = self.batch.n_actions() - 1;
                illegal(format!(
                    "environment {index}: action {action} is illegal: expected 0 to {last}"
                ))
            })?;
            self.actions.push(ActionId(id));
        }
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

    /// The position of one game.
    fn state(&self, index: usize) -> PyResult<PyState> {
        if index >= self.n_envs {
            let n_envs = self.n_envs;
            return Err(bad_input(format!(
                "no environment {index}: the batch has {n_envs}"
            )));
        }
        Ok(self.batch.state(index))
    }

    /// For pickle and copies.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((String, usize), Bound<'py, PyDict>)> {
        let options = self.batch.options();
        let keywords = PyDict::new(py);
        keywords.set_item("max_plies", options.max_plies)?;
        keywords.set_item("random_opening_plies", options.random_opening_plies)?;
        keywords.set_item("autoreset", self.autoreset)?;
        Ok(((self.spec.clone(), self.n_envs), keywords))
    }

    /// The seed of the last reset and where each game stands; None before the first.
    fn __getstate__(&self) -> Option<(u64, Vec<Stood>)> {
        self.batch.standings()
    }

    fn __setstate__(&mut self, state: Option<(u64, Vec<Stood>)>) -> PyResult<()> {
        match state {
            Some((seed, standings)) => self.batch.resume(seed, standings),
            None => Ok(()),
        }
    }
}

fn read_only<'py, T: numpy::Element, D: numpy::ndarray::Dimension>(
    array: Bound<'py, numpy::PyArray<T, D>>,
) -> Bound<'py, numpy::PyArray<T, D>> {
    array.readwrite().make_nonwriteable();
    array
}
