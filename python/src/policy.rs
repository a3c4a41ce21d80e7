//! Trained networks.

use crate::bad_input;
use crate::player::from_json;
use numpy::ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2, PyReadonlyArray4};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tablero_models::{LeafEvaluator, Policy, Precision, WeightsFormat};
use tablero_train::players::load_agent;

/// A trained network and the game that it plays.
#[pyclass(name = "Policy", module = "tablero", frozen)]
pub struct PyPolicy {
    policy: Policy,
    evaluator: Mutex<LeafEvaluator>,
}

type Outputs<'py> = (
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<f32>>,
    Option<Bound<'py, PyArray1<f32>>>,
    Option<Bound<'py, PyArray1<f32>>>,
);

#[pymethods]
impl PyPolicy {
    /// A policy directory, a run, or `zoo:GAME`.
    #[staticmethod]
    #[pyo3(signature = (source, *, precision="f32"))]
    fn load(source: &str, precision: &str) -> PyResult<PyPolicy> {
        let policy = load_agent(source).map_err(bad_input)?;
        let precision: Precision = precision.parse().map_err(bad_input)?;
        let network = policy.leaf_network(precision).map_err(bad_input)?;
        Ok(PyPolicy {
            policy,
            evaluator: Mutex::new(LeafEvaluator::new(Arc::new(network))),
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
    /// and loss `[B, 3]`, points lead `[B]` or None, plies left `[B]` or None.
    fn logits<'py>(
        &self,
        py: Python<'py>,
        observations: PyReadonlyArray4<'_, f32>,
        slots: PyReadonlyArray2<'_, i64>,
    ) -> PyResult<Outputs<'py>> {
        let shape = self.policy.manifest.shape;
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
        let has_plies = self.policy.manifest.network.predicts_plies_left();
        let mut plies = has_plies.then(|| Array1::zeros(n));
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
                if let (Some(plies), Some(left)) = (&mut plies, logits.plies_left()) {
                    plies[index] = left;
                }
            });
        });
        Ok((
            policy.into_pyarray(py),
            wdl.into_pyarray(py),
            points.map(|points| points.into_pyarray(py)),
            plies.map(|plies| plies.into_pyarray(py)),
        ))
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
