//! Arrays as users have them: of any number type, lists too, contiguous or not.

use crate::bad_input;
use numpy::{PyArray, PyArrayMethods, PyReadonlyArray, PyReadonlyArray1, PyReadonlyArrayDyn};
use pyo3::exceptions::{PyModuleNotFoundError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// NumPy, or an error that names the package: what makes an array asks for it first.
///
/// # Errors
/// `ModuleNotFoundError` where NumPy is not installed.
pub fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("numpy").map_err(|error| {
        if error.is_instance_of::<PyModuleNotFoundError>(py) {
            let text = "this part of tablero needs numpy: pip install numpy";
            return PyModuleNotFoundError::new_err(text);
        }
        error
    })
}

/// An array of `f32` with `D` dimensions, whatever number type was given.
pub fn floats<'py, D: numpy::ndarray::Dimension>(
    given: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<PyReadonlyArray<'py, f32, D>> {
    of_type(given, "float32", what)
}

/// An array of `i64` with `D` dimensions. Floats are accepted if they are whole, and never truncated.
pub fn integers<'py, D: numpy::ndarray::Dimension>(
    given: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<PyReadonlyArray<'py, i64, D>> {
    let numpy = numpy(given.py())?;
    if let Ok(array) = given.cast::<PyArray<i64, D>>() {
        return Ok(array.try_readonly()?);
    }
    let array = numpy.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !["i", "u", "b"].contains(&kind.as_str()) {
        expect_whole(&array, &kind, what)?;
    }
    of_type(&array, "int64", what)
}

/// Actions, one for each of some games.
pub fn whole_numbers<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, i64>> {
    integers(given, "actions")
}

fn expect_whole(array: &Bound<'_, PyAny>, kind: &str, what: &str) -> PyResult<()> {
    if kind != "f" {
        let dtype = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!(
            "{what}: expected whole numbers, got an array of {dtype}"
        )));
    }
    let values = array.call_method1("astype", ("float64",))?;
    let values: PyReadonlyArrayDyn<'_, f64> = values.extract()?;
    match values.as_array().iter().find(|value| value.fract() != 0.0) {
        // Neither infinity nor NaN has a fraction of 0.
        Some(value) => Err(PyTypeError::new_err(format!(
            "{what}: expected whole numbers, got {value}"
        ))),
        None => Ok(()),
    }
}

fn of_type<'py, T: numpy::Element, D: numpy::ndarray::Dimension>(
    given: &Bound<'py, PyAny>,
    dtype: &str,
    what: &str,
) -> PyResult<PyReadonlyArray<'py, T, D>> {
    let py = given.py();
    let numpy = numpy(py)?;
    if let Ok(array) = given.cast::<PyArray<T, D>>() {
        return Ok(array.try_readonly()?);
    }
    let array = numpy.call_method1("asarray", (given, PyString::new(py, dtype)))?;
    match array.cast::<PyArray<T, D>>() {
        Ok(array) => Ok(array.try_readonly()?),
        Err(_) => {
            let expected = D::NDIM.unwrap_or_default();
            let shape = array.getattr("shape")?;
            Err(bad_input(format!(
                "{what}: expected an array of {expected} dimensions, got the shape {shape}"
            )))
        }
    }
}
