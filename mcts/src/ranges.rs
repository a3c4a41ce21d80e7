//! The ranges of parameters.

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} must be {expected}, got {got}")]
pub struct ParamsError {
    /// The field.
    pub name: &'static str,
    /// Its range.
    pub expected: &'static str,
    /// The value given.
    pub got: f32,
}

// Nobody needs more, and products of these are finite.
pub(crate) const AT_LEAST_0: &str = "0 to 1,000,000";
pub(crate) const AT_LEAST_1: &str = "1 to 67,108,864";
pub(crate) const ABOVE_0: &str = "0.001 to 1,000,000";
pub(crate) const IN_0_TO_1: &str = "in 0..=1";

pub(crate) fn in_range(
    name: &'static str,
    got: f32,
    expected: &'static str,
) -> Result<(), ParamsError> {
    let fits = match expected {
        AT_LEAST_0 => (0.0..=1e6).contains(&got),
        ABOVE_0 => (1e-3..=1e6).contains(&got),
        AT_LEAST_1 => (1.0..=67_108_864.0).contains(&got),
        _ => (0.0..=1.0).contains(&got),
    };
    if fits {
        return Ok(());
    }
    Err(ParamsError {
        name,
        expected,
        got,
    })
}
