//! The game, which has nothing to configure.

/// The game, which has no parameters.
///
/// # Examples
/// ```
/// use tablero_env::{Game, Notation, xadrersi::Xadrersi};
/// let game = Xadrersi;
/// let mut state = game.initial();
/// for text in ["Kd4", "Qd5"] {
///     let action = game.parse_action(&state, text).unwrap();
///     game.play(&mut state, action).unwrap();
/// }
/// // The king attacks seven empty squares. The queen on d5 would attack 27 squares of an empty
/// // board, but the king stands in its way to d4, d3, d2 and d1.
/// assert_eq!(game.points(&state), Some([7, 23]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Xadrersi;

/// Parameters that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game has no parameters, got {got:?}")]
pub struct ConfigError {
    /// The text given.
    pub got: String,
}

impl Xadrersi {
    /// Reads the parameters of a spec, which are none.
    ///
    /// # Errors
    /// If the text is not empty.
    pub fn parse_parameters(text: &str) -> Result<Self, ConfigError> {
        match text {
            "" => Ok(Xadrersi),
            _ => Err(ConfigError {
                got: text.to_owned(),
            }),
        }
    }
}
