//! Settings laid over others, field by field.
//!
//! A knob is a field of one struct. Files, the text of a player and Python's keywords all name
//! some fields and leave the others as they are.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use tablero_env::did_you_mean;

/// Fields that replace those of another configuration, by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Overlay(Map<String, Value>);

/// A field that cannot be laid over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverlayError {
    /// There is no such field.
    #[error(
        "unknown option {name:?}{}; expected {}",
        did_you_mean(name, known.iter().map(String::as_str)),
        known.join(", ")
    )]
    Unknown {
        /// The name given.
        name: String,
        /// The fields that there are.
        known: Vec<String>,
    },
    /// The field has another type or range.
    #[error("{name}: {reason}, got {got}")]
    Value {
        /// The field.
        name: String,
        /// What was expected.
        reason: String,
        /// The value given.
        got: String,
    },
    /// The text is not `KEY=VALUE,KEY=VALUE`.
    #[error("{text:?} is not KEY=VALUE")]
    Syntax {
        /// The part that is not.
        text: String,
    },
}

impl Overlay {
    /// Reads `KEY=VALUE,KEY=VALUE`: a value is a number, `true`, `false` or a text.
    ///
    /// # Errors
    /// The first part that has another form.
    pub fn parse(text: &str) -> Result<Overlay, OverlayError> {
        let parts = text.split(',').filter(|part| !part.is_empty());
        let fields = parts.map(|part| match part.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), scalar(value))),
            _ => Err(OverlayError::Syntax {
                text: part.to_owned(),
            }),
        });
        fields.collect::<Result<_, _>>().map(Overlay)
    }

    /// The fields in which two configurations differ, with the values of the second.
    #[must_use]
    pub fn between<T: Serialize>(base: &T, changed: &T) -> Overlay {
        let base = fields_of(base);
        let changed = fields_of(changed).into_iter();
        Overlay(
            changed
                .filter(|(name, value)| base.get(name) != Some(value))
                .collect(),
        )
    }

    /// Sets a field.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Overlay {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Whether no field is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a field is set.
    #[must_use]
    pub fn sets(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// These fields, and on top of them those of `other`.
    #[must_use]
    pub fn and(&self, other: &Overlay) -> Overlay {
        let mut both = self.clone();
        both.0.extend(other.0.clone());
        both
    }

    /// Takes out the fields that `T` has.
    #[must_use]
    pub fn split_off<T: Serialize + Default>(&mut self) -> Overlay {
        let known = fields_of(&T::default());
        let (theirs, ours) = std::mem::take(&mut self.0)
            .into_iter()
            .partition(|(name, _)| known.contains_key(name));
        self.0 = ours;
        Overlay(theirs)
    }

    /// A configuration with these fields instead of its own.
    ///
    /// # Errors
    /// The field that the configuration does not have, or whose value it does not take.
    pub fn over<T: Serialize + DeserializeOwned>(&self, base: &T) -> Result<T, OverlayError> {
        let mut fields = fields_of(base);
        fields.extend(self.0.clone());
        let merged: T = match serde_json::from_value(Value::Object(fields)) {
            Ok(merged) => merged,
            Err(error) => return Err(self.culprit(base, error)),
        };
        // A field that nothing reads is not there in what was read: a rule has fields of its own.
        let known = fields_of(&merged);
        match self.0.keys().find(|name| !known.contains_key(*name)) {
            None => Ok(merged),
            Some(name) => Err(OverlayError::Unknown {
                name: name.clone(),
                known: known.into_iter().map(|(name, _)| name).collect(),
            }),
        }
    }

    /// The field that makes the whole unreadable.
    fn culprit<T: Serialize + DeserializeOwned>(
        &self,
        base: &T,
        error: serde_json::Error,
    ) -> OverlayError {
        let alone = |name: &str, value: &Value| {
            let mut fields = fields_of(base);
            fields.insert(name.to_owned(), value.clone());
            serde_json::from_value::<T>(Value::Object(fields)).err()
        };
        let found = self
            .0
            .iter()
            .find_map(|(name, value)| alone(name, value).map(|error| (name, value, error)));
        let (name, got, error) = match found {
            Some((name, value, error)) => (name.clone(), value.to_string(), error),
            None => ("options".to_owned(), self.to_string(), error),
        };
        OverlayError::Value {
            name,
            reason: error.to_string(),
            got,
        }
    }
}

/// Every field of a configuration, which is a flat struct.
fn fields_of<T: Serialize>(config: &T) -> Map<String, Value> {
    match serde_json::to_value(config) {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("a configuration is a struct of plain data"),
    }
}

fn scalar(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
        _ => Value::String(text.to_owned()),
    }
}

/// As [`Overlay::parse`] reads it.
impl fmt::Display for Overlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match value {
                Value::String(text) => write!(f, "{comma}{name}={text}")?,
                other => write!(f, "{comma}{name}={other}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Settings {
        sims: u32,
        share: f32,
        name: String,
        is_on: bool,
    }

    fn base() -> Settings {
        Settings {
            sims: 200,
            share: 0.5,
            name: "plain".to_owned(),
            is_on: false,
        }
    }

    #[test]
    fn fields_that_are_named_change_and_no_other_does() {
        let overlay = Overlay::parse("sims=7,is_on=true,name=x2").unwrap();
        let expected = Settings {
            sims: 7,
            is_on: true,
            name: "x2".to_owned(),
            ..base()
        };
        assert_eq!(overlay.over(&base()).unwrap(), expected);
        assert_eq!(Overlay::default().over(&base()).unwrap(), base());
        assert_eq!(Overlay::parse(&overlay.to_string()).unwrap(), overlay);
        let later = Overlay::parse("sims=9").unwrap();
        assert_eq!(overlay.and(&later).over(&base()).unwrap().sims, 9);
    }

    #[test]
    fn what_cannot_be_laid_over_is_named() {
        let error = |text| {
            let overlay = Overlay::parse(text);
            let read = overlay.and_then(|overlay| overlay.over(&base()));
            read.unwrap_err().to_string()
        };
        assert!(error("simz=7").contains("\"simz\""), "{}", error("simz=7"));
        assert!(error("simz=7").contains("did you mean sims?"));
        for (text, name) in [("sims=many", "sims"), ("share=on,sims=7", "share")] {
            assert!(error(text).starts_with(name), "{}", error(text));
        }
        assert!(error("sims=-1").contains("-1"), "{}", error("sims=-1"));
        assert!(error("sims").contains("KEY=VALUE"));
    }
}
