//! Replay shards as NumPy arrays.

use crate::arrays::numpy;
use crate::bad_input;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use tablero_train::shard;

/// Stands for no decision that was proven.
const OPEN: i8 = -128;

/// The fields of `tablero.Replay`, as a dictionary.
#[pyfunction]
pub fn read_shard(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    numpy(py)?;
    let (header, games) = py.detach(|| shard::read(&path)).map_err(bad_input)?;
    let n_actions = games.iter().map(|game| game.actions().count()).sum();
    let mut starts = vec![0];
    let mut actions = Vec::with_capacity(n_actions);
    let mut root_wdl = Vec::with_capacity(3 * n_actions);
    let mut proven = Vec::with_capacity(n_actions);
    let mut policy = Vec::new();
    let mut policy_starts = vec![0];
    for game in &games {
        actions.extend(game.actions().map(|action| action.0));
        starts.push(actions.len() as i64);
        for _ in &game.opening {
            root_wdl.extend([f32::NAN; 3]);
            proven.push(OPEN);
            policy_starts.push(policy.len() as i64);
        }
        for decision in &game.decisions {
            root_wdl.extend(decision.root_wdl.0);
            proven.push(decision.proven.map_or(OPEN, |value| value.0));
            policy.extend_from_slice(&decision.policy);
            policy_starts.push(policy.len() as i64);
        }
    }
    let root_wdl = Array2::from_shape_vec([n_actions, 3], root_wdl).expect("three an action");
    let of_games = PyDict::new(py);
    of_games.set_item("game", header.game)?;
    of_games.set_item("rules_version", header.rules_version)?;
    of_games.set_item("round", header.round)?;
    let ids: Vec<u64> = games.iter().map(|game| game.id).collect();
    of_games.set_item("ids", PyArray1::from_vec(py, ids))?;
    let forked: Vec<bool> = games.iter().map(|game| game.forked).collect();
    of_games.set_item("forked", PyArray1::from_vec(py, forked))?;
    let returns: Vec<i8> = games.iter().map(|it| it.outcome.returns()[0]).collect();
    of_games.set_item("returns", PyArray1::from_vec(py, returns))?;
    let points: Option<Vec<[i32; 2]>> = games.iter().map(|it| it.outcome.points).collect();
    let points = points.map(|points| Array2::from(points).into_pyarray(py));
    of_games.set_item("points", points)?;
    let openings: Vec<i64> = games.iter().map(|it| it.opening.len() as i64).collect();
    of_games.set_item("opening_plies", PyArray1::from_vec(py, openings))?;
    of_games.set_item("starts", PyArray1::from_vec(py, starts))?;
    of_games.set_item("actions", PyArray1::from_vec(py, actions))?;
    of_games.set_item("root_wdl", root_wdl.into_pyarray(py))?;
    of_games.set_item("proven", PyArray1::from_vec(py, proven))?;
    of_games.set_item("policy", PyArray1::from_vec(py, policy))?;
    of_games.set_item("policy_starts", PyArray1::from_vec(py, policy_starts))?;
    Ok(of_games)
}
