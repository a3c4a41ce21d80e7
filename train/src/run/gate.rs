//! Who makes the games: the latest checkpoint, or the last one that won its place.

use super::folder::checkpoint_path;
use super::{GateReport, Run, RunError};
use crate::learner::Learner;
use std::borrow::Cow;
use std::sync::Arc;
use tablero_agents::matches::{MatchOptions, PlayedMatch, play_match};
use tablero_agents::{LoadedPlayer, PlayerSpec};
use tablero_env::BoardGame;
use tablero_env::random::mix;
use tablero_minimax::{Baseline, Solvable};
use tablero_models::{LeafNetwork, NetworkShape, Weights};

impl Run {
    /// The weights that make the games.
    pub(super) fn playing_weights<'a>(
        &self,
        learner: &'a Learner,
    ) -> Result<Cow<'a, Weights>, RunError> {
        if self.manifest.playing == self.manifest.checkpoint {
            return Ok(Cow::Borrowed(learner.average()));
        }
        let folder = checkpoint_path(&self.folder, self.manifest.playing);
        Ok(Cow::Owned(Learner::read_average(&folder)?))
    }

    /// Plays the match at the gate, if there is one: the new network against the one that has
    /// played so far.
    pub(super) fn pass_gate<G: BoardGame + Baseline + Solvable>(
        &self,
        game: &G,
        checkpoint: u32,
        weights: [&Weights; 2],
        threads: usize,
    ) -> Result<Option<GateReport>, RunError> {
        let Some(gate) = &self.config.gate else {
            return Ok(None);
        };
        let search = self.config.search_at_gate(gate)?;
        let spec = PlayerSpec::of_directory(&self.folder);
        let network = &self.config.network;
        let shape = NetworkShape::of_network(game, network);
        let player = |weights| {
            let precision = search.precision;
            let packed = LeafNetwork::with_precision(network, &shape, weights, precision)?;
            let (spec, search) = (spec.clone(), search.clone());
            Ok::<_, RunError>(LoadedPlayer::of_network(spec, Arc::new(packed), search))
        };
        let (new, old) = (player(weights[0])?, player(weights[1])?);
        let seed = mix(self.config.seed ^ mix(u64::from(checkpoint)));
        let options = MatchOptions::new(game, gate.games, seed, threads);
        let PlayedMatch { report, .. } = play_match(game, &new, &old, &options, &|| {})?;
        let score = report.strength.map(|strength| strength.score);
        Ok(Some(GateReport {
            against: self.manifest.playing,
            games: report.games,
            score,
            passed: score.is_none_or(|score| score >= gate.score),
            search,
        }))
    }
}
