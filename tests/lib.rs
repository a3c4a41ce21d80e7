//! Running the binary as a user would, and runs that take seconds.

pub mod schema;

use connect_four::ConnectFour;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use tablero::Games;
use tablero_models::{NetworkConfig, Overlay};
use tablero_train::{PRESETS, RunConfig};

/// Every preset in all its parts, that of a game of somebody else, which becomes one of this process,
/// and one with a residual network; but so small that it takes seconds: three rounds, the first of them
/// a teacher's where the preset has one.
///
/// # Panics
/// If a preset is not valid.
#[must_use]
pub fn shrunk_presets() -> Vec<(&'static str, RunConfig)> {
    Games::builtin().with(ConnectFour::default()).install();
    let others = (
        "connect-four",
        include_str!("../examples/connect_four/preset.toml"),
    );
    let presets = PRESETS.iter().map(|preset| (preset.name, preset.toml));
    let configs = presets.chain([others]).map(|(name, toml)| {
        let config = RunConfig::from_toml(toml, name).expect("presets are valid");
        (name, config)
    });
    // Its batch norm keeps statistics beside what gradients change.
    let residual = RunConfig {
        network: NetworkConfig::Residual {
            blocks: 4,
            channels: 64,
        },
        ..RunConfig::preset("quickstart").expect("presets are valid")
    };
    let configs = configs.chain([("a residual network", residual)]);
    let shrunk = configs.map(|(name, mut config)| {
        config.rounds = 3;
        match &mut config.network {
            NetworkConfig::Sparse { width, hidden } => {
                *width = 16;
                hidden.fill(8);
            }
            NetworkConfig::Mlp { hidden } => hidden.fill(16),
            NetworkConfig::Residual { blocks, channels } => (*blocks, *channels) = (2, 8),
        }
        let play = &mut config.self_play;
        play.games = 6;
        config.search.sims = 8;
        if let Some(quick) = &mut play.quick {
            quick.sims = 4;
        }
        if let Some(teacher) = &mut play.teacher {
            (teacher.rounds, teacher.nodes) = (1, 50);
        }
        if let Some(evaluation) = &mut config.evaluation {
            evaluation.games = 2;
            evaluation.search = Overlay::default().with("sims", 4);
        }
        config.learner.batch_size = 16;
        config.learner.samples_per_position = 1.0;
        (name, config)
    });
    shrunk.collect()
}

/// What a command printed and how it ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Finished {
    /// The output, after a check that all went well.
    ///
    /// # Panics
    /// If the exit code is not 0.
    #[must_use]
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// The output as one JSON value.
    ///
    /// # Panics
    /// If the exit code is not 0 or the output is not JSON.
    #[must_use]
    pub fn json(self) -> Value {
        let text = self.ok();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// The output as JSON lines.
    ///
    /// # Panics
    /// If the exit code is not 0 or a line is not JSON.
    #[must_use]
    pub fn json_lines(self) -> Vec<Value> {
        let text = self.ok();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    }

    /// Checks that the command refused its input: exit code 2, nothing on standard output, and
    /// an error that holds each of `parts`.
    ///
    /// # Panics
    /// If it did anything else.
    pub fn refused(&self, parts: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        for part in parts {
            assert!(self.stderr.contains(part), "expected {part:?} in {self:?}");
        }
        assert!(!self.stderr.contains("panicked"), "{self:?}");
    }
}

/// Runs `binary` in `folder` with arguments separated by spaces; `'…'` keeps spaces together.
///
/// # Panics
/// If the binary cannot be started.
#[must_use]
pub fn run_in(binary: &str, folder: &Path, arguments: &str) -> Finished {
    run_with_input(binary, folder, arguments, "")
}

/// The same with standard input.
///
/// # Panics
/// If the binary cannot be started or does not read its input.
#[must_use]
pub fn run_with_input(binary: &str, folder: &Path, arguments: &str, input: &str) -> Finished {
    let mut child = Command::new(binary)
        .args(split(arguments))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    // A command that needs no input may have closed it.
    let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    Finished {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("the output is text"),
        stderr: String::from_utf8(output.stderr).expect("errors are text"),
    }
}

/// Splits arguments at spaces, except between single quotes.
#[must_use]
pub fn split(arguments: &str) -> Vec<String> {
    let mut split = Vec::new();
    for (index, part) in arguments.split('\'').enumerate() {
        if index % 2 == 1 {
            split.push(part.to_owned());
        } else {
            split.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    split
}

/// Every file of a run that has no wall-clock time in it, by its path within the run.
///
/// # Panics
/// If a file cannot be read, or a match of the run is not JSON.
#[must_use]
pub fn results_of_run(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let timed = ["metrics.jsonl", "manifest.json", "events.out.tfevents.run"];
    let mut files = files_of(run);
    files.retain(|name, _| !timed.iter().any(|ending| name.ends_with(ending)));
    if let Some(evaluations) = files.get_mut("evaluations.jsonl") {
        *evaluations = without_times(evaluations);
    }
    files
}

/// Every file of a folder and of those in it, by its path within the folder.
///
/// # Panics
/// If one cannot be read.
#[must_use]
pub fn files_of(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder that can be read") {
            let path = entry.expect("a folder that can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).expect("a path within the folder");
            let content = std::fs::read(&path).expect("a file that can be read");
            files.insert(name.display().to_string(), content);
        }
    }
    files
}

/// Matches of a run, but for the time that the players took.
fn without_times(evaluations: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    for line in evaluations.split(|&byte| byte == b'\n') {
        if line.is_empty() {
            continue;
        }
        let mut evaluation: Value = serde_json::from_slice(line).expect("lines of JSON");
        for effort in ["a_effort", "b_effort"] {
            evaluation["report"][effort]["seconds_a_move"].take();
        }
        kept.extend(evaluation.to_string().into_bytes());
    }
    kept
}
