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

pub(crate) const AT_LEAST_0: &str = "a finite number of at least 0";
pub(crate) const AT_LEAST_1: &str = "at least 1";
pub(crate) const ABOVE_0: &str = "a finite number above 0";
pub(crate) const IN_0_TO_1: &str = "in 0..=1";

pub(crate) fn in_range(
    name: &'static str,
    got: f32,
    expected: &'static str,
) -> Result<(), ParamsError> {
    let fits = match expected {
        AT_LEAST_0 => got.is_finite() && got >= 0.0,
        ABOVE_0 => got.is_finite() && got > 0.0,
        AT_LEAST_1 => got >= 1.0,
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
