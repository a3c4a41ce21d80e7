//! `tablero train`.

use crate::commands::compare::{self, Comparison};
use crate::config_file::read_config;
use crate::failure::Failure;
use crate::progress::TrainingProgress;
use crate::quoting::quoted;
use crate::table::Table;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;
use tablero_train::run::advice;
use tablero_train::self_play::Workers;
use tablero_train::{PRESETS, Run, RunConfig};

/// Train an agent by self-play, or resume a run
///
/// A run is a folder and can be killed at any time: the same command resumes it and produces exactly
/// the weights of an uninterrupted run. A seed fixes the result, regardless of the number of threads.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tablero train --preset dots-and-boxes-3x3\n  \
                        tablero train --out runs/dots-and-boxes-3x3    (resume)\n  \
                        tablero train --config mine.toml --out runs/mine --seed 7\n  \
                        tablero train --config more.toml --start-from zoo:xadrersi --out runs/more\n  \
                        tablero train --config larger.toml --games-from runs/mine --out runs/larger\n  \
                        tablero train --compare wide.toml narrow.toml --evaluations 5e7 --out runs/width\n  \
                        tablero train --presets"
)]
pub struct Arguments {
    /// Use a bundled configuration
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// Use a configuration file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The run's folder; default runs/PRESET
    #[arg(long, value_name = "DIR", required_unless_present_any = ["preset", "presets"])]
    out: Option<PathBuf>,
    /// Rounds of self-play and learning, instead of the configuration's. Also applies to a run that is
    /// resumed: to train longer, or to end sooner
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// The seed, instead of the configuration's
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Start with this agent's weights instead of new ones: a run, one of its checkpoints, a policy
    /// directory, or zoo:GAME, with the same network
    #[arg(long, value_name = "AGENT")]
    start_from: Option<String>,
    /// Use the stored games of this run instead of self-play in the first rounds, for example to teach
    /// a larger network. Can be given several times
    #[arg(long, value_name = "RUN")]
    games_from: Vec<PathBuf>,
    /// Train these configurations of one game to an equal number of leaf evaluations, each in its own
    /// folder in --out. Then play them against each other and a fixed ladder, with their last checkpoints
    /// and with those that the slower ones had when the fastest finished. The same command resumes
    #[arg(long, value_name = "FILE", num_args = 2.., requires_all = ["evaluations", "out"],
          conflicts_with_all = ["preset", "config", "rounds", "start_from", "games_from"])]
    compare: Vec<PathBuf>,
    /// Leaf evaluations of self-play after which the training of each variant ends, such as 5e7
    #[arg(long, value_name = "N", requires = "compare", value_parser = count)]
    evaluations: Option<u64>,
    /// Games of each match of a comparison
    #[arg(long, value_name = "N", requires = "compare", default_value_t = 200,
          value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: u64,
    #[command(flatten)]
    workers: WorkerArgs,
    /// Allow opponents in the configuration to start other programs: uhp:"COMMAND". If the configuration
    /// is not yours, check these commands first
    #[arg(long)]
    allow_commands: bool,
    /// List the presets and stop
    #[arg(long)]
    presets: bool,
    /// Print a JSON summary at the end
    #[arg(long)]
    json: bool,
}

/// How the work is spread over the machine.
#[derive(Args, Debug)]
pub struct WorkerArgs {
    /// Threads; default all cores. Does not change results
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Games that a thread plays at once. Does not change results on the CPU
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    group_size: Option<u16>,
}

impl WorkerArgs {
    /// The workers of a run, by default one per core.
    pub fn workers(&self, config: &RunConfig) -> Workers {
        let all = Workers::all_cores(config);
        Workers {
            threads: self.threads.map_or(all.threads, usize::from),
            group_size: self.group_size.map_or(all.group_size, usize::from),
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.presets {
        print_presets(arguments.json);
        return Ok(());
    }
    if let (Some(folder), Some(evaluations)) = (&arguments.out, arguments.evaluations) {
        let comparison = Comparison {
            configs: &arguments.compare,
            evaluations,
            folder,
            seed: arguments.seed,
            games: arguments.games,
            json: arguments.json,
        };
        return compare::run(&comparison, |config| arguments.workers.workers(config));
    }
    let mut run = open(arguments)?;
    let config = run.config();
    eprintln!(
        "training {} in {}, seed {}: {} done",
        config.game,
        run.folder().display(),
        config.seed,
        run.manifest().played(config)
    );
    let start = Instant::now();
    let progress = TrainingProgress::new(&run);
    let workers = arguments.workers.workers(run.config());
    run.train(workers, &progress)?;
    drop(progress);
    for warning in advice(&Run::read_metrics(run.folder())?) {
        eprintln!("warning: {warning}");
    }
    let manifest = run.manifest();
    let folder = run.folder().display();
    if arguments.json {
        println!(
            "{}",
            json!({
                "run": run.folder(),
                "game": run.config().game,
                "seed": run.config().seed,
                "rounds": manifest.rounds,
                "games": manifest.games,
                "steps": manifest.steps,
                "seconds": start.elapsed().as_secs_f64(),
            })
        );
    } else {
        println!(
            "{folder}: {} games, {} gradient steps, {:.1} s in this call",
            manifest.games,
            manifest.steps,
            start.elapsed().as_secs_f64()
        );
        let (player, folder) = (quoted(format!("policy:{folder}")), quoted(&folder));
        println!("next: tablero eval --a {player} --b minimax:depth=4 --games 200");
        println!("      tablero export {folder} --out policies/mine");
        println!("      tablero report {folder}");
    }
    Ok(())
}

fn print_presets(as_json: bool) {
    if as_json {
        let list = PRESETS
            .iter()
            .map(|preset| json!({ "name": preset.name, "summary": preset.summary() }));
        println!("{}", Value::from_iter(list));
        return;
    }
    let mut table = Table::new(&["preset", "what it is for"]);
    for preset in PRESETS {
        table.row([preset.name.to_owned(), preset.summary().to_owned()]);
    }
    table.print();
}

/// A whole number of at least 1, also written as `5e7`.
fn count(text: &str) -> Result<u64, String> {
    let expected = || format!("expected a whole number from 1 to 1e15, such as 5e7, got {text:?}");
    let number: f64 = text.parse().map_err(|_| expected())?;
    if (1.0..=1e15).contains(&number) && number.fract() == 0.0 {
        Ok(number as u64)
    } else {
        Err(expected())
    }
}

fn open(arguments: &Arguments) -> Result<Run, Failure> {
    let config = match (&arguments.preset, &arguments.config) {
        (Some(name), _) => Some(RunConfig::preset(name)?),
        (None, Some(file)) => Some(read_config(file)?),
        (None, None) => None,
    };
    let named = arguments.preset.as_ref();
    let folder = match (&arguments.out, named) {
        (Some(folder), _) => folder.clone(),
        (None, Some(name)) => PathBuf::from("runs").join(name),
        (None, None) => return Err(Failure::bad_input("expected --out DIR")),
    };
    let mut run = match config {
        None => {
            let only_starts = [
                ("--seed", arguments.seed.is_some()),
                ("--start-from", arguments.start_from.is_some()),
                ("--games-from", !arguments.games_from.is_empty()),
            ];
            if let Some((flag, _)) = only_starts.iter().find(|(_, is_given)| *is_given) {
                return Err(Failure::bad_input(format!(
                    "{flag} applies to a new run and needs --preset or --config; a resumed run \
                     keeps its own"
                )));
            }
            Run::open(&folder)?
        }
        Some(mut config) => {
            config.seed = arguments.seed.unwrap_or(config.seed);
            config.rounds = arguments.rounds.unwrap_or(config.rounds);
            config.start_from = arguments.start_from.clone().or(config.start_from);
            if !arguments.games_from.is_empty() {
                config.games_from.clone_from(&arguments.games_from);
            }
            config.allow_commands = arguments.allow_commands;
            Run::create_or_open(&folder, config)?
        }
    };
    if arguments.allow_commands {
        run.allow_commands();
    }
    if let Some(rounds) = arguments.rounds {
        run.set_rounds(rounds)?;
    }
    Ok(run)
}
