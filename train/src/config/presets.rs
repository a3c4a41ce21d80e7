//! Configurations that come with Tablero.

/// A configuration that comes with Tablero.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name on the command line.
    pub name: &'static str,
    /// The documented TOML file.
    pub toml: &'static str,
}

impl Preset {
    /// The first comment line of the file: what the preset is for.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        let line = self.toml.lines().next().unwrap_or_default();
        line.trim_start_matches('#').trim()
    }
}

macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        &[$(Preset {
            name: $name,
            toml: include_str!(concat!("../../presets/", $name, ".toml")),
        }),+]
    };
}

/// Every preset.
pub const PRESETS: &[Preset] = presets![
    "quickstart",
    "dots-and-boxes-3x3",
    "dots-and-boxes-5x5",
    "queens-8",
    "queens-12",
    "paper-soccer-4x4",
    "paper-soccer-8x10",
    "xadrersi",
    "hive-small",
    "hive-base",
    "hive-base+mlp",
];

pub(super) fn preset_names() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}
