//! `tablero train --compare`.

use crate::commands::ladder;
use crate::config_file::read_config;
use crate::failure::Failure;
use crate::matches::note_pairs;
use crate::progress::{TrainingProgress, bar};
use crate::table::Table;
use serde_json::json;
use std::path::{Path, PathBuf};
use tablero_agents::PlayerSpec;
use tablero_agents::ladder::{LadderReport, Pairing, play_ladder};
use tablero_agents::matches::MatchOptions;
use tablero_agents::spread::all_cores;
use tablero_env::{AnyGame, with_game};
use tablero_minimax::Playable;
use tablero_train::self_play::Workers;
use tablero_train::{Run, RunConfig};

/// The opponents that all variants meet.
const LADDER: [&str; 3] = ["minimax:level=1", "minimax:level=2", "minimax:level=3"];

/// What is compared, and how far.
pub struct Comparison<'a> {
    pub configs: &'a [PathBuf],
    pub evaluations: u64,
    pub folder: &'a Path,
    pub seed: Option<u64>,
    pub games: u64,
    pub json: bool,
}

/// A variant that has been trained.
struct Variant {
    name: String,
    rounds: u32,
    evaluations: u64,
    seconds: f64,
    /// Checkpoints with the seconds after which they stood.
    checkpoints: Vec<(u32, f64)>,
}

/// Trains variants to an equal number of leaf evaluations, and plays them against each other and a
/// fixed ladder: as they are then, and as they were when the fastest of them ended.
pub fn run(
    comparison: &Comparison<'_>,
    workers: impl Fn(&RunConfig) -> Workers,
) -> Result<(), Failure> {
    let configs = read(comparison)?;
    let mut variants = Vec::new();
    for (name, config) in configs {
        variants.push(train(comparison, name, config, &workers)?);
    }
    let game = AnyGame::parse(
        &Run::read(&comparison.folder.join(&variants[0].name))?
            .0
            .game,
    )?;
    note_pairs(comparison.games);
    let report = with_game!(&game, game => matches(game, comparison, &variants))?;
    if comparison.json {
        let trained = variants.iter().map(|variant| {
            json!({
                "variant": variant.name,
                "rounds": variant.rounds,
                "evaluations": variant.evaluations,
                "seconds": variant.seconds,
            })
        });
        println!(
            "{}",
            json!({ "variants": trained.collect::<Vec<_>>(), "ladder": report })
        );
        return Ok(());
    }
    let mut table = Table::new(&["variant", ">rounds", ">evaluations", ">seconds"]);
    for variant in &variants {
        table.row([
            variant.name.clone(),
            variant.rounds.to_string(),
            variant.evaluations.to_string(),
            format!("{:.0}", variant.seconds),
        ]);
    }
    table.print();
    println!();
    ladder::print(&report, comparison.games);
    println!("\ntime per move:");
    for (player, milliseconds) in milliseconds_a_move(&report) {
        println!("  {milliseconds:>8.2} ms  {player}");
    }
    Ok(())
}

/// The configurations by the names of their files, with the end that all have.
fn read(comparison: &Comparison<'_>) -> Result<Vec<(String, RunConfig)>, Failure> {
    let mut configs: Vec<(String, RunConfig)> = Vec::new();
    for file in comparison.configs {
        let mut config = read_config(file)?;
        config.evaluations = Some(comparison.evaluations);
        // Evaluations alone end it.
        config.rounds = u32::MAX;
        // Each checkpoint may turn out to be the one at equal seconds.
        config.keep_checkpoints = u32::MAX as usize;
        config.seed = comparison.seed.unwrap_or(config.seed);
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if let Some((other, first)) = configs.first()
            && first.game != config.game
        {
            return Err(Failure::bad_input(format!(
                "expected variants of one game, got {} in {other} and {} in {name}",
                first.game, config.game
            )));
        }
        if configs.iter().any(|(other, _)| *other == name) {
            return Err(Failure::bad_input(format!(
                "two configurations are called {name}: their runs need folders of their own"
            )));
        }
        configs.push((name, config));
    }
    Ok(configs)
}

fn train(
    comparison: &Comparison<'_>,
    name: String,
    config: RunConfig,
    workers: impl Fn(&RunConfig) -> Workers,
) -> Result<Variant, Failure> {
    let folder = comparison.folder.join(&name);
    let mut run = Run::create_or_open(&folder, config)?;
    eprintln!("{name}: {} done", run.manifest().played(run.config()));
    let progress = TrainingProgress::new(&run);
    let workers = workers(run.config());
    run.train(workers, &progress)?;
    drop(progress);
    let mut seconds = 0.0;
    let checkpoints = Run::read_metrics(&folder)?.into_iter().map(|round| {
        seconds += round.seconds;
        (round.checkpoint, seconds)
    });
    let checkpoints: Vec<_> = checkpoints.collect();
    Ok(Variant {
        name,
        rounds: run.manifest().rounds,
        evaluations: run.manifest().evaluations,
        seconds,
        checkpoints,
    })
}

/// The agents: each variant at its end, and the slower ones also when the fastest ended.
fn agents(folder: &Path, variants: &[Variant]) -> Vec<PathBuf> {
    let least = variants
        .iter()
        .map(|variant| variant.seconds)
        .fold(f64::INFINITY, f64::min);
    let of_variant = |variant: &Variant| {
        let own = folder.join(&variant.name);
        let in_time = variant
            .checkpoints
            .iter()
            .rev()
            .find(|(_, seconds)| *seconds <= least);
        let earlier = in_time.filter(|_| variant.seconds > least);
        let earlier = earlier.map(|(number, _)| own.join(format!("checkpoints/{number:06}")));
        std::iter::once(own).chain(earlier)
    };
    variants.iter().flat_map(of_variant).collect()
}

fn matches<G: Playable>(
    game: &G,
    comparison: &Comparison<'_>,
    variants: &[Variant],
) -> Result<LadderReport, Failure> {
    let agents = agents(comparison.folder, variants);
    let texts = agents
        .iter()
        .map(|agent| format!("policy:{}", agent.display()));
    let texts = LADDER.iter().map(|level| (*level).to_owned()).chain(texts);
    let players = texts
        .map(|text| {
            Ok(text
                .parse::<PlayerSpec>()
                .map_err(Failure::bad_input)?
                .load(game)?)
        })
        .collect::<Result<Vec<_>, Failure>>()?;
    let seed = comparison.seed.unwrap_or(1);
    let options = MatchOptions::new(game, comparison.games, seed, all_cores());
    let n_matches = Pairing::RoundRobin.matches(players.len()).len() as u64;
    let bar = bar(options.games.div_ceil(2) * 2 * n_matches, "games");
    let report = play_ladder(game, &players, Pairing::RoundRobin, &options, &|| {
        bar.inc(1)
    });
    bar.finish_and_clear();
    Ok(report?)
}

/// What each player took for a move, over all its matches.
fn milliseconds_a_move(report: &LadderReport) -> Vec<(String, f64)> {
    let of_player = |player: &str| {
        let efforts = report.matches.iter().flat_map(|each| {
            let a = (each.a == player).then_some(&each.a_effort);
            let b = (each.b == player).then_some(&each.b_effort);
            a.into_iter().chain(b)
        });
        let (seconds, moves) = efforts.fold((0.0, 0.0), |(seconds, moves), effort| {
            let n = effort.moves as f64;
            (seconds + n * effort.seconds_a_move, moves + n)
        });
        1000.0 * seconds / f64::max(moves, 1.0)
    };
    let players = report.players.iter();
    players
        .map(|each| (each.player.clone(), of_player(&each.player)))
        .collect()
}
