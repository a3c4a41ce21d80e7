//! What can be set about the engine: each option a line of the protocol, `Name;Type;Value;
//! Default` and then the bounds of a number or the values of a choice.

use tablero_env::hive::Opening;

/// The settings, with their defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// The size of the search's transposition table.
    pub(super) table_mib: usize,
    /// Whether games begin by the tournament rule.
    pub(super) opening: Opening,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            table_mib: 64,
            opening: Opening::Tournament,
        }
    }
}

const TABLE: &str = "TableSizeMiB";
const OPENING: &str = "Opening";
const MAX_TABLE_MIB: usize = 1024;

impl Options {
    /// The names, in the order in which they are listed.
    pub(super) const NAMES: [&str; 2] = [TABLE, OPENING];

    /// The line of an option; `None` if there is none of this name. Case makes no difference.
    pub(super) fn line(&self, name: &str) -> Option<String> {
        let default = Options::default();
        if name.eq_ignore_ascii_case(TABLE) {
            let (value, default) = (self.table_mib, default.table_mib);
            Some(format!("{TABLE};int;{value};{default};0;{MAX_TABLE_MIB}"))
        } else if name.eq_ignore_ascii_case(OPENING) {
            let (value, default) = (self.opening, default.opening);
            Some(format!(
                "{OPENING};enum;{value:?};{default:?};{:?};{:?}",
                Opening::Tournament,
                Opening::Free
            ))
        } else {
            None
        }
    }

    /// Sets an option.
    ///
    /// # Errors
    /// What was expected instead.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name.eq_ignore_ascii_case(TABLE) {
            self.table_mib = value
                .parse()
                .ok()
                .filter(|mib| (0..=MAX_TABLE_MIB).contains(mib))
                .ok_or_else(|| format!("{TABLE} is 0 to {MAX_TABLE_MIB}, got {value:?}"))?;
            Ok(())
        } else if name.eq_ignore_ascii_case(OPENING) {
            self.opening = [Opening::Tournament, Opening::Free]
                .into_iter()
                .find(|opening| format!("{opening:?}").eq_ignore_ascii_case(value))
                .ok_or_else(|| format!("{OPENING} is Tournament or Free, got {value:?}"))?;
            Ok(())
        } else {
            Err(unknown(name))
        }
    }
}

/// What is said of a name that no option has.
pub(super) fn unknown(name: &str) -> String {
    format!(
        "unknown option {name:?}: expected one of {}",
        Options::NAMES.join(", ")
    )
}
