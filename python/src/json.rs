//! Python values from JSON.

use pyo3::prelude::*;
use pyo3::types::PyModule;

/// A Python value from JSON.
pub fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    PyModule::import(py, "json")?
        .getattr("loads")?
        .call1((text,))
}
