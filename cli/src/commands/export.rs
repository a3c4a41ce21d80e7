//! `tablero export`.

use crate::failure::Failure;
use crate::quoting::quoted;
use anyhow::Context;
use serde_json::json;
use std::path::{Path, PathBuf};
use tablero_agents::load_agent;
use tablero_models::{Policy, Weights, WeightsFormat, storage};

/// Write an agent as a policy directory, to share it or to use it in other programs
///
/// The directory describes its own contents: policy.json (game, versions, network, planes, policy
/// slots, training), the weights, and golden.json (inputs with expected outputs, checked whenever the
/// policy is loaded). With --format onnx the weights are a model, policy.onnx, for ONNX runtimes without
/// Tablero. Tablero reads both. An existing policy is replaced; other files are left alone.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tablero export runs/quickstart --out policies/first\n  \
                  tablero export zoo:queens:8 --format onnx --out policies/queens\n  \
                  tablero export policies/queens --weights tuned.safetensors --out policies/tuned"
)]
pub struct Arguments {
    /// A run, one of its checkpoints (RUN/checkpoints/000012), a policy directory, or zoo:GAME
    #[arg(value_name = "AGENT")]
    agent: String,
    /// Where to write
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The format of the weights
    #[arg(long, value_enum, default_value_t = Format::Safetensors)]
    format: Format,
    /// Use the weights in this file, .safetensors or .onnx, instead of the agent's. The tensors must have
    /// the same names and shapes
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Round the weights to 16-bit floats: weights.safetensors is half as large. The policies that come
    /// with Tablero for Hive are rounded
    #[arg(long)]
    half: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// weights.safetensors, the tensors alone
    Safetensors,
    /// policy.onnx, a model with inputs and outputs
    Onnx,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut policy = load_agent(&arguments.agent)?;
    if let Some(file) = &arguments.weights {
        policy = with_weights(&policy, file).map_err(Failure::BadInput)?;
    }
    if arguments.half {
        let rounded = policy.with_weights(policy.weights.rounded());
        policy = rounded.map_err(|error| Failure::BadInput(error.into()))?;
    }
    let format = match arguments.format {
        Format::Safetensors => WeightsFormat::Safetensors,
        Format::Onnx => WeightsFormat::Onnx,
    };
    policy.save_as(&arguments.out, format)?;
    let file = arguments.out.join(format.file_name());
    if arguments.json {
        println!(
            "{}",
            json!({ "policy": arguments.out, "game": policy.manifest.game, "weights": file })
        );
    } else {
        let out = arguments.out.display();
        println!("{out}: a policy for {}", policy.manifest.game);
        if format == WeightsFormat::Onnx {
            println!("the model: {}", file.display());
        }
        let player = quoted(format!("policy:{out},sims=200"));
        println!("next: tablero play --b {player}");
    }
    Ok(())
}

fn with_weights(policy: &Policy, file: &Path) -> anyhow::Result<Policy> {
    let bytes = storage::read(file)?;
    let is_onnx = file
        .extension()
        .is_some_and(|extension| extension == "onnx");
    let weights = if is_onnx {
        Weights::from_onnx(&bytes)
    } else {
        Weights::from_safetensors(&bytes)
    };
    weights
        .and_then(|weights| policy.with_weights(weights))
        .with_context(|| file.display().to_string())
}
