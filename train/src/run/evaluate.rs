//! Matches of a checkpoint on the way.

use super::{Run, RunError};
use crate::config::{EvaluationConfig, RunConfig};
use crate::learner::Learner;
use serde_json::json;
use std::sync::Arc;
use tablero_agents::matches::{MatchOptions, PlayedMatch, play_match_until};
use tablero_agents::oracle::compare;
use tablero_agents::{Cancel, LoadedPlayer, PlayerSpec};
use tablero_env::BoardGame;
use tablero_minimax::{Playable, Solver, unless_interrupted};
use tablero_models::{LeafNetwork, NetworkShape};

/// Matches are drawn from a seed of their own, so that training cannot have seen the openings.
const SEED: u64 = 0x6576_616c;

/// The opponents of the matches during training. None is loaded if one is not allowed.
pub(super) fn load_opponents<G: Playable>(
    game: &G,
    config: &RunConfig,
) -> Result<Vec<LoadedPlayer>, RunError> {
    let specs = config.evaluation.iter().flat_map(|it| &it.opponents);
    let starts_process = |spec: &&PlayerSpec| matches!(spec, PlayerSpec::Uhp { .. });
    if !config.allow_commands
        && let Some(player) = specs.clone().find(starts_process)
    {
        return Err(RunError::Command {
            player: player.to_string(),
        });
    }
    specs
        .map(|spec| {
            spec.load(game)
                .map_err(|error| RunError::Player(Box::new(error)))
        })
        .collect()
}

impl Run {
    /// Plays the configured matches of the latest checkpoint if they are due and not played yet, and
    /// keeps their results with the run. Returns what went wrong: a run does not stop for a match. A
    /// match that is cancelled is played when the run is resumed.
    pub(super) fn evaluate<G: Playable>(
        &self,
        game: &G,
        opponents: &[LoadedPlayer],
        threads: usize,
        cancel: &Cancel,
    ) -> Vec<String> {
        let checkpoint = self.manifest.checkpoint;
        let is_last = self.manifest.is_finished(&self.config);
        let is_due = |config: &EvaluationConfig| {
            checkpoint > 0 && (checkpoint.is_multiple_of(config.every) || is_last)
        };
        let Some(config) = self.config.evaluation.as_ref().filter(|it| is_due(it)) else {
            return Vec::new();
        };
        let text = |error: RunError| format!("checkpoint {checkpoint}: {error}");
        let player = match self.player_of(game, config) {
            Ok(player) => player,
            Err(error) => return vec![text(error)],
        };
        // Without them a match that was played would be played again.
        let kept = match Self::read_evaluations(&self.folder) {
            Ok(kept) => kept,
            Err(error) => return vec![text(error)],
        };
        let is_kept = |opponent: &LoadedPlayer| {
            kept.iter().any(|line| {
                let report = &line["report"];
                line["checkpoint"] == json!(checkpoint)
                    && report["seed"] == json!(SEED)
                    && report["b"] == opponent.spec().to_string()
            })
        };
        let options = MatchOptions {
            keeps_decisions: config.oracle,
            ..MatchOptions::new(game, config.games, SEED, threads)
        };
        let to_meet = opponents.iter().filter(|opponent| !is_kept(opponent));
        to_meet
            .filter_map(|opponent| {
                self.meet(game, config, [&player, opponent], &options, cancel)
                    .err()
            })
            .map(text)
            .collect()
    }

    /// The latest checkpoint as it plays in evaluations.
    fn player_of<G: BoardGame>(
        &self,
        game: &G,
        config: &EvaluationConfig,
    ) -> Result<LoadedPlayer, RunError> {
        let search = self.config.search_in(config)?;
        let weights = Learner::read_average(&self.checkpoint_path(self.manifest.checkpoint))?;
        let network = &self.config.network;
        let shape = NetworkShape::of_network(game, network);
        let network = LeafNetwork::new(network, &shape, &weights)?;
        let spec = PlayerSpec::of_directory(&self.folder);
        Ok(LoadedPlayer::of_network(spec, Arc::new(network), search))
    }

    /// Plays a match and keeps its result.
    fn meet<G: Playable>(
        &self,
        game: &G,
        config: &EvaluationConfig,
        [player, opponent]: [&LoadedPlayer; 2],
        options: &MatchOptions,
        cancel: &Cancel,
    ) -> Result<(), RunError> {
        let PlayedMatch {
            report, decisions, ..
        } = play_match_until(cancel, game, player, opponent, options, &|| {})?;
        let mut report = json!(report);
        if config.oracle
            && let Ok(mut solver) = game.solver()
        {
            solver.set_interrupt(cancel.flag());
            let compared =
                unless_interrupted(|| compare(game, &mut solver, &decisions, &mut || {}));
            report["oracle"] = json!(compared.ok());
        }
        if cancel.is_cancelled() {
            return Ok(());
        }
        Self::keep_evaluation_of(&self.folder, self.manifest.checkpoint, 0, &report)
    }
}
