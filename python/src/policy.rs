//! Trained networks.

use crate::arrays::{floats, integers, numpy};
use crate::bad_input;
use crate::game::{PyState, expect_open};
use crate::json::from_json;
use crate::pickle::{PolicyParts, parts_of, policy_of};
use crate::player::PyPlayer;
use crate::position::{Position, typed};
use numpy::ndarray::{Array1, Array2, Ix2, Ix4};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tablero_agents::{LoadedPlayer, PlayerSpec, PolicySource, SearchOptions, load_agent};
use tablero_env::{AnyGame, BoardGame, with_game};
use tablero_mcts::{Evaluations, Evaluator, Wdl};
use tablero_models::{LeafEvaluator, Overlay, Policy, WeightsFormat};

/// A trained network and the game that it plays: `Policy.load`.
#[pyclass(name = "Policy", module = "tablero", frozen)]
pub struct PyPolicy {
    policy: Policy,
    player: LoadedPlayer,
    evaluator: Mutex<LeafEvaluator>,
}

type Outputs<'py> = (
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<f32>>,
    Option<Bound<'py, PyArray1<f32>>>,
);

type Answers<'py> = (
    Vec<Bound<'py, PyArray1<f32>>>,
    Bound<'py, PyArray2<f32>>,
    Option<Bound<'py, PyArray1<f32>>>,
);

#[pymethods]
impl PyPolicy {
    /// From a policy directory, a run, or `"zoo:GAME"`.
    #[staticmethod]
    fn load(source: PathBuf) -> PyResult<PyPolicy> {
        let source = source
            .to_str()
            .ok_or_else(|| bad_input(format!("a path of UTF-8, got {source:?}")))?;
        let policy = load_agent(source).map_err(bad_input)?;
        let spec = PlayerSpec::Policy {
            source: match source.strip_prefix("zoo:") {
                Some(_) => PolicySource::Zoo,
                None => PolicySource::Directory(source.into()),
            },
            options: SearchOptions::default(),
        };
        PyPolicy::new(spec, policy)
    }

    /// What `policy.json` says.
    #[getter]
    fn manifest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = serde_json::to_string(&self.policy.manifest).expect("plain data");
        from_json(py, &text)
    }

    /// The spec of its game.
    #[getter]
    fn game(&self) -> &str {
        &self.policy.manifest.game
    }

    /// Of observations `[B, C, H, W]`: policy logits at the slots `[B, L]`, logits of win, draw and loss
    /// `[B, 3]`, and, where the game has points, points lead `[B]`. Arrays may be of any number type.
    ///
    /// Raises `ValueError` if the network is of kind `"sparse"`, which reads no observations.
    fn logits<'py>(
        &self,
        py: Python<'py>,
        observations: &Bound<'py, PyAny>,
        slots: &Bound<'py, PyAny>,
    ) -> PyResult<Outputs<'py>> {
        let shape = self.policy.manifest.shape;
        if shape.features.is_some() {
            return Err(bad_input(
                "the network reads features, not observations: ask Policy.evaluate",
            ));
        }
        let observations = floats::<Ix4>(observations, "observations")?;
        let slots = integers::<Ix2>(slots, "slots")?;
        let (observations, slots) = (observations.as_array(), slots.as_array());
        let [planes, height, width] = shape.observation;
        let (n, n_slots) = (observations.shape()[0], slots.shape()[1]);
        if observations.shape()[1..] != shape.observation || slots.shape()[0] != n {
            return Err(bad_input(format!(
                "expected observations [B, {planes}, {height}, {width}] and slots [B, L], got {:?} \
                 and {:?}",
                observations.shape(),
                slots.shape()
            )));
        }
        if let Some(slot) = slots
            .iter()
            .find(|&&slot| !(0..shape.n_slots() as i64).contains(&slot))
        {
            let n_slots = shape.n_slots();
            return Err(bad_input(format!(
                "expected slots from 0 to {}, got {slot}",
                n_slots - 1
            )));
        }
        let observations = observations.as_standard_layout();
        let values = observations.as_slice().expect("standard layout");
        let mut policy = Array2::zeros([n, n_slots]);
        let mut wdl = Array2::zeros([n, 3]);
        let mut points = shape.points.then(|| Array1::zeros(n));
        py.detach(|| {
            let mut evaluator = self
                .evaluator
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            evaluator.logits(values, |index, logits| {
                for (logit, &slot) in policy.row_mut(index).iter_mut().zip(slots.row(index)) {
                    *logit = logits.policy(slot as usize);
                }
                wdl.row_mut(index).assign(&Array1::from_iter(logits.wdl()));
                if let (Some(points), Some(lead)) = (&mut points, logits.points_lead()) {
                    points[index] = lead;
                }
            });
        });
        Ok((
            policy.into_pyarray(py),
            wdl.into_pyarray(py),
            points.map(|points| points.into_pyarray(py)),
        ))
    }

    /// What the network thinks of positions that are not over: the chances of each one's legal actions, in
    /// their order; win, draw and loss for the player to move `[B, 3]`; and, where the game has points, their
    /// final lead `[B]`.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        states: Vec<PyRef<'py, PyState>>,
    ) -> PyResult<Answers<'py>> {
        numpy(py)?;
        for state in &states {
            expect_open(self.game(), state)?;
        }
        let positions: Vec<_> = states.iter().map(|it| it.position.clone_box()).collect();
        drop(states);
        let any = AnyGame::parse(self.game()).map_err(bad_input)?;
        let n = positions.len();
        let evaluations =
            py.detach(|| with_game!(&any, game => self.evaluate_states(game, &positions)));
        let mut priors = Vec::with_capacity(n);
        let mut wdl = Array2::zeros([n, 3]);
        let has_points = self.policy.manifest.shape.points;
        let mut points = has_points.then(|| Array1::zeros(n));
        for index in 0..n {
            let answer = evaluations.get(index);
            priors.push(PyArray1::from_slice(py, answer.priors));
            let Wdl { win, draw, loss } = answer.wdl.0;
            wdl.row_mut(index)
                .assign(&Array1::from_iter([win, draw, loss]));
            if let (Some(points), Some(lead)) = (&mut points, answer.points_lead) {
                points[index] = lead.0;
            }
        }
        let points = points.map(|points| points.into_pyarray(py));
        Ok((priors, wdl.into_pyarray(py), points))
    }

    /// Analyses a position by a tree search with the network, in the form of `Player.analyse`. Options are fields
    /// of the search configuration, such as `sims=400` or `root="gumbel"`; the rest is the policy's own
    /// (`manifest["search"]`).
    #[pyo3(signature = (state, *, seed=0, **options))]
    fn search<'py>(
        &self,
        py: Python<'py>,
        state: &PyState,
        seed: u64,
        options: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        expect_open(self.game(), state)?;
        let overlay = overlay_of(options)?;
        let search = self.policy.manifest.search.with(&overlay);
        let search = search.map_err(bad_input)?;
        let network = Arc::clone(self.player.network());
        let player = LoadedPlayer::of_network(self.player.spec().clone(), network, search);
        PyPlayer::of(state.position.game(), player).analyse(py, state, seed)
    }

    /// It never changes.
    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    /// It never changes.
    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    /// For pickle: all that the directory holds, and how it plays.
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String, PolicyParts))> {
        let module = slf.py().import("tablero._tablero")?;
        let restore = module.getattr("_restore_policy")?.unbind();
        let this = slf.get();
        let spec = this.player.spec().to_string();
        Ok((restore, (spec, parts_of(&this.policy))))
    }

    /// Writes a policy directory; `format` is `"safetensors"` or `"onnx"`.
    #[pyo3(signature = (directory, *, format="safetensors"))]
    fn save(&self, directory: PathBuf, format: &str) -> PyResult<()> {
        let format = match format {
            "safetensors" => WeightsFormat::Safetensors,
            "onnx" => WeightsFormat::Onnx,
            other => {
                return Err(bad_input(format!(
                    "expected safetensors or onnx, got {other:?}"
                )));
            }
        };
        self.policy.save_as(directory, format).map_err(bad_input)
    }
}

/// Keywords as fields of a configuration.
pub fn overlay_of(options: Option<Bound<'_, PyDict>>) -> PyResult<Overlay> {
    let Some(options) = options else {
        return Ok(Overlay::default());
    };
    let text = PyModule::import(options.py(), "json")?.getattr("dumps")?;
    let text: String = text.call1((options,))?.extract()?;
    serde_json::from_str(&text).map_err(bad_input)
}

/// What a pickle holds, as a policy again.
#[pyfunction]
#[pyo3(name = "_restore_policy")]
pub fn restore_policy(spec: &str, parts: PolicyParts) -> PyResult<PyPolicy> {
    let spec = spec.parse().map_err(bad_input)?;
    PyPolicy::new(spec, policy_of(&parts)?)
}

impl PyPolicy {
    fn new(spec: PlayerSpec, policy: Policy) -> PyResult<PyPolicy> {
        if !matches!(spec, PlayerSpec::Policy { .. }) {
            return Err(bad_input(format!("expected a policy, got {spec}")));
        }
        let player = LoadedPlayer::of_policy(spec, &policy).map_err(bad_input)?;
        Ok(PyPolicy {
            policy,
            evaluator: Mutex::new(LeafEvaluator::new(Arc::clone(player.network()))),
            player,
        })
    }

    /// Evaluates positions that are known to be of this game.
    fn evaluate_states<G: BoardGame>(
        &self,
        game: &G,
        positions: &[Box<dyn Position>],
    ) -> Evaluations {
        let states: Vec<&G::State> = positions
            .iter()
            .map(|it| &typed(game, it.as_any()).state)
            .collect();
        let mut evaluator = self
            .evaluator
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        evaluator.evaluate_states(game, &states)
    }
}
