//! How an agent searches: one type for self-play, evaluation, play, export, the text of a
//! player, and Python.

use crate::{Overlay, OverlayError};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tablero_mcts::SearchParams;

/// How an agent searches. Flat in files; missing fields take their defaults, unknown ones are an
/// error that names them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, remote = "Self")]
pub struct SearchConfig {
    /// Simulations a move; in self-play the visits kept from the move before count. 0 plays the
    /// network's most probable action. Default 200.
    pub sims: u32,
    /// The tree search.
    #[serde(flatten)]
    pub tree: SearchParams,
    /// Nodes of the analyser at each leaf: minimax, and where the game has one the solver of its
    /// endgames. With 0, the default, the agent is *bare*: a network and a tree.
    pub analyser_nodes: u64,
    /// The share, 0..=1, of the analyser's log-odds that is added to those of the network where a
    /// leaf is not proven. Default 0.5; with 0 only its proofs count.
    pub analyser_share: f32,
}

impl Default for SearchConfig {
    fn default() -> Self {
        SearchConfig {
            sims: 200,
            tree: SearchParams::default(),
            analyser_nodes: 0,
            analyser_share: 0.5,
        }
    }
}

impl SearchConfig {
    /// The same with these fields instead of its own.
    ///
    /// # Errors
    /// A field that there is not, or whose value is out of its range.
    pub fn with(&self, overlay: &Overlay) -> Result<SearchConfig, OverlayError> {
        let Loose(config) = overlay.over(&Loose(self.clone()))?;
        config.check()?;
        Ok(config)
    }

    /// Whether an analyser informs it.
    #[must_use]
    pub fn is_informed(&self) -> bool {
        self.analyser_nodes > 0
    }

    fn check(&self) -> Result<(), OverlayError> {
        let share = self.analyser_share;
        let wrong = |name: &str, expected: &str, got: f32| OverlayError::Value {
            name: name.to_owned(),
            reason: format!("expected a number that is {expected}"),
            got: got.to_string(),
        };
        self.tree
            .check()
            .map_err(|error| wrong(error.name, error.expected, error.got))?;
        if !(0.0..=1.0).contains(&share) {
            return Err(wrong("analyser_share", "in 0..=1", share));
        }
        Ok(())
    }
}

/// Read and written field by field, without a word about unknown ones.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Loose(#[serde(with = "SearchConfig")] SearchConfig);

impl Serialize for SearchConfig {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        SearchConfig::serialize(self, to)
    }
}

impl<'de> Deserialize<'de> for SearchConfig {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let overlay = Overlay::deserialize(from)?;
        let read = SearchConfig::default().with(&overlay);
        read.map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_mcts::{Gumbel, Puct, Selection};

    fn read(text: &str) -> Result<SearchConfig, OverlayError> {
        SearchConfig::default().with(&Overlay::parse(text)?)
    }

    #[test]
    fn a_configuration_comes_back_from_json_and_toml() {
        let odd = read("root=gumbel,c_visit=30,sims=7,analyser_nodes=9").unwrap();
        for config in [SearchConfig::default(), odd] {
            let json = serde_json::to_string(&config).unwrap();
            assert_eq!(serde_json::from_str::<SearchConfig>(&json).unwrap(), config);
            let toml = toml::to_string(&config).unwrap();
            assert_eq!(toml::from_str::<SearchConfig>(&toml).unwrap(), config);
        }
    }

    #[test]
    fn a_text_changes_what_it_names() {
        let config = read("sims=400,root=gumbel").unwrap();
        assert_eq!(config.sims, 400);
        assert_eq!(config.tree.selection, Selection::Gumbel(Gumbel::default()));
        let config = read("c_puct=2").unwrap();
        let puct = Puct {
            c_puct: 2.0,
            ..Puct::default()
        };
        assert_eq!(config.tree.selection, Selection::Puct(puct));
        // Over a configuration, not over the defaults.
        let both = config.with(&Overlay::parse("sims=9").unwrap()).unwrap();
        assert_eq!((both.sims, both.tree.selection), (9, Selection::Puct(puct)));
    }

    #[test]
    fn a_field_that_cannot_be_read_is_named() {
        for (text, name) in [
            ("c_puckt=1", "\"c_puckt\""),
            ("root=ucb", "root"),
            ("c_puct=x", "c_puct"),
            ("c_puct=-1", "c_puct"),
            ("c_visit=30", "\"c_visit\""),
            ("analyser_share=1.5", "analyser_share"),
            ("max_nodes=0", "max_nodes"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(name), "{text}: {error}");
        }
    }
}
