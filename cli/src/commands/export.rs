//! `tablero export`.

use crate::failure::Failure;
use serde_json::json;
use std::path::PathBuf;
use tablero_train::Run;

/// Write the agent of a run as a policy directory, for use anywhere
///
/// The directory explains itself: policy.json (game, versions, network, planes, policy slots,
/// training), weights.safetensors, and golden.json (inputs with expected outputs, checked
/// whenever the policy is loaded). An existing policy is replaced, anything else is left alone.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  tablero export runs/quickstart --out policies/first")]
pub struct Arguments {
    /// The run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Where to write
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let policy = Run::latest_policy(&arguments.run)?;
    policy.save(&arguments.out)?;
    if arguments.json {
        println!(
            "{}",
            json!({ "policy": arguments.out, "game": policy.manifest.game })
        );
    } else {
        let out = arguments.out.display();
        println!("{out}: a policy for {}", policy.manifest.game);
        println!("next: tablero play --b policy:{out},sims=200");
    }
    Ok(())
}
