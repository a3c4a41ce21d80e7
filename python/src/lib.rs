//! The extension module `tablero._tablero`: the core for Python. What a user sees stands, with its
//! documentation, in the Python files beside it; types are in `_tablero.pyi`.

mod arrays;
mod batch;
mod game;
mod interrupt;
mod json;
mod own_game;
mod pickle;
mod player;
mod policy;
mod position;
mod replay;
mod search;
mod seat;
mod training;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;

pyo3::create_exception!(
    tablero,
    IllegalActionError,
    PyValueError,
    "An action that the rules forbid; the message says which rule."
);

/// Bad input: the message of the core, as a `ValueError`.
fn bad_input(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Something failed though the input was fine, as a `RuntimeError`.
fn failed(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

fn illegal(error: impl Display) -> PyErr {
    IllegalActionError::new_err(error.to_string())
}

// A batch's arrays are written under the interpreter's lock, so an interpreter without one has to take it.
/// The compiled core. Import its names from `tablero`.
#[pymodule(gil_used = true)]
fn _tablero(module: &Bound<'_, PyModule>) -> PyResult<()> {
    tablero_agents::spread::surround(interrupt::detached);
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add(
        "IllegalActionError",
        module.py().get_type::<IllegalActionError>(),
    )?;
    module.add_class::<game::PyGame>()?;
    module.add_class::<game::PyState>()?;
    module.add_class::<batch::PyVecEnv>()?;
    module.add_class::<player::PyPlayer>()?;
    module.add_class::<seat::PySeat>()?;
    module.add_class::<policy::PyPolicy>()?;
    // Not among the public names.
    let restore = wrap_pyfunction!(player::restore_player, module)?;
    module.setattr("_restore_player", restore)?;
    let restore = wrap_pyfunction!(policy::restore_policy, module)?;
    module.setattr("_restore_policy", restore)?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(own_game::register, module)?)?;
    module.add_function(wrap_pyfunction!(own_game::check, module)?)?;
    module.add_function(wrap_pyfunction!(search::search, module)?)?;
    module.add_function(wrap_pyfunction!(replay::read_shard, module)?)?;
    module.add_function(wrap_pyfunction!(training::train, module)?)?;
    module.add_function(wrap_pyfunction!(training::play_assignment, module)?)?;
    module.add_function(wrap_pyfunction!(training::actor_kind, module)?)?;
    module.add_function(wrap_pyfunction!(training::round_games, module)?)?;
    module.add_function(wrap_pyfunction!(training::preset, module)?)?;
    Ok(())
}
