//! Matches of a checkpoint on the way.

use super::{Run, RunError};
use crate::learner::Learner;
use serde_json::json;
use std::sync::Arc;
use tablero_agents::matches::{MatchOptions, PlayedMatch, play_match};
use tablero_agents::oracle::compare;
use tablero_agents::{LoadedPlayer, PlayerSpec};
use tablero_env::BoardGame;
use tablero_minimax::{Baseline, Solvable};
use tablero_models::{LeafNetwork, NetworkShape};

/// Matches are drawn from a seed of their own, so that training cannot have seen the openings.
const SEED: u64 = 0x6576_616c;

impl Run {
    /// Plays the configured matches of the latest checkpoint if they are due and not played yet, and
    /// keeps their results with the run.
    pub(super) fn evaluate<G: BoardGame + Baseline + Solvable>(
        &self,
        game: &G,
        threads: usize,
    ) -> Result<(), RunError> {
        let Some(config) = &self.config.evaluation else {
            return Ok(());
        };
        let checkpoint = self.manifest.checkpoint;
        let is_last = self.manifest.is_finished(&self.config);
        if checkpoint == 0 || !(checkpoint.is_multiple_of(config.every) || is_last) {
            return Ok(());
        }
        let options = MatchOptions::new(game, config.games, SEED, threads);
        let search = self.config.search_in(config)?;
        let weights = Learner::read_average(&self.checkpoint_path(checkpoint))?;
        let network = &self.config.network;
        let shape = NetworkShape::of_network(game, network);
        let precision = search.precision;
        let network = LeafNetwork::with_precision(network, &shape, &weights, precision)?;
        let spec = PlayerSpec::of_directory(&self.folder);
        let player = LoadedPlayer::of_network(spec, Arc::new(network), search);
        let kept = Self::read_evaluations(&self.folder)?;
        let is_kept = |opponent: &LoadedPlayer| {
            kept.iter().any(|line| {
                let report = &line["report"];
                line["checkpoint"] == json!(checkpoint)
                    && report["seed"] == json!(SEED)
                    && report["b"] == opponent.spec().to_string()
            })
        };
        for opponent in &config.opponents {
            let opponent = opponent.load(game);
            let opponent = opponent.map_err(|error| RunError::Player(Box::new(error)))?;
            if is_kept(&opponent) {
                continue;
            }
            let PlayedMatch {
                report, decisions, ..
            } = play_match(game, &player, &opponent, &options, &|| {})?;
            let mut report = json!(report);
            if config.oracle
                && let Ok(mut solver) = game.solver()
            {
                report["oracle"] = json!(compare(game, &mut solver, &decisions, &mut || {}));
            }
            Self::keep_evaluation_of(&self.folder, checkpoint, 0, &report)?;
        }
        Ok(())
    }
}
