//! What all commands with matches share: arguments, progress bars, stored results, and texts.

use crate::failure::Failure;
use crate::output;
use crate::progress::bar;
use clap::builder::RangedU64ValueParser;
use serde_json::Value;
use std::path::Path;
use tablero_agents::matches::{MatchOptions, PlayedDecision, PlayedMatch, play_match};
use tablero_agents::oracle::{OracleReport, compare};
use tablero_agents::spread::all_cores;
use tablero_agents::{PlayerSpec, PolicySource, load_policy};
use tablero_env::{AnyGame, BoardGame};
use tablero_minimax::Playable;
use tablero_train::Run;

/// How matches are played.
#[derive(clap::Args, Debug)]
pub struct MatchArguments {
    /// The game; optional if a player is a policy
    #[arg(long, value_name = "GAME", value_parser = AnyGame::parse)]
    game: Option<AnyGame>,
    /// Games of a match, in pairs with colours swapped: an odd number is raised by one
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// The seed of openings and players
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Random plies at the start of each game; default a sixth of the longest game (at most 10), or 6 if games have no bound
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(0..=1000))]
    opening_plies: Option<usize>,
    /// Stop a game after this many plies. It is unfinished, not a draw, and its pair is not counted.
    /// Default: no limit, or 400 if games have no bound on their length
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_plies: Option<u32>,
    /// Threads; default all cores. Does not change results, except of players with a time limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl MatchArguments {
    /// The game named, or that of the first player that is a policy.
    pub fn game<'a>(
        &self,
        players: impl IntoIterator<Item = &'a PlayerSpec>,
    ) -> Result<AnyGame, Failure> {
        match &self.game {
            Some(any) => Ok(any.clone()),
            None => game_of(players),
        }
    }

    /// What the arguments say for this game. Says so if there will be more games than were asked for.
    pub fn options<G: BoardGame>(&self, game: &G) -> MatchOptions {
        note_pairs(self.games);
        let threads = self.threads.map(usize::from);
        let threads = threads.unwrap_or_else(all_cores);
        let default = MatchOptions::new(game, self.games, self.seed, threads);
        MatchOptions {
            opening_plies: self.opening_plies.unwrap_or(default.opening_plies),
            max_plies: self
                .max_plies
                .map(|plies| plies as usize)
                .or(default.max_plies),
            ..default
        }
    }
}

/// Prints a note if a match of `games` games gets one more, since games come in pairs.
pub fn note_pairs(games: u64) {
    if games % 2 == 1 {
        let more = games + 1;
        eprintln!(
            "note: games come in pairs with colours swapped: {more} games instead of {games}"
        );
    }
}

/// The game of the first player that is a policy in a directory.
pub fn game_of<'a>(players: impl IntoIterator<Item = &'a PlayerSpec>) -> Result<AnyGame, Failure> {
    let directory = players.into_iter().find_map(|player| match player {
        PlayerSpec::Policy {
            source: PolicySource::Directory(directory),
            ..
        } => Some(directory),
        _ => None,
    });
    match directory {
        Some(directory) => Ok(AnyGame::parse(&load_policy(directory)?.manifest.game)?),
        None => Err(Failure::bad_input(
            "expected a game, such as dots-and-boxes:3x3, since no player is a policy",
        )),
    }
}

/// After a result is printed, stores it in every run that played, and returns whether all that worked.
pub fn finish<'a>(
    players: impl IntoIterator<Item = &'a PlayerSpec>,
    report: &Value,
) -> Result<(), Failure> {
    keep_with_runs(players, report).and(output::finish())?;
    if tablero_agents::interrupt::is_requested() {
        return Err(Failure::Interrupted);
    }
    Ok(())
}

/// Stores a result in every run that played. If a run cannot be written, a warning names it, and the
/// others still get the result.
fn keep_with_runs<'a>(
    players: impl IntoIterator<Item = &'a PlayerSpec>,
    report: &Value,
) -> Result<(), Failure> {
    let mut failed = None;
    let mut kept: Vec<&Path> = Vec::new();
    for (place, player) in players.into_iter().enumerate() {
        if let PlayerSpec::Policy {
            source: PolicySource::Directory(directory),
            ..
        } = player
            && !kept.contains(&directory.as_path())
        {
            let keep = || match Run::is_agent(directory)? {
                true => Run::keep_evaluation(directory, place, report),
                false => Ok(()),
            };
            if let Err(error) = keep() {
                let run = directory.display();
                eprintln!("warning: the result is not stored in {run}: {error}");
                failed = Some("the result is printed, but could not be stored in every run");
            }
            kept.push(directory);
        }
    }
    match failed {
        None => Ok(()),
        Some(text) => Err(Failure::Failed(anyhow::Error::msg(text))),
    }
}

/// Plays a match behind a progress bar.
pub fn play<G: Playable>(
    game: &G,
    a: &PlayerSpec,
    b: &PlayerSpec,
    options: &MatchOptions,
) -> Result<PlayedMatch<G::State>, Failure> {
    let (a, b) = (a.load(game)?, b.load(game)?);
    let bar = bar(options.games.div_ceil(2) * 2, "games");
    let result = play_match(game, &a, &b, options, &|| bar.inc(1));
    bar.finish_and_clear();
    Ok(result?)
}

/// Compares decisions with the solver behind a progress bar.
pub fn compare_with_bar<G: Playable>(
    game: &G,
    solver: &mut G::Solver,
    decisions: &[PlayedDecision<G::State>],
) -> OracleReport {
    let bar = bar(decisions.len() as u64, "decisions solved");
    let report = compare(game, solver, decisions, &mut || bar.inc(1));
    bar.finish_and_clear();
    report
}
