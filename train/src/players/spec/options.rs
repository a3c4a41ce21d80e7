//! What stands after the colon of a player's text.

use tablero_models::{Precision, UnknownPrecision};

/// The `key=value` options after the colon; what is loaded or started comes first.
pub(super) struct Options {
    /// The directory of a policy, or the command of an engine.
    pub(super) name: Option<String>,
    numbers: Vec<(String, u64)>,
    /// Options of a policy that are no whole numbers.
    pub(super) precision: Precision,
    pub(super) symmetries: bool,
    pub(super) transpositions: bool,
    pub(super) leaf_share: Option<f32>,
    pub(super) minimax_share: Option<f32>,
    pub(super) root_share: Option<f32>,
}

impl Options {
    pub(super) fn read(kind: &str, text: &str) -> Result<Options, String> {
        let allowed: &[&str] = match kind {
            "minimax" => &["depth", "ms", "nodes", "threads"],
            "mcts" => &["sims"],
            "policy" | "zoo" => &[
                "sims",
                "precision",
                "symmetries",
                "transpositions",
                "leaf_nodes",
                "solver_nodes",
                "leaf_share",
                "minimax_share",
                "trap_nodes",
                "root_nodes",
                "root_share",
            ],
            "uhp" => &["depth", "ms"],
            _ => &[],
        };
        let mut options = Options {
            name: None,
            numbers: Vec::new(),
            precision: Precision::default(),
            symmetries: false,
            transpositions: true,
            leaf_share: None,
            minimax_share: None,
            root_share: None,
        };
        let mut rest = text;
        if kind == "policy" {
            // A directory's name may hold commas: only what looks like an option ends it.
            let mut directory = text;
            while let Some((head, tail)) = directory.rsplit_once(',')
                && allowed
                    .iter()
                    .any(|key| tail.starts_with(&format!("{key}=")))
            {
                directory = head;
            }
            let tail = &text[directory.len()..];
            options.name = (!directory.is_empty()).then(|| directory.to_owned());
            rest = tail;
        }
        if kind == "uhp" {
            // In double quotes, which may hold others and commas; or plain, without options.
            let (command, tail) = match text.strip_prefix('"').and_then(|t| t.rsplit_once('"')) {
                Some(quoted) => quoted,
                None => (text, ""),
            };
            options.name = (!command.trim().is_empty()).then(|| command.trim().to_owned());
            rest = tail;
        }
        for option in rest.split(',').filter(|option| !option.is_empty()) {
            let Some((key, value)) = option.split_once('=') else {
                return Err(format!("{option:?} is not KEY=NUMBER"));
            };
            if !allowed.contains(&key) {
                return Err(format!("{kind} has no option {key:?}"));
            }
            if key == "precision" {
                options.precision = value
                    .parse()
                    .map_err(|error: UnknownPrecision| error.to_string())?;
                continue;
            }
            if key == "symmetries" {
                if value != "all" {
                    return Err(format!("symmetries is all, or left out, got {value:?}"));
                }
                options.symmetries = true;
                continue;
            }
            if key == "transpositions" {
                options.transpositions = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err(format!("transpositions is on or off, got {value:?}")),
                };
                continue;
            }
            if let "leaf_share" | "minimax_share" | "root_share" = key {
                let share = value.parse().ok();
                let share = share.filter(|share| (0.0..=1.0).contains(share));
                let wrong = || format!("{key} is a number from 0 to 1, got {value:?}");
                let share = Some(share.ok_or_else(wrong)?);
                match key {
                    "leaf_share" => options.leaf_share = share,
                    "root_share" => options.root_share = share,
                    _ => options.minimax_share = share,
                }
                continue;
            }
            let number = value
                .parse()
                .map_err(|_| format!("{key} is a number of at least 0, got {value:?}"))?;
            options.numbers.push((key.to_owned(), number));
        }
        Ok(options)
    }

    pub(super) fn get(&self, key: &str) -> Option<u64> {
        let found = self.numbers.iter().rev().find(|(name, _)| name == key);
        found.map(|&(_, number)| number)
    }

    /// `None` if the number is too large.
    pub(super) fn simulations(&self, default: u32) -> Option<u32> {
        match self.get("sims") {
            None => Some(default),
            Some(n) => u32::try_from(n).ok(),
        }
    }
}
