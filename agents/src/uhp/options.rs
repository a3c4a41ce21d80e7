//! What can be set about an engine: each option a line of the protocol, `Name;Type;Value;Default`
//! and then the bounds of a number or the values of a choice.

use std::fmt;
use std::ops::RangeInclusive;

/// An option with its value. `Display` writes its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// The name, one word.
    pub name: &'static str,
    value: String,
    default: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Int(RangeInclusive<u64>),
    /// One of these values, in whatever case.
    Choice(Vec<String>),
    /// These values among others, which the thinker checks.
    Text(Vec<String>),
}

impl EngineOption {
    /// A whole number.
    #[must_use]
    pub fn int(name: &'static str, value: u64, default: u64, range: RangeInclusive<u64>) -> Self {
        EngineOption {
            name,
            value: value.to_string(),
            default: default.to_string(),
            kind: Kind::Int(range),
        }
    }

    /// One of some values.
    #[must_use]
    pub fn choice(name: &'static str, value: String, default: String, values: &[String]) -> Self {
        EngineOption {
            name,
            value,
            default,
            kind: Kind::Choice(values.to_vec()),
        }
    }

    /// A text, of which some values are listed. The protocol has no such type: it is told as a
    /// choice.
    #[must_use]
    pub fn text(name: &'static str, value: String, default: String, values: &[&str]) -> Self {
        EngineOption {
            name,
            value,
            default,
            kind: Kind::Text(values.iter().map(|&value| value.to_owned()).collect()),
        }
    }

    /// A value of this option, as it is listed.
    ///
    /// # Errors
    /// What was expected instead.
    pub(super) fn check(&self, value: &str) -> Result<String, String> {
        let name = self.name;
        match &self.kind {
            Kind::Text(_) => Ok(value.to_owned()),
            Kind::Int(range) => {
                let number = value.parse().ok().filter(|number| range.contains(number));
                let (low, high) = (range.start(), range.end());
                number
                    .map(|number: u64| number.to_string())
                    .ok_or_else(|| format!("{name} is {low} to {high}, got {value:?}"))
            }
            Kind::Choice(values) => {
                let found = values.iter().find(|it| it.eq_ignore_ascii_case(value));
                let forms = values.join(" or ");
                found
                    .cloned()
                    .ok_or_else(|| format!("{name} is {forms}, got {value:?}"))
            }
        }
    }
}

impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EngineOption {
            name,
            value,
            default,
            kind,
        } = self;
        match kind {
            Kind::Int(range) => {
                let (low, high) = (range.start(), range.end());
                write!(f, "{name};int;{value};{default};{low};{high}")
            }
            Kind::Choice(values) | Kind::Text(values) => {
                write!(f, "{name};enum;{value};{default};{}", values.join(";"))
            }
        }
    }
}

/// What is said of a name that no option has.
pub(super) fn unknown(name: &str, names: &[&str]) -> String {
    format!(
        "unknown option {name:?}: expected one of {}",
        names.join(", ")
    )
}
