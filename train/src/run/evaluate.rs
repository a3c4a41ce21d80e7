//! Matches of a checkpoint on the way.

use super::{Run, RunError};
use crate::learner::Learner;
use crate::matches::{MatchOptions, PlayedMatch, play_match};
use crate::oracle::judge;
use crate::players::{LoadedPlayer, PlayerSpec, PolicyOptions, PolicySource};
use crate::self_play::Workers;
use serde_json::json;
use std::sync::Arc;
use tablero_env::BoardGame;
use tablero_minimax::{Baseline, Solvable};

/// Matches are drawn from a seed of their own, so that training cannot have seen the openings.
const SEED: u64 = 0x6576_616c;

impl Run {
    /// Plays the configured matches if they are due, and keeps their results with the run.
    pub(super) fn evaluate<G: BoardGame + Baseline + Solvable>(
        &self,
        game: &G,
        learner: &Learner,
        checkpoint: u32,
        is_last: bool,
        workers: Workers,
    ) -> Result<(), RunError> {
        let Some(config) = &self.config.evaluation else {
            return Ok(());
        };
        if !checkpoint.is_multiple_of(config.every) && !is_last {
            return Ok(());
        }
        let options = MatchOptions::new(game, config.games, SEED, workers.threads);
        let spec = PlayerSpec::Policy {
            source: PolicySource::Directory(self.folder.clone()),
            options: PolicyOptions {
                sims: config.simulations,
                precision: self.config.self_play.precision,
                leaf_search: self.config.leaf_search_in_play(),
                minimax_share: self.config.minimax_share_in_play(),
                trap_nodes: self.config.trap_nodes_in_play(),
                root_search: self.config.play.root_search,
                ..PolicyOptions::default()
            },
        };
        let player =
            LoadedPlayer::of_network(spec, Arc::new(learner.leaf_network(learner.average())?));
        // A run that was killed after a match does not play it again.
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
                report["oracle"] = json!(judge(game, &mut solver, &decisions, &mut || {}));
            }
            Self::keep_evaluation_of(&self.folder, checkpoint, 0, &report)?;
        }
        Ok(())
    }
}
