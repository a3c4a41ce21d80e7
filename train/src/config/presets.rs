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

/// Every preset.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "quickstart",
        toml: include_str!("../../presets/quickstart.toml"),
    },
    Preset {
        name: "dots-and-boxes-3x3",
        toml: include_str!("../../presets/dots-and-boxes-3x3.toml"),
    },
    Preset {
        name: "dots-and-boxes-5x5",
        toml: include_str!("../../presets/dots-and-boxes-5x5.toml"),
    },
    Preset {
        name: "queens-8",
        toml: include_str!("../../presets/queens-8.toml"),
    },
    Preset {
        name: "queens-12",
        toml: include_str!("../../presets/queens-12.toml"),
    },
    Preset {
        name: "paper-soccer-8x10",
        toml: include_str!("../../presets/paper-soccer-8x10.toml"),
    },
    Preset {
        name: "xadrersi",
        toml: include_str!("../../presets/xadrersi.toml"),
    },
    Preset {
        name: "hive-base",
        toml: include_str!("../../presets/hive-base.toml"),
    },
    Preset {
        name: "hive-base+mlp",
        toml: include_str!("../../presets/hive-base+mlp.toml"),
    },
];

pub(super) fn preset_names() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}
