//! Trained networks.

use crate::bad_input;
use crate::json::from_json;
use crate::player::{PyPlayer, expect_open, typed};
use crate::position::{Position, PyState};
use numpy::ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2, PyReadonlyArray4};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tablero_agents::{LoadedPlayer, PlayerSpec, PolicySource, SearchOptions, load_agent};
use tablero_env::{AnyGame, BoardGame, with_game};
use tablero_mcts::{Evaluations, Evaluator, Wdl};
use tablero_models::{LeafEvaluator, Overlay, Policy, Precision, WeightsFormat};

/// A trained network and the game that it plays.
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
    /// A policy directory, a run, or `zoo:GAME`.
    #[staticmethod]
    #[pyo3(signature = (source, *, precision=None))]
    fn load(source: PathBuf, precision: Option<&str>) -> PyResult<PyPolicy> {
        let source = source
            .to_str()
            .ok_or_else(|| bad_input(format!("a path of UTF-8, got {source:?}")))?;
        let policy = load_agent(source).map_err(bad_input)?;
        let precision: Precision = match precision {
            Some(precision) => precision.parse().map_err(bad_input)?,
            None => policy.manifest.search.precision,
        };
        let spec = PlayerSpec::Policy {
            source: match source.strip_prefix("zoo:") {
                Some(_) => PolicySource::Zoo,
                None => PolicySource::Directory(source.into()),
            },
            options: SearchOptions {
                search: Overlay::default().with("precision", precision.to_string()),
                ..SearchOptions::default()
            },
        };
        let player = LoadedPlayer::of_policy(spec, &policy).map_err(bad_input)?;
        Ok(PyPolicy {
            policy,
            evaluator: Mutex::new(LeafEvaluator::new(Arc::clone(player.network()))),
            player,
        })
    }

    /// What `policy.json` says, as a dictionary.
    #[getter]
    fn manifest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = serde_json::to_string(&self.policy.manifest).expect("plain data");
        from_json(py, &text)
    }

    #[getter]
    fn game(&self) -> &str {
        &self.policy.manifest.game
    }

    /// Logits at the policy slots `[B, L]` of observations `[B, C, H, W]`: policy `[B, L]`, win, draw
    /// and loss `[B, 3]`, points lead `[B]` or None.
    fn logits<'py>(
        &self,
        py: Python<'py>,
        observations: PyReadonlyArray4<'_, f32>,
        slots: PyReadonlyArray2<'_, i64>,
    ) -> PyResult<Outputs<'py>> {
        let shape = self.policy.manifest.shape;
        if shape.features.is_some() {
            return Err(bad_input(
                "the network reads features, not observations: ask Policy.evaluate",
            ));
        }
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

    /// What the network says of positions: probabilities of their legal actions, one array each, win, draw and
    /// loss `[B, 3]`, and the final lead in points `[B]` or None.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        states: Vec<PyRef<'py, PyState>>,
    ) -> PyResult<Answers<'py>> {
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

    /// What a tree search with the network says of a position, as a dictionary. Keywords are fields
    /// of the search configuration, laid over the policy's own.
    #[pyo3(signature = (state, *, seed=0, **options))]
    fn search<'py>(
        &self,
        py: Python<'py>,
        state: &PyState,
        seed: u64,
        options: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        expect_open(self.game(), state)?;
        let overlay: Overlay = match options {
            Some(options) => {
                let text = PyModule::import(py, "json")?.getattr("dumps")?;
                let text: String = text.call1((options,))?.extract()?;
                serde_json::from_str(&text).map_err(bad_input)?
            }
            None => Overlay::default(),
        };
        let search = self.policy.manifest.search.with(&overlay);
        let search = search.map_err(bad_input)?;
        let network = if overlay.sets("precision") {
            Arc::new(
                self.policy
                    .leaf_network(search.precision)
                    .map_err(bad_input)?,
            )
        } else {
            Arc::clone(self.player.network())
        };
        let player = LoadedPlayer::of_network(self.player.spec().clone(), network, search);
        PyPlayer::of(state.position.game(), player).analyse(py, state, seed)
    }

    /// Writes a policy directory.
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

impl PyPolicy {
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
