//! Policies as a pickle holds them.

use crate::bad_input;
use pyo3::prelude::*;
use tablero_models::{Policy, Weights};

/// The manifest and the golden positions as JSON, the weights as safetensors.
pub type PolicyParts = (String, Vec<u8>, String);

/// A policy for a pickle.
pub fn parts_of(policy: &Policy) -> PolicyParts {
    let json = "plain data with text keys";
    (
        serde_json::to_string(&policy.manifest).expect(json),
        policy.weights.to_safetensors(),
        serde_json::to_string(&policy.golden).expect(json),
    )
}

/// The policy of a pickle.
pub fn policy_of((manifest, weights, golden): &PolicyParts) -> PyResult<Policy> {
    Ok(Policy {
        manifest: serde_json::from_str(manifest).map_err(bad_input)?,
        weights: Weights::from_safetensors(weights).map_err(bad_input)?,
        golden: serde_json::from_str(golden).map_err(bad_input)?,
    })
}
