//! Tree search guided by a function of Python.

use crate::arrays::{floats, numpy};
use crate::bad_input;
use crate::game::{PyState, expect_open};
use crate::json::from_json;
use crate::policy::overlay_of;
use crate::position::{Position, typed};
use numpy::ndarray::{ArrayView1, ArrayView2, Ix1, Ix2};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tablero_agents::analysis::Analysis;
use tablero_env::random::stream;
use tablero_env::{BoardGame, ForMover, with_game};
use tablero_mcts::{Batch, Budget, Evaluations, Evaluator, Request, Search, Wdl};
use tablero_models::{SearchConfig, softmax};

/// How far probabilities may be from a sum of 1.
const SUM_TOLERANCE: f32 = 1e-3;

/// Searches from each of some positions of one game, all leaves of a step evaluated by one call of
/// `evaluator(observations)`: `tablero.search` documents it. Returns what is found of each as a dictionary, and
/// its policy `[n_actions]`.
#[pyfunction]
#[pyo3(signature = (states, evaluator, *, sims=200, seed=0, explore=false, options=None))]
pub fn search<'py>(
    py: Python<'py>,
    states: Vec<PyRef<'py, PyState>>,
    evaluator: Py<PyAny>,
    sims: u32,
    seed: u64,
    explore: bool,
    options: Option<Bound<'py, PyDict>>,
) -> PyResult<Vec<Found<'py>>> {
    numpy(py)?;
    let Some(first) = states.first() else {
        return Ok(Vec::new());
    };
    let any = first.position.game();
    for state in &states {
        expect_open(&any.spec(), state)?;
    }
    let config = SearchConfig::default().with(&overlay_of(options)?);
    let config = SearchConfig {
        sims: sims.max(1),
        ..config.map_err(bad_input)?
    };
    if config.is_informed() {
        return Err(bad_input(
            "analyser_nodes: expected 0, the evaluator is the function alone",
        ));
    }
    let positions: Vec<_> = states.iter().map(|it| it.position.clone_box()).collect();
    drop(states);
    with_game!(&any, game => {
        let found = run(py, game, &positions, evaluator, &config, seed, explore)?;
        let found = found.into_iter().map(|search| {
            let analysis = Analysis::of_search(&search, "evaluator".to_owned());
            let analysis = serde_json::to_string(&analysis).expect("plain data");
            let mut policy = vec![0.0; tablero_env::Game::n_actions(game)];
            for (edge, share) in search.root_edges().iter().zip(search.policy_target()) {
                policy[edge.action.index()] = share;
            }
            Ok((from_json(py, &analysis)?, PyArray1::from_vec(py, policy)))
        });
        found.collect()
    })
}

type Found<'py> = (Bound<'py, PyAny>, Bound<'py, PyArray1<f32>>);

fn run<G: BoardGame>(
    py: Python<'_>,
    game: &G,
    positions: &[Box<dyn Position>],
    function: Py<PyAny>,
    config: &SearchConfig,
    seed: u64,
    explore: bool,
) -> PyResult<Vec<Search<G>>> {
    let mut searches: Vec<Search<G>> = (0..)
        .zip(positions)
        .map(|(index, position)| {
            let state = typed(game, position.as_any()).state.clone();
            let stream = stream(seed, "search", index);
            let mut search = Search::new(game.clone(), state, config.tree.clone(), stream);
            search.begin_move(Budget {
                n_simulations: config.sims,
                explores: explore,
            });
            search
        })
        .collect();
    let mut evaluator = Function {
        function,
        observations: Vec::new(),
        failure: None,
    };
    py.detach(|| {
        let mut batch = Batch::new();
        while batch.round(&mut searches, |_| config.sims, &mut evaluator) > 0 {
            if evaluator.failure.is_some() {
                break;
            }
        }
    });
    match evaluator.failure {
        Some(error) => Err(error),
        None => Ok(searches),
    }
}

/// A function of Python: observations `[B, C, H, W]` in; logits `[B, n_actions]` and either win, draw and loss
/// `[B, 3]` or the value `[B]` out.
struct Function {
    function: Py<PyAny>,
    observations: Vec<f32>,
    /// What it raised; the search ends then.
    failure: Option<PyErr>,
}

impl<G: BoardGame> Evaluator<G> for Function {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        let [planes, height, width] = game.observation_shape();
        let size = planes * height * width;
        self.observations.resize(requests.len() * size, 0.0);
        for (request, out) in requests
            .iter()
            .zip(self.observations.chunks_exact_mut(size))
        {
            game.write_observation(request.state, out);
        }
        let answered = Python::attach(|py| {
            py.check_signals()?;
            let observations = PyArray1::from_slice(py, &self.observations);
            let observations = observations.reshape([requests.len(), planes, height, width])?;
            let answers = self.function.bind(py).call1((observations,))?;
            let answers = Answers::read(&answers, requests.len(), game.n_actions())?;
            for (index, request) in requests.iter().enumerate() {
                let logits = answers.logits.as_array();
                let legal = request.legal.iter().map(|action| action.index());
                let priors = priors_of(logits.row(index), legal, index)?;
                let wdl = answers.value.wdl(index)?;
                out.push(priors.len(), ForMover(wdl), None)
                    .copy_from_slice(&priors);
            }
            Ok(())
        });
        if let Err(error) = answered {
            self.failure = Some(error);
            // The search asks for an answer to each, and is then dropped.
            out.clear();
            for request in requests {
                out.push(request.legal.len(), ForMover(Wdl::DRAW), None);
            }
        }
    }
}

/// What the function returned, checked for its shapes.
struct Answers<'py> {
    logits: PyReadonlyArray2<'py, f32>,
    value: Value<'py>,
}

enum Value<'py> {
    Wdl(PyReadonlyArray2<'py, f32>),
    Value(PyReadonlyArray1<'py, f32>),
}

impl<'py> Answers<'py> {
    fn read(answers: &Bound<'py, PyAny>, n: usize, n_actions: usize) -> PyResult<Self> {
        let (logits, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) =
            answers.extract().map_err(|_| {
                let kind = answers.get_type();
                PyTypeError::new_err(format!(
                    "the evaluator returns a pair of arrays, logits and wdl or value, got {kind}"
                ))
            })?;
        let logits = floats::<Ix2>(&logits, "logits")?;
        if logits.shape() != [n, n_actions] {
            let got = logits.shape();
            return Err(bad_input(format!(
                "logits: expected the shape [{n}, {n_actions}], got {got:?}"
            )));
        }
        let shape: Vec<usize> = value.getattr("shape")?.extract()?;
        let value = match shape[..] {
            [rows] if rows == n => Value::Value(floats::<Ix1>(&value, "value")?),
            [rows, 1] if rows == n => {
                let flat = value.call_method1("reshape", (n,))?;
                Value::Value(floats::<Ix1>(&flat, "value")?)
            }
            [rows, 3] if rows == n => Value::Wdl(floats::<Ix2>(&value, "wdl")?),
            _ => {
                return Err(bad_input(format!(
                    "expected wdl of the shape [{n}, 3] or a value of the shape [{n}], got {shape:?}"
                )));
            }
        };
        Ok(Answers { logits, value })
    }
}

impl Value<'_> {
    fn wdl(&self, index: usize) -> PyResult<Wdl> {
        match self {
            Value::Wdl(wdl) => of_probabilities(wdl.as_array(), index),
            Value::Value(value) => of_value(value.as_array(), index),
        }
    }
}

fn of_probabilities(wdl: ArrayView2<'_, f32>, index: usize) -> PyResult<Wdl> {
    let [win, draw, loss] = [0, 1, 2].map(|which| wdl[[index, which]]);
    let total = win + draw + loss;
    let is_one = (total - 1.0).abs() <= SUM_TOLERANCE;
    if !is_one || [win, draw, loss].iter().any(|&share| share < 0.0) {
        return Err(bad_input(format!(
            "wdl: expected probabilities of win, draw and loss with the sum 1 (a softmax), got \
             [{win}, {draw}, {loss}] in row {index}"
        )));
    }
    Ok(Wdl {
        win: win / total,
        draw: draw / total,
        loss: loss / total,
    })
}

fn of_value(value: ArrayView1<'_, f32>, index: usize) -> PyResult<Wdl> {
    let value = value[index];
    if !(-1.0..=1.0).contains(&value) {
        return Err(bad_input(format!(
            "value: expected numbers in -1..=1, got {value} in row {index}"
        )));
    }
    Ok(Wdl {
        win: (1.0 + value) / 2.0,
        draw: 0.0,
        loss: (1.0 - value) / 2.0,
    })
}

/// Probabilities of the legal actions.
fn priors_of(
    logits: ArrayView1<'_, f32>,
    legal: impl Iterator<Item = usize>,
    index: usize,
) -> PyResult<Vec<f32>> {
    let mut priors: Vec<f32> = legal.map(|action| logits[action]).collect();
    // Minus infinity is a way to rule an action out; one has to be left.
    let is_usable = |logit: &f32| logit.is_finite() || *logit == f32::NEG_INFINITY;
    if !priors.iter().all(is_usable) || !priors.iter().any(|logit| logit.is_finite()) {
        return Err(bad_input(format!(
            "logits: expected a finite number or minus infinity for each legal action, and a finite one at least \
             once, in row {index}"
        )));
    }
    softmax(&mut priors);
    Ok(priors)
}
