//! What can be tuned in a search.

use crate::ranges::{AT_LEAST_1, ParamsError, in_range};
use crate::selection::Selection;
use serde::{Deserialize, Serialize};

/// The parameters of a [`Search`](crate::Search): flat in a file, those of the
/// [selection rule](Selection) beside the others. Missing fields take their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchParams {
    /// How moves are chosen, at the root and below. Default [PUCT](Selection::Puct).
    #[serde(flatten)]
    pub selection: Selection,
    /// Whether a position that several orders of moves lead to has one node, which all of them
    /// share (Monte-Carlo graph search: Czech, Korus and Kersting, 2020; Wu, 2023). Each node then
    /// stores its position, too. Default true. No effect in games without a bound on their length
    /// (Hive), where positions may recur.
    pub transpositions: bool,
    /// The most nodes of the tree, 1 to 67,108,864; default 2097152. A node of a position with n legal
    /// actions takes 37 + 8 n bytes, and 13 n more once the search goes on below it. When the tree
    /// is full, leaves are still evaluated, but no longer expanded. The root is always there.
    pub max_nodes: usize,
}

impl Default for SearchParams {
    fn default() -> Self {
        SearchParams {
            selection: Selection::default(),
            transpositions: true,
            max_nodes: 1 << 21,
        }
    }
}

impl SearchParams {
    /// PUCT with its defaults, but for its exploration constant.
    #[must_use]
    pub fn with_c_puct(c_puct: f32) -> Self {
        SearchParams {
            selection: Selection::Puct(crate::Puct {
                c_puct,
                ..crate::Puct::default()
            }),
            ..SearchParams::default()
        }
    }

    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter that is out of its range. A search with such parameters is of little
    /// use, but it does not panic and plays legal moves.
    pub fn check(&self) -> Result<(), ParamsError> {
        self.selection.check()?;
        in_range("max_nodes", self.max_nodes as f32, AT_LEAST_1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gumbel, Puct};

    fn from_toml(text: &str) -> Result<SearchParams, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn parameters_come_back_from_their_text() {
        let gumbel = Gumbel {
            max_considered: 5,
            c_scale: 0.25,
            ..Gumbel::default()
        };
        let puct = Puct {
            c_puct: 2.0,
            ..Puct::default()
        };
        for selection in [Selection::Puct(puct), Selection::Gumbel(gumbel)] {
            let params = SearchParams {
                selection,
                transpositions: false,
                ..SearchParams::default()
            };
            let text = toml::to_string(&params).unwrap();
            assert_eq!(from_toml(&text).unwrap(), params, "{text}");
        }
    }

    #[test]
    fn missing_fields_take_their_defaults() {
        let gumbel = Gumbel {
            c_visit: 30.0,
            ..Gumbel::default()
        };
        let short = from_toml("root = \"gumbel\"\nc_visit = 30").unwrap();
        assert_eq!(short.selection, Selection::Gumbel(gumbel));
        assert!(from_toml("root = \"ucb\"").is_err());
    }

    #[test]
    fn a_parameter_out_of_its_range_is_named() {
        type Change<T> = fn(&mut T);
        let gumbel: [(&str, Change<Gumbel>); 3] = [
            ("max_considered", |gumbel| gumbel.max_considered = 0),
            ("c_visit", |gumbel| gumbel.c_visit = f32::NAN),
            ("c_scale", |gumbel| gumbel.c_scale = f32::INFINITY),
        ];
        let puct: [(&str, Change<Puct>); 4] = [
            ("c_puct", |puct| puct.c_puct = f32::NAN),
            ("fpu_reduction", |puct| puct.fpu_reduction = -0.1),
            ("noise", |puct| puct.noise = 1.5),
            ("noise_alpha", |puct| puct.noise_alpha = 0.0),
        ];
        let with = |selection| SearchParams {
            selection,
            ..SearchParams::default()
        };
        assert_eq!(SearchParams::default().check(), Ok(()));
        for (name, change) in gumbel {
            let mut rule = Gumbel::default();
            change(&mut rule);
            let error = with(Selection::Gumbel(rule)).check().unwrap_err();
            assert_eq!(error.name, name);
        }
        for (name, change) in puct {
            let mut rule = Puct::default();
            change(&mut rule);
            let error = with(Selection::Puct(rule)).check().unwrap_err();
            assert_eq!(error.name, name);
        }
        let full = SearchParams {
            max_nodes: 0,
            ..SearchParams::default()
        };
        assert_eq!(full.check().unwrap_err().name, "max_nodes");
    }
}
